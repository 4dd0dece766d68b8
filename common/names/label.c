/*
 * label: shortens a frame's text to a width in steps: it drops the hash of a Rust name and the
 * return type of C++, elides the inside of types (vector<...>::push_back), drops arguments, then
 * leading path segments, and at last truncates the end; of addresses, the start.
 */
#include <string.h>

#include "names/canonical.h"
#include "names/cells.h"
#include "names/frame.h"
#include "names/label.h"
#include "names/origin.h"

#define ELLIPSIS "\xe2\x80\xa6"

/* True if the bracket at s[i] is part of the name operator(), operator< or operator<<. */
static bool
is_operator(const char *s, size_t i)
{
	if (i > 0 && s[i] == '<' && s[i - 1] == '<')
		i--;
	return i >= 8 && memcmp(s + i - 8, "operator", 8) == 0;
}

/* Index of the bracket that closes the one at s[i], or len. */
static size_t
closing(const char *s, size_t len, size_t i)
{
	unsigned angle = 0, round = 0;

	for (; i < len; i++) {
		if (s[i] == '<' && !is_operator(s, i))
			angle++;
		else if (s[i] == '>' && angle > 0 && (i == 0 || s[i - 1] != '-'))
			angle--;
		else if (s[i] == '(')
			round++;
		else if (s[i] == ')' && round > 0)
			round--;
		if (angle == 0 && round == 0)
			return i;
	}
	return len;
}

/* Appends s with an ellipsis for the contents of its outermost brackets. */
static void
collapse(struct text *b, const char *s, size_t len)
{
	unsigned unclosed = 0;

	for (size_t i = 0; i < len; i++) {
		bool bracket = (s[i] == '<' || (s[i] == '(' && i > 0)) &&
			       (i == 0 || s[i - 1] != '.') && !is_operator(s, i);
		/* Limits searches: a name can have megabytes of unclosed brackets. */
		size_t end = bracket && unclosed < 8 ? closing(s, len, i) : len;

		unclosed += bracket && end == len;
		if (end < len && end > i + 2 && (i > 0 || (end + 2 < len && s[end + 1] == ':'))) {
			text_char(b, s[i]);
			text_puts(b, ELLIPSIS);
			i = end;
		}
		text_char(b, s[i]);
	}
}

/* Length without an argument list at the end. */
static size_t
without_arguments(const char *s, size_t len)
{
	for (size_t i = 1; i < len; i++)
		if (s[i] == '(' && s[i - 1] != '.' && s[i - 1] != ' ' && !is_operator(s, i) &&
		    s[i - 1] != ':')
			return i;
	return len;
}

/*
 * Length of the return type in front of a function of C++, with the space after it: it ends with a
 * bracket, a pointer, a reference or a word for a type without a name of its own.
 */
static size_t
return_type(const char *s, size_t len)
{
	static const char *const word[] = {
	    "void", "bool", "char", "int", "long", "unsigned", "float", "double", "auto", "const"};
	size_t from = 0;

	for (size_t i = 0; i < len; i++) {
		bool type = false;

		if ((s[i] == '<' || s[i] == '(') && !is_operator(s, i))
			i = closing(s, len, i);
		if (i + 1 >= len || s[i] != ' ' || i == from)
			continue;
		for (size_t k = 0; k < sizeof word / sizeof word[0]; k++)
			type |= text_is(s + from, i - from, word[k]);
		if (type || strchr(">*&", s[i - 1]) != NULL)
			from = i + 1;
	}
	return from;
}

/* True for 0xHEX and NAME+0xHEX. */
static bool
is_address(const char *s, size_t len)
{
	size_t digits = 0;

	while (digits < len && strchr("0123456789abcdef", s[len - 1 - digits]) != NULL &&
	       s[len - 1 - digits] != '\0')
		digits++;
	return digits > 0 && len >= digits + 2 && memcmp(s + len - digits - 2, "0x", 2) == 0 &&
	       (len == digits + 2 || s[len - digits - 3] == '+');
}

/* True for clone suffixes after a dot: the text before the dot is not a path. */
static bool
is_suffix(const char *s, size_t len)
{
	static const char *const suffix[] = {"part", "constprop", "isra", "cold", "lto_priv",
	    "llvm", "so", "dylib", "clone", "resume", "destroy", "actor"};

	for (size_t i = 0; i < sizeof suffix / sizeof suffix[0]; i++) {
		size_t n = strlen(suffix[i]);

		if (len >= n && memcmp(s, suffix[i], n) == 0 && (len == n || s[n] == '.'))
			return true;
	}
	return false;
}

/* Length of the first path segment with its separator; 0 when it is the only one. */
static size_t
segment(const char *s, size_t len)
{
	for (size_t i = 0; i + 1 < len; i++) {
		const bool digit = s[i + 1] >= '0' && s[i + 1] <= '9';

		if (s[i] == '<' || s[i] == '(') {
			if ((i = closing(s, len, i)) + 1 >= len)
				return 0;
			continue;
		}
		if (s[i] == ' ' || s[i] == '[')
			return 0;
		if (s[i] == ':' && s[i + 1] == ':' && i + 2 < len)
			return i + 2;
		if (s[i] == '/' && !digit) /* map/2 of Erlang is not a path */
			return i + 1;
		if (s[i] == '.' && i > 0 && s[i + 1] != '.' && s[i - 1] != '.' && !digit &&
		    !is_suffix(s + i + 1, len - i - 1))
			return i + 1;
	}
	return 0;
}

/* Appends s, truncated with an ellipsis to fit. */
static void
cut(struct text *b, const char *s, size_t len, unsigned columns)
{
	size_t bytes, begin = b->len, most = 4 * (size_t)columns;
	unsigned width = 0;

	if (is_address(s, len)) {
		unsigned all = label_width(s, len);

		while (all > columns - 1) {
			all -= label_cells(s, &bytes);
			s += bytes;
			len -= bytes;
		}
		text_puts(b, ELLIPSIS);
		if (len < most)
			text_add(b, s, len);
		return;
	}
	for (size_t i = 0; i < len; i += bytes) {
		width += label_cells(s + i, &bytes);
		if (width > columns - 1 || b->len - begin + bytes + strlen(ELLIPSIS) > most) {
			text_puts(b, ELLIPSIS);
			return;
		}
		text_add(b, s + i, bytes);
	}
}

/* Escapes characters that reverse or hide text; returns s itself when there are none. */
static const char *
visible(const char *s, size_t *len, struct text *copy)
{
	char shown[LABEL_ESCAPE];
	size_t bytes, from = 0;

	for (size_t i = 0; i < *len; i += bytes) {
		bytes = 1;
		if ((unsigned char)s[i] < 0xc2)
			continue;
		label_cells(s + i, &bytes);
		if (!label_hides(s + i, bytes, shown))
			continue;
		text_add(copy, s + from, i - from);
		text_puts(copy, shown);
		from = i + bytes;
	}
	if (from == 0)
		return s;
	text_add(copy, s + from, *len - from);
	*len = copy->len;
	return copy->s;
}

struct str
label_last_segment(struct str path)
{
	const char *slash = path.len > 0 ? memrchr(path.s, '/', path.len - 1) : NULL;

	if (slash != NULL)
		path = (struct str){slash + 1, (size_t)(path.s + path.len - slash - 1)};
	return path;
}

/* Appends s with escapes for characters that reverse or hide text. */
static void
add_visible(struct text *b, struct str s)
{
	struct text copy = {0};

	s.s = visible(s.s, &s.len, &copy);
	text_add(b, s.s, s.len);
	text_free(&copy);
}

/* True if the name is its place, as that of a Lua function: "[trace] a.lua:12". */
static bool
is_place(struct str name, struct str file)
{
	size_t len = name.len;

	while (len > 0 && name.s[len - 1] >= '0' && name.s[len - 1] <= '9')
		len--;
	return len < name.len && len > file.len && name.s[len - 1] == ':' &&
	       memcmp(name.s + len - 1 - file.len, file.s, file.len) == 0;
}

void
label_add_place(struct text *b, const struct frame_name *n)
{
	if (n->file.len == 0 || is_place((struct str){n->text, n->len}, n->file))
		return;
	text_puts(b, " (");
	add_visible(b, n->file);
	if (name_is_anonymous(n))
		text_printf(b, ":%u", n->line);
	text_char(b, ')');
}

/*
 * True for script functions with their source in the name, as profilers of interpreters write
 * them: "py::handler:/srv/app/order.py", "handler /srv/app/order.js:12:3". Sets the function
 * and the last segment of the file.
 */
static bool
is_script(const char *s, size_t len, struct str *function, struct str *file)
{
	const char *path = NULL;
	size_t begin = 0, end = len;

	if (text_starts(s, len, "py::"))
		begin = 4;
	for (size_t i = begin + 1; i + 2 < len && path == NULL; i++)
		if (((s[i] == ':' && begin != 0) || s[i] == ' ') && s[i + 1] != ' ' &&
		    (s[i + 1] == '/' || text_starts(s + i + 1, len - i - 1, "file:///") ||
			(begin != 0 && s[i + 1] == '<')))
			path = s + i;
	if (path == NULL || memchr(path, '(', len - (size_t)(path - s)) != NULL ||
	    (begin == 0 && memchr(path + 1, ' ', len - (size_t)(path + 1 - s)) != NULL))
		return false;
	*function = (struct str){s + begin, (size_t)(path - s) - begin};
	while (end > 0 && (s[end - 1] == ':' || (s[end - 1] >= '0' && s[end - 1] <= '9')))
		end--;
	if (end < len && s[end] != ':')
		end = len;
	for (const char *p = path; p < s + end; p++)
		if (*p == '/')
			path = p;
	*file = (struct str){path + 1, (size_t)(s + end - path - 1)};
	return file->len > 0;
}

void
label_add(struct text *b, const struct frame_name *n, unsigned columns, bool cut_right)
{
	struct text shorter = {0}, shown = {0}, script = {0};
	size_t len = canonical_without_hash(n->text, n->len), step;
	struct str function = {0}, file;
	const char *s;
	unsigned width;

	if (columns < 3)
		return;
	s = visible(n->text, &len, &shown);
	if (!cut_right && is_script(s, len, &function, &file)) {
		text_add(&script, function.s, function.len);
		text_puts(&script, " (");
		text_add(&script, file.s, file.len);
		text_char(&script, ')');
	} else if (!cut_right && name_is_anonymous(n)) {
		struct frame_name short_file = *n;

		short_file.file = label_last_segment(n->file);
		function = (struct str){s, len};
		text_add(&script, s, len);
		label_add_place(&script, &short_file);
	}
	if (script.len > 0) {
		s = script.s;
		/* Omits the file if both do not fit. */
		len = label_width(s, script.len) > columns ? function.len : script.len;
	}
	width = label_width(s, len);
	if (width > columns && !cut_right && (step = return_type(s, len)) > 0) {
		s += step;
		len -= step;
		width = label_width(s, len);
	}
	if (width > columns && !cut_right) {
		collapse(&shorter, s, len);
		s = shorter.s;
		len = shorter.len;
		width = label_width(s, len);
		if (width > columns) {
			len = without_arguments(s, len);
			width = label_width(s, len);
		}
		while (width > columns && (step = segment(s, len)) != 0) {
			width -= label_width(s, step);
			s += step;
			len -= step;
		}
	}
	if (width > columns || len > 4 * (size_t)columns)
		cut(b, s, len, columns);
	else
		text_add(b, s, len);
	text_free(&shorter);
	text_free(&shown);
	text_free(&script);
}

void
label_function(struct text *b, const struct frame_name *n, unsigned columns)
{
	struct frame_name shown = *n;
	struct str module = {n->start, n->module};
	struct text before = {0}, after = {0};
	size_t begin = b->len;
	unsigned taken;

	if (label_width(n->start, n->bare) + label_width(n->file.s, n->file.len) + 4 > columns) {
		module = label_last_segment(module);
		shown.file = label_last_segment(n->file);
	}
	if (module.len > 0 && name_start_module(n).len == 0) { /* which has it in the text */
		add_visible(&before, module);
		text_char(&before, '`');
	}
	label_add_place(&after, &shown);
	taken = label_width(before.len > 0 ? before.s : "", before.len) +
		label_width(after.len > 0 ? after.s : "", after.len);
	/* Module and file may take at most half of the width. */
	if (2 * taken > columns || before.len + after.len > 2 * (size_t)columns) {
		text_cut(&before, 0);
		text_cut(&after, 0);
		taken = 0;
	}
	if (before.len > 0)
		text_add(b, before.s, before.len);
	if (after.len > 0)
		shown.line = 0;
	label_add(b, &shown, columns > taken + 3 ? columns - taken : 3, false);
	if (after.len > 0)
		text_add(b, after.s, after.len);
	if (b->len == begin)
		text_puts(b, "(no name)");
	text_free(&before);
	text_free(&after);
}
