/*
 * noise: false alarms and power of fg-diff on runs of unchanged programs, the table of fg-diff(1).
 * Prints a row for each set.
 *
 *	noise NAME RUN... [-- NAME RUN...]...
 *
 * Runs are drawn with a seed, so the same files give the same table. A function is
 * changed by adding what it took in runs of its own, so that the more spreads too.
 *
 * The last rows are the coverage of marginal 95 % intervals, by the size of the function: a tenth
 *of the functions of each comparison are changed by removing a known part of their samples from one
 * side, so the true change is known for all of them.
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
#define SIDE_MAX 5 /* maximum runs a side */

static const unsigned sides[] = {1, 2, 3, SIDE_MAX};
enum { SIDES = sizeof sides / sizeof sides[0] };

/* Values of functions in all runs of a set: a row for each function. */
struct set {
	const char *name;
	unsigned runs;
	double *profile_total, *self, *total;
	double *kernel[2]; /* kernel time in self and total */
	size_t n;
};

/*
 * A change of head: function `row`, if any, grows by `times` of itself, all functions by `scale`.
 */
struct planted {
	const struct set *set;
	size_t row;
	double times, scale;
};
#define NO_ROW SIZE_MAX

struct outcome {
	double any, profile_total, found, other; /* numbers of comparisons */
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

/* Reads one run as a side of its own, for the kernel time of functions. */
static void
fill_kernel(struct set *s, struct calltree *names, char *path, unsigned run)
{
	struct spent spent = {.by = BY_FUNCTION};
	struct side side = {.path = &path, .runs = 1, .spent = &spent, .nspent = 1};
	const struct value_array *kernel[] = {&spent.kernel_self, &spent.kernel_total};

	side_read(&side);
	for (int k = 0; k < 2; k++)
		for (size_t i = 1; i < kernel[k]->n; i++) {
			const struct calltree_name *name = &spent.names->name[i];
			size_t row = calltree_intern(names, name->s, name->len) - 1;

			s->kernel[k][row * s->runs + run] =
			    value_double(value_array_get(kernel[k], i));
		}
	side_free(&side);
}

static struct set
set_read(const char *name, char **path, unsigned runs)
{
	struct spent spent = {.by = BY_FUNCTION};
	struct side side = {.path = path, .runs = runs, .spent = &spent, .nspent = 1};
	struct set s = {.name = name, .runs = runs};

	side_read(&side);
	s.n = spent.names->nname - 1;
	s.profile_total = cli_alloc(runs, sizeof *s.profile_total);
	s.self = cli_alloc(s.n * runs, sizeof *s.self);
	s.total = cli_alloc(s.n * runs, sizeof *s.total);
	for (unsigned r = 0; r < runs; r++)
		s.profile_total[r] = value_double(side.run_profile_total[r]);
	fill(s.self, spent.self, runs);
	fill(s.total, spent.total, runs);
	for (int k = 0; k < 2; k++)
		s.kernel[k] = cli_alloc(s.n * runs, sizeof *s.kernel[k]);
	for (unsigned r = 0; r < runs; r++)
		fill_kernel(&s, spent.names, path[r], r);
	side_free(&side);
	return s;
}

/* Draws n of the runs without replacement. */
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

/* The increase of the planted function in head's run r, relative to the run's total. */
static double
more(const struct planted *p, const unsigned *pick, unsigned k, unsigned r)
{
	const struct set *s = p->set;
	const double *row = s->self + p->row * s->runs;
	unsigned other = pick[k + r];

	if (p->times < 0)
		return floor(p->times * row[pick[r]] + random_uniform());
	return floor(p->times * row[other] * s->profile_total[pick[r]] / s->profile_total[other] +
		     random_uniform());
}

/* One comparison of k runs a side, pick[0..k) with pick[k..2k); pick[2k..3k) is for `more`. */
static void
compare(const struct planted *p, const unsigned *pick, unsigned k, bool shares, struct outcome *o)
{
	const struct set *s = p->set;
	double profile_total[2 * SIDE_MAX], *rows = cli_alloc(s->n * 2 * k, sizeof *rows), limit;
	struct change *change = cli_alloc(s->n, sizeof *change);
	double *kernel = cli_alloc(s->n, sizeof *kernel);
	struct noise noise = {.kind = NOISE_RUNS,
	    .shares = shares,
	    .confidence = 0.99,
	    .period = 1,
	    .nbase = k,
	    .nhead = k,
	    .profile_total = profile_total};
	bool any = false, other = false;

	for (unsigned r = 0; r < 2 * k; r++)
		profile_total[r] = s->profile_total[pick[r]] * (r >= k ? p->scale : 1);
	for (int total = 0; total < (p->row == NO_ROW ? 2 : 1); total++) {
		for (size_t i = 0; i < s->n; i++)
			for (unsigned r = 0; r < 2 * k; r++)
				rows[i * 2 * k + r] =
				    (total ? s->total : s->self)[i * s->runs + pick[r]] *
				    (r >= k ? p->scale : 1);
		for (unsigned r = k; p->row != NO_ROW && r < 2 * k; r++) {
			double add = more(p, pick, k, r);

			rows[p->row * 2 * k + r] += add;
			profile_total[r] += add;
		}
		for (size_t i = 0; k == 1 && i < s->n; i++) {
			const double *part = s->kernel[total] + i * s->runs;
			double both = rows[2 * i] + rows[2 * i + 1];

			kernel[i] = both > 0 ? (part[pick[0]] + part[pick[1]]) / both : 0;
		}
		if (!total)
			noise_fit(&noise, rows, s->n);
		noise_judge(&noise, rows, s->n, total ? NULL : noise.reference, kernel, change);
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
	o->profile_total += noise_profile_total(&noise, INFINITY, &limit).verdict == VERDICT_REAL;
	noise_free(&noise);
	free(rows);
	free(kernel);
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
	o.profile_total *= 100.0 / DRAWS;
	o.found *= 100.0 / DRAWS;
	o.other *= 100.0 / DRAWS;
	return o;
}

#define CLASSES 4
#define HISTORY 10 /* runs of --baseline */
#define CHANGED 0.1 /* part of the functions */

static const double class_end[CLASSES] = {30, 100, 1000, INFINITY}; /* samples a run */

struct covered {
	size_t n, held;
};

/* Keeps each of n samples with the probability p. */
static double
thin(double n, double p)
{
	double kept = 0;

	for (; n >= 1; n--)
		kept += random_uniform() < p;
	return kept;
}

/* One comparison of k runs a side, with `history` more, some functions changed; adds to class[]. */
static void
cover(const struct set *s, const unsigned *pick, unsigned k, unsigned history,
    struct covered class[CLASSES])
{
	unsigned runs = 2 * k + history;
	double profile_total[2 * SIDE_MAX + HISTORY], *rows = cli_alloc(s->n * runs, sizeof *rows);
	double *truth = cli_alloc(s->n, sizeof *truth), *kernel = cli_alloc(s->n, sizeof *kernel);
	struct change *change = cli_alloc(s->n, sizeof *change);
	struct noise noise = {.kind = NOISE_RUNS,
	    .confidence = 0.99,
	    .period = 1,
	    .nbase = k,
	    .nhead = k,
	    .nhistory = history,
	    .profile_total = profile_total};

	for (unsigned r = 0; r < runs; r++)
		profile_total[r] = s->profile_total[pick[r]];
	for (size_t i = 0; i < s->n; i++) {
		bool changes = random_uniform() < CHANGED, head = random_uniform() < 0.5;
		double part = 0.3 + 0.7 * random_uniform(), kernels = 0, both = 0;

		for (unsigned r = 0; r < runs; r++) {
			double *x = &rows[i * runs + r];

			*x = s->self[i * s->runs + pick[r]];
			if (r < 2 * k) {
				kernels += s->kernel[0][i * s->runs + pick[r]];
				both += *x;
			}
			if (changes && (head ? r >= k && r < 2 * k : r < k || r >= 2 * k)) {
				double kept = thin(*x, part);

				profile_total[r] -= *x - kept;
				*x = kept;
			}
		}
		truth[i] = !changes ? 0 : 100 * ((head ? part : 1 / part) - 1);
		kernel[i] = both > 0 ? kernels / both : 0;
	}
	noise_fit(&noise, rows, s->n);
	noise_judge(&noise, rows, s->n, noise.reference, kernel, change);
	for (size_t i = 0; i < s->n; i++) {
		struct interval x = noise_marginal(&noise, &change[i], 0.95);
		double mean = (change[i].base + change[i].head) / 2;
		unsigned at = 0;

		if (change[i].scaled_mean[0] <= 0 || change[i].tests == 0)
			continue;
		while (mean >= class_end[at])
			at++;
		class[at].n++;
		class[at].held += x.low <= truth[i] && truth[i] <= x.high;
	}
	noise_free(&noise);
	free(rows);
	free(truth);
	free(kernel);
	free(change);
}

static void
coverage(const struct set *set, size_t n)
{
	static const unsigned history[] = {0, HISTORY};
	struct covered class[2][SIDES][CLASSES] = {{{{0, 0}}}};
	unsigned comparisons = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned *pick = cli_alloc(set[i].runs, sizeof *pick);

		random_state = 55 + i;
		comparisons += DRAWS / 4;
		for (int d = 0; d < DRAWS / 4; d++)
			for (int h = 0; h < 2; h++)
				for (int k = 0; k < SIDES; k++) {
					if (2 * sides[k] + history[h] > set[i].runs)
						continue;
					draw(pick, set[i].runs, 2 * sides[k] + history[h]);
					cover(&set[i], pick, sides[k], history[h], class[h][k]);
				}
		free(pick);
	}
	for (int h = 0; h < 2; h++)
		for (unsigned at = 0; at < CLASSES; at++) {
			printf("%s, below %-4g samples", h == 0 ? "covered" : "with a history",
			    class_end[at]);
			printf("%*s", h == 0 ? 12 : 5, "");
			for (int k = 0; k < SIDES; k++)
				if (class[h][k][at].n > 0)
					printf(" %6.2f", 100.0 * (double)class[h][k][at].held /
							     (double)class[h][k][at].n);
				else
					printf(" %6s", "-");
			printf("  of");
			for (int k = 0; k < SIDES; k++)
				printf(" %zu", class[h][k][at].n);
			putchar('\n');
		}
	printf("%-40s %6u\n", "comparisons of each column", comparisons);
}

/* Returns the function with the self value nearest to that part of the total. */
static size_t
nearest(const struct set *s, double part)
{
	double profile_total = 0, nearest = INFINITY;
	size_t best = 0;

	for (unsigned r = 0; r < s->runs; r++)
		profile_total += s->profile_total[r];
	for (size_t i = 0; i < s->n; i++) {
		double sum = 0;

		for (unsigned r = 0; r < s->runs; r++)
			sum += s->self[i * s->runs + r];
		if (sum > 0 && fabs(log(sum / profile_total / part)) < nearest) {
			nearest = fabs(log(sum / profile_total / part));
			best = i;
		}
	}
	return best;
}

/* The mean and the worst of all sets, as columns by side. */
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
	double any[SIDES] = {0}, worst[SIDES] = {0}, profile_total[SIDES] = {0},
	       profile_totals[SIDES] = {0}, share[SIDES] = {0};
	unsigned disjoint[SIDES] = {0};

	for (size_t i = 0; i < n; i++) {
		struct planted nothing = {&set[i], NO_ROW, 0, 1};

		printf("%-40s", set[i].name);
		for (int k = 0; k < SIDES; k++) {
			struct outcome o = many(&nothing, sides[k], false, 77 + i);

			printf(" %6.2f", o.any);
			any[k] += o.any;
			worst[k] = fmax(worst[k], o.any);
			profile_total[k] += o.profile_total;
			profile_totals[k] = fmax(profile_totals[k], o.profile_total);
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
	say("the whole falsely called real", profile_total, n);
	say("the worst set", profile_totals, 1);
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

				found[k] += row == NO_ROW ? o.profile_total : o.found;
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
	static struct cli_option none[] = {{0}};
	static const struct cli cli = {.synopsis = "", .purpose = "", .options = none};
	struct set *set = cli_alloc((size_t)argc, sizeof *set);
	size_t n = 0;

	cli_start(&cli, argv);
	for (int i = 1; i < argc; i++) {
		int first = i + 1;

		while (i < argc && strcmp(argv[i], "--") != 0)
			i++;
		if (i - first < 3 * SIDE_MAX)
			cli_die("%s: fewer than %d runs", argv[first - 1], 3 * SIDE_MAX);
		set[n++] = set_read(argv[first - 1], argv + first, (unsigned)(i - first));
	}
	printf("%-40s", "runs a side");
	for (int k = 0; k < SIDES; k++)
		printf(" %6u", sides[k]);
	putchar('\n');
	false_alarms(set, n);
	power(set, n);
	coverage(set, n);
	for (size_t i = 0; i < n; i++) {
		free(set[i].profile_total);
		free(set[i].self);
		free(set[i].total);
		free(set[i].kernel[0]);
		free(set[i].kernel[1]);
	}
	free(set);
	return 0;
}
