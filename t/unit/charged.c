/*
 * charged: starts processes that take a quarter of a second of CPU time, of which no clock counts
 * anything. Prints the quarters that charged_read has found: of a child that this process waits
 * for, of one that still runs, of an orphan, and of a child that is not recorded.
 */
#include "fg-record/watching/charged.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "kernel/perfabi.h"

#define QUARTER (SECOND_NS / 4)

static void
burn(void)
{
	while (clock_ns(CLOCK_PROCESS_CPUTIME_ID) < QUARTER)
		continue;
}

static void
see(struct charged *c, uint32_t type, int pid, int ppid)
{
	const struct perfevent e = {
	    .type = type, .pid = (uint32_t)pid, .tid = (uint32_t)pid, .ppid = (uint32_t)ppid};

	charged_see(c, &e, false);
}

/* Starts a process that has taken its time when this returns; an orphan is a grandchild. */
static int
start(bool orphan)
{
	int end[2], pid, first;

	if (pipe(end) != 0 || (first = fork()) < 0)
		exit(1);
	if (first == 0) {
		if (orphan && fork() != 0)
			_exit(0);
		burn();
		pid = getpid();
		if (write(end[1], &pid, sizeof pid) != sizeof pid)
			_exit(1);
		pause();
	}
	if (orphan)
		waitpid(first, NULL, 0);
	close(end[1]);
	if (read(end[0], &pid, sizeof pid) != sizeof pid)
		exit(1);
	close(end[0]);
	return pid;
}

static void
begin(struct charged *c)
{
	int self = getpid();

	*c = (struct charged){0};
	charged_begin(c, &(struct ids){.id = &self, .n = 1});
	charged_read(c, clock_ns(CLOCK_MONOTONIC), 0, 0);
}

static void
end(struct charged *c, const char *what)
{
	charged_read(c, clock_ns(CLOCK_MONOTONIC), 0, QUARTER);
	printf("%s: %.0f quarters, scale %.0f\n", what, (double)c->uncounted / (double)QUARTER,
	    charged_scale(c));
	charged_free(c);
}

int
main(void)
{
	struct charged c;
	int pid;

	begin(&c);
	see(&c, PERF_RECORD_FORK, pid = start(false), getpid());
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	see(&c, PERF_RECORD_EXIT, pid, getpid());
	end(&c, "waited for");

	begin(&c);
	see(&c, PERF_RECORD_FORK, pid = start(false), getpid());
	end(&c, "running");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);

	begin(&c);
	see(&c, PERF_RECORD_FORK, pid = start(true), getpid());
	kill(pid, SIGKILL);
	see(&c, PERF_RECORD_EXIT, pid, 1);
	end(&c, "orphan");

	pid = start(false);
	begin(&c);
	usleep(2 * QUARTER / 1000); /* as long as the CPU time that comes */
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	end(&c, "not recorded");
	return 0;
}
