#include "fg-render/terminal/place.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/layout/figures.h"
#include "names/cells.h"
#include "names/label.h"
#include "profile/unit.h"

static struct step *
current(const struct place *w)
{
	return &w->step[w->at];
}

static uint32_t *
copy_names(const uint32_t *name, uint32_t n)
{
	uint32_t *to = cli_alloc(n + 1, sizeof *to);

	if (n > 0)
		memcpy(to, name, n * sizeof *to);
	return to;
}

/* Returns the name numbers on the path from the root to a node. The caller frees them. */
static uint32_t *
path_of(const struct calltree *t, uint32_t node, uint32_t *n)
{
	uint32_t *path, depth = 0;

	for (uint32_t i = node; i != CALLTREE_ROOT; i = t->node[i].parent)
		depth++;
	path = cli_alloc(depth + 1, sizeof *path);
	*n = depth;
	for (uint32_t i = node; i != CALLTREE_ROOT; i = t->node[i].parent)
		path[--depth] = t->node[i].name;
	return path;
}

/* Returns the node at the end of a path of names, or the last one on it that exists. */
static uint32_t
descend(const struct calltree *t, const uint32_t *name, uint32_t n)
{
	uint32_t node = CALLTREE_ROOT;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = t->node[node].child;

		while (next != 0 && t->node[next].name != name[i])
			next = t->node[next].next;
		if (next == 0)
			break;
		node = next;
	}
	return node;
}

void
place_open(struct place *w)
{
	*w = (struct place){0};
	vec_fit(w->step, w->cap, 1);
	w->step[0] = (struct step){.zoom = copy_names(NULL, 0), .column = -1};
	w->nstep = 1;
	w->selected = copy_names(NULL, 0);
}

static void
drop_steps(struct place *w, size_t from)
{
	while (w->nstep > from)
		free(w->step[--w->nstep].zoom);
}

void
place_close(struct place *w)
{
	drop_steps(w, 0);
	view_free(&w->filtered);
	free(w->step);
	free(w->selected);
	for (unsigned i = 0; i < 2; i++) {
		view_free(&w->pane[i].view);
		rows_free(&w->pane[i].rows);
	}
	if (w->searching)
		pattern_free(&w->pattern);
}

static const struct calltree *
tree_of(const struct place *w, unsigned pane)
{
	return w->pane[pane].view.picture.tree;
}

/* Returns the drawn frame with the selected node, or with its nearest caller that is drawn. */
static const struct shown *
selected(const struct place *w)
{
	const struct pane *pane = &w->pane[w->in];
	const struct calltree *t = tree_of(w, w->in);
	uint32_t node = descend(t, w->selected, w->nselected);

	for (;; node = t->node[node].parent) {
		for (size_t i = 0; i < pane->rows.n; i++) {
			const struct shown *s = &pane->rows.shown[i];

			if (s->others)
				continue;
			for (uint32_t k = s->last;; k = t->node[k].parent) {
				if (k == node)
					return s;
				if (k == s->node)
					break;
			}
		}
		if (node == CALLTREE_ROOT)
			return &pane->rows.shown[0];
	}
}

/* Scrolls so that a row is in view. */
static void
reveal(struct place *w)
{
	const struct pane *pane = &w->pane[w->in];
	int line = place_line(w, pane, selected(w)->row), tall = (int)w->tall;

	if (line < 0)
		w->scroll += line;
	else if (line >= tall)
		w->scroll += line - tall + 1;
}

static void
lay_rows(struct place *w)
{
	for (unsigned i = 0; i < w->npane; i++) {
		rows_free(&w->pane[i].rows);
		/* All callers are shown, and the function has a row of its own in both panes. */
		uint32_t apart = w->npane == 1 ? 0 : w->pane[i].upwards ? UINT32_MAX : 1;

		w->pane[i].rows = rows_build(&w->pane[i].view.picture, w->wide, apart);
	}
	reveal(w);
}

/* Builds the views of the current step. */
static void
build(struct place *w)
{
	const struct step *s = current(w);
	const struct picture *p = w->p;

	for (unsigned i = 0; i < 2; i++)
		view_free(&w->pane[i].view);
	view_free(&w->filtered);
	if (s->nfilter > 0) {
		view_filter(&w->filtered, w->p, s->filter, s->nfilter);
		p = &w->filtered.picture;
	}
	w->npane = s->function != 0 ? 2 : 1;
	w->scroll = 0;
	if (s->function == 0) {
		view_frame(&w->pane[0].view, p, descend(p->tree, s->zoom, s->nzoom), s->column);
		w->pane[0].first = 0;
	} else {
		view_function(&w->pane[0].view, p, s->function, false, s->column);
		view_function(&w->pane[1].view, p, s->function, true, s->column);
		w->pane[0].first = 1;
		w->pane[1].first = 2;
		w->pane[1].upwards = true;
	}
	if (w->in >= w->npane)
		w->in = 0;
	lay_rows(w);
}

static void
select_node(struct place *w, unsigned pane, uint32_t node)
{
	free(w->selected);
	w->in = pane;
	w->selected = path_of(tree_of(w, pane), node, &w->nselected);
	reveal(w);
}

/* Returns the number of the same name in another picture, or UINT32_MAX. */
static uint32_t
same_name(const struct picture *from, const struct picture *to, uint32_t name)
{
	const struct calltree_name *n = &from->names.text[name];

	for (uint32_t i = 1; i < to->tree->nname; i++)
		if (to->names.text[i].len == n->len &&
		    memcmp(to->names.text[i].s, n->s, n->len) == 0 &&
		    to->names.name[i].origin == from->names.name[name].origin)
			return i;
	return UINT32_MAX;
}

static void
translate(const struct picture *from, const struct picture *to, uint32_t *name, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (name[i] != UINT32_MAX)
			name[i] = same_name(from, to, name[i]);
}

void
place_show(struct place *w, const struct picture *p, unsigned wide, unsigned tall)
{
	if (w->p != NULL && w->p != p) {
		for (size_t i = 0; i < w->nstep; i++) {
			struct step *s = &w->step[i];

			translate(w->p, p, s->zoom, s->nzoom);
			translate(w->p, p, &s->function, s->function != 0);
			if (s->function == UINT32_MAX)
				s->function = 0;
			/* No frame meets a filter by a name that this picture lacks. */
			for (unsigned k = 0; k < s->nfilter; k++)
				translate(
				    w->p, p, &s->filter[k].of, s->filter[k].by <= FILTER_MODULE);
		}
		translate(w->p, p, w->selected, w->nselected);
	}
	w->p = p;
	w->wide = wide;
	w->tall = tall;
	build(w);
}

void
place_resize(struct place *w, unsigned wide, unsigned tall)
{
	w->wide = wide;
	w->tall = tall;
	lay_rows(w);
}

int
place_line(const struct place *w, const struct pane *pane, uint32_t row)
{
	int middle = w->npane == 2 ? (int)w->tall / 2 : 0, below = (int)row - (w->npane == 2);

	return (pane->upwards ? middle - below : middle + below) - w->scroll;
}

bool
place_is_selected(const struct place *w, const struct pane *pane, const struct shown *f)
{
	return pane == &w->pane[w->in] && selected(w) == f;
}

/* Returns the leaf-most frame of a row that the search matches, or CALLTREE_ROOT. */
static uint32_t
matching(const struct place *w, const struct pane *pane, const struct shown *f)
{
	const struct calltree *t = pane->view.picture.tree;

	if (!w->searching || f->others)
		return CALLTREE_ROOT;
	for (uint32_t k = f->last; k != CALLTREE_ROOT; k = t->node[k].parent) {
		const struct calltree_name *n = &w->p->names.text[t->node[k].name];

		if (pattern_find(&w->pattern, n->s, 0, n->len, NULL, 0))
			return k;
		if (k == f->node)
			break;
	}
	return CALLTREE_ROOT;
}

bool
place_is_match(const struct place *w, const struct pane *pane, const struct shown *f)
{
	return matching(w, pane, f) != CALLTREE_ROOT;
}

bool
place_search(struct place *w, const char *pattern)
{
	struct pattern compiled = {.text = pattern, .ignore_case = true};

	for (const char *c = pattern; *c != '\0'; c++)
		if (isupper((unsigned char)*c))
			compiled.ignore_case = false;
	if (*pattern != '\0' && pattern_try(&compiled) != 0)
		return false;
	if (w->searching)
		pattern_free(&w->pattern);
	w->searching = *pattern != '\0';
	if (!w->searching)
		return true;
	w->pattern = compiled;
	if (!place_is_match(w, &w->pane[w->in], selected(w)))
		place_act(w, PLACE_NEXT_MATCH);
	return true;
}

/* Drops the steps after the current one and adds a copy of it as the new current step. */
static struct step *
new_step(struct place *w)
{
	struct step copy = *current(w);

	copy.zoom = copy_names(copy.zoom, copy.nzoom);
	drop_steps(w, w->at + 1);
	vec_fit(w->step, w->cap, w->nstep + 1);
	w->step[w->nstep] = copy;
	w->at = w->nstep++;
	return current(w);
}

/* Zooms to a path, with the first filters of the current step. */
static void
zoom_to(struct place *w, const uint32_t *name, uint32_t n, unsigned filters)
{
	uint32_t *copy = copy_names(name, n);
	struct step *s = new_step(w);

	free(s->zoom);
	s->zoom = copy;
	s->nzoom = n;
	s->function = 0;
	s->nfilter = filters;
	build(w);
}

/* Returns the frame of a row with the largest overlap with s, or NULL. */
static const struct shown *
beside(const struct pane *pane, uint32_t row, const struct shown *s)
{
	const struct shown *best = NULL;
	double most = 0;

	for (size_t i = rows_first(&pane->rows, row);
	     i < pane->rows.n && pane->rows.shown[i].row == row; i++) {
		const struct shown *f = &pane->rows.shown[i];
		double from = fmax(f->from, s->from);
		double to = fmin(f->from + f->width, s->from + s->width);

		if (!f->others && to - from > most) {
			most = to - from;
			best = f;
		}
	}
	return best;
}

static void
move(struct place *w, enum place_act act)
{
	const struct pane *pane = &w->pane[w->in];
	const struct shown *s = selected(w), *to = NULL;
	bool deeper = (act == PLACE_CALLEE) != pane->upwards;

	if (act == PLACE_LEFT || act == PLACE_RIGHT) {
		const struct shown *end =
		    act == PLACE_LEFT ? pane->rows.shown - 1 : pane->rows.shown + pane->rows.n;

		for (to = s; to != end && (to == s || to->others);)
			to += act == PLACE_LEFT ? -1 : 1;
		if (to == end || to->row != s->row)
			to = NULL;
	} else if (deeper) {
		to = beside(pane, s->row + 1, s);
	} else if (s->row > pane->first) {
		to = beside(pane, s->row - 1, s);
	} else if (w->npane == 2) {
		/* across the function in the middle, into the other pane */
		w->in = 1 - w->in;
		pane = &w->pane[w->in];
		to = pane->rows.n > 0
			 ? beside(pane, pane->first, &(struct shown){.width = INFINITY})
			 : NULL;
		if (to == NULL)
			w->in = 1 - w->in;
	}
	if (to != NULL)
		select_node(w, w->in, to->last);
}

static void
next_match(struct place *w, bool forwards)
{
	const struct shown *s = selected(w);
	unsigned in = w->in;
	size_t n = w->pane[in].rows.n, at = (size_t)(s - w->pane[in].rows.shown);

	for (size_t tried = 0; tried <= w->pane[0].rows.n + w->pane[1].rows.n; tried++) {
		at = forwards ? at + 1 : at - 1;
		if (at >= n) { /* a step before 0 wraps around: at is unsigned */
			in = w->npane == 2 ? 1 - in : in;
			n = w->pane[in].rows.n;
			at = forwards || n == 0 ? 0 : n - 1;
		}
		if (n > 0 && w->pane[in].rows.shown[at].row >= w->pane[in].first &&
		    place_is_match(w, &w->pane[in], &w->pane[in].rows.shown[at])) {
			select_node(w, in, w->pane[in].rows.shown[at].last);
			return;
		}
	}
}

static void
show_column(struct place *w, int column)
{
	if (column >= -1 && column < (int)w->p->drawn.n && column != current(w)->column &&
	    w->p->drawn.n > 1) {
		new_step(w)->column = column;
		build(w);
	}
}

static void
sandwich(struct place *w)
{
	const struct shown *s = selected(w);
	uint32_t match = matching(w, &w->pane[w->in], s),
		 node = match != CALLTREE_ROOT ? match : s->last;
	uint32_t name = tree_of(w, w->in)->node[node].name;
	struct step *step;

	if (node == CALLTREE_ROOT)
		return;
	step = new_step(w);
	step->function = w->p->names.function[name];
	w->in = 0;
	build(w);
	select_node(w, 0, w->pane[0].view.picture.tree->node[CALLTREE_ROOT].child);
}

/* Adds a filter as a step; NULL, or why there is none. */
static const char *
add_filter(struct place *w, struct filter f)
{
	struct step *step;
	struct view trial;
	bool any;

	if (current(w)->nfilter == PLACE_FILTERS)
		return "there are 16 filters already";
	step = new_step(w);
	step->filter[step->nfilter++] = f;
	any = view_filter(&trial, w->p, step->filter, step->nfilter);
	view_free(&trial);
	if (!any) {
		w->at--;
		drop_steps(w, w->at + 1);
		return "no frame would be left";
	}
	if (f.what == FILTER_HIDE && f.by == FILTER_FUNCTION && step->function == f.of)
		step->function = 0;
	build(w);
	return NULL;
}

/* Adds a filter by the selected frame's function, or by its module. */
static const char *
filter_selected(struct place *w, enum filter_what what, enum filter_by by)
{
	const struct shown *s = selected(w);
	uint32_t match = matching(w, &w->pane[w->in], s),
		 node = match != CALLTREE_ROOT ? match : s->last;
	uint32_t name = tree_of(w, w->in)->node[node].name;

	if (node == CALLTREE_ROOT)
		return "select a frame first";
	if (by == FILTER_FUNCTION)
		name = w->p->names.function[name];
	else if (w->p->names.name[name].module == 0)
		return "the module of this frame is unknown";
	return add_filter(w, (struct filter){what, by, name});
}

unsigned
place_choices(const struct place *w, struct filter_choice choice[VIEWFILTER_CHOICES])
{
	return viewfilter_choices(w->p, choice);
}

const char *
place_choose(struct place *w, unsigned number, bool without)
{
	struct filter_choice choice[VIEWFILTER_CHOICES];

	if (number >= place_choices(w, choice))
		return "there is no such entry";
	return add_filter(w, without ? choice[number].without : choice[number].only);
}

static void
go(struct place *w, size_t at)
{
	if (at < w->nstep && at != w->at) {
		w->at = at;
		build(w);
	}
}

bool
place_click(struct place *w, int line, unsigned column)
{
	for (unsigned i = 0; i < w->npane; i++) {
		const struct pane *pane = &w->pane[i];

		for (size_t k = 0; k < pane->rows.n; k++) {
			const struct shown *f = &pane->rows.shown[k];
			unsigned from, to;

			if (f->others || f->row < pane->first ||
			    place_line(w, pane, f->row) != line ||
			    !rows_cells(&pane->view.picture, f, w->wide, &from, &to) ||
			    column < from || column >= to)
				continue;
			if (place_is_selected(w, pane, f))
				return true;
			select_node(w, i, f->last);
			return false;
		}
	}
	return false;
}

const char *
place_act(struct place *w, enum place_act act)
{
	const struct step *s = current(w);

	switch (act) {
	case PLACE_CALLER:
	case PLACE_CALLEE:
	case PLACE_LEFT:
	case PLACE_RIGHT: move(w, act); break;
	case PLACE_ZOOM:
		if (s->function == 0)
			zoom_to(w, w->selected, w->nselected, s->nfilter);
		else
			sandwich(w);
		break;
	case PLACE_OUT:
		if (s->function != 0 || s->nzoom > 0)
			zoom_to(w, s->zoom, s->function != 0 ? s->nzoom : s->nzoom - 1, s->nfilter);
		break;
	case PLACE_RESET:
		if (s->function != 0 || s->nzoom > 0 || s->nfilter > 0)
			zoom_to(w, NULL, 0, 0);
		break;
	case PLACE_SANDWICH: sandwich(w); break;
	case PLACE_FOCUS: return filter_selected(w, FILTER_FOCUS, FILTER_FUNCTION);
	case PLACE_HIDE: return filter_selected(w, FILTER_HIDE, FILTER_FUNCTION);
	case PLACE_DROP: return filter_selected(w, FILTER_DROP, FILTER_FUNCTION);
	case PLACE_FOCUS_MODULE: return filter_selected(w, FILTER_FOCUS, FILTER_MODULE);
	case PLACE_HIDE_MODULE: return filter_selected(w, FILTER_HIDE, FILTER_MODULE);
	case PLACE_OWN:
		return add_filter(w, (struct filter){FILTER_ONLY, FILTER_ORIGIN, ORIGIN_USER});
	case PLACE_UNDO: go(w, w->at - 1); break;
	case PLACE_REDO: go(w, w->at + 1); break;
	case PLACE_BASE: show_column(w, w->p->mode == MODE_DIFFERENTIAL ? 0 : s->column); break;
	case PLACE_HEAD: show_column(w, w->p->mode == MODE_DIFFERENTIAL ? 1 : s->column); break;
	case PLACE_BOTH: show_column(w, -1); break;
	case PLACE_NEXT_COLUMN: show_column(w, s->column + 1); break;
	case PLACE_LAST_COLUMN: show_column(w, s->column - 1); break;
	case PLACE_NEXT_MATCH:
	case PLACE_LAST_MATCH:
		if (w->searching)
			next_match(w, act == PLACE_NEXT_MATCH);
		break;
	case PLACE_UP: w->scroll -= (int)w->tall / 2; break;
	case PLACE_DOWN: w->scroll += (int)w->tall / 2; break;
	}
	return NULL;
}

/* Number of frames of the view that the search matches, and the part of the width they have. */
static uint32_t
count_matches(const struct place *w, double *share)
{
	const struct picture *p = &w->pane[0].view.picture;
	const struct calltree *t = p->tree;
	bool *below = cli_alloc_ready(t->nnode, sizeof *below); /* it or a caller matches */
	uint32_t n = 0;

	*share = 0;
	for (uint32_t i = 1; i < t->nnode; i++) {
		const struct calltree_name *name = &w->p->names.text[t->node[i].name];
		bool caller = below[t->node[i].parent];

		below[i] = caller;
		if (p->width[i] <= 0 || !pattern_find(&w->pattern, name->s, 0, name->len, NULL, 0))
			continue;
		n++;
		below[i] = true;
		if (!caller)
			*share += p->width[i] / p->profile_total;
	}
	free(below);
	return n;
}

static void
add_filters(const struct place *w, struct text *b)
{
	const struct step *s = current(w);

	for (unsigned k = 0; k < s->nfilter; k++) {
		text_puts(b, "  [");
		viewfilter_add(w->p, &s->filter[k], b);
		text_char(b, ']');
	}
}

void
place_title(const struct place *w, const char *note, struct text *b)
{
	const struct step *s = current(w);
	struct text name = {0};

	if (w->p->options->title != NULL)
		text_printf(b, "%s: ", w->p->options->title);
	layout_heading(&w->pane[0].view.picture, b);
	if (s->column >= 0)
		text_printf(b, " of %s", w->p->columns.name[w->p->drawn.column[s->column]]);
	add_filters(w, b);
	if (s->function != 0 || s->nzoom > 0) {
		label_function(&name,
		    &w->p->names.name[s->function != 0 ? s->function : s->zoom[s->nzoom - 1]], 60);
		text_printf(
		    b, "  [%s %s]", s->function != 0 ? "callers and callees of" : "in", name.s);
	}
	if (w->searching) {
		double share;
		uint32_t n = count_matches(w, &share);

		text_printf(b, "  [%u match%s, %.2f %%]", n, text_form(n, "", "es"), 100 * share);
	}
	if (*note != '\0')
		text_printf(b, "  (%s)", note);
	text_free(&name);
}

void
place_status(const struct place *w, struct text *b)
{
	const struct pane *pane = &w->pane[w->in];
	const struct picture *p = &pane->view.picture;
	const struct shown *s = selected(w);
	uint32_t match = matching(w, pane, s), node = match != CALLTREE_ROOT ? match : s->last;
	double profile_total = w->p->profile_total;

	if (node == CALLTREE_ROOT)
		text_puts(b, "all");
	else
		label_function(b, &w->p->names.name[p->tree->node[node].name], 100);
	if (p->mode == MODE_DIFFERENTIAL) {
		text_puts(b, "  ");
		layout_figure(p, 0, b, (value)(p->diff.base[node] * (double)VALUE_ONE));
		text_puts(b, " \xe2\x86\x92 ");
		layout_figure(p, 1, b, (value)(p->diff.head[node] * (double)VALUE_ONE));
		if (p->diff.base[node] > 0) {
			text_puts(b, "  ");
			unit_change(b, 100 * (p->diff.head[node] / p->diff.base[node] - 1), 2);
			text_puts(b, " %");
		}
		return;
	}
	text_puts(b, "  ");
	layout_figure(p, 0, b, (value)(s->width * (double)VALUE_ONE));
	text_printf(b, "  %.2f %%", 100 * s->width / profile_total);
}

void
place_stack(const struct place *w, struct text *b)
{
	const struct picture *p = &w->pane[w->in].view.picture;
	const struct shown *s = selected(w);
	uint32_t n, *path = path_of(p->tree, s->last, &n);
	char digits[VALUE_CHARS];

	for (uint32_t i = 0; i < n; i++) {
		/* in the pane of callers the path starts at the function */
		const struct calltree_name *name =
		    &w->p->tree->name[path[w->pane[w->in].upwards ? n - 1 - i : i]];

		text_add(b, name->s, name->len);
		text_puts(b, i + 1 < n ? ";" : "");
	}
	text_char(b, ' ');
	text_add(b, digits, value_format((value)(s->width * (double)VALUE_ONE), digits));
	text_char(b, '\n');
	free(path);
}
