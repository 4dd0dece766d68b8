/*
 * rubyname: labels, classes and lines. What never changes, or not while the object that leads to it
 * is the same, is read later than the sample if the copies by the recipe lack it.
 */
#include "runtime/rubyname.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "runtime/memory.h"
#include "runtime/scriptname.h"

#define PARENTS 64 /* environments of nested blocks */
#define CLASS_VARIABLES 256
#define OPERATORS 255 /* tLAST_OP_ID is less: IDs up to it are serial numbers */
#define SERIALS 512 /* ID_ENTRY_UNIT: names in an array of symbols */

#define FRAME_CFUNC 0x55550001
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

enum {
	CLASS_WORDS = 32, /* more than a class with its extension has */
	BODY_FIRST_LINE = 88,
	METHOD_OWNER = 32, /* rb_callable_method_entry_t */
	DEFINITION_FUNCTION = 8, /* rb_method_definition_t: type 0 */
	DEFINITION_ID = 32,
	CLASS_EXTENSION = 24, /* struct RClass */
	EXTENSION_VARIABLES = 8, /* rb_classext_t.iv_tbl */
	TABLE_COUNT = 40, /* st_table.entries_bound */
	TABLE_ENTRIES = 48,
	TABLE_ENTRY = 24, /* hash 0, key 8, record 16 */
};

/* The class of a method, when it was last read. */
struct owner {
	uint64_t class;
	bool singleton;
	size_t len;
	char name[RUBY_TEXT_MAX];
};

/*
 * The address of ruby_global_symbols.ids, which has no exported symbol: rb_sym_all_symbols begins
 * with rb_ary_new_capa(symbols->str->num_entries), and ids is the next field.
 */
static uint64_t
find_symbols(const struct runtime_module *m, const struct ruby_cpu *cpu)
{
	uint64_t size, at = runtime_symbol(m, "rb_sym_all_symbols", &size);
	const unsigned char *code = at == 0 ? NULL : runtime_file_bytes(m, at, (size_t)size);
	uint64_t entries = code == NULL ? 0 : cpu->entries(code, (size_t)size, at);

	return entries == 0 ? 0 : entries + 8;
}

void
ruby_names_open(struct ruby_names *rb, struct runtime_process *p, const struct ruby_layout *at,
    const struct runtime_module *m)
{
	*rb = (struct ruby_names){.process = p,
	    .at = at,
	    .object = runtime_symbol(m, "rb_cObject", NULL),
	    .symbols = find_symbols(m, p->cpu->ruby)};
}

void
ruby_names_close(struct ruby_names *rb)
{
	intmap_free_values(&rb->owner);
}

bool
ruby_read_string(struct ruby_names *rb, uint64_t value, char to[RUBY_TEXT_MAX], struct str *s)
{
	uint64_t w[4], length;

	*s = (struct str){to, 0};
	if (value == 0 || (value & 7) != 0 ||
	    !memory_read(rb->process->memory, value, w, sizeof w) ||
	    (w[0] & TYPE_MASK) != TYPE_STRING)
		return false;
	if ((w[0] & USER1) == 0) { /* embedded in the object */
		length = rb->at->text == 24 ? w[2] : w[0] >> EMBED_SHIFT & EMBED_MASK;
		length = length < RUBY_TEXT_MAX ? length : RUBY_TEXT_MAX;
		if (!memory_read(rb->process->memory, value + rb->at->text, to, length))
			return false;
	} else {
		length = w[2] < RUBY_TEXT_MAX ? w[2] : RUBY_TEXT_MAX;
		if (!memory_read(rb->process->memory, w[3], to, length))
			return false;
	}
	s->len = length;
	return true;
}

/* An element of an Array; 0: there is none. */
static uint64_t
element_of(struct ruby_names *rb, uint64_t array, uint64_t index)
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
read_id(struct ruby_names *rb, uint64_t id, char to[RUBY_TEXT_MAX], struct str *s)
{
	uint64_t serial = id > OPERATORS ? id >> 4 : id;
	uint64_t names =
	    element_of(rb, memory_u64(rb->process->memory, rb->symbols), serial / SERIALS);

	return ruby_read_string(rb, element_of(rb, names, serial % SERIALS * 2), to, s) &&
	       s->len > 0;
}

void
ruby_read_path(struct ruby_names *rb, uint64_t body, char to[RUBY_TEXT_MAX], struct str *s)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t path = memory_u64(m, body + BODY_PATH), w[4];

	*s = (struct str){to, 0};
	if (path == 0 || (path & 7) != 0 || !memory_read(m, path, w, sizeof w))
		return;
	if ((w[0] & TYPE_MASK) == TYPE_ARRAY && (w[0] & USER1) != 0) {
		if (ruby_read_string(rb, w[3], to, s))
			return;
		path = w[2];
	}
	ruby_read_string(rb, path, to, s);
}

/* The method entry of a frame, through its environment and those of the outer blocks. */
static uint64_t
method_entry(struct ruby_names *rb, uint64_t ep)
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
read_variables(struct ruby_names *rb, uint64_t class, struct variables *v)
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
word_with(struct ruby_names *rb, uint64_t object, uint64_t value, const char *text)
{
	uint64_t w[CLASS_WORDS];
	char name[RUBY_TEXT_MAX];
	struct str s;

	if (!memory_read(rb->process->memory, object, w, sizeof w))
		return 0;
	for (unsigned i = 2; i < CLASS_WORDS; i++)
		if (text == NULL
			? w[i] == value
			: ruby_read_string(rb, w[i], name, &s) && str_equal(s, str_of(text)))
			return i;
	return 0;
}

/* From 3.2 on a class has its name itself: as Object has. So has a singleton class its object. */
static void
find_names(struct ruby_names *rb)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t object = memory_u64(m, rb->object);

	rb->name = word_with(rb, object, 0, "Object");
	rb->attached = word_with(rb, memory_u64(m, object + 8), object, NULL);
}

/* Finds the ID of the variable with a class's name: the one with the value "Object" in Object. */
static void
find_class_path(struct ruby_names *rb)
{
	struct variables v;
	char text[RUBY_TEXT_MAX];
	struct str s;

	if (rb->object == 0 || !read_variables(rb, memory_u64(rb->process->memory, rb->object), &v))
		return;
	for (size_t i = 0; i < v.n; i++)
		if (ruby_read_string(rb, v.entry[i][2], text, &s) && s.len == 6 &&
		    memcmp(s.s, "Object", 6) == 0)
			rb->class_path = v.entry[i][1];
	if (rb->symbols != 0 && rb->class_path != 0 && read_id(rb, rb->class_path, text, &s) &&
	    !str_equal(s, str_of("__classpath__")))
		rb->symbols = 0; /* not the Array of names */
}

/* Reads the name of a class; for a singleton class, of its object, and sets *singleton. */
static bool
read_class(
    struct ruby_names *rb, uint64_t class, char to[RUBY_TEXT_MAX], struct str *s, bool *singleton)
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
			return ruby_read_string(rb, memory_u64(m, class + 8 * rb->name), to, s);
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
				return ruby_read_string(rb, value, to, s);
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
line_index(struct ruby_names *rb, uint64_t table, uint64_t position)
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
line_of(struct ruby_names *rb, uint64_t body, uint64_t pc)
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
	return memory_u32(m, lines + (uint64_t)rb->at->line * (index - 1));
}

static void
keep_owner(struct ruby_names *rb, uint64_t entry, uint64_t class, struct str name, bool singleton)
{
	struct owner **known = (struct owner **)intmap_at(&rb->owner, entry);

	if (*known == NULL) {
		*known = cli_alloc(1, sizeof **known);
	} else if ((*known)->class == class && (*known)->singleton == singleton &&
		   str_equal(name, (struct str){(*known)->name, (*known)->len})) {
		return;
	}
	**known = (struct owner){.class = class, .singleton = singleton, .len = name.len};
	memcpy((*known)->name, name.s, name.len);
}

/* Reads the name of the class that a method is of. */
static bool
read_owner(
    struct ruby_names *rb, uint64_t entry, char to[RUBY_TEXT_MAX], struct str *s, bool *singleton)
{
	struct memory_reader *m = rb->process->memory;
	const uint64_t class = memory_u64(m, entry + METHOD_OWNER);
	const struct owner *known;
	bool read;

	memory_read_later(m);
	read = read_class(rb, class, to, s, singleton);
	if (memory_is_proved(m, entry)) {
		if (read)
			keep_owner(rb, entry, class, *s, *singleton);
		return read;
	}
	/* Of a process that has ended, or a method that was replaced: as it was before. */
	known = intmap_get(&rb->owner, entry);
	if (known == NULL || known->class != class)
		return false;
	*singleton = known->singleton;
	*s = (struct str){known->name, known->len};
	return true;
}

uint32_t
ruby_name(struct ruby_names *rb, const uint64_t *control)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t body = memory_u64(m, control[2] + ISEQ_BODY), entry, first;
	char label[RUBY_TEXT_MAX], base[RUBY_TEXT_MAX], class[RUBY_TEXT_MAX], path[RUBY_TEXT_MAX],
	    full[RUBY_TEXT_MAX * 3];
	struct str l, b, c, p;
	bool singleton = false, named, based;
	unsigned line;
	size_t before;
	int n;

	memory_read_later(m);
	named = ruby_read_string(rb, memory_u64(m, body + BODY_LABEL), label, &l);
	ruby_read_path(rb, body, path, &p);
	first = rb->at->fixnum ? memory_u64(m, body + BODY_FIRST_LINE) >> 1
			       : memory_u32(m, body + BODY_FIRST_LINE);
	based = ruby_read_string(rb, memory_u64(m, body + BODY_BASE_LABEL), base, &b) &&
		b.len <= l.len && memcmp(l.s + l.len - b.len, b.s, b.len) == 0;
	if (!memory_is_proved(m, body + BODY_PATH) || !named)
		return 0;
	memory_read_later(m);
	line = rb->process->lines ? line_of(rb, body, control[0]) : 0;
	if (!memory_is_proved(m, body + BODY_PATH))
		line = 0;
	entry = based ? method_entry(rb, control[4]) : 0;
	if (entry != 0 && read_owner(rb, entry, class, &c, &singleton)) {
		before = l.len - b.len;
		n = snprintf(full, sizeof full, "%.*s%.*s%s%.*s", (int)before, l.s, (int)c.len, c.s,
		    singleton ? "." : "#", (int)b.len, b.s);
		l = (struct str){full, (size_t)n};
	}
	return script_name_add(
	    rb->process->names, l, p, first < 1u << 24 ? (unsigned)first : 0, line);
}

uint32_t
ruby_name_function(struct ruby_names *rb, const uint64_t *control, uint64_t *function)
{
	struct memory_reader *m = rb->process->memory;
	char class[RUBY_TEXT_MAX], name[RUBY_TEXT_MAX], full[RUBY_TEXT_MAX * 2 + 1];
	struct str c, n, none = {NULL, 0};
	uint64_t entry, definition;
	bool singleton = false, named;
	int length;

	if (rb->class_path == 0 && !rb->at->path) {
		memory_read_later(m);
		find_class_path(rb);
		memory_is_proved(m, 0); /* Object is not freed */
	}
	if (rb->symbols == 0 || (memory_u64(m, control[4]) & FRAME_MAGIC) != FRAME_CFUNC ||
	    (entry = method_entry(rb, control[4])) == 0)
		return 0;
	memory_read_later(m);
	definition = memory_u64(m, entry + METHOD_DEFINITION);
	named = (memory_u32(m, definition) & 15) == METHOD_CFUNC &&
		read_id(rb, memory_u64(m, definition + DEFINITION_ID), name, &n);
	*function = memory_u64(m, definition + DEFINITION_FUNCTION);
	if (!memory_is_proved(m, entry) || !named)
		return 0;
	if (!read_owner(rb, entry, class, &c, &singleton))
		return script_name_add(rb->process->names, n, none, 0, 0);
	length = snprintf(full, sizeof full, "%.*s%s%.*s", (int)c.len, c.s, singleton ? "." : "#",
	    (int)n.len, n.s);
	return script_name_add(rb->process->names, (struct str){full, (size_t)length}, none, 0, 0);
}
