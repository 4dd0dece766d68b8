/*
 * times: samples by time, from the time marks of folded(5). They give the cells of the heatmap
 * strip and, for the viewer, the frames of each time step.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/clock.h"
#include "base/scale.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-render/picture/payload.h"
#include "fg-render/picture.h"
#include "fg-render/reading/times.h"

#define FEW 8 /* columns; with fewer of 1 s, a column is 100 ms, and so on */
#define MANY 3000 /* with more columns, a column is 1 min, and so on */
#define CELLS 20000 /* limit of cells; with more, neighbours are merged */

bool
times_parse(struct str mark, uint64_t *at)
{
	/* a value counts billionths, as ns do */
	static const struct {
		const char *end;
		uint64_t part; /* units per second */
	} unit[] = {{" s", 1}, {" ms", 1000}, {" us", 1000000}, {" ns", 1000000000}};
	value v;

	for (size_t i = 0; i < sizeof unit / sizeof unit[0]; i++)
		if (text_ends(mark.s, mark.len, unit[i].end)) {
			const char *end = mark.s + mark.len - strlen(unit[i].end);

			if (value_parse(mark.s, end, &v) == VALUE_BAD)
				return false;
			v /= unit[i].part;
			*at = (uint64_t)v;
			return v <= UINT64_MAX / 2;
		}
	return false;
}

void
times_add(struct times *t, struct time_sample s)
{
	vec_fit(t->sample, t->cap, t->n + 1);
	t->sample[t->n++] = s;
}

static int
compare_times(const void *a, const void *b)
{
	const struct time_sample *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Sorts samples by time. One input is in order already; several inputs start over. */
void
times_sort(struct times *t)
{
	for (size_t i = 1; i < t->n; i++)
		if (t->sample[i].at < t->sample[i - 1].at) {
			sort_items(t->sample, t->n, sizeof *t->sample, compare_times);
			return;
		}
}

/*
 * Returns the time that a column spans, in ns: 1 s unless that gives too few or too many
 * columns.
 */
static uint64_t
across(uint64_t first, uint64_t last, uint64_t step)
{
	uint64_t column = SECOND_NS, length = last - first + step;

	while (length / column < FEW && column > 1000 && column / 10 >= step)
		column /= 10;
	while (length / column > MANY)
		column *= column == SECOND_NS || column == 60 * SECOND_NS ? 60 : 10;
	return column > step ? column : step;
}

void
times_finish(struct times *t)
{
	uint64_t first = UINT64_MAX, last = 0, length;

	if (t->n == 0)
		cli_die(
		    "--heatmap needs time marks in the input (`# time:'): use --time-order=10ms "
		    "of fg-record or fg-collapse");
	if (t->lost > 0)
		cli_note("%ju %s no time: in the graph, but not in the heatmap strip",
		    (uintmax_t)t->lost, text_form(t->lost, "stack has", "stacks have"));
	for (size_t i = 0; i < t->n; i++) {
		first = t->sample[i].at < first ? t->sample[i].at : first;
		last = t->sample[i].at > last ? t->sample[i].at : last;
	}
	for (size_t i = 0; i < t->n; i++)
		t->step = (uint64_t)scale_divisor(t->step, t->sample[i].at);
	if (t->step == 0)
		t->step = SECOND_NS; /* all samples are at 0 */
	t->across = across(first, last, t->step);
	t->start = first / t->across * t->across;
	length = (last - t->start) / t->across + 1;
	t->columns = (uint32_t)length;
	/* merge neighbouring steps if there are too many cells */
	t->cell = t->step;
	if (t->across / t->cell * length > CELLS) {
		uint64_t rows = CELLS / length > 0 ? CELLS / length : 1;
		uint64_t steps = t->across / t->step;

		t->cell = t->step * ((steps + rows - 1) / rows);
	}
	t->rows = (uint32_t)((t->across + t->cell - 1) / t->cell);
}

/* Returns the pre-order index of each node, as the viewer numbers them. */
static uint32_t *
places(const struct calltree *tree)
{
	uint32_t *place = cli_alloc(tree->nnode, sizeof *place);
	uint32_t node = CALLTREE_ROOT, depth = 0, n = 0;

	do {
		place[node] = n++;
		node = calltree_next(tree, node, &depth);
	} while (node != CALLTREE_ROOT);
	return place;
}

static int
by_time(const void *a, const void *b)
{
	const struct time_sample *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/*
 * Format, in LEB128: for each step with samples, the distance to the one before it and the
 * number of frames; for each of its frames, the pre-order distance to the one before it and
 * the self value.
 */
void
times_write(const struct picture *p, struct output *o)
{
	const struct times *t = p->times;
	struct time_sample *s;
	struct text b = {0}, frames = {0};
	uint32_t *place;
	uint64_t before = 0;
	size_t n = 0;

	if (t == NULL)
		return;
	place = places(p->tree);
	s = cli_alloc(t->n, sizeof *s);
	for (size_t i = 0; i < t->n; i++)
		s[i] = (struct time_sample){
		    .at = t->sample[i].at, .node = place[t->sample[i].node], .v = t->sample[i].v};
	sort_items(s, t->n, sizeof *s, by_time);
	for (size_t i = 1; i < t->n; i++) {
		if (by_time(&s[n], &s[i]) == 0)
			s[n].v = value_sum(s[n].v, s[i].v);
		else
			s[++n] = s[i];
	}
	n++;
	for (size_t i = 0, end; i < n; i = end) {
		uint32_t last = 0, count = 0;

		text_cut(&frames, 0);
		for (end = i; end < n && s[end].at == s[i].at; end++, count++) {
			payload_varint(&frames, s[end].node - last);
			payload_varint(&frames, columns_integer(p, s[end].v));
			last = s[end].node;
		}
		payload_varint(&b, s[i].at / t->step - before);
		payload_varint(&b, count);
		text_str(&b, text_as_str(&frames));
		before = s[i].at / t->step;
	}
	payload_write(o, "times", &b);
	text_free(&b);
	text_free(&frames);
	free(place);
	free(s);
}
