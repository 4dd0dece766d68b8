/*
 * otlp: OpenTelemetry's profiles, <https://github.com/open-telemetry/opentelemetry-proto>,
 * profiles/v1development since 1.10, as protocol buffer (otlpbuffer.c) or JSON (otlpjson.c).
 * One resource with the attributes of --resource has a profile per column. The profiles share
 * a dictionary, in which each table starts with an empty element.
 *
 * A function's system name is the whole text of its frame. Each profile has an attribute with
 * the note of profile/fgnote.
 */
#ifndef OTLP_H
#define OTLP_H

#include "fg-render/bridge/dictionary.h"

#define OTLP_SCOPE "fg-render"

/* Attributes in the dictionary, from 1: the note, and the marker of kernel locations. */
enum { OTLP_NOTE = 1, OTLP_KERNEL = 2, OTLP_ATTRIBUTES };
struct otlp_attribute {
	uint32_t key; /* a string number */
	struct text value;
};

/* An attribute of the resource. */
struct otlp_resource {
	struct text key, value;
};

struct otlp {
	struct bridge b;
	struct dictionary dictionary;
	struct otlp_attribute attribute[OTLP_ATTRIBUTES];
	struct otlp_resource *resource;
	size_t nresource;
};

/* Builds all data; exits with an error if a column's values are too large. */
void otlp_open(struct otlp *o, const struct picture *picture);
void otlp_close(struct otlp *o);

#endif
