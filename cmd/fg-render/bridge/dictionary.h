/*
 * dictionary: what pprof's and OpenTelemetry's profiles have alike. Texts have numbers; the
 * tree's names are the functions, their modules the mappings; a frame and those that
 * were inlined into it are one location. All but the texts are known from the start.
 */
#ifndef DICTIONARY_H
#define DICTIONARY_H

#include "base/hash.h"
#include "fg-render/bridge/bridge.h"

struct dictionary {
	struct bridge *b;
	struct calltree *strings; /* of which it uses the names alone; the first is empty */
	/* By mapping, from 1: its text. By function: its mapping, 0 for none. */
	uint32_t *module, *mapping;
	uint32_t nmodule, capmodule;
	/* From 1: a frame's name within the location that it is inlined into, or within 0. */
	struct dictionary_location {
		uint32_t outer, name;
		uint32_t number; /* in the same order; 0: no stack has it but as another's outer */
	} * location;
	uint32_t nlocation;
	uint32_t *path; /* of dictionary_path */

	/* Private. */
	uint32_t caplocation, cappath;
	struct hash_index locations;
	uint32_t *of; /* by node: the location that ends there */
	bool *inlined; /* by name */
};

/* Settles carried.digits too: of a time all decimals down to a unit that pprof knows. */
void dictionary_open(struct dictionary *d, struct bridge *b);
void dictionary_close(struct dictionary *d);

/* The number of a text; of one as text_show has it. */
uint32_t dictionary_string(struct dictionary *d, struct str s);
uint32_t dictionary_shown(struct dictionary *d, struct str s);

/* What a function is called, where its source is, and its frame's text for profile/carried. */
struct dictionary_function {
	uint32_t name, file, exact;
};
struct dictionary_function dictionary_function(struct dictionary *d, uint32_t name);

/* What a column measures, in which unit its values are; and what a sample of it stands for, if
 * that is known and a whole number. */
struct dictionary_type {
	uint32_t name, unit;
};
struct dictionary_type dictionary_type(struct dictionary *d, unsigned k);
bool dictionary_period(
    struct dictionary *d, unsigned k, struct dictionary_type *type, int64_t *period);

/* A value of a column as a whole number; bridge_limit has seen to it that it is one. */
int64_t dictionary_value(const struct dictionary *d, uint32_t node, unsigned k);

/* The numbers of the locations from a node to the root, in d->path until the next call; how many.
 */
uint32_t dictionary_path(struct dictionary *d, uint32_t node);

/* The line of a name's source, 0 for none; whether it is the kernel's. */
uint32_t dictionary_line(const struct dictionary *d, uint32_t name);
bool dictionary_kernel(const struct dictionary *d, uint32_t name);

#endif
