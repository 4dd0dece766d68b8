/*
 * figure: formats numbers and names for reports.
 */
#include "fg-diff/figure.h"

#include <math.h>
#include <stdio.h>

#include "profile/unit.h"

/* Appends a number with thousands separators, and with decimals only if it is small. */
static void
plain(struct text *t, double a)
{
	char digits[400];
	int places = a >= 1000 ? 0 : a >= 10 ? 1 : a >= 1 ? 2 : 3;
	int n = snprintf(digits, sizeof digits, "%.*f", places, a);
	int whole = 0;

	if (n > 40) {
		text_printf(t, "%.6g", a);
		return;
	}
	while (whole < n && digits[whole] != '.')
		whole++;
	while (whole < n && digits[n - 1] == '0')
		n--;
	n -= digits[n - 1] == '.';
	for (int i = 0; i < n; i++) {
		if (i > 0 && i < whole && (whole - i) % 3 == 0)
			text_char(t, ',');
		text_char(t, digits[i]);
	}
}

void
figure_value(struct text *t, const char *unit, double x, bool plus)
{
	if (x < 0 || plus)
		text_char(t, x < 0 ? '-' : x > 0 ? '+' : ' ');
	if (unit != NULL && !unit_is_count(unit))
		unit_figure(t, unit, fabs(x));
	else
		plain(t, fabs(x));
}

void
figure_percent(struct text *t, double part, double whole, const char *of_nothing)
{
	if (whole > 0)
		text_printf(t, "%+.2f %%", 100 * part / whole);
	else
		text_puts(t, part == 0 ? "" : of_nothing);
}

static void
visible(struct text *t, const struct calltree_name *name, size_t most)
{
	char to[TEXT_SHOWN];
	size_t taken, n, end = t->len + most - 3;

	text_add(t, "", 0);
	if (name->len < most - 1 && text_ascii(name->s, name->len) == name->len) {
		text_add(t, name->s, name->len);
		return;
	}
	for (size_t i = 0; i < name->len; i += taken) {
		n = text_shown(to, name->s + i, name->len - i, &taken);
		/* keep space for the dots, except at the end of the name */
		if (t->len + n > end + (i + taken == name->len ? 3 : 0)) {
			text_puts(t, "...");
			return;
		}
		text_add(t, to, n);
	}
}

void
figure_name(struct text *t, const struct calltree_name *name)
{
	visible(t, name, FIGURE_NAME);
}

/* Appends a code span, fenced by more backticks than the name has in a row. */
static void
code(struct text *t, const struct calltree_name *name, bool cell, size_t most)
{
	size_t run = 0, longest = 0;
	struct text shown = {0};

	visible(&shown, name, most);
	for (size_t i = 0; i < shown.len; i++) {
		run = shown.s[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		text_char(t, '`');
	if (longest > 0 || shown.len == 0)
		text_char(t, ' ');
	for (size_t i = 0; i < shown.len; i++) {
		if (cell && shown.s[i] == '|')
			text_char(t, '\\');
		text_char(t, shown.s[i]);
	}
	if (longest > 0)
		text_char(t, ' ');
	for (size_t i = 0; i <= longest; i++)
		text_char(t, '`');
	text_free(&shown);
}

void
figure_code(struct text *t, const struct calltree_name *name)
{
	code(t, name, false, FIGURE_NAME);
}

void
figure_code_cell(struct text *t, const struct calltree_name *name)
{
	code(t, name, true, FIGURE_NAME);
}

void
figure_code_short(struct text *t, const struct calltree_name *name)
{
	code(t, name, false, FIGURE_SHORT);
}

void
figure_html(struct text *t, const struct calltree_name *name)
{
	struct text shown = {0};

	visible(&shown, name, FIGURE_NAME);
	text_puts(t, "<code>");
	text_html(t, text_as_str(&shown));
	text_puts(t, "</code>");
	text_free(&shown);
}
