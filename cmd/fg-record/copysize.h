/*
 * copysize: how many bytes of the stack are copied with each sample. For each size there is an
 * event, of which one is enabled at a time; records that come too fast for the rings or their
 * reader make the copies smaller, before more are lost, and calm makes them larger again.
 */
#ifndef COPYSIZE_H
#define COPYSIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-record/options.h"

#define COPYSIZE_LEVELS 3

struct copysize {
	struct ids fds[COPYSIZE_LEVELS]; /* events by level, the smallest copies first */
	uint32_t bytes[COPYSIZE_LEVELS]; /* of a copy */
	size_t levels, level; /* the current one; levels 0: sizes are fixed */
	uint64_t since; /* ns: when the calm began, or the last count of switches */
	uint64_t patience; /* ns: calm for so long, and copies become larger */
	uint64_t switches; /* since then */
	uint64_t late; /* ns: how late the reader was at most, in the calm */
	uint64_t lost; /* records so far */
	uint64_t read; /* ns: when the rings were read last */
	uint64_t rate; /* bytes a us into a ring at the next larger size, at most, in the calm */
};

/* Change to another level: disable the events of the current one and enable the others. */
void copysize_set(struct copysize *c, size_t level);

/* Of context switches: few leave room for the largest copies, many for the smallest only. */
void copysize_by_switches(struct copysize *c, size_t cpus);

/*
 * Before the rings are read: bytes in the fullest one of `size` bytes, and records lost so far.
 */
void copysize_by_fill(struct copysize *c, uint64_t bytes, uint64_t size, uint64_t lost);

#endif
