/*
 * visible: walks the frames that the static SVG shows, with their positions: frames that are
 * wide enough, single-child runs as one frame, and narrow neighbours as one block.
 */
#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/layout/measure.h"
#include "fg-render/picture.h"
#include "fg-render/layout/visible.h"

#define CHAIN 3 /* minimum number of frames in a single-child run */
#define ALIKE 0.995 /* minimum width of a run's frame, relative to its caller; also in rows.js */

/* The next sibling to visit in one row, and the block of narrow siblings before it. */
struct level {
	uint32_t next;
	double x;
	struct shown others;
};

/*
 * Returns the next frame of the single-child run after `node`, or 0: its only child of at
 * least width `narrow`, and nearly as wide. *x is the position of node, then of that child.
 */
static uint32_t
link_of(const struct picture *p, uint32_t node, double narrow, double *x)
{
	const struct calltree_node *of = p->tree->node;
	double at = *x + layout_own(p, node);
	uint32_t only = 0;

	for (uint32_t i = of[node].child; i != 0; i = of[i].next) {
		if (p->width[i] >= ALIKE * p->width[node] && !picture_is_gap(p, of[i].name)) {
			only = i;
			*x = at;
		} else if (p->width[i] >= narrow) {
			return 0;
		}
		at += p->width[i];
	}
	return only;
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
	level[0] = (struct level){of[CALLTREE_ROOT].child, layout_own(p, CALLTREE_ROOT), {0}};
	for (;;) {
		struct level *l = &level[row];
		struct shown s = {.node = l->next, .last = l->next, .count = 1, .row = row + 1};
		double x, at;

		if (s.node == 0) {
			flush(l, w);
			if (row-- == 0)
				break;
			continue;
		}
		l->next = of[s.node].next;
		s.from = at = x = l->x;
		s.width = p->width[s.node];
		l->x += s.width;
		if (picture_is_gap(p, of[s.node].name)) {
			flush(l, w);
			continue;
		}
		if (s.width < w->narrow) {
			pass(l, s.row, s.node, s.from, s.width);
			continue;
		}
		flush(l, w);
		for (uint32_t next;
		     w->fold && s.row > w->apart &&
		     (next = link_of(p, s.last, w->only ? 0 : w->narrow, &x)) != 0;) {
			s.last = next;
			s.count++;
		}
		if (s.count < CHAIN) {
			s.last = s.node;
			s.count = 1;
			x = at;
		}
		w->show(w->context, &s);
		if (of[s.last].child != 0) {
			vec_fit(level, cap, ++row + 1);
			level[row] =
			    (struct level){of[s.last].child, x + layout_own(p, s.last), {0}};
		}
	}
	free(level);
}
