/*
 * canonical: removes decorations from the end of a name first, then those inside it.
 */
#include "names/canonical.h"

#include <ctype.h>
#include <string.h>

#define SHAPE "[go.shape."

size_t
canonical_without_hash(const char *s, size_t len)
{
	if (len <= 19 || memcmp(s + len - 19, "::h", 3) != 0)
		return len;
	for (size_t i = len - 16; i < len; i++)
		if (strchr("0123456789abcdef", s[i]) == NULL || s[i] == '\0')
			return len;
	return len - 19;
}

bool
canonical_is_erlang(struct str s)
{
	size_t n = s.len;

	while (n > 0 && s.s[n - 1] >= '0' && s.s[n - 1] <= '9')
		n--;
	return n > 3 && n < s.len && s.s[n - 1] == '/' && memchr(s.s, ':', n - 2) != NULL;
}

static size_t
without_suffixes(const char *s, size_t len)
{
	static const char *const abi[] = {".abi0", ".abiinternal"};

	len = text_without_version(s, len);
	for (size_t i = 0; i < sizeof abi / sizeof abi[0]; i++)
		if (text_ends(s, len, abi[i]) && len > strlen(abi[i]))
			len -= strlen(abi[i]);
	return canonical_without_hash(s, len);
}

/* Erlang writes shop:'-total/1-fun-0-'/2: it quotes atoms with other characters than words. */
static bool
has_quoted_atoms(struct str s)
{
	return memchr(s.s, '\'', s.len) != NULL && canonical_is_erlang(s);
}

static void
add_unquoted(struct text *t, struct str s)
{
	const char *quote;

	while ((quote = memchr(s.s, '\'', s.len)) != NULL) {
		text_add(t, s.s, (size_t)(quote - s.s));
		s.len -= (size_t)(quote + 1 - s.s);
		s.s = quote + 1;
	}
	text_add(t, s.s, s.len);
}

/* True for a name of PHP, with namespaces and without ->. */
static bool
is_php(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!isalnum((unsigned char)s.s[i]) && strchr("_\\:", s.s[i]) == NULL &&
		    (unsigned char)s.s[i] < 0x80)
			return false;
	return s.len > 0;
}

bool
canonical_xdebug(struct text *t, struct str name)
{
	const size_t prefix = strlen("php::");
	const bool builtin = name.len > prefix && memcmp(name.s, "php::", prefix) == 0;
	const char *s = name.s + (builtin ? prefix : 0), *end = name.s + name.len;
	const char *dash = s < end ? memchr(s, '-', (size_t)(end - s)) : NULL; /* in few names */
	const char *arrow = dash != NULL ? memmem(dash, (size_t)(end - dash), "->", 2) : NULL;
	const struct str before = {s, (size_t)((arrow != NULL ? arrow : end) - s)};

	if ((!builtin && arrow == NULL) || !is_php(before) ||
	    (arrow != NULL && !is_php((struct str){arrow + 2, (size_t)(end - arrow - 2)})))
		return false;
	text_str(t, before);
	if (arrow != NULL) {
		text_puts(t, "::");
		text_add(t, arrow + 2, (size_t)(end - arrow - 2));
	}
	return true;
}

/* The first type arguments of a Go function in s, or NULL. */
static const char *
find_shape(const char *s, size_t len)
{
	const char *bracket = memchr(s, SHAPE[0], len);

	if (bracket == NULL) /* most names */
		return NULL;
	return memmem(bracket, len - (size_t)(bracket - s), SHAPE, strlen(SHAPE));
}

bool
canonical_changes(const char *s, size_t len)
{
	if (len == 0)
		return false;
	return without_suffixes(s, len) != len || find_shape(s, len) != NULL ||
	       has_quoted_atoms((struct str){s, len});
}

void
canonical_add(struct text *t, struct str name)
{
	const char *s = name.s, *end = s + without_suffixes(s, name.len), *at;

	if (has_quoted_atoms(name)) {
		add_unquoted(t, name);
		return;
	}
	while ((at = find_shape(s, (size_t)(end - s))) != NULL) {
		int depth = 0;

		text_add(t, s, (size_t)(at - s));
		for (s = at; s < end; s++) {
			depth += *s == '[' ? 1 : *s == ']' ? -1 : 0;
			if (depth == 0)
				break;
		}
		if (s == end) { /* its bracket has no end */
			s = at;
			break;
		}
		s++;
		text_puts(t, "[...]");
	}
	text_add(t, s, (size_t)(end - s));
}

/* Takes a word off the front of s; false if s does not begin with it. */
static bool
take(struct str *s, const char *word)
{
	size_t n = strlen(word);

	if (!text_starts(s->s, s->len, word))
		return false;
	s->s += n;
	s->len -= n;
	return true;
}

/* Offset of the last occurrence of a character, or SIZE_MAX. */
static size_t
last(struct str s, char c)
{
	while (s.len > 0 && s.s[s.len - 1] != c)
		s.len--;
	return s.len - 1;
}

/* Cuts ":NUMBER" off the end of s and returns the number's digits; empty if there is none. */
static struct str
cut_digits(struct str *s)
{
	size_t colon = last(*s, ':');
	struct str n = {0};

	if (colon == SIZE_MAX || colon + 1 == s->len)
		return n;
	n = (struct str){s->s + colon + 1, s->len - colon - 1};
	for (size_t i = 0; i < n.len; i++)
		if (!isdigit((unsigned char)n.s[i]))
			return (struct str){0};
	s->len = colon;
	return n;
}

/*
 * V8's KIND:TIER FUNCTION FILE:LINE:COLUMN, with a function that may be empty or have blanks; and
 * RegExp:PATTERN.
 */
static bool
add_javascript(struct text *t, struct str s, bool source)
{
	struct str function, file, line, column;
	size_t blank;

	if (memchr("JLFSER", s.s[0], 6) == NULL) /* nearly all names */
		return false;
	if (take(&s, "RegExp:")) {
		if (s.len == 0 || s.s[0] == ':' || s.s[0] == ' ') /* a class of C++, or done */
			return false;
		text_puts(t, "RegExp: ");
		text_str(t, s);
		return true;
	}
	if (!take(&s, "JS:") && !take(&s, "LazyCompile:") && !take(&s, "Function:") &&
	    !take(&s, "Script:") && !take(&s, "Eval:"))
		return false;
	if (s.len > 0 && strchr("*~^+", s.s[0]) != NULL)
		s = (struct str){s.s + 1, s.len - 1};
	file = s;
	column = cut_digits(&file);
	line = cut_digits(&file);
	if (line.len == 0) { /* FILE:LINE of older versions */
		line = column;
		file.len = (line.len == 0 ? s.len : (size_t)(line.s - s.s) - 1);
	}
	blank = line.len == 0 ? SIZE_MAX : last(file, ' ');
	function = blank == SIZE_MAX ? file : (struct str){file.s, blank};
	file = blank == SIZE_MAX ? (struct str){0}
				 : (struct str){file.s + blank + 1, file.len - blank - 1};
	if (function.len == 0 && file.len == 0)
		return false;
	text_str(t, function.len > 0 ? function : str_of("(anonymous)"));
	if (file.len == 0 || (function.len > 0 && !source))
		return true;
	take(&file, "file://");
	text_puts(t, " (");
	text_str(t, file);
	text_char(t, ':');
	text_str(t, line);
	text_char(t, ')');
	return true;
}

/* Python's py::FUNCTION:FILE. */
static bool
add_python(struct text *t, struct str s)
{
	const char *colon;

	if (!take(&s, "py::") || (colon = memchr(s.s, ':', s.len)) == NULL || colon == s.s)
		return false;
	text_add(t, s.s, (size_t)(colon - s.s));
	text_printf(t, " (%.*s)", (int)(s.len - (size_t)(colon + 1 - s.s)), colon + 1);
	return true;
}

/* .NET's RESULT [MODULE] CLASS::METHOD(TYPES)[TIER]. */
static bool
add_dotnet(struct text *t, struct str s)
{
	const char *brackets, *open, *colons;
	struct str class;
	size_t end;

	if ((open = memchr(s.s, '(', s.len)) == NULL ||
	    memchr(s.s, '[', (size_t)(open - s.s)) == NULL ||
	    (brackets = memmem(s.s, (size_t)(open - s.s), "] ", 2)) == NULL ||
	    memchr(s.s, '[', (size_t)(brackets - s.s)) == NULL ||
	    (colons = memmem(s.s, (size_t)(open - s.s), "::", 2)) == NULL || brackets > colons)
		return false;
	class = (struct str){s.s, (size_t)(colons - s.s)};
	end = last(class, ' ') + 1;
	if (end == class.len || end < 2 || s.s[end - 2] != ']')
		return false;
	text_add(t, s.s + end, class.len - end);
	text_char(t, '.');
	text_add(t, colons + 2, (size_t)(open - colons) - 2);
	return true;
}

/* Java's RESULT CLASS.METHOD(TYPES). */
static bool
add_java(struct text *t, struct str s)
{
	const char *open, *blank, *method;

	if (s.s[s.len - 1] != ')' || (open = memchr(s.s, '(', s.len)) == NULL ||
	    (blank = memchr(s.s, ' ', (size_t)(open - s.s))) == NULL || blank == s.s)
		return false;
	method = blank + 1;
	if (method == open || *method == '.' ||
	    memchr(method, ' ', (size_t)(open - method)) != NULL ||
	    memchr(method, '.', (size_t)(open - method)) == NULL || memchr(s.s, ':', s.len) != NULL)
		return false;
	text_add(t, method, (size_t)(open - method));
	return true;
}

/* Erlang's $MODULE:FUNCTION/ARITY. */
static bool
add_erlang(struct text *t, struct str s)
{
	size_t slash;

	if (s.s[0] != '$') /* nearly all names */
		return false;
	slash = last(s, '/');
	if (slash == SIZE_MAX || slash + 1 == s.len || memchr(s.s, ':', slash) == NULL ||
	    text_starts(s.s, s.len, "$global::"))
		return false;
	for (size_t i = slash + 1; i < s.len; i++)
		if (s.s[i] < '0' || s.s[i] > '9')
			return false;
	add_unquoted(t, (struct str){s.s + 1, s.len - 1});
	return true;
}

bool
canonical_generated(struct text *t, struct str name, bool source)
{
	return name.len > 0 && (add_javascript(t, name, source) || add_python(t, name) ||
				   add_dotnet(t, name) || add_java(t, name) || add_erlang(t, name));
}

/* Removes the digits at the start of s. */
static void
drop_digits(struct str *s)
{
	while (s->len > 0 && isdigit((unsigned char)*s->s)) {
		s->s++;
		s->len--;
	}
}

size_t
canonical_hidden(char *s, size_t len, bool number)
{
	static const char lambda[] = "$$Lambda";
	struct str in = {s, len};
	char *out = s;

	if (memchr(s, '$', len) == NULL)
		return len;
	while (in.len > 0) {
		const char *from = in.s;
		size_t kept;

		if (!take(&in, lambda)) {
			*out++ = *in.s++;
			in.len--;
			continue;
		}
		if (take(&in, "$"))
			drop_digits(&in);
		kept = number ? strlen(lambda) : (size_t)(in.s - from);
		memmove(out, from, kept);
		out += kept;
		if (take(&in, "/0x") || take(&in, ".0x") || take(&in, "+0x")) {
			size_t n = text_hex(in.s, in.len, NULL);

			in = (struct str){in.s + n, in.len - n};
		} else if (in.len > 1 && in.s[0] == '/' && isdigit((unsigned char)in.s[1])) {
			take(&in, "/");
			drop_digits(&in);
		}
	}
	return (size_t)(out - s);
}

/* Cuts ":LINE" off the end of a place, and sets the line; false if it has none. */
static bool
cut_line(struct str *place, unsigned *line)
{
	size_t len = place->len;
	struct str digits = cut_digits(place);
	uint64_t number = 0;

	if (digits.len == 0 || digits.len > 8 || place->len == 0) {
		place->len = len;
		return false;
	}
	for (size_t i = 0; i < digits.len; i++)
		number = 10 * number + (uint64_t)(digits.s[i] - '0');
	*line = (unsigned)number;
	return true;
}

/* Lua's functions without a name: `function <x.lua:12>`, `x.lua:12`. */
static bool
lua_place(struct text *t, const char *s, size_t len, struct str *place, unsigned *line)
{
	static const char function[] = "function <";
	const char *at;
	size_t skip;

	if (s[len - 1] == '>') {
		if ((at = memmem(s, len, function, strlen(function))) == NULL)
			return false;
		at += strlen(function);
		*place = (struct str){at, (size_t)(s + len - at) - 1};
		if (!cut_line(place, line))
			return false;
		text_add(t, s, (size_t)(at - s));
	} else {
		*place = (struct str){s, len};
		if (!isdigit((unsigned char)s[len - 1]) || !cut_line(place, line) ||
		    !text_ends(place->s, place->len, ".lua"))
			return false;
		skip = last(*place, ' ') + 1; /* "[trace] x.lua:12" */
		text_add(t, s, skip);
		skip += s[skip] == '@';
		*place = (struct str){s + skip, place->len - skip};
		text_puts(t, t->len > 0 ? "<" : function);
	}
	skip = last(*place, '/') + 1;
	text_add(t, place->s + skip, place->len - skip);
	text_char(t, '>');
	return true;
}

bool
canonical_place(struct text *t, const char *s, size_t len, struct str *file, unsigned *line)
{
	static const struct {
		const char *start;
		char end;
		bool keep; /* the end is part of the name */
	} form[] = {{"__ANON__[", ']', false}, {"{closure:", '}', true}};
	struct str place = {0};
	unsigned number = 0;
	bool found = false;

	text_cut(t, 0);
	for (size_t i = 0; len > 0 && !found && i < sizeof form / sizeof form[0]; i++) {
		size_t n = strlen(form[i].start);
		const char *at =
		    s[len - 1] == form[i].end ? memmem(s, len, form[i].start, n) : NULL;

		if (at == NULL)
			continue;
		place = (struct str){at + n, len - (size_t)(at + n - s) - 1};
		if (!cut_line(&place, &number))
			continue;
		text_add(t, s, (size_t)(at - s) + n - 1);
		if (form[i].keep)
			text_char(t, form[i].end);
		found = true;
	}
	if (!found && (len == 0 || !lua_place(t, s, len, &place, &number)))
		return false;
	if (file->len == 0) {
		*file = place;
		*line = number;
	}
	return true;
}
