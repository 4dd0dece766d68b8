/*
 * walkabi: the recipes of the BPF program (share/bpf/walk.c), and the records that it writes.
 *
 * A recipe is a list of steps over some registers, by which the program copies parts of a process's
 * memory at a sample. It has no language in it: the reader of a runtime (runtime/runtime.h) makes
 * it, and reads the copies afterwards.
 */
#ifndef WALKABI_H
#define WALKABI_H

#include <stdint.h>

/* ---- Stacks: pages above the stack copy of perf_event ---- */

#define WALK_PAGE 4096
#define WALK_PAGES 8 /* of a record, which is smaller than 64 KiB */
#define WALK_PAGES_ALL 256 /* of a sample: 1 MiB */
#define WALK_OTHER 65536 /* bytes of a stack whose end is not known */
#define WALK_SPAN (64 << 20) /* maximum bytes from the stack pointer to the end of the stack */
#define WALK_STACK UINT64_C(0x64656570206f6620) /* first word of the record */

struct walk_stack {
	uint64_t mark, address;
	unsigned char page[WALK_PAGES][WALK_PAGE];
};

/* ---- Recipes and copies ---- */

#define WALK_STEPS 128
#define WALK_REGISTERS 16
#define WALK_GETS 3
#define WALK_MOST 1024 /* a copy has fewer bytes */
#define WALK_BYTES 32768 /* of copies in a record */
#define WALK_TURNS 8192 /* steps of a sample, at most */

enum walk_op {
	WALK_END,
	/*
	 * Copies n bytes at base + offset, and sets up to three registers from words of these
	 * bytes. If this step copied the same address last, in the same sample, it only sets these.
	 */
	WALK_COPY,
	WALK_READ, /* to = the word at base + offset */
	WALK_SET, /* to = base + offset, without the bits of n; goes to `target` unless it is 0 */
	WALK_EQUAL, /* goes to `target` if base + offset is the register `to` */
	WALK_USER, /* to = the word at `offset` of the thread's registers (struct pt_regs) */
	WALK_KNOWN, /* to = the word of this thread's last WALK_KEEP with the same n, or 0 */
	WALK_KEEP, /* keeps base */
};

/* Registers with a meaning. All others are 0 at the start. */
enum { WALK_ZERO, WALK_THREAD_POINTER, WALK_STACK_POINTER, WALK_FREE };

/* Sizes of fields are those that fit a request to the opener (access/openlink.h). */
struct walk_step {
	uint8_t op, base, to;
	uint8_t target; /* the step to go to; of COPY and READ: if the memory is unreadable */
	uint32_t n;
	uint64_t offset;
	struct walk_get {
		uint16_t to, offset;
	} get[WALK_GETS];
	uint32_t unused;
};

struct walk_recipe {
	uint64_t number; /* of the recipe, for the records */
	struct walk_step step[WALK_STEPS];
};

#define WALK_COPIES UINT64_C(0x77616c6b206f6620) /* first word of a record */
#define WALK_LIMITED 1 /* flag: more steps than WALK_TURNS, or a record that did not fit */

/* A record: the head, then copies, each with its bytes padded to a multiple of 8. */
struct walk_head {
	uint64_t mark, flags, number;
};

struct walk_copy {
	uint64_t address, n;
};

#define WALK_SLACK (WALK_MOST + sizeof(struct walk_copy))

/* ---- Time: a record after the others of a sample ---- */

#define WALK_TIME UINT64_C(0x74696d65206f6620) /* first word of the record */
#define WALK_LONG 20000 /* ns: shorter times have no record */

struct walk_time {
	uint64_t mark, ns; /* since the program began */
};

/* Memory of the program, for each CPU. */
struct walk_scratch {
	uint64_t npage; /* in `stack` */
	uint64_t used; /* bytes in `copies` */
	uint64_t step, turns, regs;
	uint64_t reg[WALK_REGISTERS];
	uint64_t last[WALK_STEPS]; /* address that a step copied last */
	union {
		struct walk_stack stack;
		struct {
			struct walk_head head;
			unsigned char bytes[WALK_BYTES + WALK_SLACK];
		} copies;
	};
};

/* A process in the map of kept values. */
struct walk_kept {
	uint32_t tid, number; /* of the thread, and of the recipe */
	uint32_t part; /* of the recipe: n of the step */
};

#endif
