/*
 * hotspotcode: finds the blobs of a HotSpot process's code heaps, and the sizes of their frames.
 */
#include <string.h>

#include "runtime/hotspotheap.h"

#define SEGMENTS 1000 /* steps back to the start of a code block */
#define ADAPTER_BYTES 1400
#define BARRIER_WORDS 64
#define TABLE_BYTES (1 << 24) /* of a method's PcDescs */
#define FRAME_WORDS (1 << 16) /* of a compiled method */

/* Whether the fields are offsets, as from JDK 23 on, or addresses. */
static bool
has_offsets(const struct hotspot *h)
{
	return h->version >= 23;
}

uint64_t
hotspot_code_begin(struct hotspot *h, uint64_t blob)
{
	struct memory_reader *m = h->process->memory;

	return has_offsets(h) ? blob + memory_u32(m, blob + h->f.code_offset)
			      : memory_u64(m, blob + h->f.blob_code_begin);
}

uint64_t
hotspot_code_end(struct hotspot *h, uint64_t blob)
{
	struct memory_reader *m = h->process->memory;

	return has_offsets(h) ? blob + memory_u32(m, blob + h->f.data_offset)
			      : memory_u64(m, blob + h->f.blob_code_end);
}

void
hotspot_read_tables(struct hotspot *h, uint64_t nmethod, struct hotspot_tables *t)
{
	struct memory_reader *m = h->process->memory;
	const struct fields *f = &h->f;
	const uint64_t pcs = memory_u32(m, nmethod + f->pcs);
	uint64_t end;

	if (has_offsets(h)) {
		end = memory_u32(m, nmethod + f->scopes_offset);
		t->pcs = memory_u64(m, nmethod + f->immutable) + pcs;
		t->scopes = memory_u64(m, nmethod + f->immutable) + end;
		t->metadata = memory_u64(m, nmethod + f->mutable) +
			      memory_u32(m, nmethod + f->relocation_size);
		t->deopt = nmethod + memory_u32(m, nmethod + f->deopt);
		t->deopt_mh = nmethod + memory_u32(m, nmethod + f->deopt_mh);
	} else {
		end = memory_u32(m, nmethod + f->dependencies);
		t->pcs = nmethod + pcs;
		t->scopes = memory_u64(m, nmethod + f->scopes_begin);
		t->metadata = nmethod + (uint64_t)(int32_t)memory_u32(m, nmethod + f->metadata);
		t->deopt = memory_u64(m, nmethod + f->deopt);
		t->deopt_mh = memory_u64(m, nmethod + f->deopt_mh);
	}
	t->npc = end <= pcs || end - pcs > TABLE_BYTES ? 0 : (int32_t)((end - pcs) / 16);
}

/* Reads the code heaps, which can grow; false while there are none, as at process start. */
static bool
read_heaps(struct hotspot *h)
{
	struct memory_reader *m = h->process->memory;
	const struct fields *f = &h->f;
	uint64_t list = memory_u64(m, f->heaps), data = memory_u64(m, list + f->heaps_data);
	uint32_t n = memory_u32(m, list + f->heaps_length);

	h->nheap = 0;
	for (uint32_t i = 0; list != 0 && i < n && i < HEAPS; i++) {
		uint64_t heap = memory_u64(m, data + 8 * i);
		struct heap *it = &h->heap[h->nheap];

		it->low = memory_u64(m, heap + f->heap_memory + f->space_low);
		it->high = memory_u64(m, heap + f->heap_memory + f->space_high);
		it->segments = memory_u64(m, heap + f->heap_segments + f->space_low);
		it->log2 = memory_u32(m, heap + f->heap_log2);
		if (it->low != 0 && it->low < it->high && it->log2 < 32)
			h->nheap++;
	}
	return h->nheap > 0;
}

/* The code blob that contains pc: CodeHeap::find_start of codeHeap.cpp. */
static uint64_t
blob_in_heaps(struct hotspot *h, uint64_t pc)
{
	struct memory_reader *m = h->process->memory;

	for (unsigned i = 0; i < h->nheap; i++) {
		const struct heap *it = &h->heap[i];
		uint64_t segment, block;
		uint8_t back;

		if (pc < it->low || pc >= it->high)
			continue;
		segment = (pc - it->low) >> it->log2;
		for (int n = 0; (back = memory_u8(m, it->segments + segment)) != 0; n++) {
			if (back == 0xff || back > segment || n == SEGMENTS)
				return 0;
			segment -= back;
		}
		block = it->low + (segment << it->log2);
		return memory_u8(m, block + h->f.block_used) != 0 ? block + h->f.block_header : 0;
	}
	return 0;
}

uint64_t
hotspot_find_blob(struct hotspot *h, uint64_t pc)
{
	uint64_t blob = blob_in_heaps(h, pc);

	if (blob == 0 && read_heaps(h))
		blob = blob_in_heaps(h, pc);
	return blob;
}

/*
 * Code without a frame that jumps on to a method: the return address is on top of the stack
 * (vtableStubs_x86_64.cpp; gen_special_dispatch of sharedRuntime_x86_64.cpp).
 */
static bool
is_jump(const char *blob)
{
	return strcmp(blob, "vtable chunks") == 0 || strcmp(blob, "native nmethod") == 0;
}

static bool
has(const uint8_t *at, const char *bytes, size_t n)
{
	return memcmp(at, bytes, n) == 0;
}

/* sub, %rsp */
static bool
lowers_stack(const uint8_t *at)
{
	return has(at, "\x48\x83\xec", 3) || has(at, "\x48\x81\xec", 3);
}

/*
 * Bytes of a compiled method's frame at the instructions at b + 8 of its start: inline cache check,
 * banging of the stack, push %rbp and sub, %rsp, or sub, %rsp and mov %rbp, n(%rsp), and then the
 * entry barrier: cmp, n(%r15), je or jne, call (MacroAssembler::verified_entry;
 * C1_MacroAssembler::build_frame; BarrierSetAssembler::nmethod_entry_barrier).
 */
static uint64_t
entry_size(const uint8_t *b, uint64_t size)
{
	const uint8_t *at = b + 8;

	if (lowers_stack(at))
		return at[-1] == 0x55 ? 16 : 8;
	if (has(at, "\x48\x89\x6c\x24", 4) || has(at, "\x48\x89\xac\x24", 4)) /* mov %rbp, */
		return size | FRAME_KEEPS_FP;
	if (has(at, "\x41\x81\x7f", 3) || at[0] == 0xe8 || /* cmp; call */
	    has(b, "\x41\x81\x7f", 3)) /* je or jne after cmp */
		return size;
	return 8;
}

/*
 * Bytes of a compiled method's frame where a leaf executes: before the end of its start, and after
 * add, %rsp and pop %rbp of its end, it is not complete (MachEpilogNode::emit of x86_64.ad).
 */
static uint64_t
leaf_size(struct hotspot *h, uint64_t nmethod, uint64_t pc, uint64_t size)
{
	struct memory_reader *m = h->process->memory;
	uint64_t begin = hotspot_code_begin(h, nmethod);
	int32_t complete = (int32_t)memory_u32(m, nmethod + h->f.blob_complete);
	uint8_t from[8 + 7] = {0}, *b = from + 8;

	if (has_offsets(h))
		complete = (int16_t)complete;
	memory_read(m, pc - 8, from, sizeof from);
	if (complete > 0 && pc < begin + (uint64_t)complete)
		return entry_size(from, size);
	if (b[0] == 0x5d) /* pop %rbp */
		return 16;
	if (b[0] == 0xc3 || /* ret */
	    (b[0] == 0x0f && b[1] == 0x87 && b[6] == 0xc3) || /* ja of the poll, ret */
	    (b[0] == 0x49 && b[1] == 0x3b && (b[2] == 0xa7 || b[2] == 0x67))) /* cmp (%r15), %rsp */
		return 8;
	return size;
}

/* Where the direct call before pc leads; 0: there is none. */
static uint64_t
call_target(struct hotspot *h, uint64_t pc)
{
	uint8_t b[5];
	int32_t offset;

	if (!memory_read(h->process->memory, pc - sizeof b, b, sizeof b) || b[0] != 0xe8)
		return 0;
	memcpy(&offset, b + 1, sizeof offset);
	return pc + (uint64_t)(int64_t)offset;
}

/*
 * A method's code has a stub for each call whose callee is interpreted: mov, %rbx; jmp
 * (CompiledDirectCall::emit_to_interp_stub of compiledIC_x86.cpp). The call left its return address
 * on top of the method's frame.
 */
bool
hotspot_is_call_stub(struct hotspot *h, uint64_t pc, uint64_t sp)
{
	struct memory_reader *m = h->process->memory;
	uint8_t b[21] = {0}, *at = b + 10; /* 10 bytes before pc */

	memory_read(m, pc - 10, b, sizeof b);
	if (at[0] == 0xe9)
		at = b;
	return has(at, "\x48\xbb", 2) && at[10] == 0xe9 &&
	       call_target(h, memory_u64(m, sp)) == pc - 10 + (uint64_t)(at - b);
}

/* Words of the frame of a leaf in a stub: before and after push %rbp of its start, and at ret. */
static uint32_t
stub_words(struct hotspot *h, uint64_t pc)
{
	uint8_t b[5] = {0}; /* from the byte before pc on */

	memory_read(h->process->memory, pc - 1, b, sizeof b);
	if (has(b + 1, "\x55\x48\x8b\xec", 4) || b[1] == 0xc3)
		return 1;
	return has(b, "\x55\x48\x8b\xec", 4) ? 2 : 0; /* push %rbp; mov %rsp, %rbp */
}

/*
 * Bytes of the frame of a method's entry barrier, from the call that it makes: above the registers
 * it has -1 and the return address to the method (generate_method_entry_barrier of
 * stubGenerator_x86_64.cpp). 0: another stub.
 */
static uint64_t
barrier_size(struct hotspot *h, uint64_t sp)
{
	uint64_t word[BARRIER_WORDS];

	if (!memory_read(h->process->memory, sp, word, sizeof word))
		return 0;
	for (size_t i = 1; i + 1 < BARRIER_WORDS; i++)
		if (word[i] == UINT64_MAX && hotspot_find_blob(h, word[i + 1]) != 0)
			return 8 * (uint64_t)(i + 2);
	return 0;
}

/* Returns adapter_size by the next instructions of an adapter; 1: they do not show it. */
static uint64_t
adapter_part(const uint8_t *b, const uint8_t *from, int64_t *lowered)
{
	int32_t bytes;

	if (has(b, "\x41\xff\xe3", 3)) /* jmp *%r11 */
		return FRAME_ADAPTER_BELOW;
	if (has(b, "\x58\x4c\x8b\xec", 4) || has(b, "\x58\x49\x89\xe5", 4) ||
	    has(b, "\x4c\x8d\x6c\x24\x08\x58", 6))
		return 8; /* pop %rax; mov %rsp, %r13, or lea 8(%rsp), %r13; pop %rax */
	if (has(b, "\xff\xe1", 2)) /* jmp *%rcx */
		return lowers_stack(from) || has(from, "\x48\x89\x04\x24", 4) || from[0] == 0x50
			   ? FRAME_ADAPTER_BELOW /* sub, %rsp; mov %rax, (%rsp) or push %rax */
			   : FRAME_ADAPTER;
	memcpy(&bytes, b + 3, sizeof bytes);
	if (has(b, "\x48\x81\xec", 3)) /* sub, %rsp: code that saves registers for a call */
		*lowered += bytes;
	else if (has(b, "\x48\x81\xc4", 3)) /* add, %rsp */
		*lowered -= bytes;
	/* mov %r13, %rsp after a call of the runtime that aligned the stack */
	return *lowered < 0 || has(b, "\x49\x8b\xe5", 3) || has(b, "\x4c\x89\xec", 3) ? 0 : 1;
}

/*
 * Adapters (gen_i2c_adapter, gen_c2i_adapter and generate_i2c2i_adapters of
 * sharedRuntime_x86_64.cpp). One from interpreted code ends with jmp *%r11; r13 is the
 * interpreter's stack pointer, and the return address below it is on top at the end only. One from
 * compiled code takes the return address from the top, with its caller's stack pointer in r13,
 * stores it on top again below the arguments, and ends with jmp *%rcx.
 */
static uint64_t
adapter_size(struct hotspot *h, uint64_t blob, uint64_t pc)
{
	const uint64_t end = hotspot_code_end(h, blob);
	uint8_t b[ADAPTER_BYTES + 8] = {0};
	size_t n = end > pc && end - pc < ADAPTER_BYTES ? end - pc : ADAPTER_BYTES;
	uint64_t size = 1;
	int64_t lowered = 0;

	if (!memory_read(h->process->memory, pc, b, n))
		return 0;
	for (size_t i = 0; i < n && size == 1; i++)
		size = adapter_part(b + i, b, &lowered);
	return size == 1 ? 0 : size;
}

/* True if the call before pc is one of code in the blob. */
static bool
calls_into(struct hotspot *h, uint64_t blob, uint64_t pc)
{
	const uint64_t target = call_target(h, pc);

	return target != 0 && target >= hotspot_code_begin(h, blob) &&
	       target < hotspot_code_end(h, blob);
}

/*
 * Words that C1 pushes onto a method's frame for a subtype check: two arguments, which it pops
 * after the call at pc, above two registers in arraycopy, which tests for success
 * (emit_typecheck_helper and emit_arraycopy of c1_LIRAssembler_x86.cpp).
 */
static uint32_t
subtype_words(struct hotspot *h, uint64_t pc)
{
	uint8_t b[12] = {0}, *at = b;

	if (h->subtype == 0 || !calls_into(h, h->subtype, pc))
		return 0;
	memory_read(h->process->memory, pc, b, sizeof b);
	for (int i = 0; i < 2; i++) {
		at += *at == 0x41; /* pop of r8 to r15 */
		if ((*at++ & 0xf8) != 0x58)
			return 2;
	}
	at += (*at & 0xf0) == 0x40;
	at += 2; /* test */
	at += *at == 0x0f;
	return (*at & 0x0f) == 0x05 ? 4 : 2; /* jne, je */
}

/* frame::sender_for_compiled_frame of frame_x86.inline.hpp. */
uint64_t
hotspot_frame_size(void *state, uint64_t pc, uint64_t sp, bool leaf)
{
	struct hotspot *h = state;
	struct memory_reader *m = h->process->memory;
	uint64_t blob = hotspot_find_blob(h, pc);
	uint32_t words;
	char name[BLOB_NAME];

	if (blob == 0 || !memory_string(m, memory_u64(m, blob + h->f.blob_name), name, sizeof name))
		return 0;
	if (leaf)
		h->subtype = strstr(name, "slow_subtype_check") != NULL ? blob : 0;
	words = memory_u32(m, blob + h->f.blob_frame);
	/* The frame of a part that the interpreter calls (call_VM) is that of the caller. */
	if (words == 0 && strcmp(name, "Interpreter") == 0)
		return !leaf && calls_into(h, blob, pc) ? FRAME_INTERPRETER_CALL
							: FRAME_INTERPRETED;
	if (words == 0 && strcmp(name, "I2C/C2I adapters") == 0)
		return leaf ? adapter_size(h, blob, pc) : 0;
	if (words == 0 && strncmp(name, "StubRoutines", 12) == 0 && !leaf)
		return barrier_size(h, sp);
	if (words == 0 && leaf && strncmp(name, "StubRoutines", 12) == 0)
		words = stub_words(h, pc);
	else if (words == 0)
		words = is_jump(name);
	else if (!leaf)
		words += subtype_words(h, pc);
	else if (words > FRAME_WORDS || strcmp(name, "nmethod") != 0)
		return 0;
	else
		return hotspot_is_call_stub(h, pc, sp)
			   ? 8
			   : leaf_size(h, blob, pc, 8 * (uint64_t)words);
	return words > FRAME_WORDS ? 0 : 8 * (uint64_t)words;
}
