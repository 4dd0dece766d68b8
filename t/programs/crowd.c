/*
 * crowd N [ROUNDS]: N threads that alternate between a short computation of ROUNDS rounds and a
 * long sleep. Prints the number of threads when all have started.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile double sink;
static int rounds = 20000;

static void *
worker(void *arg)
{
	(void)arg;
	for (;;) {
		for (int i = 0; i < rounds; i++)
			sink += i * 0.5;
		usleep(100000);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000;
	pthread_attr_t small;
	pthread_t t;

	if (argc > 2)
		rounds = atoi(argv[2]);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < n; i++)
		if (pthread_create(&t, &small, worker, NULL) != 0)
			return 1;
	printf("%d\n", n);
	fflush(stdout);
	pause();
	return 0;
}
