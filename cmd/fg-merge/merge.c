/*
 * merge: turns factors and totals of the inputs into one fraction each, and sums into lines of
 * the result. All rounding is here: an input's sum of a stack is rounded once when it is scaled,
 * the sum over all inputs once when --mean divides it.
 */
#include "fg-merge/merge.h"

#include "base/cli.h"

/* Scales every file to the same total in this column; the sum of all totals stays the same. */
static void
normalize(struct merge *m, unsigned column)
{
	value all = 0;
	uint64_t filled = 0;

	for (size_t i = 0; i < m->n; i++) {
		all = value_sum(all, m->source[i].total[column]);
		filled += m->source[i].total[column] != 0;
	}
	for (size_t i = 0; i < m->n; i++) {
		struct profile *s = &m->source[i];

		if (s->total[column] != 0) {
			s->scale[column] = scale_by(s->scale[column], all, s->total[column]);
			s->scale[column] = scale_by(s->scale[column], 1, filled);
		}
	}
}

void
merge_scale(struct merge *m)
{
	for (size_t i = 0; i < m->n; i++)
		for (unsigned c = 0; c < CALLTREE_COLUMNS; c++)
			m->source[i].scale[c] = scale_by(SCALE_ONE, m->source[i].factor, VALUE_ONE);
	if (m->normalize)
		for (unsigned c = 0; c < m->folded.columns.n; c++)
			normalize(m, c);
}

void
merge_more_header(struct merge *m, struct output *o)
{
	struct folded_columns c = m->folded.columns;

	if (m->no_header || m->folded.columns.n == 0)
		return;
	if (m->picked >= 0)
		c = folded_columns_pick(&c, (unsigned)m->picked);
	for (unsigned i = 0; m->mean && i < c.n; i++)
		if (c.values[i] != FOLDED_VALUES_UNSET)
			c.values[i] = folded_values_join(c.values[i], FOLDED_ESTIMATED);
	foldedheader_write(o, &c, m->written.n != 0 ? &m->written : NULL);
	m->written = c;
}

void
merge_header(struct merge *m, struct output *o)
{
	m->picked = -1;
	if (m->folded.columns.n == 0)
		return; /* no input had a stack */
	if (m->column != NULL)
		m->picked = (int)folded_columns_find(&m->folded.columns, m->column, "the input");
	m->ends = m->folded.columns.ends && !m->no_header;
	m->end = (struct foldedend){0};
	if (m->ends)
		foldedend_announce(o, m->picked >= 0 ? 1 : m->folded.columns.n);
	merge_more_header(m, o);
	if (m->mean) {
		value factors = 0;

		for (size_t i = 0; i < m->n; i++)
			factors = value_sum(factors, m->source[i].factor);
		m->divide = scale_by(SCALE_ONE, VALUE_ONE, factors);
	}
}

void
merge_end(struct merge *m, struct output *o)
{
	if (m->ends)
		foldedend_write(o, &m->end, m->picked >= 0 ? 1 : m->folded.columns.n);
}

void
merge_values(struct merge *m, struct output *o, const value *sum)
{
	value v[CALLTREE_COLUMNS];
	unsigned n = 0;

	for (unsigned c = 0; c < m->folded.columns.n; c++)
		if (m->picked < 0 || c == (unsigned)m->picked)
			v[n++] = m->mean ? scale_value(m->divide, sum[c]) : sum[c];
	if (m->ends)
		foldedend_count(&m->end, v, n);
	folded_end_stack(o, v, n);
}
