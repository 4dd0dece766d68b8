/*
 * apportion: converts function names to frames and passes the stacks of each column to the
 * sampler.
 */
#include "fg-collapse/callgrind/apportion.h"

#include <stdlib.h>

#include "base/cli.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "sample/nodes.h"
#include "sample/sample.h"

/* Name of a file or object; empty if unknown. */
static struct str
place_name(const struct nametable *t, uint32_t n)
{
	struct str s = n == NOTHING ? (struct str){0} : nametable_get(t, n);

	return str_is(s, "???") ? (struct str){0} : s;
}

/* Frame of a function. `f(int)'2` is f(int) called by f(int): the suffix stays, the arguments
 * are removed. */
static uint32_t
frame_of(const struct costs *c, uint32_t f, struct text *name)
{
	struct str s = nametable_get(&c->names[FUNCTION], f);
	struct frame frame = {0};
	size_t end = s.len;

	while (end > 0 && s.s[end - 1] >= '0' && s.s[end - 1] <= '9')
		end--;
	end = end > 1 && end < s.len && s.s[end - 1] == '\'' ? end - 1 : s.len;
	text_cut(name, 0);
	plainname_add(name, (struct str){s.s, end}, false);
	text_str(name, str_from(s, end));
	frame.function = text_as_str(name);
	frame.module = place_name(&c->names[OBJECT], c->place[f].object);
	frame.kind = frame_kind_of(frame.module);
	frame.file = place_name(&c->names[SOURCE], c->place[f].source);
	return sample_name(c->reader->sampler, &frame);
}

/* Counts the events outside the columns, for --list-events and for the note on dropped events. */
static void
count_others(const struct costs *c)
{
	static const struct sample_task nobody;
	struct sampler *s = c->reader->sampler;
	struct sample_weight w[COSTS_EVENTS];

	for (uint32_t f = 0; f < c->graph.functions; f++) {
		unsigned n = 0;

		for (unsigned e = 0; e < c->events; e++)
			if ((s->options->list || c->event[e] != c->column[0]) && c->self[e][f] > 0)
				w[n++] = (struct sample_weight){c->event[e],
				    value_of((uint64_t)c->self[e][f]) * (uint64_t)c->scale[e]};
		sample_begin_all(s, &nobody, w, n, SAMPLE_NO_TIME);
	}
}

static void
check_totals(const struct costs *c)
{
	for (unsigned e = 0; c->has_total && e < c->events; e++) {
		int64_t sum = 0;

		for (uint32_t f = 0; f < c->graph.functions; f++)
			sum += c->self[e][f];
		if (sum != c->total[e])
			cli_warn("%s: the costs add up to %lld %s, but the file states %lld: "
				 "part of the file is missing",
			    lines_name(c->reader->lines), (long long)sum,
			    c->reader->sampler->event[c->event[e]].name, (long long)c->total[e]);
	}
}

void
apportion(struct costs *c)
{
	struct sampler *s = c->reader->sampler;
	uint32_t *frame;
	struct text name = {0};

	check_totals(c);
	if (c->columns == 1)
		count_others(c);
	if (s->options->list)
		return;
	costs_finish(c);
	frame = cli_alloc((size_t)c->graph.functions + 1, sizeof *frame);
	for (uint32_t f = 0; f < c->graph.functions; f++)
		frame[f] = frame_of(c, f, &name);
	for (unsigned i = 0; i < c->columns; i++) {
		double least = callgraph_sample(&c->graph, i, s, c->column[i], frame);

		if (least > 0)
			cli_note("%s: too many different stacks: shares below %g of a function "
				 "were added to larger ones",
			    lines_name(c->reader->lines), least);
	}
	text_free(&name);
	free(frame);
}
