/*
 * shares bursts SECONDS: computes for SECONDS in burn(), 2 ms at a time, with sleeps of 100 us
 * in between.
 * shares threads SECONDS: threads that compute for different fractions of the time, until they have
 * used SECONDS of CPU time together.
 * Prints the CPU time of each as "NAME SECONDS".
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

static double
used(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void
compute(double seconds)
{
	double until = used(CLOCK_THREAD_CPUTIME_ID) + seconds;

	while (used(CLOCK_THREAD_CPUTIME_ID) < until)
		for (int i = 0; i < 2000; i++)
			sink += i;
}

#define WORKER(name, ms, us)                                   \
	static void *__attribute__((noinline)) name(void *arg) \
	{                                                      \
		for (;;) {                                     \
			compute(ms * 1e-3);                    \
			if (us > 0)                            \
				usleep(us);                    \
			__asm__ volatile("" ::"r"(arg));       \
		}                                              \
		return arg;                                    \
	}
WORKER(always, 5, 0)
WORKER(half, 5, 5000)
WORKER(quick, 1, 1000)
WORKER(seldom, 3, 30000)

static void
threads(double seconds)
{
	static const struct {
		const char *name;
		void *(*run)(void *);
	} worker[] = {{"always", always}, {"half", half}, {"quick", quick}, {"seldom", seldom}};
	pthread_t t[4];
	clockid_t clock;

	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, worker[i].run, NULL) != 0)
			exit(1);
	while (used(CLOCK_PROCESS_CPUTIME_ID) < seconds)
		usleep(10000);
	for (int i = 0; i < 4; i++) {
		pthread_getcpuclockid(t[i], &clock);
		printf("%s %.6f\n", worker[i].name, used(clock));
	}
}

static void __attribute__((noinline)) burn(void)
{
	compute(0.002);
	__asm__ volatile("");
}

int
main(int argc, char **argv)
{
	double seconds = argc > 2 ? atof(argv[2]) : 1;

	if (argc > 1 && strcmp(argv[1], "threads") == 0) {
		threads(seconds);
		return 0;
	}
	while (used(CLOCK_PROCESS_CPUTIME_ID) < seconds) {
		burn();
		usleep(100);
	}
	printf("burn %.6f\n", used(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
