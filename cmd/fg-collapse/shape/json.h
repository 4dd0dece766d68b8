/*
 * json: streaming JSON reader: the file is never completely in memory. A short queue holds
 * yajl's events, and a reader requests the values that it expects:
 *
 *	if (json_object(j))
 *		while (json_key(j, &key))
 *			if (str_is(key, "nodes"))
 *				read_nodes(j);
 *			else
 *				json_skip(j);
 *
 * Each value has to be taken or skipped. A value of another type than requested is
 * skipped, and the function returns false; unless it is null, it is a malformed unit.
 * Malformed JSON is reported once with its offset and ends all objects and arrays: values
 * read before stay valid. Keys can have any order; duplicate keys are all returned.
 */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/value.h"
#include "fg-collapse/reader.h"

#define JSON_DEPTH 100000 /* nesting limit; deeper JSON is malformed */

/* Private: yajl's events of a piece of the input, accessed inline for speed. */
struct json {
	const struct json_event {
		const char *s; /* its string, followed by 8 readable bytes */
		uint32_t len;
		uint16_t end; /* offset of its end in the piece */
		uint8_t kind; /* enum json_kind */
	} * next, *end; /* the current event, and after the last */
};
bool json_more(struct json *j); /* advances to the next piece with events; false at the end */

/* Opens an unread input. Prints an error and exits with 2 if built without yajl. */
struct json *json_open(struct reader *r);
void json_close(struct json *j);

/*
 * Begins an input with stacks in that order, opens it, calls `read` for each document in it (joined
 * files have several) and closes it: the reader of a format with a function `document`.
 */
void json_each(
    struct reader *r, enum sample_order order, void (*read)(struct reader *r, struct json *j));

/*
 * The input is text that contains one document, directly after one of n strings; the text before
 * and after the document is skipped. Call it before any value is read.
 */
void json_within(struct json *j, const char *const *before, size_t n);

/* Accepts the end of the input within the outermost array, because interrupted traces end so. */
void json_open_ended(struct json *j);

enum json_kind {
	JSON_NOTHING, /* the end of the input or of its valid part */
	JSON_NULL,
	JSON_BOOLEAN,
	JSON_NUMBER,
	JSON_STRING,
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_KEY, /* this and the next are internal */
	JSON_END, /* end of an object or array */
};

/* Type of the current value. JSON_NOTHING after the last document; an input may have several. */
static inline enum json_kind
json_kind(struct json *j)
{
	return j->next < j->end || json_more(j) ? (enum json_kind)j->next->kind : JSON_NOTHING;
}

void json_skip(struct json *j);
/* Skips a value of another type than requested: reports it as malformed, unless it is null. */
void json_odd(struct json *j);
/* Skips a value and adds all of it to a digest. */
void json_digest(struct json *j, uint64_t *digest);

/* Enters an object. json_key returns its next key, valid until the next call; false at its end. */
bool json_object(struct json *j);
static inline bool
json_key(struct json *j, struct str *key)
{
	const struct json_event *e;

	if (json_kind(j) == JSON_NOTHING)
		return false;
	e = j->next++;
	*key = (struct str){e->s, e->len};
	return e->kind == JSON_KEY;
}

/* Enters an array. json_item is true if there is another value, false at its end. */
bool json_array(struct json *j);
static inline bool
json_item(struct json *j)
{
	enum json_kind kind = json_kind(j);

	j->next += kind == JSON_END;
	return kind != JSON_END && kind != JSON_NOTHING;
}

/* Takes a string, or a number as written; valid until the next call. */
static inline bool
json_text(struct json *j, struct str *s)
{
	enum json_kind kind = json_kind(j);

	if (kind != JSON_STRING && kind != JSON_NUMBER) {
		json_odd(j);
		return false;
	}
	*s = (struct str){j->next->s, j->next->len};
	j->next++;
	return true;
}
void json_keep(struct json *j, struct text *t); /* replaces t; "" if the value is not a string */

/* Numbers, possibly in quotes, as 64-bit numbers often are. Never -0, as which a number that is
 * absent can be marked. */
struct json_number {
	value v;
	bool negative;
};
#define JSON_NO_NUMBER ((struct json_number){0, true})

static inline bool
json_is_number(struct json_number n)
{
	return n.v != 0 || !n.negative;
}
bool json_number(struct json *j, struct json_number *n);
bool json_value(struct json *j, value *v); /* for numbers of 0 or more */
/* Parses 1 to 8 digits at once, reading 8 bytes; false if another character is among them. */
static inline bool
json_eight(const char *s, size_t len, uint64_t *n)
{
	uint64_t x;

	memcpy(&x, s, sizeof x);
	x = (le64toh(x) ^ UINT64_C(0x3030303030303030)) << (64 - 8 * len);
	if (((x + UINT64_C(0x7676767676767676)) | x) & UINT64_C(0x8080808080808080))
		return false;
	x = x * 10 + (x >> 8); /* pairs of digits, then groups of four, then all eight */
	x = (x & UINT64_C(0xff00ff00ff00ff)) * 100 + (x >> 16 & UINT64_C(0xff00ff00ff00ff));
	x = (x & UINT64_C(0xffff0000ffff)) * 10000 + (x >> 32 & UINT64_C(0xffff0000ffff));
	*n = x & UINT64_C(0xffffffff);
	return true;
}

/* Takes a number only if it is 1 to 16 digits. */
static inline bool
json_digits(struct json *j, uint64_t *n)
{
	const struct json_event *e;
	uint64_t high = 0, low;
	size_t first;

	if (json_kind(j) != JSON_NUMBER || j->next->len > 16)
		return false;
	e = j->next;
	first = e->len > 8 ? e->len - 8 : 0;
	if ((first > 0 && !json_eight(e->s, first, &high)) ||
	    !json_eight(e->s + first, e->len - first, &low))
		return false;
	j->next++;
	*n = high * 100000000 + low;
	return true;
}
bool json_whole(struct json *j, uint64_t *n); /* 0 to 2^64 - 1 */
bool json_index(struct json *j, uint32_t *n); /* 0 to 2^32 - 2 */

/* Takes the version of the file (reader_version). */
void json_version(struct json *j, enum version v);

/* Reports the value taken last as malformed, with its offset (reader_malformed). */
void json_malformed(struct json *j, const char *why);
/* Reports n units of the values taken so far as malformed, if there are any. */
void json_broken(struct json *j, uint64_t n, const char *why);
/* Exits with 2 at the value taken last (reader_refuse). */
_Noreturn void json_refuse(struct json *j, const char *why);
/* Exits with 2 at the end of a document without a needed key, unless its JSON is malformed. */
void json_absent(struct json *j, const char *key);

#endif
