/*
 * cost: runs a command and reports its resource use.
 *
 *	cost OUT COMMAND...	writes CPU time in us and peak memory in KiB to the file OUT
 *
 * The memory is that of the command's largest process. Exits with the command's status, or 124
 * if it used more CPU time than COST_LIMIT seconds in the environment (LIMIT).
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT "30" /* s */

static long
us(struct timeval t)
{
	return t.tv_sec * 1000000 + t.tv_usec;
}

int
main(int argc, char **argv)
{
	const char *limited = getenv("COST_LIMIT");
	const rlim_t seconds = strtoul(limited != NULL ? limited : LIMIT, NULL, 10);
	const struct rlimit limit = {seconds, seconds};
	struct rusage used;
	FILE *out;
	pid_t pid;
	int status;

	if (argc < 3 || (out = fopen(argv[1], "w")) == NULL || (pid = fork()) < 0)
		return 125;
	if (pid == 0) {
		setrlimit(RLIMIT_CPU, &limit);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &used) != pid)
		return 125;
	fprintf(out, "%ld %ld\n", us(used.ru_utime) + us(used.ru_stime), used.ru_maxrss);
	if (fclose(out) != 0)
		return 125;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL ? 124
									  : 128 + WTERMSIG(status);
}
