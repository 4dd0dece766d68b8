/*
 * figures: the values of a picture as text.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include "base/text.h"
#include "base/value.h"

struct picture;

/* Appends a value of drawn column k with its unit, times --factor. */
void layout_figure(const struct picture *p, unsigned k, struct text *b, value v);
/*
 * Appends the profile total, "17.3 s, 17,339 samples"; for a differential "base 1.2 s -> head
 * 1.5 s (+25 %)".
 */
void layout_heading(const struct picture *p, struct text *b);

#endif
