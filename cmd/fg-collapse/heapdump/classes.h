/*
 * classes: the classes of a heap dump: names, types of fields, and where an instance has its
 * references. The fields of a superclass follow those of its subclass.
 */
#ifndef CLASSES_H
#define CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/text.h"
#include "fg-collapse/heapdump/objects.h"

#define CLASSES_NAME 65535 /* bytes of a name in a class file */
#define TYPE_OBJECT 2
#define TYPES 12 /* 4 to 11: boolean, char, float, double, byte, short, int, long */

/* Flags of an object's class number. */
#define OF_CLASS UINT32_C(0x80000000) /* the class object itself */
#define OF_LOCALS UINT32_C(0x40000000) /* no object: the locals of a thread of this class */
#define CLASS_NUMBER UINT32_C(0x3fffffff)

struct class
{
	uint32_t number;
	uint64_t id;
	uint64_t super; /* ID; 0: none */
	uint64_t name; /* ID of a string */
	bool dumped; /* its fields are known */
	uint8_t primitive; /* the type of the elements of an array; 0: another class */
	uint8_t *type; /* of its own fields */
	unsigned ntype, referent; /* number of them; 1 + that of Reference.referent; 0: none */
	struct object_shape static_shape;
	/* Set by classes_flatten: */
	bool flat;
	uint32_t length; /* bytes of the fields in an instance's record */
	struct object_shape shape;
	uint32_t *reference, nreference, capreference; /* offsets in that record */
};

struct classes {
	struct intmap by_id; /* number + 1 */
	struct class **class;
	size_t n, cap;
	struct intmap strings; /* ID + 1: offset in text + 1 */
	struct text text; /* u4 length, bytes */
	struct class *primitives[TYPES];
};

/* Bytes of a value in the dump; 0: unknown type. */
unsigned type_size(unsigned type, unsigned id_size);

void classes_string(struct classes *l, uint64_t id, struct str text);

/* The class of that ID; made if it is new. classes_find: NULL. Pointers stay valid. */
struct class *classes_get(struct classes *l, uint64_t id);
struct class *classes_find(const struct classes *l, uint64_t id);
struct class *classes_primitive(struct classes *l, unsigned type);

/* True if the fields of a class and its superclasses are known. */
bool classes_is_complete(const struct classes *l, const struct class *c);

/* True for the field `referent` of java.lang.ref.Reference. */
bool classes_is_referent(const struct classes *l, const struct class *c, uint64_t field);

/*
 * Finds the references in an instance of n bytes; false if its fields have another length. Soft,
 * weak and phantom references do not refer to their referent.
 */
bool classes_flatten(struct classes *l, struct class *c, uint32_t n, unsigned id_size);

/* Appends the name: "java.lang.String[]"; "[unknown]" without one. */
void classes_name(const struct classes *l, const struct class *c, struct text *to);

void classes_free(struct classes *l);

#endif
