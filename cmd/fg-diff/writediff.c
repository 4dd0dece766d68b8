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

#define INTERVALS_MAX 200 /* functions, the largest changes first */

/*
 * Conversion of a side's sums to its column: unchanged, as means of its runs, or scaled from
 * base's to head's profile total.
 */
struct column {
	const struct value_array *sum;
	struct scale scale;
	bool whole; /* rounded down to integers, as difffolded.pl -n does */
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
	if (normalize && base->whole != 0 && head->whole != 0) {
		to_head = scale_by(to_head, head->whole, base->whole);
		to_head = scale_by(to_head, base->runs, head->runs);
	}
	column[0].scale = scale_by(to_head, 1, base->runs);
	column[1].scale = scale_by(SCALE_ONE, 1, head->runs);
	/* only if all input values are integers */
	column[0].whole = to_head.num != to_head.den && base->runs == 1 && head->runs == 1 &&
			  whole_numbers(column[0].sum) && whole_numbers(column[1].sum);
	column[1].whole = false;
}

static value
column_value(const struct column *c, uint32_t node)
{
	value v = node != CALLTREE_ROOT ? value_array_get(c->sum, node) : 0;

	return c->whole ? scale_whole(c->scale, v) : scale_value(c->scale, v);
}

/* Returns the direction of the significant change of a stack's leaf function: 1, -1, or 0. */
static int
leaf_direction(struct comparison *functions, const struct calltree_name *leaf)
{
	const struct row *row = compare_function(functions, leaf->s, leaf->len);

	if (row == NULL || row->self.verdict != VERDICT_REAL)
		return 0;
	return change_own(functions, &row->self) > 0 ? 1 : -1;
}

/* True if a stack is marked as noise. Its own change is judged by scaled means. */
static bool
is_noise(struct comparison *functions, const struct calltree_name *leaf, const uint32_t node[2])
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
	uint32_t *order;

	if (c->noise.kind == NOISE_NONE)
		return;
	order = compare_order(c, false);
	for (size_t i = 0; i < c->n && i < INTERVALS_MAX; i++) {
		const struct row *row = &c->row[order[i]];
		struct interval interval;

		if (row->self.verdict != VERDICT_REAL)
			break;
		interval = noise_simultaneous(&c->noise, &row->self);
		if (row->self.base > 0 && isfinite(interval.high))
			folded_interval_add(
			    lines, interval.low, interval.high, row->name->s, row->name->len);
	}
	free(order);
}

/*
 * Writes the header lines. A normalized column has no period: samples have different weights
 * on each side.
 */
static void
write_header(struct output *o, const struct side *base, const struct side *head, bool normalize,
    struct comparison *functions)
{
	bool noise = functions != NULL;
	struct text intervals = {0};
	static char name[][8] = {"base", "head", "noise"};
	const struct side *side[] = {base, head};
	char compared[64] = "";
	struct folded_columns c = {.n = noise ? 3 : 2, .name = {name[0], name[1], name[2]}};

	for (int k = 0; k < 2; k++) {
		c.unit[k] = side[k]->folded.columns.unit[side[k]->picked];
		if (!normalize)
			c.period[k] = side[k]->folded.columns.period[side[k]->picked];
	}
	if (side[0]->runs + side[1]->runs > 2)
		snprintf(compared, sizeof compared, FOLDED_COMPARED_RUNS "%u,%u", base->runs,
		    head->runs);
	else if (side_is_exact(base) && side_is_exact(head))
		strcpy(compared, FOLDED_COMPARED_EXACT);
	else if (normalize)
		strcpy(compared, FOLDED_COMPARED_SCALED);
	if (compared[0] != '\0')
		c.compared = compared;
	for (int k = 0; k < 2; k++)
		labels_join(&c.labels, side[k]->folded.columns.labels);
	if (functions != NULL)
		add_intervals(&intervals, functions);
	c.intervals = intervals.s;
	folded_write_header(o, &c);
	text_free(&intervals);
	labels_free(c.labels);
}

void
stacks_write(struct output *o, const struct side *base, const struct side *head, bool normalize,
    bool header, struct comparison *functions)
{
	struct folded_path path = {0};
	const struct calltree_name *name;
	struct column column[2];
	struct align_pair pair;
	struct align align;
	uint32_t depth;

	columns(column, base, head, normalize);
	if (header)
		write_header(o, base, head, normalize, functions);
	side_align(&align, base, head);
	while (align_next(&align, &pair, &depth, &name)) {
		value v[3];

		folded_path_set(&path, depth, name->s, name->len);
		if (!value_array_has(column[0].sum, pair.node[0]) &&
		    !value_array_has(column[1].sum, pair.node[1]))
			continue;
		for (int k = 0; k < 2; k++)
			v[k] = column_value(&column[k], pair.node[k]);
		v[2] = functions != NULL && is_noise(functions, name, pair.node) ? VALUE_ONE : 0;
		folded_write_stack(o, path.s, path.end[depth], v, functions != NULL ? 3 : 2);
	}
	align_end(&align);
	folded_path_free(&path);
}
