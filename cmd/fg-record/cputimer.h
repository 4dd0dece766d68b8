/*
 * cputimer: of each process, how many intervals of CPU time its threads have run, however
 * long they waited for a CPU meanwhile. A timer on that time tells when it is worth to
 * look. The timers are ours: the processes do not know of them, and they go with us.
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
	clockid_t clock; /* of its CPU time */
	uint64_t next; /* ns on it: the end of the interval at hand */
	size_t threads;
	uint64_t owed; /* intervals of which no thread has been sampled yet */
};

struct cputimers {
	struct cputimer *timer;
	size_t n, cap;
	uint64_t interval; /* ns of CPU time */
	int fd; /* readable when one has expired; -1 before cputimer_open and after _close */
};

/* False when this system gives none. */
bool cputimer_open(struct cputimers *c, uint64_t interval);

/* A process has one more thread; its first begins the timer. False when that is refused. */
bool cputimer_add(struct cputimers *c, int pid);

/* A process has one less; with the last the timer ends. */
void cputimer_remove(struct cputimers *c, int pid);

/* The timer of a process, or NULL. */
struct cputimer *cputimer_find(const struct cputimers *c, int pid);

/* The next that has expired since; NULL when there is none. */
struct cputimer *cputimer_next(struct cputimers *c);

/* Add the intervals that have ended to what it owes. */
void cputimer_count(const struct cputimers *c, struct cputimer *t);

void cputimer_close(struct cputimers *c);

#endif
