/*
 * tracedat: recordings of trace-cmd with stacks (trace-cmd record -T, or the trigger stacktrace).
 *
 * A page of a ring buffer is a time, the bytes of its records, and the records: 5 bits of type and
 * length, 27 bits of time since the last one, data (include/linux/ring_buffer.h). The kernel writes
 * a stack as a record of its own (kernel_stack, user_stack) after that of its event: each event
 * with a stack is a sample.
 */
#include "fg-collapse/tracedat/file.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/cursor.h"
#include "base/intmap.h"
#include "base/text.h"
#include "base/vec.h"
#include "elf/kallsyms.h"
#include "fg-collapse/format.h"
#include "fg-collapse/magic.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

/* Types of records above those that are lengths. */
enum { TYPE_LONG = 0, TYPE_PADDING = 29, TYPE_TIME_EXTEND, TYPE_TIME_STAMP };

#define TIME_BITS 27
#define STAMP_MASK (((uint64_t)1 << 59) - 1) /* bits of a time stamp record */
#define COMMIT_SIZE 0xfffff /* bits of a page's commit word: bytes of records */
#define COMMIT_MISSED ((uint64_t)1 << 31) /* records before the page were overwritten */
#define TRAMPOLINE 0x7fffffff /* kernel/trace: FTRACE_TRAMPOLINE_MARKER */

#define PROBE "trace_event_raw_event_" /* the function that writes an event, before its name */

/* A type of records. */
struct kind {
	enum { KIND_EVENT, KIND_KERNEL, KIND_USER } what;
	struct str system, name; /* in the formats */
	uint32_t event; /* the sampler's number, plus 1; 0: none yet */
	uint16_t caller; /* KERNEL, USER: offset of the first address */
	struct tracepoint_field tgid,
	    size; /* fields: of a user stack; of a kernel stack, its addresses */
};

/* An event, and the stacks that follow it. */
struct pending {
	struct kind *kind; /* NULL: none */
	uint32_t context; /* its flags and preemption count */
	uint64_t pid, tgid, time; /* tgid 0: unknown */
	bool kernel, user; /* has this stack */
	uint64_t *address; /* leaf first */
	size_t n, cap;
	size_t nkernel;
};

struct recording {
	struct reader *reader;
	struct tracedat file;
	struct kind *kind;
	size_t nkind, capkind;
	struct intmap kinds; /* by type of a record */
	struct tracepoint_field type, flags, preempt, pid;
	struct kallsyms *symbols;
	struct intmap names; /* by address of the kernel: name in the sampler, plus 1 */
	struct intmap tasks; /* by pid: line in file.tasks */
	struct pending pending;
	struct text comm, pid_text, tid_text, event;
	uint64_t events, missed; /* events without a stack; gaps of overwritten records */
};

static void
add_kind(struct recording *p, struct str system, struct str format)
{
	struct kind k = {.system = system};
	uint64_t id;

	if (!tracepoint_id(format, &id) || !tracepoint_name(format, &k.name))
		return;
	if (p->type.size == 0) { /* the common fields are those of all events */
		tracepoint_field(format, "common_type", &p->type);
		tracepoint_field(format, "common_flags", &p->flags);
		tracepoint_field(format, "common_preempt_count", &p->preempt);
		tracepoint_field(format, "common_pid", &p->pid);
	}
	if (str_is(system, "ftrace") && tracepoint_offset(format, "caller", &k.caller)) {
		if (str_is(k.name, "kernel_stack"))
			k.what = KIND_KERNEL;
		else if (str_is(k.name, "user_stack"))
			k.what = KIND_USER;
		tracepoint_field(format, "tgid", &k.tgid);
		tracepoint_field(format, "size", &k.size);
	}
	vec_fit(p->kind, p->capkind, p->nkind + 1);
	p->kind[p->nkind++] = k;
	*intmap_at(&p->kinds, id) = (void *)(uintptr_t)p->nkind;
}

static void
read_tasks(struct recording *p)
{
	struct str all = text_as_str(&p->file.tasks), line;
	uint64_t pid;

	while (scan_line(&all, &line)) {
		const char *begin = line.s;

		if (scan_number(&line, &pid))
			*intmap_at(&p->tasks, pid) = (void *)(uintptr_t)begin;
	}
}

/* The task of the pending event. Only user stacks have the number of the process. */
static struct sample_task
task_of(struct recording *p)
{
	const struct pending *e = &p->pending;
	const char *s = intmap_get(&p->tasks, e->pid), *end;

	text_cut(&p->comm, 0);
	text_cut(&p->pid_text, 0);
	text_cut(&p->tid_text, 0);
	if (e->pid == 0) {
		text_puts(&p->comm, "swapper");
	} else if (s != NULL) {
		end = p->file.tasks.s + p->file.tasks.len;
		while (s < end && *s != ' ' && *s != '\n')
			s++;
		s += s < end && *s == ' ';
		while (s < end && *s != '\n' && *s != '\0')
			text_char(&p->comm, *s++);
	} else {
		text_printf(&p->comm, ":%llu", (unsigned long long)e->pid);
	}
	text_printf(&p->tid_text, "%llu", (unsigned long long)e->pid);
	if (e->tgid != 0)
		text_printf(&p->pid_text, "%llu", (unsigned long long)e->tgid);
	return (struct sample_task){.comm = text_as_str(&p->comm),
	    .pid = text_as_str(&p->pid_text),
	    .tid = text_as_str(&p->tid_text)};
}

static void
add_kernel_frame(struct recording *p, uint64_t address)
{
	void **known = intmap_at(&p->names, address);

	if (*known == NULL) {
		struct frame f = {.kind = FRAME_KERNEL, .address = address, .has_address = true};
		const char *module = NULL, *name = kallsyms_find(p->symbols, address, &module);

		if (address == TRAMPOLINE)
			name = "[ftrace trampoline]";
		f.function = str_of(name == NULL ? "" : name);
		f.module = str_of(module == NULL ? "" : module);
		*known = (void *)((uintptr_t)sample_name(p->reader->sampler, &f) + 1);
	}
	sample_frame_named(p->reader->sampler, (uint32_t)((uintptr_t)*known - 1));
}

static uint32_t
event_of(struct recording *p, struct kind *k)
{
	if (k->event == 0) {
		text_cut(&p->event, 0);
		text_str(&p->event, k->system);
		text_char(&p->event, ':');
		text_str(&p->event, k->name);
		k->event = 1 + sampler_event(p->reader->sampler, text_as_str(&p->event),
				   str_of(FOLDED_SAMPLES));
	}
	return k->event - 1;
}

/*
 * A kernel stack without an event before it is from a trigger of an event that was not enabled. Its
 * innermost function, if it is the event's own, names the event.
 */
static struct kind *
trigger_of(struct recording *p)
{
	const struct pending *e = &p->pending;
	const char *module, *name;

	if (e->kind->what != KIND_KERNEL || e->n == 0)
		return e->kind;
	name = kallsyms_find(p->symbols, e->address[0], &module);
	if (name == NULL || strncmp(name, PROBE, strlen(PROBE)) != 0)
		return e->kind;
	for (size_t i = 0; i < p->nkind; i++)
		if (str_is(p->kind[i].name, name + strlen(PROBE)))
			return &p->kind[i];
	return e->kind;
}

/* Passes the pending event to the sampler, if it has a stack. */
static void
end_event(struct recording *p)
{
	struct pending *e = &p->pending;
	struct sampler *s = p->reader->sampler;
	struct sample_task task;

	if (e->kind == NULL)
		return;
	p->events += !e->kernel && !e->user;
	if (e->kernel || e->user) {
		task = task_of(p);
		if (sample_begin(s, &task, event_of(p, trigger_of(p)), e->time, VALUE_ONE)) {
			for (size_t i = 0; i < e->nkernel; i++)
				add_kernel_frame(p, e->address[i]);
			for (size_t i = e->nkernel; i < e->n; i++)
				sample_frame(s,
				    &(struct frame){.address = e->address[i], .has_address = true});
			sample_end(s);
		}
	}
	*e = (struct pending){.address = e->address, .cap = e->cap};
}

static void
add_addresses(struct recording *p, const struct kind *k, const unsigned char *data, size_t len)
{
	struct pending *e = &p->pending;
	struct cursor c = cursor_of(data, len, p->file.swapped);
	const uint64_t none = p->file.word == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t most = UINT64_MAX;

	if (k->size.size != 0)
		tracepoint_value(&k->size, data, len, p->file.swapped, &most);
	cursor_read(&c, k->caller);
	for (; most > 0 && cursor_left(&c) >= p->file.word; most--) {
		uint64_t address = p->file.word == 8 ? cursor_u64(&c) : cursor_u32(&c);

		if (address == none || (address == 0 && k->what == KIND_USER))
			break;
		vec_fit(e->address, e->cap, e->n + 1);
		e->address[e->n++] = address;
	}
}

static void
read_record(struct recording *p, const unsigned char *data, size_t len, uint64_t time)
{
	struct pending *e = &p->pending;
	const bool swapped = p->file.swapped;
	uint64_t type = 0, flags = 0, preempt = 0, pid = 0;
	uintptr_t number;
	uint32_t context;
	struct kind *k;

	if (!tracepoint_value(&p->type, data, len, swapped, &type) ||
	    !tracepoint_value(&p->pid, data, len, swapped, &pid) ||
	    (number = (uintptr_t)intmap_get(&p->kinds, type)) == 0)
		return;
	k = &p->kind[number - 1];
	tracepoint_value(&p->flags, data, len, swapped, &flags);
	tracepoint_value(&p->preempt, data, len, swapped, &preempt);
	context = (uint32_t)(flags << 8 | preempt);
	/* A stack belongs to the record before it if that is of the same thread and context. */
	if (k->what == KIND_EVENT || e->kind == NULL || e->pid != pid || e->context != context ||
	    e->user || (e->kernel && k->what == KIND_KERNEL)) {
		end_event(p);
		e->kind = k;
		e->pid = pid;
		e->context = context;
		e->time = time;
	}
	if (e->kind->what == KIND_USER) { /* its event was overwritten: the page begins after it */
		e->kind = NULL;
		return;
	}
	if (k->what == KIND_EVENT)
		return;
	add_addresses(p, k, data, len);
	if (k->what == KIND_KERNEL) {
		e->kernel = true;
		e->nkernel = e->n;
	} else {
		e->user = true;
		tracepoint_value(&k->tgid, data, len, swapped, &e->tgid);
	}
}

static void
read_page(struct recording *p, struct str page, uint64_t offset)
{
	struct cursor c = cursor_of(page.s, page.len, p->file.swapped);
	uint64_t time = cursor_u64(&c), commit, last = time;

	commit = p->file.word == 8 ? cursor_u64(&c) : cursor_u32(&c);
	if (c.bad || (commit & COMMIT_SIZE) > cursor_left(&c)) {
		reader_malformed_byte(p->reader, offset, "a truncated or damaged page");
		return;
	}
	p->missed += (commit & COMMIT_MISSED) != 0;
	c.end = c.at + (commit & COMMIT_SIZE);
	while (cursor_left(&c) > 0) {
		uint32_t head = cursor_u32(&c), extra, size;
		uint32_t type = p->file.big ? head >> TIME_BITS : head & 0x1f;
		uint64_t delta = p->file.big ? head & ((1u << TIME_BITS) - 1) : head >> 5;
		const unsigned char *data;

		if (type == TYPE_PADDING && delta == 0)
			break; /* the rest of the page is empty */
		if (type == TYPE_LONG || type >= TYPE_PADDING) {
			extra = cursor_u32(&c);
			if (type == TYPE_TIME_EXTEND)
				time += delta + ((uint64_t)extra << TIME_BITS);
			else if (type == TYPE_TIME_STAMP)
				time =
				    (last & ~STAMP_MASK) + delta + ((uint64_t)extra << TIME_BITS);
			else
				time += delta;
			if (type == TYPE_TIME_EXTEND || type == TYPE_TIME_STAMP)
				continue;
			size = extra < 4 ? 0 : extra - 4; /* extra counts itself */
			data = cursor_read(&c, (uint64_t)size + (-size & 3));
		} else {
			time += delta;
			size = type * 4;
			data = cursor_read(&c, size);
		}
		if (data == NULL) {
			reader_malformed_byte(
			    p->reader, offset, "a record that extends past the end of its page");
			return;
		}
		if (type != TYPE_PADDING)
			read_record(p, data, size, time);
	}
}

static void
report(const struct recording *p)
{
	const char *name = lines_name(p->reader->lines);

	if (p->events > 0 && p->reader->sampler->nevent == 0)
		cli_warn("%s: %llu %s, none with a stack; record with trace-cmd record -T", name,
		    (unsigned long long)p->events, text_form(p->events, "event", "events"));
	else if (p->events > 0)
		cli_note("%s: %llu %s left out", name, (unsigned long long)p->events,
		    text_form(
			p->events, "event without a stack was", "events without a stack were"));
	if (p->missed > 0)
		cli_note("%s: the ring buffer was overwritten %llu %s before it was read; try a "
			 "larger trace-cmd record -b",
		    name, (unsigned long long)p->missed, text_form(p->missed, "time", "times"));
}

static void
read_input(struct reader *r)
{
	struct recording p = {.reader = r};
	struct str system, format, page;
	uint64_t offset;
	bool first;

	tracedat_open(&p.file, r);
	while (tracing_next(&p.file.tracing, &system, &format))
		add_kind(&p, system, format);
	p.symbols = kallsyms_of(p.file.symbols.s, p.file.symbols.len);
	p.file.symbols = (struct text){0};
	read_tasks(&p);
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	while (tracedat_page(&p.file, &page, &first, &offset)) {
		if (first)
			end_event(&p);
		read_page(&p, page, offset);
	}
	end_event(&p);
	report(&p);
	kallsyms_free(p.symbols);
	tracedat_free(&p.file);
	free(p.kind);
	free(p.kinds.slot);
	free(p.names.slot);
	free(p.tasks.slot);
	free(p.pending.address);
	text_free(&p.comm);
	text_free(&p.pid_text);
	text_free(&p.tid_text);
	text_free(&p.event);
}

static int
sniff(const char *data, size_t len)
{
	return magic_is_tracedat(data, len) ? 100 : 0;
}

const struct format tracedat_format = {
    .provides = DATA_TASK | DATA_MODULE | DATA_KIND | DATA_ADDRESS | DATA_TIMES | DATA_EVENT,
    .bytes = FORMAT_BINARY,
    .single = true,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
