/*
 * takeover: switches the inherited events off while scripts samples every thread of the targets.
 *
 * A thread that scripts samples has two timers otherwise: that of its own event, and that of the
 * inherited event, whose samples are skipped. A process that scripts does not sample needs the
 * inherited event. It is noticed by the record of its fork, or by its CPU time, which are read each
 * few milliseconds: it may lose the samples of that time. Each such process makes the next takeover
 * wait for a longer row of skipped samples, so that a program that creates many processes loses
 * few.
 */
#ifndef TAKEOVER_H
#define TAKEOVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "fg-record/watching/copysize.h"
#include "fg-record/stopping/scripts.h"
#include "trace/perfevent.h"

#define TAKEOVER_OTHERS 8 /* more of them prevent a takeover */

/* A living process, or a thread of a traced one, that scripts does not sample. */
struct takeover_other {
	int tid; /* 0: a process */
	clockid_t clock; /* CPU time of the process */
	uint64_t ran; /* CPU time when the takeover began, ns */
};

struct takeover {
	struct scripts *scripts; /* NULL: the events stay on */
	struct copysize *copy; /* the inherited events */
	bool active; /* they are off */
	bool returns; /* the last one ended only because no thread ran */
	uint64_t row; /* skipped samples since the last other one, or since the last takeover */
	uint64_t needed; /* for the next takeover */
	struct takeover_other other[TAKEOVER_OTHERS];
	size_t nother;
};

/*
 * Prepares t, which is zero; nothing is done where the targets are not complete processes and their
 * children, or where the events of c write the records of new processes too.
 */
void takeover_open(struct takeover *t, struct scripts *s, struct copysize *c);

/* Takes a record; skipped: it is a sample of a thread that scripts samples. */
void takeover_see(struct takeover *t, const struct perfevent *e, bool skipped);

/* Starts or ends a takeover. Call it each few milliseconds while one is active. */
void takeover_step(struct takeover *t);

#endif
