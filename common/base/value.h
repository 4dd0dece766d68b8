/*
 * value: exact non-negative decimals with nine places, and sums of them, independent of their
 * order. Never floating point.
 */
#ifndef VALUE_H
#define VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A decimal in billionths: 1.5 is 1,500,000,000. Maximum 3.4e29. */
typedef unsigned __int128 value;

#define VALUE_ONE ((value)1000000000)
#define VALUE_MAX (~(value)0)
#define VALUE_CHARS 48 /* buffer size for any value as text, with NUL */

enum value_parse {
	VALUE_BAD, /* not a number, or too large */
	VALUE_EXACT, /* a plain decimal; places after the ninth are dropped */
	VALUE_ROUNDED, /* had an exponent: expanded exactly, but its producer rounded */
};

/* Parses all of [s, end): digits, `.5`, `5.`, `3e+09`. No sign, no spaces. */
enum value_parse value_parse(const char *s, const char *end, value *v);

/* Writes v as a plain decimal without trailing zeros, and a NUL; returns its length. */
size_t value_format(value v, char out[VALUE_CHARS]);

/* a + b; exits with 2 on overflow, above 3.4e29. */
static inline value value_sum(value a, value b);

/* v as a double, for drawing and percentages only. */
double value_double(value v);

_Noreturn void value_overflow(void); /* private */

static inline value
value_sum(value a, value b)
{
	value sum;

	if (__builtin_add_overflow(a, b, &sum))
		value_overflow();
	return sum;
}

/* Integer part of v, at most UINT64_MAX; *rest is the fraction, in billionths. */
static inline uint64_t
value_whole(value v, uint64_t *rest)
{
	uint64_t whole;

	/* 10^9 is 512 * 1953125: a 64-bit division takes a tenth of the time. */
	if (v >> 73 == 0)
		whole = (uint64_t)(v >> 9) / 1953125;
	else
		whole = v / VALUE_ONE < UINT64_MAX ? (uint64_t)(v / VALUE_ONE) : UINT64_MAX;
	*rest = (uint64_t)v - whole * (uint64_t)VALUE_ONE;
	return whole;
}

static inline value
value_of(uint64_t n)
{
	return (value)n * VALUE_ONE;
}

/*
 * An array of values with 8 bytes for each integer below 2^63: the cell has the value; others
 * are in `wide`, and the cell has their index, with the top bit set. An empty cell is 0; an
 * added value 0 is in `wide`, so that a stack of value 0 is still a stack.
 */
struct value_array {
	uint64_t *cell;
	size_t n, cap;
	value *wide;
	size_t nwide, capwide;
};

#define VALUE_WIDE (UINT64_C(1) << 63)

void value_array_resize(struct value_array *a, size_t n); /* new cells are empty */
void value_array_free(struct value_array *a);
void value_array_add(struct value_array *a, size_t i, value v);
value value_array_get(const struct value_array *a, size_t i);

/* Adds the integer n to cell i: the fast path for counts. */
static inline void
value_array_count(struct value_array *a, size_t i, uint64_t n)
{
	uint64_t sum = a->cell[i] + n;

	if (n != 0 && (n | a->cell[i]) < VALUE_WIDE && sum < VALUE_WIDE)
		a->cell[i] = sum;
	else
		value_array_add(a, i, value_of(n));
}

/* Adds cell k of from, if not empty, to cell i. */
static inline void
value_array_carry(struct value_array *a, size_t i, const struct value_array *from, size_t k)
{
	uint64_t cell = from->cell[k];

	if (cell == 0)
		return;
	if (cell < VALUE_WIDE)
		value_array_count(a, i, cell);
	else
		value_array_add(a, i, value_array_get(from, k));
}

/* Adds cell k to cell i and empties it. */
void value_array_move(struct value_array *a, size_t i, size_t k);

/* True if a cell is an integer. */
static inline bool
value_array_whole(const struct value_array *a, size_t i)
{
	return a->cell[i] < VALUE_WIDE || value_array_get(a, i) % VALUE_ONE == 0;
}

/* value_double(value_array_get(a, i)), without a division for integers. */
static inline double
value_array_double(const struct value_array *a, size_t i)
{
	uint64_t cell = a->cell[i];

	return cell & VALUE_WIDE ? value_double(value_array_get(a, i)) : (double)cell;
}

static inline bool
value_array_has(const struct value_array *a, size_t i)
{
	return a->cell[i] != 0;
}

#endif
