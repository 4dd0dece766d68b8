/*
 * palette: the colour of each frame. A mode has a fixed set of classes, with other shades in
 * the dark theme. The classic palettes come from classic.c, or from the file of --cp. The
 * static SVG sets colours by attributes; its style sheet holds only the dark theme.
 */
#include "fg-render/picture/palette.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-render/layout/measure.h"
#include "fg-render/options.h"
#include "fg-render/picture.h"
#include "fg-render/picture/classic.h"
#include "fg-render/picture/modes.h"
#include "fg-render/picture/palettemap.h"
#include "names/origin.h"

const char *
palette_name(const struct picture *p)
{
	return p->mode == MODE_PALETTE ? classic_name(p->options->palette)
				       : mode_colours[p->mode].name;
}

const char *
palette_origin(enum origin origin)
{
	return mode_colours[MODE_ORIGIN].shade[origin].light;
}

bool
palette_mode(const char *name, enum mode *mode)
{
	for (unsigned i = 0; i < MODE_PALETTE; i++)
		if (mode_colours[i].name != NULL && strcmp(mode_colours[i].name, name) == 0) {
			*mode = (enum mode)i;
			return true;
		}
	return false;
}

void
palette_names(struct picture *p)
{
	p->names.class = cli_alloc(p->tree->nname, sizeof *p->names.class);
	p->names.origins = 0;
	for (uint32_t i = 1; i < p->tree->nname; i++)
		if (!picture_is_gap(p, i))
			p->names.origins |= 1U << p->names.name[i].origin;
	if (p->options->palette_map != NULL) {
		palettemap(p);
		return;
	}
	for (uint32_t i = 0; i < p->tree->nname; i++)
		p->names.class[i] = p->mode == MODE_PALETTE  ? (uint16_t)classic_class(p, i)
				    : p->mode == MODE_ORIGIN ? p->names.name[i].origin
							     : name_hash(&p->names.name[i]) % 24;
	/* neighbours of one origin differ in their tones; a function always has the same */
	for (uint32_t i = 1; p->mode == MODE_ORIGIN && i < p->tree->nname; i++)
		p->names.class[i] += (uint16_t)(name_hash(&p->names.name[i]) / 256 % ORIGIN_TONES *
						mode_colours[MODE_ORIGIN].kinds);
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
	unsigned tone = strength(size, fabs(p->diff.head[node] - p->diff.base[node]));
	unsigned most = size >= p->diff.steepest / 2 ? 0 : size >= p->diff.steepest / 10 ? 1 : 2;

	return size == 0 ? 2 : tone > most ? tone : most;
}

/*
 * Returns the differential kind of a node. Changes below 2 % of the frame or 0.1 % of the profile
 * total have no colour, unless values are exact: then each change is a fact.
 */
static unsigned
change(const struct picture *p, uint32_t node)
{
	double base = p->diff.base[node], head = p->diff.head[node];
	double profile_total = fmax(p->diff.base[CALLTREE_ROOT], p->diff.head[CALLTREE_ROOT]);

	if (p->diff.quiet != NULL && p->diff.quiet[node])
		return 4;
	if (p->options->negate) {
		base = p->diff.head[node];
		head = p->diff.base[node];
	}
	if (base == 0 && head == 0)
		return 4;
	if (base == 0 || head == 0)
		return base == 0 ? 2 : 3;
	if (head == base || (!p->diff.exact && (fabs(head - base) < 0.02 * fmax(base, head) ||
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

		return kind > 1 ? kind
				: kind + mode_colours[p->mode].kinds * strength_of_change(p, node);
	}
	if (p->mode == MODE_ORIGIN && node == CALLTREE_ROOT)
		return ORIGIN_UNKNOWN;
	if (p->dominant != NULL)
		return p->dominant[node] == p->drawn.n
			   ? p->drawn.n
			   : p->dominant[node] + mode_colours[p->mode].kinds *
						     strength(layout_own(p, node), p->width[node]);
	return p->names.class[p->tree->node[node].name];
}

bool
palette_is_plain(const struct picture *p)
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
	return mode_colours[p->mode].prefix;
}

unsigned
palette_classes(const struct picture *p)
{
	if (p->options->colordiffusion)
		return CLASSIC_SHADES;
	if (p->mode == MODE_PALETTE)
		return p->options->palette_map != NULL ? (unsigned)(p->names.colours.len / 8)
						       : classic_classes();
	return mode_colours[p->mode].n;
}

bool
palette_pale(const struct picture *p, unsigned class)
{
	const struct mode_colours *m = &mode_colours[p->mode];

	if (!palette_is_plain(p))
		return false;
	return class % m->kinds == m->pale || (m->strength != NULL && class >= m->kinds);
}

void
palette_hex(const struct picture *p, unsigned class, char hex[8])
{
	if (p->options->colordiffusion)
		snprintf(
		    hex, 8, "#ff%02x%02x", (250 - 10 * class) & 0xff, (250 - 10 * class) & 0xff);
	else if (p->mode != MODE_PALETTE)
		snprintf(hex, 8, "%s",
		    mode_colours[p->mode].shade[class].light != NULL
			? mode_colours[p->mode].shade[class].light
			: "");
	else if (p->options->palette_map != NULL)
		snprintf(hex, 8, "%.7s", p->names.colours.s + 8 * class);
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

	return shows_change(p) ? mark[class % mode_colours[p->mode].kinds] : "";
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
