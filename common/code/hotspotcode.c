/*
 * hotspotcode: finds the blobs of a HotSpot process's code heaps, and the sizes of their frames.
 */
#include <string.h>

#include "code/hotspotheap.h"

#define SEGMENTS 1000 /* steps back to the start of a code block */
#define ADAPTER_BYTES 1024
#define FRAME_WORDS (1 << 16) /* of a compiled method */

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
		return memory_u8(m, block + h->f.block_used) != 0 ? block + 16 : 0;
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

/*
 * Words of a compiled method's frame where a leaf executes: before push %rbp and sub, %rsp of its
 * start, and after add, %rsp and pop %rbp of its end, it is not complete
 * (MacroAssembler::verified_entry, MachEpilogNode::emit of x86_64.ad).
 */
static uint32_t
leaf_words(struct hotspot *h, uint64_t nmethod, uint64_t pc, uint32_t words)
{
	struct memory_reader *m = h->process->memory;
	uint64_t begin = memory_u64(m, nmethod + h->f.blob_code_begin);
	int32_t complete = (int32_t)memory_u32(m, nmethod + h->f.blob_complete);
	uint8_t b[7] = {0};

	memory_read(m, pc, b, sizeof b);
	if (complete > 0 && pc < begin + (uint64_t)complete)
		return b[0] == 0x48 && (b[1] == 0x81 || b[1] == 0x83) && b[2] == 0xec ? 2 : 1;
	if (b[0] == 0x5d) /* pop %rbp */
		return 2;
	if (b[0] == 0xc3 || /* ret */
	    (b[0] == 0x0f && b[1] == 0x87 && b[6] == 0xc3) || /* ja of the poll, ret */
	    (b[0] == 0x49 && b[1] == 0x3b && (b[2] == 0xa7 || b[2] == 0x67))) /* cmp (%r15), %rsp */
		return 1;
	return words;
}

static bool
has(const uint8_t *at, const char *bytes, size_t n)
{
	return memcmp(at, bytes, n) == 0;
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
 * Adapters (gen_i2c_adapter, gen_c2i_adapter and generate_i2c2i_adapters of
 * sharedRuntime_x86_64.cpp). One from interpreted code ends with jmp *%r11; r13 is the
 * interpreter's stack pointer, and the return address below it is on top at the end only. One from
 * compiled code takes the return address from the top (pop %rax; mov %rsp, %r13), stores it on top
 * again below the arguments, and ends with jmp *%rcx.
 */
static uint64_t
adapter_size(struct hotspot *h, uint64_t blob, uint64_t pc)
{
	struct memory_reader *m = h->process->memory;
	const uint64_t end = memory_u64(m, blob + h->f.blob_code_end);
	uint8_t b[ADAPTER_BYTES + 4] = {0};
	size_t n = end > pc && end - pc < ADAPTER_BYTES ? end - pc : ADAPTER_BYTES;

	if (!memory_read(m, pc, b, n))
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (has(b + i, "\x41\xff\xe3", 3)) /* jmp *%r11 */
			return FRAME_ADAPTER_BELOW;
		if (has(b + i, "\x58\x4c\x8b\xec", 4) || has(b + i, "\x58\x49\x89\xe5", 4))
			return 8; /* pop %rax; mov %rsp, %r13 */
		if (has(b + i, "\xff\xe1", 2)) /* jmp *%rcx */
			return has(b, "\x48\x83\xec", 3) || has(b, "\x48\x81\xec", 3) ||
				       has(b, "\x48\x89\x04\x24", 4)
				   ? FRAME_ADAPTER_BELOW /* sub, %rsp; mov %rax, (%rsp) */
				   : FRAME_ADAPTER;
	}
	return 0;
}

/*
 * The interpreter calls parts of its own code (MacroAssembler::call_VM); their frame is that of
 * the caller.
 */
static bool
is_own_call(struct hotspot *h, uint64_t blob, uint64_t pc)
{
	struct memory_reader *m = h->process->memory;
	uint8_t b[5];
	int32_t offset;

	if (!memory_read(m, pc - 5, b, sizeof b) || b[0] != 0xe8)
		return false;
	memcpy(&offset, b + 1, sizeof offset);
	pc += (uint64_t)(int64_t)offset;
	return pc >= memory_u64(m, blob + h->f.blob_code_begin) &&
	       pc < memory_u64(m, blob + h->f.blob_code_end);
}

/* frame::sender_for_compiled_frame of frame_x86.inline.hpp. */
uint64_t
hotspot_frame_size(void *state, uint64_t pc, uint64_t sp, bool leaf)
{
	struct hotspot *h = state;
	struct memory_reader *m = h->process->memory;
	uint64_t blob = hotspot_find_blob(h, pc);
	uint32_t words;
	char name[32];

	(void)sp;
	if (blob == 0 || !memory_string(m, memory_u64(m, blob + h->f.blob_name), name, sizeof name))
		return 0;
	words = memory_u32(m, blob + h->f.blob_frame);
	if (words == 0 && strcmp(name, "Interpreter") == 0)
		return !leaf && is_own_call(h, blob, pc) ? FRAME_INTERPRETER_CALL
							 : FRAME_INTERPRETED;
	if (words == 0 && strcmp(name, "I2C/C2I adapters") == 0)
		return leaf ? adapter_size(h, blob, pc) : 0;
	if (words == 0 && leaf && strncmp(name, "StubRoutines", 12) == 0)
		words = stub_words(h, pc);
	else if (words == 0)
		words = is_jump(name);
	else if (leaf)
		words = strcmp(name, "nmethod") == 0 ? leaf_words(h, blob, pc, words) : 0;
	return words > FRAME_WORDS ? 0 : 8 * (uint64_t)words;
}
