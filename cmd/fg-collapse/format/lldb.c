/*
 * lldb: output of `bt all` and `thread backtrace all`:
 *
 *	* thread #1, name = 'work', queue = 'com.apple.main-thread', stop reason = signal SIGSTOP
 *	  * frame #0: 0x0000000100003f20 a.out`main(argc=1) [inlined] spin(n=9) at main.c:10:5
 *	    frame #1: 0x00000001000 a.out`main(argc=1) at main.c:12:3 [opt]
 *	    frame #2: 0x00000001812 libdyld.dylib`start + 4
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"

/* s without [opt] and [artificial] at its end. */
static struct str
without_remarks(struct str s)
{
	while (str_ends(s, " [opt]") || str_ends(s, " [artificial]"))
		s.len = str_find_last(s, " [");
	return s;
}

/* Reads `function(arguments) + 4` or `function(arguments) at file:line:column`. */
static void
read_function(struct frame *f, struct str s)
{
	size_t inlined = str_find_last(s, " [inlined] "), at;
	uint64_t line;

	if (inlined < s.len) {
		f->inlined = true;
		s = str_from(s, inlined + strlen(" [inlined] "));
	}
	at = str_find_last(s, " at ");
	if (at < s.len) {
		struct str source = str_from(s, at + strlen(" at ")), rest = source;

		f->file = scan_until(&rest, ':');
		if (scan_number(&rest, &line))
			f->line = (unsigned)line;
		s.len = at;
	}
	s = without_remarks(s);
	at = str_find_last(s, " + ");
	if (at < s.len) {
		struct str offset = str_from(s, at + strlen(" + "));

		if (scan_number(&offset, &line) && offset.len == 0)
			s.len = at;
	}
	f->function = s;
}

/*
 * Reads a frame. Each thread's frames have consecutive numbers, *next the next one; a frame 0
 * after others is one of a thread whose line is damaged.
 */
static bool
read_frame(struct backtrace *b, uint64_t *next, struct str s)
{
	struct frame f = {.has_address = true};
	uint64_t number;
	size_t tick;

	scan_blanks(&s);
	scan_word(&s, "* ");
	if (!scan_word(&s, "frame #") || !scan_number(&s, &number) || !scan_word(&s, ": ") ||
	    !scan_hex(&s, &f.address))
		return false;
	if (b->stack.n > 0 && number == 0) {
		backtrace_thread(b, (struct str){0}, (struct str){0});
		reader_broken(b->reader, &b->stack, "a frame 0 without a line of its thread");
	} else if (b->stack.n > 0 && number != *next) {
		reader_broken(b->reader, &b->stack, "a frame without the one before it");
	}
	*next = number + 1;
	s = without_remarks(str_trim(s));
	tick = str_find(s, "`");
	if (tick < s.len) {
		f.module = (struct str){s.s, tick};
		read_function(&f, str_from(s, tick + 1));
	} else if (!str_is(s, "") && !str_starts(s, "+ ")) {
		read_function(&f, s);
	}
	f.kind = frame_kind_of(f.module);
	stack_function(&b->stack, f);
	return true;
}

/* Reads `thread #2, tid = 0x1f, name = 'x', queue = 'y'`: the tid and the name, or else the
 * queue's name. */
static bool
read_thread(struct backtrace *b, struct str s)
{
	static const char *const key[] = {"name = '", "queue = '"};
	struct str name = {0}, tid;

	scan_blanks(&s);
	scan_word(&s, "* ");
	if (!scan_word(&s, "thread #"))
		return false;
	tid = scan_digits(&s);
	if (tid.len == 0 || (s.len > 0 && s.s[0] != ',' && s.s[0] != ':'))
		return false;
	for (int i = 0; i < 2 && name.len == 0; i++) {
		size_t at = str_find(s, key[i]);

		if (at < s.len) {
			name = str_from(s, at + strlen(key[i]));
			name.len = str_find(name, "'");
		}
	}
	backtrace_thread(b, name, tid);
	return true;
}

static void
read_input(struct reader *r)
{
	struct backtrace b;
	struct str line;
	uint64_t next = 0;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&b, r, false);
	while (reader_line(r, &line))
		if (!read_thread(&b, line) && !read_frame(&b, &next, line) &&
		    (str_find(line, "frame #") < line.len || (b.open && str_starts(line, "  "))))
			reader_broken(r, &b.stack, "not a frame of lldb");
	backtrace_end(&b);
	backtrace_free(&b);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line)) {
		uint64_t n;

		scan_blanks(&line);
		scan_word(&line, "* ");
		if (scan_word(&line, "frame #0: ") && scan_hex(&line, &n))
			return 95;
	}
	return 0;
}

const struct format lldb_format = {
    .provides = DATA_COMM | DATA_TID | DATA_CODE | DATA_ORDER | DATA_THREAD_NAMES,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
