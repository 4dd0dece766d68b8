/*
 * options: fg-record's options, parsed and checked.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-record/asking/ids.h"
#include "sample/sampleoptions.h"

enum call_graph {
	CALL_GRAPH_DWARF, /* unwound in user space from the stack copy */
	CALL_GRAPH_FP, /* by the kernel, following frame pointers */
	CALL_GRAPH_LBR, /* last branch records of the processor */
};

struct heapshared; /* watching/heapshared.h */

enum source_note {
	SOURCE_NONE,
	SOURCE_DEFINITION, /* --source: the line where the function is defined */
	SOURCE_LINE, /* --lines: the line that ran */
};

struct options {
	/* The target: one of the following. */
	char **command; /* NULL: none */
	struct ids pids, tids;
	char **name; /* of -p NAME; options_parse replaces them by pids */
	size_t nname, cap_name;
	const char *cgroup;
	bool all;
	bool every; /* -p NAME: all processes with that name */
	bool with_children; /* include children that exist already */

	const char *event; /* NULL: cycles, or cpu-clock where the machine has none */
	uint64_t frequency; /* samples per second; 0: `period` is set */
	uint64_t period;
	bool rate_given; /* -F or -c was given */
	uint64_t delay, duration, interval; /* ns, 0 for none */
	uint64_t step; /* ns, of --stream */
	bool stream; /* each interval is a step of one output, not a file */
	size_t keep; /* files of intervals to keep; 0: all */

	enum call_graph call_graph;
	uint32_t stack_size; /* bytes of each sample's stack copy */
	bool stack_given;
	bool deep_stacks; /* --deep-stacks was given */
	size_t ring_size; /* bytes for each CPU; 0: chosen for the machine */
	bool no_kernel;
	bool check; /* print the rights instead */
	bool no_script; /* do not add script frames; nothing is traced for them */
	const char *label_from; /* thread-local variable with the label of --group-by; or NULL */
	bool interpreter_frames; /* keep native frames of the interpreter's loop */
	bool per_thread;
	bool off_cpu, wall; /* measure blocked time (off_cpu) or all time (wall) */
	bool wakers; /* add wakers to blocked stacks */
	uint64_t heap; /* --heap: mean bytes between sampled allocations; 0: not a heap profile */
	bool heap_outside; /* --heap: the profile of Go's runtime is read from outside */
	uint64_t heap_probe[2]; /* addresses of a runtime's functions; 0: of libfgheap.so's */
	struct heapshared
	    *heap_shared; /* --heap: the library writes the samples; NULL: it does not */
	bool mappings; /* --heap counts mmap(2), too */
	bool allocator_frames; /* keep the frames of the allocator */
	bool ptrace;

	bool no_inline;
	bool debuginfod; /* debuginfod servers may be queried */
	bool weight_period;
	const char *weight_field; /* field of the tracepoint that weighs samples; NULL: none */
	bool hide_idle;
	enum source_note source;
	struct labels *labels; /* --label, and facts about the recording known at its start */
	bool no_labels;
	struct sample_options sample; /* options shared with fg-collapse */
	const char *output; /* NULL: stdout */
	bool output_chosen; /* by outputname: on a terminal without -o */
};

/* True if values are times of threads rather than counts of samples. */
static inline bool
options_timed(const struct options *o)
{
	return o->off_cpu || o->wall;
}

/* True if the values are times that threads wait for locks (lock:contention_begin and _end). */
bool options_contention(const struct options *o);

/* True if a sample weighs its period, a field or a time, rather than 1. */
static inline bool
options_weighted(const struct options *o)
{
	return o->weight_period || o->weight_field != NULL || options_contention(o);
}

/* True if the stack above the copy is wanted: the default, but with a given size of the copy. */
static inline bool
options_deep(const struct options *o)
{
	return o->call_graph == CALL_GRAPH_DWARF && !o->per_thread && o->weight_field == NULL &&
	       !options_contention(o) && (o->deep_stacks || !o->stack_given);
}

/* Parses the command line; exits 125 if it is wrong. */
void options_parse(struct options *o, int argc, char **argv);

/* True if each interval has a file of its own. */
static inline bool
options_has_files(const struct options *o)
{
	return o->interval != 0 && !o->stream;
}

#endif
