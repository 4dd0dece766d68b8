/*
 * gprof: the flat profile of gprof: self times of functions. The call graph after it is
 * not read: its times are estimates and it has no stacks. gmon.out is rejected, because it
 * needs the program.
 *
 *	Each sample counts as 0.01 seconds.
 *	  %   cumulative   self              self     total
 *	 time   seconds   seconds    calls  ms/call  ms/call  name
 *	 60.00      0.06     0.06        2    30.00    50.00  spin(int)
 */
#include "fg-collapse/format.h"

#include "base/cli.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/events.h"

/* Reads `60.00      0.06     0.06        2    30.00    50.00  spin(int)`; calls may be missing. */
static bool
read_row(struct stack *stack, uint32_t event, struct str line, size_t name_column)
{
	static const struct sample_task nobody;
	struct str numbers = line, name;
	value skipped, own;

	scan_blanks(&numbers);
	if (!scan_decimal(&numbers, &skipped) || scan_blanks(&numbers) == 0 ||
	    !scan_decimal(&numbers, &skipped) || scan_blanks(&numbers) == 0 ||
	    !scan_decimal(&numbers, &own) || line.len <= name_column)
		return false;
	name = str_trim(str_from(line, name_column));
	stack_function(stack, (struct frame){.function = name});
	stack_sample(stack, &nobody, event, SAMPLE_NO_TIME, humannumber_scale(own, 1000, 1));
	return true;
}

static void
read_input(struct reader *r)
{
	struct stack stack;
	struct str line;
	uint32_t event;
	size_t len, column = 0;
	const char *data = lines_peek(r->lines, &len);

	if (text_starts(data, len, "gmon"))
		cli_die("%s: gmon.out has addresses but no stacks; use gprof -b -p ./app %s for a "
			"flat profile, or perf record -g for stacks",
		    lines_name(r->lines), lines_name(r->lines));
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&stack, r->sampler);
	event = sampler_event(r->sampler, str_of("self"), str_of("ms"));
	cli_note("%s: gprof does not record stacks: each function is a stack of one frame",
	    lines_name(r->lines));
	while (reader_line(r, &line)) {
		struct str s = line;

		scan_blanks(&s);
		if (str_starts(s, "time   seconds") && str_ends(line, "name"))
			column = line.len - strlen("name");
		else if (line.len == 0)
			column = 0;
		else if (column > 0 && !read_row(&stack, event, line, column))
			reader_malformed(r, "not a row of gprof's flat profile");
	}
	stack_free(&stack);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	if (len > 8 && memcmp(data, "gmon", 4) == 0)
		return 95;
	for (int i = 0; i < 20 && scan_line(&rest, &line); i++)
		if (str_is(line, "Flat profile:") || str_starts(line, "Each sample counts as "))
			return 90;
	return 0;
}

const struct format gprof_format = {
    .bytes = FORMAT_ANY,
    .flat = true,
    .values = FOLDED_ESTIMATED,
    .sniff = sniff,
    .read = read_input,
};
