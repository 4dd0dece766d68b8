/*
 * dtrace: aggregations by stack() and ustack(), each stack followed by a number,
 *
 *	              genunix`kmem_cache_free+0xce
 *	              unix`sys_syscall+0x17a
 *	                1
 *
 * after the header of the probe. Another key, such as execname, becomes a frame at the
 * root; it is on a line of its own before the frames, or before the number.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/events.h"

#define KEY_COLUMN 6 /* keys start left of it, stacks at 14 unless configured otherwise */

struct aggregation {
	struct reader *reader;
	struct stack stack;
	uint32_t event;
	struct text keys;
	struct str waiting; /* lines of frames that are not parsed yet */
	bool header; /* within the header */
};

/* True if s is only a number, digits as dtrace prints them. */
static bool
is_count(struct str s, uint64_t *n)
{
	return scan_number(&s, n) && s.len == 0;
}

/* True for `  0  64091                        :tick-60s`, which begins each output. */
static bool
is_probe(struct str s)
{
	uint64_t n;

	if (str_starts(s, "CPU "))
		return true;
	if (!scan_number(&s, &n) || scan_blanks(&s) == 0 || !scan_number(&s, &n) ||
	    scan_blanks(&s) == 0)
		return false;
	return str_find(s, ":") < s.len && memchr(s.s, '`', s.len) == NULL;
}

static void
add_function(struct aggregation *a, struct str module, struct str function, bool inlined)
{
	struct stack *s = &a->stack;
	struct frame f = {.inlined = inlined, .kind = frame_kind_of(module)};

	text_cut(&s->function, 0);
	if (module.len > 0 && !a->reader->options->no_modules) {
		text_str(&s->function, module);
		text_char(&s->function, '`');
	}
	plainname_add(&s->function, function,
	    str_starts(function, "L") && str_find(function, "/") < function.len);
	f.function = text_as_str(&s->function);
	stack_frame(s, &f);
}

/* Adds `module`function+0x1f`; Java's inlined methods are a->b->c, outermost first. */
static void
add_frame(struct aggregation *a, struct str s)
{
	size_t tick = str_find(s, "`"), arrow;
	struct str module = {0}, function = s, part[64];
	size_t n = 0;

	if (tick < s.len) {
		module = (struct str){s.s, tick};
		function = str_from(s, tick + 1);
	}
	if (!a->reader->options->offsets)
		function.len = plainname_without_offset(function);
	while (n + 1 < 64 && (arrow = str_find(function, "->")) < function.len && arrow > 0 &&
	       !str_ends((struct str){function.s, arrow}, "operator") &&
	       memchr(function.s, '(', arrow) == NULL && memchr(function.s, '<', arrow) == NULL) {
		part[n++] = (struct str){function.s, arrow};
		function = str_from(function, arrow + 2);
	}
	part[n++] = function;
	while (n-- > 0) /* leaf first */
		add_function(a, n == 0 ? module : (struct str){0}, part[n], n > 0);
}

static void
take(struct aggregation *a, uint64_t count)
{
	struct sample_task task = {.comm = text_as_str(&a->keys)};

	stack_count(&a->stack, &task, a->event, count);
	text_cut(&a->keys, 0);
}

static void
add_key(struct aggregation *a, struct str key)
{
	if (a->keys.len > 0)
		text_char(&a->keys, ' ');
	text_str(&a->keys, str_trim(key));
}

/* Reads a key, optionally followed by the number. */
static void
read_key(struct aggregation *a, struct str s)
{
	size_t blank = str_find_last(s, " ");
	uint64_t n;

	if (blank < s.len && is_count(str_from(s, blank + 1), &n) && a->stack.n > 0) {
		add_key(a, (struct str){s.s, blank});
		take(a, n);
	} else {
		add_key(a, s);
	}
}

/* Reads a line that is_frame. */
static void
read_frame(struct aggregation *a, struct str line)
{
	if (stack_known(&a->stack, line, 0))
		return;
	add_frame(a, str_trim(line));
	stack_remember(&a->stack);
}

/* Reads the frames of all waiting lines. */
static void
read_waiting(struct aggregation *a)
{
	struct str line;

	while (scan_line(&a->waiting, &line))
		if (line.len > 0) /* between kernel and user */
			read_frame(a, line);
}

static void
read_count(struct aggregation *a, uint64_t n)
{
	bool complete = a->stack.n == 0 && a->keys.len == 0;

	a->header = false;
	if (complete && a->waiting.len == 0) {
		reader_malformed(a->reader, "a number without a stack");
	} else if (complete && stack_again(&a->stack, a->waiting, a->event, n)) {
		a->waiting.len = 0;
	} else {
		read_waiting(a);
		take(a, n);
	}
}

/* Reads any other line. */
static void
read_line(struct aggregation *a, struct str line)
{
	struct str s = line;
	size_t column = scan_blanks(&s);
	uint64_t n;

	s = str_trim(s);
	if (s.len == 0) {
		a->header = false;
	} else if (is_count(s, &n)) {
		read_count(a, n);
	} else if (is_probe(s)) {
		if (a->stack.n > 0 || a->waiting.len > 0)
			reader_malformed(a->reader, "a stack without a number before it");
		a->waiting.len = a->stack.n = 0;
		text_cut(&a->keys, 0);
	} else if (a->header && column == 0) {
		/* A message by the script or dtrace. */
	} else if (column < KEY_COLUMN && memchr(s.s, '`', s.len) == NULL && !str_starts(s, "0x")) {
		read_waiting(a);
		read_key(a, s);
	} else {
		read_waiting(a);
		read_frame(a, s);
	}
}

/* True if a line is a frame, judged by its indentation. */
static inline bool
is_frame(struct str line)
{
	static const char margin[KEY_COLUMN + 1] = "      ";
	size_t i = KEY_COLUMN;

	if (line.len <= KEY_COLUMN || memcmp(line.s, margin, KEY_COLUMN) != 0)
		return false;
	while (i < line.len && line.s[i] == ' ')
		i++;
	return i < line.len && (line.s[i] < '0' || line.s[i] > '9') && line.s[i] != '\r';
}

static void
read_input(struct reader *r)
{
	struct aggregation a = {.reader = r, .header = true};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&a.stack, r->sampler);
	a.event = sampler_event(r->sampler, (struct str){0}, str_of("samples"));
	while (reader_raw(r, &line)) {
		if (is_frame(line)) {
			if (a.waiting.len == 0)
				a.waiting.s = line.s;
			a.waiting.len = (size_t)(line.s + line.len + 1 - a.waiting.s);
		} else {
			read_line(&a, line);
		}
		if (reader_last(r)) /* end of the block, whose bytes will be overwritten */
			read_waiting(&a);
	}
	if (a.stack.n > 0)
		reader_malformed(r, "a stack without a number");
	stack_free(&a.stack);
	text_free(&a.keys);
}

/* Detects a stack with a module that is followed by a number. */
static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool frame = false, header = false;
	uint64_t n;

	while (scan_line(&rest, &line)) {
		struct str s = line;

		header |= str_starts(s, "CPU ") && str_ends(s, "FUNCTION:NAME");
		if (scan_blanks(&s) == 0 && s.len > 0)
			continue;
		if (frame && is_count(s, &n))
			return header ? 97 : 90;
		if (s.len > 0)
			frame = (memchr(s.s, '`', s.len) != NULL || str_starts(s, "0x")) &&
				str_find(s, " : ") == s.len;
	}
	return header ? 60 : 0;
}

const struct format dtrace_format = {
    .provides = DATA_COMM | DATA_KIND | DATA_OFFSET | DATA_MODULE_PREFIX,
    .sniff = sniff,
    .read = read_input,
};
