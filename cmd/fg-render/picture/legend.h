/*
 * legend: the meaning of each colour, for the legend and for the viewer.
 */
#ifndef LEGEND_H
#define LEGEND_H

#include "base/text.h"
#include "fg-render/picture/modes.h"

struct picture;

/* JSON: {name: [prefix, meaning of the strength, label...]} */
void palette_add_table(const struct picture *p, struct text *b);
void palette_add_label(const struct picture *p, const struct legend *l, struct text *b);
/* Returns what strong and pale colours mean, or NULL. */
const char *palette_strength(const struct picture *p);
/*
 * Returns the legend's entry after last, or its first if last is NULL; NULL after the last one.
 * It has the origins of the profile's frames, and all kinds of the other modes.
 */
const struct legend *palette_legend(const struct picture *p, const struct legend *last);

#endif
