/*
 * clocks: wall-clock time and run queue latency of the calling thread, in microseconds.
 */
#include <stdio.h>
#include <time.h>

static double
now(clockid_t c)
{
	struct timespec t;

	clock_gettime(c, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* The run queue latency of this thread; 0 if the kernel does not count it. */
static double
queued(void)
{
	double run = 0, wait = 0;
	FILE *f = fopen("/proc/thread-self/schedstat", "r");

	if (f == NULL || fscanf(f, "%lf %lf", &run, &wait) != 2)
		wait = 0;
	if (f != NULL)
		fclose(f);
	return wait / 1e3;
}

/* Reads both clocks at once, and again if the thread lost its CPU in between. */
struct reading {
	double time, queued;
};

static __attribute__((unused)) struct reading
read_clocks(void)
{
	struct reading r;

	for (int i = 0; i < 20; i++) {
		r.time = now(CLOCK_MONOTONIC);
		r.queued = queued();
		if (now(CLOCK_MONOTONIC) - r.time < 300)
			break;
	}
	return r;
}
