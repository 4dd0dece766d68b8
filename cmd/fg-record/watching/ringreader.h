/*
 * ringreader: a thread that copies records out of the rings as they come; private to ring.
 */
#ifndef RINGREADER_H
#define RINGREADER_H

#include "fg-record/watching/ring.h"

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
