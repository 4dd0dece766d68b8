/*
 * random: numbers that are the same in every run, for tests and benchmarks that draw
 * what chance does: splitmix64 (Steele, Lea and Flood 2014).
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <math.h>
#include <stdint.h>

static uint64_t random_state; /* the seed at first */

/* Between 0 and 1. */
static inline double
random_uniform(void)
{
	uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return ((double)((z ^ z >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

/* A normally distributed number (Box and Muller). */
static inline double
random_normal(void)
{
	return sqrt(-2 * log(random_uniform())) * cos(2 * M_PI * random_uniform());
}

#endif
