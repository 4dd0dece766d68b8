/*
 * noiselimit: inverts the test of noise.c: the interval of a change (all ratios between head and
 * base that it does not reject) and the minimum detectable change.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/distribution.h"
#include "stats/noise.h"
#include "stats/noisemodel.h"

#define RATIO_MAX 1e6 /* limits of head / base, in intervals */
#define HALVINGS 40 /* of their logarithm: 1e-10 of a ratio is left */

/* Smallest increase of the scaled mean that is significant; INFINITY: none. */
static double
scaled_limit(const struct noise *noise, const struct change *c)
{
	double alpha = 1 - noise->confidence;
	double step = fmax(c->scaled_mean[0], noise->period) / 1024, lo = 0, hi = step;

	for (int found = 0; !found || hi - lo > 1e-6 * hi;) {
		double more = found ? (lo + hi) / 2 : hi;
		struct change x = *c;

		x.scaled_mean[1] = x.scaled_mean[0] + more;
		x.base = x.scaled_mean[0] * noise->size[noise->shares];
		x.head = x.scaled_mean[1] * noise->size[1];
		if (noise_change_p(noise, &x, c->tests) <= alpha) {
			found = 1;
			hi = more;
		} else {
			lo = more;
			if (!found)
				hi *= 2;
		}
		if (hi > step * 1e15)
			return INFINITY;
	}
	return hi;
}

double
noise_scale(const struct noise *noise)
{
	return noise->size[noise->shares];
}

double
noise_own(const struct noise *noise, const struct change *change)
{
	double own = (change->scaled_mean[1] - change->scaled_mean[0]) * noise_scale(noise);
	double measured = change->head - change->base;

	if (own * measured < 0)
		return 0;
	return fabs(measured) < fabs(own) ? measured : own;
}

double
noise_limit(const struct noise *noise, const struct change *change)
{
	if (!noise_is_modelled(noise))
		return noise->kind == NOISE_NONE ? 0 : INFINITY;
	return change->tests > 0 && !noise_is_nameless(noise, change)
		   ? scaled_limit(noise, change) * noise_scale(noise)
		   : INFINITY;
}

double
noise_visible(const struct noise *noise, const struct change *change)
{
	double limit = noise_limit(noise, change), scaled;

	if (!noise_is_modelled(noise) || isinf(limit) || noise->shares)
		return limit;
	scaled = change->scaled_mean[0] + limit / noise_scale(noise);
	return fmax(scaled * noise->size[1] - change->base, 0);
}

struct change
noise_typical(const struct noise *noise, double base, size_t n)
{
	struct change c = {
	    .tests = (double)(n > 0 ? n : 1), .factor_error = noise->factor_error, .grain = 1};
	double mu = base / noise_scale(noise);

	c.scaled_mean[0] = c.scaled_mean[1] = mu;
	c.past = mu;
	c.past_df = noise_history_degrees(noise);
	for (int k = 0; k < 2; k++)
		c.scatter[k] = (noise_runs_of(noise, k) - 1.0) * noise->prior *
			       noise_model_variance(noise, 1, noise->inverse[k], mu);
	c.scatter[2] = c.past_df * noise->prior *
		       noise_model_variance(noise, 1, noise_mean_inverse(noise), mu);
	c.base = mu * noise->size[noise->shares];
	c.head = mu * noise->size[1];
	return c;
}

unsigned
noise_runs_needed(const struct noise *noise, const struct change *change, double increase)
{
	struct noise n = *noise;

	for (n.nbase = 3; n.nbase <= NOISE_RUNS_MAX; n.nbase++) {
		struct change c = *change;

		n.nhead = n.nbase;
		if (noise->kind == NOISE_RUNS && noise_is_assumed(noise)) {
			/* Assume the variance of the model until the fit. */
			n.spread = noise_assumed_spread(&n);
			n.prior = 1;
			n.prior_df = NOISE_PRIOR_DF;
			c.factor_error *= n.spread / noise->spread;
		}
		for (int k = 0; k < 2; k++) {
			double df = noise_runs_of(noise, k) - 1.0;

			c.scatter[k] =
			    (n.nbase - 1) *
			    (df > 0 ? change->scatter[k] / df
				    : n.prior * noise_model_variance(&n, change->grain,
						    n.inverse[k], change->scaled_mean[k]));
		}
		if ((n.nbase > noise->nbase || n.nbase > noise->nhead) &&
		    noise_limit(&n, &c) <= increase)
			return n.nbase;
	}
	return 0;
}

/*
 * Ratio at which the statistic crosses the limit, by bisection from `outside`: 1/RATIO_MAX or
 * RATIO_MAX.
 */
static double
crossing(
    const struct noise *noise, const struct change *c, double limit, double shared, double outside)
{
	double inside = c->scaled_mean[1] / c->scaled_mean[0];

	inside = fmin(fmax(inside, 1 / RATIO_MAX), RATIO_MAX);
	if (fabs(noise_statistic(noise, c, outside, shared)) <= limit)
		return outside;
	for (int i = 0; i < HALVINGS; i++) {
		double mid = sqrt(inside * outside);

		if (fabs(noise_statistic(noise, c, mid, shared)) <= limit)
			inside = mid;
		else
			outside = mid;
	}
	return inside;
}

/* Interval in percent of base; `equal` is the ratio of head to base that means no change. */
static struct interval
ratio_interval(
    const struct noise *noise, const struct change *c, double limit, double shared, double equal)
{
	struct interval i;

	if (isinf(limit))
		return (struct interval){-100, INFINITY};
	i.low = crossing(noise, c, limit, shared, 1 / RATIO_MAX) / equal;
	i.high = crossing(noise, c, limit, shared, RATIO_MAX) / equal;
	i.low = i.low * equal <= 1 / RATIO_MAX ? -100 : 100 * (i.low - 1);
	i.high = i.high * equal >= RATIO_MAX ? INFINITY : 100 * (i.high - 1);
	return i;
}

static struct interval
interval_of(const struct noise *noise, const struct change *c, double p, bool marginal)
{
	double own = noise_own(noise, c), df = noise_test_df(noise, c);
	struct interval i, measured;

	if (c->scaled_mean[0] + c->scaled_mean[1] <= 0)
		return (struct interval){0, 0};
	if (!noise_is_modelled(noise)) {
		double percent = c->base > 0 ? 100 * (c->head - c->base) / c->base : INFINITY;

		return (struct interval){percent, percent};
	}
	i = ratio_interval(noise, c, student_limit(p, df), 0, 1);
	if (marginal || noise->shares || (!noise->shifted && own != 0))
		return i;
	measured = ratio_interval(noise, c, student_limit(p, fmin(df, noise->run_spread_df)),
	    noise->run_spread, noise_measured_equal(noise));
	return (struct interval){fmin(i.low, measured.low), fmax(i.high, measured.high)};
}

struct interval
noise_simultaneous(const struct noise *noise, const struct change *c)
{
	struct interval i;

	if (noise_is_nameless(noise, c))
		return (struct interval){-100, INFINITY};
	i = interval_of(noise, c, (1 - noise->confidence) / fmax(c->tests, 1), false);
	/* The measured and the scaled change may have different signs. */
	if (noise_is_modelled(noise) && c->verdict != VERDICT_REAL && c->tests > 0) {
		i.low = fmin(i.low, 0);
		i.high = fmax(i.high, 0);
	}
	return i;
}

struct interval
noise_marginal(const struct noise *noise, const struct change *c, double confidence)
{
	return interval_of(noise, c, 1 - confidence, true);
}

struct interval
noise_new(const struct noise *noise, const struct change *c, double confidence)
{
	double p = confidence > 0 ? 1 - confidence : (1 - noise->confidence) / fmax(c->tests, 1);
	double h = c->scaled_mean[1], low = h, high = h,
	       limit = student_limit(p, noise_test_df(noise, c));

	if (!noise_is_modelled(noise) || h <= 0)
		return (struct interval){c->head, c->head};
	/* All means from which h is within the limit; the variance depends on the mean. */
	for (int side = 0; side < 2; side++) {
		double inside = h, outside = side == 0 ? h * 1e-6 : h;

		while (side == 1 && (outside - h) <= limit * noise_head_error(noise, c, outside)) {
			outside *= 2;
			if (outside > RATIO_MAX * h)
				return (struct interval){low * noise->size[1], INFINITY};
		}
		for (int i = 0; i < 50; i++) {
			double mid = sqrt(inside * outside);

			if (fabs(h - mid) <= limit * noise_head_error(noise, c, mid))
				inside = mid;
			else
				outside = mid;
		}
		*(side == 0 ? &low : &high) = inside;
	}
	/* A significant value is above 0. */
	return (struct interval){low <= h * 2e-6 ? 0 : low * noise->size[1], high * noise->size[1]};
}
