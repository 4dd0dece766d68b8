/*
 * series: fg-diff's search for steps against thousands of simulated functions, whose generator
 * is seeded; with a directory, writes a series of profiles for the program to read. Prints TAP
 * in the first case.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stats/segment.h"
#include "../random.h"

#define FUNCTIONS 200
#define LENGTH_MAX 400

/* The simulated change of one function. */
struct plan {
	size_t length, target, from, to;
	double samples, factor, correlation; /* correlation of a function between runs */
	const char *into; /* the function that gets the difference, or NULL */
};

static double value[FUNCTIONS][LENGTH_MAX];

/* The fraction of function i, proportional to 1/rank. */
static double
share(size_t i)
{
	return 1 / (double)(i + 3) / 4.388; /* 4.388: the sum of all */
}

static void
simulate(const struct plan *p)
{
	for (size_t i = 0; i < FUNCTIONS; i++) {
		double own = random_normal(), rho = p->correlation;

		for (size_t t = 0; t < p->length; t++) {
			double mean;

			own = rho * own + sqrt(1 - rho * rho) * random_normal();
			mean = p->samples * share(i) * exp(0.05 * own);
			if (i == p->target && t >= p->from && t < p->to)
				mean *= p->factor;
			value[i][t] = fmax(0, floor(mean + sqrt(mean) * random_normal() + 0.5));
		}
	}
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Counts the series in which another function than the target is found, and those in which the
 * target is found.
 */
static void
found(const struct plan *p, unsigned series, unsigned *other, unsigned *target)
{
	*other = *target = 0;
	for (unsigned s = 0; s < series; s++) {
		double ratio[FUNCTIONS];
		struct segment_rules rules = {.tests = FUNCTIONS};
		struct step step[SEGMENT_STEPS];
		bool any = false;

		simulate(p);
		for (size_t i = 0; i < FUNCTIONS; i++)
			ratio[i] = segment_residual(value[i], p->length).block_ratio;
		qsort(ratio, FUNCTIONS, sizeof *ratio, compare_doubles);
		rules.block_ratio = ratio[FUNCTIONS / 2];
		for (size_t i = 0; i < FUNCTIONS; i++) {
			size_t n = segment_find(value[i], p->length, &rules, step);

			if (i == p->target)
				*target += n > 0;
			else
				any |= n > 0;
		}
		*other += any;
	}
}

static void
write_profiles(const struct plan *p, const char *folder)
{
	simulate(p);
	for (size_t t = 0; t < p->length; t++) {
		char path[1000];
		double load = 0.5 + random_uniform();
		FILE *f;

		snprintf(path, sizeof path, "%s/p.%03zu", folder, t);
		if ((f = fopen(path, "w")) == NULL)
			exit(2);
		for (size_t i = 0; i < FUNCTIONS; i++) {
			double v = floor(value[i][t] * load);

			if (v > 0)
				fprintf(f, "main;module%zu;f%zu %.0f\n", i / 8, i, v);
			if (i == p->target && p->into != NULL && t >= p->from)
				fprintf(f, "main;module%zu;%s %.0f\n", i / 8, p->into,
				    floor(value[i][t] * load * (1 / p->factor - 1)));
		}
		fclose(f);
	}
}

static int tests;

static void
ok(bool good, const char *what, unsigned n, unsigned of)
{
	printf("%sok %d - %s: %u of %u\n", good ? "" : "not ", ++tests, what, n, of);
}

int
main(int argc, char **argv)
{
	struct plan quiet = {.length = 120, .target = FUNCTIONS, .samples = 5000, .factor = 1};
	struct plan p = {
	    .length = 140, .target = 0, .from = 100, .to = LENGTH_MAX, .samples = 5000};
	unsigned other, target;

	random_state = 5;
	if (argc == 6) {
		p = (struct plan){.length = (size_t)atoi(argv[2]),
		    .target = 3,
		    .from = (size_t)atoi(argv[3]),
		    .to = (size_t)atoi(argv[4]),
		    .samples = 20000,
		    .factor = fabs(atof(argv[5])),
		    .into = atof(argv[5]) < 0 ? "fresh" : NULL};
		p.correlation = p.factor == 1 ? 0.95 : 0;
		write_profiles(&p, argv[1]);
		return 0;
	}
	found(&quiet, 100, &other, &target);
	ok(other <= 4, "false alarms, independent", other, 100);
	quiet.correlation = 0.3;
	found(&quiet, 100, &other, &target);
	ok(other <= 4, "false alarms, neighbours go together a little", other, 100);
	while (share(p.target) > 0.05)
		p.target++;
	p.factor = 1.1;
	found(&p, 60, &other, &target);
	ok(target >= 36 && other <= 3, "a tenth more of 5 %, 40 later: found", target, 60);
	while (share(p.target) > 0.01)
		p.target++;
	p.factor = 1.5;
	p.length = 110;
	found(&p, 60, &other, &target);
	ok(target >= 55 && other <= 3, "half more of 1 %, 10 later: found", target, 60);
	printf("1..%d\n", tests);
	return 0;
}
