/*
 * segment: finds the steps of a series of values in time order.
 *
 * A piece of the series is cut where two levels fit best, or three of which the outer ones are
 * equal, for a temporary change. The parts are then cut in the same way (binary segmentation, Scott
 * and Knott 1974; circular: Olshen, Venkatraman, Lucito and Wigler, "Circular binary segmentation
 * for the analysis of array-based DNA copy number data", 2004). A cut is kept if its t exceeds that
 * of the best place by chance, and if levels fit better than a straight line. The variance is that
 * of the residual, increased by its autocorrelation.
 *
 * If neighbouring values are too similar for that, as in a random walk, whose levels last by
 * chance, a step must pass two more tests. Its levels differ by more than the lasting part of the
 * variance explains. And it is abrupt: a few values before and after it differ significantly more
 * than they do at the other places of the series, as even those of a random walk do not.
 *
 * One or two outliers, as after a start, are not a level: they are first moved to the range of
 * their neighbours.
 */
#include "stats/segment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "stats/distribution.h"

#define BLOCK 20 /* values per block */
#define BLOCKS_PRIOR 20 /* weight of the median series, in blocks */
#define INTERVALS 128 /* places that are tried as ends of a temporary change */
#define OWN_ERRORS 2.5 /* standard errors from which on one series has a memory of its own */
#define FAR_FROM 3 /* lags of segment_residual's memory, in values */
#define FAR_TO 7
#define FAR_HIDDEN 2.6 /* / n: correlation that a fitted step hides, by simulation */
#define AROUND 4 /* neighbours on each side that an outlier is compared with */
#define STRAYS 2 /* neighbours that may be outliers too */
#define STRAY_AT 6 /* standard deviations from the rest that make an outlier */
#define JUMP 2 /* values on each side of an abrupt step; less than SEGMENT_TAIL */
/*
 * Values per degree of freedom of the mean square of all differences between such means, which
 * overlap: 1 + twice the sum of their squared correlations, which are 4/6 and 1/6 in a random walk;
 * for independent values it is less.
 */
#define JUMP_OVERLAP 1.95
#define BETTER_THAN_LINE 6 /* n ln(SSE of a line / SSE of levels) */

/* Values, and prefix sums of the values, of their squares, and of values times index. */
struct sums {
	double *y, *s, *q, *w;
	size_t n;
};

static double
sum(const struct sums *x, size_t a, size_t b)
{
	return x->s[b] - x->s[a];
}

static double
mean(const struct sums *x, size_t a, size_t b)
{
	return b > a ? sum(x, a, b) / (double)(b - a) : 0;
}

/* Sum of squares around one level. */
static double
sse_level(const struct sums *x, size_t a, size_t b)
{
	double total = sum(x, a, b);

	return x->q[b] - x->q[a] - total * total / (double)(b - a);
}

static double
sse_line(const struct sums *x, size_t a, size_t b)
{
	double n = (double)(b - a), middle = (double)a + (n - 1) / 2;
	double slope = x->w[b] - x->w[a] - middle * sum(x, a, b), spread = n * (n * n - 1) / 12;

	return sse_level(x, a, b) - slope * slope / spread;
}

/* A part of a piece that differs from the rest of the piece; it begins or ends inside. */
struct cut {
	size_t from, to;
	double gain; /* reduction of the sum of squares */
};

static void
try_cut(const struct sums *x, size_t a, size_t b, size_t from, size_t to, struct cut *best)
{
	double inside = (double)(to - from), outside = (double)(b - a) - inside;
	double in = sum(x, from, to), out = sum(x, a, b) - in;
	double gain = pow(in / inside - out / outside, 2) * inside * outside / (inside + outside);

	if (gain > best->gain)
		*best = (struct cut){from, to, gain};
}

/* A step that lasts to the end of the series may be shorter: more values will follow. */
static struct cut
best_step(const struct sums *x, size_t a, size_t b)
{
	size_t least = b == x->n ? SEGMENT_TAIL : SEGMENT_MIN;
	struct cut best = {a, b, 0};

	for (size_t k = a + SEGMENT_MIN; k + least <= b; k++)
		try_cut(x, a, b, k, b, &best);
	return best;
}

static struct cut
best_interval(const struct sums *x, size_t a, size_t b)
{
	size_t stride = (b - a) / INTERVALS + 1;
	struct cut best = {a, b, 0};

	for (size_t i = a + SEGMENT_MIN; i + 2 * SEGMENT_MIN <= b; i += stride)
		for (size_t j = i + SEGMENT_MIN; j + SEGMENT_MIN <= b; j += stride)
			try_cut(x, a, b, i, j, &best);
	return best;
}

/* A piece with up to three levels: before `from`, before `to`, and after. */
struct levels {
	size_t from, to;
	double level[3];
	double left; /* sum of squares around the levels */
};

static struct levels
levels_of(const struct sums *x, size_t a, size_t b, const struct cut *cut)
{
	double outside = 0;

	if (b - a > cut->to - cut->from)
		outside = (sum(x, a, b) - sum(x, cut->from, cut->to)) /
			  (double)(b - a - (cut->to - cut->from));
	return (struct levels){cut->from, cut->to, {outside, mean(x, cut->from, cut->to), outside},
	    sse_level(x, a, b) - cut->gain};
}

/* Autocorrelation of the residual of n values around their fit. */
static struct segment_residual
residual_around(const double *y, const double *fitted, size_t n)
{
	double last = 0, r0 = 0, r1 = 0, blocks = 0, block = 0;
	size_t in_block = 0, nblocks = 0;
	struct segment_residual r = {1, 0, 0};

	for (size_t i = 0; i < n; i++) {
		double e = y[i] - fitted[i];

		r0 += e * e;
		r1 += e * last;
		last = e;
		block += e;
		if (++in_block == BLOCK) {
			blocks += block * block / BLOCK;
			nblocks++;
			block = 0;
			in_block = 0;
		}
	}
	if (r0 > 0) {
		/* Fitting the levels hides a part of the correlation (Kendall 1954). */
		r.correlation = r1 / r0;
		r.correlation = fmin(r.correlation + 2 * (1 + 3 * r.correlation) / (double)n, 0.99);
		if (nblocks > 0)
			r.block_ratio = blocks / (double)nblocks / (r0 / (double)n);
	}
	return r;
}

/* Mean correlation at the lags FAR_FROM to FAR_TO, where a first-order process has none left. */
static double
memory(const double *y, const double *fitted, size_t n)
{
	double r0 = 0, far = 0;

	for (size_t i = 0; i < n; i++) {
		double e = y[i] - fitted[i];

		r0 += e * e;
		for (size_t k = FAR_FROM; k <= FAR_TO && k <= i; k++)
			far += e * (y[i - k] - fitted[i - k]);
	}
	return r0 > 0 ? far / r0 / (FAR_TO - FAR_FROM + 1) + FAR_HIDDEN / (double)n : 0;
}

static struct segment_residual
residual(const struct sums *x, size_t a, size_t b, const struct levels *l)
{
	double *fitted = cli_alloc(b - a, sizeof *fitted);
	struct segment_residual r;

	for (size_t i = a; i < b; i++)
		fitted[i - a] = l->level[(i >= l->from) + (i >= l->to)];
	r = residual_around(x->y + a, fitted, b - a);
	r.memory = memory(x->y + a, fitted, b - a);
	free(fitted);
	return r;
}

/* Factor on the variance of a mean, due to autocorrelation. */
static double
inflation(const struct segment_residual *r, double blocks, const struct segment_rules *rules)
{
	double pooled =
	    (blocks * r->block_ratio + BLOCKS_PRIOR * rules->block_ratio) / (blocks + BLOCKS_PRIOR);
	double neighbours = (1 + r->correlation) / (1 - r->correlation);

	return fmax(1, fmax(pooled, neighbours));
}

/*
 * Variance of one value around the levels, for use in means; 0 if a line fits as well. Rounding may
 * leave a sum of squares of 0 or less.
 */
static double
variance_around(const struct sums *x, size_t a, size_t b, const struct levels *l, double levels,
    const struct segment_rules *rules)
{
	double n = (double)(b - a), left = fmax(l->left, 1e-12 * (x->q[b] - x->q[a]));
	struct segment_residual r;

	if (n * log(fmax(sse_line(x, a, b), left) / left) <= BETTER_THAN_LINE * (levels - 1))
		return 0;
	r = residual(x, a, b, l);
	return left / (n - levels) * inflation(&r, floor(n / BLOCK), rules);
}

/* Probability that sampling gives such a cut: from the deviance of two Poisson rates. */
static double
sampling_p(const struct sums *x, size_t a, size_t b, const struct cut *cut,
    const struct segment_rules *rules)
{
	double inside = (double)(cut->to - cut->from), outside = (double)(b - a) - inside;
	double in = sum(x, cut->from, cut->to), out = sum(x, a, b) - in, deviance = 0;
	double level = (in + out) / (inside + outside);

	if (rules->sampling <= 0)
		return 0;
	if (in > 0)
		deviance += in * log(in / inside / level);
	if (out > 0)
		deviance += out * log(out / outside / level);
	return student_p(sqrt(fmax(2 * deviance / rules->sampling, 0)), INFINITY);
}

/* Probability that the best of that many places gives such a cut by chance. */
static double
cut_p(const struct sums *x, size_t a, size_t b, const struct cut *cut, double places,
    const struct segment_rules *rules)
{
	struct levels l = levels_of(x, a, b, cut);
	double variance = cut->gain > 0 ? variance_around(x, a, b, &l, 2, rules) : 0;

	if (variance <= 0)
		return 1;
	return fmin(1, fmax(student_p(sqrt(cut->gain / variance), (double)(b - a) - 2),
			   sampling_p(x, a, b, cut, rules)) *
			   places * rules->tests);
}

/*
 * Probability by chance of stairs, two steps: that of the less significant step. A series with
 * stairs may fit a line better than a single step, but is not a drift.
 */
static double
stairs_p(const struct sums *x, size_t a, size_t b, struct cut *stairs, double places,
    const struct segment_rules *rules)
{
	struct cut first = best_step(x, a, b), before = best_step(x, a, first.from);
	struct cut after = best_step(x, first.from, b);
	size_t one = first.from, two = after.from;
	struct levels l;
	double variance, gain, p = 0;

	if (first.gain <= 0 || (before.gain <= 0 && after.gain <= 0))
		return 1;
	if (before.gain > after.gain) {
		two = one;
		one = before.from;
	}
	/* The second step may have displaced the first: find that again. */
	if (before.gain > after.gain)
		two = best_step(x, one, b).from;
	else
		one = best_step(x, a, two).from;
	if (one - a < SEGMENT_MIN || two - one < SEGMENT_MIN || b - two < SEGMENT_MIN)
		return 1;
	l = (struct levels){one, two, {mean(x, a, one), mean(x, one, two), mean(x, two, b)},
	    sse_level(x, a, one) + sse_level(x, one, two) + sse_level(x, two, b)};
	variance = variance_around(x, a, b, &l, 3, rules);
	if (variance <= 0)
		return 1;
	gain = sse_level(x, a, two) - sse_level(x, a, one) - sse_level(x, one, two);
	p = student_p(sqrt(gain / variance), (double)(b - a) - 3);
	gain = sse_level(x, one, b) - sse_level(x, one, two) - sse_level(x, two, b);
	p = fmax(p, student_p(sqrt(gain / variance), (double)(b - a) - 3));
	*stairs = (struct cut){one, two, gain};
	p = fmax(p, sampling_p(x, a, two, &(struct cut){one, two, 0}, rules));
	p = fmax(p, sampling_p(x, one, b, &(struct cut){two, b, 0}, rules));
	return fmin(1, p * places * rules->tests);
}

struct found {
	size_t n;
	struct step *step;
};

static void
add_step(struct found *f, size_t at, double p)
{
	size_t i = f->n;

	if (f->n == SEGMENT_STEPS)
		return;
	for (; i > 0 && f->step[i - 1].at > at; i--)
		f->step[i] = f->step[i - 1];
	f->step[i] = (struct step){.at = at, .p = p};
	f->n++;
}

/*
 * Difference between a few values after and before a place, of square roots: the variance of a
 * function's share grows with it, that of its square root less.
 */
static double
jump(const struct sums *x, size_t at)
{
	return sqrt(fmax(mean(x, at, at + JUMP), 0)) - sqrt(fmax(mean(x, at - JUMP, at), 0));
}

/* True if `step` is in the difference at a place, with values on both sides of it. */
static bool
crosses(size_t place, size_t step)
{
	return place <= step + JUMP && step <= place + JUMP;
}

/* True if a known step, or an end of this cut, is in the difference at a place. */
static bool
crosses_step(const struct found *f, const struct cut *cut, size_t place)
{
	for (size_t i = 0; i < f->n; i++)
		if (crosses(place, f->step[i].at))
			return true;
	return crosses(place, cut->from) || crosses(place, cut->to);
}

/* Probability of so large a jump without a step, at a place that the levels selected. */
static double
jump_p(const struct sums *x, const struct found *f, const struct cut *cut, size_t at,
    const struct segment_rules *rules)
{
	double squares = 0, others = 0, df;

	for (size_t place = JUMP; place + JUMP <= x->n; place++)
		if (!crosses_step(f, cut, place)) {
			squares += pow(jump(x, place), 2);
			others++;
		}
	df = others / JUMP_OVERLAP;
	if (df < 1 || squares <= 0)
		return 1;
	return fmin(1, student_p(jump(x, at) / sqrt(squares / others), df) * rules->tests);
}

/*
 * The part of the variance that lasts, which means over many values do not reduce: the memory of a
 * series of n values and twice its standard error. 0 if its steps need not be abrupt.
 */
static double
lasting_part(const struct segment_rules *rules, size_t n)
{
	double lags = FAR_TO - FAR_FROM + 1;

	if (rules->memory <= SEGMENT_MEMORY)
		return 0;
	return fmin(rules->memory + 2 / sqrt(lags * (double)n), 1);
}

/* Probability of the levels of a cut by chance, if a part of the variance lasts. */
static double
lasting_p(const struct sums *x, size_t a, size_t b, const struct cut *cut, double places,
    const struct segment_rules *rules)
{
	struct levels l = levels_of(x, a, b, cut);
	double n = (double)(b - a), inside = (double)(cut->to - cut->from), variance;
	double part = lasting_part(rules, x->n), df;

	variance = fmax(l.left, 1e-12 * (x->q[b] - x->q[a])) / (n - 2) *
		   ((1 - part) * (1 / inside + 1 / (n - inside)) + 2 * part);
	df = (n - 2) * (1 - part);
	if (df < 1 || variance <= 0)
		return 1;
	return fmin(
	    1, student_p((l.level[1] - l.level[0]) / sqrt(variance), df) * places * rules->tests);
}

/*
 * The memory of one series, if it is more than chance gives in n independent values; else that of
 * all series.
 */
static double
own_memory(const double *y, const double *fitted, size_t n, const struct segment_rules *rules)
{
	double own = memory(y, fitted, n);

	return own > OWN_ERRORS / sqrt((FAR_TO - FAR_FROM + 1) * (double)n)
		   ? fmax(own, rules->memory)
		   : rules->memory;
}

/* Returns rules for a piece with a cut: its own memory, around a level before, in and after it. */
static struct segment_rules
rules_around(const struct sums *x, size_t a, size_t b, const struct cut *cut,
    const struct segment_rules *rules)
{
	const size_t end[] = {cut->from, cut->to, b};
	struct segment_rules own = *rules;
	double *fitted = cli_alloc(b - a, sizeof *fitted);

	for (size_t i = a, k = 0; k < 3; k++)
		for (double level = i < end[k] ? mean(x, i, end[k]) : 0; i < end[k]; i++)
			fitted[i - a] = level;
	own.memory = own_memory(x->y + a, fitted, b - a, rules);
	free(fitted);
	return own;
}

/* Probability that a cut is not a step of a series with memory. */
static double
abrupt_p(const struct sums *x, size_t a, size_t b, const struct found *f, const struct cut *cut,
    double places, const struct segment_rules *rules)
{
	double p =
	    fmax(lasting_p(x, a, b, cut, places, rules), jump_p(x, f, cut, cut->from, rules));

	return cut->to < b ? fmax(p, jump_p(x, f, cut, cut->to, rules)) : p;
}

/* Returns p, the probability of a cut by chance, or more if its series or all have a memory. */
static double
with_memory(const struct sums *x, size_t a, size_t b, const struct found *f, const struct cut *cut,
    double places, const struct segment_rules *rules, double p)
{
	struct segment_rules own;

	if (p > SEGMENT_LEVEL)
		return p;
	own = rules_around(x, a, b, cut, rules);
	return own.memory > SEGMENT_MEMORY ? fmax(p, abrupt_p(x, a, b, f, cut, places, &own)) : p;
}

enum cut_kind { STEP, INTERVAL, STAIRS };

/* Finds the best cut of a kind. Returns its probability by chance in a series without memory. */
static double
find_cut(const struct sums *x, size_t a, size_t b, enum cut_kind kind, double places,
    const struct segment_rules *rules, struct cut *cut)
{
	if (kind == STAIRS)
		return stairs_p(x, a, b, cut, places, rules);
	*cut = kind == STEP ? best_step(x, a, b) : best_interval(x, a, b);
	return cut_p(
	    x, a, b, cut, kind == STEP ? places : places * fmin(places, INTERVALS) / 2, rules);
}

static void
cut_piece(const struct sums *x, size_t a, size_t b, size_t all, const struct segment_rules *rules,
    struct found *f)
{
	const bool short_piece = b - a < 3 * SEGMENT_MIN;
	double places = (double)all, p = 1;
	struct cut cut;

	if (b - a < SEGMENT_MIN + (b == x->n ? SEGMENT_TAIL : SEGMENT_MIN) || f->n == SEGMENT_STEPS)
		return;
	for (int kind = STEP; p > SEGMENT_LEVEL && kind <= (short_piece ? STEP : STAIRS); kind++) {
		p = find_cut(x, a, b, (enum cut_kind)kind, places, rules, &cut);
		p = with_memory(x, a, b, f, &cut, places, rules, p);
	}
	if (p > SEGMENT_LEVEL)
		return;
	add_step(f, cut.from, p);
	cut_piece(x, a, cut.from, all, rules, f);
	cut_piece(x, cut.from, cut.to, all, rules, f);
	if (cut.to < b) {
		add_step(f, cut.to, p);
		cut_piece(x, cut.to, b, all, rules, f);
	}
}

/* Standard deviation of a value, from the differences of neighbours, which steps do not affect. */
static double
deviation(const double *y, size_t n)
{
	double *apart = cli_alloc(n, sizeof *apart), median;

	for (size_t i = 1; i < n; i++)
		apart[i - 1] = fabs(y[i] - y[i - 1]);
	sort_items(apart, n - 1, sizeof *apart, compare_doubles);
	median = apart[(n - 1) / 2];
	free(apart);
	return median / 0.6745 / sqrt(2);
}

/* Copy of the values without outliers. A change longer than STRAYS is not an outlier. */
static double *
tame(const double *y, size_t n)
{
	double *tamed = cli_alloc(n, sizeof *tamed), far;

	memcpy(tamed, y, n * sizeof *tamed);
	far = n < 2 * SEGMENT_MIN ? 0 : STRAY_AT * deviation(y, n);
	for (size_t i = 0; far > 0 && i < n; i++) {
		size_t from = i > AROUND ? i - AROUND : 0, to = i + AROUND < n ? i + AROUND + 1 : n;
		double around[2 * AROUND + 1], low, high;

		memcpy(around, y + from, (to - from) * sizeof *around);
		sort_items(around, to - from, sizeof *around, compare_doubles);
		low = around[STRAYS];
		high = around[to - from - 1 - STRAYS];
		if (y[i] > high + far)
			tamed[i] = high;
		else if (y[i] < low - far)
			tamed[i] = low;
	}
	return tamed;
}

static struct sums
sums_of(const double *values, size_t n)
{
	double *y = tame(values, n);
	struct sums x = {.y = y, .n = n};

	x.s = cli_alloc(n + 1, sizeof *x.s);
	x.q = cli_alloc(n + 1, sizeof *x.q);
	x.w = cli_alloc(n + 1, sizeof *x.w);
	for (size_t i = 0; i < n; i++) {
		x.s[i + 1] = x.s[i] + y[i];
		x.q[i + 1] = x.q[i] + y[i] * y[i];
		x.w[i + 1] = x.w[i] + y[i] * (double)i;
	}
	return x;
}

static void
sums_free(struct sums *x)
{
	free(x->y);
	free(x->s);
	free(x->q);
	free(x->w);
}

struct segment_residual
segment_residual(const double *y, size_t n)
{
	struct sums x = sums_of(y, n);
	struct cut cut = best_step(&x, 0, n);
	struct levels l = levels_of(&x, 0, n, &cut);
	struct segment_residual r = residual(&x, 0, n, &l);

	sums_free(&x);
	return r;
}

/* Variance of one value around a fit with that many parameters, for use in means. */
static double
fitted_variance(const double *y, const double *fitted, size_t n, size_t parameters,
    const struct segment_rules *rules)
{
	struct segment_residual r = residual_around(y, fitted, n);
	double left = 0, level = 0;

	for (size_t i = 0; i < n; i++) {
		left += pow(y[i] - fitted[i], 2);
		level += y[i] / (double)n;
	}
	left = left / (double)(n - parameters) * inflation(&r, floor((double)n / BLOCK), rules);
	return fmax(left, rules->sampling * level);
}

/* Set the levels and their errors, once all steps are known. */
static void
measure_steps(
    const struct sums *x, const struct segment_rules *rules, struct step *step, size_t steps)
{
	double *fitted = cli_alloc(x->n, sizeof *fitted), variance, lasting = 0;

	for (size_t k = 0; k <= steps; k++) {
		size_t a = k > 0 ? step[k - 1].at : 0, b = k < steps ? step[k].at : x->n;

		for (size_t i = a; i < b; i++)
			fitted[i] = mean(x, a, b);
		lasting += sse_level(x, a, b);
		if (k > 0)
			step[k - 1].after = mean(x, a, b);
		if (k < steps)
			step[k].before = mean(x, a, b);
	}
	variance = fitted_variance(x->y, fitted, x->n, steps + 1, rules);
	lasting *= lasting_part(rules, x->n) / (double)(x->n - steps - 1);
	lasting = fmax(lasting, 0); /* rounding */
	for (size_t k = 0; k < steps; k++) {
		size_t a = k > 0 ? step[k - 1].at : 0, b = k + 1 < steps ? step[k + 1].at : x->n;
		double n1 = (double)(step[k].at - a), n2 = (double)(b - step[k].at);

		step[k].base_error = sqrt(variance / n1 + lasting);
		step[k].error = sqrt(variance / n1 + variance / n2 + 2 * lasting);
		step[k].df = (double)(x->n - steps - 1);
	}
	free(fitted);
}

bool
segment_drift(const double *y, size_t n, const struct segment_rules *rules, struct drift *drift)
{
	struct sums x = sums_of(y, n);
	double *fitted = cli_alloc(n, sizeof *fitted);
	double middle = (double)(n - 1) / 2, spread = (double)n * ((double)n * (double)n - 1) / 12;
	double level = mean(&x, 0, n), slope = (x.w[n] - middle * x.s[n]) / spread, change;
	struct cut step = best_step(&x, 0, n);
	bool better = sse_line(&x, 0, n) <= sse_level(&x, 0, n) - step.gain;

	for (size_t i = 0; i < n; i++)
		fitted[i] = level + slope * ((double)i - middle);
	change = slope * (double)(n - 1);
	*drift = (struct drift){fitted[0], fitted[n - 1], 1,
	    (double)(n - 1) * sqrt(fitted_variance(x.y, fitted, n, 2, rules) / spread),
	    (double)n - 2};
	if (drift->error > 0 && own_memory(x.y, fitted, n, rules) <= SEGMENT_MEMORY)
		drift->p = fmin(1, student_p(change / drift->error, drift->df) * rules->tests);
	free(fitted);
	sums_free(&x);
	return better && drift->p <= SEGMENT_LEVEL;
}

size_t
segment_find(const double *y, size_t n, const struct segment_rules *rules, struct step *step)
{
	struct sums x = sums_of(y, n);
	struct found f = {0, step};

	cut_piece(&x, 0, n, n, rules, &f);
	measure_steps(&x, rules, step, f.n);
	sums_free(&x);
	return f.n;
}
