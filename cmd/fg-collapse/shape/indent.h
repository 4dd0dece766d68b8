/*
 * indent: call trees that are printed one node a line, the deeper the further to
 * the right. A line's column says where it belongs: below the last line above it
 * whose column is smaller.
 */
#ifndef INDENT_H
#define INDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/reader.h"

enum indent_values {
	INDENT_OWN, /* each line has its own value */
	INDENT_TOTAL, /* and that of all below: what is left is its own */
};

struct indent {
	struct reader *reader;
	struct sampler *sampler;
	uint32_t event;
	enum indent_values values;
	bool callers; /* below a node stand its callers: the first line is the leaf */
	unsigned step; /* columns of a level, 0 for any */
	bool odd; /* it was said that a line stands elsewhere */
	uint32_t root; /* a node above all, for a thread or process; */
	struct sample_task task; /* the same where callers stand below */
	struct indent_node {
		uint64_t column;
		uint32_t name, node; /* node: of the call tree, when callees stand below */
		value total, below;
	} * node; /* from the first column to the line at hand */
	size_t n, cap;
};

/* The rest of t is nothing; whoever wants callers or a step sets them. */
void indent_init(struct indent *t, struct reader *r, uint32_t event, enum indent_values values);
void indent_free(struct indent *t);

/*
 * A line. One that does not stand where a level begins is said once, or exit 2 with
 * --strict; it is below the next line above it with a smaller column all the same.
 */
void indent_line(struct indent *t, uint64_t column, const struct frame *f, value v);

/* The tree ends. */
void indent_end(struct indent *t);

#endif
