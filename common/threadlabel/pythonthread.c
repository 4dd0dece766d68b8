/*
 * pythonthread: sys.modules has the module threading, whose dict _active has the Thread objects by
 * number, each with _native_id and _name. The interpreter changes these dicts at any time: a Thread
 * counts only while its _native_id is that of the sample.
 */
#include "threadlabel/pythonthread.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "runtime/oldpython.h"
#include "runtime/python.h"
#include "runtime/runtimes.h"

#define ENTRIES_MAX 65536 /* of a dict */
#define VISITS_MAX 65536 /* entries of dicts, in all, for one name */
#define BLOCK 64 /* entries that are read at a time */
#define ENTRY_MAX 24 /* bytes of one */

/* Offsets of all these versions: offsetof with the headers of 3.8.18 to 3.13.0. */
enum {
	OBJECT_TYPE = 8,
	MODULE_DICT = 16,
	DICT_USED = 16,
	DICT_KEYS = 32,
	DICT_VALUES = 40,
	TYPE_SIZE = 32, /* tp_basicsize */
	TYPE_DICT = 288, /* tp_dictoffset */
	TYPE_KEYS_FIRST = 856, /* ht_cached_keys is one of these words, from 3.11 on */
	TYPE_KEYS_LAST = 960,
	LONG_SIZE = 16, /* ob_size; the tag from 3.12 on */
	LONG_DIGIT = 24,
	MANAGED_DICT = -24, /* of an object, from 3.11 on */
	MANAGED_VALUES = -32, /* in 3.11 */
	INLINE_VALUES = 8, /* from the start of _dictvalues: from 3.13 on */
	KEYS_KIND = 10, /* dk_kind, from 3.11 on */
	KEYS_SPLIT = 2,
	LONG_TAG = 3, /* bits of the tag below the size */
};

/* Places by version. From 3.13 on the process has them: PYTHON_DEBUG_INTERPRETERS, _MODULES. */
static const struct places {
	unsigned minor; /* from this version on */
	uint32_t interpreters, modules; /* of _PyRuntime, of an interpreter */
} places[] = {{8, 32, 56}, {9, 32, 856}, {11, 40, 888}, {12, 40, 944}, {13, 0, 0}};

struct python {
	struct runtime_process *process;
	unsigned minor;
	uint64_t runtime, interpreters; /* addresses: of _PyRuntime, of the first interpreter's */
	uint32_t modules[2]; /* the dict's offset in an interpreter is one of these */
	uint32_t nmodules;
	uint64_t dict_type;
	struct python_str str;
	uint64_t active; /* the dict; 0: not found yet */
	uint64_t searched; /* number of modules at the last search */
	uint32_t type_keys; /* offset of ht_cached_keys; 0: not found yet */
	struct intmap by_tid; /* see find_thread */
	unsigned visits; /* entries for the present name */
	struct text text;
};

static uint64_t
word(const struct python *py, uint64_t address)
{
	return memory_u64(py->process->memory, address);
}

/* Entries of a dict's keys. */
struct keys {
	uint64_t first, n; /* address of the first entry */
	unsigned bytes; /* of an entry */
	unsigned key; /* offset in it; the value follows */
};

/* PyDictKeysObject: a head, a table of indices, then entries. */
static bool
read_keys(struct python *py, uint64_t at, struct keys *k)
{
	uint64_t head[5];
	unsigned char byte[8];
	uint64_t indices;

	if (!memory_read(py->process->memory, at, head, sizeof head))
		return false;
	memcpy(byte, &head[1], sizeof byte);
	if (py->minor >= 11) {
		*k = (struct keys){
		    .n = head[3], .bytes = byte[2] == 0 ? 24 : 16, .key = byte[2] == 0 ? 8 : 0};
		indices = byte[1] < 32 ? UINT64_C(1) << byte[1] : UINT64_MAX;
		k->first = at + 32 + indices;
	} else {
		*k = (struct keys){.n = head[4], .bytes = 24, .key = 8};
		indices = head[1] <= UINT8_MAX	  ? head[1]
			  : head[1] <= UINT16_MAX ? 2 * head[1]
						  : 4 * head[1];
		k->first = at + 40 + indices;
	}
	return k->n <= ENTRIES_MAX && indices <= 8 * 2 * (uint64_t)ENTRIES_MAX;
}

struct entry {
	uint64_t index, key, value; /* objects */
};

/* The first entry that `is` accepts; false: none. */
static bool
find_entry(struct python *py, const struct keys *k,
    bool (*is)(struct python *py, const struct entry *e, const void *wanted), const void *wanted,
    struct entry *e)
{
	unsigned char b[BLOCK * ENTRY_MAX];

	for (e->index = 0; e->index < k->n; e->index++) {
		const uint64_t at = e->index % BLOCK, left = k->n - e->index;

		if (at == 0 && !memory_read(py->process->memory, k->first + e->index * k->bytes, b,
				   k->bytes * (left < BLOCK ? left : BLOCK)))
			return false;
		memcpy(&e->key, b + at * k->bytes + k->key, sizeof e->key);
		memcpy(&e->value, b + at * k->bytes + k->key + 8, sizeof e->value);
		if (++py->visits > VISITS_MAX)
			return false;
		if (e->key != 0 && is(py, e, wanted))
			return true;
	}
	return false;
}

static bool
has_name(struct python *py, const struct entry *e, const void *name)
{
	return python_read_str(py->process->memory, &py->str, e->key, &py->text) &&
	       str_equal(text_as_str(&py->text), str_of(name));
}

/* The value of a name by these keys; values 0: that of the entry. 0: none. */
static uint64_t
value_of(struct python *py, uint64_t keys, uint64_t values, const char *name)
{
	struct keys k;
	struct entry e;

	if (!read_keys(py, keys, &k) || !find_entry(py, &k, has_name, name, &e))
		return 0;
	return values == 0 ? e.value : word(py, values + 8 * e.index);
}

static uint64_t
dict_value(struct python *py, uint64_t dict, const char *name)
{
	uint64_t values;

	if (dict == 0 || word(py, dict + OBJECT_TYPE) != py->dict_type)
		return 0;
	values = word(py, dict + DICT_VALUES);
	return value_of(py, word(py, dict + DICT_KEYS),
	    values != 0 && py->minor >= 13 ? values + INLINE_VALUES : values, name);
}

/* The keys of the objects of a type, which have this attribute. */
static uint64_t
type_keys(struct python *py, uint64_t type, const char *name)
{
	for (uint32_t at = TYPE_KEYS_FIRST; py->type_keys == 0 && at < TYPE_KEYS_LAST; at += 8) {
		const uint64_t keys = word(py, type + at);

		if (keys != 0 && (keys & 7) == 0 &&
		    memory_u8(py->process->memory, keys + KEYS_KIND) == KEYS_SPLIT &&
		    value_of(py, keys, keys, name) != 0)
			py->type_keys = at;
	}
	return py->type_keys == 0 ? 0 : word(py, type + py->type_keys);
}

/* The value of an object's attribute; 0: none. */
static uint64_t
attribute(struct python *py, uint64_t object, const char *name)
{
	const uint64_t type = word(py, object + OBJECT_TYPE);
	uint64_t dict, values = 0;

	if (py->minor < 11)
		return dict_value(py, word(py, object + word(py, type + TYPE_DICT)), name);
	dict = word(py, object + MANAGED_DICT);
	if (py->minor == 11)
		values = word(py, object + MANAGED_VALUES);
	else if (py->minor == 12 && (dict & 1) != 0)
		values = dict + 1;
	else if (py->minor >= 13 && dict == 0)
		values = object + word(py, type + TYPE_SIZE) + INLINE_VALUES;
	return values == 0 ? dict_value(py, dict, name)
			   : value_of(py, type_keys(py, type, name), values, name);
}

/* True for the Thread of a thread: an int has its size, or a tag with it, before its digits. */
static bool
is_thread(struct python *py, uint64_t object, int tid)
{
	const uint64_t number = attribute(py, object, "_native_id");
	const uint64_t size = number == 0 ? 0 : word(py, number + LONG_SIZE);

	return size == (py->minor < 12 ? 1 : 1 << LONG_TAG) &&
	       memory_u32(py->process->memory, number + LONG_DIGIT) == (uint32_t)tid;
}

static bool
has_tid(struct python *py, const struct entry *e, const void *tid)
{
	return e->value != 0 && is_thread(py, e->value, *(const int *)tid);
}

/* The dict threading._active, once the module is loaded; 0: not yet. */
static uint64_t
find_active(struct python *py)
{
	const uint64_t interpreter = word(py, py->interpreters);
	uint64_t module = 0, entries = 0;

	if (py->active != 0)
		return py->active;
	for (uint32_t i = 0; interpreter != 0 && i < py->nmodules; i++)
		entries += word(py, word(py, interpreter + py->modules[i]) + DICT_USED);
	if (entries == py->searched)
		return 0;
	for (uint32_t i = 0; module == 0 && interpreter != 0 && i < py->nmodules; i++)
		module = dict_value(py, word(py, interpreter + py->modules[i]), "threading");
	if (module != 0)
		py->active = dict_value(py, word(py, module + MODULE_DICT), "_active");
	else
		py->searched = entries;
	return py->active;
}

/*
 * The Thread of a thread; 0: it has none, as threads of C libraries. by_tid has its address, or
 * twice the number of threads that _active had without it, plus 1.
 */
static uint64_t
find_thread(struct python *py, int tid)
{
	const uint64_t dict = find_active(py), missed = 2 * word(py, dict + DICT_USED) + 1;
	void **known = intmap_at(&py->by_tid, (uint64_t)tid);
	const uint64_t last = *known == NULL ? 1 : (uintptr_t)*known;
	struct keys k;
	struct entry e;

	if ((last & 1) == 0 && is_thread(py, last, tid))
		return last;
	*known = (void *)(uintptr_t)missed;
	if (dict == 0 || last == missed || word(py, dict + OBJECT_TYPE) != py->dict_type ||
	    !read_keys(py, word(py, dict + DICT_KEYS), &k) ||
	    !find_entry(py, &k, has_tid, &tid, &e) || (e.value & 1) != 0)
		return 0;
	*known = (void *)(uintptr_t)e.value;
	return e.value;
}

static bool
read_name(void *state, int tid, const char *comm, struct text *to)
{
	struct python *py = state;
	uint64_t thread;

	(void)comm;
	py->visits = 0;
	thread = find_thread(py, tid);
	if (thread == 0 || !python_read_str(py->process->memory, &py->str,
			       attribute(py, thread, "_name"), &py->text))
		return false;
	text_str(to, text_as_str(&py->text));
	return true;
}

static void
set_places(struct python *py)
{
	uint64_t debug[PYTHON_DEBUG_MODULES + 2]; /* from 3.14 on, modules is the next word */

	py->nmodules = 1;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (py->minor >= places[i].minor) {
			py->interpreters = py->runtime + places[i].interpreters;
			py->modules[0] = places[i].modules;
		}
	if (py->minor < 13 || !memory_read(py->process->memory, py->runtime, debug, sizeof debug))
		return;
	py->interpreters = py->runtime + (uint32_t)debug[PYTHON_DEBUG_INTERPRETERS];
	for (py->nmodules = 0; py->nmodules < 2; py->nmodules++)
		py->modules[py->nmodules] = (uint32_t)debug[PYTHON_DEBUG_MODULES + py->nmodules];
}

static void *
open_python(struct runtime_process *p)
{
	const struct runtime_module *m;

	p->kinds = runtimes_bit(&runtime_python) | runtimes_bit(&runtime_oldpython);
	while ((m = runtime_next_module(p)) != NULL) {
		struct python *py;
		const unsigned minor = python_minor(p->memory, m);
		const uint64_t runtime = minor == 0 ? 0 : runtime_symbol(m, "_PyRuntime", NULL);

		if (minor < places[0].minor || runtime == 0)
			continue;
		py = cli_alloc(1, sizeof *py);
		py->process = p;
		py->minor = minor;
		py->runtime = runtime;
		py->dict_type = runtime_symbol(m, "PyDict_Type", NULL);
		py->str = python_str_layout(m, minor);
		set_places(py);
		return py;
	}
	return NULL;
}

static void
close_python(void *state)
{
	struct python *py = state;

	free(py->by_tid.slot);
	text_free(&py->text);
	free(py);
}

const struct threadname_reader pythonthread = {open_python, read_name, close_python};
