/*
 * layout: where the versions of OpenTelemetry's profiles have what: with tables in each
 * profile (before 1.6), with a dictionary for the message and stacks as pieces of a
 * profile's locations (to 1.8), with stacks in the dictionary (1.9), and with a sample's
 * fields in another order (1.10). No version is written down, so it is told from the
 * kinds of fields.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "fg-collapse/shape/protobuf.h"

/* Fields of the message, of a resource's profiles and of a scope's; then a profile's, of versions.
 */
enum { RESOURCES = 1, DICTIONARY = 2 };
enum { RESOURCE = 1, INNER = 2 };
enum { SAMPLE_TYPE = 1, SAMPLE = 2 };

struct layout {
	bool dictionary; /* with the tables of all profiles */
	bool pieces; /* a stack is a piece of a profile's locations */
	unsigned start, length, stack, values, attributes, times; /* of a sample; 0: it has none */
};

/* That of a message. */
const struct layout *layout_find(struct str bytes);

/* Which table a field of the dictionary, or of a profile with its own, is an element of. */
enum layout_table { NO_TABLE, MAPPINGS, LOCATIONS, FUNCTIONS, STRINGS, ATTRIBUTES, STACKS };
enum layout_table layout_table_of(bool dictionary, uint32_t field);

/* Call for all profiles of a resource, and for what it is where of_resource is not NULL. */
typedef void layout_visit(
    void *context, const struct protobuf *outer, const struct protobuf_field *f);
void layout_each_profile(const struct protobuf *outer, const struct protobuf_field *resource,
    layout_visit *of_profile, layout_visit *of_resource, void *context);

#endif
