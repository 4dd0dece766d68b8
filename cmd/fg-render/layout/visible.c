/*
 * visible: walks the frames that the static SVG shows, with their positions: frames that are
 * wide enough, runs as one frame, and narrow neighbours as one block.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/layout/measure.h"
#include "fg-render/picture.h"
#include "fg-render/layout/visible.h"

#define CHAIN 3 /* minimum number of frames in a single-child run */
/* Minimum width of a run's frame; also in rows.js. */
#define ALIKE 0.995 /* relative to its caller */
#define NEARLY 0.98 /* of code that is not own, relative to the first frame of the run */

/*
 * A row of the walk: the next child of `of` to visit, and the block of those before it. The
 * row of a run's children has those of all its frames, from `of` on to `last`.
 */
struct level {
	uint32_t next;
	double x;
	struct shown others;
	uint32_t first, of, last;
	uint32_t link; /* the frame of the run below `of`, which has no place in this row, or 0 */
	double inner; /* its position */
};

static bool
is_foreign(const struct picture *p, uint32_t node)
{
	return !p->names.own[p->tree->node[node].name];
}

/*
 * Returns the next frame of the run `first` after `node`, or 0. In code that is not own: a child
 * nearly as wide as first; if w->fold also the only child of at least width w->narrow, about as
 * wide as node. With w->foreign, own code and other code have separate runs. *x is the position of
 * node, then of that child.
 */
static uint32_t
link_of(const struct picture *p, const struct walk *w, uint32_t first, uint32_t node, double *x)
{
	const struct calltree_node *of = p->tree->node;
	double at = *x + layout_own(p, node), narrow = w->only ? 0 : w->narrow;
	bool apart = w->foreign && p->names.own != NULL, foreign = apart && is_foreign(p, node);
	uint32_t only = 0, wide = 0;

	for (uint32_t i = of[node].child; i != 0; i = of[i].next) {
		if (foreign && p->width[i] >= NEARLY * p->width[first] && is_foreign(p, i)) {
			*x = at;
			return i;
		}
		if (p->width[i] >= narrow)
			wide++;
		if (p->width[i] >= ALIKE * p->width[node] && !picture_is_gap(p, of[i].name) &&
		    !(apart && is_foreign(p, i) != foreign)) {
			only = i;
			*x = at;
		}
		at += p->width[i];
	}
	return w->fold && wide == 1 ? only : 0;
}

/* Begins the children of a node at position x. */
static void
enter(const struct picture *p, const struct walk *w, struct level *l, uint32_t node, double x)
{
	l->of = node;
	l->next = p->tree->node[node].child;
	l->x = l->inner = x;
	l->link = node == l->last ? 0 : link_of(p, w, l->first, node, &l->inner);
	l->x += layout_own(p, node);
}

static void
flush(struct level *l, const struct walk *w)
{
	if (l->others.count > 0 && l->others.width >= w->least)
		w->show(w->context, &l->others);
	l->others.count = 0;
}

static void
pass(struct level *l, uint32_t row, uint32_t node, double from, double width)
{
	if (l->others.count++ == 0) {
		l->others.from = from;
		l->others.width = 0;
		l->others.others = true;
		l->others.row = row;
	}
	l->others.node = l->others.last = node;
	l->others.width += width;
}

void
walk(const struct picture *p, const struct walk *w)
{
	const struct calltree_node *of = p->tree->node;
	struct shown root = {.count = 1, .width = p->profile_total};
	struct level *level = NULL;
	uint32_t row = 0, cap = 0;

	w->show(w->context, &root);
	vec_fit(level, cap, 1);
	level[0] = (struct level){.last = CALLTREE_ROOT};
	enter(p, w, level, CALLTREE_ROOT, 0);
	for (;;) {
		struct level *l = &level[row];
		struct shown s = {.node = l->next, .last = l->next, .count = 1, .row = row + 1};
		double x;

		if (s.node == 0) {
			flush(l, w);
			if (l->of != l->last)
				enter(p, w, l, l->link, l->inner);
			else if (row-- == 0)
				break;
			continue;
		}
		l->next = of[s.node].next;
		s.from = x = l->x;
		s.width = p->width[s.node];
		l->x += s.width;
		if (s.node == l->link || picture_is_gap(p, of[s.node].name)) {
			flush(l, w);
			continue;
		}
		if (s.width < w->narrow) {
			pass(l, s.row, s.node, s.from, s.width);
			continue;
		}
		flush(l, w);
		for (uint32_t next; (w->fold || w->foreign) && s.row > w->apart &&
				    (next = link_of(p, w, s.node, s.last, &x)) != 0;) {
			s.last = next;
			s.count++;
		}
		if (s.count < CHAIN) {
			s.last = s.node;
			s.count = 1;
		}
		w->show(w->context, &s);
		if (of[s.node].child != 0) {
			vec_fit(level, cap, ++row + 1);
			level[row] = (struct level){.first = s.node, .last = s.last};
			enter(p, w, &level[row], s.node, s.from);
		}
	}
	free(level);
}
