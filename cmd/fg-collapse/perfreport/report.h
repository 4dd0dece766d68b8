/*
 * report: state of the perf report parser: the current entry, its tree, and the stored
 * folded chains.
 */
#ifndef PERFREPORT_REPORT_H
#define PERFREPORT_REPORT_H

#include "base/hash.h"
#include "fg-collapse/reader.h"
#include "fg-collapse/shape/indent.h"
#include "profile/sample.h"

#define NO_VALUE VALUE_MAX

enum { OVERHEAD, SELF, CHILDREN, SAMPLES, COMMAND, OBJECT, SYMBOL, COLUMNS };

struct node {
	size_t name, len; /* range in text */
	value v; /* value; NO_VALUE: that of the node above */
	uint32_t depth;
};

struct report {
	struct reader *reader;
	struct indent tree;
	struct text event; /* event of the current part */
	struct {
		size_t at, width; /* width 0: column absent */
	} column[COLUMNS];
	struct text titles;

	/* The current entry: */
	bool open;
	value overhead, samples;
	struct text comm, module, symbol;
	enum frame_kind kind;
	value folded; /* sum of its folded chains so far */
	struct text text; /* names of nodes */
	struct node *node; /* nodes of its tree */
	size_t nnode, capnode;
	struct {
		size_t column;
		uint32_t depth;
	} * chain; /* columns of names, from the first level to the current line */
	size_t nchain, capchain;

	bool chains; /* an entry has a chain */
	bool fractal; /* percentages are relative to the node above */
	bool caller, caller_known; /* chains begin at the root; `caller` is known */
	const char *unit;
	struct chain { /* folded chains stored until their order is known */
		size_t comm, comm_len, at, len; /* ranges in waiting */
		uint32_t event;
		value v;
	} * wait;
	size_t nwait, capwait;
	struct text waiting;
	struct hash_index ends[2];
	struct text *end[2]; /* distinct names at either end of the stored chains */
	uint32_t nend[2], capend[2];
};

/* True, with *v in percent, if s begins with a percentage: `12.34%`. */
bool report_percentage(struct str s, value *v);
/* Fills f from a name as perf printed it; f's function points into *name. */
void report_frame(struct report *p, struct frame *f, struct text *name, struct str s);
/* Sets the unit of the values that follow, of p's event. */
void report_part(struct report *p, const char *unit);
/* Passes v to the sampler for the current entry's symbol only (and its module, if requested). */
void report_symbol(struct report *p, value v, bool module);
/* Exits with 2 if the report has a column Children. */
void report_refuse_children(const struct report *p);

#endif
