/*
 * plain: files in any order to one table of sums. A file that is scaled gets a
 * table of its own first, since its sum of a stack is what is scaled and rounded.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "merge.h"
#include "table.h"

/* Stacks of a source under its prefix. */
struct prefixed {
	char *text;
	size_t size;
};

static const char *
add_prefix(struct prefixed *p, const struct source *s, const struct folded_line *l)
{
	if (s->prefix == NULL)
		return l->stack;
	if (s->nprefix + l->len > p->size) {
		p->size = 2 * (s->nprefix + l->len);
		p->text = cli_realloc(p->text, p->size, 1);
	}
	memcpy(p->text, s->prefix, s->nprefix);
	memcpy(p->text + s->nprefix, l->stack, l->len);
	return p->text;
}

/* Add a source's stacks to *t, which is made with the first, and count its totals. */
static void
read_source(struct merge *m, struct source *s, struct table **t)
{
	struct prefixed p = {0};
	struct folded_file f;
	struct folded_line l;

	folded_open(&f, &m->folded, s->path);
	f.scaled = merge_scales(m, s);
	while (folded_next(&f, &l)) {
		if (*t == NULL)
			*t = table_new(m->folded.columns.n);
		table_add(*t, add_prefix(&p, s, &l), s->nprefix + l.len, l.value);
		if (m->normalize)
			for (unsigned c = 0; c < m->folded.columns.n; c++)
				s->total[c] = value_sum(s->total[c], l.value[c]);
	}
	folded_close(&f);
	free(p.text);
}

struct scaling {
	struct table *to;
	const struct source *source;
};

static void
add_scaled(void *arg, const struct table_stack *stack, const value *sum)
{
	struct scaling *s = arg;
	value v[CALLTREE_COLUMNS];

	for (unsigned c = 0; c < s->to->columns; c++)
		v[c] = scale_value(s->source->scale[c], sum[c]);
	table_add(s->to, stack->text, stack->len, v);
}

static struct table *
read_scaled(struct merge *m)
{
	struct table **own = cli_alloc(m->n, sizeof *own), *all;

	for (size_t i = 0; i < m->n; i++)
		read_source(m, &m->source[i], &own[i]);
	merge_scale(m);
	all = table_new(m->folded.columns.n);
	for (size_t i = 0; i < m->n; i++)
		if (own[i] != NULL) {
			table_walk(own[i], add_scaled, &(struct scaling){all, &m->source[i]});
			table_free(own[i]);
		}
	free(own);
	return all;
}

struct writing {
	const struct merge *m;
	struct output *o;
};

static void
write_stack(void *arg, const struct table_stack *stack, const value *sum)
{
	struct writing *w = arg;

	folded_begin_stack(w->o, stack->text, stack->len);
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
	table_walk(all, write_stack, &(struct writing){m, o});
	output_close(o);
	table_free(all);
}
