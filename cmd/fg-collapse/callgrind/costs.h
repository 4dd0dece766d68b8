/*
 * costs: state of the callgrind parser, and the requested values: one event, or the four
 * columns of --bottleneck.
 */
#ifndef CALLGRIND_COSTS_H
#define CALLGRIND_COSTS_H

#include "fg-collapse/callgrind/nametable.h"
#include "fg-collapse/reader.h"
#include "fg-collapse/callgrind/callgraph.h"

#define COSTS_EVENTS 64 /* limit of events in a file */
#define COSTS_COLUMNS 4
#define NOTHING UINT32_MAX

enum { FUNCTION, SOURCE, OBJECT, KINDS };

struct costs {
	struct reader *reader;
	struct nametable names[KINDS];
	struct callgraph graph; /* functions have the indices of their names */
	struct place {
		uint32_t source, object;
	} * place; /* source and object of each function */
	size_t capplace;

	unsigned events; /* events of all parts of the file */
	uint32_t event[COSTS_EVENTS]; /* event numbers in the sampler */
	int64_t scale[COSTS_EVENTS]; /* factor from the file's unit to the event's */
	const char *system_unit; /* unit of sysTime in the file, or "" */
	int64_t system_ns; /* ns per unit of sysTime */
	int64_t *self[COSTS_EVENTS]; /* self cost of each function */
	size_t capself; /* capacity of each self[], in functions */
	int64_t total[COSTS_EVENTS]; /* totals stated by the file */
	bool has_total;
	unsigned columns;
	uint32_t column[COSTS_COLUMNS]; /* event number of each column */

	/* State of the parser. */
	unsigned positions; /* numbers before the costs in a line */
	unsigned width; /* costs in a line */
	uint8_t of[COSTS_EVENTS]; /* event of each cost */
	unsigned terms;
	struct term { /* adds factor * cost to a column */
		unsigned cost, column;
		int64_t factor;
	} term[COSTS_EVENTS];
	bool has[COSTS_COLUMNS]; /* the column got a cost */
	uint32_t function, source, object; /* NOTHING if unknown */
	uint32_t callee, callee_source, callee_object;
	enum {
		SELF_COST,
		CALL_COST, /* after calls= */
		CALL_MISSING, /* after cfn=, before its calls= */
	} call; /* meaning of the next line of costs */
	int64_t cost[COSTS_EVENTS];
};

/* Before the first line: chooses the columns of --bottleneck, if it is on. */
void costs_start(struct costs *c);
/* The text of a line `event:`: an event's name, formula and description. */
void costs_about_event(struct costs *c, struct str s);
/* The text of a line `events:`: the events of the cost lines after it. */
void costs_events(struct costs *c, struct str s);
/* After the last line: fills the columns' self costs. Exits with 2 if the file has none. */
void costs_finish(struct costs *c);
/* Exits with 2: a sum of costs is above INT64_MAX. */
_Noreturn void costs_die_large(const struct costs *c);

#endif
