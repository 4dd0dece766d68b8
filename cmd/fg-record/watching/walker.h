/*
 * walker: a BPF program that copies more of a thread's memory at a sample than perf_event does:
 * stacks deeper than the copies of perf_event, which have 64 KiB at most and take the space of a
 * full one in the ring, and the structures of interpreters. It writes into the same ring, in the
 * interrupt of the sample. The thread cannot run during the interrupt, so all parts belong to one
 * stack. So small copies suffice.
 */
#ifndef WALKER_H
#define WALKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/perfabi.h"
#include "kernel/walkabi.h"
#include "trace/perfevent.h"

#define WALKER_COPY 8192 /* bytes of perf_event's copy, if no other size was requested */
#define WALKER_COPY_SWITCH 4096 /* the same at a switch */
#define WALKER_MEAN 8192 /* bytes that it copies at a switch, about */
#define WALKER_SIZES 4 /* of copies, at most */

struct walker {
	int program[WALKER_SIZES]; /* n descriptors */
	uint32_t copied[WALKER_SIZES]; /* by program: the size of copies */
	size_t n;
	int scratch, outputs, denied, recipes, kept; /* descriptors; -1 when not open */
	bool plain; /* no recipes: the kernel lacks bpf_loop */
	long cpus;
};

/*
 * Loads the program for samples with stack copies of `copied` bytes, beside those for other copies
 * that are loaded; the first time, makes its maps. False, and errno, if the kernel does not
 * support it or the user lacks CAP_BPF and CAP_PERFMON.
 */
bool walker_open(struct walker *w, long cpus, uint32_t copied);

/* A walker that is not open. */
#define WALKER_CLOSED ((struct walker){{0}, {0}, 0, -1, -1, -1, -1, -1, false, 0})

/*
 * Why neither root nor an option helps here, by the processor and the kernel's version; NULL if
 * walker_open may succeed.
 */
const char *walker_unsupported(void);

/* Attributes of the event that the program writes to on each CPU, in the format of a. */
struct perf_event_attr walker_output(const struct perf_event_attr *a);

/* Sets fd as that event for a CPU. */
bool walker_add_output(struct walker *w, int cpu, int fd);

/* Runs the program for copies of that size at the samples of fd's event and of its children. */
bool walker_follow(struct walker *w, int fd, uint32_t copied);

/* Stops (deny) or resumes deep copies of a process. */
void walker_deny(const struct walker *w, uint32_t pid, bool deny);

/*
 * Follows a recipe in a process from now on, or none with NULL. False, and errno, if it cannot:
 * ENOSYS if no recipes can be followed here.
 */
bool walker_recipe(const struct walker *w, uint32_t pid, const struct walk_recipe *r);

/*
 * True if e is a part of a deep stack: n bytes of e's thread from *address on, valid as long as
 * e.
 */
bool walker_part(
    const struct perfevent *e, uint64_t *address, const unsigned char **bytes, size_t *n);

/* True if e has copies by a recipe: *head, and n bytes of copies, valid as long as e. */
bool walker_copies(
    const struct perfevent *e, struct walk_head *head, const unsigned char **bytes, size_t *n);

/* True if e has the time that the program took at the sample that follows: *ns. */
bool walker_time(const struct perfevent *e, uint64_t *ns);

void walker_close(struct walker *w);

#endif
