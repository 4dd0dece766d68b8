/*
 * cputimer: counts the intervals of CPU time that each process has used, however long its
 * threads waited for a CPU. A timer on that clock wakes us when an interval may have ended. The
 * timers belong to fg-record: the processes do not see them.
 */
#ifndef CPUTIMER_H
#define CPUTIMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct cputimer {
	int pid;
	timer_t id;
	clockid_t clock; /* CPU time of the process */
	uint64_t next; /* ns of that clock: end of the current interval */
	size_t threads;
	uint64_t owed; /* intervals not charged to a sample yet */
};

struct cputimers {
	struct cputimer *timer;
	size_t n, cap;
	uint64_t interval; /* ns of CPU time */
	int fd; /* readable when a timer has expired; -1 if not open */
};

/* False if this system has no such timers. */
bool cputimer_open(struct cputimers *c, uint64_t interval);

/*
 * Counts one more thread of a process and starts the timer with the first. False if that is
 * refused.
 */
bool cputimer_add(struct cputimers *c, int pid);

/* Counts one less thread of a process and deletes the timer with the last. */
void cputimer_remove(struct cputimers *c, int pid);

/* The timer of a process, or NULL. Valid until the next _add or _remove. */
struct cputimer *cputimer_find(const struct cputimers *c, int pid);

/* The next timer that has expired, or NULL; does not block. */
struct cputimer *cputimer_next(struct cputimers *c);

/* Adds the intervals that have ended to t->owed. */
void cputimer_count(const struct cputimers *c, struct cputimer *t);

void cputimer_close(struct cputimers *c);

#endif
