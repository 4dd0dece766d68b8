/*
 * noisetotal: judges the profile total by its own scatter: Student's t on the logarithms of the
 * runs' totals. With enough runs, and few enough to try all permutations, a permutation test
 * instead, which assumes no distribution.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/distribution.h"
#include "stats/noisemodel.h"
#include "stats/noisetotal.h"

/*
 * Assumed spread of the total between runs, added to the observed one as one degree of freedom:
 * runs that agree by chance must not make every difference significant.
 */
#define SPREAD 0.05
#define ASSUMED_DF 4 /* degrees of freedom of NOISE_WHOLE_SPREAD, if runs do not show a spread */
#define PERMUTED_MIN 5 /* runs a side: with fewer, complete separation is not rare enough */
#define PERMUTED_MAX 16 /* runs on both sides together */

struct total {
	double y[2][PERMUTED_MAX]; /* logarithms of the totals, for the permutation test */
	unsigned n[2];
	double difference; /* of the means of the logarithms, head - base */
	double error, df; /* standard error and degrees of freedom of Student's t */
	bool permuted;
};

/* Returns the number of sets of k out of n. */
static double
choices(unsigned n, unsigned k)
{
	double sets = 1;

	for (unsigned i = 1; i <= k; i++)
		sets *= (double)(n - k + i) / i;
	return sets;
}

/* Permutation is used only if complete separation can be significant at the confidence. */
static struct total
total_of(const struct noise *noise)
{
	struct total t = {.n = {noise->nbase, noise->nhead}};
	double sum = SPREAD * SPREAD, seen = 0, sampling = 0, variance;

	t.permuted = noise->kind == NOISE_RUNS && noise->nhistory == 0 &&
		     noise->nbase >= PERMUTED_MIN && noise->nhead >= PERMUTED_MIN &&
		     noise->nbase + noise->nhead <= PERMUTED_MAX &&
		     2 / choices(t.n[0] + t.n[1], t.n[1]) <= 1 - noise->confidence;
	for (int side = 0; side < 3; side++) {
		const double *profile_total = noise->profile_total + noise_first_of(noise, side);
		unsigned n = noise_runs_of(noise, side);
		double y[n + 1], centre = 0, own = n - 1.0;

		if (n == 0)
			continue;
		for (unsigned r = 0; r < n; r++) {
			y[r] = log(fmax(profile_total[r], noise->period / 2));
			centre += y[r] / n;
			if (side < 2) {
				sampling +=
				    noise->period / fmax(profile_total[r], noise->period) / n / n;
				if (t.permuted)
					t.y[side][r] = y[r];
			}
		}
		if (side < 2)
			t.difference += side == 0 ? -centre : centre;
		if (side == 2 && n > 1)
			sum += noise_history_scatter(y, n, &own);
		else
			for (unsigned r = 0; r < n; r++)
				sum += pow(y[r] - centre, 2);
		seen += own;
	}
	if (noise->kind == NOISE_COUNTS) {
		t.df = INFINITY;
		variance = sampling;
	} else if (seen > 0) { /* the scatter of runs includes that of sampling */
		t.df = seen;
		variance = sum / seen * noise_per_run(noise);
	} else {
		t.df = ASSUMED_DF;
		variance =
		    fmax(NOISE_WHOLE_SPREAD * NOISE_WHOLE_SPREAD * noise_per_run(noise), sampling);
	}
	t.error = sqrt(variance);
	return t;
}

/*
 * Probability of a difference like that between base and head divided by exp(shift), if the runs
 * are alike; one-sided (head is larger) or two-sided.
 */
static double
total_p(const struct total *t, double shift, bool one_sided)
{
	unsigned n = t->n[0] + t->n[1];
	double all[PERMUTED_MAX], centre = 0, seen = 0, extreme = 0, many = 0, p;

	if (!t->permuted) {
		p = student_p((t->difference - shift) / t->error, t->df);
		if (one_sided)
			p = t->difference > shift ? p / 2 : 1 - p / 2;
		return p;
	}
	for (unsigned r = 0; r < n; r++) {
		all[r] = r < t->n[0] ? t->y[0][r] : t->y[1][r - t->n[0]] - shift;
		centre += all[r] / n;
	}
	for (unsigned r = t->n[0]; r < n; r++)
		seen += all[r] - centre;
	for (unsigned set = 0; set < 1u << n; set++) {
		double sum = 0;

		if ((unsigned)__builtin_popcount(set) != t->n[1])
			continue;
		for (unsigned r = 0; r < n; r++)
			if (set & 1u << r)
				sum += all[r] - centre;
		many++;
		/* Rounding must not make the observed arrangement differ from itself. */
		if (one_sided ? sum >= seen - 1e-9 : fabs(sum) >= fabs(seen) - 1e-9)
			extreme++;
	}
	return extreme / many;
}

/* The rejected shift nearest to the difference, on the side of `far`; one_sided as in total_p. */
static double
rejected_shift(const struct total *t, double alpha, double far, bool one_sided)
{
	double inside = 0, outside = far;

	while (total_p(t, t->difference + outside, one_sided) > alpha) {
		outside *= 2;
		if (fabs(outside) > 50)
			return outside;
	}
	for (int i = 0; i < 30; i++) {
		double mid = (inside + outside) / 2;

		if (total_p(t, t->difference + mid, one_sided) > alpha)
			inside = mid;
		else
			outside = mid;
	}
	return outside;
}

static double
percent_of(double shift)
{
	return shift > 50 ? INFINITY : 100 * expm1(shift);
}

struct interval
noise_profile_total_interval(
    const struct noise *noise, const struct change *profile_total, double confidence)
{
	struct total t;
	double far, percent;

	if (!noise_is_modelled(noise) || noise->profile_total == NULL) {
		percent =
		    profile_total->base > 0
			? 100 * (profile_total->head - profile_total->base) / profile_total->base
			: INFINITY;
		return (struct interval){percent, percent};
	}
	t = total_of(noise);
	far = fmax(t.error, 1e-6);
	return (struct interval){percent_of(t.difference + rejected_shift(&t, 1 - confidence, -far,
							       profile_total->one_sided)),
	    percent_of(t.difference + rejected_shift(&t, 1 - confidence, far, false))};
}

bool
noise_profile_total_is_doubtful(
    const struct noise *noise, const struct change *profile_total, struct interval *i)
{
	const double base = profile_total->base, head = profile_total->head;

	if (profile_total->tests == 0 || profile_total->verdict == VERDICT_REAL || !(base > 0) ||
	    base == head)
		return false;
	*i = noise_profile_total_interval(noise, profile_total, noise->confidence);
	i->low = fmin(i->low, 100 * (head - base) / base);
	i->high = fmax(i->high, 100 * (head - base) / base);
	return isfinite(i->high);
}

static double
mean(const double *x, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += x[i];
	return sum / n;
}

struct change
noise_profile_total(const struct noise *noise, double allowed, double *limit)
{
	struct change c = {.p = 1, .verdict = VERDICT_NOISE};
	double alpha = 1 - noise->confidence, p;
	struct total t;

	for (int k = 0; k < 2; k++) {
		double profile_total =
		    mean(noise->profile_total + noise_first_of(noise, k), noise_runs_of(noise, k));

		*(k == 0 ? &c.base : &c.head) = profile_total;
		c.scaled_mean[k] = profile_total / noise->size[k];
		if (noise->shares)
			*(k == 0 ? &c.base : &c.head) = c.scaled_mean[k] * noise->size[1];
	}
	*limit = 0;
	if (!noise_is_modelled(noise)) {
		c.p = c.base != c.head && noise->kind == NOISE_NONE ? 0 : 1;
	} else if (!noise->shares) {
		t = total_of(noise);
		c.tests = 1;
		c.p = total_p(&t, 0, false);
		/*
		 * The smallest detectable increase: the distance from the measured change to
		 * the lower end of its interval. A larger increase has an interval without 0.
		 */
		*limit = c.base *
			 expm1(fmin(-rejected_shift(&t, alpha, -fmax(t.error, 1e-6), false), 50));
		/* Growth beyond the gate is a one-sided question. */
		p = total_p(&t, 0, true);
		c.one_sided = c.p > alpha && p <= alpha && c.head > c.base * (1 + allowed);
		if (c.one_sided)
			c.p = p;
	}
	if (noise->kind == NOISE_UNKNOWN)
		c.verdict = VERDICT_UNKNOWN;
	else if (c.p <= alpha)
		c.verdict = VERDICT_REAL;
	return c;
}
