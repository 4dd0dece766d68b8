/*
 * jsonfields: fields whose paths begin with the same keys are a set of bits; each key of an object
 * selects those whose next key it is.
 */
#include "fg-collapse/shape/jsonfields.h"

#include <string.h>

/* Takes a value, which a field's path leads to. */
static void
take(struct json *j, const struct json_field *f, void *to)
{
	void *member = (char *)to + f->member;
	struct str s;

	switch (f->type) {
	case FIELD_TEXT:
		text_cut(member, 0);
		if (json_text(j, &s))
			text_str(member, s);
		break;
	case FIELD_INDEX: json_index(j, member); break;
	case FIELD_REFERENCE:
		if (!json_index(j, member))
			*(uint32_t *)member = JSON_NO_INDEX;
		break;
	case FIELD_WHOLE: json_whole(j, member); break;
	case FIELD_DECIMAL: json_number(j, member); break;
	case FIELD_TRUE:
		*(bool *)member =
		    json_kind(j) == JSON_BOOLEAN && j->next->len > 0 && j->next->s[0] == 't';
		json_skip(j);
		break;
	case FIELD_INDICES: json_indices(j, member); break;
	case FIELD_NUMBERS: json_numbers(j, member); break;
	case FIELD_STRINGS: json_strings(j, member); break;
	case FIELD_CALL: f->read(j, to); break;
	case FIELD_ITEMS:
		for (bool any = json_array(j); any && json_item(j);)
			f->read(j, to);
		break;
	case FIELD_VERSION: json_version(j, (enum version)f->member); break;
	}
}

/* True if a key is in a field's path, from the offset `at`. */
static inline bool
is_key(const struct json_field *f, size_t at, struct str key)
{
	return at + key.len <= f->len && memcmp(f->path + at, key.s, key.len) == 0;
}

/* True if the key is the last one of a field's path; set: bit 0 is that of the field. */
static inline bool
is_end(const struct json_field *f, uint64_t set, size_t at, struct str key)
{
	return (set & 1) != 0 && at + key.len == f->len && is_key(f, at, key);
}

/*
 * Reads an object; at: offset in the paths of the fields in the set, of the keys to compare.
 * Returns the set of those that it has.
 */
static uint64_t
read_object(
    struct json *j, const struct json_field *field, size_t n, uint64_t set, size_t at, void *to)
{
	uint64_t seen = 0;
	struct str key;
	size_t next = 0; /* field of the next key, if they are in the order of the table */

	for (bool any = json_object(j); any && json_key(j, &key);) {
		const struct json_field *end = NULL;
		uint64_t below = 0;

		if (next < n && is_end(&field[next], set >> next, at, key)) {
			seen |= UINT64_C(1) << next;
			take(j, &field[next++], to);
			continue;
		}
		for (size_t i = 0; i < n; i++) {
			if (is_end(&field[i], set >> i, at, key)) {
				end = &field[i];
				next = i + 1;
			} else if ((set >> i & 1) && is_key(&field[i], at, key) &&
				   field[i].path[at + key.len] == '.') {
				below |= UINT64_C(1) << i;
			}
		}
		if (end != NULL) {
			seen |= UINT64_C(1) << (end - field);
			take(j, end, to);
		} else if (below != 0) {
			seen |= read_object(j, field, n, below, at + key.len + 1, to);
		} else {
			json_skip(j);
		}
	}
	return seen;
}

static uint64_t
read_fields(struct json *j, const struct json_field *field, size_t n, void *to)
{
	return read_object(j, field, n, n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX, 0, to);
}

void
json_fields_of(struct json *j, const struct json_field *field, size_t n, void *to)
{
	read_fields(j, field, n, to);
}

void
json_document_of(struct json *j, const struct json_field *field, size_t n, void *to)
{
	const uint64_t seen = read_fields(j, field, n, to);

	for (size_t i = 0; i < n; i++)
		if (field[i].needed && (seen >> i & 1) == 0)
			json_absent(j, field[i].path);
}

void
json_fields_free_of(const struct json_field *field, size_t n, void *to)
{
	for (size_t i = 0; i < n; i++) {
		void *member = (char *)to + field[i].member;

		switch (field[i].type) {
		case FIELD_TEXT: text_free(member); break;
		case FIELD_INDICES: json_indices_free(member); break;
		case FIELD_NUMBERS: json_numbers_free(member); break;
		case FIELD_STRINGS: json_strings_free(member); break;
		default: break;
		}
	}
}
