/*
 * folded: reader and writer of folded stacks, the format of folded(5): frames from the root to
 * the leaf joined by `;`, a space, one decimal per column.
 */
#ifndef FOLDED_H
#define FOLDED_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/chars.h"
#include "base/lines.h"
#include "base/output.h"
#include "base/text.h"
#include "profile/foldedend.h"
#include "profile/foldedheader.h"
#include "profile/calltree.h"

/* A program's options for its folded inputs, and properties of all inputs together. */
struct folded {
	bool strict; /* a malformed line is exit 2 */
	bool fixed; /* `columns` is from --columns: headers must agree */
	bool guess; /* two columns if every line of all inputs ends in two numbers; else cleared */
	bool no_labels; /* --no-labels: label lines are skipped */
	bool allow_empty; /* an input without stacks is valid, unless it has malformed lines */
	const char *unit; /* from --unit: overrides the files' units; else NULL */
	struct folded_columns columns; /* of all files with stacks; n is 0 before the first stack */

	uint64_t lines; /* number of stacks read */
	uint64_t malformed; /* number of skipped lines */
	unsigned jobs; /* number of threads for a large file, or FOLDED_JOBS_ALL; 0 is 1 */
	unsigned warned; /* mask of folded_warning: has been reported, or is not to be */
	/* NULL, or the mask for the inputs of all threads, which then use cli_speak_after. */
	atomic_uint *all_warned;
};

enum folded_warning {
	FOLDED_MALFORMED = 1, /* a malformed line was left out */
	FOLDED_ROUNDED = 2, /* a value has an exponent */
	FOLDED_MISFIT = 4, /* a header does not fit the columns */
	FOLDED_PAIRED = 8, /* a header is perhaps missing */
	FOLDED_UNTERMINATED = 16 /* the last line has no newline */
};
#define FOLDED_SILENT 31U /* for the first of two passes: all of them */

#define FOLDED_NO_COUNT UINT64_MAX
#define FOLDED_JOBS_ALL UINT_MAX /* cli_jobs() */

/* One line of a file, valid until the next call. */
struct folded_line {
	const char *stack; /* without values; contains no NUL */
	size_t len;
	value value[CALLTREE_COLUMNS];
	uint64_t count[CALLTREE_COLUMNS]; /* value as integer, or FOLDED_NO_COUNT */
	uint64_t number; /* line number, from 1 */
	struct str time; /* "12.340 s" of a `# time:` mark after the previous stack, else len 0 */
};

/* A file read line by line, for programs that need stacks, not a tree. */
struct folded_file {
	struct folded *folded;
	struct lines *in;
	struct lines_block block;
	const char *at; /* next unread byte of the block */
	uint64_t number, before_block; /* line numbers: last line; last before the block */
	struct foldedheader about; /* header lines so far */
	struct foldedend end;
	struct text time; /* last time mark, until the next stack was returned */
	bool passed;
	bool scaled; /* set after opening: values are scaled, the header's period is wrong */
	bool part; /* set after opening: a part of an input, whose header may be elsewhere */
	bool columns_set; /* a stack line was read */
	bool stacks; /* a well-formed stack was read */
	bool pairs; /* no header, and all stacks so far end in a number */
	const struct folded_parting *parting; /* set after opening, or NULL: for a large file */
	struct folded_parts *parts; /* the threads, while they read */
	struct folded_aside *aside; /* NULL, or data of a thread's part */
};

/*
 * How a program reads a large file in parts, by folded.jobs threads. `read` reads a part to its
 * end and returns the result; `join` adds that to `arg`, in the order of the file, and frees it,
 * `drop` only frees it. The program itself reads the first part as if it were the whole file.
 */
struct folded_parting {
	void *(*read)(struct folded_file *part, void *arg);
	void (*join)(void *arg, void *read);
	void (*drop)(void *read);
	void *arg;
};

/* Functions for INTO: --columns and --jobs, of a struct folded; --unit, of a const char *. */
void folded_into_columns(void *folded, char *names, const char *option);
void folded_into_jobs(void *folded, char *n, const char *option);
void folded_into_unit(void *unit, char *arg, const char *option);

/* Opens a file. Exits with 2 when it cannot be read or is not folded stacks (foldedtest.h). */
void folded_open(struct folded_file *f, struct folded *folded, const char *path);
/* Takes an open input without a format test; it may have been peeked. folded_close closes it. */
void folded_consumer(struct folded_file *f, struct folded *folded, struct lines *in);
/*
 * Returns the next stack; false at the end. Skips blank lines and comments; counts malformed
 * lines and reports the first with file:line, or with strict exits with 2. Exits with 2 when
 * compressed data are damaged or truncated, before any stack after the damage; at the end, when
 * the announced last line is missing (foldedend.h), and with strict also when the last line of a
 * regular file has no newline: sums are never too small.
 */
bool folded_next(struct folded_file *f, struct folded_line *l);
void folded_close(struct folded_file *f);
/* Like folded_close, but leaves the taken input open, and does not count its overlong lines. */
void folded_release(struct folded_file *f);

/*
 * For folded.c: foldedparts_start starts threads for the rest of the file, if that pays, between
 * two blocks. At the end of the first part, foldedparts_join adds up the others. Where one had a
 * line that is not a plain stack, true: the file is read on from its start. foldedparts_stop ends
 * the threads without that.
 */
void foldedparts_start(struct folded_file *f);
bool foldedparts_join(struct folded_file *f);
void foldedparts_stop(struct folded_file *f);
/* True if the part has to stop: here, or for one before it. */
bool foldedparts_must_stop(struct folded_file *part);
/* True if a part may pass a comment: it has no header line, or it is the last line. */
bool foldedparts_passes(struct folded_file *part, struct str line);
/* Reads a comment; used by foldedparts.c, too. */
void folded_comment(struct folded_file *f, const char *line, const char *end);

/*
 * Adds all stacks of an open file to *tree; creates it, with the file's columns, when it is
 * NULL. Adjacent lines share the work for a common prefix.
 */
void folded_read(struct folded_file *f, struct calltree **tree);

/*
 * After the last file: exits with 2 when no stack was read; reports the number of malformed
 * lines. With folded.guess, and if all lines were pairs, converts *tree to the columns base and
 * head: it must be the tree that folded_read filled. Otherwise tree may be NULL.
 */
void folded_finish(struct folded *folded, struct calltree **tree);

#define FOLDED_CHUNK 256 /* bytes compared by a call of memcmp, which has wider registers */

/*
 * Length of the common prefix of a and b, both at least len long; the first `from` bytes are
 * equal.
 */
__attribute__((always_inline)) static inline size_t
folded_shared(const char *a, const char *b, size_t from, size_t len)
{
	size_t i = from;
	uint64_t x, y;

	while (i + FOLDED_CHUNK <= len && memcmp(a + i, b + i, FOLDED_CHUNK) == 0)
		i += FOLDED_CHUNK;
	for (; i + 16 <= len; i += 16) {
		uint32_t equal = chars_equal16(a + i, b + i);

		if (equal != 0xffff)
			return i + chars_first(equal);
	}
	if (i < len && len >= 16) /* the last 16 bytes, of which the first are equal */
		return len - 16 + chars_first(chars_equal16(a + len - 16, b + len - 16));
	if (i + 8 <= len) {
		memcpy(&x, a + i, 8);
		memcpy(&y, b + i, 8);
		if (x != y)
			return i + (size_t)__builtin_ctzll(le64toh(x ^ y)) / 8;
		i += 8;
	}
	while (i < len && a[i] == b[i])
		i++;
	return i;
}

/*
 * Adds one stack of frames joined by ';' to a tree and returns its node. *prev caches the
 * previous stack: all zero at first, freed with folded_prefix_free.
 */
struct folded_prefix {
	char *stack;
	size_t len, size;
	uint32_t *name, *node; /* by depth, from 1 */
	size_t *end; /* end of frame d in stack */
	uint32_t depth, cap;
	uint32_t *below, nbelow; /* by name: the name last added below it, 0 for none */
	struct folded_recent {
		uint32_t name, sketch; /* the last added one, 0 for none, and its short hash */
	} * recent; /* by the short hash */
	uint32_t places; /* in recent, a power of two */
};
uint32_t folded_add(struct calltree *t, struct folded_prefix *prev, const char *stack, size_t len);
void folded_prefix_free(struct folded_prefix *prev);

/*
 * Writes all stacks of the tree in canonical order (sorts it), and before them, if header, the
 * header lines of columns, which may be NULL. Producers set the known fields with
 * folded_columns_unit and folded_columns_period; columns->n may stay 0 for a plain file.
 */
void folded_write(
    struct output *o, struct calltree *t, const struct folded_columns *columns, bool header);

/*
 * For stacks outside of a tree, or in time order: write the header lines; the mark before the
 * first stack of a time step ("12.340 s"); a stack as a line, or first its text and then its
 * values. All programs write their stacks with these functions, which escape stacks that look
 * like comments.
 */
void folded_write_header(struct output *o, const struct folded_columns *columns);
void folded_write_time(struct output *o, struct str time, unsigned columns);
void folded_write_stack(
    struct output *o, const char *stack, size_t len, const value *v, unsigned columns);
void folded_begin_stack(struct output *o, const char *stack, size_t len);
void folded_end_stack(struct output *o, const value *v, unsigned columns);

/* Replaces the content of stack by the stack that ends at node, escaped like those above. */
void folded_stack(const struct calltree *t, uint32_t node, struct text *stack);

/*
 * The path to the current node as text, frames joined by ';', for pre-order walks: set the
 * frame at a depth (from 1), and s[0..end[depth]) is the stack. All zero at first.
 */
struct folded_path {
	char *s;
	size_t size;
	size_t *end; /* end of the path by depth */
	uint32_t cap;
};
void folded_path_set(struct folded_path *p, uint32_t depth, const char *s, size_t len);
void folded_path_free(struct folded_path *p);

#endif
