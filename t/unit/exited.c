/*
 * exited: the comm of a thread's samples after its exit record, for t/exited.t. The kernel still
 * works for an exiting thread after that record.
 *
 *   exited N
 *
 * starts and ends N threads and N processes, and prints the comm of a sample of the last of each
 * and of the first process; the number of mappings of the last process; and the comm of a sample
 * whose process does not have a number any more.
 */
#include <stdio.h>
#include <stdlib.h>

#include "elf/module.h"
#include "access/symsource.h"
#include "trace/perfevent.h"
#include "trace/process.h"

#define FIRST 100000000 /* above pid_max: /proc has none of these processes */

static struct processes *processes;
static struct modules *volatile modules; /* read by leak checkers only: modules are never freed */

static void
task(uint32_t type, int pid, int tid, int ppid)
{
	processes_record(processes, &(struct perfevent){.type = type,
					.pid = (uint32_t)pid,
					.tid = (uint32_t)tid,
					.ppid = (uint32_t)ppid,
					.ptid = (uint32_t)ppid});
}

static void
print_comm(const char *what, int pid, int tid)
{
	printf("%s: %s\n", what, processes_thread(processes, pid, tid)->comm);
}

int
main(int argc, char **argv)
{
	const int n = argc > 1 ? atoi(argv[1]) : 1;
	const int parent = FIRST, thread = FIRST + n, child = FIRST + 2 * n;
	struct process_thread *t;

	modules = modules_new(&symsource_live);
	processes = processes_new(modules);
	processes_record(processes, &(struct perfevent){.type = PERF_RECORD_COMM,
					.pid = (uint32_t)parent,
					.tid = (uint32_t)parent,
					.comm = "server"});
	processes_record(processes,
	    &(struct perfevent){.type = PERF_RECORD_MMAP2,
		.pid = (uint32_t)parent,
		.tid = (uint32_t)parent,
		.mmap = {.start = 0x1000, .size = 0x1000, .prot = 5, .path = "/bin/server"}});
	for (int i = 1; i <= n; i++) {
		task(PERF_RECORD_FORK, parent, thread + i, parent);
		task(PERF_RECORD_EXIT, parent, thread + i, parent);
		task(PERF_RECORD_FORK, child + i, child + i, parent);
		task(PERF_RECORD_EXIT, child + i, child + i, parent);
	}
	print_comm("last thread", parent, thread + n);
	print_comm("last process", child + n, child + n);
	print_comm("first process", child + 1, child + 1);
	t = processes_find_thread(processes, child + n);
	printf("mappings: %s\n", maps_from(&t->process->maps, 0) != NULL ? "some" : "none");
	t = processes_find_thread(processes, parent);
	printf("mappings of the parent: %s\n",
	    maps_from(&t->process->maps, 0) != NULL ? "some" : "none");
	print_comm("without a number", -1, -1);
	processes_free(processes);
	return 0;
}
