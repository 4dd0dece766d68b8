/*
 * trend: fits shapes to a series, most of them a level plus a multiple of a curve with one
 * parameter, and takes the best by the criterion of Schwarz, "Estimating the Dimension of a Model"
 * (1978). A series grows only if a level that turns into a line to its end is the best, the slope
 * is significant, and the end grows as the rest does. The variance of the slope is that of the
 * residuals, larger if neighbours are similar, and at least that of the samples that are the
 * growth.
 */
#include "stats/trend.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cli.h"
#include "stats/distribution.h"

#define POSITIONS 64 /* tried for the parameter of a shape, at most */
#define FLAT 3 /* values after a rise that ended, at least */
#define TAIL 0.35 /* of the slope: with less at the end the growth has ended */
#define WARM 0.4 /* of the series: the longest time constant of a warm-up */
#define SIMILAR_MAX 0.9 /* limit of the correlation of neighbours */
#define EXACT 1e-9 /* relative error of values that are not sampled */

enum shape { LEVEL, LINE, STEP, STEPS, ENDED, WARM_UP, SHAPES };

/* y = level + slope * curve, with the curve's parameter `at`. */
struct fit {
	enum shape shape;
	double at, level, slope, squares, spread; /* spread: sum of squares of the curve */
};

static double
curve(enum shape shape, double at, size_t t)
{
	double x = (double)t;

	switch (shape) {
	case LINE: return fmax(0, x - at);
	case STEP: return x > at;
	case ENDED: return fmin(x, at);
	case WARM_UP: return 1 - exp(-x / at);
	default: return 0;
	}
}

static struct fit
fit(const double *y, size_t n, enum shape shape, double at)
{
	struct fit f = {.shape = shape, .at = at};
	double mean = 0, centre = 0, product = 0;

	for (size_t t = 0; t < n; t++) {
		mean += y[t] / (double)n;
		centre += curve(shape, at, t) / (double)n;
	}
	for (size_t t = 0; t < n; t++) {
		double z = curve(shape, at, t) - centre;

		f.spread += z * z;
		product += z * (y[t] - mean);
	}
	f.slope = f.spread > 0 ? product / f.spread : 0;
	f.level = mean - f.slope * centre;
	for (size_t t = 0; t < n; t++)
		f.squares += pow(y[t] - f.level - f.slope * curve(shape, at, t), 2);
	return f;
}

/*
 * Schwarz's criterion: less is better. floor: variance that is always there. similar: how many
 * neighbours are worth one value (inflation).
 */
static double
badness(const struct fit *f, size_t n, double floor, double similar)
{
	static const double parameters[SHAPES] = {1, 2, 3, 5, 3, 3};
	double k = parameters[f->shape] + (f->shape == LINE && f->at > 0), m = (double)n;

	return m / similar * log(f->squares / m + floor) + k * log(m);
}

/* The best rising fit of a shape over parameters in [first, last]. */
static struct fit
best(const double *y, size_t n, enum shape shape, double first, double last, double floor)
{
	struct fit most = fit(y, n, LEVEL, 0);
	double steps = fmin(POSITIONS, fmax(0, last - first));
	bool any = false;

	if (shape == WARM_UP)
		steps = POSITIONS / 4;
	for (double i = 0; i <= steps && first <= last; i++) {
		double at = steps > 0 ? first + (last - first) * i / steps : first;
		struct fit f = fit(y, n, shape, shape == WARM_UP ? at : round(at));

		if (f.slope <= 0)
			continue;
		if (!any || badness(&f, n, floor, 1) < badness(&most, n, floor, 1))
			most = f;
		any = true;
	}
	return most;
}

/* Squares about the mean of the values [from, to), of which sum and square are running sums. */
static double
scatter(const double *sum, const double *square, size_t from, size_t to)
{
	double all = sum[to] - sum[from];

	return fmax(0, square[to] - square[from] - all * all / (double)(to - from));
}

/* Two rises, each from one value to the next; only the squares of the fit are set. */
static struct fit
two_steps(const double *y, size_t n)
{
	struct fit f = {.shape = STEPS, .squares = INFINITY};
	double *sum = cli_alloc(n + 1, sizeof *sum), *square = cli_alloc(n + 1, sizeof *square);
	size_t by = 1 + (n - 1) / POSITIONS;

	for (size_t t = 0; t < n; t++) {
		double x = y[t] - y[0];

		sum[t + 1] = sum[t] + x;
		square[t + 1] = square[t] + x * x;
	}
	for (size_t a = 1; a + 1 < n; a += by)
		for (size_t b = a + 1; b < n; b += by) {
			double level[3] = {sum[a] / (double)a, (sum[b] - sum[a]) / (double)(b - a),
			    (sum[n] - sum[b]) / (double)(n - b)};

			if (level[0] < level[1] && level[1] < level[2])
				f.squares = fmin(f.squares, scatter(sum, square, 0, a) +
								scatter(sum, square, a, b) +
								scatter(sum, square, b, n));
		}
	free(sum);
	free(square);
	return f;
}

/* How much similar neighbours raise the variance of a slope. */
static double
inflation(const double *y, size_t n, const struct fit *f)
{
	double product = 0, squares = 0, before = 0, r;

	for (size_t t = 0; t < n; t++) {
		double e = y[t] - f->level - f->slope * curve(f->shape, f->at, t);

		squares += e * e;
		product += t > 0 ? e * before : 0;
		before = e;
	}
	if (squares <= 0)
		return 1;
	r = product / squares;
	r += (1 + 4 * r) / (double)n; /* the estimate of few values is too low */
	r = fmin(fmax(r, 0), SIMILAR_MAX);
	return (1 + r) / (1 - r);
}

/* True if the last values of a growth since `since` grow as its first ones do. */
static bool
goes_on(const double *y, size_t n, size_t since, double slope, double variance)
{
	size_t half = (n - since) / 2;
	struct fit end;

	if (n - half < 3 || half < 3)
		return true;
	end = fit(y + (n - half), half, LINE, 0);
	return end.slope >= TAIL * slope || end.slope + sqrt(variance / end.spread) >= slope;
}

static size_t
choose(const struct fit *shape, size_t n, double floor, double similar)
{
	size_t chosen = LEVEL;

	for (size_t i = 1; i < SHAPES; i++)
		if (badness(&shape[i], n, floor, similar) <
		    badness(&shape[chosen], n, floor, similar))
			chosen = i;
	return chosen;
}

/* True if the rise of a fit is significant. */
static bool
rises(const struct fit *f, size_t n, const struct trend_rules *rules, double similar)
{
	double df = (double)n - 3, error = sqrt(fmax(f->squares, 0) / df * similar / f->spread);

	return f->slope > 0 &&
	       rules->tests * (double)n * student_p(f->slope / fmax(error, 1e-300), df) <=
		   rules->level;
}

struct trend
trend_find(const double *y, size_t n, const struct trend_rules *rules)
{
	struct trend trend = {0};
	struct fit shape[SHAPES];
	double mean = 0, floor, variance, rise, similar, last = (double)(n - TREND_MIN);
	size_t chosen;

	for (size_t t = 0; t < n; t++)
		mean += y[t] / (double)n;
	floor = pow(EXACT * mean, 2) + 1e-300;
	shape[LEVEL] = fit(y, n, LEVEL, 0);
	shape[LINE] = best(y, n, LINE, 0, last, floor);
	shape[STEP] = best(y, n, STEP, 0, (double)n - 2, floor);
	shape[STEPS] = two_steps(y, n);
	shape[ENDED] = best(y, n, ENDED, 1, (double)n - 1 - FLAT, floor);
	shape[WARM_UP] = best(y, n, WARM_UP, 0.3, WARM * (double)n, floor);
	chosen = choose(shape, n, floor, 1);
	similar = inflation(y, n, &shape[chosen == STEPS ? STEP : chosen]);
	chosen = choose(shape, n, floor, similar);
	trend.df = (double)n - 2 - (shape[LINE].at > 0);
	variance = fmax(shape[LINE].squares / trend.df, floor) * similar;
	trend.slope = shape[LINE].shape == LINE ? shape[LINE].slope : 0;
	trend.since = (size_t)shape[LINE].at;
	if (shape[LINE].shape != LINE)
		shape[LINE].spread = fit(y, n, LINE, 0).spread;
	rise = trend.slope * (double)(n - 1 - trend.since);
	/* a growth by k samples is known to the square root of k */
	trend.error = sqrt(variance / shape[LINE].spread +
			   rules->period * rise / pow((double)(n - 1 - trend.since), 2));
	trend.p =
	    fmin(1, rules->tests * (last + 1) * student_p(trend.slope / trend.error, trend.df));
	trend.least = student_limit(rules->level / rules->tests / (last + 1), trend.df) *
		      sqrt(variance / shape[LINE].spread);
	if (chosen == LINE && trend.p <= rules->level)
		trend.kind =
		    goes_on(y, n, trend.since, trend.slope, variance) ? TREND_GROWS : TREND_ENDED;
	if (chosen == LEVEL || chosen == LINE ||
	    !rises(&shape[chosen == STEPS ? STEP : chosen], n, rules, similar))
		return trend;
	trend.kind = chosen == STEP || chosen == STEPS ? TREND_STEP : TREND_ENDED;
	trend.since = chosen == STEP ? (size_t)shape[STEP].at : 0;
	return trend;
}
