/*
 * memcheck: leaks that valgrind's memcheck reports:
 *
 *	==22967== 40 (16 direct, 24 indirect) bytes in 1 blocks are definitely lost in loss ...
 *	==22967==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck.so)
 *	==22967==    by 0x109150: mk (leak.c:2)
 *
 * Bytes are the direct ones, since indirect ones may have stacks of their own, as in valgrind's
 * summary; those with both are another event. Stacks of other errors are left out.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "fg-collapse/valgrind/valgrindframe.h"
#include "sample/account.h"
#include "sample/events.h"
#include "sample/sample.h"

struct report {
	struct reader *reader;
	struct stack stack;
	struct text function;
	uint32_t bytes, blocks, all;
	uint64_t nbytes, nblocks, nall; /* of the current record */
	bool open, leak; /* a stack is being read; it is that of a leak */
};

static void
end(struct report *p)
{
	static const struct sample_task nobody;
	const struct sample_weight w[] = {{p->bytes, value_of(p->nbytes)},
	    {p->blocks, value_of(p->nblocks)}, {p->all, value_of(p->nall)}};

	if (p->leak) {
		if (p->stack.n == 0)
			reader_broken(p->reader, &p->stack, "a leak without a stack");
		stack_sample_all(&p->stack, &nobody, w, 3, SAMPLE_NO_TIME);
	} else if (p->open && !p->stack.broken) {
		sample_leave_out(p->reader->sampler, 1);
	}
	p->stack.n = 0;
	p->stack.broken = p->open = p->leak = false;
}

/* Takes `==22967== `, or with a time `==00:00:01.234 22967== `; false if there is none. */
static bool
scan_mark(struct str *s)
{
	struct str rest = *s;

	if (!scan_word(&rest, "==") && !scan_word(&rest, "--"))
		return false;
	for (size_t i = 0; i < rest.len && i < 40; i++)
		if ((rest.s[i] < '0' || rest.s[i] > '9') && strchr(":. ", rest.s[i]) == NULL) {
			rest = str_from(rest, i);
			if (i == 0 || (!scan_word(&rest, "==") && !scan_word(&rest, "--")))
				return false;
			*s = rest;
			return true;
		}
	return false;
}

/* Takes a number with thousands separators. */
static bool
scan_amount(struct str *s, uint64_t *n)
{
	uint64_t part;

	if (!scan_number(s, n))
		return false;
	while (scan_word(s, ",") && scan_number(s, &part))
		*n = *n * 1000 + part;
	return true;
}

/* Reads `40 (16 direct, 24 indirect) bytes in 1 blocks are definitely lost in loss record`. */
static bool
read_record(struct report *p, struct str s)
{
	uint64_t bytes, all, blocks, indirect;

	if (str_find(s, " in loss record ") == s.len)
		return false;
	end(p);
	p->open = p->leak = true;
	scan_blanks(&s);
	p->nbytes = p->nblocks = p->nall = 0;
	if (scan_amount(&s, &all)) {
		bytes = all;
		if (!scan_word(&s, " (") ||
		    (scan_amount(&s, &bytes) && scan_word(&s, " direct, ") &&
			scan_amount(&s, &indirect) && scan_word(&s, " indirect)"))) {
			if (scan_word(&s, " bytes in ") && scan_amount(&s, &blocks) &&
			    scan_word(&s, " blocks are ")) {
				p->nbytes = bytes;
				p->nall = all;
				p->nblocks = blocks;
				return true;
			}
		}
	}
	reader_broken(p->reader, &p->stack, "not the size of a leak");
	return true;
}

/* Reads `   at 0x48417B4: malloc (in /usr/lib/x.so)` or `   by 0x109150: mk (leak.c:2)`. */
static void
read_frame(struct report *p, struct str s)
{
	struct frame f = {0};

	if (!p->leak)
		return;
	if (valgrindframe_read(&f, &p->function, str_from(s, 3)))
		stack_frame(&p->stack, &f);
	else
		reader_broken(p->reader, &p->stack, "not a frame of valgrind");
}

static void
read_line(struct report *p, struct str s)
{
	size_t blanks;

	if (!scan_mark(&s)) {
		if (str_starts(s, "==") && str_find(str_from(s, 2), "== ") < 40)
			reader_broken(p->reader, &p->stack, "not a line of valgrind");
		return;
	}
	if (read_record(p, s))
		return;
	blanks = scan_blanks(&s);
	if (str_starts(s, "at 0x") || str_starts(s, "by 0x")) {
		if (str_starts(s, "at ") && p->stack.n > 0)
			end(p);
		if (p->leak && str_starts(s, "by ") && p->stack.n == 0)
			reader_broken(p->reader, &p->stack, "a frame before it is missing");
		p->open = true;
		read_frame(p, s);
	} else if (s.len == 0) {
		end(p);
	} else if (p->leak && blanks >= 3) {
		reader_broken(p->reader, &p->stack, "not a frame of valgrind");
	}
}

static void
read_input(struct reader *r)
{
	struct report p = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&p.stack, r->sampler);
	p.bytes = sampler_event(r->sampler, str_of("bytes"), str_of("bytes"));
	p.blocks = sampler_event(r->sampler, str_of("blocks"), str_of("blocks"));
	p.all = sampler_event(r->sampler, str_of("bytes-with-indirect"), str_of("bytes"));
	sampler_default(r->sampler, p.bytes);
	while (reader_line(r, &line))
		read_line(&p, line);
	end(&p);
	stack_free(&p.stack);
	text_free(&p.function);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line))
		if (scan_mark(&line) && str_find(line, " blocks are ") < line.len &&
		    str_find(line, " in loss record ") < line.len)
			return 97;
	return 0;
}

const struct format memcheck_format = {
    .provides = DATA_CODE | DATA_EVENT,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
