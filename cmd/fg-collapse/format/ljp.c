/*
 * ljp: traces.txt of the lightweight Java profiler: the count of a stack, its number of
 * frames, and the frames, leaf first:
 *
 *	42 3  my_func_b(prog.java:455)
 *	      my_func_a(prog.java:123)
 *	      java.lang.Thread.run(Thread.java:744)
 *	Total trace count = 42, ...
 */
#include "fg-collapse/format.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/javaframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

/* Takes `42 3  ` before the first frame of a stack. */
static bool
scan_head(struct str *s, value *count)
{
	struct str rest = *s;
	uint64_t frames;

	if (!scan_decimal(&rest, count) || scan_blanks(&rest) == 0 ||
	    !scan_number(&rest, &frames) || scan_blanks(&rest) == 0)
		return false;
	*s = rest;
	return true;
}

static void
read_input(struct reader *r)
{
	static const struct sample_task nobody;
	struct stack stack;
	struct str line;
	uint32_t event;
	value count = 0;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&stack, r->sampler);
	event = sampler_event(r->sampler, (struct str){0}, str_of("samples"));
	while (reader_line(r, &line)) {
		value next;

		scan_blanks(&line);
		if (line.len == 0 || str_starts(line, "Total "))
			continue;
		if (scan_head(&line, &next)) {
			if (stack.n > 0)
				stack_sample(&stack, &nobody, event, SAMPLE_NO_TIME, count);
			count = next;
		}
		if (count == 0 || !javaframe_add(&stack, r->options, line))
			reader_malformed(r, "not a frame of Java");
	}
	if (stack.n > 0)
		stack_sample(&stack, &nobody, event, SAMPLE_NO_TIME, count);
	stack_free(&stack);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	for (int i = 0; i < 20 && scan_line(&rest, &line); i++) {
		value count;

		scan_blanks(&line);
		if (scan_head(&line, &count) && str_ends(line, ")") &&
		    str_find(line, "(") < line.len &&
		    memchr(line.s, ' ', str_find(line, "(")) == NULL)
			return 85;
	}
	return 0;
}

const struct format ljp_format = {
    .provides = DATA_MODULE | DATA_SOURCE | DATA_PACKAGES,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
