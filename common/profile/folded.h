/*
 * folded: reads and writes folded stacks, the format of folded(5): frames from
 * the root to the leaf joined by `;`, a space, one decimal per column.
 */
#ifndef FOLDED_H
#define FOLDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/lines.h"
#include "base/output.h"
#include "base/text.h"
#include "profile/foldedheader.h"
#include "profile/calltree.h"

/* What a program asks of its folded inputs, and what all of them together had. */
struct folded {
	bool strict; /* a malformed line is exit 2 */
	bool fixed; /* `columns` was given with --columns: a header must agree */
	bool guess; /* two columns when every line of the whole input ends in two numbers; cleared
		       when not */
	bool no_labels; /* --no-labels: label lines are skipped */
	bool allow_empty; /* no stacks at all are no error, where nothing was malformed either */
	const char *unit; /* of --unit: of all columns, whatever the files say; else NULL */
	struct folded_columns columns; /* of all files with stacks; n is 0 until the first stack */

	uint64_t lines; /* stacks read */
	uint64_t malformed; /* lines left out */
	bool rounded; /* a value had an exponent; said once */
	bool misfit, paired; /* a header fits no columns, one may have been lost; said once */
};

#define FOLDED_NO_COUNT UINT64_MAX

/* One line of a file, valid until the next call. */
struct folded_line {
	const char *stack; /* without values; NUL nowhere */
	size_t len;
	value value[CALLTREE_COLUMNS];
	uint64_t count[CALLTREE_COLUMNS]; /* the same as whole numbers, or FOLDED_NO_COUNT */
	uint64_t number; /* in its file, from 1 */
	struct str time; /* "12.340 s" of a `# time:` mark since the last stack, else len 0 */
};

/* A file read line by line, for programs that want stacks rather than a tree. */
struct folded_file {
	struct folded *folded;
	struct lines *in;
	struct lines_block block;
	const char *at; /* next byte of the block */
	uint64_t number, before_block; /* of the last line; of the last one before the block */
	struct foldedheader about; /* its header lines so far */
	struct text time; /* of the last time mark, until the stack after it has passed */
	bool passed;
	bool scaled; /* set after opening: values will be, so that a sample is another's period */
	bool settled; /* a line of a stack was seen */
	bool stacks; /* and it was none that is malformed */
	bool pairs; /* no header, and all stacks so far end in a number */
};

/* Opens a file. Exits with 2 when it cannot be read, or is not folded stacks (foldedtest.h). */
void folded_open(struct folded_file *f, struct folded *folded, const char *path);
/* Takes an input that is open and perhaps peeked at, untested. folded_close closes it. */
void folded_consumer(struct folded_file *f, struct folded *folded, struct lines *in);
/*
 * The next stack; false at the end. Exits with 2 where compressed data are damaged or
 * truncated, before any stack behind the damage; with strict also where the last line
 * of a regular file has no newline: sums are never short. Blank lines and comments are passed over,
 * malformed ones counted, the first named on stderr with file:line, and with
 * strict exit 2.
 */
bool folded_next(struct folded_file *f, struct folded_line *l);
void folded_close(struct folded_file *f);
/* The same, but the input that was taken stays open, and its overlong lines are not counted. */
void folded_release(struct folded_file *f);

/*
 * Add all stacks of an open file to *tree, which is made when it is NULL with as
 * many columns as the file has. Shares each line's prefix with the line before.
 */
void folded_read(struct folded_file *f, struct calltree **tree);

/*
 * After the last file: exit 2 with a message when no stack was read; one line of
 * how many malformed lines were left out. With folded.guess the tree that
 * folded_read filled (no other may be given) becomes one of two columns, base and
 * head, when all lines were pairs; else tree may be NULL.
 */
void folded_finish(struct folded *folded, struct calltree **tree);

/* How many bytes a and b, at least len long, share at their beginning; the first `from` they do. */
static inline size_t
folded_shared(const char *a, const char *b, size_t from, size_t len)
{
	size_t i = from;

	for (; i + 32 <= len; i += 32) {
		uint64_t x[4], y[4];

		memcpy(x, a + i, 32);
		memcpy(y, b + i, 32);
		if (((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3])) != 0)
			break;
	}
	while (i < len && a[i] == b[i])
		i++;
	return i;
}

/*
 * Add one stack of frames joined by ';' to a tree and return its node. *prev is
 * the caller's memory of the last stack, all zero at first, never freed by hand.
 */
struct folded_prefix {
	char *stack;
	size_t len, size;
	uint32_t *node; /* by depth, from 1 */
	size_t *end; /* where frame d ends in stack */
	uint32_t depth, cap;
};
uint32_t folded_add(struct calltree *t, struct folded_prefix *prev, const char *stack, size_t len);
void folded_prefix_free(struct folded_prefix *prev);

/*
 * Write every stack of the tree in canonical order (sorts it). Unless header is
 * false, its first lines say what is in columns, which may be NULL: a producer
 * fills in what it knows with folded_columns_unit and folded_columns_period, and
 * may leave columns->n at 0 for a plain file.
 */
void folded_write(
    struct output *o, struct calltree *t, const struct folded_columns *columns, bool header);

/*
 * For what is no tree, or in time order: the header lines; the mark before the
 * first stack of a step of time ("12.340 s"); one stack as a line, or its text and
 * later its values. Every stack of every program is written by one of these, which
 * know what would read as a comment.
 */
void folded_write_header(struct output *o, const struct folded_columns *columns);
void folded_write_time(struct output *o, struct str time, unsigned columns);
void folded_write_stack(
    struct output *o, const char *stack, size_t len, const value *v, unsigned columns);
void folded_begin_stack(struct output *o, const char *stack, size_t len);
void folded_end_stack(struct output *o, const value *v, unsigned columns);

/* The stack that ends at a node, in place of what is in stack; no comment either. */
void folded_stack(const struct calltree *t, uint32_t node, struct text *stack);

/*
 * The way to the node at hand as text, frames joined by ';', for walks in
 * pre-order: set the frame at a depth (from 1), and s[0..end[depth]) is the stack.
 * All zero at first.
 */
struct folded_path {
	char *s;
	size_t size;
	size_t *end; /* by depth */
	uint32_t cap;
};
void folded_path_set(struct folded_path *p, uint32_t depth, const char *s, size_t len);
void folded_path_free(struct folded_path *p);

#endif
