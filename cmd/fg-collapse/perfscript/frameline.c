/*
 * frameline: names as stackcollapse-perf.pl writes them (funcname.h). [unknown] becomes
 * its module; annotations give the kind of frame (folded(5)).
 */
#include "fg-collapse/perfscript/frameline.h"

#include <stdlib.h>
#include <string.h>

#include "base/chars.h"
#include "fg-collapse/shape/plainname.h"
#include "names/canonical.h"
#include "names/frame.h"
#include "sample/nodes.h"

static bool
is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/*
 * The end of the hexadecimal address at the start of a line, or NULL if there is none.
 * perf script writes a TAB and the address with a width of 16.
 */
static const char *
after_address(const char *line, const char *end)
{
	const char *s = line, *digits;

	if (frameline_usual(line, end))
		return line + FRAMELINE_SYMBOL - 1;
	for (; end - s > 16; s += 16) {
		uint32_t blank = chars_is16(s, ' ') | chars_is16(s, '\t');

		if (blank != 0xffff) {
			s += chars_first(blank);
			break;
		}
	}
	s = digits = skip_blanks(s, end);
	if (end - s > 16)
		s += chars_first(chars_hex16(s));
	while (s < end && is_hex(*s))
		s++;
	return s > digits && s < end && is_blank(*s) ? s : NULL;
}

bool
frameline_begins(const char *line, const char *end)
{
	return after_address(line, end) != NULL;
}

/* The kind of a module. Neighbouring lines often have one module: the last result is cached. */
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
 * `symbol (module)`: the module is the last group in parentheses, which may contain
 * parentheses, as in (lib.so (deleted)). NULL if there is no such group.
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
	    NULL) { /* no parentheses inside: the usual case */
		open = last;
	} else {
		do {
			open--;
			if (*open == ')')
				depth++;
			else if (*open == '(')
				depth--;
		} while (open > s && depth > 0);
		if (depth != 0) /* unbalanced parentheses in a path */
			open = last;
	}
	return open == s || open[-1] == ' ' || open[-1] == '\t' ? open : NULL;
}

/* The end of a symbol without its +0x offset. */
static const char *
without_offset(const char *s, const char *end)
{
	const char *p = end;

	if (end - s >= 16)
		p -= chars_last(chars_hex16(p - 16));
	while (p > s && is_hex(p[-1]))
		p--;
	return p < end && p - s >= 3 && memcmp(p - 3, "+0x", 3) == 0 ? p - 3 : end;
}

bool
frameline_split(struct frameline *f, const char *line, const char *end, struct str *likely)
{
	const char *symbol = after_address(line, end), *module;
	size_t tail = likely->len + strlen(" ()");
	bool is_likely;

	f->module = (struct str){line, 0};
	if (symbol == NULL)
		return false;
	while (end > symbol && (is_blank(end[-1]) || end[-1] == '\r'))
		end--;
	f->address = line;
	symbol = skip_blanks(symbol, end);
	is_likely = likely->len > 0 && (size_t)(end - symbol) > tail &&
		    memcmp(end - tail, likely->s - 2, tail) == 0;
	if (is_likely)
		module = end - tail + 1;
	else
		module = find_module(symbol, end);
	if (module != NULL) {
		f->module = (struct str){module + 1, (size_t)(end - 1 - (module + 1))};
		end = module;
		while (end > symbol && is_blank(end[-1]))
			end--;
		if (!is_likely && module > symbol && memchr(module, ')', f->module.len + 1) == NULL)
			*likely = f->module;
	}
	f->symbol = (struct str){symbol, (size_t)(without_offset(symbol, end) - symbol)};
	return true;
}

struct str
frameline_rest(const struct frameline *f, const char *end)
{
	const char *after = f->symbol.s + f->symbol.len, *rest = f->module.s - 1;

	if (f->module.len == 0 || f->symbol.len == 0 || without_offset(f->symbol.s, after) != after)
		return (struct str){end, 0};
	while (is_blank(rest[-1]))
		rest--;
	return (struct str){rest, (size_t)(end - rest)};
}

struct str
frameline_source(const char *line, const char *end, bool *inlined)
{
	static const char mark[] = " (inlined)";
	const char *s = skip_blanks(line, end);

	while (end > s && (is_blank(end[-1]) || end[-1] == '\r'))
		end--;
	if (text_ends(s, (size_t)(end - s), mark)) { /* perf 6 puts it here */
		*inlined = true;
		end -= strlen(mark);
	}
	return (struct str){s, (size_t)(end - s)};
}

/* `file:line`; perf script without line information writes ??:0 or module[address]. */
static void
read_source(struct frame *f, struct str source)
{
	const char *colon = memrchr(source.s, ':', source.len);
	const char *end = source.s + source.len;
	uint64_t line = 0;

	if (colon == NULL || text_starts(source.s, source.len, "??:"))
		return;
	for (const char *s = colon + 1; s < end && *s >= '0' && *s <= '9' && line <= UINT32_MAX;
	     s++)
		line = line * 10 + (uint64_t)(*s - '0');
	if (line == 0 || line > UINT32_MAX)
		return;
	f->file = (struct str){source.s, (size_t)(colon - source.s)};
	f->line = (unsigned)line;
}

size_t
frameline_names(struct sampler *s, const struct frameline *line, bool java, struct text *work,
    uint32_t name[FRAMELINE_MAX])
{
	const char *symbol = line->symbol.s, *end = symbol + line->symbol.len, *arrow;
	struct frame f = {.module = line->module, .inlined = line->inlined, .has_address = true};
	size_t n = 0;
	bool split;

	f.address = strtoull(line->address, NULL, 16);
	f.kind = module_kind(f.module);
	if (str_equal(f.module, str_of("inlined"))) { /* perf script's mark of an inline frame */
		f.inlined = true;
		f.module.len = 0;
	} else if (text_starts(f.module.s, f.module.len, "[unknown]")) {
		f.module.len = 0;
	}
	if (line->source.len > 0)
		read_source(&f, line->source);

	/* perf-map-agent writes inlined Java methods as a->b->c; C++ names contain -> too. */
	split = java || f.kind == FRAME_JIT;
	for (;; symbol = arrow + 2) {
		struct frame one = f;
		size_t len;

		arrow = split && n + 1 < FRAMELINE_MAX
			    ? memmem(symbol, (size_t)(end - symbol), "->", 2)
			    : NULL;
		len = (size_t)((arrow != NULL ? arrow : end) - symbol);
		one.inlined |= n > 0;
		if (arrow != NULL)
			one.file.len = 0;
		if (len > 0 && !text_is(symbol, len, "[unknown]")) {
			text_cut(work, 0);
			if (f.kind != FRAME_JIT ||
			    !canonical_generated(
				work, (struct str){symbol, len}, s->options->style.source))
				plainname_add(work, (struct str){symbol, len}, java);
			one.function = text_as_str(work);
		}
		name[n++] = sample_name(s, &one);
		if (arrow == NULL)
			return n;
	}
}
