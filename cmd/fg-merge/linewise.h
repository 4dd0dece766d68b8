/*
 * linewise: reads a file in line order (`LC_ALL=C sort`) as one in canonical order, from which
 * some lines are moved elsewhere.
 */
#ifndef LINEWISE_H
#define LINEWISE_H

#include "fg-merge/merge.h"
#include "fg-merge/temporary.h"

struct linewise {
	struct linewise_range { /* line numbers that are moved, ascending */
		uint64_t first, last;
	} * elsewhere;
	size_t n, cap;
	struct temporary *part; /* the moved lines, without header; each in canonical order */
	size_t nparts, capparts;
	bool copied; /* part[0] is a copy of the other lines: the input cannot be read again */
};

/* Reads a source for the first time. Exits 2 if it is not in line order. */
void linewise_read(struct linewise *l, struct merge *m, const struct profile *s);
void linewise_free(struct linewise *l);

/* True if a line is moved. *at is the caller's position, 0 at first; numbers must ascend. */
bool linewise_moved(const struct linewise *l, size_t *at, uint64_t number);

#endif
