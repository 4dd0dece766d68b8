/*
 * backtrace: dumps of threads. Each thread of each dump is a sample of 1, its frames
 * stand leaf first unless sampler_input said otherwise; --state and --threads are
 * dealt with here.
 */
#ifndef BACKTRACE_H
#define BACKTRACE_H

#include <stdbool.h>

#include "fg-collapse/reader.h"
#include "fg-collapse/shape/stack.h"

struct backtrace {
	struct reader *reader;
	struct stack stack; /* of the thread at hand: add its frames here */
	uint32_t event;
	bool named; /* threads have their names at the root also without --threads */
	bool open; /* there is a thread at hand */
	bool bare; /* it counts even without a frame */
	struct text name, pid, tid, state;
};

/* named: the thread's name is as good as a comm. */
void backtrace_init(struct backtrace *b, struct reader *r, bool named);
void backtrace_free(struct backtrace *b);

/* A process of which threads follow; empty for none that is known. */
void backtrace_process(struct backtrace *b, struct str pid);

/* The thread before is complete, another begins. What is not known is empty. */
void backtrace_thread(struct backtrace *b, struct str name, struct str tid);
void backtrace_state(struct backtrace *b, struct str state);

/* The thread at hand is complete, if there is one. */
void backtrace_end(struct backtrace *b);

/*
 * All of an input of which each line stands for itself, leaf first: take is asked of each
 * and says false when it is malformed, which `why` names. It is read_input of such a format.
 */
void backtrace_read(
    struct reader *r, bool (*take)(struct backtrace *b, struct str line), const char *why);

#endif
