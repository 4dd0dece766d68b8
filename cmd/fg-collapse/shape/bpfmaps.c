/*
 * bpfmaps: an entry's lines are remembered by their names; those that the entry before
 * had too, from the root on, are not looked up again.
 */
#include "fg-collapse/shape/bpfmaps.h"

#include <stdlib.h>

#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/kernelframe.h"
#include "fg-collapse/shape/funcname.h"
#include "fg-collapse/shape/scan.h"

/* The keys of an entry that are no stacks. */
struct keys {
	struct sample_task task;
	struct str other[16];
	unsigned nother;
	bool empty; /* one was an empty stack */
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
 * Keys between the stacks: `bash, 12, ` before one, `, bash, 12` behind one. What stands
 * next to a stack is it, or was an empty one.
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

/* A line that is not known: `schedule+35`, `0x5637`, and of stack(perf) `5557d66fda01 main+12
 * (/bin/work)` */
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
		if (open <= blank) /* no name at all */
			open = blank + 1;
		s = (struct str){s.s + blank + 1, open - blank - 1};
	}
	f.function = s;
	if (scan_hex(&s, &f.address) && s.len == 0) {
		f.has_address = true;
		f.function.len = 0;
	}
	if (!m->reader->options->offsets)
		f.function.len = funcname_without_offset(f.function);
	stack_function(&m->stack, f);
	stack_remember(&m->stack);
}

/* Whether a stack whose last line this is ends where the kernel is entered, or has its addresses.
 */
static bool
is_kernel(struct str last)
{
	last = str_trim(last);
	if (str_find(last, " ") < last.len) /* stack(perf) */
		return str_find(last, " ") == 16 && str_starts(last, "ffff");
	return kernelframe_is_entry(last) || str_starts(last, "asm_");
}

/* The lines of a stack from the front of text, up to one that begins with a comma. */
static void
take_lines(struct bpfmaps *m, struct str *text)
{
	const char *at = text->s, *end = text->s + text->len;
	size_t first = m->nline;
	bool kernel;

	while (at < end && *at != ',') {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		if (newline == NULL)
			newline = end;
		while (at < newline && (*at == ' ' || *at == '\t'))
			at++;
		if (at < newline) {
			vec_fit(m->line, m->capline, m->nline + 1);
			m->line[m->nline++].text = (struct str){at, (size_t)(newline - at)};
		}
		at = newline < end ? newline + 1 : end;
	}
	*text = (struct str){at, (size_t)(end - at)};
	kernel = m->nline > first && is_kernel(m->line[m->nline - 1].text);
	for (size_t i = first; i < m->nline; i++)
		m->line[i].kernel = kernel;
}

/* The frames of all lines; those that the entry before had too, from the root on, are its. */
static void
name_lines(struct bpfmaps *m)
{
	size_t i = m->nline, k = m->nlast;

	for (; i > 0 && k > 0; i--, k--) {
		struct line *line = &m->line[i - 1];
		const struct line *was = &m->last_line[k - 1];

		if (line->kernel != was->kernel || !str_equal(line->text, was->text))
			break;
		line->name = was->name;
	}
	while (i-- > 0) {
		struct line *line = &m->line[i];

		m->stack.n = 0;
		if (!stack_known(&m->stack, line->text, line->kernel))
			bpfmaps_frame(m, str_trim(line->text), line->kernel);
		line->name = m->stack.name[0];
	}
	m->stack.n = 0;
}

static void
add_lines(struct bpfmaps *m, size_t from, size_t to)
{
	struct stack *s = &m->stack;

	vec_fit(s->name, s->cap, s->n + (to - from));
	for (size_t i = from; i < to; i++)
		s->name[s->n++] = m->line[i].name;
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
	free(m->line);
	free(m->last_line);
}

static void
keep_lines(struct bpfmaps *m)
{
	struct line *line = m->last_line;
	size_t cap = m->caplast;

	m->last_line = m->line;
	m->nlast = m->nline;
	m->caplast = m->capline;
	m->line = line;
	m->capline = cap;
	m->nline = 0;
}

bool
bpfmaps_entry(struct bpfmaps *m, uint32_t event, struct str entry, value v, bool whole)
{
	struct keys k = {0};
	struct str line;
	bool after = false;
	unsigned n = 0;
	size_t first = 0;

	m->nline = 0;
	do {
		if (!after || entry.s[0] == ',') {
			line = (struct str){entry.s, 0};
			scan_line(&entry, &line);
			add_keys(&k, line, after, entry.len > 0);
		}
		after = entry.len > 0 &&
			(entry.s[0] == ' ' || entry.s[0] == '\t' || entry.s[0] == '\n');
		if (after) {
			if (n++ == 1)
				first = m->nline;
			take_lines(m, &entry);
		} else if (entry.len > 0 && entry.s[0] != ',') {
			return false;
		}
	} while (entry.len > 0);
	if (n == 0 && !k.empty) {
		m->stackless++;
		return true;
	}
	/* Of two stacks one is the kernel's: the first, unless it is seen to be the second. */
	if (n == 2 && first > 0 && first < m->nline && !m->line[first].kernel)
		for (size_t i = 0; i < first; i++)
			m->line[i].kernel = true;
	name_lines(m);
	if (n == 2 && first > 0 && first < m->nline && !m->line[0].kernel) {
		add_lines(m, first, m->nline);
		add_lines(m, 0, first);
	} else {
		add_lines(m, 0, m->nline);
	}
	for (unsigned i = k.nother; i-- > 0;)
		stack_frame(&m->stack, &(struct frame){.function = k.other[i]});
	if (v % VALUE_ONE == 0 && v / VALUE_ONE < VALUE_WIDE && whole)
		stack_count(&m->stack, &k.task, event, (uint64_t)(v / VALUE_ONE));
	else
		stack_sample(&m->stack, &k.task, event, SAMPLE_NO_TIME, v);
	keep_lines(m);
	return true;
}
