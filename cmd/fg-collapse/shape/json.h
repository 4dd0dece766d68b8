/*
 * json: JSON taken value by value as it is read, so that a file is never in memory: the
 * events of yajl wait in a short queue, and a reader asks for what it expects,
 *
 *	if (json_object(j))
 *		while (json_key(j, &key))
 *			if (str_is(key, "nodes"))
 *				read_nodes(j);
 *			else
 *				json_skip(j);
 *
 * Each value has to be taken or skipped. Where something else stands than was asked for,
 * it is skipped and the answer is false. Malformed JSON is said once with its offset and
 * is the end of all objects and arrays: what was read before stays good. Keys come in any
 * order; of equal keys each counts.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/value.h"
#include "fg-collapse/reader.h"

#define JSON_DEPTH 100000 /* of objects and arrays in each other; more is malformed */

struct json;

/* Over an input of which nothing was taken. Without yajl a message and exit 2. */
struct json *json_open(struct reader *r);
void json_close(struct json *j);

/* Open it, give it to `read` for each document, as joined files have several, and close it. */
void json_each(struct reader *r, void (*read)(struct reader *r, struct json *j));

/* The end of the input within the outermost array is no fault, as traces end that are cut off. */
void json_open_ended(struct json *j);

enum json_kind {
	JSON_NOTHING, /* the end of the input, or of what is good of it */
	JSON_NULL,
	JSON_BOOLEAN,
	JSON_NUMBER,
	JSON_STRING,
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_KEY, /* this and what follows is not given out */
	JSON_END, /* of an object or array */
};

/* What the value at hand is. JSON_NOTHING after the last of the input, which may have several. */
enum json_kind json_kind(struct json *j);
void json_skip(struct json *j);
/* Skip it, and add all that is in it to a digest. */
void json_digest(struct json *j, uint64_t *digest);

/* Go into an object; its next key, which stays until the next call, false at its end. */
bool json_object(struct json *j);
bool json_key(struct json *j, struct str *key);

/* Go into an array; whether there is another value, false at its end. */
bool json_array(struct json *j);
bool json_item(struct json *j);

/* A string, or a number as it is written; it stays until the next call. */
bool json_text(struct json *j, struct str *s);
void json_keep(struct json *j, struct text *t); /* all that t is then; "" for what is none */

/* Numbers, also in quotes, as 64-bit numbers often are. */
struct json_number {
	value v;
	bool negative;
};
bool json_number(struct json *j, struct json_number *n);
bool json_value(struct json *j, value *v); /* not negative */
bool json_digits(struct json *j, uint64_t *n); /* takes it only where it is digits below 10^18 */
bool json_whole(struct json *j, uint64_t *n); /* 0 to 2^64 - 1 */
bool json_index(struct json *j, uint32_t *n); /* 0 to 2^32 - 2 */

/* What was taken last is malformed: reader_malformed with its offset. */
void json_malformed(struct json *j, const char *why);

#endif
