/*
 * faulthandler: thread dumps by Python's faulthandler module,
 *
 *	Thread 0x00007f57b67ff6c0 [worker] (most recent call first):
 *	  File "/srv/busy.py", line 10 in work
 *	  File "/srv/busy.py", line ??? in main
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/pythonframe.h"
#include "fg-collapse/shape/scan.h"

static const char first[] = "(most recent call first):";

/* Reads `Thread 0x7f [name] (most recent...`, `Current thread` or `Stack`. */
static bool
read_thread(struct backtrace *b, struct str s)
{
	struct str name = {0}, tid = {0};
	uint64_t id;

	if (!str_ends(s, first) || str_find(s, "C stack trace") < s.len)
		return false;
	if (scan_word(&s, "Thread ") || scan_word(&s, "Current thread ")) {
		tid = s;
		if (!scan_hex(&s, &id))
			return false;
		tid.len -= s.len;
		if (scan_word(&s, " ["))
			name = (struct str){s.s, str_find_last(s, "] ")};
	} else if (!scan_word(&s, "Stack ")) {
		return false;
	}
	backtrace_thread(b, name, tid);
	return true;
}

/* True if a line ends as `, line 10 in work`. */
static bool
is_frame(struct str s)
{
	uint64_t n;

	s = str_from(s, str_find_last(s, ", line "));
	return scan_word(&s, ", line ") && scan_number(&s, &n) && str_starts(s, " in ");
}

static bool
read_line(struct backtrace *b, struct str line)
{
	if (read_thread(b, line))
		return true;
	if (scan_blanks(&line) == 0) {
		backtrace_end(b);
		return true;
	}
	if (!b->open) /* a frame, not one of a traceback, which has `line 1, in` */
		return !str_starts(line, "File \"") || !is_frame(line);
	return line.len == 0 || line.s[0] == '<' || str_starts(line, "...") ||
	       (str_starts(line, "File \"") && pythonframe_add(&b->stack, line));
}

static void
read_input(struct reader *r)
{
	backtrace_read(r, read_line, "not a frame of Python");
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool head = false;

	while (scan_line(&rest, &line)) {
		if (head && str_starts(line, "  File \""))
			return 95;
		head = str_ends(line, first);
	}
	return 0;
}

const struct format faulthandler_format = {
    .provides = DATA_COMM | DATA_TID | DATA_ORDER | DATA_THREAD_NAMES,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
