/*
 * otlp: what its two writers say.
 */
#include "fg-render/bridge/otlp.h"

#include <stdlib.h>

#include "base/cli.h"

/* key=value, as main has seen to it. */
static void
read_resource(struct otlp_resource *r, const char *s)
{
	const char *equals = strchr(s, '=');

	text_show(&r->key, (struct str){s, (size_t)(equals - s)});
	text_puts(&r->value, "");
	text_show(&r->value, str_of(equals + 1));
}

void
otlp_open(struct otlp *o, const struct picture *picture)
{
	const struct options *options = picture->options;

	*o = (struct otlp){.nresource = options->nresource};
	bridge_open(&o->b, picture);
	dictionary_open(&o->dictionary, &o->b);
	for (unsigned k = 0; k < o->b.carried.columns.n; k++)
		bridge_limit(&o->b, k, INT64_MAX, "2^63, which OpenTelemetry's numbers hold");
	o->attribute[OTLP_NOTE].key = dictionary_string(&o->dictionary, str_of(FGNOTE_KEY));
	fgnote_note(&o->attribute[OTLP_NOTE].value, &o->b.carried);
	o->attribute[OTLP_KERNEL].key =
	    dictionary_string(&o->dictionary, str_of("profile.frame.type"));
	text_puts(&o->attribute[OTLP_KERNEL].value, "kernel");
	o->resource = cli_alloc(o->nresource + 1, sizeof *o->resource);
	for (size_t i = 0; i < o->nresource; i++)
		read_resource(&o->resource[i], options->resource[i]);
}

void
otlp_close(struct otlp *o)
{
	for (unsigned i = 1; i < OTLP_ATTRIBUTES; i++)
		text_free(&o->attribute[i].value);
	for (size_t i = 0; i < o->nresource; i++) {
		text_free(&o->resource[i].key);
		text_free(&o->resource[i].value);
	}
	free(o->resource);
	dictionary_close(&o->dictionary);
	bridge_close(&o->b);
}
