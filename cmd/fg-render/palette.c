/*
 * palette: every colour. The four modes have fixed classes that differ in the
 * dark theme; the classic palettes are those of flamegraph.pl, sixteen shades of
 * each hue, the shade chosen by a hash of the function's name. The rules for the
 * hue stand in share/viewer/data/colors.js too, for who switches in the picture.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "render.h"

struct shade {
	const char *light, *dark;
};

/* Chosen for the largest smallest distance under normal, deutan, protan and tritan vision. */
static const struct shade origin_shades[] = {
    {"#f0a04b", "#d98a3a"},
    {"#81c4fa", "#5ba3dd"},
    {"#7e75e8", "#8f87ee"},
    {"#d4d4d4", "#484d55"},
};
static const struct shade differential_shades[] = {
    {"#dd6d50", "#c95c40"},
    {"#61bbff", "#31a3ea"},
    {"#f4c137", "#e7c020"},
    {"#7a8c96", "#96969d"},
    {"#e9e9e9", "#3a3f47"},
};
static const struct shade bottleneck_shades[] = {
    {"#79a3fe", "#6f97ee"},
    {"#f2bc2a", "#d9a923"},
    {"#f37764", "#dd6858"},
    {"#967c9b", "#a48aa9"},
    {"#dedede", "#41464e"},
};

/* OKLCH, 15 degrees of hue apart: lightness 0.83 and 0.67, chroma 0.105. */
static const struct shade function_shades[] = {
    {"#ffabc4", "#ca7992"},
    {"#ffabb1", "#cd7980"},
    {"#ffad9f", "#ce7c6e"},
    {"#ffb28e", "#cb805d"},
    {"#fab780", "#c4854f"},
    {"#efbe77", "#bb8b45"},
    {"#e2c575", "#ae9242"},
    {"#d1cb79", "#9f9946"},
    {"#bed283", "#8d9f51"},
    {"#aad791", "#79a461"},
    {"#95dba3", "#63a772"},
    {"#81ddb6", "#4daa85"},
    {"#71deca", "#38aa98"},
    {"#69dddc", "#2aa9a9"},
    {"#6adaed", "#2da6b9"},
    {"#75d6fb", "#3ea2c6"},
    {"#85d1ff", "#539dcf"},
    {"#99cbff", "#6898d5"},
    {"#adc4ff", "#7c92d6"},
    {"#c0beff", "#8f8cd3"},
    {"#d2b8ff", "#9f86cc"},
    {"#e1b3f7", "#ae81c2"},
    {"#efafe8", "#ba7db4"},
    {"#f9acd7", "#c37aa4"},
};

static const struct mode_colours {
	const char *name, *prefix;
	const struct shade *shade;
	unsigned n, pale; /* pale: the class that is dark in the dark theme, or n */
	struct legend legend[6];
} modes[] = {
    [MODE_ORIGIN] = {"origin", "o", origin_shades, 4, 3,
	{{0, "user"}, {1, "library"}, {2, "system"}, {3, "unknown"}}},
    [MODE_FUNCTION] = {"function", "f", function_shades, 24, 24, {{0}}},
    [MODE_DIFFERENTIAL] = {"differential", "d", differential_shades, 5, 4,
	{{0, "\xe2\x96\xb2 slower"}, {1, "\xe2\x96\xbc faster"}, {2, "+ added"},
	    {3, "\xe2\x88\x92 removed"}, {4, "same"}}},
    [MODE_BOTTLENECK] = {"bottleneck", "b", bottleneck_shades, 5, 4,
	{{0, "instruction"}, {1, "cache"}, {2, "memory"}, {3, "system"}, {4, "none"}}},
};

/* What flamegraph.pl adds to and multiplies a random number with, in red, green and blue. */
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
#define SHADES 16
#define SWATCH(hue) ((hue)*SHADES + SHADES / 2)

static bool
has(const struct name *n, const char *what)
{
	return memmem(n->start, n->all, what, strlen(what)) != NULL;
}

static bool
starts(const struct name *n, const char *with)
{
	return n->all >= strlen(with) && memcmp(n->start, with, strlen(with)) == 0;
}

/* The last annotation of a name, or 0. */
static char
suffix(const struct name *n)
{
	const char *end = n->start + n->all;

	return n->all >= 4 && end[-4] == '_' && end[-3] == '[' && end[-1] == ']' ? end[-2] : 0;
}

/* What a suffix decides in java and perl. */
static bool
suffix_hue(const struct name *n, enum hue *hue)
{
	switch (suffix(n)) {
	case 'j': *hue = GREEN; return true;
	case 'i': *hue = AQUA; return true;
	case 'k': *hue = ORANGE; return true;
	}
	return false;
}

static enum hue
java_hue(const struct name *n)
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
js_hue(const struct name *n)
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
perl_hue(const struct name *n)
{
	enum hue hue;

	if (suffix_hue(n, &hue))
		return hue;
	if (has(n, "Perl") || has(n, ".pl"))
		return GREEN;
	return has(n, "::") ? YELLOW : RED;
}

static enum hue
python_hue(const struct name *n)
{
	if (has(n, "site-packages") || has(n, "dist-packages"))
		return AQUA;
	if (has(n, "/python") || has(n, "/Python") || has(n, "<built-in") || has(n, "<method") ||
	    has(n, "<frozen"))
		return YELLOW;
	return RED;
}

static enum hue
rust_hue(const struct name *n)
{
	static const char *const library[] = {"core::", "std::", "alloc::"};

	for (size_t i = 0; i < sizeof library / sizeof library[0]; i++) {
		char as[16];

		snprintf(as, sizeof as, "as %s", library[i]);
		if (starts(n, library[i]) || has(n, as))
			return ORANGE;
	}
	return has(n, "::") ? AQUA : YELLOW;
}

static enum hue
chain_hue(const struct name *n)
{
	return has(n, "_[w]") ? AQUA : BLUE;
}

static const struct palette {
	const char *name;
	enum hue hue;
	enum hue (*of)(const struct name *); /* or NULL: always hue */
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
palette_find(const char *name)
{
	for (size_t i = 0; i < sizeof palettes / sizeof palettes[0]; i++)
		if (strcmp(palettes[i].name, name) == 0)
			return (int)i;
	return -1;
}

const char *
palette_name(const struct picture *p)
{
	return p->mode == MODE_PALETTE ? palettes[p->options->palette].name : modes[p->mode].name;
}

bool
palette_mode(const char *name, enum mode *mode)
{
	for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
		if (modes[i].name != NULL && strcmp(modes[i].name, name) == 0) {
			*mode = (enum mode)i;
			return true;
		}
	return false;
}

bool
palette_colour(const char *s)
{
	size_t n = strspn(s + (s[0] == '#'), "0123456789abcdefABCDEF");

	return s[0] == '#' && s[n + 1] == '\0' && (n == 3 || n == 6);
}

bool
palette_background(const char *name, const char *stop[2])
{
	static const char *const gradient[][3] = {
	    {"yellow", "#eeeeee", "#eeeeb0"},
	    {"blue", "#eeeeee", "#e0e0ff"},
	    {"green", "#eef2ee", "#e0ffe0"},
	    {"grey", "#f8f8f8", "#e8e8e8"},
	    {"gray", "#f8f8f8", "#e8e8e8"},
	};

	for (size_t i = 0; i < sizeof gradient / sizeof gradient[0]; i++)
		if (strcmp(gradient[i][0], name) == 0) {
			stop[0] = gradient[i][1];
			stop[1] = gradient[i][2];
			return true;
		}
	stop[0] = stop[1] = name;
	return palette_colour(name);
}

const char *
palette_default_background(int palette)
{
	return palettes[palette].background;
}

void
palette_hex(unsigned class, char hex[8])
{
	unsigned hue = class / SHADES, rgb[3];

	for (unsigned i = 0; i < 3; i++)
		rgb[i] = hues[hue].base[i] + hues[hue].range[i] * (class % SHADES) / (SHADES - 1);
	snprintf(hex, 8, "#%02x%02x%02x", rgb[0] & 0xff, rgb[1] & 0xff, rgb[2] & 0xff);
}

unsigned
palette_shade(const struct picture *p, uint32_t name)
{
	const struct name *n = &p->name[name];
	const struct palette *palette = &palettes[p->options->palette];
	/* A random shade comes of the place among the names: the same input, the same bytes. */
	uint32_t shade = p->options->random ? p->rank[name] * 2654435761u >> 16 : name_hash(n) >> 8;

	if (n->all <= 2 && strspn(n->start, "-") >= n->all && n->all > 0)
		return GREY * SHADES;
	return (palette->of != NULL ? palette->of(n) : palette->hue) * SHADES + shade % SHADES;
}

void
palette_names(struct picture *p)
{
	p->class = cli_alloc(p->tree->nname, sizeof *p->class);
	if (p->options->palette_map != NULL) {
		palettemap(p);
		return;
	}
	for (uint32_t i = 0; i < p->tree->nname; i++)
		p->class[i] = p->mode == MODE_PALETTE  ? palette_shade(p, i)
			      : p->mode == MODE_ORIGIN ? p->name[i].origin
						       : name_hash(&p->name[i]) % 24;
}

/* Changes below 2 % of the frame or 0.1 % of the whole are too small for a colour. */
static unsigned
change(const struct picture *p, uint32_t node)
{
	double base = p->base[node], head = p->head[node];
	double whole = fmax(p->base[CALLTREE_ROOT], p->head[CALLTREE_ROOT]);

	if (p->quiet != NULL && p->quiet[node])
		return 4;
	if (p->options->negate) {
		base = p->head[node];
		head = p->base[node];
	}
	if (base == 0 && head == 0)
		return 4;
	if (base == 0 || head == 0)
		return base == 0 ? 2 : 3;
	if (fabs(head - base) < 0.02 * fmax(base, head) || fabs(head - base) < 0.001 * whole)
		return 4;
	return head > base ? 0 : 1;
}

unsigned
palette_node(const struct picture *p, uint32_t node)
{
	if (p->options->colordiffusion)
		return (unsigned)(sqrt(p->width[node] / p->whole) * (SHADES - 1) + 0.5);
	if (p->mode == MODE_DIFFERENTIAL)
		return change(p, node);
	if (p->mode == MODE_ORIGIN && node == CALLTREE_ROOT)
		return ORIGIN_UNKNOWN;
	if (p->mode == MODE_BOTTLENECK)
		return p->dominant[node];
	return p->class[p->tree->node[node].name];
}

const char *
palette_prefix(const struct picture *p)
{
	if (p->options->colordiffusion)
		return "w";
	if (p->mode == MODE_PALETTE)
		return p->options->palette_map != NULL ? "c" : "p";
	return modes[p->mode].prefix;
}

unsigned
palette_classes(const struct picture *p)
{
	if (p->options->colordiffusion)
		return SHADES;
	if (p->mode == MODE_PALETTE)
		return p->options->palette_map != NULL ? (unsigned)(p->colours.len / 8)
						       : (GREY + 1) * SHADES;
	return modes[p->mode].n;
}

/* Whether a mode's own classes are used, neither a palette's nor those of --colordiffusion. */
static bool
is_plain_mode(const struct picture *p)
{
	return !p->options->colordiffusion && p->mode != MODE_PALETTE;
}

bool
palette_pale(const struct picture *p, unsigned class)
{
	return is_plain_mode(p) && class == modes[p->mode].pale;
}

static void
mode_css(const struct mode_colours *m, const char *selector, bool dark, struct output *o)
{
	for (unsigned i = 0; i < m->n; i++)
		output_printf(o, "%s.%s%u{fill:%s}", selector, m->prefix, i,
		    dark ? m->shade[i].dark : m->shade[i].light);
}

/* The classes that a static picture of one mode, or a live one of any, can use. */
static void
modes_css(const struct picture *p, const char *selector, bool dark, struct output *o)
{
	bool live = !p->options->no_javascript;

	for (unsigned i = MODE_ORIGIN; i < MODE_PALETTE; i++)
		if (live || i == p->mode)
			mode_css(&modes[i], selector, dark, o);
}

/* What frames stand on, and text on and beside them. */
static void
ground_css(const struct picture *p, struct output *o)
{
	output_text(o,
	    ".bg{fill:#fff}.ink{fill:#1b1d21}.dim{fill:#5b6068}.on{fill:#14161a}\n"
	    "@media(prefers-color-scheme:dark){.fg:not(.light) .bg{fill:#17191d}"
	    ".fg:not(.light) .ink{fill:#e8e9eb}.fg:not(.light) .dim{fill:#a3a8b0}"
	    ".fg:not(.light) .on.same{fill:#d5d9df}.fg:not(.light) .tint{display:none}}\n");
	if (!p->options->no_javascript)
		output_text(o, ".fg.dark .bg{fill:#17191d}.fg.dark .ink{fill:#e8e9eb}"
			       ".fg.dark .dim{fill:#a3a8b0}.fg.dark .on.same{fill:#d5d9df}"
			       ".fg.dark .tint{display:none}\n");
}

void
palette_css(const struct picture *p, struct output *o)
{
	bool *used = cli_alloc(palette_classes(p) + 1, sizeof *used);
	char hex[8];

	ground_css(p, o);
	modes_css(p, "", false, o);
	if (p->options->colordiffusion)
		for (unsigned i = 0; i < SHADES; i++)
			output_printf(o, ".w%u{fill:#ff%02x%02x}", i, 250 - 10 * i, 250 - 10 * i);
	else if (p->mode == MODE_PALETTE) {
		for (uint32_t i = 0; i < p->tree->nname; i++)
			used[p->class[i]] = true;
		for (const struct legend *l = palette_legend(p); l->label != NULL; l++)
			used[l->class] = true;
		for (unsigned i = 0; i < palette_classes(p); i++) {
			if (!used[i])
				continue;
			if (p->options->palette_map != NULL)
				snprintf(hex, sizeof hex, "%.7s", p->colours.s + 8 * i);
			else
				palette_hex(i, hex);
			output_printf(o, ".%s%u{fill:%s}", palette_prefix(p), i, hex);
		}
	}
	output_text(o, "\n@media(prefers-color-scheme:dark){");
	modes_css(p, ".fg:not(.light) ", true, o);
	output_text(o, "}\n");
	if (!p->options->no_javascript) {
		modes_css(p, ".fg.dark ", true, o);
		output_char(o, '\n');
	}
	free(used);
}

const struct legend *
palette_legend(const struct picture *p)
{
	static const struct legend none = {0};

	if (is_plain_mode(p))
		return modes[p->mode].legend;
	if (p->options->colordiffusion || p->options->palette_map != NULL)
		return &none; /* these say nothing but how wide, and what was before */
	return palettes[p->options->palette].legend;
}
