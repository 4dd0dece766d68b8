/*
 * noise: which changes between two sides are significant, their size, and the minimum detectable
 * change. A side is one run or several runs of the same work.
 */
#ifndef NOISE_H
#define NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/noisedata.h"
#include "stats/noisetotal.h"

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

/*
 * noise_judge in two steps, for callers that do not keep a change of each row. Judge one row; true
 * if it belongs to the family. Then judge the n rows of the family, in the order of their rows.
 */
bool noise_judge_row(const struct noise *noise, const double *row, bool reference, double kernel,
    double grain, struct change *change);
void noise_judge_family(const struct noise *noise, struct change *const *change, size_t n);

/* Weight of one sample of a row over noise->period. */
double noise_grain(const struct noise *noise, size_t row);

/* Judge one row that is a family by itself: `tests` is 1. */
struct change noise_judge_one(const struct noise *noise, const double *row);

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
