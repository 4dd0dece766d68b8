/*
 * ringreader: a thread that copies records out of the rings that the consumer leaves to fill.
 */
#ifndef RINGREADER_H
#define RINGREADER_H

#include "fg-record/watching/rings.h"

/*
 * Starts a thread that copies records out of rings that fill, into memory for a few seconds of
 * them; pages that a burst needed are freed some time after it. No ring may be added or closed by
 * ring_close_hung from now on. Without the memory or the thread, rings are read in place as before,
 * and rs->reader stays NULL.
 */
void ring_read_ahead(struct rings *rs, ring_looked *looked, void *arg);

/* Ends that thread: `looked` is not called any more. Records can still be read. */
void ring_end_reader(struct rings *rs);

/*
 * A descriptor that is readable when a large part of a ring is unread, to poll in place of poll[];
 * -1 without reader. Read it to reset it.
 */
int ring_reader_fd(const struct rings *rs);

/* Releases the kernel's space before a position: the reader and the consumer may do so at once. */
void ring_reader_release(struct ring *r, uint64_t position);

/* Ends the thread and frees its memory, with unread records. Does nothing without a reader. */
void ring_reader_free(struct rings *rs);

/* Gives a thread real-time priority; false if that is not allowed. */
bool ring_reader_first(int tid);

/* True if ring_reader_first would succeed, or this process has a scheduling policy of its own. */
bool ring_reader_may_be_first(void);

#endif
