/*
 * frameline: names as the classic scripts write them, without what they break:
 * argument lists go, but only at the end and outside brackets; Rust's old
 * mangling is repaired; [unknown] becomes its module; suffixes say where a
 * frame belongs (folded(5)).
 */
#include "frameline.h"

#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "frame.h"
#include "text.h"

/* A name on its way; longer ones are cut, which no symbol comes near. */
struct text {
	char s[16384];
	size_t len;
};

static void
put(struct text *t, const char *s, size_t len)
{
	if (len > sizeof t->s - t->len)
		len = sizeof t->s - t->len;
	memcpy(t->s + t->len, s, len);
	t->len += len;
}

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

static const char *
skip_blanks(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s;
}

/* Where the hexadecimal address that begins a line ends, or NULL when none does. */
static const char *
after_address(const char *line, const char *end)
{
	const char *s = skip_blanks(line, end), *digits = s;

	while (s < end && is_hex(*s))
		s++;
	return s > digits && s < end && (*s == ' ' || *s == '\t') ? s : NULL;
}

bool
frame_begins(const char *line, const char *end)
{
	return after_address(line, end) != NULL;
}

static bool
is_kernel(const char *module, size_t len)
{
	static const char *const user[] = {"[unknown]", "[heap]", "[stack]", "[anon]", "[vdso]", "[JIT]"};
	const char *slash = memrchr(module, '/', len);
	const char *base = slash != NULL ? slash + 1 : module;

	if (len > 0 && module[0] == '[') {
		for (size_t i = 0; i < sizeof user / sizeof user[0]; i++)
			if (text_starts(module, len, user[i]))
				return false;
		return true;
	}
	len -= (size_t)(base - module);
	return text_starts(base, len, "vmlinux") || text_ends(base, len, ".ko") ||
	       text_ends(base, len, ".ko.xz") || text_ends(base, len, ".ko.zst") ||
	       text_ends(base, len, ".ko.gz");
}

static bool
is_jit(const char *module, size_t len)
{
	const char *slash = memrchr(module, '/', len);

	if (text_starts(module, len, "[JIT]"))
		return true;
	if (slash == NULL)
		return false;
	slash++;
	len -= (size_t)(slash - module);
	return (text_starts(slash, len, "perf-") && text_ends(slash, len, ".map")) ||
	    (text_starts(slash, len, "jitted-") && text_ends(slash, len, ".so"));
}

static bool
is_library(const char *module, size_t len)
{
	const char *so;

	if (text_ends(module, len, " (deleted)"))
		len -= strlen(" (deleted)");
	so = memmem(module, len, ".so.", 4);
	return text_ends(module, len, ".so") || text_ends(module, len, ".dylib") ||
	    (so != NULL && memchr(so, '/', len - (size_t)(so - module)) == NULL);
}

enum kind { KIND_PROGRAM, KIND_INLINED, KIND_KERNEL, KIND_JIT, KIND_LIBRARY };

/* What a module is. Lines of one module follow each other, so the last answer is remembered. */
static enum kind
module_kind(const char *module, size_t len)
{
	static _Thread_local struct {
		char module[256];
		size_t len;
		enum kind kind;
	} last;

	if (len > 0 && len == last.len && memcmp(module, last.module, len) == 0)
		return last.kind;
	last.len = len <= sizeof last.module ? len : 0;
	memcpy(last.module, module, last.len);
	last.kind = text_is(module, len, "inlined") ? KIND_INLINED /* perf script's word for it */
	    : is_kernel(module, len)		    ? KIND_KERNEL
	    : is_jit(module, len)		    ? KIND_JIT
	    : is_library(module, len)		    ? KIND_LIBRARY
						    : KIND_PROGRAM;
	return last.kind;
}

static const char *
annotation(const struct options *o, enum kind kind)
{
	static const struct {
		unsigned wanted;
		const char *suffix;
	} of[] = {
	    [KIND_INLINED] = {ANNOTATE_INLINE, "_[i]"},
	    [KIND_KERNEL] = {ANNOTATE_KERNEL, "_[k]"},
	    [KIND_JIT] = {ANNOTATE_JIT, "_[j]"},
	    [KIND_LIBRARY] = {ANNOTATE_LIBRARY, "_[l]"},
	};

	return o->annotate & of[kind].wanted ? of[kind].suffix : "";
}

/*
 * A name that Rust's old scheme spelled with letters only: `$LT$` for <, `..` for
 * ::, and an underscore in front of an element that begins with an escape
 * (rustc-demangle, src/legacy.rs).
 */
static void
put_rust(struct text *t, const char *s, size_t len)
{
	static const struct {
		const char *from, *to;
	} escape[] = {
	    {"$SP$", "@"}, {"$BP$", "*"}, {"$RF$", "&"}, {"$LT$", "<"}, {"$GT$", ">"}, {"$LP$", "("},
	    {"$RP$", ")"}, {"$C$", ","}, {"$u7e$", "~"}, {"$u20$", " "}, {"$u27$", "'"}, {"$u5b$", "["},
	    {"$u5d$", "]"}, {"$u7b$", "{"}, {"$u7d$", "}"}, {"$u3b$", ":"}, {"$u2b$", "+"}, {"$u22$", "\""},
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

			put(t, escape[i].to, strlen(escape[i].to));
			s += n;
			len -= n;
			colons = 0;
		} else {
			colons = *s == ':' ? colons + 1 : 0;
			put(t, s++, 1);
			len--;
		}
	}
}

/* The name of one function, tidied. */
static void
put_function(struct text *t, const char *s, size_t len, bool java)
{
	char *demangled = NULL;
	size_t n;

	if (text_starts(s, len, "_R")) {
		demangled = demangle(s, len, false);
		if (demangled != NULL) {
			s = demangled;
			len = strlen(s);
		}
	}
	n = frame_without_hash(s, len);
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
	if (java && memchr(s, '(', len) != NULL) /* a descriptor: run()V */
		len = (size_t)((const char *)memchr(s, '(', len) - s);
	put(t, s, demangled != NULL ? len : frame_without_arguments(s, len));
	free(demangled);
}

/* A module's name without its folders and what perf says of a file that is gone. */
static void
put_base(struct text *t, const char *module, size_t len)
{
	const char *slash;

	if (text_ends(module, len, " (deleted)"))
		len -= strlen(" (deleted)");
	slash = memrchr(module, '/', len);
	if (slash != NULL) {
		len -= (size_t)(slash + 1 - module);
		module = slash + 1;
	}
	put(t, module, len);
}

/* `[unknown]` in a module that is known: [module], with --addrs [module <addr>]. */
static void
put_unknown(const struct options *o, struct text *t, const char *address, size_t address_len,
    const char *module, size_t module_len)
{
	put(t, "[", 1);
	if (module_len == 0 || text_starts(module, module_len, "[unknown]"))
		put(t, "unknown", 7);
	else
		put_base(t, module, module_len);
	if (o->addrs) {
		put(t, " <", 2);
		put(t, address, address_len);
		put(t, ">", 1);
	}
	put(t, "]", 1);
}

/*
 * `symbol (module)`: the module is the last bracketed group, which may hold
 * brackets itself as in (lib.so (deleted)). Without one, all is symbol.
 */
static const char *
find_module(const char *s, const char *end)
{
	const char *last, *open = end;
	int depth = 0;

	if (s == end || end[-1] != ')')
		return NULL;
	last = memrchr(s, '(', (size_t)(end - s));
	if (last == NULL)
		return NULL;
	if (memchr(last, ')', (size_t)(end - 1 - last)) == NULL) { /* no brackets within it, as mostly */
		open = last;
	} else {
		do {
			open--;
			if (*open == ')')
				depth++;
			else if (*open == '(')
				depth--;
		} while (open > s && depth > 0);
		if (depth != 0) /* an odd bracket in a path */
			open = last;
	}
	return open == s || open[-1] == ' ' || open[-1] == '\t' ? open : NULL;
}

/* The end of a symbol without its +0x offset. */
static const char *
without_offset(const char *s, const char *end)
{
	const char *p = end;

	while (p > s && is_hex(p[-1]))
		p--;
	return p < end && p - s >= 3 && memcmp(p - 3, "+0x", 3) == 0 ? p - 3 : end;
}

/* ` (file:line)` from the line below; without line information perf script repeats module and address there. */
static void
put_source(struct text *t, const char *line, const char *end)
{
	const char *source = skip_blanks(line, end), *source_end = source;

	while (source_end < end && *source_end != '\n' && *source_end != '\r')
		source_end++;
	if (source < source_end && memchr(source, '[', (size_t)(source_end - source)) == NULL) {
		put(t, " (", 2);
		put(t, source, (size_t)(source_end - source));
		put(t, ")", 1);
	}
}

size_t
frame_parse(const struct options *o, struct calltree *t, const char *line, const char *end, bool java,
    uint32_t name[FRAME_MAX])
{
	const char *newline = memchr(line, '\n', (size_t)(end - line));
	const char *stop = newline != NULL ? newline : end;
	const char *address, *symbol, *symbol_end, *module, *arrow;
	size_t address_len, module_len = 0, n = 0;
	enum kind kind;
	bool split;

	symbol = after_address(line, stop);
	if (symbol == NULL)
		return 0;
	while (stop > symbol && (stop[-1] == ' ' || stop[-1] == '\r' || stop[-1] == '\t'))
		stop--;
	address = skip_blanks(line, stop);
	address_len = (size_t)(symbol - address);
	symbol = skip_blanks(symbol, stop);
	module = find_module(symbol, stop);
	symbol_end = stop;
	if (module != NULL) {
		symbol_end = module++;
		module_len = (size_t)(stop - 1 - module);
		while (symbol_end > symbol && (symbol_end[-1] == ' ' || symbol_end[-1] == '\t'))
			symbol_end--;
	} else {
		module = "";
	}
	symbol_end = without_offset(symbol, symbol_end);

	/* perf-map-agent writes inlined Java methods as a->b->c; C++ has -> of its own. */
	kind = module_kind(module, module_len);
	split = java || kind == KIND_JIT;
	for (; n < FRAME_MAX; symbol = arrow + 2) {
		static _Thread_local struct text scratch;
		struct text *text = &scratch;
		const char *suffix = n > 0 ? "_[i]" : annotation(o, kind);
		size_t len;

		text->len = 0;
		arrow = split && n + 1 < FRAME_MAX
		    ? memmem(symbol, (size_t)(symbol_end - symbol), "->", 2) : NULL;
		len = (size_t)((arrow != NULL ? arrow : symbol_end) - symbol);
		if (len == 0 || text_is(symbol, len, "[unknown]")) {
			put_unknown(o, text, address, address_len, module, module_len);
		} else {
			if (o->module && module_len > 0 && kind != KIND_INLINED &&
			    !text_starts(module, module_len, "[unknown]")) {
				put_base(text, module, module_len);
				put(text, "`", 1);
			}
			put_function(text, symbol, len, java);
		}
		if (newline != NULL && o->srcline && arrow == NULL)
			put_source(text, newline + 1, end);
		folded_clean(text->s, text->len);
		while (text->len > 0 && text->s[text->len - 1] == ' ') /* readers of a leaf drop these */
			text->len--;
		put(text, suffix, strlen(suffix));
		name[n++] = calltree_intern(t, text->s, text->len);
		if (arrow == NULL)
			break;
	}
	return n;
}
