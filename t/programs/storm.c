/*
 * storm: forks, vforks and starts threads without a pause, for the given number of milliseconds
 * or until SIGUSR1; exits with status 5. Only the parent prints the last word.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int counter;
static volatile sig_atomic_t enough;

static void
stop(int sig)
{
	(void)sig;
	enough = 1;
}

static void *
thread(void *arg)
{
	for (int i = 0; i < 20000; i++)
		counter++;
	return arg;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int
main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 100);

	signal(SIGUSR1, stop);
	while (now() < end && !enough) {
		pthread_t id;
		pid_t pid = fork();

		if (pid == 0) {
			thread(NULL);
			_exit(0);
		}
		if (vfork() == 0)
			_exit(0);
		if (pthread_create(&id, NULL, thread, NULL) == 0)
			pthread_join(id, NULL);
		while (waitpid(-1, NULL, 0) > 0)
			continue;
	}
	puts("ended");
	return 5;
}
