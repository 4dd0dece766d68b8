/*
 * noisedata: the runs of a comparison with the model of their noise, and a judged change.
 */
#ifndef NOISEDATA_H
#define NOISEDATA_H

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
	/*
	 * By row, weight of one of its samples over `period`; NULL: 1. Set before each call that
	 * takes rows. Heap profilers sample a large block nearly always, so it weighs little.
	 */
	const double *grain;
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
	bool caused; /* not scaled, since one function has nearly all of the change */
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
	double grain; /* weight of one of its samples over noise.period */
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

#endif
