/*
 * relay: records in the order of time are handed to another thread, which takes them one
 * by one, so that one reads and sorts while the other follows processes and stacks. That
 * pays for large records, copies of stacks: small ones are taken sooner than handed over.
 * Until the thread is started they are taken at once. What is taken, and in which order,
 * is the same.
 */
#ifndef RECORDQUEUE_H
#define RECORDQUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "timesort.h"

/* What is malformed, found by the thread that reads: said among the records, in their order. */
typedef void recordqueue_fault_fn(void *arg, uint64_t offset, const char *why);

struct recordqueue;

/* take and say are called with arg, by the other thread once there is one. */
struct recordqueue *recordqueue_new(timesort_consumer *take, recordqueue_fault_fn *say, void *arg);
void recordqueue_start(struct recordqueue *r);

/* timesort_consumer, with a struct recordqueue: the record's block is held until it was taken. */
timesort_consumer recordqueue_take;
void recordqueue_fault(struct recordqueue *r, uint64_t offset, const char *why);

/* Until all so far was taken: before what take uses is changed. */
void recordqueue_wait(struct recordqueue *r);

/* The same, and it takes no more. */
void recordqueue_free(struct recordqueue *r);

#endif
