/*
 * linewise: a file in the order of whole lines, as `LC_ALL=C sort` leaves it, as what
 * it nearly is: one in canonical order, of which some lines stand elsewhere.
 */
#ifndef LINEWISE_H
#define LINEWISE_H

#include "fg-merge/merge.h"
#include "fg-merge/temporary.h"

struct linewise {
	struct linewise_range { /* numbers of lines that stand elsewhere, in order */
		uint64_t first, last;
	} * elsewhere;
	size_t n, cap;
	struct temporary *part; /* those lines, each part in canonical order, without a header */
	size_t nparts, capparts;
	bool copied; /* part[0] is the rest of the file, which cannot be read again */
};

/* Read a source a first time. Exits with 2 when it is in no such order. */
void linewise_read(struct linewise *l, struct merge *m, const struct profile *s);
void linewise_free(struct linewise *l);

/* Whether a line stands elsewhere; *at is the caller's place, 0 at first, numbers only grow. */
bool linewise_moved(const struct linewise *l, size_t *at, uint64_t number);

#endif
