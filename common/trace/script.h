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

/* Reads this label of threads, too. */
void script_set_label(struct script *s, const struct threadlabel_key *key);

/*
 * The runtimes of a process, or NULL, for one sample: cached memory is dropped. /proc is read again
 * only if the process's mappings have changed. Valid until the next call.
 */
struct script_process *script_find(struct script *s, struct process *p);

/* True if the name of a mapped file is that of a runtime whose frames a recipe copies. */
bool script_may_have_recipe(struct process *p);

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

/* True if the recipe of a process copies the label of its threads. */
bool script_follows_label(const struct script_process *sp);

/* True if threads must be stopped for their label, unless a recipe copies it. */
bool script_stops_for_label(const struct script_process *sp);

/*
 * The label of a sample's thread, after script_merge, as KEY=VALUE; empty: it has none, or none
 * that could be read. sp NULL: no process with labels. copies: those of the sample; NULL: the
 * thread is stopped, or else, if not `stopped`, runs. Valid until the next call. Counts the sample.
 */
struct str script_label(struct script *s, struct script_process *sp, const struct process_thread *t,
    const struct copies *copies, bool stopped);

/*
 * The label of a thread whose stack is not read, as script_label: the name of a thread if that is
 * the label, else empty.
 */
struct str script_last_label(struct script *s, const struct process_thread *t);

/* The label of a thread, by its comm. */
struct str script_comm_label(struct script *s, const char *comm);

/* Counts of labels for a summary. */
struct script_labels {
	const char *key; /* NULL: no label was requested */
	uint64_t samples; /* all of them */
	uint64_t read; /* of these, with the label */
	uint64_t uncopied; /* whose process has labels, but the thread ran on before a read */
	const char *reason; /* why labels of a process cannot be read; NULL: no such process */
};
struct script_labels script_labels(const struct script *s);

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
	uint64_t limited; /* whose recipe took all the steps that it may take */
	uint64_t missed; /* samples whose thread was not stopped; reason states why */
	const char *reason; /* NULL: no sample was missed, or refused */
	bool refused; /* the runtime's version is not supported; reason states which */
};

#define SCRIPT_RUNTIMES 32 /* more than there are */

/* Counts of all detected runtimes; returns their number. s may be NULL: there are none. */
size_t script_counts(const struct script *s, struct script_count *count, size_t most);

/*
 * Counts a sample of a process with the runtime whose thread was not stopped. time: of the sample.
 * reason: why, a constant string. script_merge does not count the sample again.
 */
void script_missed(struct script *s, struct script_process *sp, uint64_t time, const char *reason);

#endif
