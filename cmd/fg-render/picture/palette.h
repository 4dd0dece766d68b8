/*
 * palette: colours. A class is an index into the colours of a mode, or of a palette of
 * flamegraph.pl (classic.c). --cp stores colours in a file (palettemap.c).
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

/* classic.c: the palettes of flamegraph.pl, by number; a class is one shade of a hue */
#define CLASSIC_SHADES 16
int classic_find(const char *name); /* -1: unknown name */
const char *classic_name(int palette);
const char *classic_background(int palette); /* a name for palette_background */
const struct legend *classic_legend(int palette); /* ends with a NULL label */
unsigned classic_class(const struct picture *p, uint32_t name);
unsigned classic_classes(void); /* number of classes of all palettes */
void classic_hex(unsigned class, char hex[8]);
/*
 * For the viewer: appends the hues of n names, one byte each, for each palette that depends on
 * the name.
 */
void classic_add_hues(struct text *b, const struct frame_name *const *name, uint32_t n);
void classic_add_shades(struct text *b); /* JSON: red, green, blue of each hue: minimum, range */
void classic_add_table(struct text *b); /* JSON: {name: [hue or -1, [class, label]...]} */

/* palettemap.c: the file of --cp. Sets p->class and p->colours. */
void palettemap(struct picture *p);

#define ORIGIN_TONES 4 /* of each origin; the viewer's colors.js has the same number */

/* palette.c */
const char *palette_origin(enum origin origin); /* its colour in the light theme */
const char *palette_strip(unsigned shade, bool dark); /* of the strip; shade 0: no activity */
bool palette_mode(const char *name, enum mode *mode);
bool palette_colour(const char *s); /* true for #rgb and #rrggbb */
bool palette_background(const char *name, const char *stop[2]); /* false for an unknown one */
const char *palette_name(const struct picture *p); /* name of the mode or palette */
void palette_names(struct picture *p); /* the class of each name */
unsigned palette_node(const struct picture *p, uint32_t node);
const char *palette_prefix(const struct picture *p); /* prefix of the CSS class names */
unsigned palette_classes(const struct picture *p);
void palette_hex(const struct picture *p, unsigned class, char hex[8]); /* in the light theme */
bool palette_is_dark(
    const struct picture *p, unsigned class); /* white text is more legible on it */
void palette_css(const struct picture *p, struct text *b); /* dark theme of the static SVG */
void palette_live_css(const struct picture *p, struct text *b); /* both themes, for the viewer */
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
/* Returns the mark that shows a frame's change without colour: two characters, or "". */
const char *palette_mark(const struct picture *p, unsigned class);
int palette_hatched(const struct picture *p); /* class of frames absent in head, or -1 */
bool palette_pale(const struct picture *p, unsigned class); /* class is dark in the dark theme */

#endif
