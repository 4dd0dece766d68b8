/*
 * perfevent: decodes one perf_event record, from a live ring or from a perf.data file. Layouts are
 * those of perf_event_open(2) and linux/perf_event.h. Nothing is copied: pointers in a decoded
 * record point into the record's own bytes.
 */
#ifndef PERFEVENT_H
#define PERFEVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/perfabi.h"

/* Fields of an event's records, as in its perf_event_attr. */
struct perfevent_format {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t regs_user; /* mask of registers, one bit for each */
	bool sample_id_all; /* other records end in pid, time, id and cpu too */
};

struct copies; /* see access/copies.h */
struct stack_part; /* see unwind.h */

struct perfevent_sample {
	uint64_t ip;
	uint64_t addr;
	uint64_t period;
	const uint64_t *callchain; /* leaf first, with PERF_CONTEXT_* marks */
	size_t ncallchain;
	const uint64_t *read; /* values of counters, laid out by read_format */
	size_t nread;
	const struct perf_branch_entry *branch; /* newest first */
	size_t nbranch;
	const uint64_t *regs_user; /* one per bit of the mask, lowest first; or NULL */
	uint64_t regs_abi; /* PERF_SAMPLE_REGS_ABI_* */
	const unsigned char *stack; /* copy of the user stack, from its pointer up */
	size_t nstack; /* bytes that the kernel could copy */
	size_t stack_size; /* bytes requested by sample_stack_user */
	const unsigned char *raw; /* fields of a tracepoint */
	size_t nraw;
	/* parts of the stack above the copy, lowest first; added by a reader, not by the record */
	const struct stack_part *above;
	size_t nabove;
	const struct copies *copies; /* by a recipe, added in the same way; NULL: none */
};

struct perfevent_mmap {
	uint64_t start, size, offset; /* bytes; offset in the file */
	uint64_t inode; /* 0 when not in the record */
	uint32_t major, minor; /* of the file's device */
	const unsigned char *build_id;
	size_t nbuild_id; /* 0 when not in the record */
	uint32_t prot; /* PROT_EXEC when not in the record */
	const char *path;
};

/* PERF_RECORD_KSYMBOL: code that the kernel generated. */
struct perfevent_ksymbol {
	uint64_t start;
	uint32_t size; /* bytes */
	uint16_t flags; /* 1: unregistered */
	const char *name;
};

/* PERF_RECORD_CALLCHAIN_DEFERRED */
struct perfevent_deferred {
	uint64_t cookie; /* of the samples that it completes */
	const uint64_t *callchain; /* as in a sample */
	size_t ncallchain;
};

struct perfevent {
	uint32_t type; /* PERF_RECORD_* */
	uint16_t misc; /* PERF_RECORD_MISC_* */
	uint32_t pid, tid; /* of the sample, or of the record's subject */
	uint32_t ppid, ptid; /* PERF_RECORD_FORK: the parent */
	uint64_t time; /* ns of the event's clock; 0 when not recorded */
	uint64_t id;
	uint32_t cpu;
	uint64_t lost; /* PERF_RECORD_LOST, PERF_RECORD_LOST_SAMPLES */
	uint64_t read; /* PERF_RECORD_READ: the event's count in a thread that has ended */
	const char *comm; /* PERF_RECORD_COMM */
	struct perfevent_mmap mmap; /* PERF_RECORD_MMAP, PERF_RECORD_MMAP2 */
	struct perfevent_sample sample; /* PERF_RECORD_SAMPLE */
	struct perfevent_ksymbol ksymbol;
	struct perfevent_deferred deferred;
};

/*
 * Decode the record at h, of which h->size bytes are readable and 8-aligned. False if it is
 * malformed: shorter than its format requires. Of an unknown type only the trailing pid, time, id
 * and cpu are decoded.
 */
bool perfevent_decode(
    const struct perfevent_format *format, const struct perf_event_header *h, struct perfevent *e);

#endif
