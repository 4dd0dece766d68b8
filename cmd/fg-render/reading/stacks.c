/*
 * stacks: reads folded inputs into one call tree, in the order that the picture needs:
 * merged and sorted, merged in order of appearance, or in time order with only neighbours
 * merged. Applies --base and --reverse. Differentials are joined by function (names/joined.h).
 */
#include "fg-render/reading/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/options.h"
#include "fg-render/outputkind.h"
#include "fg-render/picture.h"
#include "fg-render/reading/times.h"
#include "names/joined.h"
#include "names/origin.h"

/* Name of a gap in a flame chart: it cannot occur in folded text. */
#define GAP "\n"

/* Name numbers of one stack, root first. */
struct path {
	uint32_t *name, n, cap;
};

static void
path_add(struct path *p, uint32_t name)
{
	vec_fit(p->name, p->cap, p->n + 1);
	p->name[p->n++] = name;
}

static void
path_reverse(struct path *p)
{
	for (uint32_t i = 0; i < p->n / 2; i++) {
		uint32_t last = p->name[p->n - 1 - i];

		p->name[p->n - 1 - i] = p->name[i];
		p->name[i] = last;
	}
}

/* True if --base or --skip-after has that name, with or without its annotations. */
static bool
is_base(const struct options *o, const struct calltree_name *name)
{
	struct frame_name n = name_parse(name->s, name->len);

	for (size_t i = 0; i < o->nbase; i++)
		if (text_is(name->s, name->len, o->base[i].name) ||
		    text_is(n.text, n.len, o->base[i].name))
			return true;
	return false;
}

/*
 * Starts the stack at the frame nearest to the leaf that --base or --skip-after names, and
 * reverses it for --reverse. False if --base has no match: skip the stack.
 */
static bool
path_prepare(struct path *p, const struct options *o, const struct calltree *t)
{
	uint32_t from = o->nbase != 0 ? p->n : 0;

	while (from > 0 && !is_base(o, &t->name[p->name[from - 1]]))
		from--;
	if (from > 0) {
		p->n -= from - 1;
		memmove(p->name, p->name + from - 1, p->n * sizeof *p->name);
	}
	for (size_t i = 0; i < o->nbase && from == 0; i++)
		if (!o->base[i].optional)
			return false;
	if (o->reverse)
		path_reverse(p);
	return true;
}

/* Returns a tree of all stacks of `from` after path_prepare, merged. Frees `from`. */
static struct calltree *
prepare(struct calltree *from, const struct options *o)
{
	struct calltree *to = calltree_new(from->columns);
	uint32_t *name = cli_alloc(from->nname, sizeof *name); /* number in `to`; 0: none yet */
	struct path p = {0};

	for (uint32_t i = 1; i < from->nnode; i++) {
		uint32_t node = CALLTREE_ROOT;

		if (!calltree_is_stack(from, i))
			continue;
		p.n = 0;
		for (uint32_t k = i; k != CALLTREE_ROOT; k = from->node[k].parent)
			path_add(&p, from->node[k].name);
		path_reverse(&p);
		if (!path_prepare(&p, o, from))
			continue;
		for (uint32_t k = 0; k < p.n; k++) {
			const struct calltree_name *n = &from->name[p.name[k]];

			if (name[p.name[k]] == 0)
				name[p.name[k]] = calltree_intern(to, n->s, n->len);
			node = calltree_child(to, node, name[p.name[k]]);
		}
		for (unsigned c = 0; c < from->columns; c++)
			if (value_array_has(&from->self[c], i))
				calltree_add(to, node, c, calltree_self(from, i, c));
	}
	free(p.name);
	free(name);
	calltree_free(from);
	return to;
}

/* State of a flame chart under construction: the nodes of the last stack, by depth. */
struct chart {
	uint32_t *node, cap, depth;
};

/*
 * Adds a stack and returns its node. Frames shared with the last stack are extended; the rest
 * start as new frames.
 */
static uint32_t
chart_add(struct chart *c, struct calltree *t, const struct path *p)
{
	uint32_t parent = CALLTREE_ROOT, shared = 0;

	vec_fit(c->node, c->cap, p->n);
	while (
	    shared < p->n && shared < c->depth && t->node[c->node[shared]].name == p->name[shared])
		parent = c->node[shared++];
	c->depth = p->n;
	for (uint32_t d = shared; d < p->n; d++)
		parent = c->node[d] = calltree_append(t, parent, p->name[d]);
	/* self time of a frame after it has called another is a gap between its children */
	if (t->node[parent].child != 0)
		return calltree_append(t, parent, calltree_intern(t, GAP, 1));
	return parent;
}

/* Adds a stack to a merged tree and returns its node. */
static uint32_t
graph_add(struct calltree *t, const struct path *p)
{
	uint32_t node = CALLTREE_ROOT;

	for (uint32_t i = 0; i < p->n; i++)
		node = calltree_child(t, node, p->name[i]);
	return node;
}

/* Returns the one column that --heatmap shows. */
static unsigned
timed_column(const struct options *o, const struct folded *folded)
{
	if (o->column != NULL)
		return folded_columns_find(&folded->columns, o->column, "the input");
	if (folded->columns.n > 1)
		cli_usage("--heatmap needs one column; select it with --column");
	return 0;
}

/* True if the input begins with a time mark, perhaps after other lines of its header. */
static bool
has_marks(struct lines *in)
{
	size_t len;
	const char *s = lines_peek(in, &len), *end = s + len, *newline;
	struct str words;

	for (; s < end && *s == '#'; s = newline + 1) {
		newline = memchr(s, '\n', (size_t)(end - s));
		if (newline == NULL)
			break;
		if (foldedheader_key((struct str){s, (size_t)(newline - s)}, &words) ==
		    FOLDEDHEADER_TIME)
			return true;
	}
	return false;
}

/*
 * True if the samples are also stored in time order: the output needs their times, and the
 * input has them.
 */
static bool
keeps_times(const struct options *o, struct lines *in)
{
	if (!(o->kind->needs & OUTPUT_TIMES))
		return false;
	return (o->kind->needs & OUTPUT_CHART_TIMES && o->flamechart) || has_marks(in);
}

/*
 * Reads stack by stack into a flame chart (c, or NULL) and the list of timed samples (times,
 * or NULL).
 */
static void
lines_read(struct folded_file *f, const struct options *o, struct chart *c, struct times *times,
    struct calltree **t)
{
	struct folded_line l;
	struct path p = {0};
	bool timed = false;
	uint64_t at = 0;
	unsigned column = 0;

	while (folded_next(f, &l)) {
		const char *end = l.stack + l.len;
		uint32_t node;

		if (*t == NULL)
			*t = calltree_new(f->folded->columns.n);
		if (times != NULL && l.time.len > 0) {
			timed = times_parse(l.time, &at);
			times->marked |= timed;
		}
		if (o->heatmap)
			column = timed_column(o, f->folded);
		p.n = 0;
		for (const char *frame = l.stack, *stop; frame <= end; frame = stop + 1) {
			stop = memchr(frame, ';', (size_t)(end - frame));
			if (stop == NULL)
				stop = end;
			path_add(&p, calltree_intern(*t, frame, (size_t)(stop - frame)));
		}
		if (!path_prepare(&p, o, *t))
			continue;
		node = c != NULL ? chart_add(c, *t, &p) : graph_add(*t, &p);
		for (unsigned k = 0; k < (*t)->columns; k++)
			calltree_add(*t, node, k, l.value[k]);
		if (times != NULL && o->heatmap && !timed)
			times->lost++;
		for (unsigned k = 0; times != NULL && k < (*t)->columns; k++)
			if (!o->heatmap || (timed && k == column))
				times_add(times, (struct time_sample){at, node, k, l.value[k]});
	}
	free(p.name);
}

uint32_t
stacks_gap(const struct calltree *t)
{
	for (uint32_t i = 1; i < t->nname; i++)
		if (t->name[i].len == 1 && t->name[i].s[0] == GAP[0])
			return i;
	return 0;
}

void
stacks_order_by_appearance(struct calltree *t)
{
	for (uint32_t i = 0; i < t->nnode; i++)
		t->node[i].child = 0;
	for (uint32_t i = t->nnode; i-- > 1;) {
		struct calltree_node *n = &t->node[i];

		n->next = t->node[n->parent].child;
		t->node[n->parent].child = i;
	}
}

bool
stacks_in_input_order(const struct options *o)
{
	return o->order == ORDER_INPUT || (o->flamechart && !(o->kind->needs & OUTPUT_CHART_TIMES));
}

void
stacks_sort(const struct options *o, struct calltree *t, const uint32_t *rank)
{
	if (!stacks_in_input_order(o))
		calltree_sort_by(t, rank);
}

struct calltree *
stacks_read(
    const struct options *o, struct folded *folded, struct times *times, int nfile, char **file)
{
	static char stdin_name[] = "-", *stdin_only[] = {stdin_name};
	struct calltree *t = NULL;
	struct chart chart = {0};
	bool timed = o->heatmap, charted = o->flamechart && !(o->kind->needs & OUTPUT_CHART_TIMES);

	if (nfile == 0) {
		nfile = 1;
		file = stdin_only;
	}
	for (int i = 0; i < nfile; i++) {
		struct folded_file f;

		folded_open(&f, folded, file[i]);
		if (i == 0) {
			timed |= keeps_times(o, f.in);
			if (o->kind->needs & OUTPUT_LOSES_TIMES && has_marks(f.in))
				cli_note("-T %s has no time marks: those of the input are lost",
				    o->kind->name);
			folded->guess = !charted && !timed;
		}
		if (charted || timed)
			lines_read(&f, o, charted ? &chart : NULL, timed ? times : NULL, &t);
		else
			folded_read(&f, &t);
		folded_close(&f);
	}
	folded_finish(folded, &t);
	if (!charted && !timed && t->columns == 2 && o->column == NULL &&
	    folded_columns_compared(&folded->columns))
		t = joined_columns(t, folded->columns.labels);
	if (!charted && !timed && (o->reverse || o->nbase != 0))
		t = prepare(t, o);
	if (t->nnode == 1)
		cli_die("no stack has the frame of --base");
	if (o->heatmap)
		times_finish(times);
	else
		times_sort(times);
	if (stacks_in_input_order(o))
		stacks_order_by_appearance(t);
	free(chart.node);
	return t;
}
