/*
 * check: tries each right by the call that a recording makes.
 */
#include "fg-record/asking/check.h"

#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/opener.h"
#include "access/symsource.h"
#include "base/cli.h"
#include "fg-record/asking/breakpoints.h"
#include "fg-record/asking/options.h"
#include "fg-record/asking/proc.h"
#include "fg-record/asking/rights.h"
#include "fg-record/asking/standing.h"
#include "fg-record/watching/walker.h"
#include "kernel/perfabi.h"
#include "trace/process.h"
#include "trace/script.h"

#define RING ((size_t)16 << 20) /* bytes of a ring by default */

static bool
opens(struct perf_event_attr a, pid_t pid, int cpu)
{
	int fd;

	a.size = sizeof a;
	fd = opener_event(&a, pid, cpu);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static const struct perf_event_attr cpu_clock = {.type = PERF_TYPE_SOFTWARE,
    .config = PERF_COUNT_SW_CPU_CLOCK,
    .sample_period = 10000000,
    .exclude_kernel = 1};

static bool
has_events(void)
{
	return opens(cpu_clock, 0, -1);
}

static bool
has_cycles(void)
{
	struct perf_event_attr a = cpu_clock;

	a.type = PERF_TYPE_HARDWARE;
	a.config = PERF_COUNT_HW_CPU_CYCLES;
	return opens(a, 0, -1);
}

static bool
has_kernel(void)
{
	struct perf_event_attr a = cpu_clock;

	a.exclude_kernel = 0;
	return opens(a, 0, -1);
}

static bool
has_all(void)
{
	return opens(cpu_clock, -1, 0);
}

/* True if the BPF program can be loaded; recipes: with loops. */
static bool
has_walker(bool recipes)
{
	struct walker w = WALKER_CLOSED;
	const bool opened = walker_open(&w, sysconf(_SC_NPROCESSORS_CONF), WALKER_COPY);
	const bool has = opened && !(recipes && w.plain);

	if (opened)
		walker_close(&w);
	return has;
}

static bool
has_deep(void)
{
	return has_walker(false);
}

static bool
has_recipes(void)
{
	return has_walker(true);
}

/* True if this user may trace processes other than children. */
static bool
has_ptrace(void)
{
	const pid_t tracer = fork();
	int status;

	if (tracer == 0)
		_exit(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) != 0);
	return tracer > 0 && waitpid(tracer, &status, 0) == tracer && status == 0;
}

static bool
has_others(void)
{
	/* A process's memory is a file of its user. */
	const uint64_t both = UINT64_C(1) << CAP_SYS_PTRACE | UINT64_C(1) << CAP_DAC_READ_SEARCH;

	return (standing_of(0).capabilities & both) == both;
}

static bool
has_rings(void)
{
	struct perf_event_attr a = cpu_clock;
	const size_t size = RING + (size_t)sysconf(_SC_PAGESIZE);
	void *ring = MAP_FAILED;
	int fd;

	a.size = sizeof a;
	fd = opener_event(&a, 0, -1);
	if (fd >= 0)
		ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring != MAP_FAILED)
		munmap(ring, size);
	if (fd >= 0)
		close(fd);
	return ring != MAP_FAILED;
}

/* True if the kernel's addresses are not zero. */
static bool
has_symbols(void)
{
	FILE *f = opener_stream(0, OPENER_KALLSYMS);
	uint64_t address = 0;

	if (f == NULL)
		return false;
	if (fscanf(f, "%" SCNx64, &address) != 1)
		address = 0;
	fclose(f);
	return address != 0;
}

static bool
has_tracepoints(void)
{
	struct text format = proc_tracepoint_format("sched:sched_switch");
	const bool has = format.len > 0;

	text_free(&format);
	return has;
}

static const struct row {
	const char *what;
	bool (*has)(void);
	const char *loss; /* without it */
	const char *cure; /* a command */
} rows[] = {
    {"perf events", has_events, "samples by ptrace, at 250 Hz or less",
	"sudo sysctl kernel.perf_event_paranoid=2 (in a container: docker run --cap-add PERFMON "
	"--security-opt seccomp=unconfined)"},
    {"hardware cycles", has_cycles, "cpu-clock is sampled instead, as on most virtual machines",
	NULL},
    {"kernel frames", has_kernel, "no kernel frames, no --off-cpu, no --wall",
	"sudo sysctl kernel.perf_event_paranoid=1"},
    {"all CPUs", has_all, "no -a", "sudo sysctl kernel.perf_event_paranoid=0"},
    {"rings of 16 MB", has_rings, "smaller rings: samples are lost on a busy machine",
	"ulimit -l unlimited, or sudo sysctl kernel.perf_event_mlock_kb=16388"},
    {"deep stacks (BPF)", has_deep, "stacks above 64 KiB are truncated", "sudo fg-record ..."},
    {"scripts by BPF", has_recipes, "-a: no functions of Python, PHP, Ruby, Perl, Lua, Erlang in C",
	"sudo fg-record ..."},
    {"breakpoints", breakpoints_available, "--heap records page faults instead", NULL},
    {"ptrace", has_ptrace, "-p: no functions of Python, Ruby, PHP, Perl, Lua, Erlang, Haskell",
	"sudo sysctl kernel.yama.ptrace_scope=0"},
    {"processes of others", has_others, "only your own processes", "sudo fg-record ..."},
    {"kernel symbols", has_symbols, "kernel frames without names",
	"sudo sysctl kernel.kptr_restrict=0"},
    {"tracefs", has_tracepoints, "no -e TRACEPOINT; --off-cpu estimates the run queue latency",
	"sudo mount -t tracefs tracefs /sys/kernel/tracing, and sudo fg-record ..."},
};

/* Prints the runtimes of all processes that may be read, with the number of these. */
static void
print_runtimes(void)
{
	struct modules *ms = modules_new(&symsource_live);
	struct processes *ps = processes_new(ms);
	struct script *script = script_new(ps, false, false);
	struct script_count count[SCRIPT_RUNTIMES];
	struct ids ids = proc_processes();
	size_t n;

	for (size_t i = 0; i < ids.n; i++) {
		struct process *p;
		struct script_process *sp;

		if (ids.id[i] == getpid() || !proc_has_program(ids.id[i]) ||
		    !processes_read(ps, ids.id[i]) || (p = processes_find(ps, ids.id[i])) == NULL)
			continue;
		sp = script_find(script, p);
		if (sp != NULL)
			script_missed(script, sp, i + 1, NULL);
	}
	free(ids.id);
	n = script_counts(script, count, SCRIPT_RUNTIMES);
	for (size_t i = 0; i < n; i++)
		printf("runtime %-12s %" PRIu64 " %s%s%s\n", count[i].runtime, count[i].samples,
		    text_form(count[i].samples, "process", "processes"),
		    count[i].refused ? ": " : ", read", count[i].refused ? count[i].reason : "");
	script_free(script);
}

void
check_print(void)
{
	const struct options all = {.all = true};
	struct utsname system;

	if (uname(&system) == 0)
		printf("Linux %s, %s; perf_event_paranoid %ld, user %u\n", system.release,
		    system.machine, proc_sysctl("perf_event_paranoid", -1), geteuid());
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const bool has = rows[i].has();

		printf("%-20s %s", rows[i].what, has ? "yes" : "no");
		if (!has)
			printf(": %s", rows[i].loss);
		if (!has && rows[i].cure != NULL)
			printf("; try %s", rows[i].cure);
		putchar('\n');
	}
	fflush(stdout); /* before the process is forked */
	rights_split(&all, NULL);
	print_runtimes();
}
