/*
 * palettecss: style sheets with the colours of the frames, the text and the heatmap strip.
 */
#ifndef PALETTECSS_H
#define PALETTECSS_H

#include <stdbool.h>

#include "base/text.h"

struct picture;

const char *palette_strip(unsigned shade, bool dark); /* of the strip; shade 0: no activity */
/* Appends the dark theme of the static SVG; used: by class, those that it has. */
void palette_css(const struct picture *p, const bool *used, struct text *b);
void palette_live_css(const struct picture *p, struct text *b); /* both themes, for the viewer */

#endif
