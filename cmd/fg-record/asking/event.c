/*
 * event: parses event names as in perf (perf-list(1)) into a perf_event_attr, and tests them on
 * this machine.
 */
#include "fg-record/asking/event.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/clock.h"
#include "access/opener.h"
#include "fg-record/asking/check.h"
#include "fg-record/asking/proc.h"
#include "trace/heapabi.h"
#include "trace/unwind.h"

#define SWITCH_COPY 2048 /* bytes of stack copied at each switch while switches are frequent */
#define SWITCH_COPY_MORE 16384 /* the same while they are less frequent */
#define HEAP_COPY 16384 /* --heap: blocks are allocated in bursts */
#define CLOCK_SHORTEST UINT64_C(10000) /* ns: the minimum of perf_swevent_start_hrtimer() */

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
} events[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
};

/* PERF_TYPE_HW_CACHE: perf's CACHE-OPERATIONS and CACHE-OPERATION-misses. */
static const char *const caches[] = {
    "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"};
static const char *const operations[][2] = {
    {"loads", "load-misses"}, {"stores", "store-misses"}, {"prefetches", "prefetch-misses"}};

static bool
parse_cache(struct perf_event_attr *a, const char *name)
{
	for (uint64_t cache = 0; cache < sizeof caches / sizeof *caches; cache++) {
		size_t len = strlen(caches[cache]);

		if (strncasecmp(name, caches[cache], len) != 0 || name[len] != '-')
			continue;
		for (uint64_t op = 0; op < sizeof operations / sizeof *operations; op++)
			for (uint64_t result = 0; result < 2; result++)
				if (strcmp(name + len + 1, operations[op][result]) == 0) {
					a->type = PERF_TYPE_HW_CACHE;
					a->config = cache | op << 8 | result << 16;
					return true;
				}
	}
	return false;
}

/* rNNN: an event number of the processor, hexadecimal. */
static bool
parse_raw(struct perf_event_attr *a, const char *name)
{
	char *end;

	if (name[0] != 'r' || name[1] == '\0' ||
	    strspn(name + 1, "0123456789abcdefABCDEF") != strlen(name + 1))
		return false;
	errno = 0;
	a->type = PERF_TYPE_RAW;
	a->config = strtoull(name + 1, &end, 16);
	return errno == 0;
}

/* SYSTEM:NAME or SYSTEM:PATTERN, whose IDs tracefs has. */
static bool
parse_tracepoints(struct event *ev, const char *name, const char *weight_field)
{
	if (!tracepoints_find(&ev->tracepoints, name, weight_field))
		return false;
	ev->attr.type = PERF_TYPE_TRACEPOINT;
	ev->attr.config = ev->tracepoints.list[0].id;
	return true;
}

static bool
parse_name(struct event *ev, const char *name, const char *weight_field)
{
	struct perf_event_attr *a = &ev->attr;

	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		if (strcmp(name, events[i].name) == 0) {
			a->type = events[i].type;
			a->config = events[i].config;
			return true;
		}
	return parse_cache(a, name) || parse_tracepoints(ev, name, weight_field) ||
	       parse_raw(a, name);
}

/* Parses ev->name without perf's modifiers :u (user code only) and :k (kernel only). */
static void
parse_event(struct event *ev, const struct options *o)
{
	struct perf_event_attr *a = &ev->attr;
	char *bare = cli_strdup(options_contention(o) ? "lock:contention_begin" : ev->name);
	size_t len = strlen(bare);

	if (len > 2 && bare[len - 2] == ':' && (bare[len - 1] == 'u' || bare[len - 1] == 'k')) {
		a->exclude_kernel = bare[len - 1] == 'u';
		a->exclude_user = bare[len - 1] == 'k';
		bare[len - 2] = '\0';
	}
	if (!parse_name(ev, bare, o->weight_field))
		cli_die("%s: no such event", ev->name);
	if (o->weight_field != NULL && a->type != PERF_TYPE_TRACEPOINT)
		cli_die(
		    "--weight field:%s: event %s is not a tracepoint", o->weight_field, ev->name);
	if (ev->tracepoints.n == 1 && strpbrk(bare, "*?[") != NULL)
		ev->name = ev->tracepoints.list[0].name;
	free(bare);
}

/* True for events that occur in the kernel only: exclude_kernel would omit all samples. */
static bool
is_of_kernel(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_TRACEPOINT ||
	       (a->type == PERF_TYPE_SOFTWARE && (a->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
						     a->config == PERF_COUNT_SW_CPU_MIGRATIONS));
}

/* Excludes the kernel; if the event is of the kernel, or switches are events too, only frames. */
static void
exclude_kernel(struct perf_event_attr *a, const struct options *o)
{
	a->exclude_kernel = !is_of_kernel(a) && !options_timed(o);
	a->exclude_callchain_kernel = 1;
}

static void
set_call_graph(struct perf_event_attr *a, const struct options *o)
{
	a->sample_type |= PERF_SAMPLE_CALLCHAIN;
	switch (o->call_graph) {
	case CALL_GRAPH_DWARF:
		a->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		a->sample_regs_user = unwind_mask;
		a->sample_stack_user = o->stack_size;
		a->exclude_callchain_user = 1;
		break;
	case CALL_GRAPH_LBR:
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
					PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES;
		a->exclude_callchain_user = 1;
		break;
	case CALL_GRAPH_FP:
		a->sample_regs_user = unwind_link_mask();
		a->sample_type |= a->sample_regs_user != 0 ? PERF_SAMPLE_REGS_USER : 0;
		break;
	}
}

/*
 * Samples per second: at most the kernel's present maximum, which it lowers by itself on slow and
 * busy machines.
 */
static uint64_t
allowed_rate(const struct options *o)
{
	const uint64_t wanted = o->frequency != 0 ? o->frequency : 997;
	const long most = proc_sysctl("perf_event_max_sample_rate", -1);

	if (most <= 0 || wanted <= (uint64_t)most)
		return wanted;
	cli_note("-F %" PRIu64 ": the kernel allows %ld samples per second at present; recording "
		 "at -F %ld (sudo sysctl kernel.perf_event_max_sample_rate=%" PRIu64 ")",
	    wanted, most, most, wanted);
	return (uint64_t)most;
}

static void
set_rate(struct perf_event_attr *a, const struct options *o)
{
	if (o->off_cpu || o->heap != 0 || (a->type == PERF_TYPE_TRACEPOINT && !o->rate_given)) {
		a->sample_period = 1;
	} else if (o->period != 0) {
		a->sample_period = o->period;
	} else {
		a->freq = 1;
		a->sample_freq = allowed_rate(o);
	}
}

/*
 * True for a sample each N events that the kernel counts itself. If such samples have their period,
 * perf_swevent_event() takes one for each event, whatever N is.
 */
static bool
is_every_nth(const struct perf_event_attr *a)
{
	return !a->freq && a->sample_period > 1 &&
	       (a->type == PERF_TYPE_SOFTWARE || a->type == PERF_TYPE_TRACEPOINT);
}

/* --heap: calls of libfgheap.so's functions, at their fixed addresses, or of a runtime's. */
static void
set_heap(struct event *ev, const struct options *o)
{
	struct perf_event_attr *a = &ev->attr;

	ev->name = "heap";
	a->type = PERF_TYPE_BREAKPOINT;
	a->bp_type = HW_BREAKPOINT_X;
	a->bp_addr = o->heap_probe[0] != 0 ? o->heap_probe[0] : HEAPABI_ALLOC;
	a->bp_len = sizeof(long);
	a->exclude_kernel = 1; /* else an ordinary user may not open it */
	if (o->heap_shared != NULL) { /* for the records of mappings, forks and exits */
		a->type = PERF_TYPE_SOFTWARE;
		a->config = PERF_COUNT_SW_DUMMY;
		a->bp_type = 0;
		a->bp_addr = a->bp_len = 0;
	}
}

static bool
try_attr(const struct perf_event_attr *a, bool all)
{
	int fd = all ? opener_event(a, -1, 0) : opener_event(a, 0, -1);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* True if the event can be opened; otherwise errno is the reason. */
static bool
try(struct event *ev, const struct options *o)
{
	for (size_t i = 0; i < ev->nalso; i++)
		if (!try_attr(&ev->also[i], o->all))
			return false;
	if (ev->frees && !try_attr(&ev->freed, o->all))
		return false;
	return try_attr(&ev->attr, o->all);
}

static bool
refused(int error)
{
	return error == EACCES || error == EPERM || error == ENOSYS;
}

/* Prints why perf_event_open was refused, and how to get permission. */
static void
explain_refusal(int error, const struct perf_event_attr *a, const struct options *o)
{
	const long paranoid = proc_sysctl("perf_event_paranoid", -1);
	const bool kernel = options_timed(o) || is_of_kernel(a);
	const long need = a->type == PERF_TYPE_TRACEPOINT ? -1 : o->all ? 0 : kernel ? 1 : 2;

	cli_warn("perf_event_open: %s%s", strerror(error),
	    o->all	 ? " (all CPUs)"
	    : o->off_cpu ? " (off-CPU time)"
	    : o->wall	 ? " (wall-clock time)"
	    : kernel	 ? " (events of the kernel)"
			 : "");
	if (error == ENOSYS) {
		cli_warn("this kernel has no perf events, or a sandbox hides them");
	} else if (paranoid > need) {
		cli_warn("kernel.perf_event_paranoid is %ld; one of these helps:", paranoid);
		cli_warn("  sudo fg-record ...");
		cli_warn("  sudo sysctl kernel.perf_event_paranoid=%ld", o->all ? -1L : need);
		cli_warn("  sudo setcap cap_perfmon,cap_sys_ptrace=ep \"$(command -v fg-record)\"");
	} else {
		cli_warn(
		    "in a container, the seccomp profile may forbid it; start it with one of:");
		cli_warn("  docker run --cap-add PERFMON --security-opt seccomp=unconfined ...");
		cli_warn("  docker run --privileged ...");
	}
	cli_warn(CHECK_HINT);
}

static bool
is_absent(int error)
{
	return error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == ENXIO;
}

/* Exits 125 for an error that is due to the event or its options; nothing can replace it. */
static void __attribute__((noreturn))
die_of(const struct event *ev, const struct options *o, int error)
{
	long rate = proc_sysctl("perf_event_max_sample_rate", -1);

	if (o->call_graph == CALL_GRAPH_LBR)
		cli_die(
		    "%s: this processor cannot record call stacks (LBR); use --call-graph dwarf",
		    ev->name);
	if (error == EINVAL && ev->attr.freq && rate > 0 && (uint64_t)rate < ev->attr.sample_freq)
		cli_die(
		    "%llu samples per second are more than the kernel allows; use -F %ld, or sudo "
		    "sysctl kernel.perf_event_max_sample_rate=%llu",
		    (unsigned long long)ev->attr.sample_freq, rate,
		    (unsigned long long)ev->attr.sample_freq);
	if (ev->frees && (is_absent(error) || error == ENOSPC))
		cli_die("--heap needs two hardware breakpoints, which this machine lacks or other "
			"programs use (a debugger?): %s; try -e page-faults -c 1",
		    strerror(error));
	if (is_absent(error) && ev->attr.type != PERF_TYPE_SOFTWARE &&
	    ev->attr.type != PERF_TYPE_TRACEPOINT)
		cli_die(
		    "%s: this machine has no hardware counter for it (a virtual machine?); try -e "
		    "cpu-clock",
		    ev->name);
	cli_die("%s: %s", ev->name, strerror(error));
}

static void
fall_back_to_cpu_clock(struct event *ev)
{
	cli_note(
	    "no hardware cycles on this machine (a virtual machine?); sampling cpu-clock instead");
	ev->name = "cpu-clock";
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	ev->attr.exclude_idle = 1;
}

/* Tries the event without kernel samples; false if that is refused too. */
static bool
try_without_kernel(struct event *ev, const struct options *o)
{
	bool cycles =
	    ev->attr.type == PERF_TYPE_HARDWARE && ev->attr.config == PERF_COUNT_HW_CPU_CYCLES;

	if (ev->attr.exclude_kernel || is_of_kernel(&ev->attr) || options_timed(o) ||
	    ev->attr.exclude_user)
		return false;
	ev->attr.exclude_kernel = 1;
	ev->attr.exclude_callchain_kernel = 1;
	if (!try(ev, o)) {
		if (!cycles || !is_absent(errno))
			return false;
		fall_back_to_cpu_clock(ev);
		if (!try(ev, o))
			return false;
	}
	if (cli_verbose || isatty(STDERR_FILENO))
		cli_note("recording user code only (perf_event_paranoid is %ld)",
		    proc_sysctl("perf_event_paranoid", -1));
	return true;
}

/*
 * Sets the period and its unit. The kernel samples clocks by a timer, at a fixed period; with a
 * frequency, periods of other events vary.
 */
static void
set_period(struct event *ev)
{
	const struct perf_event_attr *a = &ev->attr;
	bool clock = a->type == PERF_TYPE_SOFTWARE && (a->config == PERF_COUNT_SW_CPU_CLOCK ||
							  a->config == PERF_COUNT_SW_TASK_CLOCK);

	ev->unit = clock ? "ns" : ev->name;
	ev->period = !a->freq ? a->sample_period : clock ? SECOND_NS / a->sample_freq : 0;
	if (clock && ev->period < CLOCK_SHORTEST)
		ev->period = CLOCK_SHORTEST;
}

/* Another event on the same threads, without the sideband records that attr requests. */
static struct perf_event_attr *
add_also(struct event *ev)
{
	struct perf_event_attr *a = &ev->also[ev->nalso++];

	*a = ev->attr;
	a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = a->context_switch = 0;
	return a;
}

static void
set_copy(struct perf_event_attr *a, uint32_t bytes)
{
	if (a->sample_type & PERF_SAMPLE_STACK_USER)
		a->sample_stack_user = bytes;
}

/*
 * --heap: the ends of sampled blocks, for which registers are enough; or the second function of a
 * runtime.
 */
static void
set_freed(struct event *ev, const struct options *o)
{
	const bool probed = o->heap_probe[1] != 0;

	ev->freed = ev->attr;
	ev->freed.bp_addr = probed ? o->heap_probe[1] : HEAPABI_FREE;
	ev->freed.mmap = ev->freed.mmap2 = ev->freed.comm = ev->freed.comm_exec = 0;
	ev->freed.task = 0;
	if (!probed || !o->stack_given)
		set_copy(&ev->freed, probed ? HEAP_COPY : 0);
	ev->frees = true;
}

/* -e lock:contention: waits for locks, from lock:contention_begin to lock:contention_end. */
static void
set_contention(struct event *ev)
{
	struct perf_event_attr *a = &ev->attr, *end;
	struct tracepoints end_of;

	a->sample_type |= PERF_SAMPLE_RAW;
	if (!tracepoints_find(&end_of, "lock:contention_end", NULL))
		cli_die("%s: this kernel has no tracepoint lock:contention_end", ev->name);
	end = add_also(ev);
	end->config = end_of.list[0].id;
	end->exclude_callchain_kernel = end->exclude_callchain_user = 1;
	set_copy(end, 0);
	ev->waited_id = end->config;
	ev->tracepoints.n = 0; /* the two have different attributes */
}

/*
 * A sample at each switch-out. Where switches are frequent, a ring has no space for large stack
 * copies; where they are rare, large copies give more complete stacks.
 */
static struct perf_event_attr *
add_switches(struct event *ev, uint32_t copy)
{
	struct perf_event_attr *a = add_also(ev);

	a->type = PERF_TYPE_SOFTWARE;
	a->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	a->freq = 0;
	a->sample_period = 1;
	a->exclude_idle = 1;
	set_copy(a, copy);
	return a;
}

/*
 * Adds the events of wake-ups. A wake-up ends the blocked time at sched_wakeup, when the thread
 * is queued for a CPU and the kernel's run queue latency starts. sched_wakeup may run in an
 * interrupt of the CPU that the thread is queued for: the waker is known only at sched_waking,
 * less than a microsecond earlier.
 */
static void
set_waking(struct event *ev, const struct options *o)
{
	const char *name = o->wakers ? "sched:sched_waking" : "sched:sched_wakeup";
	struct perf_event_attr *a = &ev->waking;
	struct text format = proc_tracepoint_format(name);
	uint64_t id;

	*a = ev->attr;
	a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = a->context_switch = 0;
	if (tracepoint_id(text_as_str(&format), &id) &&
	    recording_tracepoint(&ev->of_waking, name, text_as_str(&format))) {
		a->type = PERF_TYPE_TRACEPOINT;
		a->config = id;
		a->freq = 0;
		a->sample_period = 1;
		a->exclude_idle = 0;
		if (!o->wakers) {
			a->exclude_callchain_kernel = a->exclude_callchain_user = 1;
			set_copy(a, 0);
		} else {
			set_copy(a, SWITCH_COPY < o->stack_size ? SWITCH_COPY : o->stack_size);
		}
		ev->wakings = try_attr(a, true);
	}
	text_free(&format);
}

/* Sets up --off-cpu, where attr counts nothing, and --wall, where it samples time on a CPU. */
static void
set_timed(struct event *ev, const struct options *o)
{
	struct perf_event_attr *a = &ev->attr;
	uint32_t small = SWITCH_COPY < o->stack_size ? SWITCH_COPY : o->stack_size;

	a->context_switch = 1;
	a->sample_type |= PERF_SAMPLE_RAW;
	if (o->stack_given || o->call_graph != CALL_GRAPH_DWARF)
		small = o->stack_size;
	add_switches(ev, small);
	if (small < o->stack_size && SWITCH_COPY_MORE < o->stack_size)
		add_switches(ev, SWITCH_COPY_MORE);
	if (small < o->stack_size)
		add_switches(ev, o->stack_size);
	set_waking(ev, o);
	if (o->off_cpu) { /* stays enabled when the size of the copies changes */
		a->config = PERF_COUNT_SW_DUMMY;
		a->sample_period = 0;
		set_copy(a, 0);
	}
}

/*
 * Stack copies of varying size: one event for each size. attr writes the records of mappings,
 * forks and exits, and stays enabled when the size changes. With several tracepoints it does that
 * for all of them, also if the size is fixed.
 */
static void
set_sizes(struct event *ev, const struct options *o)
{
	struct perf_event_attr *a = &ev->attr;
	const uint32_t most = o->stack_size, one[] = {most};
	/* Threads of a command inherit all events: use fewer sizes. Tracepoints come in bursts. */
	const uint32_t all[] = {4096, 8192, 16384, 32768, most}, some[] = {8192, most},
		       burst[] = {4096, 16384, most}, heap[] = {HEAP_COPY};
	const bool fixed = o->call_graph != CALL_GRAPH_DWARF || o->stack_given || o->heap != 0;
	const uint32_t *size = ev->tracepoints.n > 0 ? burst : o->all ? all : some;
	size_t n = ev->tracepoints.n > 0 ? 3 : o->all ? 5 : 2;

	if (options_timed(o) || ev->waited_id != 0 || o->heap_shared != NULL ||
	    (fixed && ev->tracepoints.n <= 1 && o->heap == 0))
		return;
	if (fixed) {
		size = o->heap != 0 && !o->stack_given ? heap : one;
		n = 1;
	}
	for (size_t i = 0; i < n; i++)
		set_copy(add_also(ev), size[i]);
	a->type = PERF_TYPE_SOFTWARE;
	a->config = PERF_COUNT_SW_DUMMY;
	a->freq = 0;
	a->sample_period = 0;
	set_copy(a, 0);
}

/* Describes each event to the engine. */
static void
set_roles(struct event *ev, const struct options *o)
{
	const struct perf_event_attr *a = &ev->attr;
	const struct perfevent_format format = {
	    .sample_type = a->sample_type,
	    .read_format = a->read_format,
	    .branch_sample_type = a->branch_sample_type,
	    .regs_user = a->sample_regs_user,
	    .sample_id_all = a->sample_id_all,
	};

	ev->of_attr.format = ev->of_switch.format = ev->of_waking.format = format;
	ev->of_waited.format = format;
	ev->of_attr.role = o->wall	? RECORDING_CLOCK
			   : o->off_cpu ? RECORDING_IGNORED
					: RECORDING_SAMPLES;
	if (ev->waited_id != 0)
		ev->of_attr.role = RECORDING_WAIT;
	if (o->heap != 0)
		ev->of_attr.role = RECORDING_HEAP;
	ev->of_switch.role = RECORDING_LEAVES;
	ev->of_waited.role = RECORDING_WAITED;
	ev->of_attr.period = a->freq ? 0 : a->sample_period;
	ev->of_attr.scaled = a->freq || a->sample_period > 1;
	for (size_t i = 0; i < ev->tracepoints.n; i++) {
		ev->tracepoints.list[i].event = ev->of_attr;
		ev->tracepoints.list[i].event.weight = ev->tracepoints.list[i].weight;
	}
}

bool
event_prepare(struct event *ev, const struct options *o)
{
	struct perf_event_attr *a = &ev->attr;
	int error = 0;

	memset(ev, 0, sizeof *ev);
	a->size = sizeof *a;
	ev->name = o->off_cpu	      ? "context-switches"
		   : o->wall	      ? "cpu-clock"
		   : o->event != NULL ? o->event
				      : "cycles";
	if (o->heap != 0)
		set_heap(ev, o);
	else
		parse_event(ev, o);
	set_rate(a, o);
	a->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD;
	set_call_graph(a, o);
	a->disabled = 1;
	a->exclude_hv = 1;
	a->exclude_guest = 1;
	a->exclude_idle = a->type == PERF_TYPE_SOFTWARE; /* hardware counters stop while idle */
	if (o->no_kernel || a->exclude_kernel)
		exclude_kernel(a, o);
	a->mmap = a->mmap2 = a->comm = a->comm_exec = a->task = 1;
	a->sample_id_all = 1;
	a->use_clockid = 1;
	a->clockid = CLOCK_MONOTONIC;
	if (options_timed(o))
		set_timed(ev, o);
	ev->deep = options_deep(o) && o->heap_shared == NULL && a->type != PERF_TYPE_TRACEPOINT;
	if (o->deep_stacks && !ev->deep)
		cli_usage("--deep-stacks cannot be used with tracepoint %s", ev->name);
	if (ev->deep)
		a->sample_type |= PERF_SAMPLE_RAW;
	if (options_contention(o))
		set_contention(ev);
	if (o->heap != 0 && o->heap_shared == NULL)
		set_freed(ev, o);
	if (o->weight_field != NULL || tracepoints_need_data(&ev->tracepoints))
		a->sample_type |= PERF_SAMPLE_RAW;
	if (is_every_nth(a) && !options_timed(o))
		a->sample_type &= ~(uint64_t)PERF_SAMPLE_PERIOD;
	if (!try(ev, o)) {
		error = errno;
		if (is_absent(error) && a->type == PERF_TYPE_HARDWARE &&
		    a->config == PERF_COUNT_HW_CPU_CYCLES && o->call_graph != CALL_GRAPH_LBR) {
			fall_back_to_cpu_clock(ev);
			error = try(ev, o) ? 0 : errno;
		}
		if (refused(error) && try_without_kernel(ev, o))
			error = 0;
		if (refused(error)) {
			explain_refusal(error, a, o);
			return false;
		}
		if (error != 0)
			die_of(ev, o, error);
	}
	ev->no_kernel = a->exclude_callchain_kernel;
	set_period(ev);
	if (o->weight_field != NULL || ev->waited_id != 0) {
		ev->unit = ev->waited_id != 0 ? "ns" : tracepoints_unit(o->weight_field);
		ev->period = 0;
	}
	if (o->heap != 0) {
		ev->unit = "bytes";
		ev->period = o->heap;
	}
	set_roles(ev, o);
	ev->sampled = *a;
	set_sizes(ev, o);
	return true;
}
