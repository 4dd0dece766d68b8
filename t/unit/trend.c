/*
 * trend: fg-diff --growth's test against simulated functions of heaps, from a seed. Prints a table
 * of how often each is called growing: `trend SEED TRIALS`. The heap has the size 1 before any
 * change; values vary by a GC that runs at other times than dumps are made, by samples, or only by
 * the program (jitter). Exits with 1 if more than 1 of 100 functions without a leak grow.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/trend.h"
#include "../random.h"

#define LENGTH_MAX 50
#define FUNCTIONS 200 /* of the program: tests of one family */
#define SAMPLES 400 /* in a heap of size 1 */

enum form { LEAK, LATE, FLAT, STEP, PLATEAU, WARM_UP, TWO_STEPS, FORMS };
enum noise { JITTER, SAMPLED, SAWTOOTH, NOISES };

static const char *const form_name[] = {
    "leak", "late leak", "flat", "step", "plateau", "warm-up", "two steps"};
static const char *const noise_name[] = {"jitter .5 %", "400 samples", "sawtooth 10 %"};

static double
uniform(double from, double to)
{
	return from + (to - from) * random_uniform();
}

static double
poisson(double mean)
{
	double product = 1, limit = exp(-mean);
	int n = 0;

	if (mean > 50)
		return fmax(0, round(mean + sqrt(mean) * random_normal()));
	while ((product *= random_uniform()) > limit)
		n++;
	return n;
}

/* The values of a function without noise: `grow` is the leak a dump, or the rise in all. */
static void
shape(enum form form, double *y, size_t n, double base, double grow)
{
	double m = (double)n, at = floor(uniform(0.15, 0.85) * m), end = uniform(0.15, 0.6) * m,
	       constant = uniform(0.03, 0.25) * m, second = floor(uniform(0.1, 0.9) * m);

	for (size_t t = 0; t < n; t++) {
		double x = (double)t;

		y[t] = base;
		switch (form) {
		case LEAK: y[t] += grow * x; break;
		case LATE: y[t] += grow * fmax(0, x - floor(m / 3)); break;
		case STEP: y[t] += x > at ? grow : 0; break;
		case PLATEAU: y[t] += grow * fmin(x, end) / end; break;
		case WARM_UP: y[t] += grow * (1 - exp(-x / constant)); break;
		case TWO_STEPS: y[t] += (x > at ? grow : 0) + (x > second ? grow : 0); break;
		default: break;
		}
	}
}

static void
add_noise(enum noise noise, double *y, size_t n)
{
	double width = uniform(1.3, fmax(2, (double)n / 4)), phase = uniform(0, width);
	double alive[LENGTH_MAX], died = uniform(0.05, 0.5);

	for (size_t t = 0; t < n; t++) {
		if (noise == JITTER) {
			y[t] *= 1 + 0.005 * random_normal();
		} else if (noise == SAWTOOTH) {
			y[t] += 0.1 * y[0] * fmod((double)t + phase, width) / width;
		} else {
			/* samples live for several dumps: neighbours are alike */
			double kept = t == 0 ? 0 : (1 - died) * alive[t - 1];

			alive[t] = t == 0
				       ? poisson(y[0] * SAMPLES)
				       : poisson(died * y[t - 1] * SAMPLES) +
					     poisson(fmax(0, y[t] - y[t - 1]) * SAMPLES) +
					     fmin(alive[t - 1],
						 round(kept + sqrt(kept * died) * random_normal()));
		}
	}
	for (size_t t = 0; t < n && noise == SAMPLED; t++)
		y[t] = alive[t] / SAMPLES;
}

static double
rate(enum form form, enum noise noise, size_t n, double grow, int trials)
{
	struct trend_rules rules = {2 * FUNCTIONS, 0.01, noise == SAMPLED ? 1.0 / SAMPLES : 0};
	int grows = 0;

	for (int i = 0; i < trials; i++) {
		double y[LENGTH_MAX];

		shape(form, y, n, uniform(0.02, 0.5), grow);
		add_noise(noise, y, n);
		grows += trend_find(y, n, &rules).kind == TREND_GROWS;
	}
	return 100.0 * grows / trials;
}

int
main(int argc, char **argv)
{
	static const size_t dumps[] = {5, 8, 12, 20, 50};
	static const double leak[] = {0.005, 0.01, 0.02, 0.05, 0.10}, rise[] = {0.05, 0.2, 0.5, 2};
	int trials = argc > 2 ? atoi(argv[2]) : 100;
	double wrong = 0, cases = 0;

	random_state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	printf("%-10s %-14s %6s %8s %8s %8s %8s %8s\n", "form", "noise", "size", "5 dumps", "8",
	    "12", "20", "50");
	for (int form = 0; form < FORMS; form++)
		for (int noise = 0; noise < NOISES; noise++)
			for (size_t k = 0; k < (form <= LATE ? 5 : form == FLAT ? 1 : 4); k++) {
				double grow = form <= LATE ? leak[k] : rise[k];

				printf("%-10s %-14s %5g%%", form_name[form], noise_name[noise],
				    form == FLAT ? 0 : 100 * grow);
				for (size_t d = 0; d < sizeof dumps / sizeof dumps[0]; d++) {
					double r = rate(form, noise, dumps[d], grow, trials);

					printf(" %7.3g%%", r);
					if (form > LATE) {
						wrong += r;
						cases++;
					}
				}
				printf("\n");
			}
	printf("functions without a leak that grow: %.3g %%\n", wrong / cases);
	return wrong / cases > 1;
}
