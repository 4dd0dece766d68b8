/*
 * summary: the summary of a profile, as sentences of words and names.
 */
#ifndef RENDER_SUMMARY_H
#define RENDER_SUMMARY_H

struct picture;
struct summary;

void summarize(const struct picture *p, struct summary *s);

#endif
