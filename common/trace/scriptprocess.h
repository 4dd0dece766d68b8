/*
 * scriptprocess: the runtimes of one process.
 */
#ifndef SCRIPTPROCESS_H
#define SCRIPTPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "runtime/runtime.h"
#include "threadlabel/threadlabel.h"

#define SCRIPT_PARTS 8 /* runtimes of one process */

/* A runtime of a process. Copies of one kind follow each other. */
struct script_part {
	size_t kind; /* index of the runtime in the table */
	void *state; /* NULL: it is not supported */
	char *reason; /* why not; or NULL: */
	const char *unready; /* why its state cannot be read, or not yet */
	bool proved; /* the offsets fit this process */
	unsigned failures; /* of their proof */
	char version[32];
	const struct module *module; /* the runtime's file, and its place */
	uint64_t bias;
};

struct script_process {
	int pid;
	bool nested; /* its threads have other numbers in its own PID namespace; */
	struct intmap inner; /* those + 1, by number here */
	uint64_t stamp; /* of the mappings when they were last examined */
	struct runtime_process process;
	struct runtime_module *module;
	size_t capmodule;
	struct script_part part[SCRIPT_PARTS];
	size_t npart;
	uint64_t counted; /* time of the last sample that script_missed counted */
	struct walk_recipe *recipe; /* the last one; NULL: none yet */
	bool planned; /* the recipe is that of the present mappings, or there can be none */
	bool covered; /* it copies frames of all runtimes, not just the label */
	unsigned unplanned; /* attempts to get one that failed */
	uint64_t followed; /* number of the recipe that the BPF program follows; 0: none */
	bool unwalked; /* a recipe does not copy all that the process has */
	bool late; /* script_stack.late of the last sample */
	const struct threadlabel *label; /* that its threads have; NULL: none is known */
	void *label_state;
	char *label_reason; /* why its labels cannot be read; NULL: it has none, or they can */
	unsigned lacking; /* samples in a row whose copies were not enough for one frame */
};

/* True if a running thread must be stopped to read its script stack. */
bool script_needs_stop(const struct script_process *sp);

/* True if a runtime of the process reads stack copies, if only parts of some. */
bool script_reads_copy(const struct script_process *sp);

/* True if generated code of the process does not run on the stacks of its threads. */
bool script_has_own_stack(const struct script_process *sp);

/* Reader for the memory of the process. */
struct memory_reader *script_memory(struct script_process *sp);

/*
 * See struct runtime; 0 without one. linked: only of runtimes that know the frames of processors
 * with a link register.
 */
uint64_t script_frame_size(
    const struct script_process *sp, uint64_t pc, uint64_t stack, bool leaf, bool linked);
uint64_t script_shared_frame(const struct script_process *sp, const uint64_t reg[CFI_REGS]);

#endif
