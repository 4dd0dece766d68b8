/*
 * palette: the colour of each frame. A mode has a fixed set of classes, with other shades in
 * the dark theme. The classic palettes come from classic.c, or from the file of --cp. The
 * static SVG sets colours by attributes; its style sheet holds only the dark theme.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-render/options.h"
#include "fg-render/picture/palette.h"
#include "fg-render/picture.h"
#include "fg-render/text/summary.h"
#include "fg-render/reading/times.h"
#include "names/origin.h"

struct shade {
	const char *light, *dark;
};

/*
 * A class is a kind + the number of kinds * its tone. The kinds' first tones are chosen to
 * maximize the smallest colour difference under normal, deutan, protan and tritan vision. The
 * other tones of an origin are near it in OKLCH, so that neighbours differ.
 */
static const struct shade origin_shades[] = {
    {"#f0a04b", "#d98a3a"},
    {"#81c4fa", "#5ba3dd"},
    {"#7e75e8", "#8f87ee"},
    {"#d4d4d4", "#484d55"},
    {"#f7b86d", "#e0a15c"},
    {"#95d5ff", "#6eb4e2"},
    {"#8e89f3", "#a09af8"},
    {"#e1e1e1", "#50555d"},
    {"#e18f3e", "#ca792c"},
    {"#72b1ec", "#4d90cf"},
    {"#9a7be0", "#a98ee6"},
    {"#c9c9c9", "#41464e"},
    {"#e2b66f", "#cca05d"},
    {"#87c5df", "#5fa5c2"},
    {"#8b99f4", "#9faaf9"},
    {"#dcdce2", "#4b4f5a"},
};
/*
 * Tones of the modes below: full, half, faint, by strength(). In differentials only more and less
 * have the second and the third.
 */
static const struct shade differential_shades[] = {
    {"#dd6d50", "#c95c40"},
    {"#61bbff", "#31a3ea"},
    {"#f4c137", "#e7c020"},
    {"#7a8c96", "#96969d"},
    {"#e9e9e9", "#3a3f47"},
    {"#e9a792", "#8a4937"},
    {"#a4d7fd", "#27608a"},
    {NULL, NULL},
    {NULL, NULL},
    {NULL, NULL},
    {"#f3d2c8", "#5a423c"},
    {"#d4eafb", "#31475a"},
};
static const struct shade bottleneck_shades[] = {
    {"#79a3fe", "#6f97ee"},
    {"#f2bc2a", "#d9a923"},
    {"#f37764", "#dd6858"},
    {"#967c9b", "#a48aa9"},
    {"#dedede", "#41464e"},
    {"#b1cafe", "#4e6696"},
    {"#f7d883", "#856f2d"},
    {"#f8b0a5", "#884d48"},
    {"#c2b3c5", "#6a5f72"},
    {NULL, NULL},
    {"#d7e3ff", "#39455c"},
    {"#fbebbf", "#4e4833"},
    {"#fbd6d0", "#4f3b3e"},
    {"#e0d8e1", "#43424e"},
};
static const struct shade wait_shades[] = {
    {"#f37764", "#dd6858"},
    {"#f2bc2a", "#d9a923"},
    {"#79a3fe", "#6f97ee"},
    {"#dedede", "#41464e"},
    {"#f8b0a5", "#884d48"},
    {"#f7d883", "#856f2d"},
    {"#b1cafe", "#4e6696"},
    {NULL, NULL},
    {"#fbd6d0", "#4f3b3e"},
    {"#fbebbf", "#4e4833"},
    {"#d7e3ff", "#39455c"},
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
	unsigned n, kinds;
	unsigned pale; /* the kind that is dark in the dark theme; kinds if none */
	struct legend legend[6];
	const char *strength; /* what strong and pale colours mean; NULL: tones mean nothing */
} modes[] = {
    [MODE_ORIGIN] = {"origin", "o", origin_shades, 16, 4, 3,
	{{0, "user"}, {1, "library"}, {2, "system"}, {3, "unknown"}}, NULL},
    [MODE_FUNCTION] = {"function", "f", function_shades, 24, 24, 24, {{0}}, NULL},
    [MODE_DIFFERENTIAL] = {"differential", "d", differential_shades, 12, 5, 4,
	{{0, "\xe2\x96\xb2 "}, {1, "\xe2\x96\xbc "}, {2, "+ added"}, {3, "\xe2\x88\x92 removed"},
	    {4, ""}},
	"pale: the change is in callees"},
    [MODE_BOTTLENECK] = {"bottleneck", "b", bottleneck_shades, 14, 5, 4,
	{{0, "instruction"}, {1, "cache"}, {2, "memory"}, {3, "system"}, {4, "none"}},
	"most of the total; pale: the cost is in callees"},
    [MODE_WAIT] = {"wait", "t", wait_shades, 11, 4, 3,
	{{0, "on a CPU"}, {1, "waiting for one"}, {2, "blocked"}, {3, "none"}},
	"most of the total; pale: the time is in callees"},
};

const char *
palette_name(const struct picture *p)
{
	return p->mode == MODE_PALETTE ? classic_name(p->options->palette) : modes[p->mode].name;
}

const char *
palette_origin(enum origin origin)
{
	return origin_shades[origin].light;
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

void
palette_names(struct picture *p)
{
	p->class = cli_alloc(p->tree->nname, sizeof *p->class);
	p->origins = 0;
	for (uint32_t i = 1; i < p->tree->nname; i++)
		if (!picture_is_gap(p, i))
			p->origins |= 1U << p->name[i].origin;
	if (p->options->palette_map != NULL) {
		palettemap(p);
		return;
	}
	for (uint32_t i = 0; i < p->tree->nname; i++)
		p->class[i] = p->mode == MODE_PALETTE  ? (uint16_t)classic_class(p, i)
			      : p->mode == MODE_ORIGIN ? p->name[i].origin
						       : name_hash(&p->name[i]) % 24;
	/* neighbours of one origin differ in their tones; a function always has the same */
	for (uint32_t i = 1; p->mode == MODE_ORIGIN && i < p->tree->nname; i++)
		p->class[i] += (uint16_t)(name_hash(&p->name[i]) / 256 % ORIGIN_TONES *
					  modes[MODE_ORIGIN].kinds);
}

/*
 * Returns the tone of a frame, whose hue is that of its total, by how much of it is its own: full
 * from a quarter, faint below a hundredth.
 */
static unsigned
strength(double own, double total)
{
	return own >= total / 4 ? 0 : own >= total / 100 ? 1 : 2;
}

/*
 * Returns the tone of a change. It is not stronger than the change of self is, compared with the
 * largest of the profile: full from a half, faint below a tenth.
 */
static unsigned
strength_of_change(const struct picture *p, uint32_t node)
{
	double size = layout_steepness(p, node);
	unsigned tone = strength(size, fabs(p->head[node] - p->base[node]));
	unsigned most = size >= p->steepest / 2 ? 0 : size >= p->steepest / 10 ? 1 : 2;

	return size == 0 ? 2 : tone > most ? tone : most;
}

/*
 * Returns the differential kind of a node. Changes below 2 % of the frame or 0.1 % of the profile
 * total have no colour, unless values are exact: then each change is a fact.
 */
static unsigned
change(const struct picture *p, uint32_t node)
{
	double base = p->base[node], head = p->head[node];
	double profile_total = fmax(p->base[CALLTREE_ROOT], p->head[CALLTREE_ROOT]);

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
	if (head == base || (!p->exact && (fabs(head - base) < 0.02 * fmax(base, head) ||
					      fabs(head - base) < 0.001 * profile_total)))
		return 4;
	return head > base ? 0 : 1;
}

unsigned
palette_node(const struct picture *p, uint32_t node)
{
	if (p->options->colordiffusion)
		return (
		    unsigned)(sqrt(p->width[node] / p->profile_total) * (CLASSIC_SHADES - 1) + 0.5);
	if (p->mode == MODE_DIFFERENTIAL) {
		unsigned kind = change(p, node);

		return kind > 1 ? kind : kind + modes[p->mode].kinds * strength_of_change(p, node);
	}
	if (p->mode == MODE_ORIGIN && node == CALLTREE_ROOT)
		return ORIGIN_UNKNOWN;
	if (p->dominant != NULL)
		return p->dominant[node] == p->ncolumn
			   ? p->ncolumn
			   : p->dominant[node] + modes[p->mode].kinds *
						     strength(layout_own(p, node), p->width[node]);
	return p->class[p->tree->node[node].name];
}

/* True if the classes are the mode's, not those of a palette or of --colordiffusion. */
static bool
is_plain_mode(const struct picture *p)
{
	return !p->options->colordiffusion && p->mode != MODE_PALETTE;
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
		return CLASSIC_SHADES;
	if (p->mode == MODE_PALETTE)
		return p->options->palette_map != NULL ? (unsigned)(p->colours.len / 8)
						       : classic_classes();
	return modes[p->mode].n;
}

bool
palette_pale(const struct picture *p, unsigned class)
{
	const struct mode_colours *m = &modes[p->mode];

	if (!is_plain_mode(p))
		return false;
	return class % m->kinds == m->pale || (m->strength != NULL && class >= m->kinds);
}

/* The style sheet to write: the dark theme of the static SVG, or both themes for the viewer. */
enum sheet {
	SHEET_DARK, /* frames are filled outlines */
	SHEET_DARK_STROKES, /* frames are strokes */
	SHEET_LIVE /* light-dark() of both shades */
};

/* Appends `property:colour`. Without printf, since a picture has a hundred of them. */
static void
shade_css(
    enum sheet sheet, const char *property, const char *light, const char *dark, struct text *b)
{
	bool both = sheet == SHEET_LIVE && strcmp(light, dark) != 0;

	text_puts(b, property);
	text_char(b, ':');
	if (both) {
		text_puts(b, "light-dark(");
		text_puts(b, light);
		text_char(b, ',');
	}
	text_puts(b, dark);
	text_puts(b, both ? ")" : "");
}

/* Appends the rule body for frames. */
static void
frame_css(enum sheet sheet, const char *light, const char *dark, struct text *b)
{
	text_char(b, '{');
	shade_css(sheet, sheet == SHEET_DARK_STROKES ? "stroke" : "fill", light, dark, b);
	text_char(b, '}');
}

static void
mode_css(const struct mode_colours *m, enum sheet sheet, struct text *b)
{
	for (unsigned i = 0; i < m->n; i++) {
		if (m->shade[i].light == NULL)
			continue;
		text_printf(b, ".%s%u", m->prefix, i);
		frame_css(sheet, m->shade[i].light, m->shade[i].dark, b);
	}
}

/*
 * Returns the colour of the heatmap strip for a level of activity: in the light theme a low
 * level is light, in the dark theme it is dark.
 */
const char *
palette_strip(unsigned shade, bool dark)
{
	static const char *const shades[2][STRIP_SHADES + 1] = {
	    {"#f1f3f6", "#fee0b6", "#fdb863", "#f0883e", "#d9522b", "#9e2a1c"},
	    {"#1f2329", "#4a2c1a", "#7d3f1a", "#b95c22", "#e58a3c", "#ffc987"},
	};

	return shades[dark][shade];
}

/* Appends the rules for the background, for text, and for blocks of narrow frames. */
static void
ground_css(enum sheet sheet, struct text *b)
{
	static const struct {
		const char *class, *light, *dark;
	} ground[] = {
	    {"bg", "#fff", "#17191d"},
	    {"ink", "#1b1d21", "#e8e9eb"},
	    {"dim", "#5b6068", "#a3a8b0"},
	    {"on", "#14161a", "#14161a"},
	    {"on.same", "#14161a", "#d5d9df"},
	};

	if (sheet != SHEET_LIVE) /* the SVG is a page of its own */
		text_printf(b, ":root[viewBox]{background:%s}", ground[0].dark);
	for (size_t i = 0; i < sizeof ground / sizeof ground[0]; i++) {
		text_printf(b, ".%s{", ground[i].class);
		shade_css(sheet, "fill", ground[i].light, ground[i].dark, b);
		text_char(b, '}');
	}
	text_puts(b, ".rest"); /* blocks of frames that are too narrow to draw */
	frame_css(sheet, "#e3e6ea", "#2b3037", b);
	if (sheet != SHEET_LIVE)
		text_puts(b, ".tint{display:none}");
}

static void
strip_css(enum sheet sheet, struct text *b)
{
	for (unsigned i = 0; i <= STRIP_SHADES; i++) {
		text_puts(b, ".heat");
		if (i > 0)
			text_printf(b, "%u", i);
		text_char(b, '{');
		shade_css(sheet, i > 0 ? "stroke" : "fill", palette_strip(i, false),
		    palette_strip(i, true), b);
		text_char(b, '}');
	}
}

void
palette_hex(const struct picture *p, unsigned class, char hex[8])
{
	if (p->options->colordiffusion)
		snprintf(
		    hex, 8, "#ff%02x%02x", (250 - 10 * class) & 0xff, (250 - 10 * class) & 0xff);
	else if (p->mode != MODE_PALETTE)
		snprintf(hex, 8, "%s",
		    modes[p->mode].shade[class].light != NULL ? modes[p->mode].shade[class].light
							      : "");
	else if (p->options->palette_map != NULL)
		snprintf(hex, 8, "%.7s", p->colours.s + 8 * class);
	else
		classic_hex(class, hex);
}

static bool
shows_change(const struct picture *p)
{
	return p->mode == MODE_DIFFERENTIAL && !p->options->colordiffusion;
}

const char *
palette_mark(const struct picture *p, unsigned class)
{
	static const char *const mark[] = {
	    "\xe2\x96\xb2 ", "\xe2\x96\xbc ", "+ ", "\xe2\x88\x92 ", ""};

	return shows_change(p) ? mark[class % modes[p->mode].kinds] : "";
}

int
palette_hatched(const struct picture *p)
{
	return shows_change(p) ? 3 : -1;
}

/* Linearizes a colour component, 0 to 255, for the relative luminance of WCAG 2. */
static double
linear(unsigned part)
{
	double c = part / 255.;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

bool
palette_is_dark(const struct picture *p, unsigned class)
{
	char hex[8];
	unsigned r, g, b;

	palette_hex(p, class, hex);
	if (sscanf(hex, "#%2x%2x%2x", &r, &g, &b) != 3)
		return false;
	/* above this luminance black text has the higher contrast */
	return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) <= 0.179;
}

void
palette_css(const struct picture *p, struct text *b)
{
	enum sheet sheet = p->options->strokecolor != NULL ? SHEET_DARK : SHEET_DARK_STROKES;

	text_puts(b, "@media screen and (prefers-color-scheme:dark){");
	ground_css(sheet, b);
	if (is_plain_mode(p))
		mode_css(&modes[p->mode], sheet, b);
	if (p->times != NULL)
		strip_css(sheet, b);
	text_puts(b, "}\n");
	/* print the static SVG on one page */
	text_puts(b, "@media print{.fg[viewBox]{max-height:100vh}}\n");
}

/* Returns the end of the modes for the viewer: the last ones need several columns. */
static enum mode
modes_of(const struct picture *p)
{
	return p->ncolumn > 1 ? MODE_PALETTE : MODE_DIFFERENTIAL;
}

void
palette_live_css(const struct picture *p, struct text *b)
{
	const char *prefix = palette_prefix(p);

	ground_css(SHEET_LIVE, b);
	for (unsigned i = MODE_ORIGIN; i < modes_of(p); i++)
		mode_css(&modes[i], SHEET_LIVE, b);
	if (p->times != NULL)
		strip_css(SHEET_LIVE, b);
	/* classes specific to this picture; the viewer knows the colours of the palettes */
	for (unsigned i = 0; !is_plain_mode(p) && *prefix != 'p' && i < palette_classes(p); i++) {
		char hex[8];

		palette_hex(p, i, hex);
		text_printf(b, ".%s%u{fill:%s}", prefix, i, hex);
	}
}

void
palette_add_label(const struct picture *p, const struct legend *l, struct text *b)
{
	bool change =
	    l >= modes[MODE_DIFFERENTIAL].legend && l < modes[MODE_DIFFERENTIAL].legend + 5;
	struct unit_words words = summary_unit_words(p);

	text_puts(b, l->label);
	if (change && l->class < 2)
		text_puts(b, l->class == 0 ? words.mark_more : words.mark_less);
	else if (change && l->class == 4)
		text_puts(b, p->exact	     ? "unchanged"
			     : p->noise >= 0 ? "no clear change"
					     : "little change");
}

const char *
palette_strength(const struct picture *p)
{
	return is_plain_mode(p) ? modes[p->mode].strength : NULL;
}

void
palette_add_table(const struct picture *p, struct text *b)
{
	text_char(b, '{');
	for (unsigned i = MODE_ORIGIN; i < modes_of(p); i++) {
		text_printf(b, "%s\"%s\":[\"%s\",\"%s\"", i > MODE_ORIGIN ? "," : "", modes[i].name,
		    modes[i].prefix, modes[i].strength != NULL ? modes[i].strength : "");
		for (const struct legend *l = modes[i].legend; l->label != NULL; l++) {
			text_puts(b, ",\"");
			palette_add_label(p, l, b);
			text_char(b, '"');
		}
		text_char(b, ']');
	}
	text_char(b, '}');
}

const struct legend *
palette_legend(const struct picture *p, const struct legend *last)
{
	const struct legend *l;

	if (last != NULL)
		l = last + 1;
	else if (is_plain_mode(p))
		l = modes[p->mode].legend;
	else if (p->options->colordiffusion || p->options->palette_map != NULL)
		return NULL; /* the classes of --colordiffusion and --cp have no legend */
	else
		l = classic_legend(p->options->palette);
	while (p->mode == MODE_ORIGIN && is_plain_mode(p) && l->label != NULL &&
	       (p->origins >> l->class & 1) == 0)
		l++;
	return l->label == NULL ? NULL : l;
}
