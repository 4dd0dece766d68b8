/*
 * art: method traces of Android's runtime (.trace files by Debug.startMethodTracing, am
 * profile and Android Studio): entries and exits of methods. A text with threads and
 * methods, from `*version` to `*end`, is followed by
 *
 *	SLOW, u16 version, u16 offset of the records, u64 start us, (v3:) u16 record size
 *	u16 thread, u32 method | action, u32 us since the start: of the thread's CPU time,
 *	and, with clock=dual, of the wall clock
 *
 * (art/runtime/trace.cc). A streamed trace has only records; those of thread 0 are
 * definitions. The time between two records of a thread is charged to the method that
 * runs.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cursor.h"
#include "base/intmap.h"
#include "base/cli.h"
#include "base/text.h"
#include "base/vec.h"
#include "fg-collapse/shape/bytestream.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"

#define HEAD 32
#define STREAMED 0xf0
#define LINE_MAX_BYTES 65536
#define DEPTH_MAX 100000

enum { ENTER, EXIT, UNWIND };
enum { NEW_METHOD = 1, NEW_THREAD, SUMMARY };

struct thread {
	char *name;
	uint64_t tid;
	uint32_t *method; /* open methods, root first */
	uint32_t *node;
	size_t n, cap, capnode;
	uint32_t root;
	uint64_t cpu, wall; /* times of its last record, us */
	bool started;
};

struct trace {
	struct reader *reader;
	struct bytestream in;
	struct intmap methods; /* by id: name in the sampler, plus 1 */
	struct intmap threads; /* by tid: struct thread */
	unsigned version, record;
	bool dual, wall, streamed;
	uint64_t start;
	uint32_t event[2]; /* wall clock, CPU */
	uint64_t odd; /* exits of methods without an entry */
	struct text line, name, pid, tid;
};

static struct thread *
thread_of(struct trace *t, uint64_t tid)
{
	void **at = intmap_at(&t->threads, tid);

	if (*at == NULL) {
		*at = cli_alloc(1, sizeof(struct thread));
		((struct thread *)*at)->tid = tid;
	}
	return *at;
}

/* Reads `0xID class method signature [file [line]]`, separated by tabs. */
static void
define_method(struct trace *t, struct str s)
{
	struct str field = scan_until(&s, '\t'), class = scan_until(&s, '\t'),
		   method = scan_until(&s, '\t');
	struct frame f = {0};
	uint64_t id;

	if (!scan_hex(&field, &id) && !scan_number(&field, &id)) /* 0 is written without 0x */
		return;
	text_cut(&t->name, 0);
	text_str(&t->name, class);
	for (size_t i = 0; i < t->name.len; i++)
		if (t->name.s[i] == '/')
			t->name.s[i] = '.';
	if (class.len > 0)
		text_char(&t->name, '.');
	text_str(&t->name, method);
	f.function = text_as_str(&t->name);
	scan_until(&s, '\t'); /* signature */
	f.file = str_trim(scan_until(&s, '\t'));
	*intmap_at(&t->methods, id & ~UINT64_C(3)) =
	    (void *)((uintptr_t)sample_name(t->reader->sampler, &f) + 1);
}

static void
define_thread(struct trace *t, uint64_t tid, struct str name)
{
	struct thread *thread = thread_of(t, tid);

	free(thread->name);
	thread->name = str_copy(name);
}

/* Reads a line of the text. Returns its section: 'v', 't', 'm', or 'e' at its end. */
static char
read_line(struct trace *t, struct str s, char section)
{
	uint64_t tid;

	if (str_starts(s, "*"))
		return str_is(s, "*end")       ? 'e'
		       : str_is(s, "*threads") ? 't'
		       : str_is(s, "*methods") ? 'm'
					       : 'v';
	if (section == 't' && scan_number(&s, &tid)) {
		scan_until(&s, '\t');
		define_thread(t, tid, s);
	} else if (section == 'm') {
		define_method(t, s);
	} else if (scan_word(&s, "clock=")) {
		t->dual = str_is(s, "dual");
		t->wall = str_is(s, "wall") || str_is(s, "global");
	} else if (scan_word(&s, "pid=")) {
		text_cut(&t->pid, 0);
		text_str(&t->pid, s);
	}
	return section;
}

/* Reads the text before the records; false if it has no end. */
static bool
read_text(struct trace *t)
{
	char section = 'v';
	bool ok = true;

	while (section != 'e') {
		text_cut(&t->line, 0);
		for (uint8_t c; (c = bytestream_u8(&t->in, &ok)) != '\n' && ok;)
			if (t->line.len < LINE_MAX_BYTES)
				text_char(&t->line, (char)c);
		if (!ok)
			return false;
		section = read_line(t, text_as_str(&t->line), section);
	}
	return true;
}

static bool
read_head(struct trace *t)
{
	const unsigned char *head = bytestream_read(&t->in, HEAD);
	struct cursor c = cursor_of(head, head == NULL ? 0 : HEAD, CURSOR_LITTLE);
	unsigned offset;

	if (head == NULL || memcmp(head, "SLOW", 4) != 0)
		return false;
	cursor_u32(&c);
	t->version = cursor_u16(&c);
	offset = cursor_u16(&c);
	t->start = cursor_u64(&c);
	t->record = cursor_u16(&c);
	t->streamed = (t->version & STREAMED) == STREAMED;
	t->version &= 0xf;
	reader_version(t->reader, VERSION_ART, t->version, 0);
	if (t->version == 0)
		return false;
	if (t->version < 3)
		t->record = t->version == 1 ? 9 : t->dual ? 14 : 10;
	t->dual = t->record >= 14;
	return t->record >= 9 && t->record <= 64 && offset >= HEAD &&
	       bytestream_skip(&t->in, offset - HEAD);
}

static void
add_time(struct trace *t, const struct thread *thread, uint32_t event, uint64_t us, uint64_t at)
{
	struct sampler *s = t->reader->sampler;
	value w = value_of(us);

	if (us > 0 && sample_wanted(s, event, at, w))
		sample_add(s, thread->n > 0 ? thread->node[thread->n - 1] : thread->root, at, &w);
}

static void
begin_thread(struct trace *t, struct thread *thread)
{
	text_cut(&t->tid, 0);
	text_printf(&t->tid, "%llu", (unsigned long long)thread->tid);
	thread->root = sample_root(t->reader->sampler,
	    &(struct sample_task){.comm = str_of(thread->name != NULL ? thread->name : ""),
		.pid = text_as_str(&t->pid),
		.tid = text_as_str(&t->tid)});
	thread->started = true;
}

static void
enter(struct trace *t, struct thread *thread, uint32_t id)
{
	struct sampler *s = t->reader->sampler;
	uintptr_t name = (uintptr_t)intmap_get(&t->methods, id);
	uint32_t above = thread->n > 0 ? thread->node[thread->n - 1] : thread->root;

	if (thread->n == DEPTH_MAX) {
		t->odd++;
		return;
	}
	vec_fit(thread->method, thread->cap, thread->n + 1);
	vec_fit(thread->node, thread->capnode, thread->n + 1);
	thread->method[thread->n] = id;
	thread->node[thread->n++] = sample_child(
	    s, above, name > 0 ? (uint32_t)(name - 1) : sample_name(s, &(struct frame){0}));
}

static void
leave(struct trace *t, struct thread *thread, uint32_t id)
{
	size_t i = thread->n;

	while (i > 0 && thread->method[i - 1] != id)
		i--;
	if (i > 0)
		thread->n = i - 1;
	else
		t->odd++; /* the call began before the trace */
}

static void
read_record(struct trace *t, struct cursor *c)
{
	struct thread *thread = thread_of(t, t->version == 1 ? cursor_u8(c) : cursor_u16(c));
	uint32_t action = cursor_u32(c), id = action & ~UINT32_C(3);
	uint64_t first = cursor_u32(c), second = t->dual ? cursor_u32(c) : first;
	uint64_t cpu = t->wall ? 0 : first, wall = t->dual || t->wall ? second : 0;
	uint64_t at = (t->start + (wall > 0 ? wall : cpu)) * 1000;

	if (!thread->started) {
		begin_thread(t, thread);
	} else {
		if (thread->n > 0 && wall > thread->wall)
			add_time(t, thread, t->event[0], wall - thread->wall, at);
		if (thread->n > 0 && cpu > thread->cpu)
			add_time(t, thread, t->event[1], cpu - thread->cpu, at);
	}
	thread->cpu = cpu;
	thread->wall = wall;
	action &= 3;
	if (action == ENTER)
		enter(t, thread, id);
	else
		leave(t, thread, id);
}

/* Reads a definition in a streamed trace; false at the end. */
static bool
read_definition(struct trace *t)
{
	bool ok = true;
	uint8_t op;
	uint16_t tid = 0, len;
	const unsigned char *s;

	bytestream_u16(&t->in, &ok);
	op = bytestream_u8(&t->in, &ok);
	if (!ok || op == SUMMARY || op < NEW_METHOD || op > SUMMARY)
		return false;
	if (op == NEW_THREAD)
		tid = bytestream_u16(&t->in, &ok);
	len = bytestream_u16(&t->in, &ok);
	if (!ok || (s = bytestream_read(&t->in, len)) == NULL)
		return false;
	if (op == NEW_METHOD)
		define_method(t, str_trim((struct str){(const char *)s, len}));
	else
		define_thread(t, tid, (struct str){(const char *)s, len});
	return true;
}

static void
free_trace(struct trace *t)
{
	for (size_t i = 0; i < t->threads.size; i++) {
		struct thread *thread = t->threads.slot[i].value;

		if (thread == NULL)
			continue;
		free(thread->name);
		free(thread->method);
		free(thread->node);
		free(thread);
	}
	free(t->threads.slot);
	free(t->methods.slot);
	text_free(&t->line);
	text_free(&t->name);
	text_free(&t->pid);
	text_free(&t->tid);
	bytestream_free(&t->in);
}

static void
read_input(struct reader *r)
{
	struct trace t = {.reader = r};
	struct sampler *s = r->sampler;
	const unsigned char *p;

	bytestream_init(&t.in, lines_source(r->lines));
	sampler_input(s, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	sampler_tree(s, NULL, 1);
	p = bytestream_peek(&t.in, 1);
	if ((p != NULL && *p == '*' && !read_text(&t)) || !read_head(&t)) {
		reader_malformed_byte(r, t.in.offset, "a trace without records");
		free_trace(&t);
		return;
	}
	t.event[0] = sampler_event(s, str_of("wall"), str_of("us"));
	t.event[1] = sampler_event(s, str_of("cpu"), str_of("us"));
	sampler_default(s, t.event[t.dual || t.wall ? 0 : 1]);
	while ((p = bytestream_peek(&t.in, 2)) != NULL) {
		struct cursor c;

		if (t.streamed && p[0] == 0 && p[1] == 0) {
			if (!read_definition(&t))
				break;
			continue;
		}
		if ((p = bytestream_read(&t.in, t.record)) == NULL) {
			reader_malformed_byte(r, t.in.offset, "a truncated record");
			break;
		}
		c = cursor_of(p, t.record, CURSOR_LITTLE);
		read_record(&t, &c);
	}
	if (t.odd > 0)
		cli_note("%s: %llu %s entered before the trace began", lines_name(r->lines),
		    (unsigned long long)t.odd,
		    text_form(t.odd, "exit of a method that was", "exits of methods that were"));
	free_trace(&t);
}

static int
sniff(const char *data, size_t len)
{
	if (len > 8 && text_starts(data, len, "SLOW") &&
	    ((unsigned char)data[4] & STREAMED) == STREAMED)
		return 97;
	return text_starts(data, len, "*version\n") && text_has(data, len, "clock=") ? 97 : 0;
}

const struct format art_format = {
    .provides = DATA_TASK | DATA_SOURCE | DATA_TIMES | DATA_EVENT,
    .bytes = FORMAT_ANY,
    .sniff = sniff,
    .read = read_input,
};
