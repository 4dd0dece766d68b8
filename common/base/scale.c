/*
 * scale: v * num / den, for products of up to 256 bits.
 */
#include "base/scale.h"

#include "base/cli.h"

static void
too_large(void)
{
	cli_die("totals or weights are too large for exact scaling");
}

value
scale_divisor(value a, value b)
{
	while (b != 0) {
		value rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static value
product(value a, value b)
{
	value p;

	if (__builtin_mul_overflow(a, b, &p))
		too_large();
	return p;
}

struct scale
scale_by(struct scale s, value num, value den)
{
	value d = scale_divisor(num, den), across = scale_divisor(s.num, den / d), back;

	num /= d;
	den /= d;
	back = scale_divisor(num, s.den);
	return (struct scale){
	    product(s.num / across, num / back), product(s.den / back, den / across)};
}

/* Returns the high half of a * b; sets *low. */
static value
wide_product(value a, value b, value *low)
{
	uint64_t al = (uint64_t)a, bl = (uint64_t)b;
	value ah = a >> 64, bh = b >> 64;
	value middle = ah * bl + ((value)al * bl >> 64), other = (value)(uint64_t)middle + al * bh;

	*low = other << 64 | (uint64_t)((value)al * bl);
	return ah * bh + (middle >> 64) + (other >> 64);
}

/* Divides high * 2^128 + low by den, bit by bit; *rest is the remainder. */
static value
wide_quotient(value high, value low, value den, value *rest)
{
	value q = 0, r = high % den;

	if (high >= den)
		too_large();
	for (int bit = 127; bit >= 0; bit--) {
		bool carry = r >> 127;

		r = r << 1 | (low >> bit & 1);
		if (carry || r >= den) {
			r -= den;
			q |= (value)1 << bit;
		}
	}
	*rest = r;
	return q;
}

/* v * num / den, rounded down. */
static value
quotient(struct scale s, value v, value *rest)
{
	value p, high;

	if (!__builtin_mul_overflow(v, s.num, &p)) {
		*rest = p % s.den;
		return p / s.den;
	}
	high = wide_product(v, s.num, &p);
	return wide_quotient(high, p, s.den, rest);
}

value
scale_value(struct scale s, value v)
{
	value q, rest;

	if (s.num == s.den)
		return v;
	q = quotient(s, v, &rest);
	return rest >= s.den - rest ? value_sum(q, 1) : q;
}

value
scale_whole(struct scale s, value v)
{
	value q, rest;

	q = quotient(s, v, &rest);
	return q - q % VALUE_ONE;
}
