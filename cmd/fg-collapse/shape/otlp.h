/*
 * otlp: profiles of OpenTelemetry, from JSON or from its protocol buffer, old or new:
 * tables that all profiles of a message share (or that one has for itself), stacks of
 * locations, attributes, and samples that have numbers of these. A reader fills all in
 * the order of its input; otlp_take gives the samples to the sampler when the tables are
 * whole.
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

struct otlp {
	struct reader *reader;
	struct tables tables; /* a reader fills these itself */

	/* Private. */
	struct otlp_stack {
		size_t first; /* of its locations in .location */
		uint32_t n;
	} * stack;
	size_t nstack, capstack;
	struct otlp_attribute {
		struct text key, value;
		uint32_t key_string; /* TABLES_NONE: it is the key */
	} * attribute;
	size_t nattribute, capattribute;
	struct otlp_of { /* that a location has an attribute */
		uint32_t location, attribute;
	} * of;
	size_t nof, capof;
	struct otlp_said { /* that a profile has one */
		uint32_t profile, attribute;
	} * said;
	size_t nsaid, capsaid;
	struct otlp_type {
		uint32_t type, unit; /* strings */
		uint32_t event;
	} * type;
	size_t ntype, captype;
	struct otlp_resource {
		struct text comm, pid;
		bool named; /* comm is a thread's name */
	} * resource;
	size_t nresource, capresource;
	struct otlp_profile {
		size_t first; /* of its types */
		uint32_t ntype;
		uint32_t chosen; /* of these, the default */
		uint32_t resource;
		uint32_t period_type, period_unit; /* strings */
		uint64_t period; /* 0: not said */
		struct otlp_stack own; /* all locations of its samples */
	} * profile;
	size_t nprofile, capprofile;
	struct otlp_sample {
		uint32_t profile, stack; /* stack: TABLES_NONE for one of its own */
		struct otlp_stack own; /* in those of the profile */
		size_t value, time, index; /* the first of each */
		uint32_t nvalue, ntime, nindex;
	} * sample;
	size_t nsample, capsample;
	uint32_t *location;
	size_t nlocation, caplocation;
	int64_t *value;
	size_t nvalue, capvalue;
	uint64_t *time;
	size_t ntime, captime;
	uint32_t *index; /* of attributes */
	size_t nindex, capindex;
	struct intmap nodes; /* by root and stack: the node where the stack ends */
	bool any; /* a default was chosen */
	uint64_t lost; /* samples that have numbers of nothing */
};

void otlp_init(struct otlp *o, struct reader *r);
void otlp_free(struct otlp *o);

/* Another attribute: its key, or the number of a string that is; its value as text. */
void otlp_attribute(struct otlp *o, struct str key, uint32_t key_string, struct str is);
/* The last location has that one. */
void otlp_location_attribute(struct otlp *o, uint32_t attribute);

/* Another stack of the message, without locations; another one of it, the leaf first. */
void otlp_stack(struct otlp *o);
void otlp_stack_location(struct otlp *o, uint32_t location);

/* The profiles that follow are of another resource; an attribute of it, now or later. */
void otlp_resource(struct otlp *o);
void otlp_resource_attribute(struct otlp *o, struct str key, struct str is);

/* Another profile; what it measured, and which of these is the default, from 0 on. */
void otlp_profile(struct otlp *o);
void otlp_type(struct otlp *o, uint32_t type, uint32_t unit);
void otlp_default(struct otlp *o, uint32_t type);
void otlp_profile_attribute(struct otlp *o, uint32_t attribute);
/* How much lies between two samples, and of what. */
void otlp_period(struct otlp *o, uint64_t period);
void otlp_period_type(struct otlp *o, uint32_t type, uint32_t unit);
/* A location of those that its samples have pieces of. */
void otlp_profile_location(struct otlp *o, uint32_t location);

/*
 * Another sample of that profile, without a stack. Its values are one for each type, or,
 * where there is one type, one for each time, or none: then each time counts 1.
 */
void otlp_sample(struct otlp *o);
void otlp_sample_stack(struct otlp *o, uint32_t stack);
void otlp_sample_piece(struct otlp *o, uint32_t start, uint32_t length);
void otlp_sample_value(struct otlp *o, int64_t v);
void otlp_sample_time(struct otlp *o, uint64_t ns);
void otlp_sample_attribute(struct otlp *o, uint32_t attribute);

/*
 * The message, or a profile with tables of its own, is over: all samples go to the
 * sampler, and all but the resource is forgotten.
 */
void otlp_take(struct otlp *o);

#endif
