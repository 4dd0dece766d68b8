/*
 * timeorder: stacks in time order in, stacks in time order out. So many lines at a
 * time that memory stays small become a call tree, the steps run on that, and
 * each line is written with what became of its stack.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "filter.h"

#define BATCH (256 * 1024) /* lines, or nodes, after which a batch ends */

/* Lines that are read and not yet filtered. */
struct batch {
	struct calltree *tree; /* their stacks, with the sums that steps count by */
	struct folded_prefix last;
	uint32_t *node; /* by line */
	value *v; /* by line, `columns` each */
	uint32_t n;
	unsigned columns;
	int picked; /* the column that is read, -1 for all */
};

/* The line to write next, which waits for equal neighbours. */
struct pending {
	struct output *o;
	struct text stack;
	value v[CALLTREE_COLUMNS];
	unsigned columns;
	bool any;
};

static void
write_pending(struct pending *p)
{
	if (!p->any)
		return;
	output_write(p->o, p->stack.s, p->stack.len);
	for (unsigned c = 0; c < p->columns; c++) {
		output_char(p->o, ' ');
		output_value(p->o, p->v[c]);
	}
	output_char(p->o, '\n');
	p->any = false;
}

static void
add_pending(struct pending *p, const struct text *stack, const value *v)
{
	if (!p->any || p->stack.len != stack->len ||
	    memcmp(p->stack.s, stack->s, stack->len) != 0) {
		write_pending(p);
		p->any = true;
		p->stack.len = 0;
		text_add(&p->stack, stack->s, stack->len);
		memset(p->v, 0, sizeof p->v);
	}
	for (unsigned c = 0; c < p->columns; c++)
		p->v[c] = value_sum(p->v[c], v[c]);
}

/* The stack that ends at a node, as text. */
static void
node_text(const struct calltree *t, uint32_t node, struct text *stack)
{
	uint32_t depth = 0, *path;

	for (uint32_t i = node; i != CALLTREE_ROOT; i = t->node[i].parent)
		depth++;
	path = cli_alloc(depth, sizeof *path);
	for (uint32_t i = node, d = depth; i != CALLTREE_ROOT; i = t->node[i].parent)
		path[--d] = i;
	stack->len = 0;
	for (uint32_t d = 0; d < depth; d++) {
		const struct calltree_name *name = &t->name[t->node[path[d]].name];

		if (d > 0)
			text_add(stack, ";", 1);
		if (d == 0 && name->len >= 2 && memcmp(name->s, "# ", 2) == 0) {
			/* Such a line would be a comment. */
			text_add(stack, "#", 1);
			text_add(stack, name->s + 2, name->len - 2);
		} else {
			text_add(stack, name->s, name->len);
		}
	}
	free(path);
}

/* Filter and write a batch, and empty it; whether any stack was kept. */
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
				node_text(b->tree, node, &stack);
			kept = true;
		}
		written = node;
		add_pending(p, &stack, &b->v[(size_t)i * b->columns]);
	}
	free(stack.s);
	free(trace);
	calltree_free(b->tree);
	folded_prefix_free(&b->last);
	b->tree = NULL;
	b->n = 0;
	return kept;
}

static void
add_line(struct batch *b, const struct folded_line *l)
{
	const value *v = l->value + (b->picked < 0 ? 0 : b->picked);
	uint32_t node;

	if (b->tree == NULL)
		b->tree = calltree_new(b->columns);
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
	struct folded_line l;
	bool kept = false;

	for (; *path != NULL; path++) {
		folded_open(&file, &f->folded, *path);
		while (folded_next(&file, &l)) {
			if (b.columns == 0) {
				b.picked = filter_column(f);
				p.columns = b.columns = b.picked < 0 ? f->folded.columns.n : 1;
				b.node = cli_alloc(BATCH, sizeof *b.node);
				b.v = cli_alloc(BATCH, b.columns * sizeof *b.v);
				if (b.picked < 0 && !f->no_header)
					folded_write_header(o, &f->folded.columns);
			}
			add_line(&b, &l);
			if (b.n == BATCH || b.tree->nnode > BATCH)
				kept |= end_batch(f, &b, &p);
		}
		folded_close(&file);
	}
	folded_finish(&f->folded, NULL);
	kept |= end_batch(f, &b, &p);
	write_pending(&p);
	free(p.stack.s);
	free(b.node);
	free(b.v);
	return kept;
}
