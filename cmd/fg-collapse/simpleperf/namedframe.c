/*
 * namedframe: see namedframe.h.
 */
#include "fg-collapse/simpleperf/namedframe.h"

#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"

/* True for `[kernel.kallsyms][+ffffffffa820007b]` and `unknown`. */
static bool
is_unknown(struct str symbol)
{
	size_t at = str_find_last(symbol, "[+");
	struct str digits = str_from(symbol, at + 2);
	uint64_t v;

	if (symbol.len == 0 || str_is(symbol, "unknown"))
		return true;
	return at < symbol.len && digits.len > 1 && digits.s[digits.len - 1] == ']' &&
	       text_hex(digits.s, digits.len - 1, &v) == digits.len - 1;
}

void
simpleperf_name(struct text *t, struct str symbol)
{
	if (!is_unknown(symbol))
		plainname_add(t, symbol, false);
}

struct frame
simpleperf_frame(
    struct str symbol, struct str file, uint64_t vaddr, int execution, struct text *text)
{
	struct frame f = {.module = file, .address = vaddr, .has_address = true};

	f.kind = execution == SIMPLEPERF_JIT ? FRAME_JIT : frame_kind_of(file);
	text_cut(text, 0);
	simpleperf_name(text, symbol);
	if (text->len > 0)
		f.function = text_as_str(text);
	return f;
}
