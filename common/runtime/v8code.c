/*
 * v8code: the functions inlined at a pc of compiled code, by V8's tables of source positions
 * and deoptimization data.
 */
#include "runtime/v8heap.h"

#define POSITIONS_MAX (64 << 10) /* bytes of a table of source positions */
#define INLINED_MAX 60
#define CODE_NEAR (UINT64_C(1) << 30) /* bytes between a pc and other JIT code of its process */
#define CODE_BACK 512 /* steps of 512 bytes back to the start of an object with code */
#define MAPS_NEAR (UINT64_C(1) << 20) /* bytes between two maps of V8's own objects */

#define SHARED_SLOTS 4 /* of SharedFunctionInfo; one has the baseline code */

/* Slots of DeoptimizationData. */
enum { DEOPT_INLINED = 1, DEOPT_SLOTS = 16 };

/* An offset: exported by some versions, else the given one. */
static int32_t
constant_or(const struct runtime_module *m, const char *name, int32_t otherwise)
{
	int32_t v;

	return v8_constant(m, "v8dbg_", name, &v) ? v : otherwise;
}

/* Offsets in Code of 10 and 11; later versions put the start's and the size's into the file. */
static void
set_code_11(struct v8_code *c, const struct runtime_module *m, int major, int minor)
{
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
	c->type_bytes = constant_or(m, "type_ByteArray__BYTE_ARRAY_TYPE", -2);
}

/* The fields from the wrapper on are exported; two tables precede it (code.h of 12.4 to 14.6). */
static void
set_code_12(struct v8_code *c, const struct runtime_module *m)
{
	int32_t wrapper = constant_or(m, "class_Code__wrapper__Tagged_CodeWrapper_", 24);

	c->size = constant_or(m, "class_Code__instruction_size__int", -1);
	c->start = constant_or(m, "class_Code__instruction_start__Address", -1);
	c->flags = constant_or(m, "class_Code__flags__uint32_t", -1);
	c->positions = wrapper - 8;
	c->deoptimization = wrapper - 16;
	c->type_bytes = constant_or(m, "type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE", -2);
}

void
v8_set_code(struct v8 *v, const struct runtime_module *m, int major, int minor)
{
	struct v8_code *c = &v->code;

	/* With leap tiering, from 13 on, a function has a number in place of its code. */
	c->code = major >= 13 ? -1
			      : constant_or(m,
				    major == 12 ? "class_JSFunction__code__Tagged_Code_"
						: "class_JSFunction__code__CodeT",
				    v->c.shared + 24);
	if (major >= 12)
		set_code_12(c, m);
	else
		set_code_11(c, m, major, minor);
	c->apart = major > 11 || (major == 11 && minor >= 1);
	c->baseline = constant_or(m, "CodeKindBaseline", 11);
	c->literals = constant_or(m, "DeoptimizationDataLiteralArrayIndex", 2);
	c->inlining = constant_or(m, "DeoptimizationDataInliningPositionsIndex", 7);
	c->shared = constant_or(m,
	    major >= 13 ? "DeoptimizationDataWrappedSharedFunctionInfoIndex"
			: "DeoptimizationDataSharedFunctionInfoIndex",
	    6);
	if (c->inlining < 0 || c->inlining >= DEOPT_SLOTS)
		c->inlining = 0;
	if (c->literals < 0 || c->literals > c->inlining)
		c->literals = 0;
	if (c->shared < 0 || c->shared > c->inlining)
		c->shared = 0;
	c->type_code = constant_or(m, "type_Code__CODE_TYPE", -2);
	c->type_stream =
	    constant_or(m, "type_InstructionStream__INSTRUCTION_STREAM_TYPE", c->type_code);
	v8_set_bytecode(v, m);
	c->bytecode_positions = major >= 12 ? 24 : 32;
	c->flagged_offsets = major >= 14; /* by the tables of 14.6 */
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

/* The Code of an object with instructions, if it has pc; else 0. */
static uint64_t
code_at(struct v8 *v, uint64_t stream, uint64_t pc)
{
	if (!v->code.apart)
		return covers(v, stream + 1, pc) ? stream + 1 : 0;
	for (uint64_t slot = 8; slot <= 48; slot += 8) {
		uint64_t code = memory_u64(v->process->memory, stream + slot);

		if (covers(v, code, pc))
			return code;
	}
	return 0;
}

/*
 * True for the map of objects with instructions, of which one has pc; learns it at its first sight.
 * V8 allocates its maps together, so that it is near `like`, another one.
 */
static bool
is_stream_map(struct v8 *v, uint64_t word, uint64_t like, uint64_t object, uint64_t pc)
{
	if (v->stream_map != 0)
		return word == v->stream_map;
	if ((word & 3) != 1 || word - like + MAPS_NEAR >= 2 * MAPS_NEAR ||
	    v8_type(v, object + 1) != v->code.type_stream || code_at(v, object, pc) == 0)
		return false;
	v->stream_map = word;
	return true;
}

/*
 * The Code object of a pc: the function's current one, or one that it replaced or was replaced
 * by (OSR), whose instructions follow an object's map. Functions without a field for the code have
 * the latter only.
 */
static uint64_t
code_of(struct v8 *v, uint64_t function, uint64_t pc)
{
	struct memory_reader *m = v->process->memory;
	uint64_t code = v->code.code >= 0 ? v8_field(v, function, v->code.code) : 0;
	uint64_t like = memory_u64(m, v8_field(v, function, v->c.shared) - 1);
	uint64_t w[64], at = pc & ~UINT64_C(7);

	/* The unsigned sum is in range if the distance is, either way. */
	if (v->stream_map == 0 && v8_type(v, code) == v->code.type_code &&
	    code_start(v, code) - pc + CODE_NEAR < 2 * CODE_NEAR)
		learn_stream(v, code);
	if (covers(v, code, pc))
		return code;
	for (size_t n = 0; n < CODE_BACK; n++) {
		at -= sizeof w;
		if (!memory_read(m, at, w, sizeof w))
			return 0;
		for (size_t k = sizeof w / sizeof *w; k-- > 0;)
			if (is_stream_map(v, w[k], like, at + 8 * k, pc))
				return code_at(v, at + 8 * k, pc);
	}
	return 0;
}

/* The kind of code, enum CodeKind. */
static uint32_t
kind_of(struct v8 *v, uint64_t code)
{
	return memory_u32(v->process->memory, code - 1 + (uint64_t)v->code.flags) & 15;
}

/* True if the SharedFunctionInfo has that baseline code, in one of its first slots. */
static bool
has_baseline(struct v8 *v, uint64_t shared, uint64_t code)
{
	uint64_t slot[SHARED_SLOTS];

	if (v8_type(v, shared) != v->c.type_shared ||
	    !memory_read(v->process->memory, shared - 1 + 8, slot, sizeof slot))
		return false;
	for (size_t i = 0; i < SHARED_SLOTS; i++)
		if (slot[i] == code)
			return true;
	return false;
}

/* The SharedFunctionInfo in that slot of deoptimization data, from 13 on in a wrapper; else 0. */
static uint64_t
shared_of_data(struct v8 *v, uint64_t slot)
{
	uint64_t shared = slot;

	if (v8_type(v, slot) >= 0 && v8_type(v, slot) != v->c.type_shared)
		shared = v8_field(v, slot, 8);
	return v8_type(v, shared) == v->c.type_shared ? shared : 0;
}

uint64_t
v8_shared_of_code(struct v8 *v, uint64_t candidate, uint64_t pc)
{
	uint64_t code = candidate != 0 || v->stream_map != 0 ? code_of(v, candidate, pc) : 0;
	uint64_t shared, data;
	uint32_t kind;

	if (code == 0 || (kind = kind_of(v, code)) < (uint32_t)v->code.baseline)
		return 0;
	if (kind == (uint32_t)v->code.baseline) {
		shared = candidate != 0 ? v8_field(v, candidate, v->c.shared) : 0;
		return has_baseline(v, shared, code) ? shared : 0;
	}
	data = v8_field(v, code, v->code.deoptimization);
	return v8_type(v, data) < 0 ? 0
				    : shared_of_data(v, v8_field(v, data, 16 + 8 * v->code.shared));
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
		uint64_t code = v8_variable_length(&at, b + n);

		/* The sign, or the lower bits, show whether a statement starts. */
		here += (int64_t)(v->code.flagged_offsets ? code >> 2 : code >> 1);
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

/*
 * The offset in the code to which a frame would have returned, by the exit's number: an array at
 * data (DeoptimizationData of deoptimization-data.h) has the start of the exits, the numbers of
 * eager and of lazy ones, and three words for each. -1: unknown.
 */
static int64_t
offset_of_exit(struct v8 *v, uint64_t data, int64_t exit)
{
	struct memory_reader *m = v->process->memory;
	const uint8_t bytes = v->process->cpu->v8->exit_bytes;
	uint64_t head[3], slot = 16 + 8 * ((uint64_t)v->code.inlining + 1);
	int64_t first, n, number;

	if (!memory_read(m, data - 1 + slot, head, sizeof head))
		return -1;
	first = v8_smi(head[0]);
	n = (int64_t)v8_smi(head[1]) + v8_smi(head[2]);
	number = (exit - first) / bytes;
	if (exit < first || (exit - first) % bytes != 0 || number < v8_smi(head[1]) ||
	    number >= n || v8_smi(v8_field(v, data, 8)) != v->code.inlining + 4 + 3 * n)
		return -1;
	return v8_smi(memory_u64(m, data - 1 + slot + 24 + 24 * (uint64_t)number + 16));
}

/* Adds the inlined functions of a table's entry, innermost first; see v8_add_inlined. */
static int32_t
add_inlined(struct v8 *v, const uint64_t d[DEOPT_SLOTS], uint64_t entry, struct script_stack *s)
{
	struct memory_reader *m = v->process->memory;

	for (int n = 0; (entry >> 31 & 0xffff) != 0; n++) {
		uint64_t id = entry >> 31 & 0xffff, item[2], shared;
		int32_t number;
		uint32_t name;

		if (n == INLINED_MAX ||
		    !memory_read(
			m, d[v->code.inlining] - 1 + 16 + 16 * (id - 1), item, sizeof item))
			return -1;
		number = (int32_t)item[1];
		if (number < -1 || number >= v8_smi(d[DEOPT_INLINED]))
			return -1;
		if (number == -1) /* the function itself, inlined into itself */
			shared = shared_of_data(v, d[v->code.shared]);
		else
			shared =
			    (v8_field(v, d[v->code.literals], 16 + 8 * number) & ~UINT64_C(3)) | 1;
		name = v8_name(v, shared, v8_position(entry));
		if (name == 0 || !script_frame(s, name, SCRIPT_NATIVE_NONE))
			return -1;
		entry = item[0];
	}
	return v8_position(entry);
}

/* See v8heap.h. Uses the deoptimization data. */
int32_t
v8_add_inlined(struct v8 *v, uint64_t function, const struct runtime_sample *at, size_t i,
    struct script_stack *s)
{
	const struct native_frame *f = &at->native[i];
	struct memory_reader *m = v->process->memory;
	bool leaf = i == 0;
	uint64_t pc = f->pc - !leaf, code = code_of(v, function, pc), data, d[DEOPT_SLOTS], table;
	int64_t offset;
	uint32_t kind;

	if (code == 0)
		return -1;
	kind = kind_of(v, code);
	offset = (int64_t)(pc - code_start(v, code));
	table = v8_field(v, code, v->code.positions);
	if (kind <
	    (uint32_t)v->code.baseline) /* a copy of the interpreter's entry, for profilers */
		return v8_interpreted_position(v, at, i);
	if (kind == (uint32_t)v->code.baseline)
		return v8_baseline_position(v, f, table, offset);
	data = v8_field(v, code, v->code.deoptimization);
	if (v8_type(v, data) < 0 ||
	    !memory_read(m, data - 1 + 16, d, 8 * (size_t)(v->code.inlining + 1)))
		return -1;
	/* A frame whose code is discarded returns to a call of the deoptimizer after its code. */
	if (!leaf && v->process->cpu->v8->is_exit(m, f->pc)) {
		if (kind == (uint32_t)v->code.baseline + 1) /* Maglev: its exits have no address */
			return -1;
		offset = offset_of_exit(v, data, offset + 1) - 1;
		if (offset < 0)
			return -1;
	}
	return add_inlined(v, d, v8_position_entry(v, table, offset), s);
}
