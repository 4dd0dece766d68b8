/*
 * names: the names of frames as clean text.
 */
#ifndef NAMES_H
#define NAMES_H

struct picture;

/* Fills names of p from its tree and rank. */
void names_clean(struct picture *p);

#endif
