/*
 * deep SECONDS [once]: two threads that compute below a recursion of 130 KB, called alternately by
 * two callers and through a random middle function. The computing function, work_CALLER_MIDDLE, has
 * both names, so that a stack joined from two different ones is detected. Repeatedly starts a child
 * that computes briefly, then executes this program again.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define END __asm__ volatile("") /* prevents tail calls */
#define LEVELS 300 /* stack frames of about 450 bytes each */

static volatile double sink;
static const char *self;

static void NOINLINE
compute(void)
{
	for (int i = 0; i < 20000; i++)
		sink += i;
	END;
}

#define WORK(name)                      \
	static void NOINLINE name(void) \
	{                               \
		compute();              \
		END;                    \
	}
WORK(work_a_x)
WORK(work_a_y)
WORK(work_b_x)
WORK(work_b_y)

static void (*const work[2][2])(void) = {{work_a_x, work_a_y}, {work_b_x, work_b_y}};

static void descend(int level, int caller, int middle);

#define MIDDLE(name, number)                             \
	static void NOINLINE name(int level, int caller) \
	{                                                \
		descend(level - 1, caller, number);      \
		END;                                     \
	}
MIDDLE(middle_x, 0)
MIDDLE(middle_y, 1)

/*
 * A random bit. Does not use random(), whose lock another thread may hold for ever in a child of
 * fork().
 */
static int
toss(void)
{
	static _Thread_local unsigned seed;

	if (seed == 0)
		seed = (unsigned)getpid() * 2654435761u + 1;
	return rand_r(&seed) >> 4 & 1;
}

static void NOINLINE
descend(int level, int caller, int middle)
{
	volatile char room[400];

	room[0] = (char)level;
	if (level == 0)
		work[caller][middle]();
	else if (level == LEVELS - 20)
		(toss() ? middle_y : middle_x)(level, caller);
	else
		descend(level - 1, caller, middle);
	room[1] = (char)level;
}

#define CALLER(name, number)                \
	static void NOINLINE name(void)     \
	{                                   \
		descend(LEVELS, number, 0); \
		END;                        \
	}
CALLER(caller_a, 0)
CALLER(caller_b, 1)

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *
run(void *arg)
{
	double end = now() + *(double *)arg;

	while (now() < end) {
		caller_a();
		caller_b();
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1, end = now() + seconds;
	pthread_t t[2];

	self = argv[0];
	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, run, &seconds) != 0)
			return 1;
	if (argc > 2)
		run(&seconds);
	while (argc == 2 && now() < end) {
		pid_t pid = fork();

		if (pid == 0) {
			double moment = 0.02;

			run(&moment);
			execl(self, self, "0.03", "once", (char *)NULL);
			_exit(1);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	if (argc > 2)
		exit(0); /* while its threads still run */
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
