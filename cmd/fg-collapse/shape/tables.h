/*
 * tables: what profiles have that number their texts, functions and locations, as
 * those of pprof and OpenTelemetry do. A reader fills the tables in any order, then
 * gives each sample's locations; a location becomes names of frames once.
 */
#ifndef TABLES_H
#define TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "profile/sample.h"

#define TABLES_NONE UINT32_MAX /* instead of an index: there is none */

struct tables_function {
	uint32_t name, system_name, file; /* strings */
};

struct tables_line {
	uint32_t function;
	unsigned line;
};

struct tables_location {
	uint64_t address;
	uint32_t mapping; /* or TABLES_NONE */
	bool kernel; /* it is of the kernel, whatever its mapping is */
	uint32_t line, lines; /* in line[]; the innermost of what is inlined first */

	/* Private. */
	uint32_t name, names; /* of its frames, in name[]; once named */
	bool named;
};

/*
 * Inlined frames that each use of a location may bring, on average over a profile, and that
 * all together may bring anyway: a location with thousands of them, in a stack that has it
 * thousands of times, would be their product.
 */
#define TABLES_INLINED 64
#define TABLES_INLINED_FIRST 10000

struct tables {
	struct sampler *sampler;
	struct str *string; /* borrowed */
	size_t nstring, capstring;
	uint32_t *mapping; /* strings: their files */
	size_t nmapping, capmapping;
	struct tables_function *function;
	size_t nfunction, capfunction;
	struct tables_line *line;
	size_t nline, capline;
	struct tables_location *location;
	size_t nlocation, caplocation;
	uint32_t *name;
	size_t nname, capname;
	struct text text;
	uint64_t inlined; /* inlined frames that may still be added */
	uint64_t shortened; /* uses of a location without its inlined frames */
};

/* Empty ones. */
void tables_init(struct tables *t, struct sampler *sampler);
void tables_free(struct tables *t);

void tables_string(struct tables *t, struct str s);
void tables_mapping(struct tables *t, uint32_t file);
void tables_function(struct tables *t, struct tables_function f);
/* Another location, whose lines follow, the innermost first. */
void tables_location(struct tables *t, uint64_t address, uint32_t mapping);
void tables_line(struct tables *t, uint32_t function, uint64_t line);

/* A text of the table; empty where there is none of that number. */
struct str tables_text(const struct tables *t, uint64_t string);

/*
 * Add the frames of a location to the sample that was begun, the innermost first; false
 * when there is no such location. Past the limit above only the outermost one, with a
 * warning from tables_free.
 */
bool tables_frames(struct tables *t, uint64_t location);

/* The unit of weights that such a profile calls so: `nanoseconds` is ns, a `count` that of what it
 * counts. */
struct str tables_unit(struct str type, struct str unit);

/*
 * What one sample stands for, by the profile's period: of those events whose samples or
 * time it is. Of all others that is not known.
 */
void tables_period(struct sampler *s, uint32_t event, struct str event_unit, uint64_t period,
    struct str period_unit);

#endif
