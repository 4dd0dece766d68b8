/*
 * phpspy: stacks of PHP by phpspy, leaf first, each ended by an empty line:
 *
 *	0 usleep <internal>:-1
 *	1 Shop\Cart::add /srv/cart.php:42
 *	2 <main> /srv/index.php:3
 *	# uri = /index.php
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/events.h"

/* Reads `1 Shop\Cart::add /srv/cart.php:42`; false if s is something else. */
static bool
read_frame(struct str s, uint64_t *depth, struct frame *f)
{
	struct str line;
	uint64_t n;
	size_t blank, colon;

	if (!scan_number(&s, depth) || !scan_word(&s, " "))
		return false;
	blank = str_find(s, " ");
	colon = str_find_last(s, ":");
	if (blank == 0 || blank == s.len || colon == s.len || colon < blank)
		return false;
	line = str_from(s, colon + 1);
	*f = (struct frame){.function = {s.s, blank}, .file = {s.s + blank + 1, colon - blank - 1}};
	if (scan_number(&line, &n))
		f->line = (unsigned)n;
	else if (!str_is(line, "-1"))
		return false;
	if (str_is(f->file, "<internal>"))
		f->file.len = 0;
	return line.len == 0 || str_is(line, "-1");
}

static void
read_input(struct reader *r)
{
	static const struct sample_task nobody;
	uint32_t event;
	uint64_t depth;
	struct stack stack;
	struct frame f;
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&stack, r->sampler);
	event = sampler_event(r->sampler, (struct str){0}, str_of(FOLDED_SAMPLES));
	while (reader_line(r, &line)) {
		if (line.len == 0 || line.s[0] == '#') {
			if (line.len == 0 && (stack.n > 0 || stack.broken))
				stack_sample(&stack, &nobody, event, SAMPLE_NO_TIME, VALUE_ONE);
		} else if (!read_frame(line, &depth, &f)) {
			reader_broken(r, &stack, "not a frame of phpspy");
		} else {
			if (depth == 0 && (stack.n > 0 || stack.broken))
				stack_sample(&stack, &nobody, event, SAMPLE_NO_TIME, VALUE_ONE);
			if (depth != stack.n)
				reader_broken(r, &stack, "a frame before it is missing");
			stack_frame(&stack, &f);
		}
	}
	if (stack.n > 0 || stack.broken)
		stack_sample(&stack, &nobody, event, SAMPLE_NO_TIME, VALUE_ONE);
	stack_free(&stack);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	struct frame f;
	uint64_t depth, next = 0;

	while (scan_line(&rest, &line)) {
		if (line.len == 0 || line.s[0] == '#') {
			next = 0;
			continue;
		}
		if (!read_frame(line, &depth, &f) || depth != next++)
			return 0;
		if (str_is(f.function, "<main>") || str_find(line, " <internal>:-1") < line.len)
			return 95;
	}
	return 0;
}

const struct format phpspy_format = {
    .values = FOLDED_SAMPLED,
    .provides = DATA_SOURCE | DATA_ORDER,
    .sniff = sniff,
    .read = read_input,
};
