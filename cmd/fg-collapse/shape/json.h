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

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/value.h"
#include "fg-collapse/reader.h"

#define JSON_DEPTH 100000 /* of objects and arrays in each other; more is malformed */

/* Private: what yajl said of a piece of the input, looked at in line since it is so much. */
struct json {
	const struct json_event {
		const char *s; /* its text, behind which 8 bytes can be read */
		uint32_t len;
		uint16_t end; /* where it ends in the piece */
		uint8_t kind; /* enum json_kind */
	} * next, *end; /* at hand, and behind the last */
};
bool json_more(struct json *j); /* the next piece that has some; false when there is none */

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
static inline enum json_kind
json_kind(struct json *j)
{
	return j->next < j->end || json_more(j) ? (enum json_kind)j->next->kind : JSON_NOTHING;
}

void json_skip(struct json *j);
/* Skip it, and add all that is in it to a digest. */
void json_digest(struct json *j, uint64_t *digest);

/* Go into an object; its next key, which stays until the next call, false at its end. */
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

/* Go into an array; whether there is another value, false at its end. */
bool json_array(struct json *j);
static inline bool
json_item(struct json *j)
{
	enum json_kind kind = json_kind(j);

	j->next += kind == JSON_END;
	return kind != JSON_END && kind != JSON_NOTHING;
}

/* A string, or a number as it is written; it stays until the next call. */
static inline bool
json_text(struct json *j, struct str *s)
{
	enum json_kind kind = json_kind(j);

	if (kind != JSON_STRING && kind != JSON_NUMBER) {
		json_skip(j);
		return false;
	}
	*s = (struct str){j->next->s, j->next->len};
	j->next++;
	return true;
}
void json_keep(struct json *j, struct text *t); /* all that t is then; "" for what is none */

/* Numbers, also in quotes, as 64-bit numbers often are. */
struct json_number {
	value v;
	bool negative;
};
bool json_number(struct json *j, struct json_number *n);
bool json_value(struct json *j, value *v); /* not negative */
/* 1 to 8 digits at once, of which 8 bytes can be read; false where there is another character. */
static inline bool
json_eight(const char *s, size_t len, uint64_t *n)
{
	uint64_t x;

	memcpy(&x, s, sizeof x);
	x = (le64toh(x) ^ UINT64_C(0x3030303030303030)) << (64 - 8 * len);
	if (((x + UINT64_C(0x7676767676767676)) | x) & UINT64_C(0x8080808080808080))
		return false;
	x = x * 10 + (x >> 8); /* twos in every other byte, then fours, then all */
	x = (x & UINT64_C(0xff00ff00ff00ff)) * 100 + (x >> 16 & UINT64_C(0xff00ff00ff00ff));
	x = (x & UINT64_C(0xffff0000ffff)) * 10000 + (x >> 32 & UINT64_C(0xffff0000ffff));
	*n = x & UINT64_C(0xffffffff);
	return true;
}

/* Takes it only where it is 1 to 16 digits. */
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

/* What was taken last is malformed: reader_malformed with its offset. */
void json_malformed(struct json *j, const char *why);

#endif
