/*
 * coverage: how often the confidence interval of a change contains the true change, in simulated
 * comparisons.
 *
 *	coverage COMPARISONS [SEED]
 *
 * Prints a row for each design and size class: marginal coverage at 95 % of all functions, changed
 * or not; its median width relative to the oracle's (normal, with the true variances); how often
 * any simultaneous interval of a comparison misses; whether interval and verdict contradict each
 * other; the percentage of changed functions that are found, and that the oracle finds (z with the
 * true variances, the same scale factors, Holm at 1 %); and the percentages of comparisons in which
 * either names an unchanged function. Columns are separated by tabs.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../random.h"
#include "stats/distribution.h"
#include "stats/noise.h"

#define FUNCTIONS 60
#define RUNS_MAX 50
#define CLASSES 5

static const double class_end[CLASSES] = {10, 30, 100, 1000, INFINITY}; /* samples per run */

struct design {
	const char *name;
	unsigned runs, history;
	double samples, common, own; /* samples per run; relative spread of runs, of functions */
	double changed; /* fraction of functions that change */
};

struct outcome {
	size_t n, held, within;
	double *width;
	size_t widths;
};

/* A tested function as the oracle sees it. */
struct seen {
	double p;
	unsigned function;
};

static int
compare_seen(const void *a, const void *b)
{
	double x = ((const struct seen *)a)->p, y = ((const struct seen *)b)->p;

	return (x > y) - (x < y);
}

/* Sets found[i] for the functions that the oracle finds. variance: by function, of one run. */
static void
ask_oracle(const struct design *d, const struct noise *noise, const struct change *change,
    const double (*variance)[2], bool *found)
{
	struct seen seen[FUNCTIONS];
	unsigned n = 0;

	for (unsigned i = 0; i < FUNCTIONS; i++) {
		const double *mean = change[i].scaled_mean;
		double error = sqrt((variance[i][0] + variance[i][1]) / d->runs);

		found[i] = false;
		if (change[i].tests > 0)
			seen[n++] =
			    (struct seen){student_p((mean[1] - mean[0]) / error, INFINITY), i};
	}
	qsort(seen, n, sizeof *seen, compare_seen);
	for (unsigned k = 0; k < n && seen[k].p * (n - k) <= 1 - noise->confidence; k++)
		found[seen[k].function] = true;
}

static double
poisson(double mean)
{
	double x, limit = exp(-mean), product = 1;

	if (mean > 50) {
		x = floor(mean + sqrt(mean) * random_normal() + 0.5);
		return x > 0 ? x : 0;
	}
	for (x = -1; product > limit; x++)
		product *= random_uniform();
	return x;
}

static unsigned
class_of(double samples)
{
	unsigned k = 0;

	while (samples >= class_end[k])
		k++;
	return k;
}

static void
simulate(const struct design *d, unsigned comparisons)
{
	static double row[FUNCTIONS * RUNS_MAX], profile_total[RUNS_MAX];
	static struct change change[FUNCTIONS];
	struct outcome of[CLASSES] = {{0}};
	double share[FUNCTIONS], factor[FUNCTIONS], sum = 0;
	unsigned runs = 2 * d->runs + d->history, missed = 0, contradict = 0;
	unsigned changes = 0, found[2] = {0, 0}, wrong[2] = {0, 0}; /* fg-diff, oracle */
	double variance[FUNCTIONS][2];

	for (unsigned i = 0; i < FUNCTIONS; i++)
		sum += share[i] = 1 / pow(i + 1, 1.2);
	for (unsigned k = 0; k < CLASSES; k++)
		of[k].width = calloc(comparisons, FUNCTIONS * sizeof *of[k].width);
	for (unsigned c = 0; c < comparisons; c++) {
		struct noise noise = {.kind = NOISE_RUNS,
		    .confidence = 0.99,
		    .period = 1,
		    .nbase = d->runs,
		    .nhead = d->runs,
		    .nhistory = d->history,
		    .profile_total = profile_total};
		bool miss = false, contradicts = false, named[2] = {false, false};
		bool finds[FUNCTIONS];

		for (unsigned i = 0; i < FUNCTIONS; i++)
			factor[i] = random_uniform() < d->changed ? exp(0.4 * random_normal()) : 1;
		for (unsigned r = 0; r < runs; r++) {
			double machine = exp(d->common * random_normal());

			profile_total[r] = 0;
			for (unsigned i = 0; i < FUNCTIONS; i++) {
				double mean = d->samples * share[i] / sum * machine *
					      exp(d->own * random_normal());

				if (r >= d->runs && r < 2 * d->runs)
					mean *= factor[i];
				profile_total[r] += row[i * runs + r] = poisson(mean);
			}
		}
		noise_fit(&noise, row, FUNCTIONS);
		noise_judge(&noise, row, FUNCTIONS, noise.reference, NULL, change);
		for (unsigned i = 0; i < FUNCTIONS; i++)
			for (int k = 0; k < 2; k++) {
				double mean =
				    d->samples * share[i] / sum * (k == 1 ? factor[i] : 1);

				variance[i][k] = mean + pow(d->own * mean, 2);
			}
		ask_oracle(d, &noise, change, variance, finds);
		for (unsigned i = 0; i < FUNCTIONS; i++) {
			bool real[2] = {change[i].verdict == VERDICT_REAL, finds[i]};

			changes += change[i].tests > 0 && factor[i] != 1;
			for (int k = 0; k < 2; k++) {
				found[k] += real[k] && factor[i] != 1;
				named[k] |= real[k] && factor[i] == 1;
			}
		}
		for (int k = 0; k < 2; k++)
			wrong[k] += named[k];
		for (unsigned i = 0; i < FUNCTIONS; i++) {
			double mean = d->samples * share[i] / sum, truth = 100 * (factor[i] - 1);
			struct outcome *o = &of[class_of(mean)];
			struct interval m = noise_marginal(&noise, &change[i], 0.95);
			struct interval s = noise_simultaneous(&noise, &change[i]);
			double oracle = 100 * factor[i] *
					sqrt((1 / mean + d->own * d->own + 1 / (mean * factor[i]) +
						 d->own * d->own) /
					     d->runs) *
					2 * 1.96;

			if (change[i].scaled_mean[0] + change[i].scaled_mean[1] == 0 ||
			    change[i].scaled_mean[0] == 0)
				continue;
			o->n++;
			o->held += m.low <= truth && truth <= m.high;
			o->width[o->widths++] = (m.high - m.low) / oracle;
			if (change[i].tests > 0) {
				miss |= truth < s.low || truth > s.high;
				contradicts |= (change[i].verdict == VERDICT_REAL) ==
					       (s.low <= 0 && 0 <= s.high);
			}
		}
		missed += miss;
		contradict += contradicts;
		noise_free(&noise);
	}
	for (unsigned k = 0; k < CLASSES; k++) {
		if (of[k].n > 0)
			printf("%s\t%g\t%zu\t%.2f\t%.2f\t%.2f\t%u\t%.1f\t%.1f\t%.2f\t%.2f\n",
			    d->name, class_end[k], of[k].n, 100.0 * of[k].held / of[k].n,
			    distribution_median(of[k].width, of[k].widths),
			    100.0 * missed / comparisons, contradict, 100.0 * found[0] / changes,
			    100.0 * found[1] / changes, 100.0 * wrong[0] / comparisons,
			    100.0 * wrong[1] / comparisons);
		free(of[k].width);
	}
}

int
main(int argc, char **argv)
{
	static const struct design designs[] = {
	    {"1 v 1", 1, 0, 3000, 0.05, 0.03, 0.1},
	    {"2 v 2", 2, 0, 3000, 0.05, 0.03, 0.1},
	    {"3 v 3", 3, 0, 3000, 0.05, 0.03, 0.1},
	    {"5 v 5", 5, 0, 3000, 0.05, 0.03, 0.1},
	    {"5 v 5 noisy", 5, 0, 1000, 0.10, 0.15, 0.1},
	    {"5 v 5 quiet", 5, 0, 30000, 0.01, 0.005, 0.1},
	    {"10 v 10", 10, 0, 3000, 0.05, 0.03, 0.1},
	    {"3 v 3 baseline", 3, 20, 3000, 0.05, 0.03, 0.1},
	    {"5 v 5 baseline", 5, 20, 3000, 0.05, 0.05, 0.1},
	    {"3 v 3 baseline quiet", 3, 20, 30000, 0.01, 0.005, 0.1},
	    {"3 v 3 baseline noisy", 3, 20, 1000, 0.10, 0.15, 0.1},
	};
	unsigned comparisons = argc > 1 ? (unsigned)atoi(argv[1]) : 200;

	(void)argv;
	printf(
	    "design\tbelow\tn\tcoverage\twidth\tmissed\tcontradict\tfound\toracle\twrong\toracle_wrong\n");
	for (size_t i = 0; i < sizeof designs / sizeof designs[0]; i++)
		simulate(&designs[i], comparisons);
	return 0;
}
