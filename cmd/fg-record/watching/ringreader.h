/*
 * ringreader: a thread that copies records out of the rings as they come.
 */
#ifndef RINGREADER_H
#define RINGREADER_H

#include "fg-record/watching/rings.h"

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

/*
 * Requests a pass of the reader over the rings, and waits for it. If its memory is full, records
 * stay in the rings. Does nothing without a reader.
 */
void ring_reader_copy(struct rings *rs);

/* Ends the thread and frees its memory, with unread records. Does nothing without a reader. */
void ring_reader_free(struct rings *rs);

/* Gives a thread real-time priority; false if that is not allowed. */
bool ring_reader_first(int tid);

/* True if ring_reader_first would succeed, or this process has a scheduling policy of its own. */
bool ring_reader_may_be_first(void);

#endif
