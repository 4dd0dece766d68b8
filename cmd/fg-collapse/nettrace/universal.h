/*
 * universal: events of the providers Universal.System and Universal.Events, which `dotnet-trace
 * collect-linux` and record-trace write into files of version 6: samples of all processes, and the
 * names in their address spaces (microsoft/perfview, UniversalProviders.md). Numbers are varints,
 * a string is a u16 length and UTF-8.
 */
#ifndef UNIVERSAL_H
#define UNIVERSAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/intmap.h"
#include "base/text.h"
#include "fg-collapse/reader.h"

/* All zero when empty. */
struct universal {
	bool used; /* the caller's: the file's samples are of these events */
	struct intmap processes; /* by number: struct process */
	struct intmap mappings; /* by id: its struct process */
	struct universal_symbol {
		uint64_t mapping, start, last, offset; /* offset: of its event in the file */
		size_t name, len; /* range in text */
	} * symbol; /* until their processes are known */
	size_t nsymbol, capsymbol;
	struct text text;
};

void universal_free(struct universal *u);

/*
 * Read the payload of an event, which c marks as bad if it is too short. pid: the process of the
 * event's thread. with_process: the payload has the mapping's own process, as the text above says,
 * but no writer does. offset: the event's place in the file, for messages.
 */
void universal_read_process(struct universal *u, uint64_t pid, struct cursor *c);
void universal_read_mapping(struct universal *u, uint64_t pid, struct cursor *c, bool with_process);
void universal_read_symbol(struct universal *u, struct cursor *c, uint64_t offset);

/* Call after the last event and before the functions below; reports symbols without a mapping. */
void universal_end(struct universal *u, struct reader *r);

/* The name of a process, valid until the next event; empty if it is not known. */
struct str universal_process(const struct universal *u, uint64_t pid);

/* The sampler's name of a frame in a process. */
uint32_t universal_frame(struct universal *u, struct sampler *s, uint64_t pid, uint64_t address);

#endif
