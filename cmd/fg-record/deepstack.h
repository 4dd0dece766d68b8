/*
 * deep: stacks deeper than what perf_event copies of them (64 KB). A BPF program that
 * runs at each sample, in its interrupt, copies what lies above into the same ring; the
 * thread cannot have gone on meanwhile, so that the two parts are of one stack.
 */
#ifndef DEEPSTACK_H
#define DEEPSTACK_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/perfevent.h"

struct deepstack {
	int program, scratch, outputs, denied; /* descriptors; -1 when not open */
	long cpus;
};

/*
 * Load the program for samples that copy so many bytes. False, and errno, where this
 * kernel has no such thing or this user may not: it takes CAP_BPF and CAP_PERFMON.
 */
bool deepstack_open(struct deepstack *d, long cpus, uint32_t copied);

/* The event that the program writes to on each CPU, of the same format as a. */
struct perf_event_attr deepstack_output(const struct perf_event_attr *a);

/* fd is that event on a CPU. */
bool deepstack_add_output(struct deepstack *d, int cpu, int fd);

/* Samples of an event run the program, and those of all that inherit it. */
bool deepstack_follow(const struct deepstack *d, int fd);

/* No more of a process; or again. */
void deepstack_deny(const struct deepstack *d, uint32_t pid, bool deny);

/* Whether a record is a part of a stack: of its thread, from that address. */
bool deepstack_part(
    const struct perfevent *e, uint64_t *address, const unsigned char **bytes, size_t *n);

void deepstack_close(struct deepstack *d);

#endif
