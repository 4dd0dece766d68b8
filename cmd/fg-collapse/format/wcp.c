/*
 * wcp: stacks printed by wallClockProfiler,
 *
 *	Full stacks:
 *	99.791% ===================================== (17194 samples)
 *	     1: poll   (at /srv/asyncloop.nim:343)
 *	     2: main   (at /srv/main.nim:12)
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/events.h"

/* Reads `1: poll   (at /srv/asyncloop.nim:343)`; frames of a stack are numbered from 1. */
static bool
read_frame(struct stack *stack, struct str s)
{
	struct frame f = {0};
	uint64_t n;
	size_t at, colon;

	if (!scan_number(&s, &n) || !scan_word(&s, ": ") || (n != stack->n + 1 && !stack->broken))
		return false;
	at = str_find_last(s, "(at ");
	f.function = str_trim((struct str){s.s, at});
	if (at < s.len && str_ends(s, ")")) {
		struct str line;

		f.file = str_from(s, at + strlen("(at "));
		f.file.len--;
		colon = str_find_last(f.file, ":");
		line = str_from(f.file, colon < f.file.len ? colon + 1 : colon);
		if (scan_number(&line, &n)) {
			f.file.len = colon;
			f.line = (unsigned)n;
		}
	}
	stack_function(stack, f);
	return true;
}

/* Reads `99.791% ==== (17194 samples)`. */
static bool
read_head(struct str s, value *samples)
{
	value percent;

	if (!scan_decimal(&s, &percent) || !scan_word(&s, "% "))
		return false;
	while (scan_word(&s, "="))
		continue;
	return scan_word(&s, " (") && scan_decimal(&s, samples) && str_is(s, " samples)");
}

static void
read_input(struct reader *r)
{
	static const struct sample_task nobody;
	struct stack stack;
	struct str line;
	uint32_t event;
	value samples = 0;
	bool full = false, open = false; /* after the line of full stacks; of a stack */

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&stack, r->sampler);
	event = sampler_event(r->sampler, (struct str){0}, str_of("samples"));
	while (reader_line(r, &line)) {
		value n;

		line = str_trim(line);
		if (str_starts(line, "Full stacks")) {
			full = true;
		} else if (full && read_head(line, &n)) {
			if (stack.n > 0)
				stack_sample(&stack, &nobody, event, SAMPLE_NO_TIME, samples);
			samples = n;
			open = true;
		} else if (full && line.len > 0 && (!open || !read_frame(&stack, line))) {
			reader_broken(r, &stack, "not a frame of the stack");
		}
	}
	if (stack.n > 0)
		stack_sample(&stack, &nobody, event, SAMPLE_NO_TIME, samples);
	stack_free(&stack);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line)) {
		value v;

		line = str_trim(line);
		if (read_head(line, &v))
			return 95;
	}
	return 0;
}

const struct format wcp_format = {
    .provides = DATA_SOURCE,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
