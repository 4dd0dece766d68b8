/*
 * hotspot: names the frames of JIT code in a HotSpot process: compiled methods with their
 * inlined methods, interpreted methods, stubs.
 *
 * libjvm.so exports the offsets of its structures for debuggers, in gHotSpotVMStructs and
 * related tables (vmStructs.hpp). Methods, their names and code do not move in memory, so the
 * process may keep running; data that can be stale is checked.
 */
#include "runtime/hotspot.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "runtime/hotspotheap.h"

#define ENTRIES 4096 /* of one table */
#define SCOPES 64 /* methods inlined at one address */
#define NAME_MAX_BYTES 256
#define LINES_MAX 4096 /* bytes of a line table */
#define CONTENT (1 << 20) /* bytes beside the code, at most, of a compiled method */
#define MIRROR 8 /* bytes of a class in an interpreted frame, from JDK 9 on */

/*
 * Return address of the outermost frame of a virtual thread that has continued: its callers are
 * still in HotSpot's heap, and not read (generate_cont_thaw of stubGenerator).
 */
#define HEAP_STUBS "StubRoutines (continuationstubs)"

/* JDK versions that are read; a field that one of them lacks is an error. */
#define FIRST 11
#define LAST 28
#define VERSIONS "8, 11 to 28"
#define OLDEST 0, 8
#define OLD FIRST, 22
#define NEW 23, LAST
#define APART 25, LAST
#define ALL 0, UINT32_MAX

static const struct field {
	const char *type, *name; /* name NULL: the size of the type */
	size_t at; /* in struct fields */
	uint32_t first, last; /* versions with the field */
} table[] = {
    {"CodeCache", "_heap", offsetof(struct fields, only_heap), OLDEST},
    {"CodeCache", "_heaps", offsetof(struct fields, heaps), FIRST, LAST},
    {"GenericGrowableArray", "_len", offsetof(struct fields, heaps_length), 0, 15},
    {"GrowableArrayBase", "_len", offsetof(struct fields, heaps_length), 16, LAST},
    {"GrowableArray<int>", "_data", offsetof(struct fields, heaps_data), ALL},
    {"CodeHeap", "_memory", offsetof(struct fields, heap_memory), ALL},
    {"CodeHeap", "_segmap", offsetof(struct fields, heap_segments), ALL},
    {"CodeHeap", "_log2_segment_size", offsetof(struct fields, heap_log2), ALL},
    {"VirtualSpace", "_low", offsetof(struct fields, space_low), ALL},
    {"VirtualSpace", "_high", offsetof(struct fields, space_high), ALL},
    {"HeapBlock::Header", "_used", offsetof(struct fields, block_used), ALL},
    {"CodeBlob", "_name", offsetof(struct fields, blob_name), ALL},
    {"CodeBlob", "_frame_size", offsetof(struct fields, blob_frame), ALL},
    {"CodeBlob", "_frame_complete_offset", offsetof(struct fields, blob_complete), ALL},
    {"CodeBlob", "_code_begin", offsetof(struct fields, blob_code_begin), OLD},
    {"CodeBlob", "_code_end", offsetof(struct fields, blob_code_end), OLD},
    {"CompiledMethod", "_method", offsetof(struct fields, method), OLD},
    {"CompiledMethod", "_scopes_data_begin", offsetof(struct fields, scopes_begin), OLD},
    {"CompiledMethod", "_deopt_handler_begin", offsetof(struct fields, deopt), OLD},
    {"CompiledMethod", "_deopt_mh_handler_begin", offsetof(struct fields, deopt_mh), OLD},
    {"nmethod", "_scopes_pcs_offset", offsetof(struct fields, pcs), ALL},
    {"nmethod", "_dependencies_offset", offsetof(struct fields, dependencies), 0, 22},
    {"nmethod", "_metadata_offset", offsetof(struct fields, metadata), 0, 22},
    {"nmethod", "_orig_pc_offset", offsetof(struct fields, orig_pc), ALL},
    {"CodeBlob", "_code_offset", offsetof(struct fields, code_offset), OLDEST},
    {"CodeBlob", "_data_offset", offsetof(struct fields, data_offset), OLDEST},
    {"nmethod", "_method", offsetof(struct fields, method), OLDEST},
    {"nmethod", "_scopes_data_offset", offsetof(struct fields, scopes_begin), OLDEST},
    {"nmethod", "_deoptimize_offset", offsetof(struct fields, deopt), OLDEST},
    {"nmethod", "_deoptimize_mh_offset", offsetof(struct fields, deopt_mh), OLDEST},
    {"CodeBlob", "_code_offset", offsetof(struct fields, code_offset), NEW},
    {"CodeBlob", "_data_offset", offsetof(struct fields, data_offset), NEW},
    {"CodeBlob", "_mutable_data", offsetof(struct fields, mutable), APART},
    {"CodeBlob", "_relocation_size", offsetof(struct fields, relocation_size), APART},
    {"nmethod", "_immutable_data", offsetof(struct fields, immutable), NEW},
    {"nmethod", "_scopes_data_offset", offsetof(struct fields, scopes_offset), NEW},
    {"nmethod", "_deopt_handler_offset", offsetof(struct fields, deopt), 23, 25},
    {"nmethod", "_deopt_mh_handler_offset", offsetof(struct fields, deopt_mh), 23, 25},
    {"nmethod", "_deopt_handler_entry_offset", offsetof(struct fields, deopt), 26, LAST},
    {"nmethod", "_deopt_handler_entry_offset", offsetof(struct fields, deopt_mh), 26, LAST},
    {"nmethod", "_method", offsetof(struct fields, method), NEW},
    {"ConstMethod", "_flags._flags", offsetof(struct fields, flags), 21, LAST},
    {"HeapBlock::Header", NULL, offsetof(struct fields, block_header), ALL},
    {"Method", "_constMethod", offsetof(struct fields, const_method), ALL},
    {"ConstMethod", "_constants", offsetof(struct fields, constants), ALL},
    {"ConstMethod", "_flags", offsetof(struct fields, flags), 0, 20},
    {"ConstMethod", "_code_size", offsetof(struct fields, code_size), ALL},
    {"ConstMethod", "_name_index", offsetof(struct fields, name_index), ALL},
    {"ConstantPool", "_pool_holder", offsetof(struct fields, holder), ALL},
    {"ConstantPool", "_source_file_name_index", offsetof(struct fields, source_file), 15, LAST},
    {"InstanceKlass", "_source_file_name_index", offsetof(struct fields, source_file), 0, 14},
    {"Klass", "_name", offsetof(struct fields, class_name), ALL},
    {"Symbol", "_length", offsetof(struct fields, symbol_length), ALL},
    {"Symbol", "_body", offsetof(struct fields, symbol_body), ALL},
    {"JavaThread", "_vframe_array_head", offsetof(struct fields, unpacked), ALL},
    {"vframeArray", "_frames", offsetof(struct fields, unpacked_frames), ALL},
    {"vframeArrayElement", "_method", offsetof(struct fields, element_method), ALL},
    {"vframeArrayElement", "_bci", offsetof(struct fields, element_bci), ALL},
    {"vframeArray", NULL, offsetof(struct fields, unpacked_size), ALL},
    {"vframeArrayElement", NULL, offsetof(struct fields, element_size), ALL},
    {"ConstMethod", NULL, offsetof(struct fields, const_method_size), ALL},
    {"ConstantPool", NULL, offsetof(struct fields, constants_size), ALL},
    {"Abstract_VM_Version", "_vm_major_version", offsetof(struct fields, major), ALL},
};

static bool
is_module(const char *name)
{
	return strcmp(name, "libjvm.so") == 0;
}

/* The value of a variable that libjvm.so exports. */
static uint64_t
variable(const struct runtime_process *p, const struct runtime_module *m, const char *name)
{
	uint64_t address = runtime_symbol(m, name, NULL);

	return address == 0 ? 0 : memory_u64(p->memory, address);
}

static bool
is_string(const struct runtime_module *m, uint64_t address, const char *s)
{
	const char *bytes = runtime_file_bytes(m, address, strlen(s) + 1);

	return bytes != NULL && memcmp(bytes, s, strlen(s) + 1) == 0;
}

static uint64_t *
field_at(struct hotspot *h, const struct field *f)
{
	return (uint64_t *)((char *)&h->f + f->at);
}

static bool
is_version(const struct hotspot *h, const struct field *f)
{
	return h->version >= f->first && h->version <= f->last;
}

void
hotspot_places(
    const struct runtime_process *p, const struct runtime_module *m, struct hotspot_place *place)
{
	uint64_t at = variable(p, m, "gHotSpotVMStructs"), w[6];

	for (int i = 0; i < ENTRIES && memory_read(p->memory, at, w, sizeof w) && w[0] != 0;
	     i++, at += sizeof w)
		for (struct hotspot_place *k = place; k->type != NULL; k++)
			if (is_string(m, w[1], k->name) && is_string(m, w[0], k->type))
				*k->at = (uint32_t)w[3] != 0 ? w[5] : w[4];
}

static void
read_fields(struct hotspot *h, const struct runtime_module *m)
{
	struct hotspot_place place[sizeof table / sizeof *table + 1];
	size_t n = 0;

	for (size_t k = 0; k < sizeof table / sizeof *table; k++)
		if (table[k].name != NULL && is_version(h, &table[k]))
			place[n++] = (struct hotspot_place){
			    table[k].type, table[k].name, field_at(h, &table[k])};
	place[n].type = NULL;
	hotspot_places(h->process, m, place);
}

/* VMTypeEntry: type name, superclass, three flags, size. */
static void
read_sizes(struct hotspot *h, const struct runtime_module *m)
{
	struct runtime_process *p = h->process;
	uint64_t at = variable(p, m, "gHotSpotVMTypes"), w[5];

	for (int i = 0; i < ENTRIES && memory_read(p->memory, at, w, sizeof w) && w[0] != 0;
	     i++, at += sizeof w)
		for (size_t k = 0; k < sizeof table / sizeof *table; k++)
			if (table[k].name == NULL && is_string(m, w[0], table[k].type))
				*field_at(h, &table[k]) = w[4];
}

/* Returns the reason why this JVM is not supported, or NULL. */
static const char *
missing(struct hotspot *h)
{
	static char text[96];

	for (size_t k = 0; k < sizeof table / sizeof *table; k++)
		if (is_version(h, &table[k]) && *field_at(h, &table[k]) == UINT64_MAX) {
			snprintf(text, sizeof text, "this JVM's tables lack %s::%s", table[k].type,
			    table[k].name != NULL ? table[k].name : "(size)");
			return text;
		}
	return NULL;
}

static bool
is_known(uint32_t version)
{
	return version == 8 || (version >= FIRST && version <= LAST);
}

/* True if the code of a version is decoded on a processor. */
static bool
is_decoded(const struct hotspot_cpu *cpu, uint32_t version)
{
	return cpu->first == 0 || (version >= cpu->first && version <= cpu->last);
}

/*
 * The JDK's version by that of HotSpot, which is the same from 9 on: 8 has 25, with one code heap.
 * 0: unknown.
 */
static uint32_t
version_of(struct hotspot *h)
{
	const uint32_t major =
	    h->f.major == UINT64_MAX ? 0 : memory_u32(h->process->memory, h->f.major);

	return h->f.only_heap != UINT64_MAX && major > 17 ? major - 17 : major;
}

static void *
open_hotspot(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		struct hotspot *h;
		uint32_t version;
		const char *why;

		if (variable(p, m, "gHotSpotVMStructs") == 0 ||
		    variable(p, m, "gHotSpotVMStructEntryArrayStride") == 0 ||
		    variable(p, m, "gHotSpotVMTypeEntrySizeOffset") == 0)
			return NULL; /* the JVM is still being loaded */
		if (variable(p, m, "gHotSpotVMStructEntryArrayStride") != 48 ||
		    variable(p, m, "gHotSpotVMTypeEntryArrayStride") != 40 ||
		    variable(p, m, "gHotSpotVMTypeEntrySizeOffset") != 32) {
			snprintf(
			    p->reason, sizeof p->reason, "this JVM has no tables of its fields");
			return NULL;
		}
		if (!runtime_knows_cpu(p, p->cpu->hotspot, "Java"))
			return NULL;
		h = cli_alloc(1, sizeof *h);
		h->process = p;
		memset(&h->f, 0xff, sizeof h->f);
		read_fields(h, m); /* the version first */
		version = version_of(h);
		h->version = is_known(version) || version < FIRST ? version : LAST;
		read_fields(h, m);
		read_sizes(h, m);
		why = missing(h);
		snprintf(p->version, sizeof p->version, "%u", version);
		if (is_known(version) && why == NULL && is_decoded(p->cpu->hotspot, version))
			return h;
		if (is_known(version) && why == NULL)
			snprintf(p->reason, sizeof p->reason, "Java %u is not read on %s, only %u",
			    version, p->cpu->name, p->cpu->hotspot->first);
		else if (version != 0 && !is_known(version))
			runtime_unknown(p, "HotSpot", VERSIONS,
			    why != NULL ? why : RUNTIME_TRIED("hotspot.c", "script-java.t"));
		else
			snprintf(p->reason, sizeof p->reason, "%s",
			    why != NULL ? why : "this JVM's version is unknown");
		free(h);
		return NULL;
	}
	return NULL;
}

static void
close_hotspot(void *state)
{
	free(state);
}

static bool
read_symbol(struct hotspot *h, uint64_t symbol, char to[NAME_MAX_BYTES], struct str *s)
{
	struct memory_reader *m = h->process->memory;
	uint16_t length = 0;

	*s = (struct str){to, 0};
	if (symbol == 0 || (symbol & 7) != 0 ||
	    !memory_read(m, symbol + h->f.symbol_length, &length, sizeof length) || length == 0)
		return false;
	s->len = length < NAME_MAX_BYTES ? length : NAME_MAX_BYTES;
	return memory_read(m, symbol + h->f.symbol_body, to, s->len);
}

/* Converts a class name to dots, without the run-specific suffix of hidden classes. */
static void
clean_class(char *name, struct str *s)
{
	for (size_t i = 0; i < s->len; i++) {
		if (name[i] == '+' || (name[i] == '/' && i + 2 < s->len && name[i + 1] == '0' &&
					  name[i + 2] == 'x')) {
			s->len = i;
			return;
		}
		if (name[i] == '/')
			name[i] = '.';
	}
}

/*
 * UNSIGNED5, compressed numbers (compressedStream.hpp of JDK 17); from JDK 20 on without the byte
 * 0 (unsigned5.hpp).
 */
static uint32_t
unsigned5(const struct hotspot *h, const uint8_t **at, const uint8_t *end)
{
	uint32_t v = 0, excluded = h->version >= 20;

	for (unsigned shift = 0; *at < end && shift <= 24; shift += 6) {
		uint8_t b = *(*at)++;

		v += (b - excluded) << shift;
		if (b < 192)
			break;
	}
	return v;
}

static int
signed5(const struct hotspot *h, const uint8_t **at, const uint8_t *end)
{
	uint32_t v = unsigned5(h, at, end);

	return (int)(v >> 1) ^ -(int)(v & 1);
}

/*
 * The line of a bytecode by the table after the method's bytecodes
 * (CompressedLineNumberReadStream).
 */
static unsigned
line_of(struct hotspot *h, uint64_t const_method, int bci)
{
	struct memory_reader *m = h->process->memory;
	uint8_t b[LINES_MAX];
	const uint8_t *at = b, *end = b + sizeof b;
	uint16_t flags = 0, size = 0;
	int here = 0, line = 0, best = 0;

	memory_read(m, const_method + h->f.flags, &flags, sizeof flags);
	memory_read(m, const_method + h->f.code_size, &size, sizeof size);
	if ((flags & 1) == 0 || bci < 0)
		return 0;
	for (uint64_t from = const_method + h->f.const_method_size + size;
	     !memory_read(m, from, b, (size_t)(end - b));)
		if ((end -= (end - b) / 2) - b < 16)
			return 0;
	while (at < end && *at != 0) {
		if (*at == 0xff) {
			at++;
			here += signed5(h, &at, end);
			line += signed5(h, &at, end);
		} else {
			here += *at >> 3;
			line += *at++ & 7;
		}
		if (here > bci)
			break;
		best = line;
	}
	return best > 0 ? (unsigned)best : 0;
}

/* The name of a method; 0 when the address is not a method. */
static uint32_t
name_of(struct hotspot *h, uint64_t method, int bci)
{
	struct memory_reader *m = h->process->memory;
	const struct fields *f = &h->f;
	char class[NAME_MAX_BYTES], name[NAME_MAX_BYTES], file[NAME_MAX_BYTES];
	char full[2 * NAME_MAX_BYTES + 1];
	uint64_t const_method, constants, source;
	uint16_t name_index = 0, file_index = 0;
	struct str c, n, s = {NULL, 0};
	int length;

	if (method == 0 || (method & 7) != 0)
		return 0;
	const_method = memory_u64(m, method + f->const_method);
	constants = memory_u64(m, const_method + f->constants);
	if (!memory_read(m, const_method + f->name_index, &name_index, sizeof name_index) ||
	    !read_symbol(h, memory_u64(m, constants + f->constants_size + 8 * (uint64_t)name_index),
		name, &n) ||
	    !read_symbol(
		h, memory_u64(m, memory_u64(m, constants + f->holder) + f->class_name), class, &c))
		return 0;
	clean_class(class, &c);
	length = snprintf(full, sizeof full, "%.*s.%.*s", (int)c.len, c.s, (int)n.len, n.s);
	if (!h->process->lines)
		return script_name_add(
		    h->process->names, (struct str){full, (size_t)length}, s, 0, 0);
	source = h->version < 15 ? memory_u64(m, constants + f->holder) : constants;
	if (memory_read(m, source + f->source_file, &file_index, sizeof file_index) &&
	    file_index != 0)
		read_symbol(h,
		    memory_u64(m, constants + f->constants_size + 8 * (uint64_t)file_index), file,
		    &s);
	return script_name_add(h->process->names, (struct str){full, (size_t)length}, s, 0,
	    line_of(h, const_method, bci));
}

/* struct PcDesc of pcDesc.hpp: pc, scope, object, flags. */
struct pc_desc {
	int32_t pc, scope, object, flags;
};

/* The first PcDesc at or after an offset in the code: for a return address, that of the call. */
static bool
find_pc(struct hotspot *h, const struct hotspot_tables *t, int32_t offset, struct pc_desc *found)
{
	struct memory_reader *m = h->process->memory;
	int32_t low = 0, high = t->npc;
	struct pc_desc d;
	bool any = false;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (!memory_read(m, t->pcs + 16 * (uint64_t)middle, &d, sizeof d))
			return false;
		if (d.pc < offset) {
			low = middle + 1;
		} else {
			*found = d;
			any = true;
			high = middle;
		}
	}
	return any;
}

/*
 * The methods at a pc of compiled code, innermost first: ScopeDesc of scopeDesc.cpp. False: there
 * are none, as at a method's start.
 */
static bool
add_scopes(struct hotspot *h, const struct hotspot_tables *t, uint64_t nmethod, uint64_t pc,
    struct script_stack *s)
{
	struct memory_reader *m = h->process->memory;
	struct pc_desc d;
	int32_t at;

	if (!find_pc(h, t, (int32_t)(pc - hotspot_code_begin(h, nmethod)), &d))
		return false;
	at = d.scope;
	for (int n = 0; at > 0 && n < SCOPES; n++) {
		uint8_t b[24];
		const uint8_t *read = b;
		uint32_t sender, method, bci;

		if (!memory_read(m, t->scopes + (uint64_t)at, b, sizeof b))
			return n > 0;
		sender = unsigned5(h, &read, b + sizeof b);
		method = unsigned5(h, &read, b + sizeof b);
		bci = unsigned5(h, &read, b + sizeof b);
		if (!script_frame(s,
			method == 0
			    ? 0
			    : name_of(h, memory_u64(m, t->metadata + 8 * (uint64_t)(method - 1)),
				  (int)bci - 1),
			SCRIPT_NATIVE_NONE) ||
		    sender >= (uint32_t)at)
			return true;
		at = (int32_t)sender;
	}
	return d.scope > 0;
}

/*
 * True if the offsets of compiled methods are proved: the first of their tables that was read has a
 * place before the code, and one after it (nmethod::copy_scopes_pcs).
 */
static bool
is_proved(struct hotspot *h, const struct hotspot_tables *t, uint64_t nmethod)
{
	struct memory_reader *m = h->process->memory;
	const uint64_t size = hotspot_code_end(h, nmethod) - hotspot_code_begin(h, nmethod);

	if (!h->proved)
		h->proved = t->npc >= 2 && memory_u32(m, t->pcs) == UINT32_MAX &&
			    memory_u32(m, t->pcs + 16 * (uint64_t)(t->npc - 1)) - size <= CONTENT;
	return h->proved;
}

static void
add_compiled(
    struct hotspot *h, uint64_t nmethod, const struct native_frame *f, struct script_stack *s)
{
	struct memory_reader *m = h->process->memory;
	struct hotspot_tables t;
	uint64_t pc = f->pc;

	hotspot_read_tables(h, nmethod, &t);
	if (!is_proved(h, &t, nmethod)) {
		script_frame(s, 0, SCRIPT_NATIVE_NONE);
		return;
	}
	/* A deoptimized frame returns to a handler; the frame holds the original pc. */
	if (pc == t.deopt || pc == t.deopt_mh)
		pc = memory_u64(m, f->sp + memory_u32(m, nmethod + h->f.orig_pc));
	if (pc < hotspot_code_begin(h, nmethod) || pc >= hotspot_code_end(h, nmethod) ||
	    !add_scopes(h, &t, nmethod, pc, s))
		script_frame(
		    s, name_of(h, memory_u64(m, nmethod + h->f.method), -1), SCRIPT_NATIVE_NONE);
}

/* Where an interpreted frame has its method. */
static uint64_t
interpreted_method(struct hotspot *h, const struct native_frame *f)
{
	const struct runtime_cpu *cpu = h->process->cpu;

	return f->reg[cpu->fp] + (uint64_t)(int64_t)cpu->hotspot->frame_method;
}

/* Adds an interpreted method; false when the registers are not those of a method's frame. */
static bool
add_interpreted(struct hotspot *h, const struct native_frame *f, bool leaf, struct script_stack *s)
{
	struct memory_reader *m = h->process->memory;
	const struct hotspot_cpu *cpu = h->process->cpu->hotspot;
	const uint64_t fp = f->reg[h->process->cpu->fp];
	const uint64_t at_method = interpreted_method(h, f);
	const uint64_t at_bytecode =
	    fp + (uint64_t)(int64_t)(cpu->frame_bytecode + (h->version == 8 ? MIRROR : 0));
	const uint64_t frame = cpu->linked ? cpu->interpreted(m, f->pc, leaf) : FRAME_INTERPRETED;
	/* A method's entry has the method in a register, before it stores it. */
	const bool starts = frame == FRAME_ADAPTER;
	uint64_t method =
	    starts || (leaf && f->sp > at_method) ? f->reg[cpu->method] : memory_u64(m, at_method);
	uint64_t code = memory_u64(m, method + h->f.const_method) + h->f.const_method_size;
	uint64_t bcp = starts || (leaf && f->sp > at_bytecode) ? 0 : memory_u64(m, at_bytecode);
	uint16_t size = 0;
	uint32_t name;

	if (!starts &&
	    (fp < f->sp || (frame != FRAME_INTERPRETED && frame != FRAME_INTERPRETED_START)))
		return false;
	memory_read(m, code - h->f.const_method_size + h->f.code_size, &size, sizeof size);
	if (leaf && f->reg[cpu->bytecode] >= code && f->reg[cpu->bytecode] < code + size)
		bcp = f->reg[cpu->bytecode]; /* the frame's slot is only written at calls */
	name = name_of(h, method, bcp >= code && bcp < code + size ? (int)(bcp - code) : -1);
	if (name == 0)
		return false;
	script_frame(s, name, SCRIPT_NATIVE_NONE);
	return true;
}

/*
 * Frames of interpreted methods that a thread builds in place of a compiled one, without their
 * methods yet: vframeArray, which ends with its elements, the innermost first.
 */
struct unpacked {
	uint64_t element; /* the next one */
	uint32_t left;
};

static void
start_unpacked(struct hotspot *h, const struct native_frame *f, struct unpacked *u)
{
	struct memory_reader *m = h->process->memory;
	uint64_t array = memory_u64(m, f->reg[h->process->cpu->hotspot->thread] + h->f.unpacked);

	if (array == 0)
		return;
	u->left = memory_u32(m, array + h->f.unpacked_frames);
	u->element = array + h->f.unpacked_size - h->f.element_size;
}

static bool
add_unpacked(struct hotspot *h, struct unpacked *u, struct script_stack *s)
{
	struct memory_reader *m = h->process->memory;
	uint32_t name = name_of(h, memory_u64(m, u->element + h->f.element_method),
	    (int)memory_u32(m, u->element + h->f.element_bci));

	u->element += h->f.element_size;
	u->left--;
	return name != 0 && script_frame(s, name, SCRIPT_NATIVE_NONE);
}

/* The blob that contains the pc of a frame, and its name; 0: there is none. */
static uint64_t
blob_of(struct hotspot *h, const struct native_frame *f, char name[BLOB_NAME])
{
	struct memory_reader *m = h->process->memory;
	const uint64_t blob =
	    f->module == NULL || f->module->kind != MODULE_JIT ? 0 : hotspot_find_blob(h, f->pc);

	return blob != 0 && memory_string(m, memory_u64(m, blob + h->f.blob_name), name, BLOB_NAME)
		   ? blob
		   : 0;
}

/* By a compiled method's tables, and by the method of an interpreted frame, which has a name. */
static enum runtime_proof
prove_hotspot(void *state, const struct runtime_sample *at)
{
	struct hotspot *h = state;
	enum runtime_proof proof = PROOF_OPEN;

	for (size_t i = 0; i < at->nnative; i++) {
		const struct native_frame *f = &at->native[i];
		char name[BLOB_NAME];
		const uint64_t blob = blob_of(h, f, name);
		struct hotspot_tables t;

		if (blob == 0)
			continue;
		if (strcmp(name, "nmethod") == 0) {
			hotspot_read_tables(h, blob, &t);
			if (!is_proved(h, &t, blob))
				return PROOF_FAILS;
			proof = PROOF_HOLDS;
		} else if (i > 0 && strcmp(name, "Interpreter") == 0 &&
			   name_of(h, memory_u64(h->process->memory, interpreted_method(h, f)),
			       -1) != 0) {
			proof = PROOF_HOLDS;
		}
	}
	return proof;
}

static bool
read_hotspot(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct hotspot *h = state;
	struct unpacked u = {0};

	for (size_t i = 0; i < at->nnative; i++) {
		const struct native_frame *f = &at->native[i];
		char name[BLOB_NAME];
		uint64_t blob;
		size_t nframe = s->nframe, ngroup = s->ngroup;

		if ((blob = blob_of(h, f, name)) == 0)
			continue;
		if (!script_group(s, (int32_t)i))
			break;
		if (i == 0 && strcmp(name, "nmethod") == 0 && hotspot_is_call_stub(h, f->pc, f->sp))
			strlcpy(name, "static call stub", sizeof name);
		if (strcmp(name, "nmethod") == 0)
			add_compiled(h, blob, f, s);
		else if (strcmp(name, "native nmethod") == 0)
			script_frame(s,
			    name_of(h, memory_u64(h->process->memory, blob + h->f.method), -1),
			    SCRIPT_NATIVE_NONE);
		else if (strcmp(name, HEAP_STUBS) == 0)
			script_frame(s, 0, SCRIPT_NATIVE_NONE);
		else if (strcmp(name, "Interpreter") != 0 ||
			 !(u.left > 0 ? add_unpacked(h, &u, s) : add_interpreted(h, f, i == 0, s)))
			script_frame(s,
			    script_name_add(
				h->process->names, str_of(name), (struct str){NULL, 0}, 0, 0),
			    SCRIPT_NATIVE_NONE);
		if (strcmp(name, "Interpreter") != 0)
			u.left = 0;
		if (i > 0 && (strcmp(name, "DeoptimizationBlob") == 0 ||
				 strcmp(name, "UncommonTrapBlob") == 0))
			start_unpacked(h, f, &u);
		if (s->nframe == nframe)
			s->ngroup = ngroup;
	}
	return s->nframe > 0;
}

const struct runtime runtime_hotspot = {
    .name = "java",
    .versions = VERSIONS,
    .offsets = "the JVM's own tables",
    .compiles = true,
    .is_module = is_module,
    .open = open_hotspot,
    .prove = prove_hotspot,
    .read = read_hotspot,
    .close = close_hotspot,
    .frame_size = hotspot_frame_size,
    .frame_linked = true,
};
