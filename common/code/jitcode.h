/*
 * jitcode: the pieces of code that one process generated, by address and time.
 * What its runtime tells of them goes in as it is read; the piece at an address,
 * at a time, comes out. A process that is observed says these things: how much is
 * kept of them is bounded.
 */
#ifndef JITCODE_H
#define JITCODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/text.h"

struct jitcode_line {
	uint64_t address;
	const char *file; /* the giver's, for as long as the pieces live */
	unsigned line;
};

/* A piece of generated code. */
struct jitcode_piece {
	uint64_t start, end;
	uint64_t time; /* CLOCK_MONOTONIC ns when it was loaded; 0 when unknown */
	const char *name;
	struct jitcode_line *lines; /* by address; or NULL */
	uint32_t nlines;
};

/* All zero is an empty one. */
struct jitcode {
	struct jitcode_piece *piece; /* as told: a later one takes the place of earlier ones */
	uint32_t n, cap;
	uint64_t nlines; /* of all */
	struct intmap latest; /* by start: number in piece, plus one */
	struct jitcode_node *node; /* all of piece when nnode == n */
	uint32_t nnode;
	struct jitcode_names *names;
};

/*
 * Add a piece; its name is copied. NULL when its range is nonsense, or when there are
 * too many. What is added later takes the place of earlier code, also of parts of it.
 */
struct jitcode_piece *jitcode_add(
    struct jitcode *c, uint64_t start, uint64_t length, uint64_t time, struct str name);

/* Give lines to the piece that was added last, which owns them then; too many are freed. */
void jitcode_add_lines(struct jitcode *c, struct jitcode_line *lines, uint32_t n);

/* The piece that was added last at this very start, or NULL; valid until the next is added. */
const struct jitcode_piece *jitcode_latest(const struct jitcode *c, uint64_t start);

/*
 * The piece at address at that time (0: the last that was there), or NULL. It stays
 * until the next is added; its name and lines until jitcode_clear.
 */
const struct jitcode_piece *jitcode_find(struct jitcode *c, uint64_t address, uint64_t time);

/* Empty it. */
void jitcode_clear(struct jitcode *c);

#endif
