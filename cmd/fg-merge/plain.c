/*
 * plain: merges files in any order into one table of sums. A scaled file gets a table of its own
 * first, since its sum of a stack is scaled and rounded once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-merge/merge.h"
#include "profile/table.h"

#define PARTED_MAX 4

/* Where the stacks of a source go: a table, which the first one creates, and its totals. */
struct sums {
	const struct merge *m;
	const struct profile *source;
	struct table *table;
	value total[CALLTREE_COLUMNS];
};

static void
read_stacks(struct sums *to, struct folded_file *f)
{
	const struct profile *s = to->source;
	struct table **t = &to->table;
	struct tableadd add = {0};
	struct text prefixed = {0};
	struct folded_line l;

	while (folded_next(f, &l)) {
		struct str stack = {l.stack, l.len};

		if (*t == NULL)
			*t = table_new(f->folded->columns.n);
		if (s->nprefix > 0) {
			text_cut(&prefixed, 0);
			text_add(&prefixed, s->prefix, s->nprefix);
			text_str(&prefixed, stack);
			stack = text_as_str(&prefixed);
		}
		tableadd_line(&add, *t, stack, &l);
		for (unsigned c = 0; to->m->normalize && c < f->folded->columns.n; c++)
			to->total[c] = value_sum(to->total[c], l.value[c]);
	}
	tableadd_end(&add, *t);
	text_free(&prefixed);
}

static void *
read_part(struct folded_file *part, void *all)
{
	const struct sums *to = all;
	struct sums *own = cli_alloc(1, sizeof *own);

	own->m = to->m;
	own->source = to->source;
	read_stacks(own, part);
	if (own->table != NULL)
		table_settle(own->table);
	return own;
}

static void
join_part(void *all, void *part)
{
	struct sums *to = all, *own = part;

	if (own->table != NULL)
		table_join(to->table, own->table);
	for (unsigned c = 0; c < CALLTREE_COLUMNS; c++)
		to->total[c] = value_sum(to->total[c], own->total[c]);
	free(own);
}

static void
drop_part(void *part)
{
	struct sums *own = part;

	table_free(own->table);
	free(own);
}

/*
 * Joined tables have the same stacks once each: threads read parts of the sources if these are
 * few.
 */
static void
read_source(struct merge *m, struct profile *s, struct table **t)
{
	struct sums sums = {.m = m, .source = s, .table = *t};
	const struct folded_parting parting = {read_part, join_part, drop_part, &sums};
	struct folded_file f;

	folded_open(&f, &m->folded, s->path);
	f.scaled = merge_scales(m, s);
	if (m->n <= PARTED_MAX)
		f.parting = &parting;
	read_stacks(&sums, &f);
	*t = sums.table;
	memcpy(s->total, sums.total, sizeof s->total);
	if (m->join && !m->folded.no_labels)
		labels_join(&s->labels, f.about.columns.labels);
	folded_close(&f);
}

struct scaling {
	struct table *all;
	const struct profile *source;
};

static void
add_scaled_stack(void *arg, const struct table *own, uint32_t i, const struct table_stack *stack)
{
	struct scaling *to = arg;
	uint32_t n = table_find(to->all, stack->text.s, stack->text.len);

	for (unsigned c = 0; c < own->columns; c++)
		value_array_add(&to->all->sum[c], n,
		    scale_value(to->source->scale[c], value_array_get(&own->sum[c], i)));
}

/* Adds the scaled sums of one source, and frees its table. */
static void
add_scaled(struct table *all, const struct profile *s, struct table *own)
{
	table_walk(own, add_scaled_stack, &(struct scaling){all, s});
	table_free(own);
}

/* Reads each source into a table of its own, and adds them. */
static struct table *
read_scaled(struct merge *m)
{
	struct table **own = cli_alloc(m->n, sizeof *own), *all = NULL;

	if (!m->normalize)
		merge_scale(m);
	for (size_t i = 0; i < m->n; i++) {
		read_source(m, &m->source[i], &own[i]);
		if (own[i] != NULL && all == NULL)
			all = table_new(m->folded.columns.n);
		if (own[i] != NULL && !m->normalize && !m->join)
			add_scaled(all, &m->source[i], own[i]);
	}
	if (m->join)
		merge_join(m, own);
	if (m->normalize)
		merge_scale(m);
	if (m->normalize || m->join)
		for (size_t i = 0; i < m->n; i++)
			if (own[i] != NULL)
				add_scaled(all, &m->source[i], own[i]);
	free(own);
	return all;
}

struct writing {
	struct merge *m;
	struct output *o;
};

static void
write_stack(void *arg, const struct table *t, uint32_t n, const struct table_stack *stack)
{
	struct writing *w = arg;
	value sum[CALLTREE_COLUMNS];

	folded_begin_stack(w->o, stack->text.s, stack->text.len);
	if (t->columns == 1 && !w->m->mean && !w->m->ends && t->sum[0].cell[n] < VALUE_WIDE) {
		output_count(w->o, t->sum[0].cell[n]);
		output_char(w->o, '\n');
		return;
	}
	for (unsigned c = 0; c < t->columns; c++)
		sum[c] = value_array_get(&t->sum[c], n);
	merge_values(w->m, w->o, sum);
}

void
merge_plain(struct merge *m, const char *path)
{
	struct table *all = NULL;
	struct output *o;

	if (m->normalize || m->any_scaled || m->join)
		all = read_scaled(m);
	else if (!merge_in_order(m, &all))
		for (size_t i = 0; i < m->n; i++)
			read_source(m, &m->source[i], &all);
	folded_finish(&m->folded, NULL);
	o = output_open(path);
	merge_header(m, o);
	if (all != NULL)
		table_walk(all, write_stack, &(struct writing){m, o});
	merge_end(m, o);
	output_close(o);
	table_free(all);
}
