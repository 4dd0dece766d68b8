#include "fg-render/picture/palettecss.h"

#include <string.h>

#include "fg-render/picture.h"
#include "fg-render/picture/modes.h"
#include "fg-render/picture/palette.h"
#include "fg-render/reading/times.h"

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

/* used: by class; NULL: all are */
static void
mode_css(const struct mode_colours *m, const bool *used, enum sheet sheet, struct text *b)
{
	for (unsigned i = 0; i < m->n; i++) {
		if (m->shade[i].light == NULL || (used != NULL && !used[i]))
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
palette_css(const struct picture *p, const bool *used, struct text *b)
{
	enum sheet sheet = p->options->strokecolor != NULL ? SHEET_DARK : SHEET_DARK_STROKES;

	text_puts(b, "@media screen and (prefers-color-scheme:dark){");
	ground_css(sheet, b);
	if (palette_is_plain(p))
		mode_css(&mode_colours[p->mode], used, sheet, b);
	if (p->times != NULL)
		strip_css(sheet, b);
	text_puts(b, "}\n");
	/* print the static SVG on one page */
	text_puts(b, "@media print{.fg[viewBox]{max-height:100vh}}\n");
}

void
palette_live_css(const struct picture *p, struct text *b)
{
	const char *prefix = palette_prefix(p);

	ground_css(SHEET_LIVE, b);
	for (unsigned i = MODE_ORIGIN; i < modes_end(p); i++)
		mode_css(&mode_colours[i], NULL, SHEET_LIVE, b);
	if (p->times != NULL)
		strip_css(SHEET_LIVE, b);
	/* classes specific to this picture; the viewer knows the colours of the palettes */
	for (unsigned i = 0; !palette_is_plain(p) && *prefix != 'p' && i < palette_classes(p);
	     i++) {
		char hex[8];

		palette_hex(p, i, hex);
		text_printf(b, ".%s%u{fill:%s}", prefix, i, hex);
	}
}
