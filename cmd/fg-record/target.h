/*
 * target: who is sampled: events are opened for a command, for processes, threads
 * or all CPUs, with the rings that they write to, and for what they start later.
 */
#ifndef TARGET_H
#define TARGET_H

#include "fg-record/copysize.h"
#include "fg-record/deepstack.h"
#include "fg-record/event.h"
#include "fg-record/record.h"
#include "fg-record/ring.h"
#include "fg-record/touch.h"
#include "fg-record/scripts.h"

/* What was copied from above a stack's copy, for the sample that follows in the same ring. */
struct above {
	uint32_t tid;
	uint64_t at;
	unsigned char *bytes;
	size_t n, cap;
};

struct target {
	struct event *event;
	struct rings rings;
	struct record *record;
	struct scripts *scripts; /* that samples some threads itself; NULL: none */
	long cpus;
	int *cpu_ring; /* by CPU: the event whose ring others write to, -1 for none */
	struct deepstack deep; /* with recording.deep: */
	struct above *above; /* of each ring */
	struct touch touch; /* untouched pages of stacks */
	bool per_thread; /* a ring for each thread, which its children do not inherit */
	bool wide; /* all CPUs are sampled, and others' records left out */
	struct ids opened; /* events without a ring of their own */
	struct copysize copy; /* of stacks */
	uint32_t copied; /* bytes of each stack, at most */
	uint64_t drained; /* when, the last time */
	struct ids forked; /* threads that records told of */
	struct ids born; /* and all of them since a process is attached to */
};

/* Open the events that the options ask for; command is the child of command_start, or 0. */
void target_open(struct target *t, struct event *ev, struct record *r, pid_t command);

/* With --off-cpu and --wall: look who sleeps already, once the recording has begun. */
void target_look_for_sleepers(struct target *t);

/* Take all records up to a time, and follow new threads where that is ours to do. */
void target_drain(struct target *t, uint64_t until);

/* Stop sampling; what is in the rings stays to be drained. */
void target_stop(struct target *t);

void target_close(struct target *t);

#endif
