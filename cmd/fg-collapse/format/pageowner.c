/*
 * pageowner: the kernel's page_owner, which has the stack that allocated each page,
 *
 *	Page allocated via order 0, mask 0x1100dca(...), pid 1, tgid 1 (systemd), ts 1 ns
 *	PFN 4096 type Unmovable Block 8 type Unmovable Flags 0xffffe()
 *	 post_alloc_hook+0x177/0x1a0
 *	 __alloc_pages+0x39e/0x7e0
 *
 * also sorted and merged by page_owner_sort, which writes a line `16 times, 32 pages:` first; and
 * page_owner_stacks/show_stacks, which has a number of pages after each stack:
 *
 *	 __alloc_pages+0x39e/0x7e0
 *	nr_base_pages: 16
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/kernelframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/sample.h"

struct owners {
	struct reader *reader;
	struct stack stack;
	uint32_t pages, allocations;
	uint64_t npages, times; /* of the current stack; 0: unknown */
	bool merged; /* page_owner_sort gave them */
	bool open; /* a block has begun */
	struct text comm, pid;
};

/* Ends a block. */
static void
end(struct owners *o)
{
	const struct sample_task task = {.comm = text_as_str(&o->comm),
	    .pid = text_as_str(&o->pid),
	    .tid = text_as_str(&o->pid)};
	const struct sample_weight w[] = {
	    {o->pages, value_of(o->npages)}, {o->allocations, value_of(o->times)}};

	if (!o->open && o->stack.n == 0 && !o->stack.broken)
		return;
	if (o->stack.n == 0 && !o->stack.broken)
		reader_broken(o->reader, &o->stack, "a number of pages without a stack");
	else if (o->npages == 0)
		reader_broken(o->reader, &o->stack, "a stack without its number of pages");
	stack_sample_all(&o->stack, &task, w, o->times > 0 ? 2 : 1, SAMPLE_NO_TIME);
	o->npages = o->times = 0;
	o->merged = o->open = false;
	text_cut(&o->comm, 0);
	text_cut(&o->pid, 0);
}

/* Returns the number after a word in s; false if there is none. */
static bool
number_after(struct str s, const char *word, uint64_t *n)
{
	size_t at = str_find(s, word);

	s = str_from(s, at < s.len ? at + strlen(word) : at);
	return scan_number(&s, n);
}

/* Reads `Page allocated via order 0, mask 0x0(), pid 1, tgid 1 (systemd), ts 1 ns`. */
static bool
read_head(struct owners *o, struct str s)
{
	uint64_t order, pid;
	size_t at;

	if (!str_starts(s, "Page allocated via "))
		return false;
	if (!o->merged)
		end(o);
	o->open = true;
	if (!number_after(s, "order ", &order) || order > 30)
		reader_broken(o->reader, &o->stack, "not the order of a page");
	else if (!o->merged) {
		o->npages = UINT64_C(1) << order;
		o->times = 1;
	}
	if (number_after(s, " pid ", &pid))
		text_printf(&o->pid, "%llu", (unsigned long long)pid);
	at = str_find(s, " tgid ");
	s = str_from(s, at);
	at = str_find(s, " (");
	s = str_from(s, at + strlen(" ("));
	text_str(&o->comm, (struct str){s.s, str_find(s, ")")});
	return true;
}

/* Reads `16 times, 32 pages, PID 12:`. */
static bool
read_merged(struct owners *o, struct str s)
{
	uint64_t times, pages;

	if (!scan_number(&s, &times) || !scan_word(&s, " times, ") || !scan_number(&s, &pages) ||
	    !scan_word(&s, " pages"))
		return false;
	end(o);
	o->times = times;
	o->npages = pages;
	o->open = o->merged = true;
	return true;
}

static void
read_line(struct owners *o, struct str s)
{
	uint64_t n;

	if (s.len == 0) {
		end(o);
		return;
	}
	if (read_head(o, s) || read_merged(o, s))
		return;
	scan_blanks(&s);
	if (scan_word(&s, "nr_base_pages:") || scan_word(&s, "stack_count:")) {
		scan_blanks(&s);
		o->open = true;
		if (scan_number(&s, &n) && s.len == 0)
			o->npages = n;
		else
			reader_broken(o->reader, &o->stack, "not a number of pages");
		end(o);
	} else if (kernelframe_add(&o->stack, o->reader->options, s)) {
		return;
	} else if (!str_starts(s, "PFN ") && !str_starts(s, "Charged ") &&
		   !str_starts(s, "Page has been migrated") && !str_starts(s, "handle: ")) {
		reader_broken(o->reader, &o->stack, "not a frame of the kernel");
	}
}

static void
read_input(struct reader *r)
{
	struct owners o = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	stack_init(&o.stack, r->sampler);
	o.pages = sampler_event(r->sampler, str_of("pages"), str_of("pages"));
	o.allocations = sampler_event(r->sampler, str_of("allocations"), str_of("allocations"));
	sampler_default(r->sampler, o.pages);
	while (reader_line(r, &line))
		read_line(&o, line);
	end(&o);
	stack_free(&o.stack);
	text_free(&o.comm);
	text_free(&o.pid);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	while (scan_line(&rest, &line)) {
		uint64_t n;

		if (str_starts(line, "Page allocated via order "))
			return 97;
		if ((scan_word(&line, "nr_base_pages: ") || scan_word(&line, "stack_count: ")) &&
		    scan_number(&line, &n) && line.len == 0)
			return 97;
	}
	return 0;
}

const struct format pageowner_format = {
    .provides = DATA_TASK | DATA_MODULE | DATA_KIND | DATA_SOURCE | DATA_EVENT | DATA_OFFSET,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
