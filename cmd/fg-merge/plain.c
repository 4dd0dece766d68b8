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

/* A line with its stack, after the source's prefix, and the hash of that. */
struct hashed {
	struct folded_line line; /* its `stack` is invalid */
	char *stack;
	size_t len, size;
	XXH128_hash_t hash;
};

/* The stack of a line after the source's prefix, copied to h only if it has one. */
static struct str
prefixed(const struct profile *s, const struct folded_line *l, struct hashed *h)
{
	if (s->nprefix == 0)
		return (struct str){l->stack, l->len};
	h->len = s->nprefix + l->len;
	vec_fit(h->stack, h->size, h->len);
	memcpy(h->stack, s->prefix, s->nprefix);
	memcpy(h->stack + s->nprefix, l->stack, l->len);
	return (struct str){h->stack, h->len};
}

static void
keep_hashed(const struct table *t, const struct profile *s, struct hashed *h)
{
	if (s->nprefix == 0) {
		h->len = h->line.len;
		vec_fit(h->stack, h->size, h->len);
		memcpy(h->stack, h->line.stack, h->len);
	} else {
		prefixed(s, &h->line, h);
	}
	h->hash = table_hash(t, h->stack, h->len);
}

static void
add_values(const struct merge *m, struct profile *s, struct table *t, uint32_t n,
    const struct folded_line *l)
{
	for (unsigned c = 0; c < m->folded.columns.n; c++) {
		if (l->count[c] != FOLDED_NO_COUNT)
			value_array_count(&t->sum[c], n, l->count[c]);
		else
			value_array_add(&t->sum[c], n, l->value[c]);
		if (m->normalize)
			s->total[c] = value_sum(s->total[c], l->value[c]);
	}
}

static void
add_hashed(const struct merge *m, struct profile *s, struct table *t, const struct hashed *h)
{
	add_values(m, s, t, table_find_hashed(t, h->stack, h->len, h->hash), &h->line);
}

/*
 * Adds a source's stacks to *t, which the first one creates, and to the source's totals. If they
 * are not in order, reads one line ahead, so that the table's memory arrives in the meantime.
 */
static void
read_stacks(struct merge *m, struct profile *s, struct folded_file *f, struct table **t)
{
	struct hashed line[2] = {0};
	bool pending = false;
	unsigned at = 0;

	while (folded_next(f, &line[at].line)) {
		if (*t == NULL)
			*t = table_new(f->folded->columns.n);
		if (!(*t)->unordered) {
			struct str stack = prefixed(s, &line[at].line, &line[at]);

			add_values(m, s, *t, table_find(*t, stack.s, stack.len), &line[at].line);
			continue;
		}
		keep_hashed(*t, s, &line[at]);
		at ^= 1;
		if (pending)
			add_hashed(m, s, *t, &line[at]);
		pending = true;
	}
	if (pending)
		add_hashed(m, s, *t, &line[at ^ 1]);
	free(line[0].stack);
	free(line[1].stack);
}

static void
read_source(struct merge *m, struct profile *s, struct table **t)
{
	struct folded_file f;

	folded_open(&f, &m->folded, s->path);
	f.scaled = merge_scales(m, s);
	read_stacks(m, s, &f, t);
	if (m->join && !m->folded.no_labels)
		labels_join(&s->labels, f.about.columns.labels);
	folded_close(&f);
}

struct scaling {
	struct table *all;
	const struct profile *source;
};

static void
add_scaled_stack(void *arg, const struct table *own, uint32_t i, struct str stack)
{
	struct scaling *to = arg;
	uint32_t n = table_find(to->all, stack.s, stack.len);

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
write_stack(void *arg, const struct table *t, uint32_t n, struct str text)
{
	struct writing *w = arg;
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
