/*
 * svgout: writes one self-contained file: title, styles, the static SVG, and the viewer with its
 * data: options, names, columns and the script.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/text.h"
#include "fg-render/layout/figures.h"
#include "fg-render/layout/measure.h"
#include "fg-render/picture/layer.h"
#include "fg-render/options.h"
#include "fg-render/outputs.h"
#include "fg-render/picture/legend.h"
#include "fg-render/picture/palette.h"
#include "fg-render/picture/palettecss.h"
#include "fg-render/picture/panel.h"
#include "fg-render/picture/payload.h"
#include "fg-render/picture.h"
#include "fg-render/text/sentences.h"
#include "fg-render/text/summaryjson.h"
#include "fg-render/reading/times.h"
#include "fg-render/xml.h"
#include "names/cells.h"
#include "names/label.h"
#include "names/origin.h"

#define FLUID_WIDTH 1200 /* drawing width if the reader's window decides, pixels */
#define MARGIN 10
#define TITLE 1.4 /* size of the title, relative to the font size */
#define LINE 1.5 /* distance of lines in the heading, relative to the font size */

/* Style of a line of the heading. */
enum line { LINE_TITLE, LINE_DIM, LINE_INK /* colour of the group around it */ };

/* Positions of the parts of the picture, in pixels from the top. */
struct extent {
	double width, height, graph; /* graph: outer edge of the root's row */
	double strip; /* top of the heatmap strip */
	double panel; /* top of the summary below the graph */
	int head; /* number of lines under the title */
};

static double
picture_width(const struct options *o)
{
	return o->width != 0 ? o->width : FLUID_WIDTH;
}

/* Returns how many characters of the font size a line of the picture holds. */
static unsigned
text_columns(const struct options *o)
{
	return (unsigned)fmax(0, (picture_width(o) - 2 * MARGIN) / (o->fontsize * o->fontwidth));
}

/* Appends the font list as an attribute's value; every system has the last ones. */
static void
add_fonts(const struct picture *p, struct text *b)
{
	const char *mine = p->options->fonttype;
	struct text clean = {0};

	if (mine != NULL) {
		/* a CSS string inside an attribute: drop the characters that could end either */
		xml_clean(&clean, mine, strlen(mine));
		text_char(b, '\'');
		for (size_t i = 0; i < clean.len; i++)
			if (strchr("\"'\\<>&]", clean.s[i]) == NULL)
				text_char(b, clean.s[i]);
		text_puts(b, "',");
		text_free(&clean);
	}
	text_puts(b, "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace");
}

/*
 * Writes the dark theme, which attributes cannot express. A page that forbids styles shows the
 * light theme.
 */
static void
write_styles(const struct picture *p, const struct layer *l, struct output *o)
{
	bool *used = cli_alloc(palette_classes(p) + 1, sizeof *used); /* 1 for blocks */
	struct text css = {0};

	for (size_t i = 0; i < l->bars; i++)
		used[l->bar[i].class] = true;
	for (const struct legend *k = NULL; (k = palette_legend(p, k)) != NULL;)
		used[k->class] = true;
	palette_css(p, used, &css);
	output_printf(o, "<style><![CDATA[\n%s]]></style>\n", css.s);
	text_free(&css);
	free(used);
}

struct hot {
	double self;
	uint32_t name;
};

static int
by_self(const void *a, const void *b)
{
	const struct hot *x = a, *y = b;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	return (x->name > y->name) - (x->name < y->name);
}

static void
write_description(const struct picture *p, struct output *o)
{
	const struct calltree *t = p->tree;
	struct hot *hot = cli_alloc_ready(t->nname, sizeof *hot);
	struct text b = {0};
	uint32_t functions = t->nname - 1 - (p->names.gap != 0), nhot = 0;

	for (uint32_t i = 0; i < t->nname; i++)
		hot[p->names.rank[i]].name = i;
	for (uint32_t s = 0; s < p->stacks.n; s++)
		hot[p->names.rank[t->node[p->stacks.node[s]].name]].self +=
		    layout_own(p, p->stacks.node[s]);
	for (uint32_t i = 1; i < t->nname; i++)
		if (hot[i].self > 0)
			hot[nhot++] = hot[i];
	sort_items(hot, nhot, sizeof *hot, by_self);
	text_puts(&b, p->options->flamechart ? "Flame chart of " : "Flame graph of ");
	layout_heading(p, &b);
	text_printf(&b, ", %" PRIu32 " function%s", functions, text_form(functions, "", "s"));
	for (uint32_t i = 0, n = 0; i < nhot && n < 5; i++) {
		const struct frame_name *name = &p->names.name[hot[i].name];

		if (name->len == 0 || name_is_missing(name))
			continue;
		text_puts(&b, n++ == 0 ? "; hottest: " : ", ");
		label_add(&b, name, 200, false);
		text_printf(&b, " %.1f %%", 100 * hot[i].self / p->profile_total);
	}
	output_text(o, "<desc id=\"fg-desc\">");
	xml_string(o, b.s);
	output_text(o, "</desc>\n");
	text_free(&b);
	free(hot);
}

/* Writes a line of text, clipped at the edge of the picture. */
static void
write_line(
    const struct picture *p, double x, double y, enum line kind, const char *text, struct output *o)
{
	const struct options *opt = p->options;
	double size = opt->fontsize * (kind == LINE_TITLE ? TITLE : 1);
	double space = (picture_width(opt) - MARGIN - x) / (size * opt->fontwidth);
	struct text clean = {0}, shown = {0};
	struct frame_name line;

	xml_clean(&clean, text, strlen(text));
	line = (struct frame_name){.text = clean.s, .len = (uint32_t)clean.len};
	label_add(&shown, &line, (unsigned)fmax(space, 0), true);
	if (opt->uicolor != NULL)
		output_printf(o, "<text fill=\"%s\" ", opt->uicolor);
	else if (kind == LINE_DIM)
		output_text(o, "<text class=\"dim\" fill=\"#5b6068\"");
	else if (kind == LINE_TITLE)
		output_text(o, "<text class=\"ink\" ");
	else
		output_text(o, "<text");
	if (kind == LINE_TITLE)
		output_printf(o, "font-size=\"%.10g\" font-weight=\"bold\"", size);
	output_printf(o, " x=\"%.10g\" y=\"%.10g\">", x, y);
	if (shown.len != 0)
		xml_string(o, shown.s);
	output_text(o, "</text>\n");
	text_free(&clean);
	text_free(&shown);
}

static void
write_legend(const struct picture *p, double y, struct output *o)
{
	double character = p->options->fontsize * p->options->fontwidth, x = MARGIN;
	struct text label = {0};

	for (const struct legend *l = NULL; (l = palette_legend(p, l)) != NULL;) {
		char colour[8];

		/* a swatch has the colour as frames have it: see palette_css */
		palette_hex(p, l->class, colour);
		output_printf(o, "<path class=\"%s%u\" ", palette_prefix(p), l->class);
		if (p->options->strokecolor != NULL)
			output_printf(o, "fill=\"%s\" d=\"M%.10g %.10gh12v12h-12z\"/>\n", colour, x,
			    y - 10.5);
		else
			output_printf(o,
			    "stroke=\"%s\" stroke-width=\"12\" d=\"M%.10g %.10gh12\"/>\n", colour,
			    x, y - 4.5);
		text_cut(&label, 0);
		palette_add_label(p, l, &label);
		write_line(p, x + 17, y, LINE_DIM, label.s, o);
		x += 17 + (label_width(label.s, label.len) + 2) * character;
	}
	if (palette_strength(p) != NULL)
		write_line(p, x, y, LINE_DIM, palette_strength(p), o);
	text_free(&label);
}

static void
write_head(const struct picture *p, const struct layer *l, struct output *o)
{
	const struct options *opt = p->options;
	struct text total = {0};
	double line = LINE * opt->fontsize, y = 8 + TITLE * opt->fontsize;

	write_line(p, MARGIN, y, LINE_TITLE, opt->title, o);
	if (opt->subtitle != NULL)
		write_line(p, MARGIN, y += line, LINE_DIM, opt->subtitle, o);
	layout_heading(p, &total);
	write_line(p, MARGIN, y += line, LINE_DIM, total.s, o);
	if (opt->notes != NULL)
		write_line(p, MARGIN, y += line, LINE_DIM, opt->notes, o);
	if (l->above != 0) {
		text_cut(&total, 0);
		text_printf(&total, "%" PRIu32 " more level%s not drawn here", l->above,
		    l->above == 1 ? " is" : "s are");
		write_line(p, MARGIN, y += line, LINE_DIM, total.s, o);
	}
	if (palette_legend(p, NULL) != NULL)
		write_legend(p, y + line, o);
	text_free(&total);
}

/* A row of the ranked list, in pixels from its left edge. */
#define BAR 60 /* the longest bar */
#define ROW_TEXT 72

static double
panel_line_height(const struct picture *p, const struct panel_line *line)
{
	return LINE * p->options->fontsize * (line->kind == PANEL_GAP ? 0.5 : 1);
}

/* A bar has the colour of its function's origin, or of the direction of a change. */
static void
write_bar(const struct picture *p, const struct panel_line *line, double y, struct output *o)
{
	output_printf(o, "<path fill=\"%s\" d=\"M%d %.10gh%.4gv10H%dz\"/>\n",
	    p->mode != MODE_DIFFERENTIAL ? palette_origin(p->names.name[line->name].origin)
	    : line->share < 0		 ? "#3b94dc"
					 : "#d2603f",
	    MARGIN, y - 9, fmax(1, BAR * fabs(line->share)), MARGIN);
}

/* Writes the summary below the graph. */
static void
write_panel(const struct picture *p, const struct panel *panel, double y, struct output *o)
{
	for (size_t i = 0; i < panel->n; i++) {
		const struct panel_line *line = &panel->line[i];
		double x = line->kind == PANEL_ROW ? MARGIN + ROW_TEXT : MARGIN;

		y += panel_line_height(p, line);
		if (line->kind == PANEL_GAP)
			continue;
		if (line->kind == PANEL_ROW)
			write_bar(p, line, y, o);
		write_line(p, x, y, line->kind == PANEL_DIM ? LINE_DIM : LINE_INK, line->text.s, o);
	}
}

static struct extent
measure(const struct picture *p, const struct layer *l, const struct panel *panel)
{
	const struct options *opt = p->options;
	struct extent f = {.width = picture_width(opt)};
	double rows = (l->rows + 1.0) * opt->height;
	int lines = 1 + (opt->subtitle != NULL) + (opt->notes != NULL) + (l->above != 0) +
		    (palette_legend(p, NULL) != NULL);
	double head = 8 + (TITLE + LINE * lines) * opt->fontsize + MARGIN;

	f.strip = head;
	head += strip_height(p);
	f.graph = opt->inverted ? head : head + rows;
	f.height = head + rows + MARGIN;
	f.panel = f.height - 0.5 * MARGIN;
	for (size_t i = 0; i < panel->n; i++)
		f.height += panel_line_height(p, &panel->line[i]);
	if (panel->n > 0)
		f.height += 0.5 * MARGIN;
	return f;
}

static void
write_static(const struct picture *p, const struct layer *l, const struct panel *panel,
    const struct extent *f, struct output *o)
{
	const char *const *stop = p->options->bgcolors;

	struct text fonts = {0};

	add_fonts(p, &fonts);
	output_printf(o,
	    "<g id=\"fg-static\" fill=\"#1b1d21\" font-size=\"%.10g\" xml:space=\"preserve\" "
	    "font-family=\"%s\">\n",
	    p->options->fontsize, fonts.s);
	text_free(&fonts);
	output_printf(o, "<rect class=\"bg\" fill=\"#fff\" width=\"%.10g\" height=\"%.10g\"/>\n",
	    f->width, f->height);
	if (stop[0] != NULL)
		output_printf(o,
		    "<defs><linearGradient id=\"fg-bg\" x2=\"0\" y2=\"1\">"
		    "<stop stop-color=\"%s\" offset=\"5%%\"/><stop stop-color=\"%s\" "
		    "offset=\"95%%\"/>"
		    "</linearGradient></defs>\n<rect class=\"tint\" fill=\"url(#fg-bg)\" "
		    "width=\"%.10g\" "
		    "height=\"%.10g\"/>\n",
		    stop[0], stop[1], f->width, f->height);
	write_head(p, l, o);
	strip_write(p, MARGIN, f->strip, f->width - 2 * MARGIN, o);
	output_printf(o, "<g transform=\"translate(%d %.10g)\">\n", MARGIN, f->graph);
	layer_write(p, l, o);
	output_text(o, "</g>\n");
	if (panel->n > 0) {
		output_text(o, "<g id=\"fg-panel\" class=\"ink\" stroke-width=\"0\">\n");
		write_panel(p, panel, f->panel, o);
		output_text(o, "</g>\n");
	}
	output_text(o, "</g>\n");
}

/* Writes the colour class of each name for --random and --cp, which the viewer cannot derive. */
static void
write_classes(const struct picture *p, struct output *o)
{
	struct text of = {0};
	uint32_t *name;

	if (!p->options->random && p->options->palette_map == NULL)
		return;
	name = cli_alloc(p->tree->nname, sizeof *name);
	for (uint32_t i = 0; i < p->tree->nname; i++)
		name[p->names.rank[i]] = i;
	for (uint32_t i = 0; i < p->tree->nname; i++)
		payload_varint(&of, p->names.class[name[i]]);
	payload_write(o, "classes", &of);
	text_free(&of);
	free(name);
}

void
svg_write(const struct picture *p, struct output *o)
{
	const struct options *opt = p->options;
	struct layer layer;
	struct columns columns;
	struct summary_job summary;
	struct panel panel = {0};
	struct extent f;

	if (!opt->no_javascript) {
		summary_begin(p, &summary);
		columns_build(p, &columns);
	}
	layer_build(p, picture_width(opt) - 2 * MARGIN, &layer);
	if (!opt->no_javascript)
		panel_build(p, summary_wait(&summary), text_columns(opt), &panel);
	f = measure(p, &layer, &panel);
	output_text(o, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	output_printf(o,
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"fg\" class=\"fg\" role=\"img\" "
	    "aria-labelledby=\"fg-title fg-desc\" viewBox=\"0 0 %.10g %.10g\" ",
	    f.width, f.height);
	if (opt->width != 0)
		output_printf(o, "width=\"%.10g\" height=\"%.10g\">\n", f.width, f.height);
	else
		output_printf(o,
		    "width=\"100%%\" height=\"%.10g\" "
		    "preserveAspectRatio=\"xMidYMin meet\">\n",
		    f.height);
	output_text(o, "<title id=\"fg-title\">");
	xml_string(o, opt->title);
	output_text(o, "</title>\n");
	write_description(p, o);
	write_styles(p, &layer, o);
	write_static(p, &layer, &panel, &f, o);
	panel_free(&panel);
	layer_free(&layer);
	if (!opt->no_javascript) {
		payload_options(p, o);
		columns_names(p, o);
		columns_write(p, &columns, o);
		columns_free(&columns);
		write_classes(p, o);
		times_write(p, o);
		tables_write(p, o);
		summary_end(&summary, o);
		script_write(p, o);
	}
	output_text(o, "</svg>\n");
}
