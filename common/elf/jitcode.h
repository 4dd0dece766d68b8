/*
 * jitcode: one process's JIT code by address and time. Readers of perf maps and jitdumps add
 * pieces; a query returns the piece at an address and time. The input is untrusted, so storage
 * is bounded.
 */
#ifndef JITCODE_H
#define JITCODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/text.h"

struct jitcode_line {
	uint64_t address;
	const char *file; /* owned by the caller; must outlive the pieces */
	unsigned line;
};

/* A piece of JIT code. */
struct jitcode_piece {
	uint64_t start, end;
	uint64_t time; /* CLOCK_MONOTONIC ns when it was loaded; 0 when unknown */
	const char *name;
	struct jitcode_line *lines; /* by address; or NULL */
	uint32_t nlines;
};

/* All zero when empty. */
struct jitcode {
	struct jitcode_piece *piece; /* in order of addition: a later one replaces earlier ones */
	uint32_t n, cap;
	uint64_t nlines; /* of all pieces */
	struct intmap latest; /* by start: index in piece, plus one; of the first nlatest pieces */
	uint32_t nlatest; /* only jitdumps need it */
	struct jitcode_node *node; /* up to date when nnode == n */
	uint32_t nnode;
	struct jitcode_names *names;
};

/*
 * Adds a piece; copies its name. NULL when its range is invalid, or there are too many pieces.
 * A later piece replaces earlier code in its range, also parts of pieces.
 */
struct jitcode_piece *jitcode_add(
    struct jitcode *c, uint64_t start, uint64_t length, uint64_t time, struct str name);

/* Sets the lines of the last added piece, which takes ownership. Frees lines beyond the limit. */
void jitcode_add_lines(struct jitcode *c, struct jitcode_line *lines, uint32_t n);

/* The last added piece with exactly this start, or NULL; valid until the next is added. */
const struct jitcode_piece *jitcode_latest(struct jitcode *c, uint64_t start);

/* Prepares for jitcode_find, after pieces were added. */
void jitcode_sort(struct jitcode *c);

/*
 * The piece at address at that time (0: the most recent), or NULL. Valid until the next is
 * added; its name and lines until jitcode_clear.
 */
const struct jitcode_piece *jitcode_find(const struct jitcode *c, uint64_t address, uint64_t time);

/* Removes all pieces. */
void jitcode_clear(struct jitcode *c);

#endif
