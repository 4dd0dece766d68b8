/*
 * strip: removes what distinguishes two frames of one function without describing it: addresses,
 * type arguments, argument lists, hashes, line numbers, suffixes of function copies. Annotations
 * stay, and so does a name that would become empty.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "fg-filter/filter.h"
#include "names/canonical.h"
#include "names/frame.h"

static bool
begins(const char *s, const char *end, const char *with)
{
	size_t n = strlen(with);

	return (size_t)(end - s) >= n && memcmp(s, with, n) == 0;
}

static const char *
skip_hex(const char *s, const char *end)
{
	return s + text_hex(s, (size_t)(end - s), NULL);
}

static const char *
skip_digits(const char *s, const char *end)
{
	while (s < end && isdigit((unsigned char)*s))
		s++;
	return s;
}

/*
 * Removes the addresses of `f+0x1c`, `f+0x1c/0x40` and `[libc.so <7f3c1e>]`; any other with at
 * least three digits becomes 0x..., as in difffolded.pl --strip-hex.
 */
static size_t
strip_addresses(char *s, size_t len)
{
	const char *end = s + len, *in = s;
	char *out = s;

	while (in < end) {
		const char *after;

		if (begins(in, end, "+0x") && (after = skip_hex(in + 3, end)) > in + 3) {
			if (begins(after, end, "/0x"))
				after = skip_hex(after + 3, end);
			in = after;
		} else if (begins(in, end, " <") && (after = skip_hex(in + 2, end)) > in + 2 &&
			   after < end && *after == '>') {
			in = after + 1;
		} else if (begins(in, end, "0x") && (after = skip_hex(in + 2, end)) > in + 4) {
			in = after;
			memcpy(out, "0x...", 5);
			out += 5;
		} else {
			*out++ = *in++;
		}
	}
	return (size_t)(out - s);
}

/*
 * Length of `operator` and its symbol, if that starts with < > or -, which are not brackets
 * here.
 */
static size_t
operator_length(const char *s, const char *end)
{
	static const char *const symbol[] = {
	    "<<=", "<=>", "<<", "<=", "<", "->*", "->", ">>=", ">>", ">=", ">", "[]", "()"};

	if (!begins(s, end, "operator"))
		return 0;
	for (size_t i = 0; i < sizeof symbol / sizeof symbol[0]; i++)
		if (begins(s + 8, end, symbol[i]))
			return 8 + strlen(symbol[i]);
	return 0;
}

/* The end of the type arguments that start with < or [ at s; NULL if unterminated. */
static const char *
skip_generics(const char *s, const char *end)
{
	char open = *s, close = open == '<' ? '>' : ']';
	int depth = 0;

	for (; s < end; s++) {
		if (*s == open)
			depth++;
		else if (*s == close && s[-1] != '-' && --depth == 0)
			return s + 1;
	}
	return NULL;
}

/*
 * True if type arguments start at s: after a name (C++, Java, Go's in []), or in Rust also after
 * ::. `<lambda(int)>`, `<init>`, `<T as Trait>::f` and `f[abi:cxx11]` are names.
 */
static bool
opens_generics(const char *name, const char *s, const char *end)
{
	char before = s > name ? s[-1] : '\0';

	/* A frame that has only annotations. */
	if (*s == '[' && before == '_' && end - s >= 3 && frame_is_letter(s[1]) && s[2] == ']' &&
	    (end - s == 3 || begins(s + 3, end, "_[")))
		return false;
	if (*s == '[')
		return (isalnum((unsigned char)before) || before == '_') && !begins(s, end, "[]") &&
		       !begins(s, end, "[abi:");
	if (*s != '<' || begins(s, end, "<lambda") || begins(s, end, "<unnamed"))
		return false;
	return isalnum((unsigned char)before) || before == '_' || (unsigned char)before >= 0x80 ||
	       (before == ':' && s - name >= 3 && s[-2] == ':');
}

/*
 * Sets a bit for each < and [ from s on that skip_generics does not find the end of, after the
 * first one: it would search to the end of the name again for each.
 */
static unsigned char *
find_unclosed(const char *s, const char *end)
{
	unsigned char *bit = cli_alloc((size_t)(end - s) / 8 + 1, 1);
	size_t angles = 0, squares = 0; /* closed, not yet opened: from the end to the start */

	for (const char *at = end; at-- > s;) {
		size_t *closed = *at == '<' || *at == '>' ? &angles : &squares;

		if ((*at == '>' || *at == ']') && (at == s || at[-1] != '-'))
			++*closed;
		else if ((*at == '<' || *at == '[') && *closed > 0)
			--*closed;
		else if (*at == '<' || *at == '[')
			bit[(at - s) / 8] |= (unsigned char)(1U << (at - s) % 8);
	}
	return bit;
}

/* skip_generics, with the bits of the opening brackets from *from on, NULL before the first one. */
static const char *
skip_closed(const char *s, const char *end, unsigned char **unclosed, const char **from)
{
	const char *after;

	if (*unclosed != NULL && ((*unclosed)[(s - *from) / 8] >> (s - *from) % 8 & 1) != 0)
		return NULL;
	after = skip_generics(s, end);
	if (after == NULL && *unclosed == NULL) {
		*unclosed = find_unclosed(s, end);
		*from = s;
	}
	return after;
}

static size_t
strip_generics(char *s, size_t len)
{
	const char *end = s + len, *in = s, *from = NULL;
	unsigned char *unclosed = NULL;
	char *out = s;

	while (in < end) {
		size_t symbol = operator_length(in, end);
		const char *after = NULL;

		if (symbol > 0) {
			memmove(out, in, symbol);
			out += symbol;
			in += symbol;
			if (begins(in, end, " <")) /* operator< <int> */
				after = skip_closed(in + 1, end, &unclosed, &from);
			else if (begins(in, end, "<") && in[-1] != '<')
				after = skip_closed(in, end, &unclosed, &from);
		} else if (opens_generics(s, in, end)) {
			after = skip_closed(in, end, &unclosed, &from);
			if (after != NULL && out - s >= 2 && out[-1] == ':')
				out -= 2;
		}
		if (after != NULL)
			in = after;
		else if (symbol == 0)
			*out++ = *in++;
	}
	free(unclosed);
	return (size_t)(out - s);
}

/*
 * Removes Rust's ::h with 16 digits, LLVM's .llvm.123, and the numbers of Java's hidden classes:
 * A$$Lambda$14/0x7f10.run becomes A$$Lambda.run.
 */
static size_t
strip_hashes(char *s, size_t len)
{
	static const char llvm[] = ".llvm.";
	const char *end, *in = s;
	char *out = s;

	len = canonical_hidden(s, canonical_without_hash(s, len), true);
	end = s + len;
	while (in < end) {
		if (begins(in, end, llvm) &&
		    skip_digits(in + strlen(llvm), end) > in + strlen(llvm))
			in = skip_digits(in + strlen(llvm), end);
		else
			*out++ = *in++;
	}
	return (size_t)(out - s);
}

/* Removes `:12` and `:12:3` at the end, or before a bracket that ends the name. */
static size_t
strip_lines(char *s, size_t len)
{
	size_t close = len > 0 && s[len - 1] == ')', end = len - close, from = end;

	for (int numbers = 0; numbers < 2; numbers++) {
		size_t i = from;

		while (i > 0 && isdigit((unsigned char)s[i - 1]))
			i--;
		if (i == from || i < 2 || s[i - 1] != ':' || s[i - 2] == ':')
			break;
		from = i - 1;
	}
	memmove(s + from, s + end, close);
	return from + close;
}

size_t
strip_frame(unsigned what, char *s, size_t len)
{
	static const struct {
		unsigned bit;
		size_t (*strip)(char *s, size_t len);
	} strippers[] = {
	    {STRIP_ADDRESSES, strip_addresses},
	    {STRIP_HASHES, strip_hashes},
	    {STRIP_GENERICS, strip_generics},
	};
	size_t body, n;
	size_t tail = frame_body(s, len);

	/* ` (file:line)` and annotations follow the name: remove the line in there first. */
	if (what & STRIP_LINES) {
		size_t end = len;

		while (end > tail && s[end - 1] == ']')
			end -= 4;
		n = strip_lines(s, end);
		memmove(s + n, s + end, len - end);
		len -= end - n;
		if (tail > n)
			tail = n;
	}
	body = tail;
	for (size_t i = 0; i < sizeof strippers / sizeof strippers[0]; i++)
		if (what & strippers[i].bit) {
			n = strippers[i].strip(s, body);
			if (n > 0)
				body = n;
		}
	if (what & STRIP_CLONES)
		body = frame_without_clones(s, body);
	if (what & STRIP_ARGS)
		body = frame_without_arguments(s, body);
	memmove(s + body, s + tail, len - tail);
	return len - (tail - body);
}

unsigned
strip_parse(const char *list)
{
	static const char *const word[] = {
	    "addresses", "generics", "args", "hashes", "lines", "clones"};
	unsigned bits = 0;

	for (;;) {
		size_t n = strcspn(list, ","), i = 0;

		while (i < sizeof word / sizeof word[0] &&
		       (strlen(word[i]) != n || memcmp(word[i], list, n) != 0))
			i++;
		if (i == sizeof word / sizeof word[0])
			return 0;
		bits |= 1u << i;
		if (list[n] == '\0')
			return bits;
		list += n + 1;
	}
}
