/*
 * entries: the entries of perf report with their chains, stored until the end: only all entries
 * together show which end of a chain is the root, and the unit of their values.
 */
#ifndef ENTRIES_H
#define ENTRIES_H

#include "fg-collapse/reader.h"
#include "fg-collapse/shape/indent.h"

#define NO_VALUE VALUE_MAX

enum { OVERHEAD, SELF, CHILDREN, SAMPLES, COMMAND, OBJECT, SYMBOL, COLUMNS };

/* A string, as a range in text. */
struct range {
	size_t at, len;
};

/* A frame of a tree. */
struct node {
	struct range name;
	value v; /* value; NO_VALUE: that of the node above */
	uint32_t depth;
};

/* A folded chain. */
struct chain {
	struct range frames;
	value v;
};

struct entry {
	struct range comm, module, symbol;
	enum frame_kind kind;
	value overhead, samples; /* percent; a number, if there is a column of them */
	size_t node, nnode, chain, nchain; /* its tree and its chains, as ranges */
	bool broken; /* a line of it could not be read */
};

/* The entries of an event. */
struct part {
	struct range event;
	size_t entry, nentry; /* as a range */
	value samples, period; /* of the event, by the header; 0: unknown */
	bool counted, percent; /* some chains have numbers, some percentages */
	bool columned; /* the entries have a column of samples */
};

struct entries {
	struct reader *reader;
	struct indent tree;
	struct text text; /* of all ranges */
	struct part *part;
	size_t npart, cappart;
	struct entry *entry;
	size_t nentry, capentry;
	struct node *node;
	size_t nnode, capnode;
	struct chain *chain;
	size_t nchain, capchain;
	struct {
		size_t at, width; /* width 0: column absent */
	} column[COLUMNS];
	struct text titles;
	struct {
		size_t column;
		uint32_t depth;
	} * level; /* columns of names in the current tree, from the first level to the line */
	size_t nlevel, caplevel;
	size_t bar; /* column of the bar that begins the current tree; 0: unknown */
	bool open; /* the last entry can have chains */
	bool fractal; /* percentages of trees are relative to the node above */
	bool caller, caller_known; /* chains begin at the root; known from an option */
};

/* Stores a string; and returns a stored one. */
struct range entries_store(struct entries *p, struct str s);
static inline struct str
entries_text(const struct entries *p, struct range r)
{
	return (struct str){p->text.s + r.at, r.len};
}

/* The entry that is being read. */
static inline struct entry *
entries_current(struct entries *p)
{
	return &p->entry[p->nentry - 1];
}
static inline struct part *
entries_part(struct entries *p)
{
	return &p->part[p->npart - 1];
}

/* True, with *v in percent, if s begins with a percentage: `12.34%`. */
bool entries_percentage(struct str s, value *v);
/* Exits with 2 if the report has a column Children. */
void entries_refuse_children(const struct entries *p);

#endif
