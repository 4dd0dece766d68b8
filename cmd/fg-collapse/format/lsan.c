/*
 * lsan: leaks that LeakSanitizer reports, also as part of AddressSanitizer:
 *
 *	Direct leak of 300 byte(s) in 3 object(s) allocated from:
 *	    #0 0x7fa4eb6b89cf in malloc ../libsanitizer/asan/asan_malloc_linux.cpp:69
 *	    #1 0x55d7cfd6d170 in mk /src/leak.c:2:9
 *	    #2 0x55d7cfd6d1a9 in b (/bin/leak+0x11a9) (BuildId: 1f2e)
 *
 *	SUMMARY: AddressSanitizer: 1300 byte(s) leaked in 4 allocation(s).
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/scan.h"
#include "fg-collapse/shape/stack.h"
#include "sample/events.h"
#include "sample/sample.h"

struct report {
	struct reader *reader;
	struct stack stack;
	uint32_t bytes, objects;
	uint64_t nbytes, nobjects; /* of the current leak */
	uint64_t sum; /* bytes of all leaks since the last summary */
	bool open; /* a leak was read */
};

static void
end(struct report *p)
{
	static const struct sample_task nobody;
	const struct sample_weight w[] = {
	    {p->bytes, value_of(p->nbytes)}, {p->objects, value_of(p->nobjects)}};

	if (!p->open && !p->stack.broken)
		return;
	if (p->stack.n == 0)
		reader_broken(p->reader, &p->stack, "a leak without a stack");
	stack_sample_all(&p->stack, &nobody, w, 2, SAMPLE_NO_TIME);
	p->nbytes = p->nobjects = 0;
	p->open = false;
}

/* Reads `Direct leak of 300 byte(s) in 3 object(s) allocated from:`. */
static bool
read_leak(struct report *p, struct str s)
{
	if (!scan_word(&s, "Direct leak of ") && !scan_word(&s, "Indirect leak of "))
		return false;
	end(p);
	p->open = true;
	if (!scan_number(&s, &p->nbytes) || !scan_word(&s, " byte(s) in ") ||
	    !scan_number(&s, &p->nobjects) || !scan_word(&s, " object(s) allocated from:"))
		reader_broken(p->reader, &p->stack, "not the size of a leak");
	p->sum += p->nbytes;
	return true;
}

/* Takes `:12` or `:12:9` from the end of a file's name; returns the line. */
static unsigned
cut_line(struct str *file)
{
	unsigned line = 0;

	for (int part = 0; part < 2; part++) {
		size_t colon = str_find_last(*file, ":");
		struct str number = str_from(*file, colon + 1);
		uint64_t n;

		if (colon == 0 || !scan_number(&number, &n) || number.len > 0)
			break;
		line = (unsigned)n;
		file->len = colon;
	}
	return line;
}

/* Reads `#1 0x55d7cfd6d170 in mk /src/leak.c:2:9`. */
static bool
read_frame(struct report *p, struct str s)
{
	struct frame f = {.has_address = true};
	size_t at;
	uint64_t n;

	if (!scan_word(&s, "#") || !scan_number(&s, &n) || !scan_word(&s, " ") ||
	    !scan_hex(&s, &f.address))
		return false;
	if (n != p->stack.n)
		reader_broken(p->reader, &p->stack, "a frame before it is missing");
	at = str_find_last(s, " (BuildId: ");
	s.len = at;
	if (str_ends(s, ")") && (at = str_find_last(s, " (")) < s.len &&
	    str_find(str_from(s, at), "+0x") < s.len - at) {
		f.module = str_from(s, at + strlen(" ("));
		f.module.len = str_find_last(f.module, "+0x");
		s.len = at;
	}
	scan_blanks(&s);
	if (scan_word(&s, "in ")) {
		at = str_find(s, " /"); /* a path may have blanks */
		if (at == s.len)
			at = str_find_last(s, " ");
		if (f.module.len > 0)
			at = s.len;
		if (at < s.len && (memchr(s.s + at, '/', s.len - at) != NULL ||
				      memchr(s.s + at, ':', s.len - at) != NULL)) {
			f.file = str_from(s, at + 1);
			f.line = cut_line(&f.file);
			s.len = at;
		}
		f.function = s;
	} else if (s.len > 0 && !str_is(s, "(<unknown module>)")) {
		return false;
	}
	if (str_is(f.function, "<null>"))
		f.function.len = 0;
	f.kind = frame_kind_of(f.module);
	stack_function(&p->stack, f);
	return true;
}

static void
read_line(struct report *p, struct str s)
{
	uint64_t n;
	size_t at;

	if (read_leak(p, s))
		return;
	scan_blanks(&s);
	at = str_find(s, "Sanitizer: ");
	if (s.len == 0) {
		end(p);
	} else if (str_starts(s, "SUMMARY: ") && at < s.len) {
		end(p);
		s = str_from(s, at + strlen("Sanitizer: "));
		if (scan_number(&s, &n) && str_starts(s, " byte(s) leaked") && n != p->sum)
			reader_malformed(p->reader, "another sum than that of the leaks");
		p->sum = 0;
	} else if (p->open) {
		if (!read_frame(p, s) && !str_starts(s, "<empty stack>"))
			reader_broken(p->reader, &p->stack, "not a frame of LeakSanitizer");
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
	p.objects = sampler_event(r->sampler, str_of("blocks"), str_of("blocks"));
	sampler_default(r->sampler, p.bytes);
	while (reader_line(r, &line))
		read_line(&p, line);
	end(&p);
	stack_free(&p.stack);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line))
		if ((str_starts(line, "Direct leak of ") ||
			str_starts(line, "Indirect leak of ")) &&
		    str_ends(line, " allocated from:"))
			return 97;
	return 0;
}

const struct format lsan_format = {
    .provides = DATA_CODE | DATA_EVENT,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
