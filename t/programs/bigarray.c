/*
 * bigarray: calls read(2) below a function whose local array of SIZE bytes is used only at its
 * start, so that the other pages are never touched. Two callers take half of the time each.
 * Runs for the given number of seconds of CPU time; prints its anonymous memory in KB at the end.
 * With the argument "thread" it does so in a thread. With "drop" the pages of the array lose their
 * memory again before each use: a read from outside lasts only until then.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096

static int fd;
static int drops;
static volatile unsigned long sink;

__attribute__((noinline)) static int
leaf(char *b)
{
	unsigned long x = 0;

	for (unsigned long i = 0; i < 20000; i++)
		x += i * (unsigned long)b[0];
	sink += x;
	return (int)read(fd, b, 16);
}

__attribute__((noinline)) static int
with_array(void)
{
	char buffer[SIZE];
	uintptr_t from = ((uintptr_t)buffer + PAGE) & ~(uintptr_t)(PAGE - 1);
	uintptr_t to = ((uintptr_t)buffer + SIZE) & ~(uintptr_t)(PAGE - 1);
	int n;

	if (drops && from < to)
		madvise((void *)from, to - from, MADV_DONTNEED);
	n = leaf(buffer);
	return n + buffer[1];
}

__attribute__((noinline)) int
caller_a(void)
{
	return with_array() + 1;
}

__attribute__((noinline)) int
caller_b(void)
{
	return with_array() + 2;
}

static void *
run(void *arg)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (int i = 0; i < 20; i++)
			sink += (unsigned long)(caller_a() + caller_b());
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) / 1e9 <
		 *(double *)arg);
	return NULL;
}

int
main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	char line[128];
	pthread_t t;
	FILE *f;

	fd = open("/dev/zero", O_RDONLY);
	drops = argc > 2 && strcmp(argv[2], "drop") == 0;
	if (argc > 2 && !drops && pthread_create(&t, NULL, run, &seconds) == 0)
		pthread_join(t, NULL);
	else
		run(&seconds);
	f = fopen("/proc/self/smaps_rollup", "r");
	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (strncmp(line, "Anonymous:", 10) == 0)
			fprintf(stderr, "%s", line);
	return 0;
}
