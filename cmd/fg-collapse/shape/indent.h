/*
 * indent: call trees printed one node per line and indented by depth. The parent of a line
 * is the last line above it with a smaller column.
 */
#ifndef INDENT_H
#define INDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/reader.h"
#include "sample/task.h"

enum indent_values {
	INDENT_OWN, /* each line has its self value */
	INDENT_TOTAL, /* each line has its inclusive value; the remainder is its self value */
};

struct indent {
	struct reader *reader;
	struct sampler *sampler;
	uint32_t event;
	enum indent_values values;
	bool callers; /* children are callers: the first line is the leaf */
	unsigned step; /* columns per level, 0 for any */
	bool
	    whole; /* values are counts, without rounding: those below a line are at most its own */
	bool based; /* the first level is at column first */
	uint64_t first;
	bool odd, excess; /* a misplaced line has been reported; a line with too little */
	uint32_t root; /* root node for a thread or process */
	struct sample_task task; /* the task, where children are callers */

	/* Private. */
	struct indent_node {
		uint64_t column;
		size_t line;
		value total, below;
	} * node; /* path to the current line */
	size_t n, cap;
	struct indent_line { /* lines of the current tree */
		size_t parent; /* from 1; 0: none */
		uint32_t name, node; /* node: in the call tree, where children are callees */
		uint64_t number; /* of the line in the input */
		value own;
	} * line;
	size_t nline, capline;
	size_t *left; /* those with a self value, children first */
	size_t nleft, capleft;
	uint32_t *path;
	size_t cappath;
	bool broken; /* a line of the current tree is malformed */
	bool headless; /* the first line of a tree is: those from column head on have no parent */
	uint64_t head;
};

/* Initializes t. The caller sets callers, whole, step, based and first afterwards if it needs them.
 */
void indent_init(struct indent *t, struct reader *r, uint32_t event, enum indent_values values);
void indent_free(struct indent *t);

/*
 * Adds a line. The first one that is not at the start of a level is reported (exit 2 with
 * --strict); its parent is the last line above it with a smaller column all the same.
 */
void indent_line(struct indent *t, uint64_t column, const struct frame *f, value v);

/*
 * A row between the lines before and the next one is malformed: so is its tree, whose lines are
 * accounted for with their values, up to its root. Not for a line that is not like a row.
 */
void indent_broken(struct indent *t);

/* Ends the tree: emits the nodes that are still open. */
void indent_end(struct indent *t);

#endif
