/*
 * jstack: thread dumps of Java's virtual machines, from jstack, jcmd Thread.print or kill -QUIT,
 *
 *	"main" #1 prio=5 os_prio=0 cpu=29ms tid=0x00007e nid=0x2404 waiting on condition  [0x0]
 *	   java.lang.Thread.State: TIMED_WAITING (parking)
 *		at jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)
 *		- parking to wait for  <0x0000000690800010> (a java.lang.Object)
 *
 * from jcmd Thread.dump_to_file, which has virtual threads, and states since JDK 25,
 *
 *	#1 "main"
 *	      java.base/jdk.internal.misc.Unsafe.park(Native Method)
 *	#26 "" virtual WAITING 2026-01-05T06:31:54.844839Z
 *	    at java.base/java.lang.VirtualThread.park(VirtualThread.java:738)
 *
 * from jhsdb jstack, with the head of jstack and frames such as
 *
 *	 - B.hot() @bci=26, line=1 (Compiled frame; information may be imprecise)
 *
 * with `Thread 4711: (state = BLOCKED)` as head from jstack -F, and from Android, in traces.txt of
 *applications that do not respond:
 *
 *	"main" prio=5 tid=1 Sleeping
 *	  | sysTid=4417 nice=0 cgrp=default sched=0/0 handle=0xb6f2b4c8
 *	  kernel: futex_wait_queue_me+0xd8/0x174
 *	  native: #00 pc 00000000000174e0  /system/lib/libc.so (syscall+28)
 *	  at java.lang.Thread.sleep!(Native method)
 *
 * A carrier thread has its own stack, then, after `Mounted virtual thread #26`, that of the virtual
 * thread, which runs inside of it.
 *
 * States are Java's, corrected as in stackcollapse-jstack.pl: threads that wait for the
 * network in a system call are not RUNNABLE, nor are the virtual machine's own threads.
 */
#include "fg-collapse/format.h"

#include <stdio.h>

#include "base/vec.h"
#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/javaframe.h"
#include "fg-collapse/shape/kernelframe.h"
#include "fg-collapse/shape/scan.h"

struct dump {
	struct backtrace b;
	size_t carrier; /* frames of the carrier, before those of a virtual thread in it */
	bool android; /* the current thread is one of Android */
	bool blank; /* a blank line follows the lines of the current thread */
	uint64_t odd; /* line before this one that may be the damaged head of a thread; 0: none */
};

/* Offset of the quote that ends a thread's name, which may contain quotes itself; s starts
 * after the first quote. */
static size_t
name_end(struct str s)
{
	static const char *const next[] = {"\" #", "\" daemon ",
	    "\" prio=", "\" os_prio=", "\" tid=", "\" virtual", "\" - Thread t@"};
	size_t end = s.len;

	for (size_t i = 0; i < sizeof next / sizeof next[0]; i++) {
		size_t at = str_find_last(s, next[i]);

		if (at < end)
			end = at;
	}
	return end;
}

/* The thread's id in the operating system, in decimal, from nid=0x2404 or nid=9220; or Java's. */
static struct str
native_id(struct str s, char id[24])
{
	static const char *const key[] = {" nid=", " sysTid=", " - Thread t@"};
	uint64_t n;
	int len;

	for (size_t i = 0; i < sizeof key / sizeof key[0]; i++) {
		size_t at = str_find_last(s, key[i]);
		struct str number = str_from(s, at < s.len ? at + strlen(key[i]) : s.len);

		if (!scan_hex(&number, &n) && !scan_number(&number, &n))
			continue;
		len = snprintf(id, 24, "%llu", (unsigned long long)n);
		return (struct str){id, (size_t)len};
	}
	return (struct str){0};
}

/* Completes the current thread: a virtual thread's frames are inside of its carrier's. */
static void
end_thread(struct dump *d)
{
	struct stack *s = &d->b.stack;
	uint32_t *carrier = NULL;
	size_t cap = 0, n = d->carrier;

	if (n > 0 && n <= s->n) {
		vec_fit(carrier, cap, n);
		memcpy(carrier, s->name, n * sizeof *carrier);
		memmove(s->name, s->name + n, (s->n - n) * sizeof *carrier);
		memcpy(s->name + s->n - n, carrier, n * sizeof *carrier);
		free(carrier);
	}
	d->carrier = 0;
	d->android = d->blank = false;
	backtrace_end(&d->b);
}

/* Reads `"name" #1 ... nid=0x2404 ...` or `"name" prio=5 tid=1 Sleeping`. */
static bool
read_thread(struct dump *d, struct str s)
{
	static const char *const background[] = {"C1 CompilerThread", "C2 CompilerThread",
	    "Signal Dispatcher", "Service Thread", "Attach Listener"};
	struct str name, rest;
	char id[24];
	uint64_t n;
	size_t at;

	if (!scan_word(&s, "\""))
		return false;
	name = (struct str){s.s, name_end(s)};
	if (name.len == s.len)
		return false;
	end_thread(d);
	backtrace_thread(&d->b, name, native_id(s, id));
	for (size_t i = 0; i < sizeof background / sizeof background[0]; i++)
		if (str_find(name, background[i]) < name.len)
			backtrace_state(&d->b, str_of("BACKGROUND"));
	at = str_find_last(s, " tid=");
	rest = str_from(s, at < s.len ? at + strlen(" tid=") : s.len);
	if (scan_number(&rest, &n) && scan_word(&rest, " ") && str_find(rest, "=") == rest.len) {
		d->android = d->b.bare = true;
		backtrace_state(&d->b, scan_until(&rest, ' '));
	}
	return true;
}

/* Reads `Thread 4711: (state = BLOCKED)` of jstack -F, which names no threads. */
static bool
read_forced(struct dump *d, struct str s)
{
	struct str tid;

	if (!scan_word(&s, "Thread "))
		return false;
	tid = scan_digits(&s);
	if (tid.len == 0 || !scan_word(&s, ": (state = "))
		return false;
	end_thread(d);
	backtrace_thread(&d->b, (struct str){0}, tid);
	backtrace_state(&d->b, scan_until(&s, ')'));
	d->b.bare = true;
	return true;
}

/* Reads `#21 "name" virtual` or `#26 "name" virtual WAITING 2026-01-05T06:31:54.844839Z`. */
static bool
read_dumped(struct dump *d, struct str s)
{
	struct str tid, name;

	if (!scan_word(&s, "#"))
		return false;
	tid = scan_digits(&s);
	if (tid.len == 0 || !scan_word(&s, " \""))
		return false;
	name = (struct str){s.s, str_find_last(s, "\"")};
	s = str_from(s, name.len + 1);
	scan_word(&s, " virtual");
	end_thread(d);
	backtrace_thread(&d->b, name, tid);
	if (scan_word(&s, " ")) {
		backtrace_state(&d->b, scan_until(&s, ' '));
		d->b.bare = true;
	}
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

/* Reads a frame of jhsdb: `B.main(java.lang.String[]) @bci=40, line=2 (Interpreted frame)`. */
static bool
read_debugger_frame(struct dump *d, struct str s)
{
	size_t open = str_find(s, "(");

	if (open == 0 || str_find(s, ") @bci=") == s.len)
		return false;
	stack_frame(&d->b.stack, &(struct frame){.function = {s.s, open}});
	return true;
}

/* Reads `#00 pc 000174e0  /system/lib/libc.so (syscall+28) (BuildId: ...)`. */
static bool
read_native(struct dump *d, struct str s)
{
	struct frame f = {0};
	size_t open;
	uint64_t n;

	if (!scan_word(&s, "#") || !scan_number(&s, &n) || !scan_word(&s, " pc "))
		return false;
	f.has_address = text_hex(s.s, s.len, &f.address) > 0;
	scan_until(&s, ' ');
	scan_blanks(&s);
	open = str_find(s, " (BuildId: ");
	s.len = open;
	open = str_ends(s, ")") ? str_find(s, " (") : s.len;
	f.module = (struct str){s.s, open};
	f.kind = frame_kind_of(f.module);
	if (open < s.len) {
		f.function = (struct str){s.s + open + 2, s.len - open - 3};
		if (str_find_last(f.function, "+") < f.function.len)
			f.function.len = str_find_last(f.function, "+");
		if (str_is(f.function, "\?\?\?"))
			f.function.len = 0;
	}
	stack_function(&d->b.stack, f);
	return true;
}

/* Reads another line of a thread: its state, a lock, a heading. */
static bool
read_detail(struct dump *d, struct str s)
{
	struct backtrace *b = &d->b;
	char id[24];

	if (scan_word(&s, "java.lang.Thread.State: ")) {
		b->bare = true;
		if (b->state.len == 0)
			backtrace_state(b, scan_until(&s, ' '));
	} else if (str_starts(s, "Carrying virtual thread #")) {
		b->bare = true;
	} else if (str_starts(s, "Mounted virtual thread ")) {
		d->carrier = b->stack.n;
		if (b->state.len == 0)
			backtrace_state(b, str_of("RUNNABLE"));
	} else if (scan_word(&s, "|")) {
		struct str tid = native_id(s, id);

		if (tid.len > 0) {
			text_cut(&b->tid, 0);
			text_str(&b->tid, tid);
		}
	} else {
		return s.s[0] == '-' || s.s[0] == '<' || s.s[0] == '(' || s.s[0] == '_' ||
		       str_starts(s, "JavaThread state: ") || str_starts(s, "Locked ownable ") ||
		       str_starts(s, "No compile task") || str_starts(s, "Compiling: ") ||
		       str_starts(s, "kernel: ") || str_starts(s, "native: ");
	}
	return true;
}

/* Reads a frame; false if the line is not one. */
static bool
read_frame(struct dump *d, struct str s, size_t blanks)
{
	struct backtrace *b = &d->b;
	struct str kernel = s, native = s, debugger = s, java = s;

	if (scan_word(&java, "at ")) {
		if (!javaframe_add(&b->stack, b->reader->options, java))
			return false;
		correct_state(b, java);
		return true;
	}
	if (scan_word(&debugger, "- ") && read_debugger_frame(d, debugger))
		return true;
	if (scan_word(&kernel, "kernel: "))
		return kernelframe_add(&b->stack, b->reader->options, kernel);
	if (scan_word(&native, "native: "))
		return read_native(d, native);
	return b->open && blanks >= 6 && s.s[0] != '-' && s.s[0] != '<' &&
	       javaframe_add(&b->stack, b->reader->options, s);
}

/* True for a line that a thread has only before or among its frames. */
static bool
begins_stack(struct str s, size_t blanks)
{
	return str_starts(s, "java.lang.Thread.State: ") || str_starts(s, "at ") ||
	       (blanks >= 6 && str_ends(s, ")") && s.s[0] != '-' && s.s[0] != '<');
}

static void
read_line(struct dump *d, struct str s)
{
	const bool tabbed = s.s[0] == '\t';
	struct str pid = s;
	size_t blanks = scan_blanks(&s);

	if (blanks == 0) {
		uint64_t n;

		if (read_thread(d, s) || read_dumped(d, s) || read_forced(d, s))
			return;
		end_thread(d);
		d->odd = s.s[0] == '#' ? d->b.reader->number : 0;
		if (scan_word(&pid, "----- pid ") && scan_number(&pid, &n)) {
			pid = (struct str){s.s + strlen("----- pid "),
			    (size_t)(pid.s - s.s) - strlen("----- pid ")};
			backtrace_process(&d->b, pid);
		}
	} else if (!d->b.open && d->odd > 0 && str_ends(s, ")")) {
		reader_malformed_at(d->b.reader, d->odd, 1, "not a thread of Java");
		d->odd = 0;
		return;
	}
	if (blanks == 0)
		return;
	if (d->blank && (d->b.stack.n > 0 || d->b.bare) && begins_stack(s, blanks)) {
		end_thread(d);
		backtrace_thread(&d->b, (struct str){0}, (struct str){0});
		reader_broken(
		    d->b.reader, &d->b.stack, "a stack without the first line of its thread");
	}
	if (!read_frame(d, s, blanks) && !read_detail(d, s) && d->b.open &&
	    (tabbed || blanks >= 3 || d->android || str_starts(s, "at "))) {
		reader_broken(d->b.reader, &d->b.stack, "not a frame of Java");
	}
}

static void
read_input(struct reader *r)
{
	struct dump d = {0};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&d.b, r, true);
	while (reader_line(r, &line))
		if (line.len > 0)
			read_line(&d, line);
		else
			d.blank = true;
	end_thread(&d);
	backtrace_free(&d.b);
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
		if (dumped && (str_starts(line, "      ") || str_starts(line, "    at ")) &&
		    str_ends(line, ")"))
			return 90;
		if (str_starts(line, "DALVIK THREADS") ||
		    (line.len > 0 && line.s[0] == '"' &&
			str_find(line, "\" - Thread t@") < line.len))
			return 97;
		if (str_starts(line, "Thread ") && str_find(line, ": (state = ") < line.len)
			return 90;
		s = line;
		dumped = scan_word(&s, "#") && scan_number(&s, &n) && scan_word(&s, " \"");
	}
	return 0;
}

const struct format jstack_format = {
    .provides =
	DATA_COMM | DATA_TID | DATA_MODULE | DATA_SOURCE | DATA_ORDER | DATA_STATE | DATA_PACKAGES,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
