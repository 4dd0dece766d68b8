/*
 * number: a decimal and a suffix from a table.
 */
#include "base/number.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/message.h"
#include "base/clock.h"

#define KI UINT64_C(1024)

struct suffix {
	const char *name;
	uint64_t by;
};

static const struct suffix times[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", SECOND_NS},
    {"", SECOND_NS}, {"m", 60 * SECOND_NS}, {"min", 60 * SECOND_NS}, {"h", 3600 * SECOND_NS},
    {NULL, 0}};
static const struct suffix sizes[] = {
    {"", 1}, {"k", KI}, {"m", KI *KI}, {"g", KI *KI *KI}, {"t", KI *KI *KI *KI}, {NULL, 0}};

static size_t
digits(const char *s)
{
	return strspn(s, "0123456789");
}

/* The text after the decimal that arg begins with, or NULL: 12, 1.5, .5, 5., 3e+6. */
static const char *
suffix_of(const char *arg)
{
	size_t whole = digits(arg), part = arg[whole] == '.' ? digits(arg + whole + 1) : 0, sign;
	const char *s = arg + whole + (arg[whole] == '.') + part;

	if (whole + part == 0)
		return NULL;
	if (*s != 'e' && *s != 'E')
		return s;
	sign = s[1] == '+' || s[1] == '-';
	return digits(s + 1 + sign) > 0 ? s + 1 + sign + digits(s + 1 + sign) : s;
}

/* arg in units of a suffix, rounded down; UINT64_MAX for larger ones; false if it is malformed. */
static bool
scaled(const char *arg, const char *suffix, const struct suffix *known, uint64_t *n)
{
	value v;

	while (known->name != NULL && strcasecmp(known->name, suffix) != 0)
		known++;
	if (known->name == NULL || value_parse(arg, arg + (suffix_of(arg) - arg), &v) == VALUE_BAD)
		return false;
	*n = v / VALUE_ONE >= UINT64_MAX / known->by ? UINT64_MAX
						     : (uint64_t)(v * known->by / VALUE_ONE);
	return true;
}

uint64_t
number_count(const char *opt, const char *arg, uint64_t min, uint64_t max)
{
	uint64_t n = 0;

	if (arg[0] == '\0' || arg[digits(arg)] != '\0')
		cli_usage("%s: bad value '%s' (expected a whole number)", opt, arg);
	if (!scaled(arg, "", sizes, &n) || n < min || n > max)
		cli_usage("%s: bad value '%s' (expected %llu to %llu)", opt, arg,
		    (unsigned long long)min, (unsigned long long)max);
	return n;
}

/* Writes a time as text for an option: 10ms. */
static void
time_text(uint64_t ns, char out[32])
{
	const struct suffix *s = ns % SECOND_NS == 0 ? &times[3]
				 : ns % 1000000 == 0 ? &times[2]
						     : &times[0];

	snprintf(out, 32, "%llu%s", (unsigned long long)(ns / s->by), s->name);
}

uint64_t
number_time(const char *opt, const char *arg, uint64_t min, uint64_t max)
{
	const char *suffix = suffix_of(arg);
	char least[32], most[32];
	uint64_t n;

	if (suffix == NULL || !scaled(arg, suffix, times, &n))
		cli_usage(
		    "%s: bad value '%s' (expected a time, such as 1.5, 20ms or 2m)", opt, arg);
	time_text(min, least);
	time_text(max, most);
	if (n < min || n > max)
		cli_usage("%s: bad value '%s' (expected %s to %s)", opt, arg, least, most);
	return n;
}

/* Writes a size as text for an option: 16k. */
static void
size_text(uint64_t bytes, char out[32])
{
	const struct suffix *s = sizes;

	while (bytes >= KI && bytes % KI == 0 && s[1].name != NULL) {
		bytes /= KI;
		s++;
	}
	snprintf(out, 32, "%llu%s", (unsigned long long)bytes, s->name);
}

uint64_t
number_size(const char *opt, const char *arg, uint64_t unit, uint64_t min, uint64_t max)
{
	const char *suffix = suffix_of(arg);
	const struct suffix plain[] = {{"", unit}, {NULL, 0}};
	char letter[2] = "", least[32], most[32];
	bool ok = suffix != NULL;
	uint64_t n = 0;

	if (ok && suffix[0] == '\0') {
		ok = scaled(arg, suffix, plain, &n);
	} else if (ok) {
		const char *rest = suffix;

		if (strchr("bB", rest[0]) == NULL)
			letter[0] = *rest++;
		ok = (rest[0] == '\0' || strcasecmp(rest, "B") == 0 ||
			 (letter[0] != '\0' && strcasecmp(rest, "iB") == 0)) &&
		     scaled(arg, letter, sizes, &n);
	}
	if (!ok)
		cli_usage(
		    "%s: bad value '%s' (expected a size, such as 64k, 1.5M or 4G)", opt, arg);
	size_text(min, least);
	size_text(max, most);
	if (n < min || n > max)
		cli_usage("%s: bad value '%s' (expected %s to %s)", opt, arg, least, most);
	return n;
}

/* A decimal that ends with one of two suffixes; the second one means a hundredth. */
static double
decimal(const char *opt, const char *arg, double min, double max, bool percent, double hundredth,
    const char *what)
{
	const char *suffix = suffix_of(arg);
	double d;

	if (suffix == NULL || (suffix[0] != '\0' && !(percent && strcmp(suffix, "%") == 0)))
		cli_usage("%s: bad value '%s' (expected %s)", opt, arg, what);
	d = strtod(arg, NULL) * (suffix[0] == '%' ? hundredth : 1);
	if (!(d >= min && d <= max))
		cli_usage("%s: bad value '%s' (expected %g to %g)", opt, arg, min, max);
	return d;
}

double
number_decimal(const char *opt, const char *arg, double min, double max)
{
	return decimal(opt, arg, min, max, false, 1, "a number");
}

double
number_percent(const char *opt, const char *arg, double min, double max)
{
	return decimal(opt, arg, min, max, true, 1, "a percentage, such as 5 or 5%");
}

double
number_part(const char *opt, const char *arg, double min, double max)
{
	return decimal(opt, arg, min, max, true, 0.01, "a part of 1, such as 0.99 or 99%");
}

value
number_value(const char *opt, const char *arg)
{
	value v;

	if (value_parse(arg, arg + strlen(arg), &v) == VALUE_BAD)
		cli_usage("%s: bad value '%s' (expected a number)", opt, arg);
	return v;
}

value
number_or_percent(const char *opt, const char *arg, bool *percent)
{
	size_t len = strlen(arg);
	value v;

	*percent = len > 0 && arg[len - 1] == '%';
	if (value_parse(arg, arg + len - *percent, &v) == VALUE_BAD)
		cli_usage("%s: bad value '%s' (expected a number, or a percentage such as 5%%)",
		    opt, arg);
	return v;
}
