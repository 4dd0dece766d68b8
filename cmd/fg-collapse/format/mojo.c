/*
 * mojo: Austin's binary samples: `MOJ`, a version, then events: a byte and its arguments
 * (P403n1x87/austin, doc/MOJO). Numbers have 6 bits and a sign in the first byte, 7 bits
 * in each further one. Frames and strings have keys, which are unique per process.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/intmap.h"
#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/bytestream.h"
#include "fg-collapse/shape/pythonframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define MAGIC "MOJ"
#define TEXT_MAX 65536

enum {
	METADATA = 1,
	STACK,
	FRAME,
	INVALID,
	FRAME_REF,
	KERNEL,
	GC,
	IDLE,
	TIME,
	MEMORY,
	STRING,
	STRING_REF,
	REPEAT
};

struct frames {
	uint32_t *name;
	bool *native; /* frame is native code */
	size_t n, cap, capnative;
};

struct mojo {
	struct reader *reader;
	struct bytestream in;
	uint64_t version, pid;
	struct intmap strings; /* by process and key: offset in text, plus 1 */
	struct intmap names; /* by process and key: index in frame, plus 1 */
	struct frames frame, stack;
	struct intmap threads; /* by process and tid: struct frames of the thread's last sample */
	struct text text, tid, pid_text, line, name, scratch;
	bool open, memory_mode;
	uint64_t time, memory;
	uint32_t event[2];
};

static void
add_frame(struct frames *f, uint32_t name, bool native)
{
	vec_fit(f->name, f->cap, f->n + 1);
	vec_fit(f->native, f->capnative, f->n + 1);
	f->name[f->n] = name;
	f->native[f->n++] = native;
}

static bool
number(struct mojo *m, uint64_t *v, bool *negative)
{
	unsigned shift = 6;
	bool ok = true;
	uint8_t byte = bytestream_u8(&m->in, &ok);

	*v = byte & 0x3f;
	*negative = (byte & 0x40) != 0;
	while (ok && (byte & 0x80) != 0) {
		byte = bytestream_u8(&m->in, &ok);
		if (shift < 64)
			*v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		ok &= shift < 80;
	}
	return ok;
}

static bool
integer(struct mojo *m, uint64_t *v)
{
	bool negative;

	if (!number(m, v, &negative))
		return false;
	if (negative)
		*v = 0;
	return true;
}

/* Reads a NUL-terminated string into t. */
static bool
string(struct mojo *m, struct text *t)
{
	bool ok = true;

	text_cut(t, 0);
	for (uint8_t c; (c = bytestream_u8(&m->in, &ok)) != 0 && ok;) {
		if (t->len == TEXT_MAX)
			return false;
		text_char(t, (char)c);
	}
	return ok;
}

static struct str
string_of(const struct mojo *m, uint64_t key)
{
	uintptr_t at = (uintptr_t)intmap_get(&m->strings, hash_pair(m->pid, key));

	return at == 0 ? str_of(key == 1 ? "<unknown>" : "") : str_of(m->text.s + at - 1);
}

static uint32_t
special(struct mojo *m, const char *name, enum frame_kind kind)
{
	return sample_name(
	    m->reader->sampler, &(struct frame){.function = str_of(name), .kind = kind});
}

/* Reads key, file, function and line, and the fields that newer versions add to the line. */
static bool
define_frame(struct mojo *m)
{
	uint64_t key, file, scope, line, more;
	struct str path;
	bool native;
	void **at;

	if (!integer(m, &key) || !integer(m, &file) || !integer(m, &scope) || !integer(m, &line))
		return false;
	for (int i = 0; m->version >= 2 && i < 3; i++)
		if (!integer(m, &more))
			return false;
	path = string_of(m, file);
	native = !str_ends(path, ".py") && !str_starts(path, "<");
	text_cut(&m->line, 0);
	if (line > 0)
		text_printf(&m->line, "%llu", (unsigned long long)line);
	pythonframe_text(&m->name, string_of(m, scope), path, text_as_str(&m->line));
	add_frame(&m->frame,
	    sample_name(m->reader->sampler, &(struct frame){.function = text_as_str(&m->name)}),
	    native);
	at = intmap_at(&m->names, hash_pair(m->pid, key));
	*at = (void *)(uintptr_t)m->frame.n;
	return true;
}

static bool
use_frame(struct mojo *m)
{
	uint64_t key;
	uintptr_t at;

	if (!integer(m, &key))
		return false;
	at = (uintptr_t)intmap_get(&m->names, hash_pair(m->pid, key));
	if (at == 0)
		add_frame(&m->stack, special(m, "(unknown)", FRAME_USER), false);
	else
		add_frame(&m->stack, m->frame.name[at - 1], m->frame.native[at - 1]);
	return true;
}

static struct frames *
last_of(struct mojo *m)
{
	void **at = intmap_at(&m->threads,
	    hash_pair(m->pid, hash_bytes(m->tid.s != NULL ? m->tid.s : "", m->tid.len)));

	if (*at == NULL)
		*at = cli_alloc(1, sizeof(struct frames));
	return *at;
}

/* Adds the Python frames of the thread's previous sample first. */
static void
repeat(struct mojo *m)
{
	const struct frames *last = last_of(m);
	size_t n = last->n;

	while (n > 0 && last->native[n - 1])
		n--;
	for (size_t i = 0; i < n; i++)
		add_frame(&m->stack, last->name[i], last->native[i]);
}

static void
end_sample(struct mojo *m)
{
	struct sampler *s = m->reader->sampler;
	struct sample_weight w[] = {{m->event[0], m->memory_mode ? 0 : value_of(m->time)},
	    {m->event[1], value_of(m->memory_mode && m->memory == 0 ? m->time : m->memory)}};
	struct sample_task task = {.pid = text_as_str(&m->pid_text), .tid = text_as_str(&m->tid)};
	struct frames *last, swap;

	if (!m->open)
		return;
	m->open = false;
	if (sample_begin_all(s, &task, w, 2, SAMPLE_NO_TIME)) {
		for (size_t i = 0; i < m->stack.n; i++)
			sample_frame_named(s, m->stack.name[i]);
		sample_end(s);
	}
	last = last_of(m);
	swap = *last;
	*last = m->stack;
	m->stack = swap;
}

static bool
begin_sample(struct mojo *m)
{
	uint64_t interpreter;

	end_sample(m);
	if (!integer(m, &m->pid) || (m->version >= 3 && !integer(m, &interpreter)) ||
	    !string(m, &m->tid))
		return false;
	text_cut(&m->pid_text, 0);
	text_printf(&m->pid_text, "%llu", (unsigned long long)m->pid);
	m->stack.n = 0;
	m->time = m->memory = 0;
	m->open = true;
	return true;
}

static bool
define_string(struct mojo *m)
{
	uint64_t key;
	size_t at = m->text.len;

	if (!integer(m, &key) || !string(m, &m->scratch))
		return false;
	text_add(&m->text, m->scratch.s != NULL ? m->scratch.s : "", m->scratch.len + 1);
	*intmap_at(&m->strings, hash_pair(m->pid, key)) = (void *)(uintptr_t)(at + 1);
	return true;
}

/* Reads an event; false if it is truncated or unknown. */
static bool
read_event(struct mojo *m, uint8_t event)
{
	uint64_t ignored;
	bool negative;

	switch (event) {
	case METADATA:
		if (!string(m, &m->scratch))
			return false;
		negative = str_is(text_as_str(&m->scratch), "mode");
		if (!string(m, &m->scratch))
			return false;
		m->memory_mode |= negative && str_is(text_as_str(&m->scratch), "memory");
		return true;
	case STACK: return begin_sample(m);
	case FRAME: return define_frame(m);
	case INVALID: add_frame(&m->stack, special(m, "(invalid)", FRAME_USER), false); return true;
	case FRAME_REF: return use_frame(m);
	case KERNEL:
		if (!string(m, &m->scratch))
			return false;
		add_frame(&m->stack,
		    special(m, m->scratch.s != NULL ? m->scratch.s : "", FRAME_KERNEL), true);
		return true;
	case GC:
		add_frame(&m->stack, special(m, "(garbage collector)", FRAME_USER), false);
		return true;
	case IDLE: return true;
	case TIME: return integer(m, &m->time);
	case MEMORY:
		if (!number(m, &m->memory, &negative))
			return false;
		if (negative)
			m->memory = 0;
		return true;
	case STRING: return define_string(m);
	case STRING_REF: return integer(m, &ignored);
	case REPEAT: repeat(m); return true;
	}
	return false;
}

static void
free_mojo(struct mojo *m)
{
	struct frames *f;

	for (size_t i = 0; i < m->threads.size; i++)
		if ((f = m->threads.slot[i].value) != NULL) {
			free(f->name);
			free(f->native);
			free(f);
		}
	free(m->threads.slot);
	free(m->strings.slot);
	free(m->names.slot);
	free(m->frame.name);
	free(m->frame.native);
	free(m->stack.name);
	free(m->stack.native);
	text_free(&m->text);
	text_free(&m->tid);
	text_free(&m->pid_text);
	text_free(&m->line);
	text_free(&m->name);
	text_free(&m->scratch);
	bytestream_free(&m->in);
}

static void
read_input(struct reader *r)
{
	struct mojo m = {.reader = r};
	struct sampler *s = r->sampler;
	bool ok = true;
	uint64_t offset = 0;

	bytestream_init(&m.in, lines_source(r->lines));
	sampler_input(s, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	sampler_tree(s, NULL, 1);
	bytestream_read(&m.in, 3);
	if (!integer(&m, &m.version) || m.version == 0)
		reader_refuse_byte(r, strlen(MAGIC), "no version of a MOJO file");
	reader_version(r, VERSION_MOJO, m.version, 0);
	m.event[0] = sampler_event(s, str_of("time"), str_of("us"));
	m.event[1] = sampler_event(s, str_of("memory"), str_of("bytes"));
	while (bytestream_peek(&m.in, 1) != NULL) {
		offset = m.in.offset;
		if (!read_event(&m, bytestream_u8(&m.in, &ok))) {
			reader_malformed_byte(r, offset, "not an event, or truncated; the rest");
			break;
		}
	}
	end_sample(&m);
	free_mojo(&m);
}

static int
sniff(const char *data, size_t len)
{
	return len > 4 && text_starts(data, len, MAGIC) && data[3] > 0 && data[3] < ' ' ? 99 : 0;
}

const struct format mojo_format = {
    .provides = DATA_PID | DATA_TID | DATA_KIND | DATA_ORDER | DATA_EVENT,
    .bytes = FORMAT_BINARY,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
