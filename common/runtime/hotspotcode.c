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

/*
 * Of nmethod's _metadata_offset behind _deopt_mh_handler_offset in JDK 23 and 24, whose tables lack
 * it (nmethod.hpp of 23; neither was run).
 */
#define METADATA 8

/* Whether the fields are offsets, as from JDK 23 on and in 8, or addresses. */
static bool
has_offsets(const struct hotspot *h)
{
	return h->version >= 23 || h->version == 8;
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

/* The address that a field of a compiled method has. */
static uint64_t
in_method(struct hotspot *h, uint64_t nmethod, uint64_t field)
{
	struct memory_reader *m = h->process->memory;

	return has_offsets(h) ? nmethod + memory_u32(m, nmethod + field)
			      : memory_u64(m, nmethod + field);
}

void
hotspot_read_tables(struct hotspot *h, uint64_t nmethod, struct hotspot_tables *t)
{
	struct memory_reader *m = h->process->memory;
	const struct fields *f = &h->f;
	const uint64_t pcs = memory_u32(m, nmethod + f->pcs);
	uint64_t end;

	if (h->version >= 23) {
		end = memory_u32(m, nmethod + f->scopes_offset);
		t->pcs = memory_u64(m, nmethod + f->immutable) + pcs;
		t->scopes = memory_u64(m, nmethod + f->immutable) + end;
		t->metadata = h->version >= 25
				  ? memory_u64(m, nmethod + f->mutable) +
					memory_u32(m, nmethod + f->relocation_size)
				  : hotspot_code_end(h, nmethod) +
					(uint16_t)memory_u32(m, nmethod + f->deopt_mh + METADATA);
	} else {
		end = memory_u32(m, nmethod + f->dependencies);
		t->pcs = nmethod + pcs;
		t->scopes = in_method(h, nmethod, f->scopes_begin);
		t->metadata = nmethod + (uint64_t)(int32_t)memory_u32(m, nmethod + f->metadata);
	}
	t->deopt = in_method(h, nmethod, f->deopt);
	t->deopt_mh = in_method(h, nmethod, f->deopt_mh);
	t->npc = end <= pcs || end - pcs > TABLE_BYTES ? 0 : (int32_t)((end - pcs) / 16);
}

/* Reads the code heaps, which can grow; false while there are none, as at process start. */
static bool
read_heaps(struct hotspot *h)
{
	struct memory_reader *m = h->process->memory;
	const struct fields *f = &h->f;
	const bool many = f->heaps != UINT64_MAX;
	uint64_t list = many ? memory_u64(m, f->heaps) : f->only_heap;
	uint64_t data = many ? memory_u64(m, list + f->heaps_data) : f->only_heap;
	uint32_t n = many ? memory_u32(m, list + f->heaps_length) : 1;

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
 * (vtableStubs and gen_special_dispatch of sharedRuntime).
 */
static bool
is_jump(const char *blob)
{
	return strcmp(blob, "vtable chunks") == 0 || strcmp(blob, "native nmethod") == 0;
}

/* Bytes of a compiled method's frame where a leaf executes. */
static uint64_t
leaf_size(struct hotspot *h, uint64_t nmethod, uint64_t pc, uint64_t size)
{
	struct memory_reader *m = h->process->memory;
	const struct hotspot_cpu *cpu = h->process->cpu->hotspot;
	int32_t complete = (int32_t)memory_u32(m, nmethod + h->f.blob_complete);

	if (h->version >= 23)
		complete = (int16_t)complete;
	if (complete > 0 && pc < hotspot_code_begin(h, nmethod) + (uint64_t)complete)
		return cpu->entry(m, pc, size);
	return cpu->body(m, pc, size);
}

/*
 * A method's code has a stub for each call whose callee is interpreted. The call left its return
 * address on top of the method's frame.
 */
bool
hotspot_is_call_stub(struct hotspot *h, uint64_t pc, uint64_t sp)
{
	struct memory_reader *m = h->process->memory;
	const struct hotspot_cpu *cpu = h->process->cpu->hotspot;
	const uint64_t stub = cpu->call_stub(m, pc);

	return stub != 0 && (cpu->linked || cpu->call_target(m, memory_u64(m, sp)) == stub);
}

/* Bytes of the frame of a leaf in an adapter between interpreted and compiled code. */
static uint64_t
adapter_size(struct hotspot *h, uint64_t blob, uint64_t pc)
{
	const uint64_t end = hotspot_code_end(h, blob);
	uint8_t b[ADAPTER_BYTES + 8] = {0};
	size_t n = end > pc && end - pc < ADAPTER_BYTES ? end - pc : ADAPTER_BYTES;

	return memory_read(h->process->memory, pc, b, n) ? h->process->cpu->hotspot->adapter(b, n)
							 : 0;
}

/* True if the call before pc is one of code in the blob. */
static bool
calls_into(struct hotspot *h, uint64_t blob, uint64_t pc)
{
	const uint64_t target = h->process->cpu->hotspot->call_target(h->process->memory, pc);

	return target != 0 && target >= hotspot_code_begin(h, blob) &&
	       target < hotspot_code_end(h, blob);
}

/*
 * Bytes of the frame of a method's entry barrier: above the registers it has -1 and the return
 * address to the method. 0: another stub.
 */
static uint64_t
barrier_size(struct hotspot *h, uint64_t blob, uint64_t sp)
{
	uint64_t word[BARRIER_WORDS];

	if (!h->process->cpu->hotspot->barrier_marked ||
	    !memory_read(h->process->memory, sp, word, sizeof word))
		return 0;
	for (size_t i = 0; i + 1 < BARRIER_WORDS; i++)
		if (word[i] == UINT64_MAX && calls_into(h, blob, word[i + 1]))
			return 8 * (uint64_t)(i + 2);
	return 0;
}

/* Words that C1 pushes onto a method's frame for a subtype check, whose call is before pc. */
static uint32_t
subtype_words(struct hotspot *h, uint64_t pc)
{
	uint8_t b[HOTSPOT_POPS] = {0};

	if (h->subtype == 0 || !calls_into(h, h->subtype, pc))
		return 0;
	memory_read(h->process->memory, pc, b, sizeof b);
	return h->process->cpu->hotspot->popped(b);
}

/* The frame in code without a size of its own, with a link register. */
static uint64_t
unsized(struct hotspot *h, uint64_t blob, const char *name, uint64_t pc, bool leaf)
{
	const struct hotspot_cpu *cpu = h->process->cpu->hotspot;

	if (strcmp(name, "Interpreter") == 0)
		return cpu->interpreted(h->process->memory, pc, leaf);
	if (!leaf)
		return 0;
	if (strcmp(name, "I2C/C2I adapters") == 0)
		return adapter_size(h, blob, pc);
	if (strcmp(name, "MethodHandles adapters") == 0)
		return FRAME_ADAPTER;
	return is_jump(name) ? FRAME_LINKED : 0;
}

/* The frame in code with a size, with a link register. */
static uint64_t
sized(struct hotspot *h, uint64_t blob, const char *name, uint64_t pc, bool leaf, uint32_t words)
{
	const struct hotspot_cpu *cpu = h->process->cpu->hotspot;
	struct memory_reader *m = h->process->memory;
	const uint64_t size = words > FRAME_WORDS ? 0 : 8 * (uint64_t)words;

	if (!leaf)
		return cpu->called(m, pc, size);
	if (size == 0 || strcmp(name, "nmethod") != 0)
		return size == 0 ? 0 : cpu->stub(m, hotspot_code_begin(h, blob), pc, size);
	return cpu->call_stub(m, pc) != 0 ? FRAME_LINKED : leaf_size(h, blob, pc, size);
}

/* See frame::sender_for_compiled_frame. */
uint64_t
hotspot_frame_size(void *state, uint64_t pc, uint64_t sp, bool leaf)
{
	struct hotspot *h = state;
	struct memory_reader *m = h->process->memory;
	const struct hotspot_cpu *cpu = h->process->cpu->hotspot;
	uint64_t blob = hotspot_find_blob(h, pc), size;
	uint32_t words;
	char name[BLOB_NAME];

	if (blob == 0 || !memory_string(m, memory_u64(m, blob + h->f.blob_name), name, sizeof name))
		return 0;
	if (leaf)
		h->subtype = strstr(name, "slow_subtype_check") != NULL ? blob : 0;
	words = memory_u32(m, blob + h->f.blob_frame);
	if (cpu->linked)
		return words == 0 ? unsized(h, blob, name, pc, leaf)
				  : sized(h, blob, name, pc, leaf, words);
	/* The frame of a part that the interpreter calls (call_VM) is that of the caller. */
	if (words == 0 && strcmp(name, "Interpreter") == 0)
		return !leaf && calls_into(h, blob, pc) ? FRAME_INTERPRETER_CALL
							: FRAME_INTERPRETED;
	if (words == 0 && strcmp(name, "I2C/C2I adapters") == 0)
		return leaf ? adapter_size(h, blob, pc) : 0;
	if (words == 0 && strncmp(name, "StubRoutines", 12) == 0 && !leaf)
		return barrier_size(h, blob, sp);
	if (words == 0 && leaf && strncmp(name, "StubRoutines", 12) == 0 &&
	    cpu->in_barrier != NULL && cpu->in_barrier(m, pc) &&
	    (size = barrier_size(h, blob, sp)) != 0)
		return size;
	if (words == 0 && leaf && strncmp(name, "StubRoutines", 12) == 0)
		words = cpu->stub_words(m, pc);
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
