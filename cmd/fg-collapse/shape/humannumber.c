#include "fg-collapse/shape/humannumber.h"

#include "fg-collapse/shape/scan.h"

value
humannumber_scale(value v, uint64_t by, uint64_t over)
{
	value whole = v / over, rest = v % over, product;

	/* Saturate: the number is implausibly large. */
	if (__builtin_mul_overflow(whole, (value)by, &product) || product > VALUE_MAX - v)
		return VALUE_MAX / 2;
	return product + (rest * by + over / 2) / over;
}

value
humannumber_round(value v)
{
	return v > VALUE_MAX - VALUE_ONE ? v : (v + VALUE_ONE / 2) / VALUE_ONE * VALUE_ONE;
}

bool
humannumber_scan(struct str *s, value *v, const char **unit)
{
	static const struct {
		const char *name;
		const char *unit;
		uint64_t by;
	} known[] = {
	    {"KiB", "bytes", UINT64_C(1) << 10},
	    {"MiB", "bytes", UINT64_C(1) << 20},
	    {"GiB", "bytes", UINT64_C(1) << 30},
	    {"TiB", "bytes", UINT64_C(1) << 40},
	    {"bytes", "bytes", 1},
	    {"Bytes", "bytes", 1},
	    {"kB", "bytes", UINT64_C(1) << 10},
	    {"KB", "bytes", UINT64_C(1) << 10},
	    {"MB", "bytes", UINT64_C(1) << 20},
	    {"GB", "bytes", UINT64_C(1) << 30},
	    {"TB", "bytes", UINT64_C(1) << 40},
	    {"B", "bytes", 1},
	    {"ns", "ns", 1},
	    {"us", "ns", 1000},
	    {"\xc2\xb5s", "ns", 1000},
	    {"ms", "ns", 1000000},
	    {"min", "ns", UINT64_C(60000000000)},
	    {"s", "ns", 1000000000},
	    {"m", "ns", UINT64_C(60000000000)},
	    {"h", "ns", UINT64_C(3600000000000)},
	};
	struct str rest = *s;
	char digits[64];
	size_t n = 0;

	while (rest.len > 0 && n < sizeof digits &&
	       ((rest.s[0] >= '0' && rest.s[0] <= '9') || rest.s[0] == '.' || rest.s[0] == ',')) {
		if (rest.s[0] != ',')
			digits[n++] = rest.s[0];
		rest = str_from(rest, 1);
	}
	if (n == 0 || n == sizeof digits || value_parse(digits, digits + n, v) == VALUE_BAD)
		return false;
	*unit = "";
	*s = rest;
	scan_blanks(&rest);
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		size_t len = strlen(known[i].name);

		if (!str_starts(rest, known[i].name) ||
		    (rest.len > len &&
			(((rest.s[len] | 0x20) >= 'a' && (rest.s[len] | 0x20) <= 'z'))))
			continue;
		*s = str_from(rest, len);
		*unit = known[i].unit;
		*v = humannumber_round(humannumber_scale(*v, known[i].by, 1));
		break;
	}
	return true;
}
