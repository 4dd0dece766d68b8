/*
 * classic: the palettes of flamegraph.pl, by number. A class is one shade of a hue.
 */
#ifndef CLASSIC_H
#define CLASSIC_H

#include <stdint.h>

#include "base/text.h"
#include "fg-render/picture/modes.h"

struct picture;
struct frame_name;

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

#endif
