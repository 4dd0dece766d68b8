/*
 * breakpoints: runs a command with all hardware breakpoints of its threads and children in use.
 */
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	for (unsigned long i = 0; i < 16; i++) { /* more than any processor has */
		struct perf_event_attr a = {.type = PERF_TYPE_BREAKPOINT,
		    .size = sizeof a,
		    .bp_type = HW_BREAKPOINT_X,
		    .bp_addr = 0x1000 + 64 * i,
		    .bp_len = sizeof(long),
		    .inherit = 1,
		    .exclude_kernel = 1};

		syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
	}
	if (argc < 2)
		return 125;
	execvp(argv[1], argv + 1);
	return 127;
}
