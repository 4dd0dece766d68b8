/*
 * deepstack: stacks deeper than the copies of perf_event, which have 64 KiB at most and take the
 * space of a full one in the ring. A BPF program copies the stack above the copy into the same
 * ring, in the interrupt of the sample. The thread cannot run during the interrupt, so both parts
 * belong to one stack. So small copies suffice, and they need not become smaller while samples come
 * too fast.
 */
#ifndef DEEPSTACK_H
#define DEEPSTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/perfabi.h"
#include "trace/perfevent.h"

#define DEEPSTACK_COPY 8192 /* bytes of perf_event's copy, if no other size was requested */

struct deepstack {
	int program, scratch, outputs, denied; /* descriptors; -1 when not open */
	long cpus;
};

/*
 * Loads the program for samples with stack copies of `copied` bytes. False, and errno, if the
 * kernel does not support it or the user lacks CAP_BPF and CAP_PERFMON.
 */
bool deepstack_open(struct deepstack *d, long cpus, uint32_t copied);

/*
 * Why neither root nor an option helps here, by the processor and the kernel's version; NULL if
 * deepstack_open may succeed.
 */
const char *deepstack_unsupported(void);

/* Attributes of the event that the program writes to on each CPU, in the format of a. */
struct perf_event_attr deepstack_output(const struct perf_event_attr *a);

/* Sets fd as that event for a CPU. */
bool deepstack_add_output(struct deepstack *d, int cpu, int fd);

/* Runs the program at the samples of fd's event and of the events inherited from it. */
bool deepstack_follow(const struct deepstack *d, int fd);

/* Stops (deny) or resumes deep copies of a process. */
void deepstack_deny(const struct deepstack *d, uint32_t pid, bool deny);

/*
 * True if e is a part of a deep stack: n bytes of e's thread from *address on, valid as long as
 * e.
 */
bool deepstack_part(
    const struct perfevent *e, uint64_t *address, const unsigned char **bytes, size_t *n);

void deepstack_close(struct deepstack *d);

#endif
