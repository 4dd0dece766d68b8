/*
 * austin: text output of Austin, a sampling profiler for Python,
 *
 *	# mode: wall
 *	P1155;T0:6148403200;/srv/app.py:<module>:38;/srv/app.py:work:32 957
 *
 * Frames are file:function:line. Values are us, in full mode time,idle,memory, in memory
 * mode bytes. A thread without frames has an empty stack.
 *
 * Austin 1 has no header. Its lines are
 *
 *	Process 1155;Thread 7f8655b1f100;<module> (/srv/app.py);L38;work (/srv/app.py);L32 957
 *
 * without the process unless there are several. Full mode has two values of memory after the
 * time, which are not read; files of memory mode have the same form as those of times.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/pythonframe.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/events.h"

static bool
is_digits(struct str s)
{
	uint64_t n;

	return scan_number(&s, &n) && s.len == 0;
}

/* Adds the frame `/srv/app.py:work:32`, optionally with end and columns after the line, or
 * `:GC:`. */
static void
add_frame(struct stack *stack, struct str s)
{
	struct str line = {0}, part;
	size_t colon;

	if (str_is(s, ":GC:") || str_is(s, ":INVALID:")) {
		stack_frame(stack,
		    &(struct frame){
			.function = str_of(s.s[1] == 'G' ? "(garbage collector)" : "(invalid)")});
		return;
	}
	while ((colon = str_find_last(s, ":")) < s.len) {
		part = str_from(s, colon + 1);
		if (part.len > 0 && !is_digits(part))
			break;
		s.len = colon;
		line = part;
	}
	colon = str_find_last(s, ":");
	if (colon == s.len)
		stack_frame(stack, &(struct frame){.function = s});
	else
		pythonframe_parts(stack, str_from(s, colon + 1), (struct str){s.s, colon}, line);
}

/* Reads `P1155;T0:6148403200` before the frames; false if the line does not begin so. */
static bool
read_task(struct str *s, struct sample_task *task)
{
	struct str thread;

	if (!scan_word(s, "P"))
		return false;
	task->pid = scan_until(s, ';');
	if (!is_digits(task->pid) || !scan_word(s, "T"))
		return false;
	thread = scan_until(s, ';');
	if (str_find(thread, ":") < thread.len)
		scan_until(&thread, ':'); /* interpreter number */
	task->tid = thread;
	return thread.len > 0;
}

/* True for a sample of Austin 1. */
static bool
is_first_version(struct str line)
{
	return str_starts(line, "Thread ") || str_starts(line, "Process ");
}

/* Reads a sample of Austin 1; false if it is not one. */
static bool
read_first_version(struct sampler *s, struct stack *stack, struct str line)
{
	const size_t last = str_find_last(line, ";");
	const size_t tail = last == line.len ? 0 : last + 1;
	struct sample_task task = {0};
	struct str values = str_from(line, tail), part;
	size_t blank;
	value time;

	if (str_starts(values, "Thread "))
		blank = strlen("Thread ") + str_find(str_from(values, strlen("Thread ")), " ");
	else
		blank = str_find(values, " ");
	line.len = tail + blank;
	values = str_from(values, blank + 1);
	if (!scan_value(scan_until(&values, ' '), &time))
		return false;
	if (scan_word(&line, "Process "))
		task.pid = scan_until(&line, ';');
	if (!scan_word(&line, "Thread "))
		return false;
	task.tid = scan_until(&line, ';');
	while (line.len > 0) {
		struct str frame = scan_until(&line, ';'), number = {0};
		size_t open = str_find_last(frame, " (");

		if (str_starts(line, "L")) {
			struct str rest = line;

			part = scan_until(&rest, ';');
			if (is_digits(str_from(part, 1))) {
				number = str_from(part, 1);
				line = rest;
			}
		}
		if (open == frame.len || frame.s[frame.len - 1] != ')')
			stack_frame(stack, &(struct frame){.function = frame});
		else
			pythonframe_parts(stack, (struct str){frame.s, open},
			    (struct str){frame.s + open + 2, frame.len - open - 3}, number);
	}
	stack_sample(
	    stack, &task, sampler_event(s, str_of("time"), str_of("us")), SAMPLE_NO_TIME, time);
	return true;
}

static void
read_input(struct reader *r)
{
	struct sampler *s = r->sampler;
	struct stack stack;
	struct str line;
	bool memory = false;

	sampler_input(s, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	stack_init(&stack, s);
	while (reader_line(r, &line)) {
		struct sample_task task = {0};
		size_t blank = str_find_last(line, " ");
		struct str number = str_from(line, blank + 1), frames = {line.s, blank};
		value time, bytes = 0;

		if (line.len == 0 || line.s[0] == '#') {
			memory |= str_starts(line, "# mode: memory");
			continue;
		}
		if (is_first_version(line)) {
			if (!read_first_version(s, &stack, line))
				reader_malformed(r, "not a sample of Austin");
			continue;
		}
		if (blank == line.len || !read_task(&frames, &task) ||
		    !scan_value(scan_until(&number, ','), &time)) {
			reader_malformed(r, "not a sample of Austin");
			continue;
		}
		while (frames.len > 0)
			add_frame(&stack, scan_until(&frames, ';'));
		if (number.len > 0) { /* idle,memory */
			scan_until(&number, ',');
			if (!scan_value(number, &bytes)) /* negative: bytes freed */
				bytes = 0;
		}
		if (bytes > 0)
			stack_sample(&stack, &task,
			    sampler_event(s, str_of("memory"), str_of("bytes")), SAMPLE_NO_TIME,
			    bytes);
		else
			stack_sample(&stack, &task,
			    sampler_event(s, str_of(memory ? "memory" : "time"),
				str_of(memory ? "bytes" : "us")),
			    SAMPLE_NO_TIME, time);
	}
	stack_free(&stack);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool head = false;

	for (unsigned n = 0; n < 64 && scan_line(&rest, &line); n++) {
		struct sample_task task = {0};

		head |= str_starts(line, "# austin: ");
		if (line.len == 0 || line.s[0] == '#')
			continue;
		if (is_first_version(line)) {
			if (str_find(line, ");L") < line.len)
				return 97;
			continue; /* a thread without frames */
		}
		if (!read_task(&line, &task))
			return 0;
		return head || str_find(line, ".py:") < line.len ? 97 : 0;
	}
	return head ? 90 : 0;
}

const struct format austin_format = {
    .provides = DATA_PID | DATA_TID | DATA_ORDER | DATA_EVENT,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
