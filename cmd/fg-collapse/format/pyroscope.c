/*
 * pyroscope: flame graphs as Pyroscope and Grafana pass them on. The bars of each level, from left
 * to right, have four numbers: distance from the bar before, value, self value, name,
 *
 *	{"flamebearer": {"names": ["total", "main"], "levels": [[0, 9, 2, 0], [0, 7, 7, 1]]},
 *	 "metadata": {"format": "single", "units": "samples", "sampleRate": 100}}
 *
 * or, with "double", the first three of both profiles. The document of the API has neither unit nor
 * period:
 *
 *	{"flamegraph": {"names": ["total", "main"], "levels": [{"values": ["0", "9", "2", "0"]}]}}
 *
 * Grafana's data frames have a row for each bar, parents first; "selfRight" is the second profile's
 * part of the self value:
 *
 *	{"schema": {"fields": [{"name": "level"}, {"name": "value"}, {"name": "self"},
 *	  {"name": "label", "config": {"type": {"enum": {"text": ["total", "main"]}}}}]},
 *	 "data": {"values": [[0, 1], [9, 7], [2, 7], [0, 1]]}}
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/sample.h"

#define SIDES 2
#define NO_PARENT SIZE_MAX
#define DEPTH 16 /* limit of objects around a data frame */

/* Columns of a data frame. */
enum { LEVEL, TOTAL, SELF, LABEL, TOTAL_RIGHT, SELF_RIGHT, COLUMNS };
static const char *const column_name[] = {
    "level", "value", "self", "label", "valueRight", "selfRight"};

struct bar {
	size_t parent; /* index; NO_PARENT: at the root */
	uint64_t name;
	uint64_t self[SIDES], total[SIDES], below[SIDES]; /* below: sum of the totals of children */
	uint64_t end[SIDES];
	bool broken;
};

struct picture {
	struct reader *reader;
	struct json_strings names;
	struct bar *bar;
	size_t nbar, capbar;
	bool two; /* two profiles */
	bool bare; /* the unit is not known */
	struct text format, units;
	uint64_t rate;
	/* The levels of the flamebearer format: */
	struct json_numbers numbers; /* of all levels */
	struct json_indices levels; /* end of each in numbers */
	/* The data frame that is being read: */
	struct json_numbers column[COLUMNS]; /* in the order of the frame */
	struct json_strings labels; /* if the names are in the column itself */
	struct text field;
	unsigned is[COLUMNS], fields; /* LEVEL... of each column; number of columns */
	unsigned at; /* column that is being read */
};

static struct bar *
add_bar(struct picture *p)
{
	vec_fit(p->bar, p->capbar, p->nbar + 1);
	p->bar[p->nbar] = (struct bar){.parent = NO_PARENT};
	return &p->bar[p->nbar++];
}

/* Marks bars that cannot be right, and those below them; reports the first. */
static void
check(struct picture *p, struct json *j, const struct json_strings *names)
{
	for (size_t i = 0; i < p->nbar; i++) {
		const struct bar *b = &p->bar[i];

		for (unsigned side = 0; side < SIDES && b->parent != NO_PARENT; side++)
			p->bar[b->parent].below[side] += b->total[side];
	}
	for (size_t i = 0; i < p->nbar; i++) {
		struct bar *b = &p->bar[i];

		for (unsigned side = 0; side < SIDES; side++)
			b->broken |= b->self[side] + b->below[side] != b->total[side];
		b->broken |=
		    b->name >= names->n || (b->parent != NO_PARENT && p->bar[b->parent].broken);
		json_broken(j, b->broken,
		    "a bar without a name or parent, or whose value is not its own and that of the "
		    "bars below");
	}
}

/* Adds the bars with a self value to the sampler. The root stands for the profile itself. */
static void
give(struct picture *p, struct json *j, const struct json_strings *names)
{
	static const char *const name[] = {"base", "head"};
	static const struct sample_task nobody;
	struct sampler *s = p->reader->sampler;
	const char *unit = p->units.len > 0 ? p->units.s : FOLDED_SAMPLES;
	uint32_t event[SIDES];

	for (unsigned side = 0; side < (p->two ? 2 : 1); side++) {
		event[side] = sampler_event(s, str_of(p->two ? name[side] : unit), str_of(unit));
		if (!p->bare && (strcmp(unit, FOLDED_SAMPLES) == 0 || strcmp(unit, "bytes") == 0))
			sampler_values(s, event[side], FOLDED_SAMPLED);
		else if (strcmp(unit, "objects") == 0)
			sampler_values(s, event[side], FOLDED_ESTIMATED);
		if (strcmp(unit, FOLDED_SAMPLES) == 0 && p->rate > 0 && p->rate <= 1000000)
			sampler_period(s, event[side], value_of(1000000000 / p->rate), "ns");
	}
	if (p->two)
		sampler_columns(s, name, event, 2);
	check(p, j, names);
	for (size_t i = 0; i < p->nbar; i++) {
		const struct bar *b = &p->bar[i];
		const struct sample_weight w[] = {
		    {event[0], value_of(b->self[0])}, {event[p->two], value_of(b->self[1])}};

		if (b->broken || b->self[0] + b->self[1] == 0 ||
		    !sample_begin_all(s, &nobody, w, 1 + p->two, SAMPLE_NO_TIME))
			continue;
		for (size_t at = i; at != NO_PARENT; at = p->bar[at].parent) {
			struct frame f = {.function = json_string_at(names, p->bar[at].name)};

			if (at == i || p->bar[at].parent != NO_PARENT ||
			    !str_is(f.function, "total"))
				sample_frame(s, &f);
		}
		sample_end(s);
	}
	p->nbar = 0;
}

static void
read_level(struct json *j, void *to)
{
	static const struct json_field level[] = {
	    JSON_NEEDED_FIELD("values", NUMBERS, struct picture, numbers)};
	struct picture *p = to;

	if (json_kind(j) != JSON_OBJECT)
		json_numbers(j, &p->numbers);
	else if (json_fields(j, level, p) != NULL)
		json_malformed(j, "a level without values");
	json_indices_add(&p->levels, (uint32_t)p->numbers.n);
}

/*
 * Adds the bars of a level, which are in [from, to) of the numbers. Each bar lies between the ends
 * of its parent, on both sides; bars are in the order of their parents, the bars from `above` of
 * the level before.
 */
static bool
add_level(struct picture *p, size_t from, size_t to, size_t above, bool first)
{
	const size_t sides = p->two ? 2 : 1, step = 3 * sides + 1, end = p->nbar;
	uint64_t x[SIDES] = {0};

	if ((to - from) % step != 0)
		return false;
	for (; from < to; from += step) {
		struct bar *b = add_bar(p);

		for (size_t side = 0; side < sides; side++) {
			b->total[side] = json_numbers_whole(&p->numbers, from + 3 * side + 1);
			b->self[side] = json_numbers_whole(&p->numbers, from + 3 * side + 2);
			x[side] +=
			    json_numbers_whole(&p->numbers, from + 3 * side) + b->total[side];
			b->end[side] = x[side];
		}
		b->name = json_numbers_whole(&p->numbers, from + step - 1);
		while (above < end &&
		       (p->bar[above].end[0] < b->end[0] || p->bar[above].end[1] < b->end[1]))
			above++;
		b->parent = above < end ? above : NO_PARENT;
		b->broken = above == end && !first;
	}
	return true;
}

static void
give_levels(struct picture *p, struct json *j)
{
	size_t from = 0, above = 0;

	if (p->levels.n == 0)
		return;
	p->two =
	    p->format.len > 0 ? str_is(text_as_str(&p->format), "double") : p->levels.at[0] == 7;
	for (size_t i = 0; i < p->levels.n; i++) {
		size_t next = p->nbar;

		if (!add_level(p, from, p->levels.at[i], above, i == 0)) {
			json_malformed(j, "a level whose length is not that of its bars");
			break; /* nothing below has a parent */
		}
		from = p->levels.at[i];
		above = next;
	}
	give(p, j, &p->names);
}

/* Takes the values of the column p->at: numbers, or names. */
static void
read_values(struct json *j, void *to)
{
	struct picture *p = to;
	struct json_numbers *column = &p->column[p->at < COLUMNS ? p->at : 0];
	struct json_number n;
	struct str s;

	for (bool any = p->at < COLUMNS ? json_array(j) : (json_skip(j), false);
	     any && json_item(j);) {
		n = (struct json_number){value_of(p->labels.n), false};
		if (json_kind(j) != JSON_STRING)
			json_number(j, &n);
		else if (json_text(j, &s))
			json_strings_add(&p->labels, s);
		json_numbers_add(column, n);
	}
}

static void
read_next_values(struct json *j, void *to)
{
	struct picture *p = to;

	read_values(j, p);
	p->at++;
}

static void
read_field(struct json *j, void *to)
{
	static const struct json_field fields[] = {
	    JSON_FIELD("name", TEXT, struct picture, field),
	    JSON_FIELD("config.type.enum.text", STRINGS, struct picture, names),
	    JSON_FIELD("config.unit", TEXT, struct picture, units),
	    JSON_READ("values", read_values),
	};
	struct picture *p = to;
	unsigned which = 0;

	p->at = p->fields;
	text_cut(&p->field, 0);
	json_fields(j, fields, p);
	while (which < COLUMNS && !str_is(text_as_str(&p->field), column_name[which]))
		which++;
	if (p->fields < COLUMNS)
		p->is[p->fields++] = which;
	p->at = 0;
}

/* The cell of a column in a row; 0 if the frame does not have the column. */
static uint64_t
cell(const struct picture *p, unsigned which, size_t row, bool *has)
{
	for (unsigned i = 0; i < p->fields; i++)
		if (p->is[i] == which) {
			*has = true;
			return json_numbers_whole(&p->column[i], row);
		}
	*has = false;
	return 0;
}

/* Makes bars of the rows of a data frame, and clears it. */
static void
end_frame(struct picture *p, struct json *j)
{
	size_t *path = NULL, cap = 0, rows = p->column[0].n;
	uint64_t depth = 0; /* bars of the path */
	bool has[COLUMNS];

	for (unsigned which = 0; which < COLUMNS; which++)
		cell(p, which, 0, &has[which]);
	if (has[LEVEL] && has[LABEL] && !has[SELF])
		json_refuse(j, "a data frame without the field self");
	for (unsigned i = 1; i < p->fields && has[LEVEL] && has[LABEL]; i++)
		if (p->is[i] < COLUMNS && p->column[i].n != rows)
			json_refuse(j, "a data frame whose fields differ in length");
	p->two = has[SELF_RIGHT];
	for (size_t i = 0; i < rows && has[LEVEL] && has[LABEL]; i++) {
		struct bar *b = add_bar(p);
		uint64_t level = cell(p, LEVEL, i, has);

		b->self[1] = cell(p, SELF_RIGHT, i, has);
		b->total[1] = cell(p, TOTAL_RIGHT, i, has);
		b->self[0] = cell(p, SELF, i, has) - b->self[1];
		b->total[0] = cell(p, TOTAL, i, has) - b->total[1];
		b->name = cell(p, LABEL, i, has);
		b->broken = level > depth;
		if (b->broken)
			continue;
		vec_fit(path, cap, (size_t)level + 1);
		path[level] = i;
		b->parent = level > 0 ? path[level - 1] : NO_PARENT;
		depth = level + 1;
	}
	free(path);
	if (str_is(text_as_str(&p->units), "short"))
		text_cut(&p->units, 0);
	give(p, j, p->labels.n > 0 ? &p->labels : &p->names);
	for (unsigned i = 0; i < COLUMNS; i++)
		p->column[i].n = p->column[i].nwide = 0;
	json_strings_free(&p->labels);
	json_strings_free(&p->names);
	p->labels = p->names = (struct json_strings){0};
	p->fields = p->at = 0;
}

/* Reads a value that may contain a flame graph at any depth. */
static void
read_any(struct picture *p, struct json *j, unsigned depth)
{
	static const struct json_field levels[] = {
	    JSON_FIELD("names", STRINGS, struct picture, names), JSON_EACH("levels", read_level)};
	static const struct json_field about[] = {
	    JSON_FIELD("format", TEXT, struct picture, format),
	    JSON_FIELD("units", TEXT, struct picture, units),
	    JSON_FIELD("sampleRate", WHOLE, struct picture, rate)};
	static const struct json_field schema[] = {JSON_EACH("fields", read_field)};
	static const struct json_field data[] = {JSON_EACH("values", read_next_values)};
	const enum json_kind kind = json_kind(j);
	struct str key;

	if (depth == 0 || (kind != JSON_OBJECT && kind != JSON_ARRAY)) {
		json_skip(j);
		return;
	}
	if (kind == JSON_ARRAY) {
		for (bool any = json_array(j); any && json_item(j);)
			read_any(p, j, depth - 1);
		return;
	}
	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "flamebearer") || str_is(key, "flamegraph")) {
			p->bare = str_is(key, "flamegraph");
			json_fields(j, levels, p);
		} else if (str_is(key, "metadata")) {
			json_fields(j, about, p);
		} else if (str_is(key, "version")) {
			json_version(j, VERSION_FLAMEBEARER);
		} else if (str_is(key, "schema")) {
			json_fields(j, schema, p);
		} else if (str_is(key, "data")) {
			json_fields(j, data, p);
		} else if (str_is(key, "fields")) {
			for (bool more = json_array(j); more && json_item(j);)
				read_field(j, p);
		} else {
			read_any(p, j, depth - 1);
		}
	if (p->fields > 0)
		end_frame(p, j);
}

static void
read_document(struct reader *r, struct json *j)
{
	struct picture p = {.reader = r};

	read_any(&p, j, DEPTH);
	give_levels(&p, j);
	json_strings_free(&p.names);
	json_numbers_free(&p.numbers);
	json_indices_free(&p.levels);
	for (unsigned i = 0; i < COLUMNS; i++)
		json_numbers_free(&p.column[i]);
	json_strings_free(&p.labels);
	text_free(&p.format);
	text_free(&p.units);
	text_free(&p.field);
	free(p.bar);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {"flamebearer.names", "flamebearer.levels",
	    "flamegraph.names", "flamegraph.levels.*.values"};
	const char *start = data;

	while (start < data + len && strchr(" \t\r\n", *start) != NULL && *start != '\0')
		start++;
	if (json_find(data, len, path))
		return 97;
	return start < data + len && (*start == '{' || *start == '[') &&
		       text_has(data, len, "\"name\"") && text_has(data, len, "\"level\"") &&
		       text_has(data, len, "\"self\"") && text_has(data, len, "\"label\"") &&
		       text_has(data, len, "\"fields\"")
		   ? 90
		   : 0;
}

const struct format pyroscope_format = {
    .provides = 0,
    .sniff = sniff,
    .document = read_document,
    .order = SAMPLE_LEAF_FIRST,
};
