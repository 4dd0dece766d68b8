/*
 * otlp: OpenTelemetry's profiles, <https://github.com/open-telemetry/opentelemetry-proto>,
 * profiles/v1development since 1.10, as protocol buffer (otlpbuffer.c) or JSON (otlpjson.c):
 * one resource with the attributes of --resource, in it a profile for each column, and the
 * dictionary that they share, whose tables all begin with an empty element.
 *
 * A function's system name is its frame's whole text; each profile has an attribute that
 * is the note of profile/carried.
 */
#ifndef OTLP_H
#define OTLP_H

#include "fg-render/bridge/dictionary.h"

#define OTLP_SCOPE "fg-render"

/* The attributes of the dictionary, from 1: the note, and that a location is the kernel's. */
enum { OTLP_NOTE = 1, OTLP_KERNEL = 2, OTLP_ATTRIBUTES };
struct otlp_attribute {
	uint32_t key; /* a text */
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

/* All of it is known; exits with 2 where a column's values are too large. */
void otlp_open(struct otlp *o, const struct picture *picture);
void otlp_close(struct otlp *o);

#endif
