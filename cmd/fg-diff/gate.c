/*
 * gate: decides PASS, FAIL or CANNOT TELL for a comparison, with the reason.
 *
 * A significant increase above the limit fails, unless it is a cost shift. Decreases and
 * changes within noise never fail. If nothing fails, the power is checked: an increase of the
 * limit's size must be detectable in each function that is large enough to be tested.
 */
#include "fg-diff/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/number.h"
#include "base/sort.h"
#include "fg-diff/diffreport.h"
#include "fg-diff/headline.h"
#include "fg-diff/unusable.h"
#include "profile/unit.h"

/* Power required without a gate: a function with POWER_SHARE of the total that doubles. */
#define POWER_SHARE 0.20
#define POWER_TIMES 2
#define FEW 3 /* recommended runs per side */
#define LINES 10 /* limit of lines that list regressions */
#define COMMON 0.8 /* share of the total's growth that all functions share, or one has */
#define FEW_RUNS 4 /* with fewer a side, a machine with two speeds looks like a slower program */
#define SPEEDS 2 /* largest ratio of the speeds of one machine */
#define UNCHANGED_MIN 5 /* functions that share a growth */

void
gate_parse(struct gate *g, const char *spec)
{
	const char *number = spec;
	bool self = false;

	if (strncmp(spec, "self:", 5) == 0) {
		self = true;
		number += 5;
	} else if (strncmp(spec, "total:", 6) == 0) {
		number += 6;
	}
	if (!self && strcmp(number, "auto") == 0) {
		g->total_set = g->automatic = true;
		return;
	}
	*(self ? &g->self_set : &g->total_set) = true;
	*(self ? &g->self : &g->total) = number_percent("--fail-above", number, 0, 1e9);
}

/* Returns the function with most of the total's growth as measured, in self; NULL if none has. */
static const struct row *
cause_of_total(const struct comparison *c)
{
	double growth = c->profile_total.head - c->profile_total.base;

	for (size_t i = 0; i < c->n && growth > 0 && c->by == BY_FUNCTION; i++) {
		const struct change *x = c->row[i].self;

		if (x->head - x->base >= COMMON * growth)
			return &c->row[i];
	}
	return NULL;
}

/* A regression above the limit; sorted largest first. */
struct excess {
	double percent, allowed;
	const struct row *row; /* NULL: the profile total */
	bool total;
};

struct judging {
	const struct comparison *c;
	const struct excess *culprit; /* set by describe_failure */
	bool doubtful_total; /* the total grew, but perhaps by the machine */
	double unjudged; /* largest minimum detectable growth of code that moved */
	const struct row *moved; /* that code */
	const struct moves *moves;
	struct answer *answer;
	struct excess *excess;
	size_t n;
};

static void
describe_move(struct judging *j, const struct row *row, const struct move *move, double percent)
{
	struct text *t = &j->answer->more;

	text_puts(t, "moved: ");
	j->answer->name(t, row->name);
	text_printf(t, " +%.3g %%; ", percent);
	if (move->within != NULL) {
		text_puts(t, move->alone ? "its caller " : "the changes below ");
		j->answer->name(t, move->within->name);
		text_puts(t, move->alone ? " did not change: " : " cancel out: ");
	}
	text_puts(t, "cost moved");
	if (move->from != NULL) {
		text_puts(t, " from ");
		j->answer->name(t, move->from->name);
	}
	text_char(t, '\n');
}

/*
 * True if few runs share a growth in all functions: then a slow machine cannot be excluded. Two of
 * its speeds separate three runs a side in 1 of 64 comparisons.
 */
static bool
may_be_machine(const struct comparison *c)
{
	const struct noise *n = &c->noise;
	unsigned runs = n->nbase < n->nhead ? n->nbase : n->nhead;
	double growth = c->profile_total.head - c->profile_total.base;

	return noise_is_modelled(n) && runs > 1 && runs < FEW_RUNS && n->nhistory == 0 &&
	       n->unchanged >= UNCHANGED_MIN && !n->caused &&
	       growth <= (SPEEDS - 1) * c->profile_total.base &&
	       change_shared(c) * c->profile_total.base >= COMMON * growth;
}

static void
judge(struct judging *j, const struct change *x, double allowed, const struct row *row, bool total)
{
	double profile_total = j->c->profile_total.base, own = change_own(j->c, x);
	const struct move *move = NULL;

	if (x->verdict != VERDICT_REAL || own <= 0 || own <= allowed / 100 * profile_total)
		return;
	if (row != NULL && j->moves != NULL)
		move = &(total ? j->moves->total : j->moves->self)[row - j->c->row];
	if (row == NULL && may_be_machine(j->c)) {
		j->doubtful_total = true;
		return;
	}
	if (move != NULL && move_excuses(move, allowed / 100 * profile_total)) {
		describe_move(j, row, move, change_of_total(j->c, x));
		if (move->limit > j->unjudged) {
			j->unjudged = move->limit;
			j->moved = row;
		}
	} else {
		j->excess[j->n++] = (struct excess){
		    profile_total > 0 ? 100 * own / profile_total : INFINITY, allowed, row, total};
	}
}

static int
compare_excess(const void *a, const void *b)
{
	const struct excess *x = a, *y = b;

	if (x->percent != y->percent)
		return x->percent > y->percent ? -1 : 1;
	if (x->row == NULL || y->row == NULL)
		return (x->row != NULL) - (y->row != NULL);
	if (x->row != y->row)
		return strcmp(x->row->name->s, y->row->name->s);
	return x->total - y->total;
}

static void
describe_excess(
    struct answer *a, struct text *t, const struct comparison *c, const struct excess *e)
{
	double measured;

	if (e->row == NULL) {
		text_puts(t, "the profile total");
	} else {
		if (c->by != BY_STACK)
			text_puts(t, e->total ? "total of " : "self of ");
		a->name(t, e->row->name);
	}
	if (isinf(e->percent)) {
		text_puts(t, " is new");
		return;
	}
	measured =
	    e->row != NULL ? change_of_total(c, row_change(c, e->row, e->total)) : e->percent;
	text_printf(t, " %+.2f %% of base's total", measured);
	if (e->row != NULL && (change_shared(c) != 0 || measured <= e->allowed))
		text_printf(t, " (%+.2f %% beyond what all share)", e->percent);
	text_printf(t, ", %g %% allowed", e->allowed);
}

static bool
is_own(const struct judging *j, const struct row *row)
{
	return j->answer->own == NULL || j->answer->own[row - j->c->row];
}

/*
 * True if a regression is new code whose caller is a regression, too: the caller is the function
 * that changed.
 */
static bool
is_called_anew(const struct judging *j, const struct excess *e)
{
	const struct move *move;

	if (e->row == NULL || j->moves == NULL || e->row->total->base > 0)
		return false;
	move = &(e->total ? j->moves->total : j->moves->self)[e->row - j->c->row];
	for (size_t i = 0; i < j->n && move->within != NULL; i++)
		if (j->excess[i].row == move->within)
			return true;
	return false;
}

/*
 * Returns the most specific regression: of the functions with at least half of the largest
 * excess, the one with the least value in base. Prefers the program's own functions, and those that
 * both sides have.
 */
static const struct excess *
culprit(const struct judging *j)
{
	const struct excess *best = NULL, *first = NULL;
	int rank, most = 0;

	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < j->n; i++) {
			const struct excess *e = &j->excess[i];

			if (e->row == NULL)
				continue;
			rank = 1 + 2 * is_own(j, e->row) + !is_called_anew(j, e);
			if (pass == 0) {
				most = rank > most ? rank : most;
				continue;
			}
			if (rank < most)
				continue;
			if (first == NULL)
				first = best = e;
			if (e->percent >= 0.5 * first->percent &&
			    row_change(j->c, e->row, e->total)->base <
				row_change(j->c, best->row, best->total)->base)
				best = e;
		}
	return best != NULL ? best : &j->excess[0];
}

/*
 * Returns the function with the largest significant change of self value, or the largest
 * increase with `grown`; NULL for none. *n counts them. same: by row, it was only renamed; or NULL.
 */
static const struct row *
most_changed(const struct comparison *c, bool grown, const bool *same, size_t *n)
{
	const struct row *most = NULL;

	*n = 0;
	for (size_t i = 0; i < c->n; i++) {
		const struct change *x = c->row[i].self;

		if (x->verdict != VERDICT_REAL || (grown && change_own(c, x) <= 0) ||
		    (same != NULL && same[i]))
			continue;
		++*n;
		if (most == NULL || fabs(change_own(c, x)) > fabs(change_own(c, most->self)))
			most = &c->row[i];
	}
	return most;
}

/* Reports the failure and the function with most of it. */
static void
describe_failure(struct answer *a, struct judging *j)
{
	const struct excess *e = j->culprit = culprit(j);
	size_t n;
	const struct row *most = most_changed(j->c, true, NULL, &n);
	const struct row *cause = e->row == NULL ? cause_of_total(j->c) : NULL;

	describe_excess(a, &a->reason, j->c, e);
	if (e->row != NULL && j->c->scripts != NULL && e->row->total->base > 0) {
		const struct change *x = row_change(j->c, e->row, e->total);

		text_puts(&a->reason, "; its change is ");
		report_relative(&a->reason, j->c, x);
		if (x->tests > 0) {
			text_puts(&a->reason, " (");
			report_interval(&a->reason, j->c, x);
			text_char(&a->reason, ')');
		}
		return;
	}
	if (cause != NULL) {
		text_puts(&a->reason, ", nearly all of it by ");
		a->name(&a->reason, cause->name);
		text_printf(&a->reason, " itself, %+.2f %%", change_of_total(j->c, cause->self));
		return;
	}
	if (e->row == NULL && change_shared(j->c) != 0)
		text_printf(&a->reason, "; most %ss changed together, by %+.3g %%",
		    compare_row_name(j->c), 100 * change_shared(j->c));
	if (most == NULL || most == e->row || !is_own(j, most) || j->c->by == BY_STACK ||
	    j->c->profile_total.base <= 0)
		return;
	text_puts(&a->reason, e->row == NULL && change_shared(j->c) != 0 ? ", and beyond that "
									 : ", most of all by ");
	a->name(&a->reason, most->name);
	text_printf(&a->reason, " itself, %+.2f %%",
	    e->row == NULL && change_shared(j->c) != 0
		? 100 * change_own(j->c, most->self) / j->c->profile_total.base
		: change_of_total(j->c, most->self));
}

/* Lists the other regressions, one per line. */
static void
describe_others(struct answer *a, const struct judging *j)
{
	const struct excess *first = j->culprit;
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++) {
		if (&j->excess[i] == first || n++ >= LINES)
			continue;
		text_puts(&a->more, "also too slow: ");
		describe_excess(a, &a->more, j->c, &j->excess[i]);
		text_char(&a->more, '\n');
	}
	if (n > LINES)
		text_printf(&a->more, "also too slow: %zu more\n", n - LINES);
}

/*
 * Returns the function with the least power to detect an increase: the largest one. NULL if no
 * function is tested.
 */
static const struct row *
hardest(const struct comparison *c)
{
	const struct row *most = NULL;

	for (size_t i = 0; i < c->n; i++) {
		const struct row *row = &c->row[i];

		if (row->self->tests > 0 &&
		    (most == NULL || row->self->scaled_mean[0] > most->self->scaled_mean[0]))
			most = row;
	}
	return most;
}

/*
 * The minimum detectable ratio of a function with value `base`; INFINITY if no increase can be
 * detected.
 */
static double
times_needed(const struct comparison *c, double base)
{
	struct change x = noise_typical(&c->noise, base, c->tested);

	return base > 0 ? 1 + noise_limit(&c->noise, &x) / base : INFINITY;
}

static void
one_run(struct text *t, const struct comparison *c)
{
	double times = times_needed(c, POWER_SHARE * c->profile_total.base);

	text_printf(
	    t, "one run a side: a spread of %g %% between runs is assumed; ", 100 * NOISE_SPREAD);
	if (isinf(times))
		text_puts(t, "no change can be detected");
	else
		text_printf(t, "only a growth to %.2g times the cost of a large %s can be detected",
		    times, compare_row_name(c));
	text_printf(t, "; record %d runs a side, and give the files, not their sum", FEW);
}

/*
 * Returns the minimum detectable change of a function, in percent of the profile total;
 * INFINITY if row is NULL.
 */
static double
detectable_change(const struct comparison *c, const struct row *row)
{
	if (!noise_is_modelled(&c->noise))
		return 0;
	return row != NULL && c->profile_total.base > 0
		   ? 100 * noise_limit(&c->noise, row->self) / c->profile_total.base
		   : INFINITY;
}

static void
describe_detectable(
    struct answer *a, const struct comparison *c, const struct row *row, double detectable)
{
	text_printf(&a->reason, "minimum detectable change %.3g %% (of ", detectable);
	a->name(&a->reason, row->name);
	text_printf(&a->reason, ", the largest %s)", compare_row_name(c));
}

static bool
single(const struct comparison *c)
{
	return c->noise.kind == NOISE_RUNS &&
	       c->noise.nbase + c->noise.nhead + c->noise.nhistory == 2;
}

/* Returns the smallest round limit of a gate that is at least the minimum detectable change. */
static double
round_limit(double detectable)
{
	static const double limit[] = {1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100};

	for (size_t i = 0; i < sizeof limit / sizeof limit[0]; i++)
		if (detectable <= limit[i])
			return limit[i];
	return INFINITY;
}

/* Adds the limit that can be judged, and how many runs would judge the given one (0: too many). */
static void
describe_limit(struct answer *a, double detectable, double allowed, unsigned runs)
{
	double limit = round_limit(detectable);

	if (isinf(limit))
		return;
	text_printf(&a->more, "%g %% can be judged here", limit);
	if (runs > 0)
		text_printf(&a->more, "; %u runs a side would judge %g %%", runs, allowed);
	text_char(&a->more, '\n');
}

/* True, with the reason, if shares are compared and no function gives them a scale. */
static bool
lacks_scale(struct answer *a, const struct comparison *c)
{
	if (!c->noise.shares || c->noise.scaled || !noise_is_modelled(&c->noise))
		return false;
	a->kind = ANSWER_CANNOT_TELL;
	text_puts(&a->reason,
	    "no function changed beyond noise, but shares vary too much from run to run for a "
	    "scale; compare amounts (without -n), or record more runs");
	return true;
}

/* After no failure: decides between PASS and CANNOT TELL by the power. */
static void
doubt(struct answer *a, const struct gate *g, const struct judging *j)
{
	const struct comparison *c = j->c;
	double allowed = g->self_set && (!g->total_set || g->self < g->total) ? g->self : g->total;
	const struct row *x = hardest(c);
	double detectable = detectable_change(c, x), grown = 0;
	unsigned runs;

	if (c->profile_total.base > 0)
		grown =
		    100 * (c->profile_total.head - c->profile_total.base) / c->profile_total.base;
	if (lacks_scale(a, c))
		return;
	if (!noise_is_modelled(&c->noise)) {
		text_printf(&a->reason, "nothing grew by more than %g %% of base's total", allowed);
	} else if (x == NULL) {
		a->kind = ANSWER_CANNOT_TELL;
		text_puts(&a->reason, "no function is large enough to be tested");
	} else if (detectable > allowed) {
		a->kind = ANSWER_CANNOT_TELL;
		runs = noise_runs_needed(&c->noise, x->self, allowed / 100 * c->profile_total.base);
		if (single(c)) {
			one_run(&a->reason, c);
			if (runs > FEW)
				text_printf(
				    &a->reason, ", about %u to detect %g %%", runs, allowed);
			return;
		}
		describe_detectable(a, c, x, detectable);
		text_printf(&a->reason, ", --fail-above %g %%: ", allowed);
		if (runs != 0)
			text_printf(&a->reason, "record %u runs a side to detect it", runs);
		else
			text_printf(
			    &a->reason, "more than %d runs a side would be needed", NOISE_RUNS_MAX);
		describe_limit(a, detectable, allowed, runs);
	} else if (j->doubtful_total) {
		a->kind = ANSWER_CANNOT_TELL;
		text_printf(&a->reason,
		    "the profile total grew by %.3g %%, by one factor in all functions; %u runs a side "
		    "do not show whether the machine was slower: record %d",
		    grown, c->noise.nhead, FEW_RUNS + 1);
	} else if (j->unjudged > allowed / 100 * c->profile_total.base) {
		a->kind = ANSWER_CANNOT_TELL;
		text_puts(&a->reason, "code of ");
		a->name(&a->reason, j->moved->name);
		text_printf(&a->reason,
		    " was moved or replaced; a growth of it by %.3g %% of base's total could not be "
		    "detected, --fail-above %g %%",
		    100 * j->unjudged / c->profile_total.base, allowed);
	} else if (g->total_set && !c->only && !c->noise.shares && grown > g->total) {
		struct interval i = change_interval(c, &c->profile_total);

		a->kind = ANSWER_CANNOT_TELL;
		text_printf(&a->reason,
		    "the profile total grew by %.3g %% (%+.3g to %+.3g %%), --fail-above %g %%, "
		    "but its runs differ too much to decide; %srecord more runs",
		    grown, i.low, i.high, g->total,
		    unit_is_memory(c->unit) ? "" : "compare shares (-n) or ");
	} else {
		text_printf(
		    &a->reason, "nothing grew by more than %g %% of base's total; ", allowed);
		describe_detectable(a, c, x, detectable);
	}
}

static void
pass_or_fail(
    struct answer *a, const struct gate *g, const struct comparison *c, const struct moves *m)
{
	struct judging j = {.c = c, .moves = m, .answer = a};

	j.excess = cli_alloc(2 * c->n + 1, sizeof *j.excess);
	if (g->total_set && !c->only)
		judge(&j, &c->profile_total, g->total, NULL, true);
	for (size_t i = 0; i < c->n; i++) {
		const struct row *row = &c->row[i];

		if (g->self_set)
			judge(&j, row->self, g->self, row, false);
		if (g->total_set)
			judge(&j, row_change(c, row, true), g->total, row, true);
	}
	a->kind = j.n > 0 ? ANSWER_FAIL : ANSWER_PASS;
	if (j.n > 0) {
		sort_items(j.excess, j.n, sizeof *j.excess, compare_excess);
		describe_failure(a, &j);
		describe_others(a, &j);
	} else {
		doubt(a, g, &j);
	}
	free(j.excess);
}

/* Without a gate: reports the largest change, or whether the power was sufficient to find one. */
static void
changed_or_not(struct answer *a, struct comparison *c, const struct moves *m)
{
	bool *same = m != NULL ? moves_renamed(m, c) : NULL;
	double times;
	size_t n;
	const struct row *most = most_changed(c, false, same, &n), *owner = most;

	free(same);
	if (most != NULL && m != NULL)
		owner = headline_owner(c, most);
	if (most != NULL) {
		a->kind = ANSWER_CHANGED;
		text_printf(&a->reason, "%zu %s%s, most of all ", n, compare_row_name(c),
		    c->noise.kind == NOISE_NONE
			? text_form(n, " changed", "s changed")
			: text_form(n, " is beyond noise", "s are beyond noise"));
		a->name(&a->reason, owner->name);
		if (owner != most) {
			text_puts(&a->reason, ", in: ");
			a->name(&a->reason, most->name);
		}
		return;
	}
	if (!c->noise.shares && c->profile_total.verdict == VERDICT_REAL) {
		a->kind = ANSWER_CHANGED;
		text_printf(&a->reason, "the profile total changed%s, but no single function",
		    c->noise.kind == NOISE_NONE ? "" : " beyond noise");
		return;
	}
	if (lacks_scale(a, c))
		return;
	times =
	    noise_is_modelled(&c->noise) ? times_needed(c, POWER_SHARE * c->profile_total.base) : 1;
	a->kind = times > POWER_TIMES ? ANSWER_CANNOT_TELL : ANSWER_NO_CHANGE;
	text_printf(&a->reason, "no function changed%s",
	    c->noise.kind == NOISE_NONE ? "" : " beyond noise");
	if (m != NULL && m->renames > 0)
		text_printf(&a->reason, ", and %zu %s perhaps renamed", m->renames,
		    text_form(m->renames, "was", "were"));
	if (a->kind == ANSWER_CANNOT_TELL && single(c)) {
		text_puts(&a->reason, "; ");
		one_run(&a->reason, c);
	} else if (a->kind == ANSWER_CANNOT_TELL) {
		text_puts(&a->reason,
		    "; not even the doubling of a large function can be detected: "
		    "record more runs");
	}
}

void
answer_find(struct answer *a, const struct gate *g, struct comparison *c, const struct moves *m)
{
	struct gate automatic;

	a->gated = g != NULL;
	if (g != NULL && g->automatic) {
		automatic = *g;
		automatic.total = round_limit(detectable_change(c, hardest(c)));
		if (isinf(automatic.total)) /* none can be judged */
			automatic.total = 100;
		g = &automatic;
	}
	a->unusable = unusable_describe(a, c);
	if (a->unusable)
		a->kind = ANSWER_CANNOT_TELL;
	else if (g != NULL)
		pass_or_fail(a, g, c, m);
	else
		changed_or_not(a, c, m);
}
