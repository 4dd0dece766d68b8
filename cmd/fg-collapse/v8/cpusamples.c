/*
 * cpusamples: sorts the samples by time first, because V8 writes some late. A sample lasts
 * until the next one. The last lasts until the profile's end, but not longer than any other one
 * does; if the end is unknown, as long as the one before it.
 */
#include "fg-collapse/v8/cpusamples.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-collapse/shape/jsonfields.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

struct moment {
	int64_t time; /* ns */
	uint32_t node;
};

static const struct json_field fields[] = {
    JSON_EACH_INTO("nodes", v8_tree, struct cpusamples, tree),
    JSON_READ_INTO("head", v8_tree, struct cpusamples, tree),
    JSON_FIELD("samples", NUMBERS, struct cpusamples, ids),
    JSON_FIELD("timeDeltas", NUMBERS, struct cpusamples, deltas),
    JSON_FIELD("timestamps", NUMBERS, struct cpusamples, stamps),
    JSON_FIELD("startTime", DECIMAL, struct cpusamples, start),
    JSON_FIELD("endTime", DECIMAL, struct cpusamples, end),
};

void
cpusamples_init(struct cpusamples *c, struct reader *r)
{
	*c = (struct cpusamples){.reader = r};
	v8_init(&c->tree, r->sampler);
}

void
cpusamples_free(struct cpusamples *c)
{
	v8_free(&c->tree);
	json_fields_free(fields, c);
}

void
cpusamples_read(struct json *j, struct cpusamples *c)
{
	json_fields(j, fields, c);
}

static int
compare(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

static void
append(struct json_numbers *to, struct json_numbers *from)
{
	for (size_t i = 0; i < from->n; i++)
		json_numbers_add(to, json_numbers_at(from, i));
	from->n = from->nwide = 0;
}

void
cpusamples_append(struct cpusamples *c, struct cpusamples *piece)
{
	static const struct json_number zero;

	v8_append(&c->tree, &piece->tree);
	append(&c->ids, &piece->ids);
	append(&c->deltas, &piece->deltas);
	append(&c->stamps, &piece->stamps);
	if (piece->start.v > 0)
		c->start = piece->start;
	if (piece->end.v > 0)
		c->end = piece->end;
	piece->start = piece->end = zero;
}

/* Time and node of the i-th sample. before: time of the previous one, ns. Taken from `ordered`
 * if that is not NULL. */
static struct moment
moment_at(const struct cpusamples *c, const struct moment *ordered, size_t i, int64_t before)
{
	struct moment m = {.time = before};

	if (ordered != NULL)
		return ordered[i];
	m.node = v8_node(&c->tree, json_numbers_whole(&c->ids, i));
	if (i < c->stamps.n)
		m.time = json_numbers_us(&c->stamps, i);
	else if (__builtin_add_overflow(before, json_numbers_us(&c->deltas, i), &m.time))
		m.time = before;
	return m;
}

/* Returns all samples sorted by time, or NULL if they are in order already, as in nearly all
 * profiles. */
static struct moment *
in_order(const struct cpusamples *c, int64_t start)
{
	struct moment *m;
	bool ordered = true;

	if (c->stamps.n == 0 && !json_numbers_negative(&c->deltas))
		return NULL;
	m = cli_alloc(c->ids.n, sizeof *m);
	for (size_t i = 0; i < c->ids.n; i++) {
		m[i] = moment_at(c, NULL, i, i > 0 ? m[i - 1].time : start);
		ordered &= i == 0 || m[i].time >= m[i - 1].time;
	}
	if (!ordered)
		sort_items(m, c->ids.n, sizeof *m, compare);
	return m;
}

static void
pass_hits(struct cpusamples *c)
{
	uint32_t event = sampler_event(c->reader->sampler, str_of("hits"), str_of("samples"));
	const uint64_t units = sample_units(c->reader->sampler);

	sampler_values(c->reader->sampler, event, FOLDED_SAMPLED);
	if (c->ids.n == 0) {
		sampler_default(c->reader->sampler, event);
		v8_report_values(&c->tree, c->reader);
	}
	for (uint32_t i = 0; i < c->tree.tree.n; i++)
		if (c->ids.n == 0 || !prefixtable_is_broken(&c->tree.tree, i))
			prefixtable_sample(&c->tree.tree, i,
			    &(struct sample_weight){event, json_numbers_at(&c->tree.own, i).v}, 1,
			    SAMPLE_NO_TIME);
	if (c->ids.n > 0 && !sampler_has_column(c->reader->sampler, event))
		sample_units_are(c->reader->sampler, units, 0); /* the samples are the units */
}

/* ns of the last sample, if the profile ends that much later; longest: of the others, 0 for none.
 */
static int64_t
last_lasts(struct cpusamples *c, int64_t rest, int64_t longest)
{
	if (longest == 0 || rest <= longest)
		return rest;
	cli_note("%s: %lld us after the last sample were left out", lines_name(c->reader->lines),
	    (long long)(rest - longest) / 1000);
	return longest;
}

void
cpusamples_take(struct cpusamples *c, const struct sample_task *task, bool hits)
{
	bool timed = c->deltas.n > 0 || c->stamps.n > 0;
	bool ended = c->stamps.n > c->ids.n; /* one more time stamp than samples: the end */
	int64_t end = json_us(ended ? json_numbers_at(&c->stamps, c->ids.n) : c->end), last = 0,
		longest = 0;
	struct sampler *s = c->reader->sampler;
	struct sample_weight w[] = {{0, VALUE_ONE}, {0, 0}};
	int64_t start = c->stamps.n > 0 ? 0 : json_us(c->start);
	struct moment *ordered = in_order(c, start), now, next = moment_at(c, ordered, 0, start);
	const uint64_t units = sample_units(s);
	size_t nodes = c->tree.tree.n;
	bool single; /* the current sample is not only counted */
	uint64_t *count = sampler_timeless(s) ? cli_alloc(nodes + 1, sizeof *count) : NULL;

	if (timed && c->stamps.n + c->deltas.n < c->ids.n)
		cli_warn("%s: inconsistent: %zu samples have %zu times",
		    lines_name(c->reader->lines), c->ids.n, c->stamps.n + c->deltas.n);
	v8_join(&c->tree);
	prefixtable_task(&c->tree.tree, task);
	if (c->ids.n > 0) {
		w[0].event = sampler_event(s, str_of("samples"), str_of("samples"));
		w[1].event = sampler_event(s, str_of("us"), str_of("us"));
		sampler_values(s, w[0].event, FOLDED_SAMPLED);
		sampler_values(s, w[1].event, FOLDED_SAMPLED);
		sampler_default(s, w[timed ? 1 : 0].event);
	}
	for (size_t i = 0; i < c->ids.n; i++) {
		now = next;
		if (i + 1 < c->ids.n)
			next = moment_at(c, ordered, i + 1, now.time);
		else if (end > now.time)
			next.time = now.time + last_lasts(c, end - now.time, longest);
		else
			next.time = end;
		if (next.time >= now.time)
			last = next.time - now.time;
		if (last > longest)
			longest = last;
		if (timed)
			w[1].weight = (value)last * (VALUE_ONE / 1000);
		single = count == NULL || prefixtable_is_broken(&c->tree.tree, now.node);
		if (!single)
			count[now.node]++;
		prefixtable_sample(&c->tree.tree, now.node, single ? w : w + 1, single ? 2 : 1,
		    timed && now.time >= 0 ? (uint64_t)now.time : SAMPLE_NO_TIME);
	}
	for (uint32_t i = 0; count != NULL && i < nodes; i++)
		prefixtable_samples(&c->tree.tree, i, w[0].event, count[i]);
	if (sample_units(s) > units)
		sample_units_are(s, units, c->ids.n);
	free(count);
	free(ordered);
	if (hits)
		pass_hits(c);
}
