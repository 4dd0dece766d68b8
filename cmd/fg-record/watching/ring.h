/*
 * ring: the perf_event ring buffers, one for each CPU or thread, read as one stream in time
 * order. A thread can copy records out of the rings as they come, so that none are lost while
 * the caller is busy with earlier ones.
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
	unsigned char *data; /* the records to read: of the ring, or copied by the reader */
	size_t size; /* bytes of data, a power of two */
	uint64_t base; /* the position of data[0] */
	uint64_t head, tail; /* positions: end of the readable records, start of the unread ones */
	uint64_t copied; /* position: end of the records that were copied */
	bool full; /* the reader's memory: the kernel's records wait for space; atomic */
	bool waits; /* full, for ring_drain */
	const unsigned char *kernel; /* the kernel's records */
	struct perfevent next; /* the record at tail, if decoded */
	uint64_t size_of_next; /* bytes; 0: not decoded yet */
	uint64_t *joined; /* contiguous copy of a record that wraps around the end */
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
	struct ring_reader *reader; /* copies records out of the rings; NULL: none */
};

typedef void ring_consumer(void *arg, const struct perfevent *e);

/*
 * Size for each of n rings, a power of two: `wanted` bytes, or with 0 a default for n rings;
 * less if this user may not map that much (perf_event_mlock_kb, ulimit -l).
 */
size_t ring_size(size_t wanted, size_t n);

/* Maps the ring of an open event; rs then owns fd. False and errno on error. */
bool ring_add(struct rings *rs, int fd);

/*
 * Called by the reader's thread after each pass over the rings: the fullest one had `fill` bytes
 * (the size of a ring if the reader's memory is nearly full), and the thread was late by `late` ns.
 */
typedef void ring_looked(void *arg, uint64_t fill, uint64_t late);

/*
 * Starts a thread that copies records out of the rings as they come, into memory for a few
 * seconds of them; pages that a burst needed are freed after some dozen calls of ring_drain. No
 * ring may be added or closed by ring_close_hung from now on. Without the
 * memory or the thread, rings are read in place as before, and rs->reader stays NULL.
 */
void ring_read_ahead(struct rings *rs, ring_looked *looked, void *arg);

/* Ends that thread: `looked` is not called any more. Records can still be read. */
void ring_end_reader(struct rings *rs);

/*
 * A descriptor that is readable when the reader has copied a large part of a ring, to poll in
 * place of poll[]; -1 without reader. Read it to reset it.
 */
int ring_reader_fd(const struct rings *rs);

/* Unread bytes in the fullest ring. */
uint64_t ring_fill(const struct rings *rs);

/*
 * Calls `take` for every record up to a time (ns), oldest first. Newer records stay, since another
 * ring may still get an older one. Returns early after a fifth of a second, since more records may
 * come than the caller can consume, and at records that wait for the reader's memory: then
 * rs->unfinished is set. With UINT64_MAX, for events that are disabled, none stays.
 */
void ring_drain(struct rings *rs, uint64_t until, ring_consumer *take, void *arg);

/* Closes the empty rings whose threads have ended (poll[].fd is -1). */
void ring_close_hung(struct rings *rs);

/* Closes all rings; unread records are discarded. */
void ring_close(struct rings *rs);

#endif
