/*
 * rings: the ring buffers of a recording.
 */
#ifndef RINGS_H
#define RINGS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/perfevent.h"

struct ring {
	int fd; /* the event that owns the ring */
	struct perf_event_mmap_page *page;
	const unsigned char *kernel; /* the kernel's records: rings.size bytes */
	unsigned char *data; /* the reader's memory; without a reader, the kernel's records */
	size_t size; /* bytes of data, a power of two */
	uint64_t base; /* the position of data[0] */
	uint64_t head, tail; /* positions: end of the readable records, start of the unread ones */
	uint64_t copied; /* position: end of what left the kernel's part, not before tail; atomic */
	struct perfevent next; /* the next record, if has_next */
	bool has_next;
	uint64_t end_of_next; /* position */
	uint64_t *joined; /* a contiguous copy of a record: of the kernel's, or of one that wraps */
};

struct ring_reader;

struct rings {
	struct ring *ring;
	struct pollfd *poll; /* n descriptors, for poll(2) */
	size_t n, cap, cappoll;
	size_t size; /* bytes of each ring */
	struct perfevent_format format;
	size_t taking; /* index of the ring whose record is being consumed */
	bool hung; /* a ring's thread has ended: it cannot be polled any more */
	uint64_t malformed; /* malformed records */
	bool unfinished; /* ring_drain has left records that it could have consumed */
	struct ring_reader *reader; /* copies what would stay too long; NULL: none */
};

/*
 * Called by the reader's thread after each pass over the rings: the fullest one got `fill` bytes
 * since the pass before (the size of a ring if the reader's memory is nearly full), and the thread
 * was late by `late` ns.
 */
typedef void ring_looked(void *arg, uint64_t fill, uint64_t late);

#endif
