/*
 * pyspy: output of py-spy dump,
 *
 *	Process 165: python3 server.py
 *	Python v3.12.3 (/usr/bin/python3.12)
 *
 *	Thread 165 (active+gil): "MainThread"
 *	    recv (zmq/sugar/socket.py:989)
 *	        Arguments:
 *	            self: <Socket at 0x7f>
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/pythonframe.h"
#include "fg-collapse/shape/scan.h"

/* Reads `Thread 0x7F1 (idle): "name"`. */
static bool
read_thread(struct backtrace *b, struct str s)
{
	struct str tid, name = {0}, state;
	uint64_t id;
	size_t close;

	if (!scan_word(&s, "Thread "))
		return false;
	tid = s;
	if (!scan_hex(&s, &id) && !scan_number(&s, &id))
		return false;
	tid.len -= s.len;
	if (!scan_word(&s, " ("))
		return false;
	close = str_find(s, ")");
	state = (struct str){s.s, close};
	s = str_from(s, close);
	if (scan_word(&s, "): \"") && str_ends(s, "\""))
		name = (struct str){s.s, s.len - 1};
	backtrace_thread(b, name, tid);
	backtrace_state(b, state);
	return true;
}

/* Reads `recv (zmq/sugar/socket.py:989)`. */
static bool
read_frame(struct backtrace *b, struct str s)
{
	size_t open = str_find_last(s, " (");
	struct str file, line = {0};
	size_t colon;

	if (open == s.len || !str_ends(s, ")"))
		return false;
	file = (struct str){s.s + open + 2, s.len - open - 3};
	colon = str_find_last(file, ":");
	if (colon < file.len) {
		line = str_from(file, colon + 1);
		file.len = colon;
	}
	pythonframe_parts(&b->stack, (struct str){s.s, open}, file, line);
	return true;
}

static bool
read_line(struct backtrace *b, struct str line)
{
	if (read_thread(b, line))
		return true;
	if (scan_word(&line, "Process ")) {
		backtrace_end(b);
		backtrace_process(b, scan_until(&line, ':'));
		return true;
	}
	switch (scan_blanks(&line)) {
	case 0: /* another line, or a damaged head */ backtrace_end(b); return true;
	case 4: return b->open && read_frame(b, line);
	default: return true; /* variables */
	}
}

static void
read_input(struct reader *r)
{
	backtrace_read(r, read_line, "not a frame of py-spy");
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool process = false;

	while (scan_line(&rest, &line)) {
		uint64_t n;

		process |= str_starts(line, "Process ") || str_starts(line, "Python v");
		if (scan_word(&line, "Thread ") &&
		    (scan_hex(&line, &n) || scan_number(&line, &n)) &&
		    (scan_word(&line, " (active") || scan_word(&line, " (idle")))
			return process ? 97 : 90;
	}
	return 0;
}

const struct format pyspy_format = {
    .provides = DATA_TASK | DATA_ORDER | DATA_THREAD_NAMES | DATA_STATE,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
