/*
 * noise: runs of unchanged programs go in, how often fg-diff cries wolf over them and
 * what it finds comes out: the table of fg-diff(1). Prints a row for each set.
 *
 *	noise NAME RUN... [-- NAME RUN...]...
 *
 * Runs are drawn with a seed, so the same files give the same table. A function is
 * changed by adding what it took in runs of its own, so that the more spreads too.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "stats/noise.h"
#include "fg-diff/side.h"
#include "../random.h"

#define DRAWS 400
#define MOST 5 /* runs a side */

static const unsigned sides[] = {1, 2, 3, MOST};
enum { SIDES = sizeof sides / sizeof sides[0] };

/* Values of functions in all runs of a set: a row for each function. */
struct set {
	const char *name;
	unsigned runs;
	double *whole, *self, *total;
	size_t n;
};

/* Function `row`, or none, of head changes by `times` of itself, all of it by `scale`. */
struct planted {
	const struct set *set;
	size_t row;
	double times, scale;
};
#define NO_ROW SIZE_MAX

struct outcome {
	double any, whole, found, other; /* how often */
};

static void
fill(double *matrix, const struct value_array *sums, unsigned runs)
{
	for (unsigned r = 0; r < runs; r++)
		for (size_t i = 1; i < sums[r].n; i++)
			if (value_array_has(&sums[r], i))
				matrix[(i - 1) * runs + r] =
				    value_double(value_array_get(&sums[r], i));
}

static struct set
set_read(const char *name, char **path, unsigned runs)
{
	struct spent spent = {.by = BY_FUNCTION};
	struct side side = {.path = path, .runs = runs, .spent = &spent, .nspent = 1};
	struct set s = {.name = name, .runs = runs};

	side_read(&side);
	s.n = spent.names->nname - 1;
	s.whole = cli_alloc(runs, sizeof *s.whole);
	s.self = cli_alloc(s.n * runs, sizeof *s.self);
	s.total = cli_alloc(s.n * runs, sizeof *s.total);
	for (unsigned r = 0; r < runs; r++)
		s.whole[r] = value_double(side.run_whole[r]);
	fill(s.self, spent.self, runs);
	fill(s.total, spent.total, runs);
	side_free(&side);
	return s;
}

/* The first n of a shuffled pack of runs. */
static void
draw(unsigned *pick, unsigned runs, unsigned n)
{
	for (unsigned i = 0; i < runs; i++)
		pick[i] = i;
	for (unsigned i = 0; i < n; i++) {
		unsigned j = i + (unsigned)(random_uniform() * (runs - i)), swap = pick[i];

		pick[i] = pick[j];
		pick[j] = swap;
	}
}

/* What head's run r has more of the planted function, whole by whole. */
static double
more(const struct planted *p, const unsigned *pick, unsigned k, unsigned r)
{
	const struct set *s = p->set;
	const double *row = s->self + p->row * s->runs;
	unsigned other = pick[k + r];

	if (p->times < 0)
		return floor(p->times * row[pick[r]] + random_uniform());
	return floor(
	    p->times * row[other] * s->whole[pick[r]] / s->whole[other] + random_uniform());
}

/* One comparison of k runs a side, pick[0..k) with pick[k..2k); pick[2k..3k) is for `more`. */
static void
compare(const struct planted *p, const unsigned *pick, unsigned k, bool shares, struct outcome *o)
{
	const struct set *s = p->set;
	double whole[2 * MOST], *rows = cli_alloc(s->n * 2 * k, sizeof *rows), limit;
	struct change *change = cli_alloc(s->n, sizeof *change);
	struct noise noise = {.kind = NOISE_RUNS,
	    .shares = shares,
	    .confidence = 0.99,
	    .period = 1,
	    .nbase = k,
	    .nhead = k,
	    .whole = whole};
	bool any = false, other = false;

	for (unsigned r = 0; r < 2 * k; r++)
		whole[r] = s->whole[pick[r]] * (r >= k ? p->scale : 1);
	for (int total = 0; total < (p->row == NO_ROW ? 2 : 1); total++) {
		for (size_t i = 0; i < s->n; i++)
			for (unsigned r = 0; r < 2 * k; r++)
				rows[i * 2 * k + r] =
				    (total ? s->total : s->self)[i * s->runs + pick[r]] *
				    (r >= k ? p->scale : 1);
		for (unsigned r = k; p->row != NO_ROW && r < 2 * k; r++) {
			double add = more(p, pick, k, r);

			rows[p->row * 2 * k + r] += add;
			whole[r] += add;
		}
		if (!total)
			noise_fit(&noise, rows, s->n);
		noise_judge(&noise, rows, s->n, NULL, change);
		for (size_t i = 0; i < s->n; i++) {
			if (change[i].verdict != VERDICT_REAL)
				continue;
			any = true;
			if (i == p->row)
				o->found++;
			else if (!total)
				other = true;
		}
	}
	o->any += any;
	o->other += other;
	o->whole += noise_whole(&noise, INFINITY, &limit).verdict == VERDICT_REAL;
	noise_free(&noise);
	free(rows);
	free(change);
}

static struct outcome
many(const struct planted *p, unsigned k, bool shares, uint64_t seed)
{
	struct outcome o = {0, 0, 0, 0};
	unsigned *pick = cli_alloc(p->set->runs, sizeof *pick);

	random_state = seed;
	for (int i = 0; i < DRAWS; i++) {
		draw(pick, p->set->runs, 3 * k);
		compare(p, pick, k, shares, &o);
	}
	free(pick);
	o.any *= 100.0 / DRAWS;
	o.whole *= 100.0 / DRAWS;
	o.found *= 100.0 / DRAWS;
	o.other *= 100.0 / DRAWS;
	return o;
}

/* The function whose self value is nearest to that part of the whole. */
static size_t
nearest(const struct set *s, double part)
{
	double whole = 0, nearest = INFINITY;
	size_t best = 0;

	for (unsigned r = 0; r < s->runs; r++)
		whole += s->whole[r];
	for (size_t i = 0; i < s->n; i++) {
		double sum = 0;

		for (unsigned r = 0; r < s->runs; r++)
			sum += s->self[i * s->runs + r];
		if (sum > 0 && fabs(log(sum / whole / part)) < nearest) {
			nearest = fabs(log(sum / whole / part));
			best = i;
		}
	}
	return best;
}

/* The mean of all sets and the worst, as columns of sides. */
static void
say(const char *what, double sum[SIDES], size_t n)
{
	printf("%-40s", what);
	for (int k = 0; k < SIDES; k++)
		printf(" %6.2f", sum[k] / (double)n);
	putchar('\n');
}

static void
false_alarms(const struct set *set, size_t n)
{
	double any[SIDES] = {0}, worst[SIDES] = {0}, whole[SIDES] = {0}, wholes[SIDES] = {0},
	       share[SIDES] = {0};
	unsigned disjoint[SIDES] = {0};

	for (size_t i = 0; i < n; i++) {
		struct planted nothing = {&set[i], NO_ROW, 0, 1};

		printf("%-40s", set[i].name);
		for (int k = 0; k < SIDES; k++) {
			struct outcome o = many(&nothing, sides[k], false, 77 + i);

			printf(" %6.2f", o.any);
			any[k] += o.any;
			worst[k] = fmax(worst[k], o.any);
			whole[k] += o.whole;
			wholes[k] = fmax(wholes[k], o.whole);
			share[k] += many(&nothing, sides[k], true, 77 + i).any;
			disjoint[k] += set[i].runs / (2 * sides[k]);
		}
		putchar('\n');
	}
	printf("%-40s", "disjoint comparisons");
	for (int k = 0; k < SIDES; k++)
		printf(" %6u", disjoint[k]);
	putchar('\n');
	say("some function falsely called real", any, n);
	say("the same of shares (-n)", share, n);
	say("the worst set", worst, 1);
	say("the whole falsely called real", whole, n);
	say("the worst set", wholes, 1);
}

static void
power(const struct set *set, size_t n)
{
	static const struct {
		const char *what;
		double part, times, scale;
	} c[] = {
	    {"a function of 10 % doubled", 0.10, 1, 1},
	    {"a function of 10 % four times as large", 0.10, 3, 1},
	    {"a function of 3 % doubled", 0.03, 1, 1},
	    {"one of 20 % at a tenth", 0.20, -0.9, 1},
	    {"the whole 1.5 times", 0, 0, 1.5},
	};

	for (size_t w = 0; w < sizeof c / sizeof c[0]; w++) {
		double found[SIDES] = {0}, other[SIDES] = {0};

		for (size_t i = 0; i < n; i++) {
			size_t row = c[w].part > 0 ? nearest(&set[i], c[w].part) : NO_ROW;
			struct planted p = {&set[i], row, c[w].times, c[w].scale};

			for (int k = 0; k < SIDES; k++) {
				struct outcome o = many(&p, sides[k], false, 99 + i);

				found[k] += row == NO_ROW ? o.whole : o.found;
				other[k] += o.other;
			}
		}
		say(c[w].what, found, n);
		if (c[w].times < 0)
			say("and others called real beside it", other, n);
	}
}

int
main(int argc, char **argv)
{
	static const struct cli_option none[] = {{0}};
	static const struct cli cli = {"", "", none, false};
	struct set *set = cli_alloc((size_t)argc, sizeof *set);
	size_t n = 0;

	cli_start(&cli, argv);
	for (int i = 1; i < argc; i++) {
		int first = i + 1;

		while (i < argc && strcmp(argv[i], "--") != 0)
			i++;
		if (i - first < 3 * MOST)
			cli_die("%s: fewer than %d runs", argv[first - 1], 3 * MOST);
		set[n++] = set_read(argv[first - 1], argv + first, (unsigned)(i - first));
	}
	printf("%-40s", "runs a side");
	for (int k = 0; k < SIDES; k++)
		printf(" %6u", sides[k]);
	putchar('\n');
	false_alarms(set, n);
	power(set, n);
	for (size_t i = 0; i < n; i++) {
		free(set[i].whole);
		free(set[i].self);
		free(set[i].total);
	}
	free(set);
	return 0;
}
