/*
 * metadata: the options of the viewer, as JSON in the element fg-options of the SVG.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-render/layout/figures.h"
#include "fg-render/layout/measure.h"
#include "fg-render/reading/nameattr.h"
#include "fg-render/options.h"
#include "fg-render/picture/largest.h"
#include "fg-render/picture/palette.h"
#include "fg-render/picture/payload.h"
#include "fg-render/picture.h"
#include "fg-render/reading/times.h"
#include "fg-render/xml.h"
#include "profile/foldedheader.h"
#include "names/language.h"

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

static bool
any_off(const struct picture *p)
{
	for (unsigned k = 0; k < p->drawn.n; k++)
		if (p->drawn.off[k])
			return true;
	return false;
}

/* Writes the names of the columns and the profile total. */
static void
write_columns(const struct picture *p, struct output *o)
{
	for (unsigned k = 0; k < p->drawn.n && p->drawn.n > 1; k++) {
		const char *name = p->columns.name[p->drawn.column[k]];

		output_text(o, k == 0 ? ",\n\"columns\":[" : ",");
		xml_json(o, name, strlen(name));
		output_text(o, k + 1 == p->drawn.n ? "]" : "");
	}
	for (unsigned k = 0; k < p->drawn.n && any_off(p); k++)
		output_printf(o, "%s%d%s", k == 0 ? ",\n\"off\":[" : ",", p->drawn.off[k],
		    k + 1 == p->drawn.n ? "]" : "");
	output_text(o, ",\n\"total\":\"");
	output_value(o, layout_total(p));
	output_char(o, '"');
	if (p->diff.noise >= 0)
		output_printf(o, ",\n\"noise\":%d", p->diff.noise);
	json_flag(o, "judged", p->diff.judged);
	json_flag(o, "exact", p->diff.exact);
}

/* Writes the unit of each column, and the heading's profile total. */
static void
write_units(const struct picture *p, struct output *o)
{
	struct text total = {0};

	output_text(o, ",\n\"units\":");
	for (unsigned k = 0; k < p->drawn.n; k++) {
		output_char(o, k == 0 ? '[' : ',');
		xml_json(o, p->drawn.unit[k], strlen(p->drawn.unit[k]));
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
		const struct nameattr *a = nameattr_find(&p->attributes, p->names.text[i].s);

		if (a == NULL || picture_is_gap(p, i))
			continue;
		output_printf(o, "%s\"%" PRIu32 "\":{", any ? "," : "", p->names.rank[i]);
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
	    opt->column != NULL ? folded_columns_pick(&p->columns, p->drawn.column[0]) : p->columns;
	struct text b = {0};
	char countname[64];

	if (p->diff.judged) { /* the input has no noise column */
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

/* Writes an option that is a list of numbers of names, as those of the sorted table. */
static void
write_names(
    const struct picture *p, const char *key, const uint32_t *name, size_t n, struct output *o)
{
	for (size_t i = 0; i < n; i++) {
		if (i == 0)
			output_printf(o, ",\n\"%s\":[", key);
		output_printf(o, "%s%" PRIu32, i > 0 ? "," : "", p->names.rank[name[i]]);
	}
	output_text(o, n > 0 ? "]" : "");
}

void
payload_options(const struct picture *p, struct output *o)
{
	static const char *const widths[] = {"first", "max", "sum"};
	static const char *const orders[] = {"name", "weight", "input"};
	const struct options *opt = p->options;
	struct text languages = {0};
	uint32_t name[LARGEST_MAX];

	output_text(o, "<metadata id=\"fg-options\"><![CDATA[{\"version\":2");
	json(o, "title", opt->title);
	json(o, "subtitle", opt->subtitle);
	json(o, "notes", opt->notes);
	json(o, "unit", p->drawn.unit[0]);
	write_units(p, o);
	json(o, "nametype", opt->nametype);
	json(o, "mode", palette_name(p));
	json(o, "widths", widths[p->widths]);
	write_columns(p, o);
	output_printf(o, ",\n\"factor\":%.17g,\n\"scale\":%" PRIu64 ",\n\"frames\":%" PRIu32,
	    opt->factor, p->drawn.scale, p->tree->nnode - 1);
	if (p->names.gap != 0)
		output_printf(o, ",\n\"gap\":%" PRIu32, p->names.rank[p->names.gap]);
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
	languages_add_names(p->names.languages, ",", &languages);
	json(o, "languages", languages.s);
	text_free(&languages);
	write_names(p, "threads", name, largest_threads(p, name), o);
	write_names(p, "modules", name, largest_modules(p, name), o);
	write_header_lines(p, o);
	write_strip(p, o);
	json_flag(o, "processes", any_off(p) && p->names.annotated && opt->nbase == 0);
	json_flag(o, "inverted", opt->inverted);
	json_flag(o, "fold", opt->chains == CHAINS_FOLD);
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
