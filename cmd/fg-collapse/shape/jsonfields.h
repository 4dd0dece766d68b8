/*
 * jsonfields: reads the objects of a JSON format by a table: the path of keys of each value, its
 * type, and the member of a struct that it is stored in. All other values are skipped.
 *
 *	static const struct json_field thread[] = {
 *	    JSON_FIELD("name", TEXT, struct dump, name),
 *	    JSON_FIELD("owner.id", WHOLE, struct dump, owner),
 *	    JSON_EACH("frames", read_frame),
 *	};
 *
 *	json_fields(j, thread, &dump);
 *
 * A value that is absent or of another type leaves its member unchanged.
 */
#ifndef JSONFIELDS_H
#define JSONFIELDS_H

#include <stddef.h>

#include "fg-collapse/shape/jsonarray.h"

struct json_field {
	const char *path; /* keys separated by dots */
	size_t len; /* of path */
	enum json_field_type {
		FIELD_TEXT, /* struct text: a string, or a number as written */
		FIELD_INDEX, /* uint32_t */
		FIELD_REFERENCE, /* uint32_t; JSON_NO_INDEX if the value is not an index */
		FIELD_WHOLE, /* uint64_t */
		FIELD_DECIMAL, /* struct json_number */
		FIELD_TRUE, /* bool */
		FIELD_INDICES, /* struct json_indices, appended */
		FIELD_NUMBERS, /* struct json_numbers, appended */
		FIELD_STRINGS, /* struct json_strings, appended */
		FIELD_CALL, /* read is called for the value and the member */
		FIELD_ITEMS, /* for each item of an array, and the member */
		FIELD_ARRAY, /* bool, true for an array: read is called for each item and `to` */
		FIELD_VERSION, /* of the file: json_version is called */
	} type;
	size_t member; /* offset of the member; enum version of FIELD_VERSION */
	void (*read)(struct json *j, void *to); /* takes the value; to: the member */
	bool needed; /* an object without it is not complete */
};

#define JSON_ROW(path, type, member, read, needed)                                 \
	{                                                                          \
		(path), sizeof(path) - 1, FIELD_##type, (member), (read), (needed) \
	}
#define JSON_FIELD(path, type, in, member) JSON_ROW(path, type, offsetof(in, member), NULL, false)
#define JSON_EACH(path, read) JSON_ROW(path, ITEMS, 0, read, false)
#define JSON_READ(path, read) JSON_ROW(path, CALL, 0, read, false)
/* JSON_EACH. The member, a bool, becomes true for an array, also for an empty one. */
#define JSON_ARRAY_FIELD(path, read, in, member) \
	JSON_ROW(path, ARRAY, offsetof(in, member), read, false)
/* `to` is a member of the struct. */
#define JSON_EACH_INTO(path, read, in, member) \
	JSON_ROW(path, ITEMS, offsetof(in, member), read, false)
#define JSON_READ_INTO(path, read, in, member) \
	JSON_ROW(path, CALL, offsetof(in, member), read, false)
#define JSON_VERSION(path, id) JSON_ROW(path, VERSION, VERSION_##id, NULL, false)
/* Fields that an object needs. */
#define JSON_NEEDED_FIELD(path, type, in, member) \
	JSON_ROW(path, type, offsetof(in, member), NULL, true)
#define JSON_NEEDED_EACH(path, read) JSON_ROW(path, ITEMS, 0, read, true)
#define JSON_NEEDED_READ(path, read) JSON_ROW(path, CALL, 0, read, true)
#define JSON_NEEDED_READ_INTO(path, read, in, member) \
	JSON_ROW(path, CALL, offsetof(in, member), read, true)

/*
 * Reads an object by a table of at most 64 fields into the struct `to`. Returns the path of the
 * first needed field that it does not have, or NULL.
 */
#define json_fields(j, table, to) \
	json_fields_of((j), (table), sizeof(table) / sizeof((table)[0]), (to))
const char *json_fields_of(struct json *j, const struct json_field *field, size_t n, void *to);

/* json_fields for a document. Exits with 2 if a needed field is absent, and the JSON well-formed.
 */
#define json_document(j, table, to) \
	json_document_of((j), (table), sizeof(table) / sizeof((table)[0]), (to))
void json_document_of(struct json *j, const struct json_field *field, size_t n, void *to);

/* Frees the members of `to` that own memory: FIELD_TEXT, INDICES, NUMBERS, STRINGS. */
#define json_fields_free(table, to) \
	json_fields_free_of((table), sizeof(table) / sizeof((table)[0]), (to))
void json_fields_free_of(const struct json_field *field, size_t n, void *to);

#endif
