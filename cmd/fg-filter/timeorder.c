/*
 * timeorder: filters stacks in time order, in batches of lines that limit memory. A batch
 * becomes a call tree, the steps run on it, and each line is written with the result of its
 * stack.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-filter/filter.h"

#define BATCH (256 * 1024) /* lines or nodes that end a batch */

/* Lines that are read but not filtered yet. */
struct batch {
	struct calltree *tree; /* their stacks, with the sums that steps select by */
	struct folded_prefix last;
	uint32_t *node; /* by line: the node of its stack */
	value *v; /* by line: `columns` values each */
	struct text times; /* the time marks, NUL-terminated; the first may be empty */
	size_t *time; /* by line: offset of its time mark in `times` */
	size_t last_time; /* offset of the next line's time mark */
	uint32_t n;
	unsigned columns;
	int picked; /* index of the column that is read, -1 for all */
};

/* The next line to write; equal neighbours are added to it first. */
struct pending {
	struct output *o;
	struct text stack;
	struct text time; /* the last time mark written */
	value v[CALLTREE_COLUMNS];
	unsigned columns;
	bool any;
};

static void
write_pending(struct pending *p)
{
	if (p->any)
		folded_write_stack(p->o, p->stack.s, p->stack.len, p->v, p->columns);
	p->any = false;
}

/* A time step without stacks gets no time mark. */
static void
add_pending(struct pending *p, struct str time, const struct text *stack, const value *v)
{
	bool step = !str_equal(time, text_as_str(&p->time));

	if (step || !p->any || !str_equal(text_as_str(&p->stack), text_as_str(stack))) {
		write_pending(p);
		p->any = true;
		text_cut(&p->stack, 0);
		text_add(&p->stack, stack->s, stack->len);
		memset(p->v, 0, sizeof p->v);
	}
	if (step) {
		text_cut(&p->time, 0);
		text_str(&p->time, time);
		folded_write_time(p->o, time, p->columns);
	}
	for (unsigned c = 0; c < p->columns; c++)
		p->v[c] = value_sum(p->v[c], v[c]);
}

/* Filters, writes and empties a batch; true if any stack was kept. */
static bool
end_batch(struct filter *f, struct batch *b, struct pending *p)
{
	uint32_t *trace, written = CUT;
	struct text stack = {0};
	bool kept = false;

	if (b->n == 0)
		return false;
	trace = cli_alloc(b->tree->nnode, sizeof *trace);
	steps_run(f->step, f->nstep, &b->tree, trace);
	for (uint32_t i = 0; i < b->n; i++) {
		uint32_t node = trace[b->node[i]];

		if (node == CUT) {
			if (!f->other)
				continue;
			stack.len = 0;
			text_add(&stack, OTHER, strlen(OTHER));
		} else {
			if (node != written)
				folded_stack(b->tree, node, &stack);
			kept = true;
		}
		written = node;
		add_pending(
		    p, str_of(b->times.s + b->time[i]), &stack, &b->v[(size_t)i * b->columns]);
	}
	text_free(&stack);
	free(trace);
	calltree_free(b->tree);
	folded_prefix_free(&b->last);
	b->tree = NULL;
	b->n = 0;
	/* Keep the time mark of the next lines. */
	memmove(b->times.s, b->times.s + b->last_time, b->times.len - b->last_time);
	text_cut(&b->times, b->times.len - b->last_time);
	b->last_time = 0;
	return kept;
}

static void
add_line(struct batch *b, const struct folded_line *l)
{
	const value *v = l->value + (b->picked < 0 ? 0 : b->picked);
	uint32_t node;

	if (b->tree == NULL)
		b->tree = calltree_new(b->columns);
	if (l->time.len > 0) {
		b->last_time = b->times.len;
		text_str(&b->times, l->time);
		text_char(&b->times, '\0');
	}
	b->time[b->n] = b->last_time;
	node = folded_add(b->tree, &b->last, l->stack, l->len);
	for (unsigned c = 0; c < b->columns; c++)
		calltree_add(b->tree, node, c, v[c]);
	memcpy(&b->v[(size_t)b->n * b->columns], v, b->columns * sizeof *v);
	b->node[b->n++] = node;
}

bool
filter_time_order(struct filter *f, char *const *path, struct output *o)
{
	struct pending p = {.o = o};
	struct batch b = {0};
	struct folded_file file;
	struct folded_columns written = {0};
	struct folded_line l;
	bool kept = false;

	output_lines(o);
	text_puts(&p.time, "");
	for (; *path != NULL; path++) {
		if (f->nlocal > 0)
			kept |= end_batch(f, &b, &p);
		if (!input_open(f, &file, *path))
			continue;
		while (input_next(f, &file, &l)) {
			if (b.columns == 0) {
				b.picked = filter_column(f);
				p.columns = b.columns = b.picked < 0 ? f->folded.columns.n : 1;
				b.node = cli_alloc(BATCH, sizeof *b.node);
				b.v = cli_alloc(BATCH, b.columns * sizeof *b.v);
				b.time = cli_alloc(BATCH, sizeof *b.time);
				text_char(&b.times, '\0');
				written = filter_columns(f);
				if (!f->no_header)
					folded_write_header(o, &written);
			}
			if (f->no_header)
				l.time.len = 0;
			add_line(&b, &l);
			if (b.n == BATCH || b.tree->nnode > BATCH || b.times.len > BATCH)
				kept |= end_batch(f, &b, &p);
		}
		folded_close(&file);
	}
	folded_finish(&f->folded, NULL);
	kept |= end_batch(f, &b, &p);
	write_pending(&p);
	if (!f->no_header) {
		/* Header lines that became known after the first stack. */
		struct folded_columns now = filter_columns(f);

		foldedheader_write(o, &now, &written);
	}
	text_free(&p.stack);
	text_free(&p.time);
	text_free(&b.times);
	free(b.time);
	free(b.node);
	free(b.v);
	return kept;
}
