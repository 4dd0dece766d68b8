/*
 * plain: merges files in any order into one table of sums. A scaled file gets a table of its own
 * first, since its sum of a stack is scaled and rounded once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-merge/merge.h"
#include "fg-merge/table.h"

/* A buffer for the stacks of a source with its prefix. */
struct prefixed {
	char *text;
	size_t size;
};

static const char *
add_prefix(struct prefixed *p, const struct profile *s, const struct folded_line *l)
{
	if (s->prefix == NULL)
		return l->stack;
	vec_fit(p->text, p->size, s->nprefix + l->len);
	memcpy(p->text, s->prefix, s->nprefix);
	memcpy(p->text + s->nprefix, l->stack, l->len);
	return p->text;
}

/* Adds a source's stacks to *t, which the first one creates, and to the source's totals. */
static void
read_source(struct merge *m, struct profile *s, struct table **t)
{
	struct prefixed p = {0};
	struct folded_file f;
	struct folded_line l;
	uint32_t n;

	folded_open(&f, &m->folded, s->path);
	f.scaled = merge_scales(m, s);
	while (folded_next(&f, &l)) {
		if (*t == NULL)
			*t = table_new(m->folded.columns.n);
		n = table_find(*t, add_prefix(&p, s, &l), s->nprefix + l.len);
		for (unsigned c = 0; c < m->folded.columns.n; c++) {
			if (l.count[c] != FOLDED_NO_COUNT)
				value_array_count(&(*t)->sum[c], n, l.count[c]);
			else
				value_array_add(&(*t)->sum[c], n, l.value[c]);
			if (m->normalize)
				s->total[c] = value_sum(s->total[c], l.value[c]);
		}
	}
	folded_close(&f);
	free(p.text);
}

/* Adds the scaled sums of one source, and frees its table. */
static void
add_scaled(struct table *all, const struct profile *s, struct table *own)
{
	for (uint32_t i = 0; i < own->n; i++) {
		struct str text = table_text(own, i);
		uint32_t n = table_find(all, text.s, text.len);

		for (unsigned c = 0; c < own->columns; c++)
			value_array_add(&all->sum[c], n,
			    scale_value(s->scale[c], value_array_get(&own->sum[c], i)));
	}
	table_free(own);
}

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
		if (own[i] != NULL && !m->normalize)
			add_scaled(all, &m->source[i], own[i]);
	}
	if (m->normalize) {
		merge_scale(m);
		for (size_t i = 0; i < m->n; i++)
			if (own[i] != NULL)
				add_scaled(all, &m->source[i], own[i]);
	}
	free(own);
	return all;
}

struct writing {
	const struct merge *m;
	struct output *o;
};

static void
write_stack(void *arg, const struct table *t, uint32_t n)
{
	struct writing *w = arg;
	struct str text = table_text(t, n);
	value sum[CALLTREE_COLUMNS];

	folded_begin_stack(w->o, text.s, text.len);
	if (t->columns == 1 && !w->m->mean && t->sum[0].cell[n] < VALUE_WIDE) {
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

	if (m->normalize || m->weighted)
		all = read_scaled(m);
	else
		for (size_t i = 0; i < m->n; i++)
			read_source(m, &m->source[i], &all);
	folded_finish(&m->folded, NULL);
	o = output_open(path);
	merge_header(m, o);
	if (all != NULL)
		table_walk(all, write_stack, &(struct writing){m, o});
	output_close(o);
	table_free(all);
}
