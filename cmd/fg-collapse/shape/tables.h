/*
 * tables: the string, function and location tables of profiles such as those of pprof and
 * OpenTelemetry. A reader fills the tables in any order, then passes each sample's
 * locations; the frames of a location are named once.
 */
#ifndef TABLES_H
#define TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "sample/sampler.h"

#define TABLES_NONE UINT32_MAX /* no index */
#define TABLES_BAD (UINT32_MAX - 1) /* an index out of range */

struct tables_function {
	uint32_t name, system_name, file; /* indices of strings */
};

struct tables_line {
	uint32_t function;
	unsigned line;
};

struct tables_location {
	uint64_t address;
	uint32_t mapping; /* index in mapping, or TABLES_NONE */
	bool kernel; /* kernel code, whatever its mapping */
	uint32_t line, lines; /* range in line[]; innermost inlined function first */

	/* Private. */
	uint32_t name, names; /* range of its frames in name[], once named */
	bool named;
};

/*
 * Limit of inlined frames: TABLES_INLINED per use of a location, on average over a
 * profile, plus TABLES_INLINED_FIRST. Without it, a location with thousands of inlined
 * frames in a stack that repeats it thousands of times would add their product.
 */
#define TABLES_INLINED 64
#define TABLES_INLINED_FIRST 10000

struct tables {
	struct sampler *sampler;
	struct str *string; /* strings point into the input */
	size_t nstring, capstring;
	uint32_t *mapping; /* file of each mapping: index of a string */
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
	uint64_t inlined; /* inlined frames that the limit still allows */
	uint64_t shortened; /* uses of a location without its inlined frames */
};

/* Initializes empty tables. */
void tables_init(struct tables *t, struct sampler *sampler);
void tables_free(struct tables *t);

void tables_string(struct tables *t, struct str s);
void tables_mapping(struct tables *t, uint32_t file);
void tables_function(struct tables *t, struct tables_function f);
/* Adds a location; its lines follow, innermost first. */
void tables_location(struct tables *t, uint64_t address, uint32_t mapping);
void tables_line(struct tables *t, uint32_t function, uint64_t line);

/* String of that index; empty if there is none. */
struct str tables_text(const struct tables *t, uint64_t string);

/*
 * Adds the frames of a location to the current sample, innermost first; if there is no such
 * location, or it refers to nothing, the sample has a missing frame. Beyond the limit above, adds
 * only the outermost frame; tables_free warns about that.
 */
void tables_frames(struct tables *t, uint64_t location);

/* The unit of weights with this type and unit: `nanoseconds` is ns; `count` is the type itself. */
struct str tables_unit(struct str type, struct str unit);

/*
 * Sets an event's period to that of the profile, if the period counts the event's samples,
 * time or bytes; for other events it is unknown. Also sets the kind of the event's values.
 */
void tables_period(struct sampler *s, uint32_t event, struct str event_unit, uint64_t period,
    struct str period_unit);

#endif
