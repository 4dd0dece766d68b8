/*
 * otlp: data that the protobuf and the JSON encoder share.
 */
#include "fg-render/bridge/otlp.h"

#include <stdlib.h>

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
add_label(struct otlp *o, const struct label *label)
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

void
otlp_open(struct otlp *o, const struct picture *picture)
{
	const struct options *options = picture->options;
	const struct labels *labels = picture->columns.labels;
	size_t nlabel;

	*o = (struct otlp){.nresource = options->nresource};
	bridge_open(&o->b, picture);
	dictionary_open(&o->dictionary, &o->b);
	for (unsigned k = 0; k < o->b.carried.columns.n; k++)
		bridge_limit(&o->b, k, INT64_MAX, "2^63, the limit of OpenTelemetry");
	o->attribute[OTLP_NOTE].key = dictionary_string(&o->dictionary, str_of(FGNOTE_KEY));
	fgnote_note(&o->attribute[OTLP_NOTE].value, &o->b.carried);
	o->attribute[OTLP_KERNEL].key =
	    dictionary_string(&o->dictionary, str_of("profile.frame.type"));
	text_puts(&o->attribute[OTLP_KERNEL].value, "kernel");
	nlabel = labels != NULL ? labels->n : 0;
	o->resource = cli_alloc(o->nresource + nlabel + 1, sizeof *o->resource);
	for (size_t i = 0; i < o->nresource; i++)
		read_resource(&o->resource[i], options->resource[i]);
	for (size_t i = 0; i < nlabel; i++)
		add_label(o, &labels->label[i]);
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
