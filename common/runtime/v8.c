/*
 * v8: names the frames of JavaScript by their function object, which all compilers store at a
 * fixed offset below the frame pointer.
 *
 * V8 exports structure offsets and type numbers as constants for debuggers, v8dbg_*
 * (tools/gen-postmortem-metadata.py), read here from the file. Garbage collection moves
 * objects, so each step checks the type of its object.
 */
#include "runtime/v8.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "runtime/v8heap.h"

#define TEXT_MAX 512 /* characters of a name or a path */
#define STRING_DEPTH 10 /* nesting of composite strings */
#define FUNCTION_TYPES 17 /* instance types of JSFunction; the last one is that of classes */
#define LOCALS_MAX 5000
#define LOCALS_INLINE 75 /* with more locals, their names are in a hash table */
#define SOURCE_MAX (1 << 20) /* characters in which lines are counted */
#define NOT_STRING 128 /* the first instance type that is not a string */

enum { STRING_SEQUENTIAL, STRING_CONS, STRING_EXTERNAL, STRING_SLICED, STRING_THIN = 5 };

/* Where versions differ in a type's name, the names; the first one that exists counts. */
static const struct constant {
	const char *name[3];
	size_t at; /* in struct v8_constants */
} table[] = {
    {{"class_Map__instance_type__uint16_t"}, offsetof(struct v8_constants, map_type)},
    {{"class_JSFunction__shared__SharedFunctionInfo"}, offsetof(struct v8_constants, shared)},
    {{"class_SharedFunctionInfo__name_or_scope_info__Object",
	 "class_SharedFunctionInfo__name_or_scope_info__Tagged_Object_",
	 "class_SharedFunctionInfo__name_or_scope_info__Tagged_NameOrScopeInfoT_"},
	offsetof(struct v8_constants, name)},
    {{"class_SharedFunctionInfo__script_or_debug_info__HeapObject",
	 "class_SharedFunctionInfo__script__Tagged_HeapObject_"},
	offsetof(struct v8_constants, script)},
    {{"class_Script__name__Object"}, offsetof(struct v8_constants, script_name)},
    {{"class_Script__line_ends__Object"}, offsetof(struct v8_constants, line_ends)},
    {{"class_Script__source__Object"}, offsetof(struct v8_constants, source)},
    {{"scopeinfo_idx_first_vars"}, offsetof(struct v8_constants, first_vars)},
    {{"scopeinfo_idx_ncontextlocals"}, offsetof(struct v8_constants, locals)},
    {{"type_JSFunction__JS_FUNCTION_TYPE"}, offsetof(struct v8_constants, type_function)},
    {{"type_SharedFunctionInfo__SHARED_FUNCTION_INFO_TYPE"},
	offsetof(struct v8_constants, type_shared)},
    {{"type_ScopeInfo__SCOPE_INFO_TYPE"}, offsetof(struct v8_constants, type_scope)},
    {{"type_Script__SCRIPT_TYPE"}, offsetof(struct v8_constants, type_script)},
    {{"type_FixedArray__FIXED_ARRAY_TYPE"}, offsetof(struct v8_constants, type_array)},
};

/* Versions that were run: node 18, 20, 22, 24, 26. Others may have other layouts. */
static const struct {
	int major, minor;
} versions[] = {{10, 2}, {11, 3}, {12, 4}, {13, 6}, {14, 6}};

static bool
is_module(const char *name)
{
	return strcmp(name, "node") == 0 || strncmp(name, "libnode.so", 10) == 0 ||
	       strcmp(name, "nodejs") == 0;
}

/* A constant of the file; 0 if it is in .bss. */
bool
v8_constant(const struct runtime_module *m, const char *prefix, const char *name, int32_t *v)
{
	char symbol[128];
	uint64_t address;
	const void *bytes;

	snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
	address = runtime_symbol(m, symbol, NULL);
	if (address == 0)
		return false;
	bytes = runtime_file_bytes(m, address, sizeof *v);
	*v = 0;
	if (bytes != NULL)
		memcpy(v, bytes, sizeof *v);
	return true;
}

/* Reads the constants; returns the name of one that is missing, or NULL. */
static const char *
read_constants(struct v8 *v, const struct runtime_module *m)
{
	for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
		int32_t *at = (int32_t *)((char *)&v->c + table[k].at);
		size_t i = 0;

		while (i < 3 && table[k].name[i] != NULL &&
		       !v8_constant(m, "v8dbg_", table[k].name[i], at))
			i++;
		if (i == 3 || table[k].name[i] == NULL)
			return table[k].name[0];
	}
	return NULL;
}

static bool
is_supported(int32_t major, int32_t minor)
{
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
		if (versions[i].major == major && versions[i].minor == minor)
			return true;
	return false;
}

static void *
open_v8(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		int32_t major = 0, minor = 0;
		struct v8 *v;
		const char *lacks;

		if (!v8_constant(m, "", "_ZN2v88internal7Version6major_E", &major) ||
		    !v8_constant(m, "", "_ZN2v88internal7Version6minor_E", &minor))
			continue;
		if (!runtime_knows_cpu(p, p->cpu->v8, "Node.js"))
			return NULL;
		v = cli_alloc(1, sizeof *v);
		v->process = p;
		v->module = m->module;
		lacks = read_constants(v, m);
		if (lacks == NULL && v->c.shared >= 24 && is_supported(major, minor)) {
			v8_set_code(v, m, major, minor);
			return v;
		}
		if (!is_supported(major, minor))
			snprintf(p->reason, sizeof p->reason,
			    "V8 %d.%d is not supported (those of node 18, 20, 22, 24 and 26 are)",
			    major, minor);
		else if (lacks != NULL)
			snprintf(p->reason, sizeof p->reason, "this V8 lacks v8dbg_%s", lacks);
		else
			snprintf(p->reason, sizeof p->reason, "this V8 compresses its pointers");
		free(v);
		return NULL;
	}
	return NULL;
}

static void
close_v8(void *state)
{
	struct v8 *v = state;

	free(v->line.slot);
	free(v);
}

/* The instance type of an object; -1 when the word is not one. */
int
v8_type(struct v8 *v, uint64_t object)
{
	struct memory_reader *m = v->process->memory;
	uint64_t map;
	uint16_t type;

	if ((object & 3) != 1)
		return -1;
	map = memory_u64(m, object - 1);
	if ((map & 3) != 1 ||
	    !memory_read(m, map - 1 + (uint64_t)v->c.map_type, &type, sizeof type))
		return -1;
	return type;
}

static bool
is_function(struct v8 *v, uint64_t object)
{
	int type = v8_type(v, object);

	return type >= v->c.type_function && type < v->c.type_function + FUNCTION_TYPES;
}

uint64_t
v8_field(struct v8 *v, uint64_t object, int32_t offset)
{
	return memory_u64(v->process->memory, object - 1 + (uint64_t)offset);
}

int32_t
v8_smi(uint64_t word)
{
	return (int32_t)(word >> 32);
}

/* Appends n code units as UTF-8. */
static void
add_units(struct text *t, const unsigned char *b, size_t n, bool one_byte)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t c = one_byte ? b[i] : b[2 * i] | (uint32_t)b[2 * i + 1] << 8;

		if (!one_byte && c >> 10 == 0xd800 >> 10 && i + 1 < n) {
			const uint32_t low = b[2 * i + 2] | (uint32_t)b[2 * i + 3] << 8;

			if (low >> 10 == 0xdc00 >> 10) {
				c = 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff);
				i++;
			}
		}
		utf8_add(t, c);
	}
}

/*
 * The location of a flat string's code units; false for other strings. A composite string is flat
 * if its first part is all of it, until the collector replaces it by that part.
 */
static bool
find_units(struct v8 *v, uint64_t string, uint64_t *at, uint32_t *length, bool *one_byte)
{
	int type = v8_type(v, string);

	if (type >= 0 && type < NOT_STRING && (type & 7) == STRING_CONS) {
		uint32_t all = memory_u32(v->process->memory, string - 1 + 12);

		string = v8_field(v, string, 16);
		type = v8_type(v, string);
		if (memory_u32(v->process->memory, string - 1 + 12) != all)
			return false;
	}
	if (type < 0 || type >= NOT_STRING ||
	    ((type & 7) != STRING_SEQUENTIAL && (type & 7) != STRING_EXTERNAL))
		return false;
	*length = memory_u32(v->process->memory, string - 1 + 12);
	*at = (type & 7) == STRING_EXTERNAL ? v8_field(v, string, 24) : string - 1 + 16;
	*one_byte = (type & 8) != 0;
	return true;
}

/* Appends `length` characters of a string, from index `skip` on. */
static bool
add_string(struct v8 *v, uint64_t string, uint32_t skip, uint32_t length, struct text *t, int depth)
{
	unsigned char b[TEXT_MAX * 2];
	uint64_t at;
	uint32_t n, left;
	bool one;
	int type = v8_type(v, string);

	if (type < 0 || type >= NOT_STRING || depth == STRING_DEPTH)
		return false;
	n = memory_u32(v->process->memory, string - 1 + 12);
	if (skip >= n)
		return skip == n;
	if (length > n - skip)
		length = n - skip;
	if (length > TEXT_MAX)
		length = TEXT_MAX;
	switch (type & 7) {
	case STRING_CONS:
		left = memory_u32(v->process->memory, v8_field(v, string, 16) - 1 + 12);
		if (skip < left &&
		    !add_string(v, v8_field(v, string, 16), skip, length, t, depth + 1))
			return false;
		if (skip + length <= left)
			return true;
		return add_string(v, v8_field(v, string, 24), skip > left ? skip - left : 0,
		    skip > left ? length : skip + length - left, t, depth + 1);
	case STRING_THIN: return add_string(v, v8_field(v, string, 16), skip, length, t, depth + 1);
	case STRING_SLICED:
		return add_string(v, v8_field(v, string, 16),
		    skip + (uint32_t)v8_smi(v8_field(v, string, 24)), length, t, depth + 1);
	}
	if (!find_units(v, string, &at, &n, &one))
		return false;
	if (!memory_read(v->process->memory, at + (one ? skip : 2 * (uint64_t)skip), b,
		one ? length : 2 * (size_t)length))
		return false;
	add_units(t, b, length, one);
	return true;
}

/* Reads a function's name and the start of its source (-1: unknown) from its ScopeInfo. */
static void
read_scope(struct v8 *v, uint64_t scope, struct text *name, int *start)
{
	uint64_t data = scope - 1 + 8, w[12], before = 1;
	int32_t locals = v8_smi(memory_u64(v->process->memory, data + 8 * (uint64_t)v->c.locals));
	uint64_t slot = (uint64_t)v->c.first_vars;
	bool fixed = v->c.first_vars > v->c.locals + 1; /* the positions are before the variables */

	if (locals < 0 || locals > LOCALS_MAX)
		return;
	slot += locals < LOCALS_INLINE ? 2 * (uint64_t)locals : (uint64_t)locals + 1;
	if (!memory_read(v->process->memory, data + 8 * slot, w, sizeof w))
		return;
	if (fixed)
		*start =
		    v8_smi(memory_u64(v->process->memory, data + 8 * (uint64_t)(v->c.locals + 1)));
	for (size_t i = 0; i < sizeof w / sizeof *w; i++) {
		if ((w[i] & 3) == 1 && name->len == 0)
			add_string(v, w[i], 0, TEXT_MAX, name, 0);
		if (fixed && name->len > 0)
			return;
		if (!fixed && (w[i] & 1) == 0 && (before & 1) == 0 &&
		    v8_smi(before) < v8_smi(w[i])) {
			*start = v8_smi(before);
			return;
		}
		before = w[i];
	}
}

/* The line of a position by the line ends, which V8 computes when it needs them. */
static unsigned
line_by_ends(struct v8 *v, uint64_t ends, int position)
{
	uint64_t array = ends - 1;
	int32_t low = 0, n = v8_smi(memory_u64(v->process->memory, array + 8)), high = n;

	if (n <= 0)
		return 0;
	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (v8_smi(memory_u64(v->process->memory, array + 16 + 8 * (uint64_t)middle)) <
		    position)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n ? (unsigned)low + 1 : 0;
}

static unsigned
count_lines(struct v8 *v, uint64_t source, int position)
{
	unsigned char b[MEMORY_PAGE];
	uint64_t at;
	uint32_t length;
	bool one;
	unsigned line = 1;
	size_t size, done = 0;

	if (!find_units(v, source, &at, &length, &one) || (uint32_t)position > length ||
	    position > SOURCE_MAX)
		return 0;
	size = (size_t)position * (one ? 1 : 2);
	while (done < size) {
		size_t part = size - done < sizeof b ? size - done : sizeof b;

		if (!memory_read(v->process->memory, at + done, b, part))
			return 0;
		for (size_t i = 0; i < part; i += one ? 1 : 2)
			line += b[i] == '\n' && (one || b[i + 1] == 0);
		done += part;
	}
	return line;
}

/*
 * The line of a position by counting in the script's source; 0: unknown, also if the collector
 * moved the source during the count.
 */
static unsigned
counted_line(struct v8 *v, uint64_t script, uint64_t source, int position)
{
	unsigned line = count_lines(v, source, position);

	return memory_is_still(v->process->memory, script - 1 + (uint64_t)v->c.source, source)
		   ? line
		   : 0;
}

/*
 * The line of a position in a script; 0: unknown. Counted lines are cached, except for nameless
 * scripts, of which several can have one size.
 */
static unsigned
line_of(struct v8 *v, uint64_t script, const struct text *path, int position)
{
	uint64_t ends = v8_field(v, script, v->c.line_ends),
		 source = v8_field(v, script, v->c.source);
	uint64_t key[2] = {memory_u32(v->process->memory, source - 1 + 12), (uint64_t)position};
	void **known;

	if (position < 0)
		return 0;
	if ((ends & 3) == 1 && v8_type(v, ends) == v->c.type_array)
		return line_by_ends(v, ends, position);
	if (path->len == 0)
		return counted_line(v, script, source, position);
	known = intmap_at(&v->line, hash_bytes(key, sizeof key) ^ hash_bytes(path->s, path->len));
	if (*known == NULL)
		*known = (void *)(uintptr_t)counted_line(v, script, source, position);
	return (unsigned)(uintptr_t)*known;
}

uint32_t
v8_name(struct v8 *v, uint64_t shared, int32_t position)
{
	static struct text name, path;
	uint64_t scope, script;
	int start = -1, type;
	unsigned first = 0, line = 0;

	name.len = path.len = 0;
	if (v8_type(v, shared) != v->c.type_shared)
		return 0;
	scope = v8_field(v, shared, v->c.name);
	type = v8_type(v, scope);
	if (type >= 0 && type < NOT_STRING)
		add_string(v, scope, 0, TEXT_MAX, &name, 0);
	else if (type == v->c.type_scope)
		read_scope(v, scope, &name, &start);
	script = v8_field(v, shared, v->c.script);
	if (v8_type(v, script) == v->c.type_script) {
		add_string(v, v8_field(v, script, v->c.script_name), 0, TEXT_MAX, &path, 0);
		first = line_of(v, script, &path, start);
		if (v->process->lines)
			line = line_of(v, script, &path, position);
	}
	if (name.len == 0)
		text_puts(&name, "(anonymous)");
	return script_name_add(v->process->names, (struct str){name.s, name.len},
	    (struct str){path.s, path.len}, first, line);
}

/*
 * Where an object is: while the collector moves it, the word of its map has the new address,
 * without a tag.
 */
static uint64_t
moved(struct v8 *v, uint64_t object)
{
	uint64_t map = memory_u64(v->process->memory, object - 1);

	return (object & 3) == 1 && map != 0 && (map & 7) == 0 ? map + 1 : object;
}

/* True if the leaf runs where a function makes its frame or has removed it. */
static bool
is_without_frame(const struct v8 *v, const struct runtime_sample *at)
{
	const struct native_frame *f = &at->native[0];
	const struct runtime_cpu *cpu = v->process->cpu;
	uint64_t fp = f->reg[cpu->fp];

	return f->sp > fp - 16 || (at->nnative > 1 && at->native[1].reg[cpu->fp] == fp) ||
	       (cpu->v8->fills != NULL && cpu->v8->fills(v->process->memory, f->pc, f->sp, fp));
}

/* The function of a frame; 0 when it is not a JavaScript frame. */
static uint64_t
function_of(struct v8 *v, const struct native_frame *f)
{
	struct memory_reader *m = v->process->memory;
	uint64_t fp = f->reg[v->process->cpu->fp], function;

	if (fp < f->sp || (memory_u64(m, fp - 8) & 1) == 0) /* a stub's frame */
		return 0;
	function = moved(v, memory_u64(m, fp - 16));
	return is_function(v, function) ? function : 0;
}

/* The function in the register of a called one; 0: there is another value. */
static uint64_t
called_function(struct v8 *v, const struct native_frame *f)
{
	const uint64_t function = f->reg[v->process->cpu->v8->function];

	return is_function(v, function) ? function : 0;
}

/*
 * The SharedFunctionInfo of a leaf without frame. At its start a register has the function, which
 * has other values at its end: compiled code shows whose it is. Builtins have no object near their
 * code: the register has their function until they store it, which the instructions show. Builtins
 * that are not called as functions store a number instead.
 */
static uint64_t
shared_of_leaf(struct v8 *v, const struct native_frame *f)
{
	const struct runtime_cpu *cpu = v->process->cpu;
	uint64_t function = called_function(v, f);

	if (f->module->kind == MODULE_JIT)
		return v8_shared_of_code(v, function, f->pc);
	return function != 0 && cpu->v8->starts(v->process->memory, f->pc, f->sp, f->reg[cpu->fp])
		   ? v8_field(v, function, v->c.shared)
		   : 0;
}

/*
 * True if frame 1 has its frame pointer, but not yet its function: its code calls a builtin that
 * stores it, the leaf (BaselineOutOfLinePrologue).
 */
static bool
is_begun(const struct v8 *v, const struct runtime_sample *at)
{
	const uint8_t register_fp = v->process->cpu->fp;
	const struct native_frame *f = at->native;

	return f[0].reg[register_fp] == f[1].reg[register_fp] && f[0].module == v->module &&
	       f[1].module != NULL && f[1].module->kind == MODULE_JIT &&
	       f[0].sp > f[0].reg[register_fp] - 16;
}

static bool
read_v8(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct v8 *v = state;

	for (size_t i = 0; i < at->nnative; i++) {
		const struct native_frame *f = &at->native[i];
		uint64_t function = 0, shared;
		int32_t position = -1;

		/* Builtins are in V8's own module, without call frame information. */
		if (f->module == NULL ||
		    (f->module->kind != MODULE_JIT && (f->module != v->module || f->start != 0)))
			continue;
		if (i == 0 && is_without_frame(v, at)) {
			shared = shared_of_leaf(v, f);
		} else if (i == 1 && is_begun(v, at)) {
			shared =
			    v8_shared_of_code(v, called_function(v, &at->native[0]), f->pc - 1);
		} else {
			function = function_of(v, f);
			shared = function != 0 ? moved(v, v8_field(v, function, v->c.shared)) : 0;
		}
		if (v8_type(v, shared) != v->c.type_shared)
			continue;
		if (!script_group(s, (int32_t)i))
			break;
		if (function != 0)
			position = f->module->kind == MODULE_JIT
				       ? v8_add_inlined(v, function, at, i, s)
				       : v8_interpreted_position(v, at, i);
		if (!script_frame(s, v8_name(v, shared, position), SCRIPT_NATIVE_NONE))
			break;
	}
	return s->nframe > 0;
}

/*
 * All functions that call others have a frame pointer (frame-constants.h). The instructions after
 * their calls show the frame less well: called functions remove their arguments, and calls of exits
 * do not return.
 */
static uint64_t
frame_size(void *state, uint64_t pc, uint64_t sp, bool leaf)
{
	(void)state;
	(void)pc;
	(void)sp;
	return leaf ? 0 : FRAME_POINTER;
}

const struct runtime runtime_v8 = {
    .name = "node",
    .versions = "18, 20, 22, 24, 26",
    .offsets = "v8dbg symbols of the file",
    .compiles = true,
    .is_module = is_module,
    .open = open_v8,
    .read = read_v8,
    .close = close_v8,
    .frame_size = frame_size,
};
