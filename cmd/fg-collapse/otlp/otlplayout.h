/*
 * otlplayout: field layouts of the versions of OpenTelemetry profiles: tables in each profile
 * (before 1.6), a dictionary per message and stacks as ranges of a profile's locations (to
 * 1.8), stacks in the dictionary (1.9), sample fields in another order (1.10). A message
 * does not state its version; it is inferred from the kinds of fields.
 */
#ifndef OTLPLAYOUT_H
#define OTLPLAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "fg-collapse/shape/protobuf.h"

/* Field numbers of the message, of a resource's profiles and of a scope's; then those of a
 * profile by version. */
enum { RESOURCES = 1, DICTIONARY = 2 };
enum { RESOURCE = 1, INNER = 2 };
enum { SAMPLE_TYPE = 1, SAMPLE = 2 };

struct otlplayout {
	bool dictionary; /* the message has a dictionary with the tables of all profiles */
	bool pieces; /* a stack is a range of its profile's locations */
	unsigned start, length, stack, values, attributes, times; /* in a sample; 0: absent */
};

/* Layout of a message. */
const struct otlplayout *otlplayout_find(struct str bytes);

/* The table to which an element in this field of the dictionary, or of a profile with its own
 * tables, belongs. */
enum otlplayout_table { NO_TABLE, MAPPINGS, LOCATIONS, FUNCTIONS, STRINGS, ATTRIBUTES, STACKS };
enum otlplayout_table otlplayout_table_of(bool dictionary, uint32_t field);

/* Callback for each profile of a resource, and for the resource itself if of_resource is not
 * NULL. */
typedef void otlplayout_visit(
    void *context, const struct protobuf *outer, const struct protobuf_field *f);
void otlplayout_each_profile(const struct protobuf *outer, const struct protobuf_field *resource,
    otlplayout_visit *of_profile, otlplayout_visit *of_resource, void *context);

#endif
