/*
 * perfevent: decodes one perf_event record, from a live ring or from a perf.data
 * file. Layouts are those of perf_event_open(2) and linux/perf_event.h. Nothing is
 * copied: what a decoded record points to lies in the record's own bytes.
 */
#ifndef PERFEVENT_H
#define PERFEVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an event's records hold, as in the perf_event_attr it was opened with. */
struct perfevent_format {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t regs_user; /* mask of registers, one bit for each */
	bool sample_id_all; /* the other records end in pid, time, id and cpu too */
};

struct perfevent_sample {
	uint64_t ip;
	uint64_t addr;
	uint64_t period;
	const uint64_t *callchain; /* leaf first, with PERF_CONTEXT_* marks */
	size_t ncallchain;
	const struct perf_branch_entry *branch; /* newest first */
	size_t nbranch;
	const uint64_t *regs_user; /* one per bit of the mask, lowest first; or NULL */
	uint64_t regs_abi; /* PERF_SAMPLE_REGS_ABI_* */
	const unsigned char *stack; /* copy of the user stack, from its pointer up */
	size_t nstack; /* bytes that the kernel could copy */
	const unsigned char *raw; /* a tracepoint's fields */
	size_t nraw;
};

struct perfevent_mmap {
	uint64_t start, size, offset; /* bytes; offset in the file */
	uint64_t inode; /* 0 when the record does not say */
	uint32_t major, minor; /* the file's device */
	const unsigned char *build_id;
	size_t nbuild_id; /* 0 when the record does not say */
	uint32_t prot; /* PROT_EXEC when the record does not say */
	const char *path;
};

struct perfevent {
	uint32_t type; /* PERF_RECORD_* */
	uint16_t misc; /* PERF_RECORD_MISC_* */
	uint32_t pid, tid; /* of the sample, or whom the record is about */
	uint32_t ppid, ptid; /* PERF_RECORD_FORK: who made it */
	uint64_t time; /* ns of the event's clock; 0 when not recorded */
	uint64_t id;
	uint32_t cpu;
	uint64_t lost; /* PERF_RECORD_LOST, PERF_RECORD_LOST_SAMPLES */
	const char *comm; /* PERF_RECORD_COMM */
	struct perfevent_mmap mmap; /* PERF_RECORD_MMAP, PERF_RECORD_MMAP2 */
	struct perfevent_sample sample; /* PERF_RECORD_SAMPLE */
};

/*
 * Decode the record at h, of which h->size bytes are readable and 8-aligned.
 * False when it is malformed: too short for what its format says it holds.
 * A type unknown here is decoded as far as its trailing pid, time, id and cpu.
 */
bool perfevent_decode(
    const struct perfevent_format *format, const struct perf_event_header *h, struct perfevent *e);

#endif
