/*
 * twenty: functions that take 1 to 20 parts of the time, called through four callers in random
 * order, each for a random time: a program that repeats itself every few samples would give
 * shares that depend on its speed. The argument is the CPU time in milliseconds.
 */
#include <stdlib.h>
#include <time.h>

static volatile unsigned long counter;
static unsigned long state = 88172645463325252; /* of a random generator */

static inline int
random_of(int n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int)(state % (unsigned long)n);
}

#define FUNCTION(n)                               \
	__attribute__((noinline)) void f##n(void) \
	{                                         \
		int times = random_of(600 * n);   \
                                                  \
		for (int i = 0; i < times; i++)   \
			counter++;                \
	}
#define CALLER(name, a, b, c, d, e)               \
	__attribute__((noinline)) void name(void) \
	{                                         \
		f##a();                           \
		f##b();                           \
		f##c();                           \
		f##d();                           \
		f##e();                           \
		counter++;                        \
	}

FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
FUNCTION(4)
FUNCTION(5)
FUNCTION(6)
FUNCTION(7)
FUNCTION(8)
FUNCTION(9)
FUNCTION(10)
FUNCTION(11)
FUNCTION(12)
FUNCTION(13)
FUNCTION(14)
FUNCTION(15)
FUNCTION(16)
FUNCTION(17)
FUNCTION(18)
FUNCTION(19)
FUNCTION(20)
CALLER(north, 1, 5, 9, 13, 17)
CALLER(east, 2, 6, 10, 14, 18)
CALLER(south, 3, 7, 11, 15, 19)
CALLER(west, 4, 8, 12, 16, 20)

int
main(int argc, char **argv)
{
	clock_t end = clock() + (clock_t)(argc > 1 ? atol(argv[1]) : 1000) * CLOCKS_PER_SEC / 1000;

	while (clock() < end)
		for (int i = 0; i < 40; i++)
			switch (random_of(4)) {
			case 0: north(); break;
			case 1: east(); break;
			case 2: south(); break;
			default: west(); break;
			}
	return 0;
}
