/*
 * bpfmaps: caches the frame name of each line of an entry. Lines in common with the
 * previous entry, counted from the root, are not looked up again.
 */
#include "fg-collapse/bpftrace/bpfmaps.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/perfscript/newlines.h"
#include "fg-collapse/shape/kernelframe.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

/* The keys of an entry other than its stacks. */
struct keys {
	struct sample_task task;
	struct str other[16];
	unsigned nother;
	bool empty; /* a key was an empty stack */
};

static void
add_key(struct keys *k, struct str key)
{
	struct str rest = key;
	uint64_t n;

	if (key.len == 0)
		k->empty = true;
	else if (scan_number(&rest, &n) && rest.len == 0 && k->task.pid.len == 0)
		k->task.pid = key;
	else if (k->task.comm.len == 0 && (rest.len == key.len || rest.len > 0))
		k->task.comm = key;
	else if (k->nother < sizeof k->other / sizeof k->other[0])
		k->other[k->nother++] = key;
}

/*
 * Adds keys next to a stack: `bash, 12, ` before one, `, bash, 12` after one. The part
 * nearest to a stack is its separator or an empty stack.
 */
static void
add_keys(struct keys *k, struct str s, bool after, bool before)
{
	if (after && scan_word(&s, ","))
		scan_word(&s, " ");
	else if (after && s.len == 0)
		return;
	s = str_trim(s);
	if (before && str_ends(s, ","))
		s.len--;
	else if (before && s.len == 0)
		return;
	for (;;) {
		size_t comma = str_find(s, ", ");

		add_key(k, str_trim((struct str){s.s, comma}));
		if (comma == s.len)
			break;
		s = str_from(s, comma + 2);
	}
}

/*
 * Removes the source that bpftrace 0.24 and later add: `loop+37@/src/x.c:41`, and after [inlined],
 * without the offset.
 */
static void
scan_source(struct str *s, struct frame *f)
{
	size_t at = str_find_last(*s, "@"), colon;
	struct str file = str_from(*s, at + 1), line;
	uint64_t n;

	if (at == 0 || at >= s->len)
		return;
	colon = str_find_last(file, ":");
	line = str_from(file, colon + 1);
	file.len = colon;
	if (file.len == 0 || !scan_number(&line, &n) || line.len > 0)
		return;
	f->file = file;
	f->line = n <= UINT32_MAX ? (unsigned)n : 0;
	s->len = at;
}

/* Adds the frame of a line: `schedule+35`, `0x5637`, or with stack(perf) `5557d66fda01 main+12
 * (/bin/work)`. */
void
bpfmaps_frame(struct bpfmaps *m, struct str s, bool kernel)
{
	struct frame f = {.kind = kernel ? FRAME_KERNEL : FRAME_USER};
	size_t blank, open;

	open = str_find_last(s, " (");
	blank = str_find(s, " ");
	if (blank < s.len && text_hex(s.s, blank, &f.address) == blank) {
		f.has_address = true;
		if (open < s.len && str_ends(s, ")"))
			f.module = (struct str){s.s + open + 2, s.len - open - 3};
		else
			kernel = true;
		if (str_is(f.module, "[unknown]"))
			f.module.len = 0;
		f.kind = kernel ? FRAME_KERNEL : frame_kind_of(f.module);
		if (open <= blank) /* no name */
			open = blank + 1;
		s = (struct str){s.s + blank + 1, open - blank - 1};
	}
	f.inlined = scan_word(&s, "[inlined] ");
	scan_source(&s, &f);
	f.function = s;
	if (s.len >= 8 && text_hex(s.s, s.len, &f.address) == s.len) { /* stack(raw) */
		f.has_address = true;
		f.function.len = 0;
	}
	if (!f.has_address && !f.inlined && f.file.len == 0 && !str_starts(s, "0x") &&
	    plainname_without_offset(s) == s.len) {
		reader_broken(m->reader, &m->stack, "a frame without its offset");
		return;
	}
	if (scan_hex(&s, &f.address) && s.len == 0) {
		f.has_address = true;
		f.function.len = 0;
	}
	if (!m->reader->options->offsets)
		f.function.len = plainname_without_offset(f.function);
	stack_function(&m->stack, f);
	stack_remember(&m->stack);
}

/* True if a stack with this last line is a kernel stack: it ends at a kernel entry point or
 * has kernel addresses. */
static bool
is_kernel(struct str last)
{
	last = str_trim(last);
	if (str_find(last, " ") < last.len) /* stack(perf) */
		return str_find(last, " ") == 16 && str_starts(last, "ffff");
	return kernelframe_is_entry(last) || str_starts(last, "asm_");
}

/* Start of the line that ends before `end`, in a string that starts at `begin`. */
static const char *
line_before(const char *begin, const char *end)
{
	const char *newline = memrchr(begin, '\n', (size_t)(end - begin));

	return newline != NULL ? newline + 1 : begin;
}

const char *
bpfmaps_indented(const char *at, const char *end, uint32_t *lines)
{
	const char *newline;

	for (; end - at > 64; at += 64)
		for (uint64_t ends = newlines_mask(at); ends != 0; ends &= ends - 1) {
			newline = at + __builtin_ctzll(ends);
			++*lines;
			if (!is_blank(newline[1]))
				return newline;
		}
	while (at < end && (newline = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		++*lines;
		if (newline + 1 == end || !is_blank(newline[1]))
			return newline;
		at = newline + 1;
	}
	return end;
}

/* Length of the longest common suffix. */
static size_t
common_end(struct str a, struct str b)
{
	size_t most = a.len < b.len ? a.len : b.len, n = 0;
	const char *p = most == 0 ? NULL : a.s + a.len, *q = most == 0 ? NULL : b.s + b.len;

	while (n + 64 <= most && memcmp(p - n - 64, q - n - 64, 64) == 0)
		n += 64;
	while (n + 8 <= most && memcmp(p - n - 8, q - n - 8, 8) == 0)
		n += 8;
	while (n < most && p[-1 - (ptrdiff_t)n] == q[-1 - (ptrdiff_t)n])
		n++;
	return n;
}

/* Takes a stack from the front of text, up to a line that begins with a comma. */
static void
scan_stack(struct bpfmaps *m, struct str *text)
{
	const char *at = text->s, *end = text->s + text->len;
	struct bpfstack *p;
	uint32_t lines = 0;

	if (m->npart == 0 && m->indented > at && m->indented <= end)
		at = m->indented;
	while (at < end && *at != ',') {
		at = bpfmaps_indented(at, end, &lines);
		if (at < end)
			at++;
	}
	if (m->npart == m->cappart) {
		vec_fit(m->part, m->cappart, m->npart + 1);
		memset(m->part + m->npart, 0, (m->cappart - m->npart) * sizeof *m->part);
	}
	p = &m->part[m->npart++];
	p->text = (struct str){text->s, (size_t)(at - text->s)};
	*text = (struct str){at, (size_t)(end - at)};
	while (p->text.len > 0 && (is_blank(at[-1]) || at[-1] == '\n')) {
		p->text.len--;
		at--;
	}
	p->common = common_end(p->text, p->was);
	if (p->n > 0 && p->line[0].tail < p->common)
		return; /* same root as before */
	end = line_before(p->text.s, at);
	p->root_kernel = p->text.len > 0 && is_kernel((struct str){end, (size_t)(at - end)});
}

/* Looks up the frames of all lines, reusing those in common with the previous entry. */
static void
name_lines(struct bpfmaps *m, struct bpfstack *p)
{
	const char *begin = p->text.s, *at = begin + p->text.len;
	size_t common = p->kernel == p->was_kernel ? p->common : 0;

	/* The newline before a line must be equal too: text begins with one. */
	while (p->n > 0 && p->line[p->n - 1].tail >= common)
		p->n--;
	if (p->n > 0)
		at -= p->line[p->n - 1].tail + 1;
	while (at > begin) {
		const char *line = line_before(begin, at), *end = at, *name = line;

		at = line > begin ? line - 1 : begin;
		if (end - name > 4 &&
		    memcmp(name, "    ", 4) == 0) /* bpftrace indents by four blanks */
			name += 4;
		while (name < end && is_blank(*name))
			name++;
		if (name == end)
			continue;
		m->stack.n = 0;
		if (!stack_known(&m->stack, (struct str){name, (size_t)(end - name)}, p->kernel))
			bpfmaps_frame(
			    m, str_trim((struct str){name, (size_t)(end - name)}), p->kernel);
		if (m->stack.n == 0) /* malformed: the next entry reads the line again */
			break;
		vec_fit(p->line, p->cap, p->n + 1);
		p->line[p->n++] =
		    (struct bpfline){(size_t)(begin + p->text.len - line), m->stack.name[0]};
	}
	m->stack.n = 0;
	p->was = p->text;
	p->was_kernel = p->kernel;
}

static void
add_lines(struct bpfmaps *m, const struct bpfstack *p)
{
	struct stack *s = &m->stack;

	vec_fit(s->name, s->cap, s->n + p->n);
	for (size_t i = p->n; i-- > 0;)
		s->name[s->n++] = p->line[i].name;
}

uint32_t
bpfmaps_event(struct bpfmaps *m, struct str name)
{
	if (!m->named || !str_equal(name, text_as_str(&m->last))) {
		m->named = true;
		text_cut(&m->last, 0);
		text_str(&m->last, name);
		m->event = sampler_event(
		    m->reader->sampler, name, name.len == 0 ? str_of("samples") : (struct str){0});
	}
	return m->event;
}

void
bpfmaps_init(struct bpfmaps *m, struct reader *r)
{
	*m = (struct bpfmaps){.reader = r};
	stack_init(&m->stack, r->sampler);
}

void
bpfmaps_free(struct bpfmaps *m)
{
	stack_free(&m->stack);
	text_free(&m->last);
	for (size_t i = 0; i < m->cappart; i++)
		free(m->part[i].line);
	free(m->part);
}

void
bpfmaps_forget(struct bpfmaps *m)
{
	for (size_t i = 0; i < m->cappart; i++)
		m->part[i].n = m->part[i].was.len = 0;
}

bool
bpfmaps_entry(struct bpfmaps *m, uint32_t event, struct str entry, value v)
{
	struct keys k = {0};
	struct str line;
	bool after = false;
	struct bpfstack *p;
	bool two;

	m->npart = 0;
	do {
		if (!after || entry.s[0] == ',') {
			line = (struct str){entry.s, 0};
			scan_line(&entry, &line);
			add_keys(&k, line, after, entry.len > 0);
		}
		after = entry.len > 0 &&
			(entry.s[0] == ' ' || entry.s[0] == '\t' || entry.s[0] == '\n');
		if (after) {
			scan_stack(m, &entry);
		} else if (entry.len > 0 && entry.s[0] != ',') {
			return false;
		}
	} while (entry.len > 0);
	if (m->npart == 0 && !k.empty) {
		m->stackless++;
		return true;
	}
	/* One of two stacks is the kernel stack: the first, unless the second looks like one. */
	p = m->part;
	two = m->npart == 2 && p[0].text.len > 0 && p[1].text.len > 0;
	for (size_t i = 0; i < m->npart; i++)
		p[i].kernel = p[i].root_kernel;
	if (two && !p[1].kernel)
		p[0].kernel = true;
	for (size_t i = 0; i < m->npart; i++)
		name_lines(m, &p[i]);
	if (two && !p[0].kernel) {
		add_lines(m, &p[1]);
		add_lines(m, &p[0]);
	} else {
		for (size_t i = 0; i < m->npart; i++)
			add_lines(m, &p[i]);
	}
	for (unsigned i = k.nother; i-- > 0;)
		stack_frame(&m->stack, &(struct frame){.function = k.other[i]});
	if (v % VALUE_ONE == 0 && v / VALUE_ONE < VALUE_WIDE)
		stack_count(&m->stack, &k.task, event, (uint64_t)(v / VALUE_ONE));
	else
		stack_sample(&m->stack, &k.task, event, SAMPLE_NO_TIME, v);
	return true;
}
