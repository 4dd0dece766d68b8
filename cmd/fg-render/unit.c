/*
 * unit: values with their unit, as a person reads them. A count name that is a
 * unit of time or bytes gives 17.3 s or 4.2 MiB, any other one whole numbers.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render.h"

static const struct unit {
	const char *name, *kind;
} units[] = {
    {"ns", "ns"},
    {"nanoseconds", "ns"},
    {"us", "us"},
    {"\xc2\xb5s", "us"},
    {"\xce\xbcs", "us"},
    {"microseconds", "us"},
    {"ms", "ms"},
    {"milliseconds", "ms"},
    {"s", "s"},
    {"sec", "s"},
    {"seconds", "s"},
    {"bytes", "bytes"},
    {"B", "bytes"},
};

const char *
unit_kind(const char *countname)
{
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (strcmp(units[i].name, countname) == 0)
			return units[i].kind;
	return "count";
}

void
unit_plain(struct text *b, double v)
{
	char digits[512];
	int n, point;

	/* At most two places, and none for a large number: the rest is noise to a reader. */
	n = snprintf(digits, sizeof digits, "%.*f", fabs(v) < 1000 && v != floor(v) ? 2 : 0, v);
	for (point = 0; point < n && digits[point] != '.'; point++)
		;
	while (point < n && (digits[n - 1] == '0' || digits[n - 1] == '.'))
		if (digits[--n] == '.')
			break;
	for (int i = 0; i < n; i++) {
		if (i > 0 && i < point && (point - i) % 3 == 0 && digits[i - 1] != '-')
			text_char(b, ',');
		text_char(b, digits[i]);
	}
	text_add(b, "", 0);
}

/* Three digits that matter, without zeros at the end. */
static void
scaled(struct text *b, double v, const char *unit)
{
	char digits[64];
	int places = fabs(v) < 9.995 ? 2 : fabs(v) < 99.95 ? 1 : 0;
	int n = snprintf(digits, sizeof digits, "%.*f", places, v);

	while (places > 0 && (digits[n - 1] == '0' || digits[n - 1] == '.'))
		if (digits[--n] == '.')
			break;
	text_printf(b, "%.*s %s", n, digits, unit);
}

static void
seconds(struct text *b, double s)
{
	double size = fabs(s);

	if (size >= 2 * 3600)
		scaled(b, s / 3600, "h");
	else if (size >= 120)
		scaled(b, s / 60, "min");
	else if (size >= 1 || size == 0)
		scaled(b, s, "s");
	else if (size >= 1e-3)
		scaled(b, s * 1e3, "ms");
	else if (size >= 1e-6)
		scaled(b, s * 1e6, "\xc2\xb5s");
	else
		scaled(b, s * 1e9, "ns");
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

void
unit_figure(struct text *b, const char *countname, double v)
{
	const char *kind = unit_kind(countname);

	if (strcmp(kind, "bytes") == 0)
		bytes(b, v);
	else if (strcmp(kind, "count") != 0)
		seconds(b, strcmp(kind, "ns") == 0   ? v / 1e9
			   : strcmp(kind, "us") == 0 ? v / 1e6
			   : strcmp(kind, "ms") == 0 ? v / 1e3
						     : v);
	else {
		unit_plain(b, v);
		if (v == 1 && strcmp(countname, "samples") == 0)
			countname = "sample";
		text_printf(b, " %s", countname);
	}
}
