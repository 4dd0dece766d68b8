/*
 * sequence: Perfetto's interned data. A packet sequence has tables of strings, mappings, frames and
 * stacks. Their ids are valid until the sequence is cleared. Places are the distinct frames of all
 * sequences, with the symbols that the trace has for them.
 */
#ifndef PERFETTO_SEQUENCE_H
#define PERFETTO_SEQUENCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/intmap.h"
#include "base/text.h"
#include "fg-collapse/shape/latestacks.h"
#include "fg-collapse/shape/protobuf.h"
#include "sample/sampler.h"

/* All zero is an empty table. */
struct places {
	struct place {
		size_t function, function_len; /* in text */
		size_t path, path_len;
		size_t build_id, build_id_len;
		size_t file, file_len;
		uint64_t pc; /* ELF address; 0 if the trace names the function */
		uint32_t line_number; /* 0: unknown */
		uint32_t name, names; /* range in named; names 0: not resolved yet */
	} * place;
	size_t n, cap;
	struct hash_index index;
	struct symbol { /* the functions at an address of a module */
		size_t build_id, build_id_len;
		uint64_t pc;
		size_t line, lines; /* range in `line`, innermost inlined function first */
	} * symbol;
	size_t nsymbol, capsymbol;
	struct hash_index symbols;
	struct {
		size_t name, len, file, file_len;
		uint32_t number;
	} * line;
	size_t nline, capline;
	uint32_t *named; /* names of the sampler */
	size_t nnamed, capnamed;
	struct text text, function;
};

void places_free(struct places *p);
/* Reads a message ModuleSymbols. */
void places_symbols(
    struct places *p, const struct protobuf *outer, const struct protobuf_field *field);
/* Adds the frames of a place to the sampler's current sample, outermost first. */
void places_frames(struct places *p, struct sampler *sampler, uint32_t place);

/* All zero is a sequence without definitions. */
struct sequence {
	uint64_t pid, tid, time; /* of its thread; time of its last sample, ns */
	struct places *places;
	struct intmap strings; /* by kind and id: offset in text, plus 1 */
	struct text defaults; /* the message StackSampleDefaults */
	struct intmap mappings, frames, stacks; /* by id: index of a list in number, plus 1 */
	struct intmap place_of, node_of; /* by id: index of the place, the node; plus 1 */
	struct text text;
	uint64_t *number;
	size_t nnumber, capnumber;
	struct waiting { /* packets of a profile that continues in further packets */
		struct text bytes;
		uint64_t offset, time;
	} * waiting;
	size_t nwaiting, capwaiting;
};

/* Messages that StackSample refers to by id. */
enum interned { INTERNED_TASK, INTERNED_COUNTER };
/* Returns the bytes of the message with that id; empty if there is none. */
struct str sequence_message(const struct sequence *s, enum interned kind, uint64_t id);

void sequence_free(struct sequence *s);
/* Removes all definitions; ids are invalid from now on. */
void sequence_clear(struct sequence *s);
/* Reads a message InternedData. */
void sequence_interned(struct sequence *s, struct places *places, const struct protobuf *outer,
    const struct protobuf_field *field);
/* Reads a table of a ProfilePacket: field 1 strings, 2 frames, 3 stacks, 4 mappings. */
void sequence_profile_table(struct sequence *s, struct places *places, uint32_t number,
    const struct protobuf *outer, const struct protobuf_field *field);
/* Returns the node of the stack with that id; the root node if there is none. */
uint32_t sequence_stack(struct sequence *s, struct latestacks *stacks, uint64_t id);
/* Returns the node of a message InlineCallstack. */
uint32_t sequence_inline_stack(struct places *p, struct latestacks *stacks, struct str bytes);

/* sequence_wait stores a copy of a ProfilePacket; sequence_wait_end frees all stored ones. */
void sequence_wait(struct sequence *s, struct str bytes, uint64_t offset, uint64_t time);
void sequence_wait_end(struct sequence *s);

#endif
