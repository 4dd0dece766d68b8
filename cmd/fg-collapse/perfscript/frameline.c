/*
 * frameline: names as the classic scripts write them (funcname.h); [unknown] becomes
 * its module; suffixes say where a frame belongs (folded(5)).
 */
#include "frameline.h"

#include <stdlib.h>
#include <string.h>

#include "fg-collapse/shape/funcname.h"
#include "profile/frame.h"

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

/* What a module is. Lines of one module follow each other, so the last answer is remembered. */
static enum frame_kind
module_kind(struct str module)
{
	static _Thread_local struct {
		char module[256];
		size_t len;
		enum frame_kind kind;
	} last;

	if (module.len > 0 && module.len == last.len &&
	    memcmp(module.s, last.module, module.len) == 0)
		return last.kind;
	last.len = module.len <= sizeof last.module ? module.len : 0;
	memcpy(last.module, module.s, last.len);
	return last.kind = frame_kind_of(module);
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
	if (memchr(last, ')', (size_t)(end - 1 - last)) ==
	    NULL) { /* no brackets within it, as mostly */
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

/* The source from the line below; without line information perf script repeats module and address
 * there. */
static void
read_source(struct frame *f, const char *line, const char *end)
{
	const char *source = skip_blanks(line, end), *source_end = source;

	while (source_end < end && *source_end != '\n' && *source_end != '\r')
		source_end++;
	if (source < source_end && memchr(source, '[', (size_t)(source_end - source)) == NULL)
		f->file = (struct str){source, (size_t)(source_end - source)};
}

size_t
frame_parse(
    struct sampler *s, const char *line, const char *end, bool java, uint32_t name[FRAME_MAX])
{
	static _Thread_local struct text function;
	const char *newline = memchr(line, '\n', (size_t)(end - line));
	const char *stop = newline != NULL ? newline : end;
	const char *symbol, *symbol_end, *module, *arrow;
	struct frame f = {0};
	size_t n = 0;
	bool split;

	symbol = after_address(line, stop);
	if (symbol == NULL)
		return 0;
	while (stop > symbol && (stop[-1] == ' ' || stop[-1] == '\r' || stop[-1] == '\t'))
		stop--;
	f.address = strtoull(line, NULL, 16);
	f.has_address = true;
	symbol = skip_blanks(symbol, stop);
	module = find_module(symbol, stop);
	symbol_end = stop;
	if (module != NULL) {
		symbol_end = module;
		f.module = (struct str){module + 1, (size_t)(stop - 1 - (module + 1))};
		while (symbol_end > symbol && (symbol_end[-1] == ' ' || symbol_end[-1] == '\t'))
			symbol_end--;
	}
	symbol_end = without_offset(symbol, symbol_end);
	f.kind = module_kind(f.module);
	if (str_equal(f.module, str_of("inlined"))) { /* perf script's word for it */
		f.inlined = true;
		f.module.len = 0;
	} else if (text_starts(f.module.s, f.module.len, "[unknown]")) {
		f.module.len = 0;
	}
	if (newline != NULL)
		read_source(&f, newline + 1, end);

	/* perf-map-agent writes inlined Java methods as a->b->c; C++ has -> of its own. */
	split = java || f.kind == FRAME_JIT;
	for (; n < FRAME_MAX; symbol = arrow + 2) {
		struct frame one = f;
		size_t len;

		arrow = split && n + 1 < FRAME_MAX
			    ? memmem(symbol, (size_t)(symbol_end - symbol), "->", 2)
			    : NULL;
		len = (size_t)((arrow != NULL ? arrow : symbol_end) - symbol);
		one.inlined |= n > 0;
		if (arrow != NULL)
			one.file.len = 0;
		if (len > 0 && !text_is(symbol, len, "[unknown]")) {
			text_cut(&function, 0);
			funcname_add(&function, (struct str){symbol, len}, java);
			one.function = text_as_str(&function);
		}
		name[n++] = sample_name(s, &one);
		if (arrow == NULL)
			break;
	}
	return n;
}
