/*
 * ring: the buffers that the kernel writes records into, one for each CPU (or
 * thread), read as one stream in time order.
 */
#ifndef RING_H
#define RING_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/perfevent.h"

struct ring {
	int fd; /* the event that it belongs to */
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	uint64_t head, tail; /* bytes written and taken so far, as the kernel counts */
	struct perfevent next; /* the record at tail, once decoded */
	uint64_t size_of_next; /* bytes, 0 before */
	uint64_t *joined; /* a record that went round the end, in one piece */
};

struct rings {
	struct ring *ring;
	struct pollfd *poll; /* as many */
	size_t n, cap, cappoll;
	size_t size; /* bytes of each */
	struct perfevent_format format;
	size_t taking; /* the number of the one whose record is taken */
	bool hung; /* one no longer says when it has filled: its thread has ended */
	uint64_t malformed; /* records that made no sense */
};

typedef void ring_consumer(void *arg, const struct perfevent *e);

/*
 * A power of two for each of n rings: wanted bytes, or with 0 what suits so many;
 * less where this user may not have that much (perf_event_mlock_kb, ulimit -l).
 */
size_t ring_size(size_t wanted, size_t n);

/* Map the ring of an open event, which belongs to the rings then; false and errno. */
bool ring_add(struct rings *rs, int fd);

/* Bytes that wait in the fullest ring. */
uint64_t ring_fill(const struct rings *rs);

/*
 * Give every record up to a time (ns), oldest first, to take. What is newer stays,
 * since an older one may still appear in another ring.
 */
void ring_drain(struct rings *rs, uint64_t until, ring_consumer *take, void *arg);

/* Close those that were emptied and whose threads have ended: poll[].fd is -1. */
void ring_close_hung(struct rings *rs);

/* Close all: none is left to drain. */
void ring_close(struct rings *rs);

#endif
