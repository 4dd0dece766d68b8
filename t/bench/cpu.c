/*
 * cpu RUNS COMMAND...: runs the commands in turns, so that all see the same machine, and prints
 * for each, one per line, the user and system time of its best run in milliseconds and its peak
 * memory in MB. times(2) would count in hundredths of a second. sh(1) runs a command only if it
 * is more than words. One that fails has the line "- -".
 */
#include <err.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define WORDS 64

extern char **environ;

static double
milliseconds(struct timeval t)
{
	return 1e3 * (double)t.tv_sec + (double)t.tv_usec / 1e3;
}

/* Runs a command without output; returns its CPU time, or -1 if it failed. */
static double
run(const char *command, long *memory)
{
	char *copy = strdup(command), *word[WORDS] = {"sh", "-c", copy, NULL};
	posix_spawn_file_actions_t actions;
	struct rusage used;
	int status, n = 0;
	pid_t pid;

	if (copy == NULL)
		err(2, NULL);
	if (strpbrk(command, "|&;<>$`\\\"'*?[=") == NULL) {
		for (char *s = strtok(copy, " "); s != NULL && n < WORDS - 1; s = strtok(NULL, " "))
			word[n++] = s;
		word[n] = NULL;
	}
	posix_spawn_file_actions_init(&actions);
	for (int i = 1; i <= 2; i++)
		posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, word[0], &actions, NULL, word, environ) != 0 ||
	    wait4(pid, &status, 0, &used) < 0)
		err(2, "%s", command);
	posix_spawn_file_actions_destroy(&actions);
	free(copy);
	if (used.ru_maxrss > *memory)
		*memory = used.ru_maxrss;
	return status == 0 ? milliseconds(used.ru_utime) + milliseconds(used.ru_stime) : -1;
}

int
main(int argc, char **argv)
{
	int runs = argc > 2 ? atoi(argv[1]) : 0, n = argc - 2;
	double *best;
	long *memory;

	if (runs < 1)
		errx(2, "usage: %s runs command...", argv[0]);
	best = calloc((size_t)n, sizeof *best);
	memory = calloc((size_t)n, sizeof *memory);
	if (best == NULL || memory == NULL)
		err(2, NULL);
	for (int i = 0; i < runs; i++)
		for (int k = 0; k < n; k++) {
			double t = run(argv[k + 2], &memory[k]);

			if (i == 0 || t < best[k])
				best[k] = t;
		}
	for (int k = 0; k < n; k++)
		if (best[k] < 0)
			puts("- -");
		else
			printf("%.2f %ld\n", best[k], memory[k] / 1024);
	free(best);
	free(memory);
}
