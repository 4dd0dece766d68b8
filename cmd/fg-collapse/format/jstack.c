/*
 * jstack: thread dumps of HotSpot, from jstack, jcmd Thread.print or kill -QUIT,
 *
 *	"main" #1 prio=5 os_prio=0 cpu=29ms tid=0x00007e nid=0x2404 waiting on condition  [0x0]
 *	   java.lang.Thread.State: TIMED_WAITING (parking)
 *		at jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)
 *		- parking to wait for  <0x0000000690800010> (a java.lang.Object)
 *
 * or jcmd Thread.dump_to_file, which has virtual threads but no states:
 *
 *	#1 "main"
 *	      java.base/jdk.internal.misc.Unsafe.park(Native Method)
 *
 * States are Java's, corrected as in stackcollapse-jstack.pl: threads that wait for the
 * network in a system call are not RUNNABLE, nor are the virtual machine's own threads.
 */
#include "fg-collapse/format.h"

#include <stdio.h>

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/javaframe.h"
#include "fg-collapse/shape/scan.h"

/* Offset of the quote that ends a thread's name, which may contain quotes itself; s starts
 * after the first quote. */
static size_t
name_end(struct str s)
{
	static const char *const next[] = {
	    "\" #", "\" daemon ", "\" prio=", "\" os_prio=", "\" tid=", "\" virtual"};
	size_t end = s.len;

	for (size_t i = 0; i < sizeof next / sizeof next[0]; i++) {
		size_t at = str_find_last(s, next[i]);

		if (at < end)
			end = at;
	}
	return end;
}

/* The thread's id in the operating system, in decimal, from nid=0x2404 or nid=9220. */
static struct str
native_id(struct str s, char id[24])
{
	size_t at = str_find_last(s, " nid=");
	uint64_t n;
	int len;

	if (at == s.len)
		return (struct str){0};
	s = str_from(s, at + strlen(" nid="));
	if (!scan_hex(&s, &n) && !scan_number(&s, &n))
		return (struct str){0};
	len = snprintf(id, 24, "%llu", (unsigned long long)n);
	return (struct str){id, (size_t)len};
}

/* Reads `"name" #1 ... nid=0x2404 ...`. */
static bool
read_thread(struct backtrace *b, struct str s)
{
	static const char *const background[] = {"C1 CompilerThread", "C2 CompilerThread",
	    "Signal Dispatcher", "Service Thread", "Attach Listener"};
	struct str name;
	char id[24];

	if (!scan_word(&s, "\""))
		return false;
	name = (struct str){s.s, name_end(s)};
	if (name.len == s.len)
		return false;
	backtrace_thread(b, name, native_id(s, id));
	for (size_t i = 0; i < sizeof background / sizeof background[0]; i++)
		if (str_find(name, background[i]) < name.len)
			backtrace_state(b, str_of("BACKGROUND"));
	return true;
}

/* Reads `#21 "name" virtual`. */
static bool
read_dumped(struct backtrace *b, struct str s)
{
	struct str tid;
	uint64_t n;

	if (!scan_word(&s, "#"))
		return false;
	tid = s;
	if (!scan_number(&s, &n))
		return false;
	tid.len -= s.len;
	if (!scan_word(&s, " \""))
		return false;
	s.len = str_find_last(s, "\"");
	backtrace_thread(b, s, tid);
	return true;
}

/* Corrects the state of a thread in a call that waits although Java reports RUNNABLE. */
static void
correct_state(struct backtrace *b, struct str method)
{
	size_t open = str_find(method, "(");

	method.len = open;
	if (str_find(method, "epollWait") < method.len)
		backtrace_state(b, str_of("WAITING"));
	else if (str_ends(method, "socketAccept") || str_ends(method, "socketRead0") ||
		 (str_ends(method, "accept0") && str_find(method, "Socket") < method.len))
		backtrace_state(b, str_of("NETWORK"));
}

static void
read_input(struct reader *r)
{
	struct backtrace b;
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&b, r, true);
	while (reader_line(r, &line)) {
		struct str s = line;
		size_t blanks = scan_blanks(&s);

		if (s.len == 0) {
			continue;
		} else if (blanks == 0) {
			if (!read_thread(&b, s) && !read_dumped(&b, s))
				backtrace_end(&b);
		} else if (scan_word(&s, "java.lang.Thread.State: ")) {
			b.bare = true;
			if (b.state.len == 0)
				backtrace_state(&b, scan_until(&s, ' '));
		} else if (scan_word(&s, "at ")) {
			if (!javaframe_add(&b.stack, r->options, s))
				reader_malformed(r, "not a frame of Java");
			else
				correct_state(&b, s);
		} else if (b.open && blanks >= 6 && s.s[0] != '-' && s.s[0] != '<') {
			javaframe_add(&b.stack, r->options, s);
		}
	}
	backtrace_end(&b);
	backtrace_free(&b);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool dumped = false;

	while (scan_line(&rest, &line)) {
		struct str s = line;
		uint64_t n;

		if (scan_word(&s, "Full thread dump ") && str_find(s, "VM") < s.len)
			return 97;
		if (line.len > 0 && line.s[0] == '"' && str_find(line, " tid=0x") < line.len &&
		    str_find(line, " nid=") < line.len)
			return 97;
		if (str_starts(line, "   java.lang.Thread.State: "))
			return 97;
		if (dumped && str_starts(line, "      ") && str_ends(line, ")"))
			return 90;
		s = line;
		dumped = scan_word(&s, "#") && scan_number(&s, &n) && scan_word(&s, " \"");
	}
	return 0;
}

const struct format jstack_format = {
    .name = "jstack",
    .description = "Java thread dumps; each thread is a sample",
    .origin = "jstack PID or jcmd PID Thread.print, many times",
    .provides =
	DATA_COMM | DATA_TID | DATA_MODULE | DATA_SOURCE | DATA_ORDER | DATA_STATE | DATA_PACKAGES,
    .sniff = sniff,
    .read = read_input,
};
