/*
 * scriptsevent: the perf events of a traced thread, which send it a signal for each sample, and
 * their small ring; private to scripts.
 */
#ifndef SCRIPTSEVENT_H
#define SCRIPTSEVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-record/asking/event.h"
#include "fg-record/asking/ids.h"

/* The events of all threads. */
struct scripts_events {
	struct perf_event_attr attr; /* attributes of the event that sends signals */
	struct tracepoints *tracepoints; /* of these; n 0: the event is not a tracepoint */
};

struct scripts_thread {
	int tid, pid;
	int fd; /* its event; -1: could not be opened */
	struct ids others; /* of the other tracepoints, which write into the same ring */
	struct ids numbers; /* the si_fd of its signals */
	int signal;
	uint64_t since[TRACEPOINTS_MAX]; /* ns: start of the samples taken here, by tracepoint */
	uint64_t until; /* ns: their end */
	unsigned char *ring; /* NULL: kernel stacks are not available */
	bool unproven; /* it blocked the signal at its start, and has not stopped by it yet */
	bool ended;
};

/* Sets that no tracepoint of the thread has been enabled yet. */
void scriptsevent_forget(struct scripts_thread *t);

/* Starts the samples of a traced thread; false if it could not get an event or signal (0). */
bool scriptsevent_open(const struct scripts_events *s, struct scripts_thread *t, int signal);

/* True if a signal with that si_fd is of an event of the thread. */
bool scriptsevent_is(const struct scripts_thread *t, int number);

/* Ends the samples of a thread; records that were not read are discarded. */
void scriptsevent_close(const struct scripts_events *s, struct scripts_thread *t);

/*
 * The record at a position of the ring, copied since it may wrap around the end; NULL if it is
 * larger than `size`.
 */
const struct perf_event_header *scriptsevent_record(const struct scripts_events *s,
    const struct scripts_thread *t, uint64_t at, unsigned char *copy, size_t size);

/* The number of records in the ring of a thread. */
uint64_t scriptsevent_pending(const struct scripts_events *s, const struct scripts_thread *t);

#endif
