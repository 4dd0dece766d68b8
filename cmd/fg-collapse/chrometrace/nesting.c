/*
 * nesting: begins and ends are two queues sorted by time.
 */
#include "fg-collapse/chrometrace/nesting.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"

#define LOOK 256 /* number of simultaneous ends searched for the end of the last begin */

#define STEPS 16 /* average moves per mark by insertion before mergesort takes over */

struct mark {
	int64_t time;
	const struct slice *slice;
};

static int
compare_ends(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static int
compare_begins(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;
	bool whole_x = x->slice->kind == SLICE_WHOLE, whole_y = y->slice->kind == SLICE_WHOLE;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	if (whole_x != whole_y)
		return whole_x ? 1 : -1;
	return (x->slice->lasts < y->slice->lasts) - (x->slice->lasts > y->slice->lasts);
}

/* Reverses each run of decreasing times. */
static void
turn(struct mark *m, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && m[end].time < m[end - 1].time; end++)
			continue;
		for (size_t a = i, z = end - 1; a < z; a++, z--) {
			struct mark at = m[a];

			m[a] = m[z];
			m[z] = at;
		}
	}
}

/*
 * Stable sort. Marks of a thread are nearly sorted: ends of nested spans come in
 * decreasing runs, which turn() reverses; then insertion moves each mark a few positions
 * at most. Uses mergesort if insertion needs too many moves.
 */
static void
sort(struct mark *m, size_t n, int (*compare)(const void *, const void *))
{
	size_t steps = STEPS * n;

	turn(m, n);
	for (size_t i = 1, k; i < n; i++) {
		struct mark at = m[i];

		if (m[i - 1].time < at.time)
			continue;
		for (k = i; k > 0 && steps > 0 && compare(&m[k - 1], &at) > 0; k--, steps--)
			m[k] = m[k - 1];
		m[k] = at;
		if (steps == 0) {
			sort_items(m, n, sizeof *m, compare);
			return;
		}
	}
}

static value
us_since(int64_t time, int64_t first)
{
	return time > first ? (value)((uint64_t)time - (uint64_t)first) * (VALUE_ONE / 1000) : 0;
}

static bool
same(const struct slice *a, const struct slice *b)
{
	return a->name == b->name && a->detail == b->detail;
}

/* Moves the end of the open slice to the front of the ends with that time; false if it is not
 * among them. */
static bool
find_end(struct mark *end, size_t n, const struct slice *open)
{
	size_t found = n;

	for (size_t i = 0; i < n && i < LOOK && end[i].time == end[0].time; i++) {
		if (same(end[i].slice, open)) {
			found = i;
			break;
		}
		if (found == n && (end[i].slice->name == open->name || end[i].slice->name == 0))
			found = i;
	}
	if (found == n)
		return false;
	if (found > 0) {
		struct mark first = end[0];

		end[0] = end[found];
		end[found] = first;
	}
	return true;
}

/* Ends a complete slice that is not the innermost one; false if it is not open. */
static bool
end_within(struct spans *s, const struct slice **open, const struct slice *x, value time)
{
	size_t i = s->n;

	if (x->kind != SLICE_WHOLE)
		return false;
	while (i > 0 && open[i - 1] != x)
		i--;
	if (i == 0)
		return false;
	memmove(open + i - 1, open + i, (s->n - i) * sizeof *open);
	spans_end_at(s, time, i - 1);
	return true;
}

uint64_t
nesting_take(struct spans *s, const struct sample_task *task, const struct slice *slice,
    const uint32_t *order, size_t n, int64_t first)
{
	struct mark *begin = cli_alloc(n, sizeof *begin), *end = cli_alloc(n, sizeof *end);
	const struct slice *open[NESTING_DEPTH] = {NULL};
	size_t nbegin = 0, nend = 0;
	uint64_t odd = 0;
	int64_t last = first;

	for (size_t i = 0; i < n; i++) {
		const struct slice *x = &slice[order[i]];
		int64_t ends = x->time;

		if (x->kind == SLICE_WHOLE && __builtin_add_overflow(x->time, x->lasts, &ends))
			ends = INT64_MAX;
		if (x->kind != SLICE_END)
			begin[nbegin++] = (struct mark){x->time, x};
		if (x->kind != SLICE_BEGIN)
			end[nend++] = (struct mark){ends, x};
		if (ends > last)
			last = ends;
	}
	sort(begin, nbegin, compare_begins);
	sort(end, nend, compare_ends);
	spans_thread(s, task, 0);
	for (size_t i = 0, k = 0; i < nbegin || k < nend;) {
		bool begins = k == nend || (i < nbegin && begin[i].time < end[k].time) ||
			      (i < nbegin && begin[i].time == end[k].time &&
				  same(begin[i].slice, end[k].slice));

		if (begins && s->n == NESTING_DEPTH) {
			odd++;
			i++;
		} else if (begins) {
			open[s->n] = begin[i].slice;
			spans_begin(s, us_since(begin[i].time, first), begin[i].slice->name);
			i++;
		} else if (s->n > 0 && find_end(end + k, nend - k, open[s->n - 1])) {
			spans_end(s, us_since(end[k++].time, first));
		} else {
			odd += !end_within(s, open, end[k].slice, us_since(end[k].time, first));
			k++;
		}
	}
	while (s->n > 0)
		spans_end(s, us_since(last, first));
	free(begin);
	free(end);
	return odd;
}
