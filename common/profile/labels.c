#include "profile/labels.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cli.h"

static bool
is_plain(unsigned char c)
{
	return c > ' ' && c != 0x7f && strchr(";=,%", c) == NULL;
}

/* Appends s percent-encoded. */
static void
encode(struct text *to, struct str s)
{
	if (text_is(s.s, s.len, "*")) {
		text_puts(to, "%2A");
		return;
	}
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.s[i];

		if (is_plain(c))
			text_char(to, s.s[i]);
		else
			text_printf(to, "%%%02X", c);
	}
}

static int
hex_digit(char c)
{
	const char *digits = "0123456789abcdef0123456789ABCDEF", *at;

	if (c == '\0' || (at = strchr(digits, c)) == NULL)
		return -1;
	return (int)(at - digits) % 16;
}

static void
decode(struct text *to, struct str s)
{
	text_cut(to, 0);
	text_puts(to, "");
	for (size_t i = 0; i < s.len; i++) {
		int high = s.s[i] == '%' && i + 2 < s.len ? hex_digit(s.s[i + 1]) : -1;
		int low = high >= 0 ? hex_digit(s.s[i + 2]) : -1;

		if (low >= 0 && high * 16 + low > 0) {
			text_char(to, (char)(high * 16 + low));
			i += 2;
		} else if (s.s[i] != '\0') {
			text_char(to, s.s[i]);
		}
	}
}

static int
compare(const char *a, struct str b)
{
	size_t len = strlen(a);
	/* an empty text may be NULL */
	int order = b.len == 0 ? 0 : memcmp(a, b.s, len < b.len ? len : b.len);

	return order != 0 ? order : (len > b.len) - (len < b.len);
}

/* Index of a key, or its insertion point; *found: the key exists. */
static size_t
find(const struct labels *l, struct str key, bool *found)
{
	size_t i = 0;
	int order = -1;

	while (l != NULL && i < l->n && (order = compare(l->label[i].key, key)) < 0)
		i++;
	*found = l != NULL && i < l->n && order == 0;
	return i;
}

static bool
has_value(const struct label *l, struct str value)
{
	for (unsigned i = 0; i < l->n; i++)
		if (compare(l->value[i], value) == 0)
			return true;
	return false;
}

/* Adds a value in order. The label gets a new array, since an older copy of it has the old one. */
static void
insert_value(struct labels *l, struct label *label, struct str value)
{
	char **values = cli_alloc(label->n + 1, sizeof *values);
	unsigned at = 0;

	while (at < label->n && compare(label->value[at], value) < 0)
		at++;
	if (at > 0)
		memcpy(values, label->value, at * sizeof *values);
	if (at < label->n)
		memcpy(values + at + 1, label->value + at, (label->n - at) * sizeof *values);
	l->own_value = values[at] = str_copy(value);
	l->own_values = label->value = values;
	label->n++;
}

void
labels_add(struct labels **l, struct str key, struct str value, bool any)
{
	static bool warned;
	struct labels *old = *l, *new;
	size_t n = old != NULL ? old->n : 0, at;
	struct label *label;
	bool found;

	at = find(old, key, &found);
	if (found && (old->label[at].n == 0 || (!any && has_value(&old->label[at], value))))
		return;
	if (!found && n == LABELS_KEYS) {
		if (!warned)
			cli_warn("more than %u labels; the others are left out", LABELS_KEYS);
		warned = true;
		return;
	}
	new = cli_alloc(1, sizeof *new + (n + !found) * sizeof new->label[0]);
	new->older = old;
	new->n = n + !found;
	if (n > 0) {
		memcpy(new->label, old->label, at * sizeof new->label[0]);
		memcpy(new->label + at + !found, old->label + at, (n - at) * sizeof new->label[0]);
	}
	label = &new->label[at];
	if (!found)
		*label = (struct label){.key = new->own_key = str_copy(key)};
	if (any || label->n == LABELS_VALUES)
		*label = (struct label){.key = label->key};
	else
		insert_value(new, label, value);
	*l = new;
}

bool
labels_parse(struct labels **l, struct str words)
{
	const char *s = words.s, *end = s + words.len;
	struct text key = {0}, value = {0};
	bool good = true;

	while (good) {
		const char *equals, *from;

		while (s < end && strchr(" \t\r", *s) != NULL && *s != '\0')
			s++;
		if (s == end)
			break;
		for (from = s; s < end && (*s == '\0' || strchr(" \t\r", *s) == NULL); s++)
			continue;
		equals = memchr(from, '=', (size_t)(s - from));
		good = equals != NULL && equals > from;
		if (!good)
			break;
		decode(&key, (struct str){from, (size_t)(equals - from)});
		for (from = equals + 1; from <= s;) {
			const char *comma = memchr(from, ',', (size_t)(s - from));
			size_t len = (size_t)((comma != NULL ? comma : s) - from);

			decode(&value, (struct str){from, len});
			labels_add(
			    l, text_as_str(&key), text_as_str(&value), text_is(from, len, "*"));
			from += len + 1;
		}
	}
	text_free(&key);
	text_free(&value);
	return good;
}

void
labels_join(struct labels **l, const struct labels *more)
{
	for (size_t i = 0; more != NULL && i < more->n; i++) {
		const struct label *label = &more->label[i];

		if (label->n == 0)
			labels_add(l, str_of(label->key), str_of(""), true);
		for (unsigned v = 0; v < label->n; v++)
			labels_add(l, str_of(label->key), str_of(label->value[v]), false);
	}
}

bool
labels_option(struct labels **l, const char *arg)
{
	const char *equals = strchr(arg, '=');

	if (equals == NULL || equals == arg)
		return false;
	labels_add(l, (struct str){arg, (size_t)(equals - arg)}, str_of(equals + 1), false);
	return true;
}

const struct label *
labels_find(const struct labels *l, const char *key)
{
	bool found;
	size_t at = find(l, str_of(key), &found);

	return found ? &l->label[at] : NULL;
}

void
labels_default(struct labels **l, const char *key, struct str value)
{
	if (labels_find(*l, key) == NULL)
		labels_add(l, str_of(key), value, false);
}

bool
labels_has(const struct labels *l, const char *key, const char *value)
{
	const struct label *label = labels_find(l, key);

	for (unsigned v = 0; label != NULL && v < label->n; v++)
		if (strcmp(label->value[v], value) == 0)
			return true;
	return false;
}

void
labels_values(struct text *to, const struct label *label)
{
	if (label->n == 0)
		text_char(to, '*');
	for (unsigned v = 0; v < label->n; v++) {
		if (v > 0)
			text_char(to, ',');
		encode(to, str_of(label->value[v]));
	}
}

void
labels_text(struct text *to, const struct labels *l)
{
	for (size_t i = 0; l != NULL && i < l->n; i++) {
		if (i > 0)
			text_char(to, ' ');
		encode(to, str_of(l->label[i].key));
		text_char(to, '=');
		labels_values(to, &l->label[i]);
	}
}

void
labels_free(struct labels *l)
{
	while (l != NULL) {
		struct labels *older = l->older;

		free(l->own_key);
		free(l->own_value);
		free(l->own_values);
		free(l);
		l = older;
	}
}

uint64_t
labels_time(const char *text)
{
	static const char *const format[] = {"%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S",
	    "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%MZ", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d"};
	unsigned long long seconds;
	char *last;

	if (text[0] == '@' && text[1] >= '0' && text[1] <= '9') {
		seconds = strtoull(text + 1, &last, 10);
		return *last == '\0' && seconds < UINT64_MAX / 1000000000 ? seconds * 1000000000
									  : 0;
	}
	for (size_t i = 0; i < sizeof format / sizeof format[0]; i++) {
		struct tm tm = {0};
		const char *end;
		int day;
		time_t at;

		end = strptime(text, format[i], &tm);
		if (end == NULL || *end != '\0')
			continue;
		day = tm.tm_mday;
		at = timegm(&tm);
		if (at > 0 && tm.tm_mday == day && (uint64_t)at < UINT64_MAX / 1000000000)
			return (uint64_t)at * 1000000000;
	}
	return 0;
}

uint64_t
labels_start(const struct labels *l)
{
	const struct label *start = labels_find(l, "start");

	return start != NULL && start->n == 1 ? labels_time(start->value[0]) : 0;
}
