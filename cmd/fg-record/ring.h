/*
 * ring: the perf_event ring buffers, one for each CPU or thread, read as one stream in time
 * order.
 */
#ifndef RING_H
#define RING_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/perfevent.h"

struct ring {
	int fd; /* the event that owns the ring */
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	uint64_t head, tail; /* positions: end of what the kernel wrote, start of what is unread */
	struct perfevent next; /* the record at tail, if decoded */
	uint64_t size_of_next; /* bytes; 0: not decoded yet */
	uint64_t *joined; /* contiguous copy of a record that wraps around the end */
};

struct rings {
	struct ring *ring;
	struct pollfd *poll; /* n descriptors, for poll(2) */
	size_t n, cap, cappoll;
	size_t size; /* bytes of each ring */
	struct perfevent_format format;
	size_t taking; /* index of the ring whose record is being consumed */
	bool hung; /* a ring's thread has ended: it cannot be polled any more */
	uint64_t malformed; /* malformed records */
};

typedef void ring_consumer(void *arg, const struct perfevent *e);

/*
 * Size for each of n rings, a power of two: `wanted` bytes, or with 0 a default for n rings;
 * less if this user may not map that much (perf_event_mlock_kb, ulimit -l).
 */
size_t ring_size(size_t wanted, size_t n);

/* Maps the ring of an open event; rs then owns fd. False and errno on error. */
bool ring_add(struct rings *rs, int fd);

/* Unread bytes in the fullest ring. */
uint64_t ring_fill(const struct rings *rs);

/*
 * Calls `take` for every record up to a time (ns), oldest first. Newer records stay, since
 * another ring may still get an older one.
 */
void ring_drain(struct rings *rs, uint64_t until, ring_consumer *take, void *arg);

/* Closes the empty rings whose threads have ended (poll[].fd is -1). */
void ring_close_hung(struct rings *rs);

/* Closes all rings; unread records are discarded. */
void ring_close(struct rings *rs);

#endif
