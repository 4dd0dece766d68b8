/*
 * dictionary: the tables that pprof's and OpenTelemetry's profiles share. Strings have
 * numbers. The names of the tree are the functions, their modules the mappings; a frame
 * together with the frames inlined into it is one location. All but the strings is complete
 * after dictionary_open.
 */
#ifndef DICTIONARY_H
#define DICTIONARY_H

#include "base/hash.h"
#include "fg-render/bridge/bridge.h"

struct dictionary {
	struct bridge *b;
	struct calltree *strings; /* a tree used for its interned names only; the first is empty */
	/*
	 * module: by mapping, from 1: number of its name. mapping: by function: its mapping;
	 * 0: none.
	 */
	uint32_t *module, *mapping;
	uint32_t nmodule, capmodule;
	/* From 1: the name of a frame, and the location that it is inlined into; 0: none. */
	struct dictionary_location {
		uint32_t outer, name;
		uint32_t number; /* final number, same order; 0: only the outer part of others */
	} * location;
	uint32_t nlocation;

	/* Private: */
	uint32_t caplocation;
	struct hash_index locations;
	uint32_t *of; /* by node: location that ends there; later its final number */
	uint32_t *alone; /* by name: the location that is not inlined; 0: none yet */
	bool *inlined; /* by name */
	bool any_inlined;
	value sum[CALLTREE_COLUMNS]; /* of the values that were rounded so far */
	struct dictionary_path { /* the last result of dictionary_path */
		char *s; /* it is at the end of these bytes */
		size_t size;
		uint32_t *node; /* by depth, from 1 */
		size_t *len; /* by depth: bytes for the frames from there to the root */
		uint32_t depth, cap;
	} path;
};

/*
 * Builds the dictionary. Sets carried.digits too; times keep all decimals down to a unit that
 * pprof knows.
 */
void dictionary_open(struct dictionary *d, struct bridge *b);
/*
 * Reduces carried.digits of column k to those whose unit has a name in pprof; returns whether
 * values are rounded by that, which dictionary_rounded then writes.
 */
bool dictionary_round(struct dictionary *d, unsigned k);
void dictionary_close(struct dictionary *d);

/* Returns the number of a string. */
uint32_t dictionary_string(struct dictionary *d, struct str s);

/*
 * String numbers of a function's name and its source file, and of its frame's exact text for
 * profile/fgnote.
 */
struct dictionary_function {
	uint32_t name, file, exact;
};
struct dictionary_function dictionary_function(struct dictionary *d, uint32_t name);

/* Name and unit of a column's values; and its sampling period, if that is known and an integer. */
struct dictionary_type {
	uint32_t name, unit;
};
struct dictionary_type dictionary_type(struct dictionary *d, unsigned k);
bool dictionary_period(
    struct dictionary *d, unsigned k, struct dictionary_type *type, int64_t *period);

/*
 * Returns a value of a column as an integer; call bridge_limit before, which checks that it
 * fits.
 */
int64_t dictionary_value(const struct dictionary *d, uint32_t node, unsigned k);
/*
 * Returns the integer for the next value v of a column that is rounded: the sum of any number of
 * consecutive results, and so the total of any frame, differs from the exact sum by less than 1.
 * Stores the rest for the note.
 */
int64_t dictionary_rounded(struct dictionary *d, unsigned k, value v);
void dictionary_unround(struct dictionary *d); /* before the values are written again */

#define DICTIONARY_CODE 16

/* Encodes a number in less than DICTIONARY_CODE bytes; returns how many. */
typedef size_t dictionary_code(char *to, uint32_t number);

/*
 * Returns the numbers of the locations from a node to the root, encoded, valid until the next
 * call. In a walk in pre-order, only frames that the stack before does not have are encoded.
 */
struct str dictionary_path(
    struct dictionary *d, uint32_t node, uint32_t depth, dictionary_code *code);

/* Source line of a name, 0 if unknown; true if it is a kernel frame. */
uint32_t dictionary_line(const struct dictionary *d, uint32_t name);
bool dictionary_kernel(const struct dictionary *d, uint32_t name);

#endif
