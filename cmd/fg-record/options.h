/*
 * options: what the command line of fg-record asks for.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/sample.h"

enum call_graph {
	CALL_GRAPH_DWARF, /* unwound here, out of a copy of the stack */
	CALL_GRAPH_FP, /* walked by the kernel along the frame pointers */
	CALL_GRAPH_LBR, /* recorded by the processor */
};

enum source_note {
	SOURCE_NONE,
	SOURCE_DEFINITION, /* --source: where the function is written */
	SOURCE_LINE, /* --lines: what ran */
};

struct ids {
	int *id;
	size_t n, cap;
};

void ids_add(struct ids *ids, int id);
bool ids_have(const struct ids *ids, int id);

struct options {
	/* The target: one of these. */
	char **command; /* NULL: none */
	struct ids pids, tids;
	char **name; /* of -p NAME, until options_parse has found the processes */
	size_t nname, cap_name;
	const char *cgroup;
	bool all;
	bool every; /* -p NAME: all processes of that name */
	bool with_children; /* and the children that the processes have already */

	const char *event; /* NULL: cycles, or cpu-clock where there are none */
	uint64_t frequency; /* samples per second; 0 when there is a period */
	uint64_t period;
	bool rate_given; /* -F or -c was */
	uint64_t delay, duration, interval; /* ns, 0 for none */
	size_t keep; /* files of intervals; 0: all */

	enum call_graph call_graph;
	uint32_t stack_size; /* bytes of each sample's copy */
	bool stack_given;
	bool deep_stacks; /* asked for */
	size_t ring_size; /* bytes for each CPU, 0 for what suits the machine */
	bool no_kernel;
	bool no_script; /* no functions of scripts: nothing is traced for them */
	bool interpreter_frames; /* native frames of the interpreter's loop, too */
	bool per_thread;
	bool off_cpu, wall; /* where time went, blocked or all of it */
	bool wakers; /* and who ended the wait */
	bool ptrace;

	bool no_inline;
	bool debuginfod; /* the network may be used */
	bool weight_period;
	const char *weight_field; /* of a tracepoint; NULL: none */
	bool hide_idle, idle_given;
	enum source_note source;
	struct labels *labels; /* --label, and what is known of the recording at its start */
	bool no_labels;
	struct sample_options sample; /* what all producers share */
	const char *output; /* NULL: stdout */
	bool output_chosen; /* by outputname: on a terminal without -o */
};

/* Whether the values are times that threads spent, rather than samples. */
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

/* Whether what lies above the copy of a stack is wanted: of what is started here always. */
static inline bool
options_deep(const struct options *o)
{
	return o->call_graph == CALL_GRAPH_DWARF && !options_timed(o) && !o->per_thread &&
	       o->weight_field == NULL && !options_contention(o) &&
	       (o->deep_stacks || (o->command != NULL && !o->stack_given));
}

/* Reads all of the command line; a wrong one is a message and exit 125. */
void options_parse(struct options *o, int argc, char **argv);

#endif
