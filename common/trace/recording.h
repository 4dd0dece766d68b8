/*
 * recording: the engine that turns perf events into samples. Input: decoded records in time order,
 * from ring buffers or from perf.data. Output: a call tree of modules and addresses (rawtree),
 * which naming symbolizes. Nothing above this interface depends on the source of the records.
 *
 * In off-CPU and wall-clock profiles the weights are ns of thread states, see timeline.h; in others
 * they are samples.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "trace/chain.h"
#include "trace/chaincache.h"
#include "trace/deferred.h"
#include "trace/heap.h"
#include "trace/heapprobe.h"
#include "trace/perfevent.h"
#include "trace/process.h"
#include "trace/rawtree.h"
#include "trace/script.h"
#include "trace/timeline.h"
#include "trace/tracepoint.h"
#include "trace/unwind.h"

#define RECORDING_NS_OF_US 1000
#define RECORDING_CPUS 65536 /* more than Linux supports */

/* Use of an event's samples. */
enum recording_role {
	RECORDING_SAMPLES, /* weighted stacks */
	RECORDING_IGNORED,
	/* Off-CPU and wall-clock profiles: */
	RECORDING_CLOCK, /* stacks of running threads */
	RECORDING_LEAVES, /* a thread switches out; PERF_RECORD_SWITCH has the rest */
	RECORDING_SWITCH, /* sched:sched_switch: one thread switches out, another in */
	RECORDING_WAKE, /* the thread in the raw data is woken by the current one */
	/* Lock contention: */
	RECORDING_WAIT, /* the thread starts to wait for a lock, with that stack */
	RECORDING_WAITED, /* the wait ends; its ns are the weight of the stack at its start */
	RECORDING_HEAP, /* allocations and ends of blocks, see heapsample */
};

/* An event of a recording. */
struct recording_event {
	struct perfevent_format format;
	enum recording_role role;
	uint64_t period; /* of samples without a period of their own */
	bool has_wakers; /* RECORDING_WAKE: the current thread is the waker, or interrupted by it */
	/* Tracepoint fields: */
	struct tracepoint_field
	    thread; /* RECORDING_WAKE: the woken thread; RECORDING_SWITCH: the next thread */
	struct tracepoint_field flags; /* common_flags */
	struct tracepoint_field state; /* RECORDING_SWITCH: state of the previous thread */
	uint64_t blocked, dead; /* bits of `state` */
	/* RECORDING_SAMPLES: weight of each sample, if size is not 0 */
	struct tracepoint_field weight;
	uint64_t frame; /* address of a kernel function that is added as leaf; 0: none */
	bool scaled; /* that weight is multiplied by the period */
};

/* Causes of stacks that end on another stack, and of empty stack copies, for messages. */
#define SWITCHED_CAUSE "their callers are on another stack, as with coroutines and some runtimes"
#define OUTSIDE_CAUSE "their processes are outside of the PID namespace of the recorder"
#define UNCOPIED_CAUSE \
	"execve(2) had released the program's memory, or the stack's page was swapped out"

/* Counts for the summary. */
struct recording_count {
	uint64_t samples; /* counted samples */
	uint64_t stack[CHAIN_REACHES]; /* user stacks of samples, by how much of them was read */
	uint64_t unreadable; /* the user stack is missing, or is that of another machine type */
	uint64_t undeferred; /* samples whose deferred call chain is missing */
	uint64_t lost, lost_samples; /* records, samples lost to a full ring */
	uint64_t throttled; /* times that the kernel limited the rate */
	uint64_t stray; /* records of unknown events */
	uint64_t malformed;
};

/* Number of the stacks of these kinds; of all user stacks; of truncated and of broken ones. */
static inline uint64_t
recording_stacks(const struct recording_count *c, enum chain_reach from, enum chain_reach to)
{
	uint64_t n = 0;

	for (int i = (int)from; i <= (int)to; i++)
		n += c->stack[i];
	return n;
}

static inline uint64_t
recording_user(const struct recording_count *c)
{
	return recording_stacks(c, CHAIN_COMPLETE, CHAIN_BROKEN);
}

static inline uint64_t
recording_truncated(const struct recording_count *c)
{
	uint64_t n = 0;

	for (int i = 0; i < CHAIN_REACHES; i++)
		n += chain_is_truncated((enum chain_reach)i) ? c->stack[i] : 0;
	return n;
}

static inline uint64_t
recording_broken(const struct recording_count *c)
{
	return recording_stacks(c, CHAIN_GENERATED, CHAIN_BROKEN);
}

/* The wait of a thread for a lock. */
struct recording_wait {
	uint64_t time; /* start of the wait, ns; 0: not waiting */
	uint32_t node; /* its stack at the start */
};

/* Constant during a recording. */
struct recording_options {
	bool pid, tid; /* shown at the root; otherwise threads with equal comms share a root */
	uint64_t sample_weight; /* weight of each sample or wait; 0: its period or its ns */
	bool off_cpu, wall; /* profile of blocked time, or of all time */
	bool wakers; /* append the waker's stack to the sleeper's */
	bool ordered; /* record the order of samples */
	uint64_t step; /* ns: time step of that order, see rawtree */
	size_t chain_max; /* the kernel's limit of addresses in a call chain; 0: unknown */
	bool swapped; /* raw data are byte-swapped */
	bool calls; /* call chains have addresses of calls, not return addresses */
	bool allocator_frames; /* keep frames that libfgheap.so has called */
};

struct recording {
	struct recording_options options;
	struct modules *modules;
	struct processes *processes; /* owned */
	struct unwind *unwind; /* owned; set by recording_machine */
	struct script *script; /* owned; set by a source with living processes, or NULL */
	struct rawtree *rawtree; /* owned, until recording_take */
	struct heap *heap; /* owned; set by a source whose events are RECORDING_HEAP, or NULL */
	struct heapprobes probes; /* set by such a source: the runtime's functions, if any */
	struct timeline timeline;
	struct recording_count count;
	bool sees_switch_ins; /* by PERF_RECORD_SWITCH; otherwise by system-wide sched_switch */
	uint64_t copied; /* bytes of the largest stack copies; 0: none, or not known */
	uint64_t begin; /* ns: earlier events are not counted; set by recording_begin */
	uint64_t end; /* ns: events from then on are not counted; 0: no limit */

	/* Callbacks to the source. NULL: every sample counts; nothing is called. */
	void *arg;
	/* True if a sample of that weight is to be counted. */
	bool (*wanted)(void *arg, struct recording_event *ev, uint64_t time, uint64_t weight);
	/* True if the source has taken over a stack of the tree, to add it later. */
	bool (*held)(void *arg, int pid, uint32_t node, uint64_t time, uint64_t weight);
	/* Called for each sample whose stack copy was too short to unwind it or has gaps. */
	void (*truncated)(void *arg, const struct perfevent_format *f, const struct perfevent *e,
	    const struct process_thread *t);
	/* Event with that id, for samples with the values of several counters. */
	struct recording_event *(*event_of_id)(void *arg, uint64_t id);

	/* Internal. */
	struct chain chain; /* of the current sample */
	bool walked; /* it has script frames that were copied by a recipe */
	struct str label; /* of its thread, see script_label; empty: none */
	struct native_frame *native; /* its frames, for scripts */
	struct chaincache chains;
	struct deferred deferred;
	struct intmap values; /* of counters by id: last value plus one */
	struct intmap waits; /* by thread: the wait for a lock that has started */
	struct recording_cpu {
		uint64_t time; /* ns: last switch on this CPU; 0: none yet */
		uint32_t current; /* thread that switched in then */
	} * cpu;
	size_t ncpu;
	uint64_t follows, breaks; /* switch-outs of that thread; of others */
	uint64_t kernel_changes; /* number of changes to the kernel's map */
	uint64_t kernel_reference; /* address of _text or _stext in its records, or 0 */
	char kernel_reference_name[32];
	struct rawtree_task last; /* the last task and its node */
	uint32_t task;
};

/* Prepare a recording. The modules remain the caller's. */
void recording_init(
    struct recording *r, struct modules *modules, const struct recording_options *o);
void recording_free(struct recording *r);

/* Set the machine type whose stacks are recorded, as unwind_new; call it before the first sample.
 */
void recording_machine(struct recording *r, const char *arch);

/* Count samples and times from this moment on. */
void recording_begin(struct recording *r, uint64_t time);

/* Count samples and times before this moment only. */
void recording_limit(struct recording *r, uint64_t time);

/* True if samples and times of this moment count. */
bool recording_includes(const struct recording *r, uint64_t time);

/*
 * Set the role of a tracepoint, "sched:sched_switch" or a wake-up, by its format text.
 * False when the name is not one of these, or the text does not have the fields.
 */
bool recording_tracepoint(struct recording_event *ev, const char *name, struct str format);

/* Hand over the tree to the caller and continue with an empty one. */
struct rawtree *recording_detach_tree(struct recording *r);

/* Parts of taking a record, also for sources that read threads themselves. */

/* Fill *task with the fields that the root of t's stacks shows. */
void recording_set_task(
    const struct recording *r, struct rawtree_task *task, const struct process_thread *t);

/* The root node of t, with its values in that column. */
uint32_t recording_task(
    struct recording *r, const struct process_thread *t, enum timeline_column column);

/* recording_task for the stack in r->chain, with the label of its thread. */
uint32_t recording_stack_task(
    struct recording *r, const struct process_thread *t, enum timeline_column column);

/* Reads the label of t, after its stack; sp NULL, copies, stopped: see script_label. */
void recording_read_label(struct recording *r, struct script_process *sp,
    const struct process_thread *t, const struct copies *copies, bool stopped);

/* The column of off-CPU time. */
static inline enum timeline_column
recording_off_cpu(const struct recording *r)
{
	return r->options.wall ? TIMELINE_BLOCKED : 0;
}

/* recording_task for off-CPU time. */
uint32_t recording_off_cpu_task(struct recording *r, const struct process_thread *t);

/*
 * Read the stack of a sample of thread t into r->chain. copies: also of script stacks that are
 * complete only in a stopped thread, those parts that the stack copy has.
 */
void recording_read_chain(struct recording *r, const struct perfevent_format *f,
    const struct perfevent *e, struct process_thread *t, bool copies);

/*
 * Counts a user stack, and returns its kind. copied: bytes of its copy; UINT64_MAX: it was read
 * from the thread.
 */
enum chain_reach recording_count_chain(struct recording *r, const struct chain *c, uint64_t copied);

#endif
