/*
 * goroutine: stack dumps of Go programs, from a panic, kill -QUIT, runtime.Stack or the
 * goroutine profile with debug=2:
 *
 *	goroutine 8 [semacquire, 3 minutes]:
 *	sync.(*Mutex).Lock(...)
 *		/usr/lib/go-1.19/src/sync/mutex.go:90
 *	main.main.func1({0x527000, 0xc000014300})
 *		/srv/main.go:43 +0xcf
 *	created by main.main in goroutine 1
 *		/srv/main.go:43 +0x16a
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/scan.h"

/* Reads `goroutine 8 gp=0xc000 m=0 [running, locked to thread]:`, or `runtime stack:`. */
static bool
read_head(struct backtrace *b, struct str s)
{
	struct str tid, state;
	size_t open;

	if (str_is(s, "runtime stack:")) { /* of a thread that no goroutine has */
		backtrace_thread(b, (struct str){0}, (struct str){0});
		backtrace_state(b, str_of("runtime"));
		return true;
	}
	if (!scan_word(&s, "goroutine "))
		return false;
	tid = scan_digits(&s);
	if (tid.len == 0)
		return false;
	open = str_find(s, "[");
	if (open == s.len)
		return false;
	backtrace_thread(b, (struct str){0}, tid);
	state = str_from(s, open + 1);
	state.len = str_find_last(state, "]");
	state.len = str_find(state, ",");
	backtrace_state(b, state);
	return true;
}

/* Length of s without the arguments, the last brackets of `main.(*T).f(0x1, {...})`. */
static size_t
without_arguments(struct str s)
{
	size_t i = s.len;
	int depth = 0;

	if (!str_ends(s, ")"))
		return s.len;
	while (i > 0) {
		i--;
		if (s.s[i] == ')')
			depth++;
		else if (s.s[i] == '(' && --depth == 0)
			return i;
	}
	return s.len;
}

/* Reads ` /srv/main.go:43 +0xcf`. */
static void
read_place(struct frame *f, struct str s)
{
	size_t colon = str_find_last(s, ":");
	struct str number = str_from(s, colon < s.len ? colon + 1 : colon);
	uint64_t line;

	f->file = (struct str){s.s, colon};
	if (scan_number(&number, &line))
		f->line = (unsigned)line;
}

/* True for a line as `	/srv/main.go:43 +0xcf`. */
static bool
is_place(struct str s)
{
	struct str place = s, digits;
	uint64_t n;

	if (!scan_word(&place, "\t/"))
		return false;
	place.len = str_find(place, " +0x");
	digits = str_from(place, str_find_last(place, ":") + 1);
	return scan_number(&digits, &n) && digits.len == 0;
}

/*
 * Exits if no frame of a goroutine's stack could be read. *odd: number of a line that is not a
 * frame, or 0.
 */
static void
end_goroutine(struct backtrace *b, uint64_t *odd)
{
	if (*odd > 0 && b->open && b->stack.n == 0 && !b->stack.broken)
		reader_refuse(b->reader, *odd, "not a frame of Go, after a line goroutine");
	*odd = 0;
}

static void
read_input(struct reader *r)
{
	struct backtrace b;
	uint64_t odd = 0;
	struct text function = {0}; /* the name before its place */
	struct str line;
	bool created = false; /* the last name is that of the go statement, not of a frame */
	bool called = false; /* it has arguments: its place has to follow */

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&b, r, false);
	while (reader_line(r, &line)) {
		struct str s = line;

		if (scan_blanks(&s) == 0) {
			if (called)
				reader_broken(r, &b.stack, "a function before it without a place");
			text_cut(&function, 0);
			called = false;
		}
		if (line.len == 0 || str_starts(line, "goroutine "))
			end_goroutine(&b, &odd);
		if (read_head(&b, line)) {
			created = false;
			continue;
		}
		if (line.len == 0) {
			backtrace_end(&b);
		} else if (!b.open) {
			if (is_place(line))
				reader_broken(r, &b.stack, "a frame without a line goroutine");
		} else if (s.len == line.len) {
			created = str_starts(s, "created by ");
			if (!created)
				text_add(&function, s.s, without_arguments(s));
			called = function.len > 0 && function.len < s.len &&
				 memchr(function.s, ' ', function.len) == NULL;
			if (odd == 0 && !created)
				odd = r->number;
		} else if (function.len > 0) {
			struct frame f = {.function = text_as_str(&function)};

			read_place(&f, s);
			stack_frame(&b.stack, &f);
			text_cut(&function, 0);
			called = false;
		} else if (!created && is_place(line)) {
			reader_broken(r, &b.stack, "a place without a function before it");
		}
	}
	if (called)
		reader_broken(r, &b.stack, "a function without a place");
	end_goroutine(&b, &odd);
	backtrace_end(&b);
	backtrace_free(&b);
	text_free(&function);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line)) {
		uint64_t n;

		if (scan_word(&line, "goroutine ") && scan_number(&line, &n) &&
		    str_ends(line, "]:"))
			return 95;
	}
	return 0;
}

const struct format goroutine_format = {
    .provides = DATA_TID | DATA_SOURCE | DATA_ORDER | DATA_STATE,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
