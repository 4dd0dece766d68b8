/*
 * otlp: OpenTelemetry profiles, from JSON or protocol buffers, of old and new versions:
 * tables shared by all profiles of a message (or of one profile), stacks of locations,
 * attributes, and samples that refer to these by index. A reader adds all in the order of
 * its input; otlp_take passes the samples to the sampler once the tables are complete.
 */
#ifndef OTLP_H
#define OTLP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/text.h"
#include "fg-collapse/reader.h"
#include "fg-collapse/shape/tables.h"

#define OTLP_LOST "samples with negative values, or without one for each type"

struct otlp {
	struct reader *reader;
	struct tables tables; /* filled by the reader directly */

	/* Private. */
	struct otlp_stack {
		size_t first; /* first of its locations in .location */
		uint32_t n;
	} * stack;
	size_t nstack, capstack;
	struct otlp_attribute {
		struct text key, value;
		uint32_t key_string; /* index of a string; TABLES_NONE: use key */
	} * attribute;
	size_t nattribute, capattribute;
	struct otlp_of { /* a location has this attribute */
		uint32_t location, attribute;
	} * of;
	size_t nof, capof;
	struct otlp_profile_attribute { /* a profile has this attribute */
		uint32_t profile, attribute;
	} * profile_attribute;
	size_t nprofile_attribute, capprofile_attribute;
	struct otlp_type {
		uint32_t type, unit; /* indices of strings */
		uint32_t event;
	} * type;
	size_t ntype, captype;
	struct otlp_resource {
		struct text comm, pid;
		bool named; /* comm is a thread's name, not a program's */
		struct text group; /* root frame of --group-by */
	} * resource;
	size_t nresource, capresource;
	struct otlp_profile {
		size_t first; /* first of its types in .type */
		uint32_t ntype;
		uint32_t chosen; /* index of the default among these */
		uint32_t resource;
		uint32_t period_type, period_unit; /* indices of strings */
		uint64_t period; /* 0: unknown */
		struct otlp_stack own; /* the locations of all its samples */
	} * profile;
	size_t nprofile, capprofile;
	struct otlp_sample {
		uint32_t profile, stack; /* stack: TABLES_NONE if it is in own */
		struct otlp_stack own; /* range in the locations of the profile */
		size_t value, time, index; /* the first of each in the arrays below */
		uint32_t nvalue, ntime, nindex;
	} * sample;
	size_t nsample, capsample;
	uint32_t *location;
	size_t nlocation, caplocation;
	int64_t *value;
	size_t nvalue, capvalue;
	uint64_t *time;
	size_t ntime, captime;
	uint32_t *index; /* indices of attributes of samples */
	size_t nindex, capindex;
	struct intmap nodes; /* by root and stack: the leaf node */
	bool any; /* the default event is set */
	uint64_t lost; /* samples with values that are not those of their types */
	struct text group; /* root frame of --group-by, of the current sample */
};

void otlp_init(struct otlp *o, struct reader *r);
void otlp_free(struct otlp *o);

/* Adds an attribute: its key, or else the index of the string that is its key, and its value
 * as text. */
void otlp_attribute(struct otlp *o, struct str key, uint32_t key_string, struct str is);
/* Adds that attribute to the last location. */
void otlp_location_attribute(struct otlp *o, uint32_t attribute);

/* Adds a stack to the message, without locations; adds a location to the last stack, leaf
 * first. */
void otlp_stack(struct otlp *o);
void otlp_stack_location(struct otlp *o, uint32_t location);

/* Begins a resource, to which the following profiles belong; adds an attribute to it, now or
 * later. */
void otlp_resource(struct otlp *o);
void otlp_resource_attribute(struct otlp *o, struct str key, struct str is);

/* Begins a profile; adds one of its types; sets the index of the default type, from 0. */
void otlp_profile(struct otlp *o);
void otlp_type(struct otlp *o, uint32_t type, uint32_t unit);
void otlp_default(struct otlp *o, uint32_t type);
void otlp_profile_attribute(struct otlp *o, uint32_t attribute);
/* Sets the period of the profile, and its type and unit. */
void otlp_period(struct otlp *o, uint64_t period);
void otlp_period_type(struct otlp *o, uint32_t type, uint32_t unit);
/* Adds a location to the profile's list, of which its samples use ranges. */
void otlp_profile_location(struct otlp *o, uint32_t location);

/*
 * Adds a sample without a stack to the profile. Its values are one per type. With one type
 * there can also be one value per time, or none: then each time counts 1.
 */
void otlp_sample(struct otlp *o);
void otlp_sample_stack(struct otlp *o, uint32_t stack);
void otlp_sample_piece(struct otlp *o, uint32_t start, uint32_t length);
void otlp_sample_value(struct otlp *o, int64_t v);
void otlp_sample_time(struct otlp *o, uint64_t ns);
void otlp_sample_attribute(struct otlp *o, uint32_t attribute);

/*
 * Ends the message, or a profile with its own tables: passes all samples to the sampler
 * and clears everything but the resource.
 */
void otlp_take(struct otlp *o);

#endif
