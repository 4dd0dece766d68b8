/*
 * changes_text: the sentences on a differential.
 */
#ifndef CHANGES_TEXT_H
#define CHANGES_TEXT_H

struct picture;

struct summary;

void summarize_changes(const struct picture *p, struct summary *s);

#endif
