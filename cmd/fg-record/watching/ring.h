/*
 * ring: the perf_event ring buffers, one for each CPU or thread, read as one stream in time
 * order. A thread can copy records out of rings that fill, so that none are lost while the caller
 * is busy with earlier ones.
 */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-record/watching/rings.h"

typedef void ring_consumer(void *arg, const struct perfevent *e);

/*
 * Size for each of n rings, a power of two: `wanted` bytes, or with 0 a default for n rings;
 * less if this user may not map that much (perf_event_mlock_kb, ulimit -l).
 */
size_t ring_size(size_t wanted, size_t n);

/* Maps the ring of an open event; rs then owns fd. False and errno on error. */
bool ring_add(struct rings *rs, int fd);

/* Adds a ring that we fill ourselves, by ring_put. False if memory is short. */
bool ring_add_own(struct rings *rs);

/*
 * Appends a record of n bytes, a multiple of 8, to such a ring of `size` bytes; false if it has no
 * space.
 */
bool ring_put(struct ring *r, size_t size, const void *record, size_t n);

/* Unread bytes in the fullest ring. */
uint64_t ring_fill(const struct rings *rs);

/*
 * Calls `take` for every record up to a time (ns), oldest first. Newer records stay, since another
 * ring may still get an older one. Returns early after a fifth of a second, since more records may
 * come than the caller can consume: then rs->unfinished is set. With UINT64_MAX, for events that
 * are disabled, none stays.
 */
void ring_drain(struct rings *rs, uint64_t until, ring_consumer *take, void *arg);

/* Closes the empty rings whose threads have ended (poll[].fd is -1). */
void ring_close_hung(struct rings *rs);

/* Closes all rings; unread records are discarded. */
void ring_close(struct rings *rs);

#endif
