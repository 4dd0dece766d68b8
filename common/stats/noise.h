/*
 * noise: which changes between two sides are significant, their size, and the minimum detectable
 * change. A side is one run or several runs of the same work.
 */
#ifndef NOISE_H
#define NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/verdict.h"

enum noise_kind {
	NOISE_AUTO, /* NOISE_RUNS, unless the values are known to be exact */
	NOISE_NONE, /* exact costs: every change is significant */
	NOISE_COUNTS, /* sampling noise only: runs do not differ otherwise */
	NOISE_RUNS, /* sampling noise and differences between runs; assumed with one run a side */
	NOISE_UNKNOWN, /* exact or sampled is unknown: sizes without verdicts */
};

/* A function below this part of the profile total, both sides together, is not tested. */
#define NOISE_FAMILY 0.005

/*
 * Assumed spread of a function between runs, with one run a side; less is assumed with more runs.
 * It is the smallest, in steps of 2 %, that keeps fg-diff(1)'s false alarm rate on recordings of
 * three programs; it was then verified on fourteen others (t/bench/noise).
 */
#define NOISE_SPREAD 0.18

/*
 * Assumed spread of time in the kernel with one run a side, besides that of the function: it
 * depends on the machine (preemption, interrupts, memory that a hypervisor has to provide first),
 * so only runs can show it. With this spread no change of kernel time is significant, and no
 * interval of one is bounded.
 */
#define NOISE_KERNEL_SPREAD 0.75

/* Assumed spread of the profile total between runs, with one run a side. */
#define NOISE_WHOLE_SPREAD 0.20

/* If the unchanged functions are a smaller part of the profile total, they give no scale. */
#define NOISE_UNCHANGED 0.40

/*
 * Layout of a row of values, here and below: nbase runs of base, nhead of head, then nhistory
 * earlier runs of base's program, from which only the spread is learnt.
 */
struct noise {
	enum noise_kind kind;
	bool shares; /* compare shares of the sum of unchanged functions, not amounts */
	bool absolute; /* amounts of memory: the speed of a run does not scale them */
	double confidence; /* 1 - family-wise error rate: 0.99 */
	double period; /* weight of one sample, in the values' unit */
	unsigned nbase, nhead, nhistory;
	const double *profile_total; /* profile total of each run */

	/* Set by noise_fit. */
	double *factor; /* by run: its relative size; geometric mean over base and head is 1 */
	double size[2], inverse[2]; /* of each side: means of factor and of 1/factor */
	double factor_error; /* relative standard error of one run's factor */
	bool *reference; /* by row of noise_fit: it is used for the factors */
	double *reference_sum; /* by run: sum of the reference functions; NULL if not used */
	double reference_mean, reference_squares; /* sums of their scaled means, and squares */
	size_t unchanged; /* number of functions that give the factors */
	double unchanged_part; /* their part of the profile total, on the side where it is larger */
	bool scaled; /* the unchanged functions give a scale; otherwise all factors are 1 */
	bool nameless; /* no scale and too many changes: functions of both sides have no verdict */
	double run_spread, run_spread_df; /* relative, of a side's run sizes; degrees of freedom */
	bool shifted; /* the sizes of the sides differ by more than run_spread explains */
	double spread; /* assumed relative spread of a function between runs, besides sampling */
	double prior, prior_df; /* Smyth's: multiple of the model's variance; degrees of freedom */
};

struct change {
	double base, head; /* means of the runs; with shares, base at head's size */
	double scaled_mean[2]; /* means of base and head with all runs brought to one size */
	double scatter[3]; /* sums of squares within base, head, and history */
	double factor_error; /* relative standard error of the factors that scaled this row */
	double kernel; /* part of its value that is time in the kernel, 0 to 1 */
	double past, past_df; /* mean of history, and the degrees of freedom of its scatter */
	double p; /* probability of any such change in the family without a cause */
	double tests; /* size of the family that p accounts for; 0 if not tested */
	bool one_sided; /* of the profile total: only growth was tested */
	enum verdict verdict;
};

/* Interval of a change in percent of base; INFINITY: unbounded. */
struct interval {
	double low, high;
};

/* False if changes are not tested: all are real, or none has a verdict. */
static inline bool
noise_is_modelled(const struct noise *noise)
{
	return noise->kind != NOISE_NONE && noise->kind != NOISE_UNKNOWN;
}

/*
 * Learn the model from the self values of n functions; n may be 0. Call it once before the
 * functions below, and noise_free after them.
 */
void noise_fit(struct noise *noise, const double *self, size_t n);
void noise_free(struct noise *noise);

/*
 * Judge one family of n rows; fills change[n]. reference: by row, whether noise->factor was
 * computed from it; such a row is scaled by the other reference functions. NULL: none was.
 * kernel: by row, the part of its value that is time in the kernel, 0 to 1; NULL: 0.
 */
void noise_judge(const struct noise *noise, const double *rows, size_t n, const bool *reference,
    const double *kernel, struct change *change);

/* Judge one row that is a family by itself: `tests` is 1. */
struct change noise_judge_one(const struct noise *noise, const double *row);

/*
 * Judge the profile total; with shares it is not judged. *limit: smallest increase that would have
 * been significant. allowed: relative growth that a gate allows, or INFINITY; growth beyond it is
 * tested one-sided.
 */
struct change noise_profile_total(const struct noise *noise, double allowed, double *limit);
/*
 * Interval of the profile total's change, in percent; whole: from noise_whole. After a significant
 * one-sided test, its lower limit is one-sided too, so that it excludes 0.
 */
struct interval noise_profile_total_interval(
    const struct noise *noise, const struct change *profile_total, double confidence);

/*
 * True if the change of the profile total may be noise; *i is then its interval at the confidence
 * of the noise, which holds the measured change. False without noise, a change or a base.
 */
bool noise_profile_total_is_doubtful(
    const struct noise *noise, const struct change *profile_total, struct interval *i);

/*
 * Change beyond what all functions share, in values of one run of base (with shares, of head), at
 * most the measured change; 0 if its sign and that of the measured change differ.
 */
double noise_own(const struct noise *noise, const struct change *change);

/*
 * Interval of that change (noise_own), in percent of base. Simultaneous: at the family-wise
 * confidence of the verdict, so it excludes 0 if and only if the verdict is VERDICT_REAL. Marginal:
 * at a confidence for this function only.
 */
struct interval noise_simultaneous(const struct noise *noise, const struct change *change);
struct interval noise_marginal(
    const struct noise *noise, const struct change *change, double confidence);

/*
 * Interval of head's value, for a function that is absent from base: at a confidence for this
 * function only, or (confidence 0) simultaneous.
 */
struct interval noise_new(
    const struct noise *noise, const struct change *change, double confidence);

/* Factor from a difference of scaled means to the value in a report. */
double noise_scale(const struct noise *noise);

/*
 * Minimum detectable change of a judged function: the smallest significant increase beyond what all
 * functions share; INFINITY if it was not tested.
 */
double noise_limit(const struct noise *noise, const struct change *change);

/* The minimum detectable change as a measured increase, including what all functions share. */
double noise_visible(const struct noise *noise, const struct change *change);

/* A typical function with the value `base` among n tested ones, as an argument for noise_limit. */
struct change noise_typical(const struct noise *noise, double base, size_t n);

/*
 * Number of runs a side with which the given increase over base would be significant, if runs
 * differ as much as these; 0 for more than NOISE_RUNS_MAX.
 */
#define NOISE_RUNS_MAX 1000
unsigned noise_runs_needed(const struct noise *noise, const struct change *change, double increase);

#endif
