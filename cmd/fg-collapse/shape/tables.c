/*
 * tables: indices are checked where they are used, because a profile may have its tables
 * in any order or lack some.
 */
#include "fg-collapse/shape/tables.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "profile/foldedheader.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

void
tables_init(struct tables *t, struct sampler *sampler)
{
	*t = (struct tables){.sampler = sampler, .inlined = TABLES_INLINED_FIRST};
}

void
tables_free(struct tables *t)
{
	if (t->shortened > 0)
		cli_warn("%" PRIu64 " %s of locations with more than %d inlined functions on "
			 "average: only the outermost functions are shown",
		    t->shortened, text_form(t->shortened, "use", "uses"), TABLES_INLINED);
	free(t->string);
	free(t->mapping);
	free(t->function);
	free(t->line);
	free(t->location);
	free(t->name);
	text_free(&t->text);
}

void
tables_string(struct tables *t, struct str s)
{
	vec_fit(t->string, t->capstring, t->nstring + 1);
	t->string[t->nstring++] = s;
}

void
tables_mapping(struct tables *t, uint32_t file)
{
	vec_fit(t->mapping, t->capmapping, t->nmapping + 1);
	t->mapping[t->nmapping++] = file;
}

void
tables_function(struct tables *t, struct tables_function f)
{
	vec_fit(t->function, t->capfunction, t->nfunction + 1);
	t->function[t->nfunction++] = f;
}

void
tables_location(struct tables *t, uint64_t address, uint32_t mapping)
{
	vec_fit(t->location, t->caplocation, t->nlocation + 1);
	t->location[t->nlocation++] = (struct tables_location){
	    .address = address, .mapping = mapping, .line = (uint32_t)t->nline};
}

void
tables_line(struct tables *t, uint32_t function, uint64_t line)
{
	vec_fit(t->line, t->capline, t->nline + 1);
	t->line[t->nline++] =
	    (struct tables_line){function, line <= INT32_MAX ? (unsigned)line : 0};
	t->location[t->nlocation - 1].lines++;
}

struct str
tables_text(const struct tables *t, uint64_t string)
{
	return string < t->nstring ? t->string[string] : (struct str){0};
}

static void
add_name(struct tables *t, uint32_t name)
{
	vec_fit(t->name, t->capname, t->nname + 1);
	t->name[t->nname++] = name;
}

/* True if a line refers to a function, or to none; and a function to strings. */
static bool
is_defined(const struct tables *t, uint32_t function)
{
	const struct tables_function *f;

	if (function >= t->nfunction)
		return function == TABLES_NONE;
	f = &t->function[function];
	return (f->name < t->nstring || f->name == TABLES_NONE) &&
	       (f->system_name < t->nstring || f->system_name == TABLES_NONE);
}

static void
name_location(struct tables *t, struct tables_location *l)
{
	struct frame f = {.address = l->address, .has_address = l->address != 0};

	l->named = true;
	l->name = (uint32_t)t->nname;
	if (l->mapping < t->nmapping)
		f.module = tables_text(t, t->mapping[l->mapping]);
	f.kind = l->kernel ? FRAME_KERNEL : frame_kind_of(f.module);
	for (uint32_t i = 0; i < l->lines; i++) {
		const struct tables_line *line = &t->line[l->line + i];
		struct tables_function fn = {TABLES_NONE, TABLES_NONE, TABLES_NONE};
		struct str name;

		if (!is_defined(t, line->function)) {
			add_name(t, SAMPLE_MISSING);
			continue;
		}
		if (line->function < t->nfunction)
			fn = t->function[line->function];
		name = tables_text(t, fn.name);
		if (name.len == 0)
			name = tables_text(t, fn.system_name);
		text_cut(&t->text, 0);
		plainname_add(&t->text, name, false);
		f.function = text_as_str(&t->text);
		f.file = tables_text(t, fn.file);
		f.line = line->line;
		f.inlined = i + 1 < l->lines;
		add_name(t, sample_name(t->sampler, &f));
	}
	if (l->lines == 0)
		add_name(t, sample_name(t->sampler, &f));
	l->names = (uint32_t)t->nname - l->name;
}

void
tables_frames(struct tables *t, uint64_t location)
{
	struct tables_location *l;

	if (location >= t->nlocation) {
		sample_frame_named(t->sampler, SAMPLE_MISSING);
		return;
	}
	l = &t->location[location];
	if (!l->named)
		name_location(t, l);
	t->inlined += TABLES_INLINED;
	if (l->names == 1) { /* usually */
		sample_frame_named(t->sampler, t->name[l->name]);
		return;
	}
	if (l->names > t->inlined + 1) {
		sample_frame_named(t->sampler, t->name[l->name + l->names - 1]);
		t->shortened++;
		return;
	}
	t->inlined -= l->names - 1;
	for (uint32_t i = 0; i < l->names; i++)
		sample_frame_named(t->sampler, t->name[l->name + i]);
}

struct str
tables_unit(struct str type, struct str unit)
{
	static const char *const known[][2] = {{"nanoseconds", "ns"}, {"microseconds", "us"},
	    {"milliseconds", "ms"}, {"seconds", "s"}};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (str_is(unit, known[i][0]))
			return str_of(known[i][1]);
	if (str_is(unit, "count") || unit.len == 0)
		return str_starts(type, "sample") ? str_of(FOLDED_SAMPLES) : type;
	return unit;
}

static bool
is_time(struct str unit)
{
	return str_is(unit, "ns") || str_is(unit, "us") || str_is(unit, "ms") || str_is(unit, "s");
}

void
tables_period(struct sampler *s, uint32_t event, struct str event_unit, uint64_t period,
    struct str period_unit)
{
	bool bytes = str_is(period_unit, "bytes"), same = str_equal(event_unit, period_unit);
	char unit[sizeof "bytes"] = "";

	if (period <= INT64_MAX &&
	    ((is_time(period_unit) && (same || str_is(event_unit, FOLDED_SAMPLES))) ||
		(bytes && same)))
		memcpy(unit, period_unit.s, period_unit.len);
	sampler_period(s, event, value_of(period), unit[0] != '\0' ? unit : NULL);
	/* The number of objects is computed from the sampled bytes. */
	if (unit[0] != '\0' || (period > 1 && str_is(event_unit, FOLDED_SAMPLES)))
		sampler_values(s, event, FOLDED_SAMPLED);
	else if (period > 1)
		sampler_values(s, event, FOLDED_ESTIMATED);
}
