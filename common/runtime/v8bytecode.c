/*
 * v8bytecode: the source position that ran in frames of V8's interpreter (Ignition) and of its
 * baseline compiler (Sparkplug), whose code runs one bytecode after another.
 */
#include "runtime/v8heap.h"

#include <string.h>

#define BYTECODE_MAX (128 << 10) /* bytes of one function */

/* Frame slots of 10.2 to 14.6: byte offsets from the frame pointer (frame-constants.h). */
enum { FRAME_BYTECODE = -32, FRAME_OFFSET = -40 };
enum { ARRAY_LENGTH = 8 }; /* in BytecodeArray */

/* Bytecodes that widen operands of the next one: to 2 bytes, or to 4 (the 2nd and 4th). */
#define PREFIXES 4
#define WIDTHS 3 /* tables of sizes and of handlers: operands of 1, 2 and 4 bytes */
#define KINDS 256 /* handlers for each width */

void
v8_set_bytecode(struct v8 *v, const struct runtime_module *m)
{
	struct v8_code *c = &v->code;
	uint64_t size, at = runtime_symbol(
			   m, "_ZN2v88internal11interpreter9Bytecodes14kBytecodeSizesE", &size);

	c->type_bytecode = -2;
	v8_constant(m, "v8dbg_", "type_BytecodeArray__BYTECODE_ARRAY_TYPE", &c->type_bytecode);
	v8_constant(m, "v8dbg_", "class_BytecodeArray__data__uintptr_t", &c->bytecode);
	if (at == 0 || size % WIDTHS != 0 || size / WIDTHS <= PREFIXES || size / WIDTHS > KINDS)
		return;
	c->nbytecode = size / WIDTHS;
	c->size_of = runtime_file_bytes(m, at, size);
}

/* Bytecodes of a function and the one at which a walk through them stands. */
struct walk {
	unsigned char code[BYTECODE_MAX];
	size_t n; /* bytes */
	size_t at, size; /* the current bytecode with its prefix */
	unsigned kind, width; /* without prefix; width 0 to 2 */
};

/* Reads the bytecodes of an array; false when it is none. */
static bool
read_bytecodes(struct v8 *v, uint64_t array, struct walk *w)
{
	int32_t n = v8_smi(v8_field(v, array, ARRAY_LENGTH));

	if (v->code.size_of == NULL || n <= 0 || n > BYTECODE_MAX ||
	    !memory_read(
		v->process->memory, array - 1 + (uint64_t)v->code.bytecode, w->code, (size_t)n))
		return false;
	w->n = (size_t)n;
	w->at = w->size = 0;
	return true;
}

/* Goes to the next bytecode; false at the end, and at a byte that is none. */
static bool
next_bytecode(const struct v8_code *c, struct walk *w)
{
	bool wide;

	w->at += w->size;
	if (w->at >= w->n)
		return false;
	w->kind = w->code[w->at];
	w->width = 0;
	wide = w->kind < PREFIXES;
	if (wide) {
		if (w->at + 1 == w->n)
			return false;
		w->width = 1 + (w->kind & 1);
		w->kind = w->code[w->at + 1];
	}
	if (w->kind >= c->nbytecode)
		return false;
	w->size = c->size_of[w->width * c->nbytecode + w->kind] + (size_t)wide;
	return w->size > 0;
}

/* The slot in the table of handlers whose code has pc; -1: unknown. */
static int
handler_of(struct v8 *v, uint64_t table, uint64_t pc)
{
	static uint64_t handler[WIDTHS * KINDS];
	int best = -1;

	if (!memory_read(v->process->memory, table, handler, sizeof handler))
		return -1;
	for (int i = 0; i < WIDTHS * KINDS; i++)
		if (handler[i] <= pc && (best < 0 || handler[i] > handler[best]))
			best = i;
	return best;
}

/*
 * The offset of the bytecode that the thread runs, by its registers: the frame's slot is written
 * only before calls. Handlers use the registers for other values too, so the bytecode must be
 * that of the handler with the pc; a handler about to leave has the next offset already.
 * -1: unknown.
 */
static int64_t
running_bytecode(struct v8 *v, const struct native_frame *leaf, uint64_t array)
{
	static struct walk w;
	const struct v8_cpu *cpu = v->process->cpu->v8;
	uint64_t table = leaf->reg[cpu->dispatch];
	uint64_t offset = leaf->reg[cpu->offset] - (uint64_t)(v->code.bytecode - 1);
	int64_t before = -1;
	int handler;

	if (leaf->reg[cpu->array] != array || !read_bytecodes(v, array, &w) || offset >= w.n ||
	    (handler = handler_of(v, table, leaf->pc)) < 0)
		return -1;
	while (next_bytecode(&v->code, &w) && w.at <= offset) {
		bool here = memory_u64(v->process->memory, table + 8 * (uint64_t)handler) ==
			    memory_u64(v->process->memory, table + 8 * (w.width * KINDS + w.kind));

		if (offset < w.at + w.size) {
			if (offset - w.at > (w.width > 0))
				return -1;
			return here ? (int64_t)w.at : before;
		}
		before = here ? (int64_t)w.at : -1;
	}
	return -1;
}

int32_t
v8_interpreted_position(struct v8 *v, const struct runtime_sample *at, size_t i)
{
	const uint64_t fp = at->native[i].reg[v->process->cpu->fp];
	uint64_t slot[2], array, table; /* from FRAME_OFFSET up */
	int64_t offset = -1;

	if (!v->process->lines ||
	    !memory_read(v->process->memory, fp + (uint64_t)FRAME_OFFSET, slot, sizeof slot) ||
	    v8_type(v, slot[1]) != v->code.type_bytecode)
		return -1;
	array = slot[1];
	table = v8_field(v, array, v->code.bytecode_positions);
	if (i <= 1)
		offset = running_bytecode(v, &at->native[0], array);
	if (offset < 0 && i > 0 && (slot[0] & 1) == 0)
		offset = (int64_t)v8_smi(slot[0]) - (v->code.bytecode - 1);
	return offset < 0 ? -1 : v8_position(v8_position_entry(v, table, offset));
}

int32_t
v8_baseline_position(struct v8 *v, const struct native_frame *f, uint64_t table, int64_t offset)
{
	static struct walk w;
	static unsigned char b[BYTECODE_MAX];
	uint64_t array =
	    memory_u64(v->process->memory, f->reg[v->process->cpu->fp] + (uint64_t)FRAME_BYTECODE);
	int32_t n = v8_smi(v8_field(v, table, ARRAY_LENGTH));
	const unsigned char *at = b;
	int64_t end;

	if (!v->process->lines || v8_type(v, table) != v->code.type_bytes || n <= 0 ||
	    n > BYTECODE_MAX || !memory_read(v->process->memory, table - 1 + 16, b, (size_t)n) ||
	    v8_type(v, array) != v->code.type_bytecode || !read_bytecodes(v, array, &w))
		return -1;
	end = (int64_t)v8_variable_length(&at, b + n); /* of the prologue */
	while (end <= offset) {
		if (at == b + n || !next_bytecode(&v->code, &w))
			return -1;
		end += (int64_t)v8_variable_length(&at, b + n);
	}
	return v8_position(
	    v8_position_entry(v, v8_field(v, array, v->code.bytecode_positions), (int64_t)w.at));
}
