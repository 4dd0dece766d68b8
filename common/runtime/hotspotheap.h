/*
 * hotspotheap: layout of HotSpot's structures, and its code heaps, shared by the files of its
 * reader.
 */
#ifndef HOTSPOTHEAP_H
#define HOTSPOTHEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/runtime.h"

#define HEAPS 4 /* code heaps: non-nmethods, profiled, non-profiled */

/* Offset of each field, or its address if static. */
struct fields {
	uint64_t only_heap, heaps, heaps_length, heaps_data;
	uint64_t heap_memory, heap_segments, heap_log2, space_low, space_high, block_used;
	uint64_t blob_name, blob_frame, blob_complete, blob_code_begin, blob_code_end;
	uint64_t method, scopes_begin, deopt, deopt_mh;
	uint64_t pcs, dependencies, metadata, orig_pc;
	uint64_t code_offset, data_offset, mutable, relocation_size, immutable, scopes_offset;
	uint64_t block_header;
	uint64_t const_method, constants, flags, code_size, name_index;
	uint64_t holder, source_file, class_name, symbol_length, symbol_body;
	uint64_t const_method_size, constants_size;
	uint64_t unpacked, unpacked_frames, unpacked_size, element_method, element_bci;
	uint64_t element_size;
	uint64_t major;
};

struct hotspot {
	struct runtime_process *process;
	struct fields f;
	uint32_t version; /* of the JDK */
	bool proved; /* the offsets of compiled methods */
	struct heap {
		uint64_t low, high, segments;
		uint32_t log2;
	} heap[HEAPS];
	unsigned nheap;
	uint64_t subtype; /* C1's stub for subtype checks, if the last leaf was in it, or 0 */
};

#define BLOB_NAME 64 /* bytes of a code blob's name: the longest has 53 */

/* The first address of a blob's code, and the one after the last. */
uint64_t hotspot_code_begin(struct hotspot *h, uint64_t blob);
uint64_t hotspot_code_end(struct hotspot *h, uint64_t blob);

/* Addresses of the tables of a compiled method. */
struct hotspot_tables {
	uint64_t pcs; /* npc structures PcDesc; */
	int32_t npc;
	uint64_t scopes, metadata;
	uint64_t deopt, deopt_mh; /* return addresses of deoptimized frames */
};
void hotspot_read_tables(struct hotspot *h, uint64_t nmethod, struct hotspot_tables *t);

/* Address of the code blob that contains pc; 0: none. */
uint64_t hotspot_find_blob(struct hotspot *h, uint64_t pc);

/* True if a leaf is in a stub of a compiled method, on the way to an interpreted one. */
bool hotspot_is_call_stub(struct hotspot *h, uint64_t pc, uint64_t sp);

/* See frame_size of struct runtime; state: struct hotspot. */
uint64_t hotspot_frame_size(void *state, uint64_t pc, uint64_t sp, bool leaf);

#endif
