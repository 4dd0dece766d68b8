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

/* A line with its stack, after the source's prefix, and the hash of that. */
struct hashed {
	struct folded_line line; /* its `stack` is invalid */
	char *stack;
	size_t len, size;
	uint32_t hash;
};

/* Reads the next line; the first one of all sources creates the table. */
static bool
read_hashed(struct folded_file *f, const struct profile *s, struct table **t, struct hashed *h)
{
	struct folded_line *l = &h->line;

	if (!folded_next(f, l))
		return false;
	if (*t == NULL)
		*t = table_new(f->folded->columns.n);
	h->len = s->nprefix + l->len;
	vec_fit(h->stack, h->size, h->len);
	if (s->nprefix > 0)
		memcpy(h->stack, s->prefix, s->nprefix);
	memcpy(h->stack + s->nprefix, l->stack, l->len);
	h->hash = table_hash(*t, h->stack, h->len);
	return true;
}

static void
add_line(const struct merge *m, struct profile *s, struct table *t, const struct hashed *h)
{
	const struct folded_line *l = &h->line;
	uint32_t n = table_find_hashed(t, h->stack, h->len, h->hash);

	for (unsigned c = 0; c < m->folded.columns.n; c++) {
		if (l->count[c] != FOLDED_NO_COUNT)
			value_array_count(&t->sum[c], n, l->count[c]);
		else
			value_array_add(&t->sum[c], n, l->value[c]);
		if (m->normalize)
			s->total[c] = value_sum(s->total[c], l->value[c]);
	}
}

/*
 * Adds a source's stacks to *t, which the first one creates, and to the source's totals. Reads one
 * line ahead, so that the table's memory arrives in the meantime.
 */
static void
read_source(struct merge *m, struct profile *s, struct table **t)
{
	struct hashed line[2] = {0};
	struct folded_file f;
	unsigned at = 0;

	folded_open(&f, &m->folded, s->path);
	f.scaled = merge_scales(m, s);
	if (read_hashed(&f, s, t, &line[at])) {
		for (; read_hashed(&f, s, t, &line[at ^ 1]); at ^= 1)
			add_line(m, s, *t, &line[at]);
		add_line(m, s, *t, &line[at]);
	}
	if (m->join && !m->folded.no_labels)
		labels_join(&s->labels, f.about.columns.labels);
	folded_close(&f);
	free(line[0].stack);
	free(line[1].stack);
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
write_stack(void *arg, const struct table *t, uint32_t n)
{
	struct writing *w = arg;
	struct str text = table_text(t, n);
	value sum[CALLTREE_COLUMNS];

	folded_begin_stack(w->o, text.s, text.len);
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
	else
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
