/*
 * unit: formatting rules by unit name. The viewer's units.js has the same rules: both run the
 * same test cases.
 */
#include "profile/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct unit_row {
	const char *names; /* words */
	uint64_t ns, bytes; /* 1 in ns, or in bytes; the other is 0 */
} units[] = {
#define UNIT(names, ns, bytes) {names, ns, bytes},
#include "profile/units.def"
#undef UNIT
    {" ", 0, 0}, /* any other unit is a count */
};

static const struct unit_row *
find(const char *unit)
{
	const struct unit_row *u = units;
	size_t len = strlen(unit);

	for (; u < units + sizeof units / sizeof *units - 1; u++)
		for (const char *s = u->names; *s != '\0'; s += s[0] == ' ') {
			if (strcspn(s, " ") == len && memcmp(s, unit, len) == 0)
				return u;
			s += strcspn(s, " ");
		}
	return u;
}

uint64_t
unit_ns(const char *unit)
{
	return find(unit)->ns;
}

uint64_t
unit_bytes(const char *unit)
{
	return find(unit)->bytes;
}

bool
unit_is_same(const char *a, const char *b)
{
	return strcmp(a, b) == 0 || (!unit_is_count(a) && find(a) == find(b));
}

/* pow(3) and fmod(3) would load the mathematical library into each program. */
static const double power_of_ten[] = {1, 10, 100};

/*
 * Formats v with at most `places` decimals, up to 2, and grouped thousands; rounds half up, as the
 * viewer does.
 */
static void
grouped(struct text *b, double v, int places)
{
	double size = power_of_ten[places], n = floor(fabs(v) * size + 0.5);
	double whole = floor(n / size);
	char digits[512];
	int len = snprintf(digits, sizeof digits, "%.0f", whole);

	if (v < 0 && n > 0)
		text_char(b, '-');
	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			text_char(b, ',');
		text_char(b, digits[i]);
	}
	len = snprintf(digits, sizeof digits, ".%0*.0f", places, n - whole * size);
	while (len > 1 && digits[len - 1] == '0')
		len--;
	if (places > 0 && len > 1)
		text_add(b, digits, (size_t)len);
	text_add(b, "", 0);
}

/*
 * Formats a count with grouped thousands: an integer from 1,000 on, else with at most two
 * decimals.
 */
static void
exact(struct text *b, value v)
{
	char digits[VALUE_CHARS];
	size_t len;

	if (v < value_of(1000) - VALUE_ONE / 200) {
		grouped(b, value_double(v), 2);
		return;
	}
	len = value_format((v + VALUE_ONE / 2) / VALUE_ONE * VALUE_ONE, digits);
	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			text_char(b, ',');
		text_char(b, digits[i]);
	}
}

/* Formats v with three significant digits. */
static void
scaled(struct text *b, double v, const char *unit)
{
	grouped(b, v, fabs(v) < 9.995 ? 2 : fabs(v) < 99.95 ? 1 : 0);
	text_printf(b, " %s", unit);
}

static void
add_seconds(struct text *b, double s)
{
	static const struct {
		double least, step;
		const char *name;
	} steps[] = {
	    {7200, 3600, "h"},
	    {120, 60, "min"},
	    {1, 1, "s"},
	    {1e-3, 1e-3, "ms"},
	    {1e-6, 1e-6, "\xc2\xb5s"},
	    {0, 1e-9, "ns"},
	};
	size_t i = 0;

	while (fabs(s) < steps[i].least)
		i++;
	if (s == 0)
		i = 2;
	scaled(b, s / steps[i].step, steps[i].name);
}

static void
bytes(struct text *b, double v)
{
	static const char *const power[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	size_t k = 0;

	while (fabs(v) >= 1024 && k + 1 < sizeof power / sizeof power[0]) {
		v /= 1024;
		k++;
	}
	scaled(b, v, power[k]);
}

bool
unit_is_time(const char *unit)
{
	return unit_ns(unit) != 0;
}

bool
unit_is_memory(const char *unit)
{
	static const char *const word[] = {"object", "allocation", "block"};

	for (size_t i = 0; unit != NULL && i < sizeof word / sizeof word[0]; i++)
		if (strstr(unit, word[i]) != NULL)
			return true;
	return unit != NULL && unit_bytes(unit) > 0;
}

bool
unit_is_count(const char *unit)
{
	return unit_bytes(unit) == 0 && unit_ns(unit) == 0;
}

static void
add_name(struct text *b, const char *unit, bool one)
{
	text_printf(b, " %s", one && strcmp(unit, FOLDED_SAMPLES) == 0 ? "sample" : unit);
}

void
unit_figure(struct text *b, const char *unit, double v)
{
	uint64_t ns = unit_ns(unit), size = unit_bytes(unit);

	if (size > 0)
		bytes(b, v * (double)size);
	else if (ns > 0)
		add_seconds(b, v * ((double)ns / 1e9));
	else {
		/* At most two decimals, none for a large number, where they are irrelevant. */
		grouped(b, v, fabs(v) < 1000 ? 2 : 0);
		add_name(b, unit, v == 1);
	}
}

void
unit_value(struct text *b, const char *unit, value v)
{
	if (unit_is_count(unit)) {
		exact(b, v);
		add_name(b, unit, v == VALUE_ONE);
	} else {
		unit_figure(b, unit, value_double(v));
	}
}

void
unit_whole(struct text *b, const char *unit, const struct folded_period *period, value v)
{
	double one = period->number != 0 && !period->mixed ? value_double(period->number) : 0;
	double n = value_double(v);

	if (one > 0 && strcmp(unit, FOLDED_SAMPLES) == 0 && !unit_is_count(period->unit)) {
		unit_figure(b, period->unit, n * one);
		text_puts(b, ", ");
		unit_value(b, unit, v);
	} else {
		unit_value(b, unit, v);
		if (one > 0 && unit_is_same(unit, period->unit) && n / one >= 1) {
			text_puts(b, ", ");
			unit_figure(b, FOLDED_SAMPLES, floor(n / one + 0.5));
		}
	}
}

const char *
unit_sign(double v)
{
	return v < 0 ? "\xe2\x88\x92" : "+";
}

void
unit_change(struct text *b, double v, int decimals)
{
	bool none = fabs(v) * power_of_ten[decimals] < 0.5; /* rounds to 0 */

	text_printf(b, "%s%.*f", none ? "" : unit_sign(v), decimals, fabs(v));
}

struct str
unit_of_event(struct str event)
{
	static const char *const clock[] = {"cpu-clock", "task-clock", "sched:sched_stat_"};
	const char *slash = event.len == 0 ? NULL : memchr(event.s, '/', event.len);
	size_t n = event.len;

	for (size_t i = 0; i < sizeof clock / sizeof clock[0]; i++)
		if (text_starts(event.s, event.len, clock[i]))
			return str_of("ns");
	while (n > 0 && strchr("ukhHGpPSDeIW", event.s[n - 1]) != NULL && event.s[n - 1] != '\0')
		n--;
	if (n == 0)
		return event;
	if (slash != NULL && event.s[n - 1] == '/' && slash < event.s + n - 1) /* cpu/cycles/u */
		return (struct str){slash + 1, (size_t)(event.s + n - 1 - (slash + 1))};
	if (n > 1 && event.s[n - 1] == ':' && n < event.len)
		event.len = n - 1;
	return event;
}
