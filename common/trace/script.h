/*
 * script: the functions of interpreted programs within native stacks. An unwound stack of a
 * thread goes in, with its native frames; the same stack comes out with script frames in the
 * place of the interpreter's own.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/runtime.h"
#include "trace/chain.h"
#include "trace/process.h"

struct script;
struct script_process; /* a process in which a runtime was found */

/* Lines: the line that ran is requested. Interpreter: frames of its loop are shown too. */
struct script *script_new(struct processes *ps, bool lines, bool interpreter);
void script_free(struct script *s);

/*
 * The runtime in a process, or NULL when there is none; /proc is not asked again while the
 * process maps the same code. Valid until the next call.
 */
struct script_process *script_find(struct script *s, struct process *p);

/* Whether any process has a runtime that is read while it runs: soon after each sample. */
bool script_is_urgent(const struct script *s);

/* Whether a thread on a CPU has to be stopped to be read; the runtime's name. */
bool script_needs_stop(const struct script_process *sp);
const char *script_runtime(const struct script_process *sp);

/* The memory that the process's runtime is read from. */
struct memory_reader *script_memory(struct script_process *sp);

/*
 * Put script frames into c, whose user frames were unwound to native (unwind_input.native).
 * copy: what the stack was at the sample; NULL when the thread stands still. False when it
 * runs no script or could not be read.
 */
struct script_copy {
	uint64_t address;
	const unsigned char *bytes;
	size_t n;
};
bool script_merge(struct script *s, struct script_process *sp, const struct process_thread *t,
    const struct native_frame *native, const struct script_copy *copy, struct chain *c);

/* What a summary reports of a runtime. */
struct script_count {
	const char *runtime;
	uint64_t samples; /* of processes with the runtime */
	uint64_t read; /* of these, with script frames */
	const char *reason; /* why most of the others have none; NULL: they run no script */
	bool refused; /* the runtime's version is not supported, as reason states */
};

/* The counts of all runtimes that were seen; returns how many. */
size_t script_counts(const struct script *s, struct script_count *count, size_t most);

/* A sample of a process with the runtime that was not read, for a reason (a constant). */
void script_missed(struct script *s, const struct script_process *sp, const char *reason);

#endif
