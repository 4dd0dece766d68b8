/*
 * v8code: the functions inlined at a pc of compiled code, by V8's tables of source positions
 * and deoptimization data.
 */
#include "code/v8heap.h"

#define POSITIONS_MAX (64 << 10) /* bytes of a table of source positions */
#define INLINED_MAX 60
#define CODE_NEAR (UINT64_C(1) << 30) /* bytes between a pc and other JIT code of its process */
#define CODE_BACK 512 /* steps of 512 bytes back to the start of an object with code */
#define KIND_BASELINE 11 /* CodeKind of 10.2 and 11.3; the interpreter's and stubs are below */

/* Slots of DeoptimizationData. */
enum { DEOPT_INLINED = 1, DEOPT_LITERALS, DEOPT_POSITIONS = 7 };

/* An offset: exported by some versions, else the given one. */
static int32_t
constant_or(const struct runtime_module *m, const char *name, int32_t otherwise)
{
	int32_t v;

	return v8_constant(m, "v8dbg_", name, &v) ? v : otherwise;
}

void
v8_set_code(struct v8 *v, const struct runtime_module *m, int major, int minor)
{
	struct v8_code *c = &v->code;

	c->code = constant_or(m, "class_JSFunction__code__CodeT", v->c.shared + 24);
	c->size = constant_or(m, "class_Code__instruction_size__int", -1);
	c->positions = constant_or(m, "class_Code__source_position_table__ByteArray", -1);
	c->start = constant_or(m, "class_Code__instruction_start__uintptr_t", -1);
	c->flags = constant_or(m, "class_Code__flags__uint32_t", -1);
	if (c->size > 0) {
		c->positions = c->positions < 0 ? c->size - 16 : c->positions;
		c->flags = c->flags < 0 ? c->size + 8 : c->flags;
	} else {
		c->start = c->positions + 16;
		c->flags = c->start + 8;
		c->size = c->flags + 4 + (major < 11 || (major == 11 && minor < 4) ? 4 : 0);
	}
	c->deoptimization = c->positions - 8;
	c->apart = major > 11 || (major == 11 && minor >= 1);
	c->type_code = constant_or(m, "type_Code__CODE_TYPE", -2);
	c->type_stream =
	    constant_or(m, "type_InstructionStream__INSTRUCTION_STREAM_TYPE", c->type_code);
	c->type_bytes = constant_or(m, "type_ByteArray__BYTE_ARRAY_TYPE", -2);
	v8_set_bytecode(v, m);
}

static uint64_t
code_start(struct v8 *v, uint64_t code)
{
	return v->code.apart ? v8_field(v, code, v->code.start)
			     : code - 1 + (uint64_t)v->code.start;
}

static bool
covers(struct v8 *v, uint64_t code, uint64_t pc)
{
	uint64_t start;

	if (v8_type(v, code) != v->code.type_code)
		return false;
	start = code_start(v, code);
	return pc >= start &&
	       pc - start < memory_u32(v->process->memory, code - 1 + (uint64_t)v->code.size);
}

/* Learns the map of objects with instructions, from the object before a start. */
static void
learn_stream(struct v8 *v, uint64_t code)
{
	uint64_t start = code_start(v, code);

	if (!v->code.apart) {
		v->stream_map = memory_u64(v->process->memory, code - 1);
		return;
	}
	for (uint64_t back = 8; back <= 160; back += 8)
		if (v8_type(v, start - back + 1) == v->code.type_stream) {
			v->stream_map = memory_u64(v->process->memory, start - back);
			return;
		}
}

/*
 * The Code object of a pc: the function's current one, or one that it replaced or was replaced
 * by (OSR).
 */
static uint64_t
code_of(struct v8 *v, uint64_t function, uint64_t pc)
{
	struct memory_reader *m = v->process->memory;
	uint64_t code = v8_field(v, function, v->code.code), w[64], at = pc & ~UINT64_C(7);

	/* The unsigned sum is in range if the distance is, either way. */
	if (v->stream_map == 0 && v8_type(v, code) == v->code.type_code &&
	    code_start(v, code) - pc + CODE_NEAR < 2 * CODE_NEAR)
		learn_stream(v, code);
	if (covers(v, code, pc))
		return code;
	for (size_t n = 0; v->stream_map != 0 && n < CODE_BACK; n++) {
		size_t k = sizeof w / sizeof *w;

		at -= sizeof w;
		if (!memory_read(m, at, w, sizeof w))
			return 0;
		while (k-- > 0) {
			if (w[k] != v->stream_map)
				continue;
			code = at + 8 * k + 1;
			if (!v->code.apart)
				return covers(v, code, pc) ? code : 0;
			for (uint64_t slot = 8; slot <= 48; slot += 8)
				if (covers(v, memory_u64(m, at + 8 * k + slot), pc))
					return memory_u64(m, at + 8 * k + slot);
		}
	}
	return 0;
}

uint64_t
v8_variable_length(const unsigned char **at, const unsigned char *end)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		unsigned char b = *(*at)++;

		v |= (uint64_t)(b & 0x7f) << shift;
		if ((b & 0x80) == 0)
			break;
	}
	return v;
}

static int64_t
zigzag(const unsigned char **at, const unsigned char *end)
{
	uint64_t v = v8_variable_length(at, end);

	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

uint64_t
v8_position_entry(struct v8 *v, uint64_t table, int64_t offset)
{
	static unsigned char b[POSITIONS_MAX];
	int32_t n = v8_smi(v8_field(v, table, 8));
	const unsigned char *at = b;
	int64_t here = -1, entry = 0;

	if (v8_type(v, table) != v->code.type_bytes || n <= 0 || n > POSITIONS_MAX ||
	    !memory_read(v->process->memory, table - 1 + 16, b, (size_t)n))
		return 0;
	while (at < b + n) {
		int64_t delta = zigzag(&at, b + n);

		here += delta >= 0 ? delta : -(delta + 1);
		if (here > offset)
			break;
		entry += zigzag(&at, b + n);
	}
	return (uint64_t)entry;
}

int32_t
v8_position(uint64_t entry)
{
	return (int32_t)(entry >> 1 & 0x3fffffff) - 1;
}

/* See v8heap.h. Uses the deoptimization data. */
int32_t
v8_add_inlined(struct v8 *v, uint64_t function, const struct runtime_sample *at, size_t i,
    struct script_stack *s)
{
	const struct native_frame *f = &at->native[i];
	struct memory_reader *m = v->process->memory;
	bool leaf = i == 0;
	uint64_t pc = f->pc - !leaf, code = code_of(v, function, pc), data, d[8], table, entry;
	int64_t offset;
	uint8_t call[3];
	uint32_t kind;

	if (code == 0)
		return -1;
	kind = memory_u32(m, code - 1 + (uint64_t)v->code.flags) & 15;
	offset = (int64_t)(pc - code_start(v, code));
	table = v8_field(v, code, v->code.positions);
	if (kind < KIND_BASELINE) /* a copy of the interpreter's entry, made for profilers */
		return v8_interpreted_position(v, at, i);
	if (kind == KIND_BASELINE)
		return v8_baseline_position(v, f, table, offset);
	/* A deoptimized frame returns to a call of its exits: call [r13 + x]. */
	if (!leaf && memory_read(m, f->pc, call, sizeof call) && call[0] == 0x41 &&
	    call[1] == 0xff && (call[2] == 0x95 || call[2] == 0x55))
		return -1;
	data = v8_field(v, code, v->code.deoptimization);
	if (v8_type(v, data) < 0 || !memory_read(m, data - 1 + 16, d, sizeof d))
		return -1;
	entry = v8_position_entry(v, table, offset);
	for (int n = 0; (entry >> 31 & 0xffff) != 0; n++) {
		uint64_t id = entry >> 31 & 0xffff, item[2];
		int32_t number;
		uint32_t name;

		if (n == INLINED_MAX ||
		    !memory_read(m, d[DEOPT_POSITIONS] - 1 + 16 + 16 * (id - 1), item, sizeof item))
			return -1;
		number = (int32_t)item[1];
		if (number < 0 || number >= v8_smi(d[DEOPT_INLINED]))
			return -1;
		name =
		    v8_name(v, (v8_field(v, d[DEOPT_LITERALS], 16 + 8 * number) & ~UINT64_C(3)) | 1,
			v8_position(entry));
		if (name == 0 || !script_frame(s, name, SCRIPT_NATIVE_NONE))
			return -1;
		entry = item[0];
	}
	return v8_position(entry);
}
