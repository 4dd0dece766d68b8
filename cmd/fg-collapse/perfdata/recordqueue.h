/*
 * recordqueue: passes sorted records to another thread, so that one thread reads and sorts
 * while the other tracks processes and unwinds stacks. That pays for large records (stack
 * copies); small ones take longer to pass than to process. Until the thread is started,
 * records are processed directly. The records and their order are the same in both cases.
 */
#ifndef RECORDQUEUE_H
#define RECORDQUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-collapse/perfdata/timesort.h"

/* Reports malformed data that the reading thread found, in order among the records. */
typedef void recordqueue_fault_fn(void *arg, uint32_t part, uint64_t offset, const char *why);

struct recordqueue;

/* take and say are called with arg; by the other thread once that is started. */
struct recordqueue *recordqueue_new(timesort_consumer *take, recordqueue_fault_fn *say, void *arg);
void recordqueue_start(struct recordqueue *r);

/* A timesort_consumer whose arg is a struct recordqueue; holds the record's block until the
 * record is consumed. */
timesort_consumer recordqueue_take;
void recordqueue_fault(struct recordqueue *r, uint32_t part, uint64_t offset, const char *why);

/* Waits until all records so far are consumed; needed before changing data that take uses. */
void recordqueue_wait(struct recordqueue *r);

/* Waits until all records are consumed, ends the thread and frees r. */
void recordqueue_free(struct recordqueue *r);

#endif
