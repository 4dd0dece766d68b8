/*
 * noise: which changes between two sides are more than chance makes, and how large
 * a change would have to be. A side is one run or several of the same work.
 */
#ifndef NOISE_H
#define NOISE_H

#include <stdbool.h>
#include <stddef.h>

enum noise_kind {
	NOISE_AUTO, /* runs when there are three or more, else counts */
	NOISE_NONE, /* exact costs: every change is real */
	NOISE_COUNTS, /* Poisson counts of equal work, or with shares, shares of the wholes */
	NOISE_RUNS, /* a moderated t over the runs */
};

/* A measured quantity below this part of the whole is not tested. */
#define NOISE_FAMILY 0.005

/* Slices of the chances of what is common, each so many times less likely than the one before. */
#define NOISE_GRID 64
#define NOISE_SLICE 0.83

struct noise {
	enum noise_kind kind;
	bool shares; /* compare shares of the wholes, not amounts */
	double confidence; /* 0.99: false alarms in fewer than 1 of 100 comparisons */
	double period; /* what one sample weighs, in the values' unit */
	unsigned nbase, nhead; /* runs a side */
	const double *whole; /* the whole of each run, base's first */

	/* Set by noise_fit, for NOISE_RUNS. */
	double common; /* relative standard error of what all functions of a run have in common */
	double common_t[NOISE_GRID]; /* its chances: values of t, each for a slice of them */
	double spread2; /* squared relative spread of a function between runs, sampling apart */
	double prior; /* variance that functions have, as a multiple of the model's */
	double prior_df; /* how much they agree on it, in degrees of freedom; may be INFINITY */
	double df_max; /* of all tested functions together */
};

enum verdict {
	VERDICT_SMALL, /* too small a part of the whole to be tested */
	VERDICT_NOISE,
	VERDICT_REAL, /* beyond the noise */
};

struct change {
	double base, head; /* means of a run; with shares, base scaled to head's whole */
	double p; /* chance of such a change in any of the family without a cause */
	double tests; /* of the family that p allows for; 0 when not tested */
	double error; /* standard error of head - base, for NOISE_RUNS */
	enum verdict verdict;
};

/*
 * Learn from the self values of all functions: n rows of nbase + nhead values.
 * To be called once before the others; n may be 0.
 */
void noise_fit(struct noise *noise, const double *self, size_t n);

/* Judge one family: n rows of nbase + nhead values, change[n] comes out. */
void noise_judge(const struct noise *noise, const double *rows, size_t n, struct change *change);

/* Judge the whole itself; *limit is the smallest increase that could have been told from noise. */
struct change noise_whole(const struct noise *noise, double *limit);

/* The smallest increase over base of a judged change that could have been told from noise. */
double noise_limit(const struct noise *noise, const struct change *change);

/* The same for a typical function that takes `base`, among n that are tested. */
double noise_limit_at(const struct noise *noise, double base, size_t n);

#endif
