/*
 * report: places in, folded text out, by the options of the command line.
 */
#include "report.h"

#define NS_OF_US 1000

static unsigned
symbol_flags(const struct options *o)
{
	unsigned flags = o->no_inline ? 0 : SYMBOL_INLINE;

	switch (o->source) {
	case SOURCE_LINE: return flags | SYMBOL_LINES;
	case SOURCE_DEFINITION: return flags | SYMBOL_SOURCE;
	default: return flags;
	}
}

void
report_write(
    const struct recording *r, const struct places *p, struct output *out, struct naming *n)
{
	struct sampler *s = sampler_new(&r->options->sample);
	uint32_t event;

	sampler_input(s, r->event, SAMPLE_ROOT_FIRST);
	event = sampler_event(s, str_of(r->event), str_of("samples"));
	sampler_columns(s, NULL, &event, 1);
	if (r->options->off_cpu)
		sampler_describe(s, 0, "us", 0, NULL);
	else
		sampler_describe(s, 0, r->options->weight_period ? r->period_unit : "samples",
		    value_of(r->period), r->period_unit);
	n->flags = symbol_flags(r->options);
	n->unit = r->options->off_cpu ? NS_OF_US : 1;
	naming_add(n, p, r->modules, s);
	sampler_write(s, out);
	sampler_free(s);
}
