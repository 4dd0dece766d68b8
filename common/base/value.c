/*
 * value: decimals in billionths; and arrays of them, as small as 64-bit counters while values
 * are small integers.
 */
#include "base/value.h"

#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/vec.h"

/* v = v * 10 + digit; false on overflow. */
static bool
append_digit(value *v, unsigned digit)
{
	if (*v > (VALUE_MAX - digit) / 10)
		return false;
	*v = *v * 10 + digit;
	return true;
}

/* Parses the exponent at s, with a bound against overflow. */
static bool
parse_exponent(const char *s, const char *end, int *exponent)
{
	bool negative = false;
	int n = 0;

	if (s < end && (*s == '+' || *s == '-'))
		negative = *s++ == '-';
	if (s == end)
		return false;
	for (; s < end; s++) {
		if (*s < '0' || *s > '9')
			return false;
		if (n < 100000)
			n = n * 10 + (*s - '0');
	}
	*exponent = negative ? -n : n;
	return true;
}

enum value_parse
value_parse(const char *s, const char *end, value *v)
{
	enum value_parse kind = VALUE_EXACT;
	int exponent = 0, digits = 0, after_dot = 0, shift;
	bool dot = false;
	const char *mark;

	for (mark = s; mark < end; mark++)
		if (*mark >= '0' && *mark <= '9') {
			digits++;
			after_dot += dot;
		} else if (*mark == '.' && !dot) {
			dot = true;
		} else {
			break;
		}
	if (digits == 0 || mark - s > 4096)
		return VALUE_BAD;
	if (mark < end) {
		if ((*mark != 'e' && *mark != 'E') || !parse_exponent(mark + 1, end, &exponent))
			return VALUE_BAD;
		kind = VALUE_ROUNDED;
	}

	/*
	 * digits * 10^shift is the value in billionths; digits after the ninth place are
	 * dropped.
	 */
	shift = 9 + exponent - after_dot;
	if (shift < 0)
		digits += shift;
	*v = 0;
	for (; s < mark && digits > 0; s++)
		if (*s != '.') {
			if (!append_digit(v, (unsigned)(*s - '0')))
				return VALUE_BAD;
			digits--;
		}
	for (; shift > 0 && *v != 0; shift--)
		if (!append_digit(v, 0))
			return VALUE_BAD;
	return kind;
}

size_t
value_format(value v, char out[VALUE_CHARS])
{
	uint64_t fraction;
	char digits[VALUE_CHARS];
	size_t n = 0, len = 0;

	/* 128-bit division is many times slower. */
	if (v <= UINT64_MAX) {
		fraction = (uint64_t)v % (uint64_t)VALUE_ONE;
		v = (uint64_t)v / (uint64_t)VALUE_ONE;
	} else {
		fraction = (uint64_t)(v % VALUE_ONE);
		v /= VALUE_ONE;
	}
	if (v <= UINT64_MAX) {
		uint64_t small = (uint64_t)v;

		do
			digits[n++] = (char)('0' + small % 10);
		while ((small /= 10) != 0);
	} else {
		do
			digits[n++] = (char)('0' + (unsigned)(v % 10));
		while ((v /= 10) != 0);
	}
	while (n > 0)
		out[len++] = digits[--n];
	if (fraction != 0) {
		out[len++] = '.';
		for (uint64_t place = 100000000; fraction != 0; place /= 10) {
			out[len++] = (char)('0' + fraction / place);
			fraction %= place;
		}
	}
	out[len] = '\0';
	return len;
}

void
value_overflow(void)
{
	cli_die("a sum of values exceeds 3.4e29, the limit for exact sums");
}

double
value_double(value v)
{
	return (double)(v / VALUE_ONE) + (double)(v % VALUE_ONE) / 1e9;
}

void
value_array_resize(struct value_array *a, size_t n)
{
	vec_fit(a->cell, a->cap, n);
	if (n > a->n)
		memset(a->cell + a->n, 0, (n - a->n) * sizeof *a->cell);
	a->n = n;
}

void
value_array_free(struct value_array *a)
{
	free(a->cell);
	free(a->wide);
	*a = (struct value_array){0};
}

value
value_array_get(const struct value_array *a, size_t i)
{
	uint64_t cell = a->cell[i];

	return cell & VALUE_WIDE ? a->wide[cell & ~VALUE_WIDE] : value_of(cell);
}

void
value_array_add(struct value_array *a, size_t i, value v)
{
	value sum;

	/* Small integers use 64-bit division by a constant. */
	if (v > 0 && v <= UINT64_MAX && (uint64_t)v % (uint64_t)VALUE_ONE == 0) {
		uint64_t n = a->cell[i] + (uint64_t)v / (uint64_t)VALUE_ONE;

		if (a->cell[i] < VALUE_WIDE && n < VALUE_WIDE) {
			a->cell[i] = n;
			return;
		}
	}
	sum = value_sum(value_array_get(a, i), v);
	if (a->cell[i] & VALUE_WIDE) {
		a->wide[a->cell[i] & ~VALUE_WIDE] = sum;
		return;
	}
	if (sum != 0 && sum % VALUE_ONE == 0 && sum / VALUE_ONE < VALUE_WIDE) {
		a->cell[i] = (uint64_t)(sum / VALUE_ONE);
		return;
	}
	vec_fit(a->wide, a->capwide, a->nwide + 1);
	a->wide[a->nwide] = sum;
	a->cell[i] = VALUE_WIDE | a->nwide++;
}

void
value_array_move(struct value_array *a, size_t i, size_t k)
{
	value_array_carry(a, i, a, k);
	if (a->cell[k] & VALUE_WIDE)
		a->wide[a->cell[k] & ~VALUE_WIDE] = 0;
	a->cell[k] = 0;
}
