/*
 * report: what perf report prints, while it is read: the entry at hand, its tree, and the
 * folded chains that wait.
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
	size_t name, len; /* in text */
	value v; /* NO_VALUE for that of the node above */
	uint32_t depth;
};

struct report {
	struct reader *reader;
	struct indent tree;
	struct text event; /* of the part at hand */
	struct {
		size_t at, width; /* width 0: there is no such column */
	} column[COLUMNS];
	struct text titles;

	/* The entry at hand: */
	bool open;
	value overhead, samples;
	struct text comm, module, symbol;
	enum frame_kind kind;
	value folded; /* what its folded chains have had */
	struct text text; /* names of nodes */
	struct node *node; /* its tree */
	size_t nnode, capnode;
	struct {
		size_t column;
		uint32_t depth;
	} * chain; /* where names stand, from the first level to the line at hand */
	size_t nchain, capchain;

	bool chains; /* some entry has one */
	bool fractal; /* percentages are of the node above */
	bool caller, told; /* chains begin at the root; that is known */
	const char *unit;
	struct chain { /* folded ones that wait until it is known where they begin */
		size_t comm, comm_len, at, len; /* in waiting */
		uint32_t event;
		value v;
	} * wait;
	size_t nwait, capwait;
	struct text waiting;
	struct hash_index ends[2];
	struct text *end[2]; /* the different names at either end, while they wait */
	uint32_t nend[2], capend[2];
};

/* True, with *v in percent, if s begins with a percentage: `12.34%`. */
bool report_percentage(struct str s, value *v);
/* Fills f from a name as perf printed it; f's function points into *name. */
void report_frame(struct report *p, struct frame *f, struct text *name, struct str s);
/* Values are of p's event in this unit from now on. */
void report_part(struct report *p, const char *unit);
/* Gives the sampler v for the current entry's symbol only (and its module, if requested). */
void report_symbol(struct report *p, value v, bool module);
/* Exits with 2 if the report has a column Children. */
void report_refuse_children(const struct report *p);

#endif
