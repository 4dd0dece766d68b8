/*
 * svg: stacks out of flame graphs in SVG.
 */
#ifndef COLLAPSE_SVG_H
#define COLLAPSE_SVG_H

#include <stdbool.h>

#include "base/text.h"
#include "fg-collapse/reader.h"

/*
 * Appends the folded stacks, with header lines, of the complete profile that fg-render stores in
 * its pictures. False if the picture has none; exits with 2 if it is damaged.
 */
bool svg_profile(const struct reader *r, struct str svg, struct text *folded);

/* Passes the frames that a picture draws, by their titles, to the sampler. */
void svg_titles(struct reader *r, struct str svg);

#endif
