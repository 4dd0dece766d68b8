/*
 * symbolizer: forks the process, watches its CPU time and reads how it ended.
 */
#include "fg-record/telling/symbolizer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/clock.h"
#include "base/sandbox.h"
#include "elf/debugfile.h"
#include "access/nsdir.h"
#include "access/opener.h"
#include "fg-record/record.h"
#include "fg-record/asking/rights.h"

#define STACK ((size_t)8 << 20) /* bytes: demangling and DWARF recurse, ulimit -s may be small */
#define TICK 100 /* ms */
#define TICK_MAX 200000000 /* ns */
#define STANDSTILL (30 * SECOND_NS) /* ns without CPU time */

static struct symbolizer_shared *own; /* in the child: its own state */

void
symbolizer_open(struct symbolizer *w)
{
	w->shared = mmap(
	    NULL, sizeof *w->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (w->shared == MAP_FAILED)
		cli_die("out of memory");
}

/*
 * Marks the work as failed if the child exits before its end; an atexit(3) function. While it
 * symbolizes it writes nothing: if memory runs out then, it has died of the module that it reads.
 */
static void
mark_unfinished(void)
{
	if (own != NULL && !own->done)
		own->failed = !own->report.naming;
}

/* Pages of a process: all data, and those of them that are in memory; false if unknown. */
static bool
pages_of(pid_t pid, uint64_t *data, uint64_t *anonymous)
{
	char path[sizeof "/proc/2147483647/statm"];
	unsigned long resident, shared, all;
	FILE *f;
	bool known;

	snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
	if ((f = fopen(path, "re")) == NULL)
		return false;
	known = fscanf(f, "%*u %lu %lu %*u %*u %lu", &resident, &shared, &all) == 3;
	fclose(f);
	if (known) {
		*data = all;
		*anonymous = resident > shared ? resident - shared : 0;
	}
	return known;
}

/*
 * Bytes that hostile files may use beside the present ones of this process: half of the machine's,
 * or what RLIMIT_DATA leaves.
 */
static uint64_t
memory_for_files(void)
{
	const long pages = sysconf(_SC_PHYS_PAGES);
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t most = pages > 0 ? (uint64_t)pages / 2 * page : UINT64_MAX, data, anonymous;
	struct rlimit now;

	if (getrlimit(RLIMIT_DATA, &now) == 0 && now.rlim_cur != RLIM_INFINITY &&
	    pages_of(getpid(), &data, &anonymous)) {
		const uint64_t left = now.rlim_cur / page > data ? now.rlim_cur - data * page : 0;

		most = left < most ? left : most;
	}
	return most;
}

/*
 * Limits the memory of this process to `most` bytes beside the present ones. Where memory runs out,
 * the kernel ends it before other processes. Both as far as allowed.
 */
static void
limit_memory(uint64_t most)
{
	const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	uint64_t data, anonymous;
	struct rlimit now;

	if (score >= 0) {
		const ssize_t n = write(score, "1000", 4);

		(void)n;
		close(score);
	}
	if (pages_of(getpid(), &data, &anonymous) && getrlimit(RLIMIT_DATA, &now) == 0) {
		most += data * (uint64_t)sysconf(_SC_PAGESIZE);
		now.rlim_cur = now.rlim_cur < most ? now.rlim_cur : most;
		setrlimit(RLIMIT_DATA, &now);
	}
}

struct job {
	void (*work)(void *arg);
	void *arg;
};

static void *
run(void *arg)
{
	const struct job *j = arg;

	j->work(j->arg);
	return NULL;
}

/* Runs work with a stack that does not depend on RLIMIT_STACK. */
static void
run_with_stack(void (*work)(void *arg), void *arg)
{
	struct job j = {work, arg};
	pthread_attr_t attr;
	pthread_t thread;

	if (pthread_attr_init(&attr) != 0 || pthread_attr_setstacksize(&attr, STACK) != 0 ||
	    pthread_create(&thread, &attr, run, &j) != 0)
		work(arg);
	else
		pthread_join(thread, NULL);
}

/* Enters the sandbox, before the process has threads: a limit is one of a thread. */
static void
limit(bool network)
{
	struct sandbox files = {0};

	sandbox_add(&files, SANDBOX_READ_BELOW, "/");
	nsdir_allow(&files);
	if (network)
		debugfile_network(&files);
	else
		unsetenv("DEBUGINFOD_URLS");
	sandbox_enter(&files);
}

void
symbolizer_start(struct symbolizer *w, bool network, void (*work)(void *arg), void *arg)
{
	int ends[2] = {-1, -1}, link = opener_link();

	w->shared->done = w->shared->failed = w->shared->report.naming = false;
	w->shared->report.progress = (struct naming_progress){0};
	w->memory = memory_for_files();
	snprintf(w->fault, sizeof w->fault, "symbolization failed (a broken file?)");
	modulecost_begin(&w->cost, w->memory, w->failures);
	w->pid = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
	if (w->pid <= 0) {
		if (w->pid == 0) {
			own = w->shared;
			atexit(mark_unfinished);
			if (link >= 0)
				opener_through(link);
			limit_memory(w->memory);
			limit(network);
			run_with_stack(work, arg);
		} else {
			work(arg);
		}
		w->shared->done = true;
		if (w->pid == 0)
			exit(EXIT_SUCCESS);
		close(ends[0]);
	}
	close(ends[1]);
	if (link >= 0)
		close(link);
	w->end = w->pid > 0 ? ends[0] : -1;
	w->forked = w->pid > 0;
	w->cpu = w->still = w->anonymous = 0;
	w->seen = record_now();
}

/*
 * Kills a child that symbolizes but has used no CPU time for STANDSTILL: a file blocks it, on a
 * dead server perhaps, while samples accumulate. Time in which this process was stopped does not
 * count. Debuginfod has its own, longer timeouts. Kills it also if a module takes more than its
 * limits of time and memory: the use between two checks counts for the module at the second
 * one.
 */
static void
end_standstill(struct symbolizer *w)
{
	uint64_t now = record_now(), passed = now - w->seen, cpu, data, anonymous = 0;
	const uint32_t module = w->shared->report.progress.module;
	enum modulecost_answer cost = MODULECOST_WITHIN;
	clockid_t clock;

	if (clock_getcpuclockid(w->pid, &clock) != 0 || (cpu = clock_ns(clock)) == 0)
		return;
	if (cpu != w->cpu || !w->shared->report.naming)
		w->still = 0;
	else
		w->still += passed < TICK_MAX ? passed : TICK_MAX;
	if (pages_of(w->pid, &data, &anonymous))
		anonymous *= (uint64_t)sysconf(_SC_PAGESIZE);
	if (w->shared->report.naming && module != 0 && w->cpu != 0)
		cost = modulecost_add(&w->cost, module, cpu - w->cpu,
		    anonymous > w->anonymous ? anonymous - w->anonymous : 0);
	w->cpu = cpu;
	w->anonymous = anonymous;
	w->seen = now;
	if (cost == MODULECOST_TIME)
		snprintf(w->fault, sizeof w->fault,
		    "symbolization took %" PRIu64 " s of CPU time (a broken file?)",
		    w->cost.ns / SECOND_NS);
	else if (cost == MODULECOST_MEMORY)
		snprintf(w->fault, sizeof w->fault,
		    "symbolization took %" PRIu64 " MB of memory (a broken file?)",
		    w->cost.bytes / 1000000);
	else if (cost == MODULECOST_WITHIN && w->still >= STANDSTILL && !w->waits_long)
		snprintf(w->fault, sizeof w->fault,
		    "symbolization made no progress for 30 s (a file on a dead server?)");
	else if (cost == MODULECOST_WITHIN)
		return;
	rights_kill(w->pid, SIGKILL);
}

/* True if the child ends within ms. */
static bool
ends(struct symbolizer *w, int ms)
{
	struct pollfd fd = {.fd = w->end, .events = POLLIN};

	if (poll(&fd, 1, ms) > 0)
		return true;
	end_standstill(w);
	return false;
}

bool
symbolizer_in_child(void)
{
	return own != NULL;
}

bool
symbolizer_is_working(struct symbolizer *w)
{
	return w->pid > 0 && !ends(w, 0);
}

enum symbolizer_end
symbolizer_wait(struct symbolizer *w)
{
	char byte;

	if (w->pid > 0) {
		while (!ends(w, TICK))
			continue;
		/* waitpid(2) is not enough: a wait for any child may have consumed its status. */
		while (read(w->end, &byte, 1) < 0 && errno == EINTR)
			continue;
		close(w->end);
		while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	w->pid = 0;
	report_check(&w->shared->report);
	return w->shared->done	   ? SYMBOLIZER_DONE
	       : w->shared->failed ? SYMBOLIZER_FAILED
				   : SYMBOLIZER_DIED;
}
