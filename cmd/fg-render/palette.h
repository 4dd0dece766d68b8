/*
 * palette: colours. A class is an index into the colours of a mode, or of one of
 * flamegraph.pl's palettes (classic.c); --cp stores them in a file (palettemap.c).
 */
#ifndef PALETTE_H
#define PALETTE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "fg-render/picture.h"

struct legend {
	unsigned class;
	const char *label;
};

/* classic.c: flamegraph.pl's palettes, by number; a class is a hue's shade */
#define CLASSIC_SHADES 16
int classic_find(const char *name); /* or -1 */
const char *classic_name(int palette);
const char *classic_background(int palette); /* a name for palette_background */
const struct legend *classic_legend(int palette); /* ends with a NULL label */
unsigned classic_class(const struct picture *p, uint32_t name);
unsigned classic_classes(void); /* how many there are */
void classic_hex(unsigned class, char hex[8]);
/* For the viewer: the hues of n names, a byte each, in each palette that has rules; all palettes.
 */
void classic_add_hues(struct text *b, const struct frame_name *const *name, uint32_t n);
void classic_add_shades(struct text *b); /* JSON: of each hue red, green, blue: least, range */
void classic_add_table(struct text *b); /* JSON: {name: [hue or -1, [class, label]...]} */

/* palettemap.c: the file of --cp; fills p's class and colours. */
void palettemap(struct picture *p);

/* palette.c */
const char *palette_strip(unsigned shade, bool dark); /* of the strip, 0: nothing ran */
bool palette_mode(const char *name, enum mode *mode);
bool palette_colour(const char *s); /* whether it is #rgb or #rrggbb */
bool palette_background(const char *name, const char *stop[2]); /* false for an unknown one */
const char *palette_name(const struct picture *p); /* of its mode or palette */
void palette_names(struct picture *p); /* the class of each name */
unsigned palette_node(const struct picture *p, uint32_t node);
const char *palette_prefix(const struct picture *p); /* of the mode's classes */
unsigned palette_classes(const struct picture *p);
void palette_hex(const struct picture *p, unsigned class, char hex[8]); /* in the light theme */
bool palette_is_dark(const struct picture *p, unsigned class); /* white stands out on it */
void palette_css(
    const struct picture *p, struct text *b); /* the dark theme of the static picture */
void palette_live_css(const struct picture *p, struct text *b); /* all that a live one can show */
void palette_add_table(struct text *b); /* JSON: {name: [prefix, label...]} */
const struct legend *palette_legend(const struct picture *p); /* ends with a NULL label */
/* How the change of a frame is told without its colour; takes two characters, or none. */
const char *palette_mark(const struct picture *p, unsigned class);
int palette_hatched(const struct picture *p); /* the class of what is gone, or -1 */
bool palette_pale(const struct picture *p, unsigned class); /* dark in the dark theme */

#endif
