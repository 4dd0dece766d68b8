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
	bool odd; /* a misplaced line has been reported */
	uint32_t root; /* root node for a thread or process */
	struct sample_task task; /* the task, where children are callers */
	struct indent_node {
		uint64_t column;
		uint32_t name, node; /* node: in the call tree, where children are callees */
		value total, below;
	} * node; /* path to the current line */
	size_t n, cap;
};

/* Initializes t. The caller sets callers and step afterwards if it needs them. */
void indent_init(struct indent *t, struct reader *r, uint32_t event, enum indent_values values);
void indent_free(struct indent *t);

/*
 * Adds a line. The first one that is not at the start of a level is reported (exit 2 with
 * --strict); its parent is the last line above it with a smaller column all the same.
 */
void indent_line(struct indent *t, uint64_t column, const struct frame *f, value v);

/* Ends the tree: emits the nodes that are still open. */
void indent_end(struct indent *t);

#endif
