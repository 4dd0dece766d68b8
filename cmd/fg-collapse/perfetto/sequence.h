/*
 * sequence: what Perfetto interns. A packet sequence has tables of strings, mappings,
 * frames and stacks, by ids that hold until the sequence is cleared; places are the
 * distinct frames of a whole trace, with the names that its symbolizers know.
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

/* All zero is an empty one. */
struct places {
	struct place {
		size_t function, function_len; /* in text */
		size_t path, path_len;
		size_t build_id, build_id_len;
		uint64_t pc; /* in its module; 0 where the function is known without symbols */
		uint32_t name, names; /* of the sampler, in `named`; names 0: not yet */
	} * place;
	size_t n, cap;
	struct hash_index index;
	struct symbol { /* of an address in a module */
		size_t build_id, build_id_len;
		uint64_t pc;
		size_t line, lines; /* in `line`, the innermost inlined function first */
	} * symbol;
	size_t nsymbol, capsymbol;
	struct hash_index symbols;
	struct {
		size_t name, len;
	} * line;
	size_t nline, capline;
	uint32_t *named;
	size_t nnamed, capnamed;
	struct text text, function;
};

void places_free(struct places *p);
/* A message ModuleSymbols. */
void places_symbols(
    struct places *p, const struct protobuf *outer, const struct protobuf_field *field);
/* Adds the frames of a place to the sampler's sample, the outer one first. */
void places_frames(struct places *p, struct sampler *sampler, uint32_t place);

/* A process dump of heapprofd. */
struct dump {
	uint64_t pid, time;
	struct str heap;
};

/* All zero is an empty one. */
struct sequence {
	uint64_t pid, tid, time; /* of its thread descriptor; time: of its last sample, ns */
	struct places *places;
	struct intmap strings; /* by kind and id: where in text, + 1 */
	struct intmap mappings, frames, stacks; /* by id: where in numbers, + 1 */
	struct intmap place_of, node_of; /* by id of a frame, a stack: number + 1 */
	struct text text;
	uint64_t *number;
	size_t nnumber, capnumber;
	struct waiting { /* packets of a profile that is not complete */
		struct text bytes;
		uint64_t offset, time;
	} * waiting;
	size_t nwaiting, capwaiting;
};

void sequence_free(struct sequence *s);
/* Its ids mean nothing from now on. */
void sequence_clear(struct sequence *s);
/* A message InternedData. */
void sequence_interned(struct sequence *s, struct places *places, const struct protobuf *outer,
    const struct protobuf_field *field);
/* A table of a ProfilePacket: field 1 strings, 2 frames, 3 stacks, 4 mappings. */
void sequence_profile_table(struct sequence *s, struct places *places, uint32_t number,
    const struct protobuf *outer, const struct protobuf_field *field);
/* The node of the stack with that id; the root's where there is none. */
uint32_t sequence_stack(struct sequence *s, struct latestacks *stacks, uint64_t id);

/* Stores a copy of a packet of a profile; then, when they are read, frees all. */
void sequence_wait(struct sequence *s, struct str bytes, uint64_t offset, uint64_t time);
void sequence_wait_end(struct sequence *s);

#endif
