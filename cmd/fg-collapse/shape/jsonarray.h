/*
 * jsonarray: compact storage for the JSON arrays that a profile uses as tables: indices,
 * numbers, strings. All zero is an empty array; elements beyond the end read as empty.
 */
#ifndef JSONARRAY_H
#define JSONARRAY_H

#include "fg-collapse/shape/json.h"

/* Arrays of indices: null and -1 are JSON_NO_INDEX, any other value is JSON_BAD_INDEX. */
#define JSON_NO_INDEX UINT32_MAX
#define JSON_BAD_INDEX (UINT32_MAX - 1)
struct json_indices {
	uint32_t *at;
	size_t n, cap;
};
void json_indices(struct json *j, struct json_indices *x); /* appends a JSON array */
void json_indices_add(struct json_indices *x, uint32_t n);
uint32_t json_index_of(struct json_number n);
void json_indices_free(struct json_indices *x);
/* Element i, or JSON_NO_INDEX beyond the end. */
static inline uint32_t
json_index_at(const struct json_indices *x, size_t i)
{
	return i < x->n ? x->at[i] : JSON_NO_INDEX;
}

/* Arrays of numbers, 8 bytes each; any other value is 0. */
struct json_numbers {
	uint64_t *cell;
	size_t n, cap;
	value *wide; /* numbers that do not fit into a cell */
	size_t nwide, capwide;
};
void json_numbers(struct json *j, struct json_numbers *x);
void json_numbers_add(struct json_numbers *x, struct json_number n);
void json_numbers_set(
    struct json_numbers *x, size_t i, struct json_number n); /* replaces element i */
struct json_number json_numbers_at(const struct json_numbers *x, size_t i); /* 0 beyond the end */
/* Element i without its fraction, UINT64_MAX if it is negative; or in thousandths as from json_us.
 */
static inline uint64_t json_numbers_whole(const struct json_numbers *x, size_t i);
static inline int64_t json_numbers_us(const struct json_numbers *x, size_t i);
bool json_numbers_negative(const struct json_numbers *x); /* true if any is negative */
void json_numbers_free(struct json_numbers *x);

/* Arrays of strings. */
struct json_strings {
	struct text text;
	size_t *end; /* end offset of each string in text */
	size_t n, cap;
};
void json_strings(struct json *j, struct json_strings *x);
void json_strings_add(struct json_strings *x, struct str s);
struct str json_string_at(const struct json_strings *x, size_t i); /* "" beyond the end */
void json_strings_free(struct json_strings *x);

/* Converts n units of `unit` ns to ns; SAMPLE_NO_TIME if negative or out of range. */
uint64_t json_ns(struct json_number n, uint64_t unit);
/* Converts us to ns; 0 if further than 146 years from 0. */
int64_t json_us(struct json_number n);

/* Private: a cell's sign, its encoding, and an integer, a number of billionths, or an index in
 * wide. */
#define JSON_NEGATIVE (UINT64_C(1) << 63)
#define JSON_HELD (UINT64_C(3) << 61)
#define JSON_WHOLE (UINT64_C(0) << 61)
#define JSON_CELL_MAX ((UINT64_C(1) << 61) - 1)

static inline uint64_t
json_numbers_whole(const struct json_numbers *x, size_t i)
{
	uint64_t cell = i < x->n ? x->cell[i] : 0;

	if ((cell & JSON_NEGATIVE) != 0)
		return UINT64_MAX;
	if ((cell & JSON_HELD) == JSON_WHOLE)
		return cell & JSON_CELL_MAX;
	return (uint64_t)(json_numbers_at(x, i).v / VALUE_ONE);
}

static inline int64_t
json_numbers_us(const struct json_numbers *x, size_t i)
{
	uint64_t cell = i < x->n ? x->cell[i] : 0, held = cell & JSON_CELL_MAX;

	if ((cell & JSON_HELD) == JSON_WHOLE && held < INT64_MAX / 2000)
		return cell & JSON_NEGATIVE ? -(int64_t)held * 1000 : (int64_t)held * 1000;
	return json_us(json_numbers_at(x, i));
}

#endif
