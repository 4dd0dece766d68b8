/*
 * script: functions of interpreted programs within native stacks. Input: the unwound stack of a
 * thread with its native frames. Output: that stack with script frames in place of the
 * interpreter's own.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime.h"
#include "trace/chain.h"
#include "trace/process.h"
#include "trace/scriptprocess.h"

struct script;

/*
 * lines: script frames have the line that ran. interpreter: keep the frames of the interpreter's
 * loop.
 */
struct script *script_new(struct processes *ps, bool lines, bool interpreter);
void script_free(struct script *s);

/*
 * The runtimes of a process, or NULL, for one sample: cached memory is dropped. /proc is read again
 * only if the process's mappings have changed. Valid until the next call.
 */
struct script_process *script_find(struct script *s, struct process *p);

/*
 * The recipe by which a BPF program copies what script_merge needs of a running thread; NULL: not
 * all of the process's runtimes have one. Its number changes when its steps do.
 */
const struct walk_recipe *script_recipe(struct script *s, struct script_process *sp);

/*
 * True if the copies of a sample are by the present recipe of the process. Then script_find's
 * memory is restricted to them, until the next call of it.
 */
bool script_restrict(struct script *s, struct script_process *sp, const struct copies *c);

/*
 * True if a process has a runtime that is read while it runs: call script soon after each sample.
 */
bool script_is_urgent(const struct script *s);

/*
 * Add script frames to c, whose user frames were unwound to native (unwind_input.native). copy: the
 * stack at the time of the sample; NULL if the thread is stopped. False if it runs no script or
 * cannot be read.
 */
struct script_copy {
	uint64_t address;
	const unsigned char *bytes;
	size_t n;
	uint64_t time; /* of the sample, ns of CLOCK_MONOTONIC */
	const struct copies *copies; /* by script_restrict; NULL: none */
};
bool script_merge(struct script *s, struct script_process *sp, const struct process_thread *t,
    const struct native_frame *native, const struct script_copy *copy, struct chain *c);

/* Calls script_names_settle: call it before frames are symbolized. */
void script_settle(struct script *s);

/* Counts of one runtime for a summary. */
struct script_count {
	const char *runtime;
	const char *offsets; /* where they are from */
	char version[32]; /* of the first that was read; empty: unknown */
	/* Samples of processes with the runtime; not those with frames of other runtimes only. */
	uint64_t samples;
	uint64_t read; /* of these, with script frames */
	uint64_t copied; /* of these, by a recipe */
	uint64_t missed; /* samples whose thread was not stopped; reason states why */
	const char *reason; /* NULL: no sample was missed, or refused */
	bool refused; /* the runtime's version is not supported; reason states which */
};

/* Counts of all detected runtimes; returns their number. */
size_t script_counts(const struct script *s, struct script_count *count, size_t most);

/*
 * Counts a sample of a process with the runtime whose thread was not stopped. time: of the sample.
 * reason: why, a constant string. script_merge does not count the sample again.
 */
void script_missed(struct script *s, struct script_process *sp, uint64_t time, const char *reason);

#endif
