/*
 * noise: which changes between two sides are more than noise, how large they are, and how large a
 * change would have to be. A side is one run or several of the same work.
 */
#ifndef NOISE_H
#define NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/verdict.h"

enum noise_kind {
	NOISE_AUTO, /* runs, unless values are known to be exact */
	NOISE_NONE, /* exact costs: every change is real */
	NOISE_COUNTS, /* sampling only: runs do not differ otherwise */
	NOISE_RUNS, /* sampling and differences between runs; assumed where there is one a side */
};

/* A function below this part of the profile total, both sides together, is not tested. */
#define NOISE_FAMILY 0.005

/*
 * Assumed spread of a function between runs, where there is one run a side: the smallest, in
 * steps of 2 %, that keeps the false alarm rate of fg-diff(1) on recordings of three programs,
 * and then tried on fourteen others (t/bench/noise). The more runs there are, the less is assumed.
 */
#define NOISE_SPREAD 0.18

/* Assumed spread of the profile total between runs, where there is one run a side. */
#define NOISE_WHOLE_SPREAD 0.20

/* Below this part of the profile total, the unchanged functions do not carry a scale. */
#define NOISE_UNCHANGED 0.40

/*
 * A row of values, here and below: nbase runs of base, nhead of head, then nhistory earlier runs
 * of base's program, which teach the spread only.
 */
struct noise {
	enum noise_kind kind;
	bool shares; /* compare shares of the unchanged functions, not amounts */
	double confidence; /* 0.99: false alarms in fewer than 1 of 100 comparisons */
	double period; /* weight of one sample, in the values' unit */
	unsigned nbase, nhead, nhistory;
	const double *whole; /* profile total of each run */

	/* Set by noise_fit. */
	double *factor; /* by run: its size; geometric mean of base and head 1 */
	double size[2], inverse[2]; /* of each side: the means of factor and of 1/factor */
	double factor_error; /* relative standard error of one run's factor */
	bool *reference; /* by row of noise_fit: the factors come from it */
	double *reference_sum; /* by run: sum of these functions; NULL where they are not used */
	double reference_mean, reference_squares; /* sums of their scaled means, and squares */
	size_t unchanged; /* functions that give the factors */
	double unchanged_part; /* their part of the profile total, of the side with more */
	bool scaled; /* the unchanged functions carry a scale; else all factors are 1 */
	bool nameless; /* ... and too many changed: functions of both sides have no verdict */
	double run_spread, run_spread_df; /* relative, of the run sizes of a side; and its weight */
	bool shifted; /* the sides' sizes differ by more than run_spread explains */
	double spread; /* relative, assumed of a function between runs beside sampling */
	double prior, prior_df; /* Smyth's: a multiple of the model's variance, and its weight */
};

struct change {
	double base, head; /* means of a run; with shares, base at the size of head's runs */
	double scaled_mean[2]; /* means of base and head with all runs brought to one size */
	double scatter[3]; /* sums of squares within base, head, and history */
	double factor_error; /* of the factors that it was scaled by */
	double past, past_df; /* mean of history, and the degrees of freedom of its scatter */
	double p; /* chance of such a change in any of the family without a cause */
	double tests; /* of the family that p allows for; 0 when not tested */
	enum verdict verdict;
};

/* A change in percent of base, between two bounds; INFINITY: not bounded. */
struct interval {
	double low, high;
};

/* Whether a column or unit of that name (NULL: unknown) counts exactly, as a simulator does. */
bool noise_is_exact(const char *name);

/*
 * Learn from the self values of n functions. Call it once before the functions below, and
 * noise_free after them; n may be 0.
 */
void noise_fit(struct noise *noise, const double *self, size_t n);
void noise_free(struct noise *noise);

/*
 * Judge one family of n rows; fills change[n]. reference: by row, whether noise->factor comes from
 * it; then it is scaled by the others. NULL: from none.
 */
void noise_judge(const struct noise *noise, const double *rows, size_t n, const bool *reference,
    struct change *change);

/* The same for one row that is tested on its own: `tests` is 1. */
struct change noise_judge_one(const struct noise *noise, const double *row);

/*
 * Judge the profile total. *limit: the smallest increase that would have been beyond noise.
 * allowed: the relative growth that a gate allows, or INFINITY; growth beyond it is tested
 * on one side. With shares the total is not judged.
 */
struct change noise_whole(const struct noise *noise, double allowed, double *limit);
/* The interval of the total's change, in percent. */
struct interval noise_whole_interval(const struct noise *noise, double confidence);

/*
 * A change beyond what all functions share, in values of one run of base (with shares, of head),
 * and no more than was measured; 0 where it and the measured change have opposite signs.
 */
double noise_own(const struct noise *noise, const struct change *change);

/*
 * The interval of such a change in percent of base. Simultaneous: at the confidence of
 * the verdict, for the whole family, so that it excludes 0 exactly where the verdict is
 * VERDICT_REAL. Marginal: at a confidence for this function only.
 */
struct interval noise_simultaneous(const struct noise *noise, const struct change *change);
struct interval noise_marginal(
    const struct noise *noise, const struct change *change, double confidence);

/*
 * The interval of head's value, of a function that base does not have: at a confidence for this
 * function only, or (0) simultaneous.
 */
struct interval noise_new(
    const struct noise *noise, const struct change *change, double confidence);

/* The value of a report that a difference of scaled means stands for. */
double noise_scale(const struct noise *noise);

/*
 * The smallest increase of a judged change, beyond what all functions share, that would have
 * been beyond noise; INFINITY where it was not tested.
 */
double noise_limit(const struct noise *noise, const struct change *change);

/* The same as a measured increase: with what all functions share. */
double noise_visible(const struct noise *noise, const struct change *change);

/* A typical function with the value `base`, among n that are tested, for noise_limit. */
struct change noise_typical(const struct noise *noise, double base, size_t n);

/*
 * The number of runs a side with which an increase over base of a judged change would be beyond
 * noise, if they differ as these do; 0 for more than NOISE_RUNS_MAX.
 */
#define NOISE_RUNS_MAX 1000
unsigned noise_runs_needed(const struct noise *noise, const struct change *change, double increase);

#endif
