/*
 * backtrace: thread dumps. Each thread in a dump is a sample of weight 1 whose frames come
 * leaf first, unless sampler_input set another order. Applies --state and --threads.
 */
#ifndef BACKTRACE_H
#define BACKTRACE_H

#include <stdbool.h>

#include "fg-collapse/reader.h"
#include "fg-collapse/shape/stack.h"

struct backtrace {
	struct reader *reader;
	struct stack stack; /* of the current thread: add its frames here */
	uint32_t event;
	bool named; /* threads are named at the root even without --threads */
	bool open; /* a thread has begun */
	uint64_t odd; /* line of the current thread where a frame was expected; 0: none */
	bool bare; /* count the current thread even without frames */
	struct text name, pid, tid, state;
};

/* named: the format's thread names serve as comm. */
void backtrace_init(struct backtrace *b, struct reader *r, bool named);
void backtrace_free(struct backtrace *b);

/* The threads that follow belong to this process; pid is empty if unknown. */
void backtrace_process(struct backtrace *b, struct str pid);

/* Completes the previous thread and begins another. Unknown values are empty. */
void backtrace_thread(struct backtrace *b, struct str name, struct str tid);
void backtrace_state(struct backtrace *b, struct str state);

/*
 * The current line is not a frame. If the current thread has none at its end, it is malformed, and
 * this line is reported.
 */
void backtrace_odd(struct backtrace *b);

/* Completes the current thread, if there is one. */
void backtrace_end(struct backtrace *b);

/*
 * Reads an input whose lines are independent and leaf first; serves as a format's
 * read_input. Calls take for each line; where that returns false, the line is malformed
 * for the reason `why`.
 */
void backtrace_read(
    struct reader *r, bool (*take)(struct backtrace *b, struct str line), const char *why);

#endif
