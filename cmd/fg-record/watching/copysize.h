/*
 * copysize: the number of stack bytes that are copied with each sample.
 *
 * There is an event for each size, one of them enabled at a time. Copies are one size larger than
 * 99 % of recent stacks needed. When records come too fast for the rings or their reader, copies
 * become smaller before records are lost; after a while without such pressure, they become larger
 * again.
 */
#ifndef COPYSIZE_H
#define COPYSIZE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-record/asking/options.h"

#define COPYSIZE_LEVELS 5

struct copysize {
	struct ids fds[COPYSIZE_LEVELS]; /* events by size, the smallest copies first */
	/* Bytes of one stack copy, by level; with a BPF program those of a switch, as measured. */
	uint32_t bytes[COPYSIZE_LEVELS];
	bool measured; /* the largest level is */
	size_t levels, level; /* level: the enabled one; levels 0: the size is fixed */
	bool paused; /* none is enabled */
	pthread_mutex_t lock; /* of level and paused */
	bool waits; /* samples start when all events are open */
	uint64_t since; /* ns: start of the time without pressure, or of the count of switches */
	uint64_t shrunk; /* ns: when copies became smaller */
	uint64_t patience; /* ns without pressure before copies become larger */
	uint64_t switches, copied; /* since `since`; bytes of these stacks */
	uint64_t late; /* ns: maximum delay of the reader since `since` */
	uint64_t lost; /* lost records so far */
	uint64_t read; /* ns: last time that the rings were read */
	uint64_t rate; /* bytes/us into a ring at the next larger size, maximum since `since` */
	bool follows; /* the size follows what stacks need */
	/* Recent stacks by the smallest level that holds them; the last one: none does. */
	uint32_t needed[COPYSIZE_LEVELS + 1];
	uint32_t stacks; /* number of recent stacks */
	size_t useful; /* largest useful level by these counts; raised at once; atomic */
};

/* Enables the events of `level`, unless paused, and disables those of the current one. */
void copysize_set(struct copysize *c, size_t level);

/* Disables the events of the current level, or enables those of the level chosen since then. */
void copysize_pause(struct copysize *c, bool pause);

/* Chooses the largest size whose copies the reader can keep up with at the rate of switches. */
void copysize_by_switches(struct copysize *c, size_t cpus);

/* Counts a stack that needed that many bytes. Another thread may choose the size at the same time.
 */
void copysize_needs(struct copysize *c, uint64_t bytes);

/*
 * Chooses the size by ring use, and with `follows` by what stacks need. Call before the rings are
 * read: the fullest ring has `bytes` of `size` bytes; `lost` records were lost so far.
 */
void copysize_by_fill(struct copysize *c, uint64_t bytes, uint64_t size, uint64_t lost);

#endif
