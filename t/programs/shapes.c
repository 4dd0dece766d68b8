/*
 * shapes: a program with known stacks for the tests of fg-record. The first argument is the kind of
 * stacks, the second is the CPU time to use, in milliseconds.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long counter;
static long milliseconds;

static long
microseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

/* The leaf: makes a call only once in a million rounds. */
__attribute__((noinline)) void
burn(void)
{
	long end = microseconds(CLOCK_THREAD_CPUTIME_ID) + milliseconds * 1000;

	do
		for (int i = 0; i < 1000000; i++)
			counter++;
	while (microseconds(CLOCK_THREAD_CPUTIME_ID) < end);
}

/* The statement after each call prevents a tail call. */
static inline __attribute__((always_inline)) void
inner(void)
{
	burn();
	counter++;
}

static inline __attribute__((always_inline)) void
middle(void)
{
	inner();
	counter++;
}

__attribute__((noinline)) void
outer(void)
{
	middle();
	counter++;
}

__attribute__((noinline)) void
recurse(int depth)
{
	if (depth > 1)
		recurse(depth - 1);
	else
		burn();
	counter++;
}

__attribute__((noinline)) void
handler(int sig)
{
	(void)sig;
	burn();
	counter++;
}

__attribute__((noinline)) void
provoke(void)
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	counter++;
}

__attribute__((noinline)) void *
worker(void *arg)
{
	burn();
	counter++;
	return arg;
}

static void
threads(int n)
{
	pthread_t t[64];

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

__attribute__((noinline)) void
in_child(void)
{
	burn();
	counter++;
}

/* Forks a child that computes, then executes `next`, which computes too. */
static void
fork_and_exec(const char *next, const char *ms)
{
	pid_t pid = fork();

	if (pid == 0) {
		in_child();
		execl(next, next, "busy", ms, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

static void
plugin(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*work)(void (*)(void)) = NULL;

	if (library != NULL)
		*(void **)&work = dlsym(library, "plugin_work");
	if (work == NULL)
		exit(3);
	work(burn);
}

__attribute__((noinline)) void
nap(long ms)
{
	usleep((useconds_t)ms * 1000);
	counter++;
}

__attribute__((noinline)) long
nap_long(void)
{
	long begin = microseconds(CLOCK_MONOTONIC);

	nap(150);
	return microseconds(CLOCK_MONOTONIC) - begin;
}

__attribute__((noinline)) long
nap_short(void)
{
	long begin = microseconds(CLOCK_MONOTONIC);

	nap(50);
	return microseconds(CLOCK_MONOTONIC) - begin;
}

/* Sleeps in several ways; prints the sum of each kind, in microseconds. */
static void
sleepy(void)
{
	long longs = 0, shorts = 0;

	for (int i = 0; i < 4; i++) {
		longs += nap_long();
		shorts += nap_short();
		outer();
	}
	printf("%ld %ld\n", longs, shorts);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "busy";

	milliseconds = argc > 2 ? atol(argv[2]) : 200;
	if (strcmp(what, "busy") == 0)
		outer();
	else if (strcmp(what, "recurse") == 0)
		recurse(40);
	else if (strcmp(what, "signal") == 0)
		provoke();
	else if (strcmp(what, "threads") == 0)
		threads(8);
	else if (strcmp(what, "fork") == 0)
		fork_and_exec(argv[3], argv[2]);
	else if (strcmp(what, "plugin") == 0)
		plugin(argv[3]);
	else if (strcmp(what, "sleepy") == 0)
		sleepy();
	else if (strcmp(what, "later") == 0) {
		sleep(1);
		threads(1);
	} else
		return 2;
	return argc > 3 ? atoi(argv[3]) : 0;
}
