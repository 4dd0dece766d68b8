/*
 * writediff: walks the stacks of both sides at once, in canonical order.
 */
#include "fg-diff/writediff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/scale.h"
#include "fg-diff/align.h"
#include "fg-diff/inputs.h"
#include "profile/foldedinterval.h"

#define INTERVALS_MAX 200 /* functions, the largest changes first */

/*
 * Conversion of a side's sums to its column: unchanged, as means of its runs, or scaled from
 * base's to head's profile total.
 */
struct column {
	const struct value_array *sum;
	struct scale scale;
	bool profile_total; /* rounded down to integers, as difffolded.pl -n does */
};

static bool
whole_numbers(const struct value_array *a)
{
	for (size_t i = 0; i < a->nwide; i++)
		if (a->wide[i] % VALUE_ONE != 0)
			return false;
	return true;
}

static void
columns(struct column column[2], const struct side *base, const struct side *head, bool normalize)
{
	struct scale to_head = SCALE_ONE;

	column[0].sum = &base->tree->self[base->picked];
	column[1].sum = &head->tree->self[head->picked];
	if (normalize && base->profile_total != 0 && head->profile_total != 0) {
		to_head = scale_by(to_head, head->profile_total, base->profile_total);
		to_head = scale_by(to_head, base->runs, head->runs);
	}
	column[0].scale = scale_by(to_head, 1, base->runs);
	column[1].scale = scale_by(SCALE_ONE, 1, head->runs);
	/* only if all input values are integers */
	column[0].profile_total = to_head.num != to_head.den && base->runs == 1 &&
				  head->runs == 1 && whole_numbers(column[0].sum) &&
				  whole_numbers(column[1].sum);
	column[1].profile_total = false;
}

static value
column_value(const struct column *c, uint32_t node)
{
	value v = node != CALLTREE_ROOT ? value_array_get(c->sum, node) : 0;

	return c->profile_total ? scale_whole(c->scale, v) : scale_value(c->scale, v);
}

/* Returns the direction of the significant change of a stack's leaf function: 1, -1, or 0. */
static int
leaf_direction(const struct comparison *functions, uint32_t leaf)
{
	const struct row *row = compare_function(functions, leaf);

	if (row == NULL || row->self->verdict != VERDICT_REAL)
		return 0;
	return change_own(functions, row->self) > 0 ? 1 : -1;
}

/* True if a stack is marked as noise. Its own change is judged by scaled means. */
static bool
is_noise(const struct comparison *functions, uint32_t leaf, const uint32_t node[2])
{
	double x[2];

	for (int k = 0; k < 2; k++)
		x[k] = compare_scaled(functions, k, node[k]);
	return verdict_marks_stack(leaf_direction(functions, leaf), x[0], x[1]);
}

/*
 * Appends the intervals of significant changes of self values, for programs that read the
 * differential.
 */
static void
add_intervals(struct text *lines, struct comparison *c)
{
	const struct change *total = &c->profile_total;
	struct interval of_total;
	const uint32_t *order;

	if (!noise_is_modelled(&c->noise))
		return;
	order = compare_order(c, false, INTERVALS_MAX);
	for (size_t i = 0; i < c->n && i < INTERVALS_MAX; i++) {
		const struct row *row = &c->row[order[i]];
		struct interval interval;

		if (row->self->verdict != VERDICT_REAL)
			break;
		interval = noise_simultaneous(&c->noise, row->self);
		if (row->self->base > 0 && isfinite(interval.high))
			folded_interval_add(
			    lines, interval.low, interval.high, row->name->s, row->name->len);
	}
	if (noise_profile_total_is_doubtful(&c->noise, total, &of_total))
		folded_interval_add_total(lines, of_total.low, of_total.high,
		    100 * (total->head - total->base) / total->base);
}

/* Sets the value of the `# compared:` line of one comparison; "" for none. */
static void
compared_as(char *to, size_t size, const struct differential *d, bool normalize)
{
	const char *word = "";

	if (d->base->runs + d->head->runs > 2) {
		snprintf(to, size, FOLDED_COMPARED_RUNS "%u,%u", d->base->runs, d->head->runs);
		return;
	}
	if (folded_values_join(side_values(d->base), side_values(d->head)) == FOLDED_EXACT)
		word = FOLDED_COMPARED_EXACT;
	else if (normalize)
		word = FOLDED_COMPARED_SCALED;
	snprintf(to, size, "%s", word);
}

/* Adds the labels of one value in which base and head differ, each to its side. */
static void
add_labels(struct labels *only[2], const struct labels *base, const struct labels *head)
{
	for (size_t i = 0; base != NULL && i < base->n; i++) {
		const struct label *b = &base->label[i], *h = labels_find(head, b->key);

		if (h == NULL || b->n != 1 || h->n != 1 || strcmp(b->value[0], h->value[0]) == 0)
			continue;
		labels_add(&only[0], str_of(b->key), str_of(b->value[0]), false);
		labels_add(&only[1], str_of(b->key), str_of(h->value[0]), false);
	}
}

/* Appends the name of a side's first file, and how many follow it. */
static void
add_name(struct text *name, const struct side *side, bool whole)
{
	struct str path = str_of(side->path[0]);

	if (!whole)
		path = str_base(path);
	text_add(name, path.s, path.len);
	if (side->runs > 1)
		text_printf(name, " +%u", side->runs - 1);
}

/* Adds the names of the files, as a label; with their directories if they are equal without. */
static void
add_files(struct labels *only[2], const struct side *base, const struct side *head)
{
	const struct side *side[] = {base, head};
	struct text name[2] = {{0}, {0}};
	bool whole = str_equal(str_base(str_of(base->path[0])), str_base(str_of(head->path[0])));

	if (base->folded.no_labels || strcmp(base->path[0], head->path[0]) == 0 ||
	    inputs_piped(base->path, base->runs) || inputs_piped(head->path, head->runs))
		return;
	for (int k = 0; k < 2; k++) {
		add_name(&name[k], side[k], whole);
		labels_add(&only[k], str_of("file"), text_as_str(&name[k]), false);
		text_free(&name[k]);
	}
}

/*
 * Sets the words of `# sides:`: the labels of one value in which base and head differ, as
 * `key=value,key=value` of each; without such labels the names of their files.
 */
static void
join_sides(char **sides, const struct side *base, const struct side *head)
{
	struct labels *only[2] = {NULL, NULL};
	struct text words = {0};

	add_labels(only, base->folded.columns.labels, head->folded.columns.labels);
	if (only[0] == NULL)
		add_files(only, base, head);
	for (int k = 0; k < 2 && only[0] != NULL; k++) {
		size_t from = words.len;

		labels_text(&words, only[k]);
		for (size_t i = from; i < words.len; i++)
			if (words.s[i] == ' ')
				words.s[i] = ',';
		if (k == 0)
			text_char(&words, ' ');
		labels_free(only[k]);
	}
	if (words.len > 0)
		foldedheader_join_compared(sides, text_as_str(&words));
	text_free(&words);
}

/*
 * Merges the header of one comparison into c. A normalized column has no period: samples have
 * different weights on each side. Means and scaled values are no longer those that were counted.
 */
static void
join_header(struct folded_columns *c, const struct differential *d, bool normalize)
{
	const struct side *side[] = {d->base, d->head};
	struct foldedheader one = {.nunit = c->n, .nperiod = c->n, .nvalues = c->n};
	char compared[64];

	for (int k = 0; k < 2; k++) {
		const struct folded_columns *columns = &side[k]->folded.columns;

		one.columns.unit[k] = columns->unit[side[k]->picked];
		if (!normalize)
			one.columns.period[k] = columns->period[side[k]->picked];
		one.columns.values[k] = columns->values[side[k]->picked];
		if (one.columns.values[k] != FOLDED_VALUES_UNSET &&
		    (normalize || side[k]->runs > 1))
			one.columns.values[k] =
			    folded_values_join(one.columns.values[k], FOLDED_ESTIMATED);
		labels_join(&c->labels, columns->labels);
		c->ends |= columns->ends;
	}
	if (foldedheader_join_units(c, &one) == FOLDEDHEADER_CONFLICT)
		cli_die("%s is in another unit than the values before it", d->root);
	foldedheader_join_periods(c, &one);
	foldedheader_join_values(c, &one, true, false);
	compared_as(compared, sizeof compared, d, normalize);
	if (compared[0] != '\0')
		foldedheader_join_compared(&c->compared, str_of(compared));
	join_sides(&c->sides, d->base, d->head);
}

/* The columns of all comparisons; without verdicts in one of them no noise column. */
static unsigned
differential_columns(const struct differential *d, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (d[i].functions == NULL)
			return 2;
	return 3;
}

/* Returns whether the output has a last line (foldedend.h): an input has one. */
static bool
write_header(struct output *o, const struct differential *d, size_t n, bool normalize)
{
	static const char *const name[] = {"base", "head", "noise"};
	struct folded_columns c = {.n = differential_columns(d, n)};
	struct text intervals = {0};
	bool ends;

	for (unsigned k = 0; k < c.n; k++)
		c.name[k] = cli_strdup(name[k]);
	for (size_t i = 0; i < n; i++)
		join_header(&c, &d[i], normalize);
	/* An interval names a function, which has one in each comparison. */
	if (d->functions != NULL && n == 1 && d->root == NULL)
		add_intervals(&intervals, d->functions);
	c.intervals = intervals.s;
	ends = c.ends;
	if (ends)
		foldedend_announce(o, c.n);
	folded_write_header(o, &c);
	c.intervals = NULL;
	text_free(&intervals);
	folded_columns_free(&c);
	return ends;
}

static void
write_stacks(struct output *o, const struct differential *d, unsigned n, bool normalize,
    struct foldedend *end)
{
	uint32_t below = d->root != NULL; /* depth of the root frame */
	struct folded_path path = {0};
	const struct calltree_name *name;
	struct column column[2];
	struct align_pair pair;
	struct align align;
	uint32_t depth;

	columns(column, d->base, d->head, normalize);
	if (d->root != NULL)
		folded_path_set(&path, 1, d->root, strlen(d->root));
	side_align(&align, d->base, d->head);
	while (align_next(&align, &pair, &depth, &name)) {
		value v[3];

		folded_path_set(&path, below + depth, name->s, name->len);
		if (!value_array_has(column[0].sum, pair.node[0]) &&
		    !value_array_has(column[1].sum, pair.node[1]))
			continue;
		for (int k = 0; k < 2; k++)
			v[k] = column_value(&column[k], pair.node[k]);
		v[2] = n > 2 && is_noise(d->functions, align_function(&align, &pair), pair.node)
			   ? VALUE_ONE
			   : 0;
		foldedend_count(end, v, n);
		folded_write_stack(o, path.s, path.end[below + depth], v, n);
	}
	align_end(&align);
	folded_path_free(&path);
}

void
differential_write(
    struct output *o, const struct differential *d, size_t n, bool normalize, bool header)
{
	const bool ends = header && write_header(o, d, n, normalize);
	struct foldedend end = {0};

	for (size_t i = 0; i < n; i++)
		write_stacks(o, &d[i], differential_columns(d, n), normalize, &end);
	if (ends)
		foldedend_write(o, &end, differential_columns(d, n));
}
