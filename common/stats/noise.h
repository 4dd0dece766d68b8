/*
 * noise: which changes between two sides are more than chance makes, and how large
 * a change would have to be. A side is one run or several of the same work.
 */
#ifndef NOISE_H
#define NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/verdict.h"

enum noise_kind {
	NOISE_AUTO, /* runs, unless values are known to be exact */
	NOISE_NONE, /* exact costs: every change is real */
	NOISE_COUNTS, /* sampling alone: runs do not differ otherwise */
	NOISE_RUNS, /* sampling, and how much runs differ; assumed where there is one a side */
};

/* A measured quantity below this part of the whole is not tested. */
#define NOISE_FAMILY 0.005

/*
 * How much runs are taken to differ where little is known of it: a function, and the
 * whole. The smallest, in steps of 2 %, that keep what fg-diff(1) promises of false alarms
 * on recordings of three programs, and then tried on fourteen others (t/bench/noise).
 */
#define NOISE_SPREAD 0.18
#define NOISE_WHOLE_SPREAD 0.20

struct noise {
	enum noise_kind kind;
	bool shares; /* compare shares of what did not change, not amounts */
	double confidence; /* 0.99: false alarms in fewer than 1 of 100 comparisons */
	double period; /* what one sample weighs, in the values' unit */
	unsigned nbase, nhead; /* runs a side */
	const double *whole; /* the whole of each run, base's first */

	/* Set by noise_fit. */
	double *factor; /* by run: its size, told by what did not change; geometric mean 1 */
	double size[2], inverse[2]; /* of each side: the means of factor and of 1/factor */
	double factor_error; /* relative standard error of one run's */
	size_t unchanged; /* functions that told it */
	double unchanged_part; /* of the whole; below NOISE_UNCHANGED too much changed to tell */
	double spread; /* relative, of a function between runs, sampling apart */
	double prior, prior_df; /* Smyth's: a multiple of the model's variance, and its weight */
};

#define NOISE_UNCHANGED 0.40

struct change {
	double base, head; /* means of a run; with shares, base at the size of head's runs */
	double scaled_mean[2]; /* means of base and head with all runs brought to one size */
	double error; /* standard error of scaled_mean[1] - scaled_mean[0] */
	double scatter; /* sum of squares within the sides, of even values */
	double p; /* chance of such a change in any of the family without a cause */
	double tests; /* of the family that p allows for; 0 when not tested */
	enum verdict verdict;
};

/* Whether a column or unit of that name (NULL: unknown) counts exactly, as a simulator does. */
bool noise_is_exact(const char *name);

/*
 * Learn from the self values of all functions: n rows of nbase + nhead values.
 * To be called once before the others, noise_free after them; n may be 0.
 */
void noise_fit(struct noise *noise, const double *self, size_t n);
void noise_free(struct noise *noise);

/* Judge one family: n rows of nbase + nhead values, change[n] comes out. */
void noise_judge(const struct noise *noise, const double *rows, size_t n, struct change *change);

/*
 * Judge the whole itself; *limit is the smallest increase that could have been told
 * from noise. As shares it is never judged.
 */
struct change noise_whole(const struct noise *noise, double *limit);

/* What a difference of even values is in a report: of a run of base's size, of head's as shares. */
double noise_scale(const struct noise *noise);

/*
 * The smallest increase of a judged change, beyond what all functions share, that could have
 * been told from noise.
 */
double noise_limit(const struct noise *noise, const struct change *change);

/* A typical function that takes `base`, among n that are tested, for noise_limit. */
struct change noise_typical(const struct noise *noise, double base, size_t n);

/*
 * How many runs a side it takes to see an increase over base of a judged change, if
 * they differ as these do; 0 for more than NOISE_RUNS_MAX.
 */
#define NOISE_RUNS_MAX 1000
unsigned noise_runs_needed(const struct noise *noise, const struct change *change, double increase);

#endif
