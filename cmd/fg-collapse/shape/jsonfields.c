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
	case FIELD_CALL: f->read(j, member); break;
	case FIELD_ITEMS:
		for (bool any = json_array(j); any && json_item(j);)
			f->read(j, member);
		break;
	case FIELD_ARRAY:
		*(bool *)member = json_array(j);
		while (*(bool *)member && json_item(j))
			f->read(j, to);
		break;
	case FIELD_VERSION: json_version(j, (enum version)f->member); break;
	}
}

/* True if a key is in a field's path, from the offset `at` to the end or a dot. */
static inline bool
is_key(const struct json_field *f, size_t at, struct str key)
{
	const char *part = f->path + at;

	return at + key.len <= f->len && (part[key.len] == '\0' || part[key.len] == '.') &&
	       (key.len == 0 || (part[0] == key.s[0] && memcmp(part, key.s, key.len) == 0));
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

		for (size_t k = 0, i = next; k < n && end == NULL; k++, i++) {
			i = i < n ? i : 0;
			if ((set >> i & 1) == 0 || !is_key(&field[i], at, key))
				continue;
			if (at + key.len == field[i].len)
				end = &field[i];
			else
				below |= UINT64_C(1) << i;
		}
		if (end != NULL) {
			next = (size_t)(end - field) + 1;
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

const char *
json_fields_of(struct json *j, const struct json_field *field, size_t n, void *to)
{
	const uint64_t all = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
	const uint64_t seen = read_object(j, field, n, all, 0, to);

	for (size_t i = 0; i < n; i++)
		if (field[i].needed && (seen >> i & 1) == 0)
			return field[i].path;
	return NULL;
}

void
json_document_of(struct json *j, const struct json_field *field, size_t n, void *to)
{
	const char *absent = json_fields_of(j, field, n, to);

	if (absent != NULL)
		json_absent(j, absent);
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
