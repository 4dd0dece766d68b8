/*
 * svg: writes one self-contained file: title, styles, the static SVG, and the viewer with its
 * data: options, names, columns and the script.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "fg-render/layer.h"
#include "fg-render/nameattr.h"
#include "fg-render/options.h"
#include "fg-render/outputs.h"
#include "fg-render/palette.h"
#include "fg-render/payload.h"
#include "fg-render/picture.h"
#include "fg-render/summary.h"
#include "fg-render/times.h"
#include "fg-render/xml.h"
#include "profile/cells.h"
#include "profile/label.h"
#include "profile/language.h"
#include "profile/origin.h"
#include "fg-render/viewer.h"

#define FLUID_WIDTH 1200 /* drawing width if the reader's window decides, pixels */
#define MARGIN 10
#define TITLE 1.4 /* size of the title, relative to the font size */
#define LINE 1.5 /* distance of lines in the heading, relative to the font size */

/* Style of a line of the heading. */
enum line { LINE_TITLE, LINE_DIM };

/* Positions of the parts of the picture, in pixels from the top. */
struct extent {
	double width, height, graph; /* graph: outer edge of the root's row */
	double strip; /* top of the heatmap strip */
	int head; /* number of lines under the title */
};

static double
picture_width(const struct options *o)
{
	return o->width != 0 ? o->width : FLUID_WIDTH;
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
write_styles(const struct picture *p, struct output *o)
{
	struct text css = {0};

	palette_css(p, &css);
	output_printf(o, "<style><![CDATA[\n%s]]></style>\n", css.s);
	text_free(&css);
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
	struct hot *hot = cli_alloc(t->nname, sizeof *hot);
	struct text b = {0};
	uint32_t functions = t->nname - 1 - (p->gap != 0), nhot = 0;

	for (uint32_t i = 0; i < t->nname; i++)
		hot[p->rank[i]].name = i;
	for (uint32_t s = 0; s < p->nstack; s++)
		hot[p->rank[t->node[p->stack[s]].name]].self += layout_own(p, p->stack[s]);
	for (uint32_t i = 1; i < t->nname; i++)
		if (hot[i].self > 0)
			hot[nhot++] = hot[i];
	qsort(hot, nhot, sizeof *hot, by_self);
	text_puts(&b, p->options->flamechart ? "Flame chart of " : "Flame graph of ");
	layout_heading(p, &b);
	text_printf(&b, ", %" PRIu32 " function%s", functions, text_form(functions, "", "s"));
	for (uint32_t i = 0, n = 0; i < nhot && n < 5; i++) {
		const struct frame_name *name = &p->name[hot[i].name];

		if (name->len == 0 || name_is_missing(name))
			continue;
		text_puts(&b, n++ == 0 ? "; hottest: " : ", ");
		label_add(&b, name, 200, true);
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
	else
		output_text(o, "<text class=\"ink\" ");
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

	for (const struct legend *l = NULL; (l = palette_legend(p, l)) != NULL;) {
		char fill[8];

		palette_hex(p, l->class, fill);
		output_printf(o,
		    "<rect class=\"%s%u\" fill=\"%s\" stroke-width=\"0\" x=\"%.10g\" y=\"%.10g\" "
		    "width=\"12\" height=\"12\" rx=\"2\"/>\n",
		    palette_prefix(p), l->class, fill, x, y - 10.5);
		write_line(p, x + 17, y, LINE_DIM, l->label, o);
		x += 17 + (label_width(l->label, strlen(l->label)) + 2) * character;
	}
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

static struct extent
measure(const struct picture *p, const struct layer *l)
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
	return f;
}

static void
write_static(
    const struct picture *p, const struct layer *l, const struct extent *f, struct output *o)
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
	output_text(o, "</g>\n</g>\n");
}

/* Writes an option of the viewer; NULL writes nothing. */
static void
json(struct output *o, const char *key, const char *s)
{
	if (s == NULL)
		return;
	output_printf(o, ",\n\"%s\":", key);
	xml_json(o, s, strlen(s));
}

static void
json_flag(struct output *o, const char *key, bool on)
{
	if (on)
		output_printf(o, ",\n\"%s\":true", key);
}

/* Writes the names of the columns and the profile total. */
static void
write_columns(const struct picture *p, struct output *o)
{
	bool any = false;

	for (unsigned k = 0; k < p->ncolumn && p->ncolumn > 1; k++) {
		const char *name = p->columns.name[p->column[k]];

		output_text(o, k == 0 ? ",\n\"columns\":[" : ",");
		xml_json(o, name, strlen(name));
		output_text(o, k + 1 == p->ncolumn ? "]" : "");
	}
	for (unsigned k = 0; k < p->ncolumn; k++)
		any |= p->off[k];
	for (unsigned k = 0; k < p->ncolumn && any; k++)
		output_printf(o, "%s%d%s", k == 0 ? ",\n\"off\":[" : ",", p->off[k],
		    k + 1 == p->ncolumn ? "]" : "");
	output_text(o, ",\n\"total\":\"");
	output_value(o, layout_total(p));
	output_char(o, '"');
	if (p->noise >= 0)
		output_printf(o, ",\n\"noise\":%d", p->noise);
	json_flag(o, "judged", p->judged);
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
		name[p->rank[i]] = i;
	for (uint32_t i = 0; i < p->tree->nname; i++)
		payload_varint(&of, p->class[name[i]]);
	payload_write(o, "classes", &of);
	text_free(&of);
	free(name);
}

/* Writes the unit of each column, and the heading's profile total. */
static void
write_units(const struct picture *p, struct output *o)
{
	struct text total = {0};

	output_text(o, ",\n\"units\":");
	for (unsigned k = 0; k < p->ncolumn; k++) {
		output_char(o, k == 0 ? '[' : ',');
		xml_json(o, p->unit[k], strlen(p->unit[k]));
	}
	layout_heading(p, &total);
	output_char(o, ']');
	json(o, "figure", total.s);
	text_free(&total);
}

static void
write_attributes(const struct picture *p, struct output *o)
{
	bool any = false;

	output_text(o, ",\n\"nameattr\":{");
	for (uint32_t i = 1; i < p->tree->nname && p->attributes.n != 0; i++) {
		const struct nameattr *a = nameattr_find(&p->attributes, p->text[i].s);

		if (a == NULL || picture_is_gap(p, i))
			continue;
		output_printf(o, "%s\"%" PRIu32 "\":{", any ? "," : "", p->rank[i]);
		any = true;
		for (size_t k = 0; k < a->n; k++) {
			if (k > 0)
				output_char(o, ',');
			xml_json(o, a->attribute[k].name, strlen(a->attribute[k].name));
			output_char(o, ':');
			xml_json(o, a->attribute[k].value, strlen(a->attribute[k].value));
		}
		output_char(o, '}');
	}
	output_char(o, '}');
}

/* Writes the header lines for folded files that the viewer saves. */
static void
write_header_lines(const struct picture *p, struct output *o)
{
	const struct options *opt = p->options;
	struct folded_columns columns =
	    opt->column != NULL ? folded_columns_pick(&p->columns, p->column[0]) : p->columns;
	struct text b = {0};
	char countname[64];

	if (p->judged) { /* the input has no noise column */
		columns.n--;
		columns.intervals = NULL;
	}
	/* --countname is the unit, if it is one word */
	if (opt->countname != NULL && strlen(opt->countname) < sizeof countname &&
	    folded_unit_valid(opt->countname)) {
		strcpy(countname, opt->countname);
		for (unsigned k = 0; k < columns.n; k++)
			columns.unit[k] = countname;
	}
	for (unsigned k = 0; k < columns.n; k++)
		if (columns.unit[k] != NULL && !folded_unit_valid(columns.unit[k]))
			columns.unit[k] = NULL;
	foldedheader_add(&b, &columns, NULL);
	output_text(o, ",\n\"header\":[");
	for (size_t at = 0, end; at < b.len; at = end + 1) {
		end = at + strcspn(b.s + at, "\n");
		output_text(o, at > 0 ? "," : "");
		xml_json(o, b.s + at, end - at);
	}
	output_char(o, ']');
	text_free(&b);
}

/* Writes the dimensions of the heatmap strip; times in ns. */
static void
write_strip(const struct picture *p, struct output *o)
{
	const struct times *t = p->times;

	if (t != NULL)
		output_printf(o,
		    ",\n\"strip\":{\"step\":%" PRIu64 ",\"start\":%" PRIu64 ",\"across\":%" PRIu64
		    ",\"cell\":%" PRIu64 ",\"columns\":%" PRIu32 ",\"rows\":%" PRIu32 "}",
		    t->step, t->start, t->across, t->cell, t->columns, t->rows);
}

static void
write_options(const struct picture *p, struct output *o)
{
	static const char *const widths[] = {"first", "max", "sum"};
	static const char *const orders[] = {"name", "weight", "input"};
	const struct options *opt = p->options;
	struct text languages = {0};

	output_text(o, "<metadata id=\"fg-options\"><![CDATA[{\"version\":1");
	json(o, "title", opt->title);
	json(o, "subtitle", opt->subtitle);
	json(o, "notes", opt->notes);
	json(o, "unit", p->unit[0]);
	write_units(p, o);
	json(o, "nametype", opt->nametype);
	json(o, "mode", palette_name(p));
	json(o, "widths", widths[p->widths]);
	write_columns(p, o);
	output_printf(o, ",\n\"factor\":%.17g,\n\"scale\":%" PRIu64 ",\n\"frames\":%" PRIu32,
	    opt->factor, p->scale, p->tree->nnode - 1);
	if (p->gap != 0)
		output_printf(o, ",\n\"gap\":%" PRIu32, p->rank[p->gap]);
	output_printf(o, ",\n\"height\":%d", opt->height);
	if (opt->width != 0)
		output_printf(o, ",\n\"width\":%d", opt->width);
	output_printf(
	    o, ",\n\"fontsize\":%.10g,\n\"fontwidth\":%.10g", opt->fontsize, opt->fontwidth);
	json(o, "fonttype", opt->fonttype);
	json(o, "searchColor", opt->searchcolor);
	json(o, "uiColor", opt->uicolor);
	json(o, "strokeColor", opt->strokecolor);
	if (opt->bgcolors[0] != NULL)
		output_printf(
		    o, ",\n\"bgcolors\":[\"%s\",\"%s\"]", opt->bgcolors[0], opt->bgcolors[1]);
	json(o, "order", orders[opt->order]);
	languages_add_names(p->languages, &languages);
	json(o, "languages", languages.s);
	text_free(&languages);
	write_header_lines(p, o);
	write_strip(p, o);
	json_flag(o, "inverted", opt->inverted);
	json_flag(o, "reverse", opt->reverse);
	json_flag(o, "flamechart", opt->flamechart);
	json_flag(o, "negate", opt->negate);
	json_flag(o, "colordiffusion", opt->colordiffusion);
	json_flag(o, "truncateRight", opt->truncate_right);
	json(o, "palette", p->mode == MODE_PALETTE ? palette_name(p) : NULL);
	json(o, "classPrefix", palette_prefix(p));
	write_attributes(p, o);
	output_text(o, "}]]></metadata>\n");
}

void
svg_write(const struct picture *p, struct output *o)
{
	const struct options *opt = p->options;
	struct layer layer;
	struct columns columns;
	struct summary_job summary;
	struct extent f;

	if (!opt->no_javascript) {
		summary_begin(p, &summary);
		columns_build(p, &columns);
	}
	layer_build(p, picture_width(opt) - 2 * MARGIN, &layer);
	f = measure(p, &layer);
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
	write_styles(p, o);
	write_static(p, &layer, &f, o);
	layer_free(&layer);
	if (!opt->no_javascript) {
		write_options(p, o);
		columns_names(p, o);
		columns_write(p, &columns, o);
		columns_free(&columns);
		write_classes(p, o);
		times_write(p, o);
		tables_write(p, o);
		summary_end(&summary, o);
		payload_element(o, "script", viewer_script);
		if (p->times != NULL)
			payload_element(o, "strip", viewer_strip);
		payload_element(o, "style", viewer_style);
		output_text(o, "<script><![CDATA[\n");
		output_text(o, viewer_load);
		output_text(o, "]]></script>\n");
	}
	output_text(o, "</svg>\n");
}
