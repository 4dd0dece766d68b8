/*
 * relay: records in the order of time are handed to another thread, which takes them one
 * by one, so that one reads and sorts while the other follows processes and stacks. That
 * pays for large records, copies of stacks: small ones are taken sooner than handed over.
 * Until the thread is started they are taken at once. What is taken, and in which order,
 * is the same.
 */
#ifndef RELAY_H
#define RELAY_H

#include <stdbool.h>
#include <stdint.h>

#include "order.h"

/* What is malformed, found by the thread that reads: said among the records, in their order. */
typedef void relay_say(void *arg, uint64_t offset, const char *why);

struct relay;

/* take and say are called with arg, by the other thread once there is one. */
struct relay *relay_new(order_take *take, relay_say *say, void *arg);
void relay_start(struct relay *r);

/* order_take, with a struct relay: the record's block is held until it was taken. */
order_take relay_take;
void relay_fault(struct relay *r, uint64_t offset, const char *why);

/* Until all so far was taken: before what take uses is changed. */
void relay_wait(struct relay *r);

/* The same, and it takes no more. */
void relay_free(struct relay *r);

#endif
