/*
 * costs: a file of callgrind while it is read, and what is asked of it: an event, or the
 * four columns of --bottleneck.
 */
#ifndef CALLGRIND_COSTS_H
#define CALLGRIND_COSTS_H

#include "fg-collapse/callgrind/names.h"
#include "fg-collapse/reader.h"
#include "fg-collapse/shape/callgraph.h"

#define COSTS_EVENTS 64 /* of a file */
#define COSTS_COLUMNS 4
#define NOTHING UINT32_MAX

enum { FUNCTION, SOURCE, OBJECT, KINDS };

struct costs {
	struct reader *reader;
	struct names names[KINDS];
	struct callgraph graph; /* functions have the numbers of their names */
	struct place {
		uint32_t source, object;
	} * place; /* of each function */
	size_t capplace;

	unsigned events; /* of all parts of the file */
	uint32_t event[COSTS_EVENTS]; /* the sampler's */
	int64_t scale[COSTS_EVENTS]; /* what 1 in the file is in the event's unit */
	const char *system_unit; /* of sysTime as the file has it, or "" */
	int64_t system_ns; /* what 1 of sysTime is in ns */
	int64_t *self[COSTS_EVENTS]; /* of each function */
	size_t capself; /* functions that these have room for */
	int64_t total[COSTS_EVENTS]; /* as the file says it */
	bool has_total;
	unsigned columns;
	uint32_t column[COSTS_COLUMNS]; /* the sampler's event in each */

	/* Where the reader is. */
	unsigned positions; /* numbers before the costs */
	unsigned width; /* costs of a line */
	uint8_t of[COSTS_EVENTS]; /* which event each is */
	unsigned terms;
	struct term { /* what of them is in the columns */
		unsigned cost, column;
		int64_t factor;
	} term[COSTS_EVENTS];
	bool has[COSTS_COLUMNS]; /* there was something for it */
	uint32_t function, source, object; /* NOTHING where there is none */
	uint32_t callee, callee_source, callee_object;
	bool call; /* the next costs are a call's */
	int64_t cost[COSTS_EVENTS];
};

/* Before the first line: chooses the columns of --bottleneck, if it is on. */
void costs_start(struct costs *c);
/* The text of a line `event:`: an event's name, formula and description. */
void costs_about_event(struct costs *c, struct str s);
/* The text of a line `events:`: the events of the cost lines behind it. */
void costs_events(struct costs *c, struct str s);
/* After the last line: fills the columns' self costs. Exits with 2 if the file has none. */
void costs_settle(struct costs *c);
/* Exits with 2: a sum of costs is above INT64_MAX. */
_Noreturn void costs_die_large(const struct costs *c);

#endif
