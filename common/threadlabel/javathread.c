/*
 * javathread: the JVM's table of its fields leads to its threads and their java.lang.Thread objects
 * but not into objects. A thread with a known name, which each JVM has, shows where these have
 * theirs: Thread.name, String.value, and the bytes of an array.
 */
#include "threadlabel/javathread.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "runtime/hotspot.h"
#include "runtime/runtimes.h"

#define KNOWN_NAME "Reference Handler"

#define THREADS_MAX 65536 /* Java threads of a process */
#define THREAD_BYTES 256 /* of an object Thread, at least to its name */
#define STRING_BYTES 40
#define ARRAY_HEAD 32 /* bytes of an array before its elements, at most */
#define NAME_BYTES 512 /* of a name; more are cut */

struct places {
	uint64_t list, length, threads; /* the list of threads, and its fields */
	uint64_t native, tid, object; /* of a thread: OSThread, its _thread_id; Thread */
	uint64_t base, shift; /* of compressed references: addresses */
};

/* Where objects have a name; offsets. */
struct layout {
	bool handle; /* a thread has the address of a reference, not a reference: from JDK 16 on */
	unsigned width; /* of references in objects: 4 or 8; 0: unknown yet */
	unsigned name, value; /* of the string in a Thread, of the array in a String */
	unsigned length, bytes; /* of an array */
};

struct java {
	struct runtime_process *process;
	struct places at;
	uint64_t base;
	uint32_t shift;
	struct layout layout;
	unsigned failures; /* to find the layout */
	struct intmap by_tid; /* see find_thread */
};

#define FAILURES 64 /* samples of a JVM that starts */

static void *
open_java(struct runtime_process *p)
{
	const struct runtime_module *m;

	p->kinds = runtimes_bit(&runtime_hotspot);
	while ((m = runtime_next_module(p)) != NULL) {
		struct places at;
		struct java *j;
		struct hotspot_place place[] = {
		    {"ThreadsSMRSupport", "_java_thread_list", &at.list},
		    {"ThreadsList", "_length", &at.length},
		    {"ThreadsList", "_threads", &at.threads},
		    {"JavaThread", "_osthread", &at.native},
		    {"Thread", "_osthread", &at.native},
		    {"OSThread", "_thread_id", &at.tid},
		    {"JavaThread", "_threadObj", &at.object},
		    {"Universe", "_narrow_oop._base", &at.base},
		    {"Universe", "_narrow_oop._shift", &at.shift},
		    {"CompressedOops", "_narrow_oop._base", &at.base},
		    {"CompressedOops", "_narrow_oop._shift", &at.shift},
		    {"CompressedOops", "_base", &at.base},
		    {"CompressedOops", "_shift", &at.shift},
		    {NULL, NULL, NULL},
		};

		memset(&at, 0xff, sizeof at);
		hotspot_places(p, m, place);
		for (size_t i = 0; place[i].type != NULL; i++)
			if (*place[i].at == UINT64_MAX)
				return NULL;
		j = cli_alloc(1, sizeof *j);
		j->process = p;
		j->at = at;
		return j;
	}
	return NULL;
}

static void
close_java(void *state)
{
	struct java *j = state;

	free(j->by_tid.slot);
	free(j);
}

/* The address that a reference in an object has. */
static uint64_t
reference(const struct java *j, const unsigned char *bytes, unsigned width)
{
	uint64_t value = 0;

	memcpy(&value, bytes, width);
	return width == 8 || value == 0 ? value : j->base + (value << j->shift);
}

/* The object Thread of a JavaThread. */
static uint64_t
object_of(const struct java *j, uint64_t thread, bool handle)
{
	const uint64_t object =
	    thread == 0 ? 0 : memory_u64(j->process->memory, thread + j->at.object);

	return handle && object != 0 ? memory_u64(j->process->memory, object) : object;
}

/* Sets length and bytes of the layout if the array has the known name. */
static bool
is_known_array(struct java *j, uint64_t array, struct layout *l)
{
	const unsigned n = strlen(KNOWN_NAME);
	unsigned char b[ARRAY_HEAD + sizeof KNOWN_NAME];
	uint32_t length;

	if (array == 0 || !memory_read(j->process->memory, array, b, sizeof b))
		return false;
	for (l->bytes = 8; l->bytes <= ARRAY_HEAD; l->bytes += 4)
		for (l->length = l->bytes - 4; l->length + 8 >= l->bytes; l->length -= 4) {
			memcpy(&length, b + l->length, sizeof length);
			if (length == n && memcmp(b + l->bytes, KNOWN_NAME, n) == 0)
				return true;
		}
	return false;
}

static bool
is_known_string(struct java *j, uint64_t string, struct layout *l)
{
	unsigned char b[STRING_BYTES];

	if (string == 0 || !memory_read(j->process->memory, string, b, sizeof b))
		return false;
	for (l->value = 8; l->value + l->width <= sizeof b; l->value += l->width)
		if (is_known_array(j, reference(j, b + l->value, l->width), l))
			return true;
	return false;
}

/* Sets the layout if the thread has the known name. */
static bool
is_known_thread(struct java *j, uint64_t object, struct layout *l)
{
	unsigned char b[THREAD_BYTES];

	if (object == 0 || !memory_read(j->process->memory, object, b, sizeof b))
		return false;
	for (l->width = 4; l->width <= 8; l->width += 4)
		for (l->name = 8; l->name + l->width <= sizeof b; l->name += l->width)
			if (is_known_string(j, reference(j, b + l->name, l->width), l))
				return true;
	return false;
}

/* The address of the array of JavaThreads, whose length is *n. */
static uint64_t
threads_of(struct java *j, uint32_t *n)
{
	struct memory_reader *m = j->process->memory;
	const uint64_t list = memory_u64(m, j->at.list);

	*n = memory_u32(m, list + j->at.length);
	if (list == 0 || *n > THREADS_MAX)
		*n = 0;
	return memory_u64(m, list + j->at.threads);
}

static bool
find_layout(struct java *j)
{
	struct memory_reader *m = j->process->memory;
	uint64_t threads;
	uint32_t n;

	if (j->layout.width != 0 || j->failures >= FAILURES)
		return j->layout.width != 0;
	threads = threads_of(j, &n);
	j->base = memory_u64(m, j->at.base);
	j->shift = memory_u32(m, j->at.shift) & 31;
	for (uint32_t i = 0; i < n && i < 8; i++)
		for (int handle = 1; handle >= 0; handle--) {
			struct layout l = {.handle = handle};
			const uint64_t thread = memory_u64(m, threads + 8 * (uint64_t)i);

			if (is_known_thread(j, object_of(j, thread, handle), &l)) {
				j->layout = l;
				return true;
			}
		}
	j->failures++;
	return false;
}

static bool
is_thread(struct java *j, uint64_t thread, int tid)
{
	const uint64_t native = memory_u64(j->process->memory, thread + j->at.native);

	return native != 0 && memory_u32(j->process->memory, native + j->at.tid) == (uint32_t)tid;
}

/*
 * The JavaThread of a thread; 0: it is one of the JVM's own. by_tid has its address, or the list
 * that lacks it, with bit 0 set: the JVM never changes a list.
 */
static uint64_t
find_thread(struct java *j, int tid)
{
	struct memory_reader *m = j->process->memory;
	void **known = intmap_at(&j->by_tid, (uint64_t)tid);
	const uint64_t last = *known == NULL ? 1 : (uintptr_t)*known;
	const uint64_t missed = memory_u64(m, j->at.list) | 1;
	uint64_t threads;
	uint32_t n;

	if ((last & 1) == 0 && is_thread(j, last, tid))
		return last;
	*known = (void *)(uintptr_t)missed;
	threads = last == missed ? 0 : threads_of(j, &n);
	for (uint32_t i = 0; threads != 0 && i < n; i++) {
		const uint64_t thread = memory_u64(m, threads + 8 * (uint64_t)i);

		if ((thread & 1) == 0 && is_thread(j, thread, tid)) {
			*known = (void *)(uintptr_t)thread;
			return thread;
		}
	}
	return 0;
}

/* Appends characters of one byte each, or of two: UTF-16 without surrogates. */
static void
add_characters(struct text *to, const unsigned char *b, size_t n, unsigned width)
{
	for (size_t i = 0; i + width <= n; i += width)
		utf8_add(to, width == 1 ? b[i] : (unsigned)(b[i] | b[i + 1] << 8));
}

/*
 * A string's array does not show whether it has Latin-1 or UTF-16; the name of the kernel, which
 * begins like it, does.
 */
static void
add_name(struct text *to, const unsigned char *b, size_t n, const char *comm)
{
	const size_t before = to->len;

	if (n % 2 == 0 && comm[0] != '\0') {
		add_characters(to, b, n, 2);
		if (text_starts(to->s + before, to->len - before, comm))
			return;
		text_cut(to, before);
	}
	add_characters(to, b, n, 1);
}

static bool
read_name(void *state, int tid, const char *comm, struct text *to)
{
	struct java *j = state;
	struct memory_reader *m = j->process->memory;
	const struct layout *l = &j->layout;
	unsigned char b[NAME_BYTES];
	uint64_t at;
	uint32_t n;

	if (!find_layout(j))
		return false;
	at = object_of(j, find_thread(j, tid), l->handle);
	if (at == 0 || !memory_read(m, at + l->name, b, l->width))
		return false;
	at = reference(j, b, l->width);
	if (at == 0 || !memory_read(m, at + l->value, b, l->width))
		return false;
	at = reference(j, b, l->width);
	n = at == 0 ? 0 : memory_u32(m, at + l->length);
	if (n == 0 || !memory_read(m, at + l->bytes, b, n < sizeof b ? n : sizeof b))
		return false;
	add_name(to, b, n < sizeof b ? n : sizeof b, comm);
	return true;
}

const struct threadname_reader javathread = {open_java, read_name, close_java};
