/*
 * plainname: function names as the classic scripts write them, without their mistakes:
 * argument lists are removed only at the end and outside brackets, and Rust's legacy
 * mangling is decoded.
 */
#include "fg-collapse/shape/plainname.h"

#include <stdlib.h>

#include "dwarf/demangle.h"
#include "names/canonical.h"
#include "names/frame.h"

/*
 * Decodes Rust's legacy mangling: `$LT$` for <, `..` for ::, and an underscore before an
 * element that begins with an escape (rustc-demangle, src/legacy.rs).
 */
static void
put_rust(struct text *t, const char *s, size_t len)
{
	static const struct {
		const char *from, *to;
	} escape[] = {
	    {"$SP$", "@"},
	    {"$BP$", "*"},
	    {"$RF$", "&"},
	    {"$LT$", "<"},
	    {"$GT$", ">"},
	    {"$LP$", "("},
	    {"$RP$", ")"},
	    {"$C$", ","},
	    {"$u7e$", "~"},
	    {"$u20$", " "},
	    {"$u27$", "'"},
	    {"$u5b$", "["},
	    {"$u5d$", "]"},
	    {"$u7b$", "{"},
	    {"$u7d$", "}"},
	    {"$u3b$", ":"},
	    {"$u2b$", "+"},
	    {"$u22$", "\""},
	    {"..", "::"},
	};

	for (unsigned colons = 2; len > 0;) {
		size_t i = 0;

		if (colons == 2 && text_starts(s, len, "_$")) {
			s++;
			len--;
		}
		while (i < sizeof escape / sizeof escape[0] && !text_starts(s, len, escape[i].from))
			i++;
		if (i < sizeof escape / sizeof escape[0]) {
			size_t n = strlen(escape[i].from);

			text_add(t, escape[i].to, strlen(escape[i].to));
			s += n;
			len -= n;
			colons = 0;
		} else {
			colons = *s == ':' ? colons + 1 : 0;
			text_add(t, s++, 1);
			len--;
		}
	}
}

/* Length without the suffix that LLVM adds to functions it made local: `f.llvm.788`, `f
 * (.llvm.788)`. */
static size_t
without_llvm(const char *s, size_t len)
{
	const char last = len > 0 ? s[len - 1] : '\0', *at;
	size_t n, i;

	if ((last < '0' || last > '9') && last != ')' && last != '.') /* most names */
		return len;
	at = memmem(s, len, ".llvm.", 6);
	n = at == NULL ? len : (size_t)(at - s);
	i = n + 6;
	while (i < len && s[i] >= '0' && s[i] <= '9')
		i++;
	if (at == NULL || n == 0 || (i != len && !(i + 1 == len && s[i] == ')')))
		return len;
	return n >= 2 && s[n - 1] == '(' && s[n - 2] == ' ' ? n - 2 : n;
}

void
plainname_add(struct text *t, struct str name, bool java)
{
	const char *s = name.s;
	size_t len = name.len;
	char *demangled = NULL;
	size_t n;

	len = text_without_version(s, len);
	if (len == 0)
		return;
	if (text_starts(s, len, "_R")) {
		demangled = demangle(s, len, false);
		if (demangled != NULL) {
			s = demangled;
			len = strlen(s);
		}
	}
	len = without_llvm(s, len);
	n = canonical_without_hash(s, len);
	if (n != len) {
		len = n;
		if (memchr(s, '$', len) != NULL || memmem(s, len, "..", 2) != NULL) {
			put_rust(t, s, len);
			return;
		}
	}
	if (java && len > 1 && s[0] == 'L' && memchr(s, '/', len) != NULL) {
		s++;
		len--;
	}
	if (java && memchr(s, '(', len) != NULL) /* a Java descriptor: run()V */
		len = (size_t)((const char *)memchr(s, '(', len) - s);
	text_add(t, s, demangled != NULL ? len : frame_without_arguments(s, len));
	free(demangled);
}

void
plainname_demangle(struct text *t, struct str name)
{
	char *demangled = demangle(name.s, name.len, false);

	if (demangled != NULL)
		text_puts(t, demangled);
	else
		plainname_add(t, name, false);
	free(demangled);
}

/* True if the < or > at i is not a bracket, but part of an operator's name or of an arrow. */
static size_t
angle_is_name(struct str text, size_t i)
{
	const char *op;

	if (text.s[i] == '>' && i > 0 && text.s[i - 1] == '-')
		return true;
	for (op = text.s + i; op > text.s && strchr("<>=", op[-1]) != NULL; op--)
		continue;
	return text_ends(text.s, (size_t)(op - text.s), "operator");
}

size_t
plainname_before_arguments(struct str text)
{
	size_t first = text.len;
	int depth = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.s[i];

		if (c == '(' && i > 0 && text.s[i - 1] == ' ') {
			if (depth == 0)
				return i - 1;
			if (first == text.len)
				first = i - 1;
		}
		if (c == '(' || c == '{' || c == '[')
			depth++;
		else if (c == ')' || c == '}' || c == ']')
			depth -= depth > 0;
		else if ((c == '<' || c == '>') && !angle_is_name(text, i))
			depth += c == '<' ? 1 : depth > 0 ? -1 : 0;
	}
	return first; /* unbalanced brackets */
}

size_t
plainname_without_offset(struct str name)
{
	size_t i = name.len, plus;

	for (int part = 0; part < 2; part++) { /* +0x1f/0x40 */
		while (i > 0 && ((name.s[i - 1] >= '0' && name.s[i - 1] <= '9') ||
				    (name.s[i - 1] >= 'a' && name.s[i - 1] <= 'f')))
			i--;
		if (i >= 2 && name.s[i - 1] == 'x' && name.s[i - 2] == '0')
			i -= 2;
		if (i == 0 || name.s[i - 1] != '/' || part == 1)
			break;
		i--;
	}
	if (i < 2 || i == name.len || name.s[i - 1] != '+')
		return name.len;
	plus = i - 1;
	/* An offset without 0x is decimal, so a name like x+abc stays. */
	if (name.s[i] != '0' || i + 1 == name.len || name.s[i + 1] != 'x')
		for (; i < name.len; i++)
			if (name.s[i] < '0' || name.s[i] > '9')
				return name.len;
	return plus;
}
