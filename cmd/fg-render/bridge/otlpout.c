/*
 * otlpout: data that the protobuf and the JSON encoder share.
 */
#include "fg-render/bridge/otlpout.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

/* Parses key=value; main has checked that it has a '='. */
static void
read_resource(struct otlp_resource *r, const char *s)
{
	const char *equals = strchr(s, '=');

	text_show(&r->key, (struct str){s, (size_t)(equals - s)});
	text_puts(&r->value, "");
	text_show(&r->value, str_of(equals + 1));
}

/* Adds a label as an attribute of the resource, unless --resource has that key. */
static void
add_label(struct otlpout *o, const struct label *label)
{
	struct otlp_resource *r = &o->resource[o->nresource];

	for (size_t i = 0; i < o->nresource; i++)
		if (text_is(o->resource[i].key.s, o->resource[i].key.len, label->key))
			return;
	text_show(&r->key, str_of(label->key));
	text_puts(&r->value, "");
	if (label->n == 0)
		text_char(&r->value, '*');
	for (unsigned v = 0; v < label->n; v++) {
		if (v > 0)
			text_char(&r->value, ',');
		text_show(&r->value, str_of(label->value[v]));
	}
	o->nresource++;
}

/* Sorts the samples, which are in time order, by node and column: a counting sort. */
static void
sort_times(struct otlpout *o)
{
	const struct times *times = o->b.times;
	const size_t columns = o->b.tree->columns, keys = o->b.tree->nnode * columns;
	size_t *next;

	o->first = cli_alloc(keys + 1, sizeof *o->first);
	o->sample = cli_alloc(times->n + 1, sizeof *o->sample);
	for (size_t i = 0; i < times->n; i++)
		o->first[times->sample[i].node * columns + times->sample[i].column + 1]++;
	for (size_t i = 0; i < keys; i++) {
		o->most = o->first[i + 1] > o->most ? o->first[i + 1] : o->most;
		o->first[i + 1] += o->first[i];
	}
	next = cli_alloc(keys + 1, sizeof *next);
	memcpy(next, o->first, keys * sizeof *next);
	for (size_t i = 0; i < times->n; i++) {
		const struct time_sample *s = &times->sample[i];

		o->sample[next[s->node * columns + s->column]++] = (uint32_t)i;
	}
	free(next);
}

/* The integer for v, the next value of column k; sum: of the values of this stack before it. */
static int64_t
integer_of(struct otlpout *o, unsigned k, value sum, value v)
{
	const value step = fgnote_step(&o->b.carried, k);

	/* The sum is exact even if a part has more decimals than it. */
	return o->rounds[k] ? dictionary_rounded(&o->dictionary, k, v)
			    : (int64_t)((sum + v) / step) - (int64_t)(sum / step);
}

size_t
otlpout_values(struct otlpout *o, uint32_t node, unsigned k)
{
	const size_t key = (size_t)node * o->b.tree->columns + o->b.column[k];
	value sum = 0;
	size_t n = 0;

	if (o->first == NULL) {
		o->value[0] = integer_of(o, k, 0, bridge_value(&o->b, node, k));
		return 1;
	}
	for (size_t i = o->first[key]; i < o->first[key + 1];) {
		const uint64_t at = o->b.times->sample[o->sample[i]].at;
		value v = 0;

		for (; i < o->first[key + 1] && o->b.times->sample[o->sample[i]].at == at; i++)
			v += o->b.times->sample[o->sample[i]].v;
		if (v == 0)
			continue;
		o->time[n] = o->start + at;
		o->value[n++] = integer_of(o, k, sum, v);
		sum += v;
	}
	if (n == 0 && o->first[key] < o->first[key + 1]) { /* a value of 0 */
		o->time[n] = o->start + o->b.times->sample[o->sample[o->first[key]]].at;
		o->value[n++] = integer_of(o, k, 0, 0);
	}
	return n;
}

void
otlpout_open(struct otlpout *o, const struct picture *picture)
{
	const struct options *options = picture->options;
	const struct labels *labels = picture->columns.labels;
	size_t nlabel;

	*o = (struct otlpout){.nresource = options->nresource};
	bridge_open(&o->b, picture);
	dictionary_open(&o->dictionary, &o->b);
	for (unsigned k = 0; k < o->b.carried.columns.n; k++) {
		o->rounds[k] = dictionary_round(&o->dictionary, k);
		bridge_limit(&o->b, k, INT64_MAX, "2^63, the limit of OpenTelemetry");
	}
	o->attribute[OTLP_NOTE].key = dictionary_string(&o->dictionary, str_of(FGNOTE_KEY));
	o->attribute[OTLP_KERNEL].key =
	    dictionary_string(&o->dictionary, str_of("profile.frame.type"));
	text_puts(&o->attribute[OTLP_KERNEL].value, "kernel");
	nlabel = labels != NULL ? labels->n : 0;
	o->resource = cli_alloc(o->nresource + nlabel + 1, sizeof *o->resource);
	for (size_t i = 0; i < o->nresource; i++)
		read_resource(&o->resource[i], options->resource[i]);
	for (size_t i = 0; i < nlabel; i++)
		add_label(o, &labels->label[i]);
	o->most = 1;
	if (o->b.times != NULL) {
		o->start = labels_start(labels);
		sort_times(o);
	}
	o->value = cli_alloc(o->most, sizeof *o->value);
	o->time = cli_alloc(o->most, sizeof *o->time);
}

void
otlpout_write_note(struct otlpout *o)
{
	text_cut(&o->attribute[OTLP_NOTE].value, 0);
	fgnote_note(&o->attribute[OTLP_NOTE].value, &o->b.carried);
}

void
otlpout_close(struct otlpout *o)
{
	for (unsigned i = 1; i < OTLP_ATTRIBUTES; i++)
		text_free(&o->attribute[i].value);
	for (size_t i = 0; i < o->nresource; i++) {
		text_free(&o->resource[i].key);
		text_free(&o->resource[i].value);
	}
	free(o->resource);
	free(o->sample);
	free(o->first);
	free(o->value);
	free(o->time);
	dictionary_close(&o->dictionary);
	bridge_close(&o->b);
}
