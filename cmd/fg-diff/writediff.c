/*
 * stacks: two sides go in, the stacks of both with their values come out, as folded
 * text with two columns, or with a third that marks noise.
 */
#include "fg-diff/writediff.h"

#include <xxhash.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/scale.h"
#include "fg-diff/align.h"

/*
 * How a side's sums become its column: as they are, as means of its runs, base's scaled
 * to head's whole.
 */
struct column {
	const struct value_array *sum;
	struct scale scale;
	bool whole; /* rounded down to whole numbers, as difffolded.pl -n does */
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
	/* We do so when all that comes in is whole. */
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

/* Upwards (1) or downwards (-1) beyond noise. */
static int
direction(const struct change *c)
{
	return c->verdict != VERDICT_REAL ? 0 : c->head > c->base ? 1 : -1;
}

static int
self_direction(const struct row *row)
{
	return row != NULL ? direction(&row->self) : 0;
}

/* Whether a stack's change is within noise: neither its leaf's self nor itself changed that way. */
static bool
is_noise(const struct stacks_marks *marks, const struct calltree_name *leaf, const char *bare,
    size_t len, value base, value head)
{
	XXH128_hash_t hash = hash_bytes128(bare, len);
	int way = (head > base) - (head < base);

	return way == 0 ||
	       (self_direction(compare_function(marks->functions, leaf->s, leaf->len)) != way &&
		   self_direction(compare_stack(marks->stacks, &hash, sizeof hash)) != way);
}

/* Where shares are written, a sample stands for another amount on each side. */
static void
write_header(
    struct output *o, const struct side *base, const struct side *head, bool normalize, bool noise)
{
	static char name[][8] = {"base", "head", "noise"};
	const struct side *side[] = {base, head};
	struct folded_columns c = {.n = noise ? 3 : 2, .name = {name[0], name[1], name[2]}};

	for (int k = 0; k < 2; k++) {
		c.unit[k] = side[k]->folded.columns.unit[side[k]->picked];
		if (!normalize)
			c.period[k] = side[k]->folded.columns.period[side[k]->picked];
	}
	folded_write_header(o, &c);
}

void
stacks_write(struct output *o, const struct side *base, const struct side *head, bool normalize,
    bool header, const struct stacks_marks *marks)
{
	struct folded_path path = {0}, bare = {0};
	const struct calltree_name *name;
	struct column column[2];
	struct align_pair pair;
	struct align align;
	uint32_t depth;

	columns(column, base, head, normalize);
	if (header)
		write_header(o, base, head, normalize, marks != NULL);
	side_align(&align, base, head);
	while (align_next(&align, &pair, &depth, &name)) {
		value v[3];

		folded_path_set(&path, depth, name->s, name->len);
		if (marks != NULL)
			folded_path_set(&bare, depth, align_bare(&align, &pair)->s,
			    align_bare(&align, &pair)->len);
		if (!value_array_has(column[0].sum, pair.node[0]) &&
		    !value_array_has(column[1].sum, pair.node[1]))
			continue;
		for (int k = 0; k < 2; k++)
			v[k] = column_value(&column[k], pair.node[k]);
		v[2] = marks != NULL && is_noise(marks, name, bare.s, bare.end[depth], v[0], v[1])
			   ? VALUE_ONE
			   : 0;
		folded_write_stack(o, path.s, path.end[depth], v, marks != NULL ? 3 : 2);
	}
	align_end(&align);
	folded_path_free(&path);
	folded_path_free(&bare);
}
