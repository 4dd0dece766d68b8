/*
 * palette: the class of each frame, an index into the colours of a mode, or of a palette of
 * flamegraph.pl (classic.h). --cp stores colours in a file (palettemap.h).
 */
#ifndef PALETTE_H
#define PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-render/options.h"
#include "names/origin.h"

struct picture;

#define ORIGIN_TONES 4 /* of each origin; the viewer's colors.js has the same number */

const char *palette_origin(enum origin origin); /* its colour in the light theme */
bool palette_mode(const char *name, enum mode *mode);
const char *palette_name(const struct picture *p); /* name of the mode or palette */
/* True if the classes are the mode's, not those of a palette or of --colordiffusion. */
bool palette_is_plain(const struct picture *p);
void palette_names(struct picture *p); /* the class of each name */
unsigned palette_node(const struct picture *p, uint32_t node);
const char *palette_prefix(const struct picture *p); /* prefix of the CSS class names */
unsigned palette_classes(const struct picture *p);
void palette_hex(const struct picture *p, unsigned class, char hex[8]); /* in the light theme */
bool palette_is_dark(
    const struct picture *p, unsigned class); /* white text is more legible on it */
/* Returns the mark that shows a frame's change without colour: two characters, or "". */
const char *palette_mark(const struct picture *p, unsigned class);
int palette_hatched(const struct picture *p); /* class of frames absent in head, or -1 */
bool palette_pale(const struct picture *p, unsigned class); /* class is dark in the dark theme */

#endif
