/*
 * classic: the palettes of flamegraph.pl. A palette gives each name a hue, and a hash of the
 * function's name selects one of 16 shades of it. The viewer receives the hues of all names,
 * for every palette, with the picture.
 */
#include "fg-render/picture/classic.h"

#include <stdio.h>
#include <string.h>

#include "fg-render/picture.h"
#include "names/library.h"
#include "names/origin.h"

/*
 * Each colour component is base + range * x, x in 0..1, with the constants of flamegraph.pl;
 * red, green, blue.
 */
enum hue { HOT, MEM, IO, RED, GREEN, BLUE, YELLOW, PURPLE, AQUA, ORANGE, GREY };
static const struct {
	unsigned char base[3], range[3];
} hues[] = {
    [HOT] = {{205, 0, 0}, {50, 230, 55}},
    [MEM] = {{0, 190, 0}, {0, 50, 210}},
    [IO] = {{80, 80, 190}, {60, 60, 55}},
    [RED] = {{200, 50, 50}, {55, 80, 80}},
    [GREEN] = {{50, 200, 50}, {60, 55, 60}},
    [BLUE] = {{80, 80, 205}, {60, 60, 50}},
    [YELLOW] = {{175, 175, 50}, {55, 55, 20}},
    [PURPLE] = {{190, 80, 190}, {65, 60, 65}},
    [AQUA] = {{50, 165, 165}, {60, 55, 55}},
    [ORANGE] = {{190, 90, 0}, {65, 65, 0}},
    [GREY] = {{160, 160, 160}, {0, 0, 0}},
};
#define CLASSIC_SHADES 16
#define AHEAD 8 /* names that are fetched early */
#define SWATCH(hue) ((hue)*CLASSIC_SHADES + CLASSIC_SHADES / 2)

static inline bool
has(const struct frame_name *n, const char *what)
{
	return text_has(n->start, n->all, what);
}

static bool
starts(const struct frame_name *n, const char *with)
{
	return n->all >= strlen(with) && memcmp(n->start, with, strlen(with)) == 0;
}

/* Returns the letter of the last annotation of a name, or 0. */
static char
suffix(const struct frame_name *n)
{
	const char *end = n->start + n->all;

	return n->all >= 4 && end[-4] == '_' && end[-3] == '[' && end[-1] == ']' ? end[-2] : 0;
}

/* Sets the hue that the palettes java and perl give to an annotation; false if there is none. */
static bool
suffix_hue(const struct frame_name *n, enum hue *hue)
{
	switch (suffix(n)) {
	case 'j': *hue = GREEN; return true;
	case 'i': *hue = AQUA; return true;
	case 'k': *hue = ORANGE; return true;
	}
	return false;
}

static enum hue
java_hue(const struct frame_name *n)
{
	enum hue hue;

	if (suffix_hue(n, &hue))
		return hue;
	if (has(n, "::") || starts(n, "-[") || starts(n, "+["))
		return YELLOW;
	if (n->all > 0 && n->start[0] != '[' &&
	    (has(n, "/") || has(n, ".") || (n->start[0] >= 'A' && n->start[0] <= 'Z')))
		return GREEN;
	return RED;
}

static enum hue
js_hue(const struct frame_name *n)
{
	if (n->all > 0 && strspn(n->start, " ") >= n->all)
		return GREEN;
	switch (suffix(n)) {
	case 'j': return has(n, "/") ? GREEN : AQUA;
	case 'i': return AQUA;
	case 'k': return ORANGE;
	}
	if (has(n, "::"))
		return YELLOW;
	if (has(n, "/") && has(n, ".js"))
		return GREEN;
	return has(n, ":") ? AQUA : RED;
}

static enum hue
perl_hue(const struct frame_name *n)
{
	enum hue hue;

	if (suffix_hue(n, &hue))
		return hue;
	if (has(n, "Perl") || has(n, ".pl"))
		return GREEN;
	return has(n, "::") ? YELLOW : RED;
}

static enum hue
python_hue(const struct frame_name *n)
{
	if (has(n, "-packages") && (has(n, "site-packages") || has(n, "dist-packages")))
		return AQUA;
	if (has(n, "/python") || has(n, "/Python"))
		return YELLOW;
	if (has(n, "<") && (has(n, "<built-in") || has(n, "<method") || has(n, "<frozen")))
		return YELLOW;
	return RED;
}

static enum hue
rust_hue(const struct frame_name *n)
{
	if (library_has_rust((struct str){n->text, n->len}))
		return ORANGE;
	return has(n, "::") ? AQUA : YELLOW;
}

static enum hue
chain_hue(const struct frame_name *n)
{
	return has(n, "_[w]") ? AQUA : BLUE;
}

static const struct palette {
	const char *name;
	enum hue hue;
	enum hue (*of)(const struct frame_name *); /* NULL: every name has `hue` */
	const char *background;
	struct legend legend[6];
} palettes[] = {
    {"hot", HOT, NULL, "yellow", {{0}}},
    {"mem", MEM, NULL, "green", {{0}}},
    {"io", IO, NULL, "blue", {{0}}},
    {"red", RED, NULL, "grey", {{0}}},
    {"green", GREEN, NULL, "grey", {{0}}},
    {"blue", BLUE, NULL, "grey", {{0}}},
    {"yellow", YELLOW, NULL, "grey", {{0}}},
    {"purple", PURPLE, NULL, "grey", {{0}}},
    {"aqua", AQUA, NULL, "grey", {{0}}},
    {"orange", ORANGE, NULL, "grey", {{0}}},
    {"wakeup", AQUA, NULL, "blue", {{0}}},
    {"chain", BLUE, chain_hue, "blue", {{SWATCH(AQUA), "waker"}, {SWATCH(BLUE), "woken"}}},
    {"java", RED, java_hue, "yellow",
	{{SWATCH(GREEN), "Java"}, {SWATCH(AQUA), "inlined"}, {SWATCH(ORANGE), "kernel"},
	    {SWATCH(YELLOW), "C++"}, {SWATCH(RED), "native"}}},
    {"js", RED, js_hue, "yellow",
	{{SWATCH(GREEN), "JavaScript"}, {SWATCH(AQUA), "built in"}, {SWATCH(ORANGE), "kernel"},
	    {SWATCH(YELLOW), "C++"}, {SWATCH(RED), "native"}}},
    {"perl", RED, perl_hue, "yellow",
	{{SWATCH(GREEN), "Perl"}, {SWATCH(AQUA), "inlined"}, {SWATCH(ORANGE), "kernel"},
	    {SWATCH(YELLOW), "C++"}, {SWATCH(RED), "native"}}},
    {"python", RED, python_hue, "yellow",
	{{SWATCH(AQUA), "packages"}, {SWATCH(YELLOW), "library"}, {SWATCH(RED), "program"}}},
    {"rust", RED, rust_hue, "yellow",
	{{SWATCH(ORANGE), "core, std, alloc"}, {SWATCH(AQUA), "program and crates"},
	    {SWATCH(YELLOW), "other"}}},
};

int
classic_find(const char *name)
{
	for (size_t i = 0; i < sizeof palettes / sizeof palettes[0]; i++)
		if (strcmp(palettes[i].name, name) == 0)
			return (int)i;
	return -1;
}

const char *
classic_name(int palette)
{
	return palettes[palette].name;
}

const char *
classic_background(int palette)
{
	return palettes[palette].background;
}

const struct legend *
classic_legend(int palette)
{
	return palettes[palette].legend;
}

unsigned
classic_classes(void)
{
	return (GREY + 1) * CLASSIC_SHADES;
}

void
classic_add_shades(struct text *b)
{
	for (unsigned hue = 0; hue <= GREY; hue++)
		for (unsigned i = 0; i < 3; i++)
			text_printf(b, "%s%d,%d", hue + i > 0 ? "," : "[", hues[hue].base[i],
			    hues[hue].range[i]);
	text_char(b, ']');
}

void
classic_hex(unsigned class, char hex[8])
{
	unsigned hue = class / CLASSIC_SHADES, rgb[3];

	for (unsigned i = 0; i < 3; i++)
		rgb[i] = hues[hue].base[i] +
			 hues[hue].range[i] * (class % CLASSIC_SHADES) / (CLASSIC_SHADES - 1);
	snprintf(hex, 8, "#%02x%02x%02x", rgb[0] & 0xff, rgb[1] & 0xff, rgb[2] & 0xff);
}

static enum hue
hue_of(const struct palette *palette, const struct frame_name *n)
{
	if (n->all > 0 && n->all <= 2 && strspn(n->start, "-") >= n->all)
		return GREY;
	return palette->of != NULL ? palette->of(n) : palette->hue;
}

unsigned
classic_class(const struct picture *p, uint32_t name)
{
	const struct frame_name *n = &p->names.name[name];
	/* --random: from the rank of the name, so that the same input gives the same bytes */
	uint32_t shade =
	    p->options->random ? p->names.rank[name] * 2654435761u >> 16 : name_hash(n) >> 8;

	return hue_of(&palettes[p->options->palette], n) * CLASSIC_SHADES + shade % CLASSIC_SHADES;
}

void
classic_add_hues(struct text *b, const struct frame_name *const *name, uint32_t n)
{
	size_t at, hued = 0;

	for (size_t i = 0; i < sizeof palettes / sizeof palettes[0]; i++)
		hued += palettes[i].of != NULL;
	text_reserve(b, hued * n);
	at = b->len;
	/* all hues of a name at once: each name is far from the next one in memory */
	for (uint32_t k = 0; k < n; k++) {
		char *to = b->s + at + k;

		if (k + AHEAD < n)
			__builtin_prefetch(name[k + AHEAD]->start);
		for (size_t i = 0; i < sizeof palettes / sizeof palettes[0]; i++)
			if (palettes[i].of != NULL) {
				*to = (char)hue_of(&palettes[i], name[k]);
				to += n;
			}
	}
	b->len += hued * n;
	b->s[b->len] = '\0';
}

void
classic_add_table(struct text *b)
{
	for (size_t i = 0; i < sizeof palettes / sizeof palettes[0]; i++) {
		const struct palette *palette = &palettes[i];

		text_printf(b, "%c\"%s\":[%d", i == 0 ? '{' : ',', palette->name,
		    palette->of == NULL ? (int)palette->hue : -1);
		for (const struct legend *l = palette->legend; l->label != NULL; l++)
			text_printf(b, ",[%u,\"%s\"]", l->class, l->label);
		text_char(b, ']');
	}
	text_char(b, '}');
}
