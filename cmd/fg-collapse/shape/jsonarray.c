/*
 * jsonarray: a number takes one 64-bit cell.
 */
#include "fg-collapse/shape/jsonarray.h"

#include <stdlib.h>

#include "base/vec.h"
#include "sample/sampler.h"

#define BILLIONTHS (UINT64_C(1) << 61)
#define WIDE (UINT64_C(2) << 61)

void
json_indices_add(struct json_indices *x, uint32_t n)
{
	vec_fit(x->at, x->cap, x->n + 1);
	x->at[x->n++] = n;
}

void
json_indices(struct json *j, struct json_indices *x)
{
	struct json_number v;
	uint64_t n;

	for (bool any = json_array(j); any && json_item(j);)
		if (json_digits(j, &n))
			json_indices_add(x, n < JSON_BAD_INDEX ? (uint32_t)n : JSON_BAD_INDEX);
		else if (json_kind(j) == JSON_NULL) {
			json_skip(j);
			json_indices_add(x, JSON_NO_INDEX);
		} else {
			json_indices_add(x, json_number(j, &v) ? json_index_of(v) : JSON_BAD_INDEX);
		}
}

uint32_t
json_index_of(struct json_number n)
{
	if (n.negative)
		return n.v == VALUE_ONE ? JSON_NO_INDEX : JSON_BAD_INDEX;
	return n.v % VALUE_ONE == 0 && n.v / VALUE_ONE < JSON_BAD_INDEX
		   ? (uint32_t)(n.v / VALUE_ONE)
		   : JSON_BAD_INDEX;
}

void
json_indices_free(struct json_indices *x)
{
	free(x->at);
	*x = (struct json_indices){0};
}

void
json_numbers_set(struct json_numbers *x, size_t i, struct json_number n)
{
	uint64_t cell = n.negative ? JSON_NEGATIVE : 0, rest, whole = value_whole(n.v, &rest);

	if (rest == 0 && whole <= JSON_CELL_MAX) {
		cell |= JSON_WHOLE | whole;
	} else if (n.v <= JSON_CELL_MAX) {
		cell |= BILLIONTHS | (uint64_t)n.v;
	} else {
		vec_fit(x->wide, x->capwide, x->nwide + 1);
		cell |= WIDE | x->nwide;
		x->wide[x->nwide++] = n.v;
	}
	x->cell[i] = cell;
}

void
json_numbers_add(struct json_numbers *x, struct json_number n)
{
	vec_fit(x->cell, x->cap, x->n + 1);
	json_numbers_set(x, x->n++, n);
}

struct json_number
json_numbers_at(const struct json_numbers *x, size_t i)
{
	uint64_t cell = i < x->n ? x->cell[i] : 0, held = cell & JSON_CELL_MAX;

	return (struct json_number){(cell & JSON_HELD) == JSON_WHOLE   ? value_of(held)
				    : (cell & JSON_HELD) == BILLIONTHS ? (value)held
								       : x->wide[held],
	    cell & JSON_NEGATIVE};
}

void
json_numbers(struct json *j, struct json_numbers *x)
{
	struct json_number n;
	uint64_t whole;

	if (!json_array(j))
		return;
	while (json_item(j))
		if (json_digits(j, &whole)) {
			vec_fit(x->cell, x->cap, x->n + 1);
			x->cell[x->n++] = JSON_WHOLE | whole; /* 16 digits fit */
		} else {
			json_numbers_add(x, json_number(j, &n) ? n : (struct json_number){0});
		}
}

bool
json_numbers_negative(const struct json_numbers *x)
{
	uint64_t all = 0;

	for (size_t i = 0; i < x->n; i++)
		all |= x->cell[i];
	return all & JSON_NEGATIVE;
}

void
json_numbers_free(struct json_numbers *x)
{
	free(x->cell);
	free(x->wide);
	*x = (struct json_numbers){0};
}

void
json_strings_add(struct json_strings *x, struct str s)
{
	vec_fit(x->end, x->cap, x->n + 1);
	text_str(&x->text, s);
	x->end[x->n++] = x->text.len;
}

struct str
json_string_at(const struct json_strings *x, size_t i)
{
	size_t begin;

	if (i >= x->n)
		return (struct str){"", 0};
	begin = i > 0 ? x->end[i - 1] : 0;
	return (struct str){x->end[i] > begin ? x->text.s + begin : "", x->end[i] - begin};
}

void
json_strings(struct json *j, struct json_strings *x)
{
	struct str s;

	if (json_array(j))
		while (json_item(j))
			json_strings_add(x, json_text(j, &s) ? s : (struct str){"", 0});
}

void
json_strings_free(struct json_strings *x)
{
	text_free(&x->text);
	free(x->end);
	*x = (struct json_strings){0};
}

uint64_t
json_ns(struct json_number n, uint64_t unit)
{
	return n.negative && n.v != 0 ? SAMPLE_NO_TIME : sample_ns(n.v, unit);
}

int64_t
json_us(struct json_number n)
{
	uint64_t rest, whole = value_whole(n.v, &rest), ns = whole * 1000 + rest / 1000000;

	if (whole > INT64_MAX / 2000 || ns > INT64_MAX / 2)
		return 0;
	return n.negative ? -(int64_t)ns : (int64_t)ns;
}
