/*
 * jsonarray: a number is a cell of 64 bits: its sign, how it is held, and a whole number,
 * or billionths, or the place of a larger one.
 */
#include "fg-collapse/shape/jsonarray.h"

#include <stdlib.h>

#include "base/vec.h"
#include "profile/sample.h"

#define NEGATIVE (UINT64_C(1) << 63)
#define HELD (UINT64_C(3) << 61)
#define WHOLE (UINT64_C(0) << 61)
#define BILLIONTHS (UINT64_C(1) << 61)
#define WIDE (UINT64_C(2) << 61)
#define CELL_MOST ((UINT64_C(1) << 61) - 1)

void
json_indices_add(struct json_indices *x, uint32_t n)
{
	vec_fit(x->at, x->cap, x->n + 1);
	x->at[x->n++] = n;
}

void
json_indices(struct json *j, struct json_indices *x)
{
	uint32_t n;

	if (json_array(j))
		while (json_item(j))
			json_indices_add(x, json_index(j, &n) ? n : JSON_NO_INDEX);
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
	uint64_t cell = n.negative ? NEGATIVE : 0;

	if (n.v % VALUE_ONE == 0 && n.v / VALUE_ONE <= CELL_MOST) {
		cell |= WHOLE | (uint64_t)(n.v / VALUE_ONE);
	} else if (n.v <= CELL_MOST) {
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
	uint64_t cell = i < x->n ? x->cell[i] : 0, held = cell & CELL_MOST;

	return (struct json_number){(cell & HELD) == WHOLE	  ? value_of(held)
				    : (cell & HELD) == BILLIONTHS ? (value)held
								  : x->wide[held],
	    cell & NEGATIVE};
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
			x->cell[x->n++] = WHOLE | whole; /* below 2^60 */
		} else {
			json_numbers_add(x, json_number(j, &n) ? n : (struct json_number){0});
		}
}

uint64_t
json_numbers_whole(const struct json_numbers *x, size_t i)
{
	uint64_t cell = i < x->n ? x->cell[i] : 0;

	if ((cell & HELD) == WHOLE)
		return cell & CELL_MOST;
	return (uint64_t)(json_numbers_at(x, i).v / VALUE_ONE);
}

int64_t
json_numbers_us(const struct json_numbers *x, size_t i)
{
	uint64_t cell = i < x->n ? x->cell[i] : 0, held = cell & CELL_MOST;

	if ((cell & HELD) == WHOLE && held < INT64_MAX / 2000)
		return cell & NEGATIVE ? -(int64_t)held * 1000 : (int64_t)held * 1000;
	return json_us(json_numbers_at(x, i));
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
	if ((n.negative && n.v != 0) || n.v / VALUE_ONE >= SAMPLE_NO_TIME / unit)
		return SAMPLE_NO_TIME;
	return (uint64_t)(n.v / VALUE_ONE * unit + n.v % VALUE_ONE * unit / VALUE_ONE);
}

int64_t
json_us(struct json_number n)
{
	value ns = n.v / (VALUE_ONE / 1000);

	if (ns > INT64_MAX / 2)
		return 0;
	return n.negative ? -(int64_t)ns : (int64_t)ns;
}
