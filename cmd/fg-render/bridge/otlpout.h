/*
 * otlpout: OpenTelemetry's profiles, <https://github.com/open-telemetry/opentelemetry-proto>,
 * profiles/v1development since 1.10, as protocol buffer (otlpbuffer.c) or JSON (otlpjsonout.c).
 * One resource with the attributes of --resource has a profile per column. The profiles share
 * a dictionary, in which each table starts with an empty element.
 *
 * A function's system name is the whole text of its frame. Each profile has an attribute with
 * the note of profile/fgnote. Decimals are rounded as in pprof, and their rests are in the note.
 */
#ifndef OTLPOUT_H
#define OTLPOUT_H

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

struct otlpout {
	struct bridge b;
	struct dictionary dictionary;
	struct otlp_attribute attribute[OTLP_ATTRIBUTES];
	struct otlp_resource *resource;
	size_t nresource;
	bool rounds[CALLTREE_COLUMNS]; /* the column's values are rounded, with rests in the note */
	uint64_t start; /* ns since 1970 of the time 0 of the input, by its label; 0: unknown */
	/* With times in the input: its samples by node, then column, then time. */
	uint32_t *sample; /* indices in b.times->sample */
	size_t *first; /* by node * columns + column: index of the first one in sample[] */
	int64_t *value; /* of otlpout_values: */
	uint64_t *time;
	size_t most; /* length of value[] and time[] */
};

/* Builds all data; exits with an error if a column's values are too large. */
void otlpout_open(struct otlpout *o, const struct picture *picture);
void otlpout_close(struct otlpout *o);

/*
 * Sets o->value[] to the values of the stack that ends at node in column k, and with times in
 * the input o->time[] to their times in ns since 1970 (since the start of the input, if its
 * labels do not have the date). Returns their number; 1 without times. Call it once for each stack
 * and column, and again only after dictionary_unround: it stores the rests of rounded values.
 */
size_t otlpout_values(struct otlpout *o, uint32_t node, unsigned k);

/* Makes the note, after all values: it has the rests of rounded ones. */
void otlpout_write_note(struct otlpout *o);

#endif
