/*
 * javacore: thread dumps of IBM's virtual machines, OpenJ9 and J9:
 *
 *	3XMTHREADINFO      "main" J9VMThread:0xE, ..., java/lang/Thread:0xF, state:CW, prio=5
 *	3XMTHREADINFO1            (native thread ID:0x7657, native priority:0x5, ...)
 *	3XMTHREADINFO3           Java callstack:
 *	4XESTACKTRACE                at java/lang/Object.wait(Native Method)
 *	3XMTHREADINFO3           Native callstack:
 *	4XENATIVESTACK               pthread_cond_wait+0x1c5 (0x00007F [libpthread.so.0+0x1])
 *
 * For a thread without a Java stack, its native stack is used.
 */
#include "fg-collapse/format.h"

#include <stdio.h>

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/javaframe.h"
#include "fg-collapse/shape/scan.h"

static void
read_thread(struct backtrace *b, struct str s)
{
	struct str name = {0}, state;
	size_t at;

	scan_blanks(&s);
	if (scan_word(&s, "\"")) {
		at = str_find(s, "\" ");
		name = (struct str){s.s, at};
		s = str_from(s, at);
	} else {
		name = s; /* "Anonymous native thread" */
	}
	backtrace_thread(b, name, (struct str){0});
	b->bare = true;
	at = str_find(s, "state:");
	if (at < s.len) {
		state = str_from(s, at + strlen("state:"));
		backtrace_state(b, scan_until(&state, ','));
	}
}

static void
read_id(struct backtrace *b, struct str s)
{
	size_t at = str_find(s, "native thread ID:");
	uint64_t id;

	if (at == s.len)
		return;
	s = str_from(s, at + strlen("native thread ID:"));
	if (!scan_hex(&s, &id))
		return;
	text_cut(&b->tid, 0);
	text_printf(&b->tid, "%llu", (unsigned long long)id);
}

/* Reads `pthread_cond_wait+0x1c5 (0x00007F22 [libpthread.so.0+0xd3c5])`. */
static void
read_native(struct backtrace *b, struct str s)
{
	struct frame f = {0};
	size_t open;

	scan_blanks(&s);
	open = str_find_last(s, " (0x");
	f.function = (struct str){s.s, open};
	if (open < s.len) {
		f.module = str_from(s, open);
		f.module = str_from(f.module, str_find(f.module, "["));
		if (scan_word(&f.module, "["))
			f.module.len = str_find(f.module, "+");
	}
	if (str_starts(f.function, "(0x")) { /* no function name */
		f.module = str_from(s, str_find(s, "["));
		if (scan_word(&f.module, "["))
			f.module.len = str_find(f.module, "+");
		f.function.len = 0;
	}
	f.function.len = plainname_without_offset(f.function);
	f.kind = frame_kind_of(f.module);
	stack_function(&b->stack, f);
}

/* True for a line that begins as `3XMTHREADINFO`, or with NULL. */
static bool
is_tagged(struct str s)
{
	return str_starts(s, "NULL") ||
	       (s.len > 2 && s.s[0] >= '0' && s.s[0] <= '9' && s.s[1] >= 'A' && s.s[1] <= 'Z');
}

static void
read_input(struct reader *r)
{
	struct backtrace b;
	struct str line;
	bool java = false, identified = false; /* the thread has a Java stack, a number */
	bool ended = false; /* lines of another kind follow the Java stack */

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&b, r, true);
	while (reader_line(r, &line)) {
		if (scan_word(&line, "3XMTHREADINFO ")) {
			read_thread(&b, line);
			java = ended = identified = false;
		} else if (scan_word(&line, "3XMTHREADINFO1 ")) {
			if (identified || !b.open) { /* its first line is damaged */
				backtrace_thread(&b, (struct str){0}, (struct str){0});
				reader_broken(r, &b.stack, "a thread without its first line");
			}
			identified = true;
			read_id(&b, line);
		} else if (scan_word(&line, "4XESTACKTRACE ")) {
			scan_blanks(&line);
			if (ended) {
				backtrace_thread(&b, (struct str){0}, (struct str){0});
				reader_broken(
				    r, &b.stack, "a stack without the first line of its thread");
			}
			java = true;
			ended = false;
			if (!scan_word(&line, "at ") || !javaframe_add(&b.stack, r->options, line))
				reader_broken(r, &b.stack, "not a frame of a javacore");
		} else if (scan_word(&line, "4XENATIVESTACK ")) {
			if (b.open && !java)
				read_native(&b, line);
			ended = java;
		} else if (str_starts(line, "0SECTION") || str_starts(line, "1XMTHDSUMMARY")) {
			backtrace_end(&b);
			identified = false;
		} else if (b.open && line.len > 0 && !is_tagged(line)) {
			reader_broken(r, &b.stack, "a line without a tag");
		} else if (str_starts(line, "NULL")) {
			ended = java;
		}
	}
	backtrace_end(&b);
	backtrace_free(&b);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line))
		if (str_starts(line, "3XMTHREADINFO ") || str_starts(line, "0SECTION ") ||
		    str_starts(line, "4XESTACKTRACE "))
			return 97;
	return 0;
}

const struct format javacore_format = {
    .provides = DATA_COMM | DATA_TID | DATA_MODULE | DATA_KIND | DATA_SOURCE | DATA_ORDER |
		DATA_STATE | DATA_PACKAGES,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
