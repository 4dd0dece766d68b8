/*
 * ruby: walks the control frames of a CRuby thread, from its execution context.
 *
 * A control frame with the flag FINISH ends the frames of one invocation of rb_vm_exec. Each
 * invocation has one tag on the C stack, which identifies its native frame. Methods in C also
 * have control frames: their names take the place of the native frames of their functions.
 */
#include "runtime/ruby.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "runtime/tls.h"
#include "unwind/cfi.h"

#define TAGS 1024
#define EVALS 512 /* native frames of rb_vm_exec */
#define PARENTS 64 /* environments of nested blocks */
#define CLASS_VARIABLES 256
#define JIT_WORDS 16 /* of a frame of compiled code, at most */
#define TEXT_MAX 256 /* bytes of a label or a path */

#define FRAME_FINISH 0x20 /* VM_FRAME_FLAG_FINISH */
#define FRAME_MAGIC 0x7fff0001
#define FRAME_CFUNC 0x55550001
#define ENV_LOCAL 2 /* VM_ENV_FLAG_LOCAL */
#define TYPE_MASK 0x1f
#define TYPE_CLASS 2
#define TYPE_MODULE 3
#define TYPE_STRING 5
#define TYPE_ARRAY 7
#define TYPE_IMEMO 0x1a
#define IMEMO_SPECIAL 2 /* frames that use $~ or $_: struct vm_svar */
#define IMEMO_METHOD 6
#define IMEMO_SHIFT 12
#define METHOD_CFUNC 1 /* VM_METHOD_TYPE_CFUNC; the mask of types is 15 */
#define USER1 (1 << 13) /* RSTRING_NOEMBED, RARRAY_EMBED_FLAG */
#define EMBED_SHIFT 14
#define EMBED_MASK 31
#define ARRAY_SHIFT 15 /* RARRAY_EMBED_LEN_SHIFT */
#define OPERATORS 255 /* tLAST_OP_ID is less: IDs up to it are serial numbers */
#define SERIALS 512 /* ID_ENTRY_UNIT: names in an array of symbols */

/*
 * Offsets by version. 3.1: share/offsets/ruby.c prints them. 3.3 and 3.4 differ in these, which
 * were found in processes; 3.2 was never run.
 */
static const struct layout {
	const char *version;
	uint16_t control; /* size of rb_control_frame_t */
	uint16_t lines, lines_size, succinct; /* rb_iseq_constant_body.insns_info */
	bool fixnum; /* first_lineno is a VALUE */
	uint16_t text; /* of a String: embedded text; the length is before it from 3.2 on */
	bool path; /* a class has its name in its extension, not among its variables */
	uint16_t singleton; /* FL_SINGLETON */
} layouts[] = {
    {"3.1.", 64, 120, 136, 144, true, 16, false, 1 << 12},
    {"3.2.", 64, 112, 128, 136, false, 24, true, 1 << 12},
    {"3.3.", 56, 112, 128, 136, false, 24, true, 1 << 12},
    {"3.4.", 56, 112, 128, 136, false, 24, true, 1 << 13},
};

#define VERSIONS "3.1 to 3.4"

/* Offsets of all these versions. */
enum {
	CONTEXT_TAG = 24, /* rb_execution_context_t: vm_stack 0, vm_stack_size 8, cfp 16 */
	CONTEXT_BYTES = 32,
	CONTROL_MAX = 64, /* bytes of a rb_control_frame_t: pc 0, iseq 16, ep 32 */
	CLASS_WORDS = 32, /* more than a class with its extension has */
	ISEQ_BODY = 16,
	BODY_ENCODED = 8,
	BODY_PATH = 64,
	BODY_BASE_LABEL = 72,
	BODY_LABEL = 80,
	BODY_FIRST_LINE = 88,
	LINE_ENTRY = 12, /* struct iseq_insn_info_entry: line_no 0 */
	METHOD_OWNER = 32, /* rb_callable_method_entry_t */
	METHOD_DEFINITION = 16,
	DEFINITION_FUNCTION = 8, /* rb_method_definition_t: type 0 */
	DEFINITION_ID = 32,
	CLASS_EXTENSION = 24, /* struct RClass */
	EXTENSION_VARIABLES = 8, /* rb_classext_t.iv_tbl */
	TABLE_COUNT = 40, /* st_table.entries_bound */
	TABLE_ENTRIES = 48,
	TABLE_ENTRY = 24, /* hash 0, key 8, record 16 */
};

/* struct rb_vm_tag.prev, after a jump buffer of __builtin_setjmp or of setjmp(3). */
static const uint16_t previous[] = {56, 216};

struct ruby {
	struct runtime_process *process;
	uint64_t previous; /* that of this build; 0: not yet known */
	const struct layout *at;
	struct tls tls;
	struct tls_block block;
	uint64_t context; /* offset of ruby_current_ec in the thread-local block */
	uint64_t loop; /* address of rb_vm_exec, or of the function that it has the loop in */
	uint64_t bias;
	struct module *module;
	unsigned name, attached; /* words of a class: its name, and the object of a singleton */
	uint64_t start, end; /* of the code with it */
	uint64_t object; /* address of rb_cObject */
	uint64_t symbols; /* address of the Array of names by ID; 0: unknown */
	uint64_t
	    class_path; /* the ID of __classpath__, by which a class has its name; 0: unknown */
};

static bool
is_module(const char *name)
{
	return strncmp(name, "libruby", 7) == 0 || strncmp(name, "ruby", 4) == 0;
}

/*
 * The address of ruby_global_symbols.ids, which has no exported symbol: rb_sym_all_symbols begins
 * with rb_ary_new_capa(symbols->str->num_entries), and ids is the next field.
 */
static uint64_t
find_symbols(const struct runtime_module *m)
{
	uint64_t size, at = runtime_symbol(m, "rb_sym_all_symbols", &size);
	const unsigned char *code = at == 0 ? NULL : runtime_file_bytes(m, at, (size_t)size);

	for (uint64_t i = 0; code != NULL && i + 11 <= size; i++) {
		int32_t distance; /* mov distance(%rip),%rax; mov 0x10(%rax),%rdi */

		if (memcmp(code + i, "\x48\x8b\x05", 3) != 0 ||
		    memcmp(code + i + 7, "\x48\x8b\x78\x10", 4) != 0)
			continue;
		memcpy(&distance, code + i + 3, sizeof distance);
		return at + i + 7 + (uint64_t)(int64_t)distance + 8;
	}
	return 0;
}

static const struct layout *
layout_of(const char *version)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (strncmp(version, layouts[i].version, strlen(layouts[i].version)) == 0)
			return &layouts[i];
	return NULL;
}

/*
 * Finds ruby_current_ec, which is not exported from 3.3 on: rb_profile_frames begins with its
 * address, lea slot(%rip),%rdi; the word after the slot is its offset.
 */
static bool
find_context(struct ruby *rb, const struct runtime_module *m)
{
	static const unsigned char load[] = {0x66, 0x48, 0x8d, 0x3d};
	uint64_t size, at = runtime_symbol(m, "rb_profile_frames", &size);
	const unsigned char *code = at == 0 ? NULL : runtime_file_bytes(m, at, (size_t)size);

	if ((rb->context = runtime_symbol(m, "ruby_current_ec", NULL)) != 0)
		return tls_block(&rb->block, m);
	for (uint64_t i = 0; code != NULL && i + 8 <= size; i++) {
		int32_t distance;

		if (memcmp(code + i, load, sizeof load) != 0)
			continue;
		memcpy(&distance, code + i + 4, sizeof distance);
		rb->block.slot = at + i + 8 + (uint64_t)(int64_t)distance;
		rb->context = memory_u64(rb->process->memory, rb->block.slot + 8);
		return true;
	}
	return false;
}

static void *
open_ruby(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		struct ruby *rb;
		uint64_t version;

		if (!is_module(m->module->name) ||
		    (version = runtime_symbol(m, "ruby_version", NULL)) == 0)
			continue;
		if (!memory_string(p->memory, version, p->version, sizeof p->version))
			return NULL;
		if (layout_of(p->version) == NULL) {
			runtime_unknown(p, "Ruby", VERSIONS, "ruby -I...");
			return NULL;
		}
		rb = cli_alloc(1, sizeof *rb);
		rb->process = p;
		rb->at = layout_of(p->version);
		rb->loop = runtime_symbol(m, "rb_vm_exec", NULL);
		rb->module = m->module;
		rb->bias = m->bias;
		rb->start = m->start;
		rb->end = m->end;
		rb->object = runtime_symbol(m, "rb_cObject", NULL);
		rb->symbols = find_symbols(m);
		if (find_context(rb, m) && tls_open(&rb->tls, p))
			return rb;
		snprintf(p->reason, sizeof p->reason,
		    "Ruby %.8s lacks symbols, or its C library is not glibc", p->version);
		tls_close(&rb->tls);
		free(rb);
		return NULL;
	}
	return NULL;
}

static void
close_ruby(void *state)
{
	struct ruby *rb = state;

	tls_close(&rb->tls);
	free(rb);
}

/* Reads a String; truncates it to the buffer. */
static bool
read_string(struct ruby *rb, uint64_t value, char to[TEXT_MAX], struct str *s)
{
	uint64_t w[4], length;

	*s = (struct str){to, 0};
	if (value == 0 || (value & 7) != 0 ||
	    !memory_read(rb->process->memory, value, w, sizeof w) ||
	    (w[0] & TYPE_MASK) != TYPE_STRING)
		return false;
	if ((w[0] & USER1) == 0) { /* embedded in the object */
		length = rb->at->text == 24 ? w[2] : w[0] >> EMBED_SHIFT & EMBED_MASK;
		length = length < TEXT_MAX ? length : TEXT_MAX;
		if (!memory_read(rb->process->memory, value + rb->at->text, to, length))
			return false;
	} else {
		length = w[2] < TEXT_MAX ? w[2] : TEXT_MAX;
		if (!memory_read(rb->process->memory, w[3], to, length))
			return false;
	}
	s->len = length;
	return true;
}

/* An element of an Array; 0: there is none. */
static uint64_t
element_of(struct ruby *rb, uint64_t array, uint64_t index)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t w[5], length; /* flags, class, length, shared, elements */

	if (array == 0 || (array & 7) != 0 || !memory_read(m, array, w, sizeof w) ||
	    (w[0] & TYPE_MASK) != TYPE_ARRAY)
		return 0;
	length = (w[0] & USER1) != 0 ? w[0] >> ARRAY_SHIFT & 3 : w[2];
	if (index >= length)
		return 0;
	return (w[0] & USER1) != 0 ? w[2 + index] : memory_u64(m, w[4] + 8 * index);
}

/* Reads the name of an ID (get_id_serial_entry of symbol.c). */
static bool
read_id(struct ruby *rb, uint64_t id, char to[TEXT_MAX], struct str *s)
{
	uint64_t serial = id > OPERATORS ? id >> 4 : id;
	uint64_t names =
	    element_of(rb, memory_u64(rb->process->memory, rb->symbols), serial / SERIALS);

	return read_string(rb, element_of(rb, names, serial % SERIALS * 2), to, s) && s->len > 0;
}

/* Reads the path of a body: a String, or an Array of path and real path. */
static void
read_path(struct ruby *rb, uint64_t body, char to[TEXT_MAX], struct str *s)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t path = memory_u64(m, body + BODY_PATH), w[4];

	*s = (struct str){to, 0};
	if (path == 0 || (path & 7) != 0 || !memory_read(m, path, w, sizeof w))
		return;
	if ((w[0] & TYPE_MASK) == TYPE_ARRAY && (w[0] & USER1) != 0) {
		if (read_string(rb, w[3], to, s))
			return;
		path = w[2];
	}
	read_string(rb, path, to, s);
}

/* The method entry of a frame, through its environment and those of the outer blocks. */
static uint64_t
method_entry(struct ruby *rb, uint64_t ep)
{
	struct memory_reader *m = rb->process->memory;

	for (int i = 0; i < PARENTS; i++) {
		uint64_t w[3], flags; /* method entry or cref, parent, flags */

		if (!memory_read(m, ep - 16, w, sizeof w))
			return 0;
		if (w[0] != 0 && (w[0] & 7) == 0) {
			flags = memory_u64(m, w[0]);
			if ((flags & TYPE_MASK) == TYPE_IMEMO &&
			    (flags >> IMEMO_SHIFT & 15) == IMEMO_SPECIAL) {
				w[0] = memory_u64(m, w[0] + 8); /* cref_or_me */
				flags = memory_u64(m, w[0]);
			}
			if ((flags & TYPE_MASK) == TYPE_IMEMO &&
			    (flags >> IMEMO_SHIFT & 15) == IMEMO_METHOD)
				return w[0];
		}
		if ((w[2] & ENV_LOCAL) != 0)
			return 0;
		ep = w[1] & ~UINT64_C(3);
	}
	return 0;
}

/* Entries of a class's variables; hidden ones have its name and its attached object. */
struct variables {
	uint64_t entry[CLASS_VARIABLES][3];
	size_t n;
};

static bool
read_variables(struct ruby *rb, uint64_t class, struct variables *v)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t table =
	    memory_u64(m, memory_u64(m, class + CLASS_EXTENSION) + EXTENSION_VARIABLES);
	uint64_t count = memory_u64(m, table + TABLE_COUNT);

	v->n = count < CLASS_VARIABLES ? (size_t)count : CLASS_VARIABLES;
	return table != 0 && v->n > 0 &&
	       memory_read(m, memory_u64(m, table + TABLE_ENTRIES), v->entry, v->n * TABLE_ENTRY);
}

/* Word of an object that has a value, or is a String with a text; 0: there is none. */
static unsigned
word_with(struct ruby *rb, uint64_t object, uint64_t value, const char *text)
{
	uint64_t w[CLASS_WORDS];
	char name[TEXT_MAX];
	struct str s;

	if (!memory_read(rb->process->memory, object, w, sizeof w))
		return 0;
	for (unsigned i = 2; i < CLASS_WORDS; i++)
		if (text == NULL ? w[i] == value
				 : read_string(rb, w[i], name, &s) && str_equal(s, str_of(text)))
			return i;
	return 0;
}

/* From 3.2 on a class has its name itself: as Object has. So has a singleton class its object. */
static void
find_names(struct ruby *rb)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t object = memory_u64(m, rb->object);

	rb->name = word_with(rb, object, 0, "Object");
	rb->attached = word_with(rb, memory_u64(m, object + 8), object, NULL);
}

/* Finds the ID of the variable with a class's name: the one with the value "Object" in Object. */
static void
find_class_path(struct ruby *rb)
{
	struct variables v;
	char text[TEXT_MAX];
	struct str s;

	if (rb->object == 0 || !read_variables(rb, memory_u64(rb->process->memory, rb->object), &v))
		return;
	for (size_t i = 0; i < v.n; i++)
		if (read_string(rb, v.entry[i][2], text, &s) && s.len == 6 &&
		    memcmp(s.s, "Object", 6) == 0)
			rb->class_path = v.entry[i][1];
	if (rb->symbols != 0 && rb->class_path != 0 &&
	    (!read_id(rb, rb->class_path, text, &s) || s.len != 13 ||
		memcmp(s.s, "__classpath__", 13) != 0))
		rb->symbols = 0; /* not the Array of names */
}

/* Reads the name of a class; for a singleton class, of its object, and sets *singleton. */
static bool
read_class(struct ruby *rb, uint64_t class, char to[TEXT_MAX], struct str *s, bool *singleton)
{
	struct memory_reader *m = rb->process->memory;
	struct variables v;

	if (rb->at->path && rb->name == 0)
		find_names(rb);
	for (int depth = 0; rb->name != 0 && depth < 2; depth++) {
		const uint64_t flags = memory_u64(m, class);

		if (class == 0 || (class & 7) != 0 ||
		    ((flags & TYPE_MASK) != TYPE_CLASS && (flags & TYPE_MASK) != TYPE_MODULE))
			return false;
		if ((flags & rb->at->singleton) == 0 || (flags & TYPE_MASK) == TYPE_MODULE)
			return read_string(rb, memory_u64(m, class + 8 * rb->name), to, s);
		if (rb->attached == 0)
			return false;
		*singleton = true;
		class = memory_u64(m, class + 8 * rb->attached);
	}
	if (rb->at->path)
		return false;
	if (rb->class_path == 0)
		find_class_path(rb);
	for (int depth = 0; depth < 2; depth++) {
		uint64_t flags = memory_u64(m, class), object = 0;

		if (rb->class_path == 0 || class == 0 || (class & 7) != 0 ||
		    ((flags & TYPE_MASK) != TYPE_CLASS && (flags & TYPE_MASK) != TYPE_MODULE) ||
		    !read_variables(rb, class, &v))
			return false;
		for (size_t i = 0; i < v.n; i++) {
			uint64_t value = v.entry[i][2];

			if (v.entry[i][1] == rb->class_path)
				return read_string(rb, value, to, s);
			if ((flags & rb->at->singleton) != 0 && value != 0 && (value & 7) == 0 &&
			    v.n == 1)
				object = value;
		}
		if (object == 0)
			return false;
		*singleton = true;
		class = object;
	}
	return false;
}

/*
 * The line index of a position: selects the k-th bit in the succinct table of instruction
 * positions (iseq.c, succ_index_lookup).
 */
static uint32_t
line_index(struct ruby *rb, uint64_t table, uint64_t position)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t block[10], word;
	unsigned bit, small;

	if (position < 54)
		return memory_u64(m, table + position / 9 * 8) >> position % 9 * 7 & 0x7f;
	position -= 54;
	if (!memory_read(m, table + 48 + position / 512 * 80, block, sizeof block))
		return 0;
	bit = (unsigned)(position % 512);
	word = block[2 + bit / 64];
	small = bit / 64 == 0 ? 0 : (unsigned)(block[1] >> (bit / 64 - 1) * 9 & 0x1ff);
	return (uint32_t)block[0] + small + (uint32_t)__builtin_popcountll(word << (63 - bit % 64));
}

static unsigned
line_of(struct ruby *rb, uint64_t body, uint64_t pc)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t lines = memory_u64(m, body + rb->at->lines);
	uint64_t encoded = memory_u64(m, body + BODY_ENCODED), position = (pc - encoded) / 8;
	uint32_t size = memory_u32(m, body + rb->at->lines_size), index = 1;

	if (size == 0 || pc < encoded)
		return 0;
	if (size > 1)
		index = line_index(
		    rb, memory_u64(m, body + rb->at->succinct), position > 0 ? position - 1 : 0);
	if (index == 0 || index > size)
		return 0;
	return memory_u32(m, lines + (uint64_t)LINE_ENTRY * (index - 1));
}

/* A frame's label with its class: "block in go" becomes "block in Object#go", as in stackprof. */
static uint32_t
name_of(struct ruby *rb, const uint64_t *control)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t body = memory_u64(m, control[2] + ISEQ_BODY), entry, first;
	char label[TEXT_MAX], base[TEXT_MAX], class[TEXT_MAX], path[TEXT_MAX], full[TEXT_MAX * 3];
	struct str l, b, c, p;
	bool singleton = false;
	size_t before;
	int n;

	if (!read_string(rb, memory_u64(m, body + BODY_LABEL), label, &l))
		return 0;
	read_path(rb, body, path, &p);
	first = rb->at->fixnum ? memory_u64(m, body + BODY_FIRST_LINE) >> 1
			       : memory_u32(m, body + BODY_FIRST_LINE);
	entry = method_entry(rb, control[4]);
	if (entry != 0 && read_string(rb, memory_u64(m, body + BODY_BASE_LABEL), base, &b) &&
	    b.len <= l.len && memcmp(l.s + l.len - b.len, b.s, b.len) == 0 &&
	    read_class(rb, memory_u64(m, entry + METHOD_OWNER), class, &c, &singleton)) {
		before = l.len - b.len;
		n = snprintf(full, sizeof full, "%.*s%.*s%s%.*s", (int)before, l.s, (int)c.len, c.s,
		    singleton ? "." : "#", (int)b.len, b.s);
		l = (struct str){full, (size_t)n};
	}
	return script_name_add(rb->process->names, l, p, first < 1u << 24 ? (unsigned)first : 0,
	    rb->process->lines ? line_of(rb, body, control[0]) : 0);
}

/* The name of a method in C, as Array#each. Sets *function, its address; 0: another frame. */
static uint32_t
name_of_function(struct ruby *rb, const uint64_t *control, uint64_t *function)
{
	struct memory_reader *m = rb->process->memory;
	char class[TEXT_MAX], name[TEXT_MAX], full[TEXT_MAX * 2 + 1];
	struct str c, n, none = {NULL, 0};
	uint64_t entry, definition;
	bool singleton = false;
	int length;

	if (rb->class_path == 0 && !rb->at->path)
		find_class_path(rb);
	if (rb->symbols == 0 || (memory_u64(m, control[4]) & FRAME_MAGIC) != FRAME_CFUNC ||
	    (entry = method_entry(rb, control[4])) == 0)
		return 0;
	definition = memory_u64(m, entry + METHOD_DEFINITION);
	if ((memory_u32(m, definition) & 15) != METHOD_CFUNC ||
	    !read_id(rb, memory_u64(m, definition + DEFINITION_ID), name, &n))
		return 0;
	*function = memory_u64(m, definition + DEFINITION_FUNCTION);
	if (!read_class(rb, memory_u64(m, entry + METHOD_OWNER), class, &c, &singleton))
		return script_name_add(rb->process->names, n, none, 0, 0);
	length = snprintf(full, sizeof full, "%.*s%s%.*s", (int)c.len, c.s, singleton ? "." : "#",
	    (int)n.len, n.s);
	return script_name_add(rb->process->names, (struct str){full, (size_t)length}, none, 0, 0);
}

/*
 * Adds a control frame to the group. A method in C takes the place of its native frame, which is
 * one of *from to end - 1.
 */
static bool
add_frame(struct ruby *rb, const struct runtime_sample *at, const uint64_t *control, int32_t *from,
    int32_t end, struct script_stack *s)
{
	uint64_t function = 0;
	uint32_t name;

	if (control[2] != 0 && control[0] != 0)
		return script_frame(s, name_of(rb, control), SCRIPT_NATIVE_NONE);
	if (control[0] != 0 || (name = name_of_function(rb, control, &function)) == 0)
		return true;
	for (int32_t i = *from; i < end; i++)
		if (at->native[i].start == function) {
			*from = i + 1;
			return script_frame(s, name, i);
		}
	return script_frame(s, name, SCRIPT_NATIVE_NONE);
}

/* Finds the field that links a thread's tags: with it the addresses rise, and end with 0. */
static void
find_previous(struct ruby *rb, uint64_t tag)
{
	for (size_t i = 0; i < sizeof previous / sizeof *previous && rb->previous == 0; i++) {
		uint64_t at = tag, next = 0;

		for (size_t n = 0; at != 0 && n < TAGS; n++, at = next) {
			next = memory_u64(rb->process->memory, at + previous[i]);
			if (next != 0 && (next <= at || next % 8 != 0))
				break;
		}
		if (at == 0 && tag != 0)
			rb->previous = previous[i];
	}
}

/*
 * The native frames of rb_vm_exec with a tag, which it sets first of all. From 3.3 on, the loop is
 * a function that it calls: *more is the number of frames of the caller, which it replaces too.
 */
static size_t
find_loops(struct ruby *rb, const struct runtime_sample *at, uint64_t tag, int32_t loop[EVALS],
    uint32_t *more)
{
	struct memory_reader *m = rb->process->memory;
	size_t n = 0, tags = 0;
	bool called = false; /* the frame before is that of the loop */

	*more = 0;
	for (size_t i = 0; i < at->nnative && n < EVALS; i++) {
		uint64_t end = i + 1 < at->nnative ? at->native[i + 1].sp : UINT64_MAX;
		bool tagged = false;

		while (tag != 0 && tag < end && tags++ < TAGS) {
			tagged |= tag >= at->native[i].sp;
			tag = memory_u64(m, tag + rb->previous);
		}
		if (tagged && called) {
			loop[n++] = (int32_t)i - 1;
			*more = 1;
		} else if (tagged && at->native[i].start == rb->loop) {
			loop[n++] = (int32_t)i;
		}
		called = at->native[i].start == rb->loop && !tagged;
	}
	return n;
}

/*
 * True if a control frame is the first of an invocation of rb_vm_exec. rb_vm_call_cfunc of vm.c
 * pushes one with FINISH for the Init function of an extension, which has no instructions.
 */
static bool
is_first(struct ruby *rb, const uint64_t *control)
{
	return control[0] != 0 && (memory_u64(rb->process->memory, control[4]) & FRAME_FINISH) != 0;
}

/* The function that has the instructions' code: threaded code begins with an address in it. */
static uint64_t
function_of(struct ruby *rb, const uint64_t *control)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t code, start;

	if (control[0] == 0 || control[2] == 0)
		return 0;
	code = memory_u64(m, memory_u64(m, memory_u64(m, control[2] + ISEQ_BODY) + BODY_ENCODED));
	if (code < rb->start || code >= rb->end)
		return 0;
	start = cfi_function(rb->module, code + rb->bias);
	return start == 0 ? 0 : start - rb->bias;
}

/* Reads the fields of a thread's execution context and its control frames; their number, or 0. */
static size_t
read_context(struct ruby *rb, int tid, uint64_t w[CONTEXT_BYTES / 8],
    uint64_t frames[SCRIPT_FRAMES * CONTROL_MAX / 8], bool *truncated)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t thread = tls_thread(&rb->tls, tid), context;
	size_t n;

	if (thread == 0 ||
	    (context = tls_variable(&rb->tls, &rb->block, thread, rb->context)) == 0 ||
	    (context = memory_u64(m, context)) == 0 || !memory_read(m, context, w, CONTEXT_BYTES) ||
	    w[1] > UINT64_C(1) << 28 || w[2] < w[0] || w[2] > w[0] + 8 * w[1])
		return 0;
	n = (size_t)((w[0] + 8 * w[1] - w[2]) / rb->at->control);
	if (n <= 1)
		return 0;
	n--; /* the outermost frame is a dummy */
	if (n > SCRIPT_FRAMES) {
		n = SCRIPT_FRAMES;
		*truncated = true;
	}
	return memory_read(m, w[2], frames, n * rb->at->control) ? n : 0;
}

/* Each function in Ruby has a label and its code in the loop, and one of them has a path. */
static enum runtime_proof
prove(void *state, const struct runtime_sample *at)
{
	struct ruby *rb = state;
	struct memory_reader *m = rb->process->memory;
	static uint64_t frames[SCRIPT_FRAMES * CONTROL_MAX / 8];
	uint64_t w[CONTEXT_BYTES / 8];
	char text[TEXT_MAX];
	bool truncated = false, path = false;
	size_t n = read_context(rb, at->tid, w, frames, &truncated);

	for (size_t i = 0; i < n; i++) {
		const uint64_t *control = frames + i * rb->at->control / 8;
		uint64_t body;
		struct str s;

		if (control[0] == 0 || control[2] == 0)
			continue;
		body = memory_u64(m, control[2] + ISEQ_BODY);
		if (function_of(rb, control) == 0 ||
		    !read_string(rb, memory_u64(m, body + BODY_LABEL), text, &s))
			return PROOF_FAILS;
		read_path(rb, body, text, &s);
		path |= s.len > 0;
	}
	return path ? PROOF_HOLDS : PROOF_OPEN;
}

static bool
read_ruby(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct ruby *rb = state;
	static uint64_t frames[SCRIPT_FRAMES * CONTROL_MAX / 8];
	const uint64_t *control = frames;
	const size_t words = rb->at->control / 8;
	uint64_t w[CONTEXT_BYTES / 8];
	int32_t loop[EVALS], from = 0, native = SCRIPT_NATIVE_NONE;
	size_t n = read_context(rb, at->tid, w, frames, &s->truncated), nloop, ngroup = 0, next = 0,
	       early = 0;
	uint32_t more;
	bool open = false;

	if (n == 0)
		return false;
	for (size_t i = 0; rb->loop == 0 && i < n; i++)
		rb->loop = function_of(rb, control + i * words);
	if (rb->previous == 0)
		find_previous(rb, w[CONTEXT_TAG / 8]);
	nloop = find_loops(rb, at, w[CONTEXT_TAG / 8], loop, &more);
	for (size_t i = 0; i < n; i++)
		ngroup += is_first(rb, control + i * words);
	/*
	 * C code pushes a frame before it calls rb_vm_exec, and rb_vm_exec pops it before it
	 * returns: the innermost frames may have no loop, and the innermost loop no frames.
	 */
	if (at->complete && !s->truncated) {
		early = ngroup > nloop ? ngroup - nloop : 0;
		next = nloop > ngroup ? nloop - ngroup : 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (!open) {
			bool none = next == nloop || early > 0;

			native = none ? SCRIPT_NATIVE_NONE : loop[next++];
			if (!script_group(s, native))
				break;
			s->group[s->ngroup - 1].nnative += native != SCRIPT_NATIVE_NONE ? more : 0;
			early -= early > 0;
			open = true;
		}
		if (!add_frame(rb, at, control + i * words, &from, native, s))
			break;
		if (!is_first(rb, control + i * words))
			continue;
		open = false;
		if (native != SCRIPT_NATIVE_NONE)
			from = native + 1 + (int32_t)more;
	}
	return s->nframe > 0;
}

/* True at the address after an indirect call, call *%reg or call *disp8(%reg). */
static bool
is_after_indirect(struct ruby *rb, uint64_t back)
{
	uint8_t b[3];

	return memory_read(rb->process->memory, back - sizeof b, b, sizeof b) &&
	       ((b[1] == 0xff && (b[2] & 0xf8) == 0xd0) || (b[0] == 0xff && (b[1] & 0xf8) == 0x50));
}

/*
 * Bytes of the frame of code that YJIT compiled, which has no call frame information: a few
 * registers, and the return address after an indirect call in Ruby's own code.
 */
static uint64_t
frame_size(void *state, uint64_t pc, uint64_t sp, bool leaf)
{
	struct ruby *rb = state;
	uint64_t word[JIT_WORDS];
	size_t n = JIT_WORDS;

	(void)pc;
	(void)leaf;
	while (n > 0 && !memory_read(rb->process->memory, sp, word, 8 * n))
		n /= 2; /* the end of a stack */
	for (size_t i = 0; i < n; i++)
		if (word[i] >= rb->start && word[i] < rb->end && is_after_indirect(rb, word[i]))
			return 8 * (i + 1) | FRAME_KEEPS_FP;
	return 0;
}

const struct runtime runtime_ruby = {
    .name = "ruby",
    .versions = VERSIONS,
    .offsets = "tables of headers, and a search",
    .needs_stop = true,
    .is_module = is_module,
    .open = open_ruby,
    .prove = prove,
    .read = read_ruby,
    .close = close_ruby,
    .frame_size = frame_size,
};
