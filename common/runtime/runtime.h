/*
 * runtime: common interface of the readers of interpreters and virtual machines. Each reads
 * script frames from a process's memory, from outside, at the time of a sample.
 *
 * Input: the native frames of a thread and its process's memory. Output: script frames in
 * groups. A group has the frames that one invocation of the interpreter's loop ran, and
 * replaces that native frame. The reader's file has the offsets of a runtime's structures by
 * version, with their source.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "kernel/walkabi.h"
#include "runtime/cpu/runtimecpu.h"
#include "runtime/memory.h"
#include "runtime/scriptname.h"
#include "elf/module.h"

/* A native frame of a stack, leaf first. */
struct native_frame {
	struct module *module; /* NULL: no mapping */
	uint64_t pc; /* address in the process; in callers the return address */
	uint64_t sp; /* the stack pointer in this frame, which ends at the next frame's */
	/* address of the function by whose call frame information it was unwound; 0: unknown */
	uint64_t start;
	uint64_t reg[CFI_REGS]; /* by DWARF number; callers have fp, sp and runtime_cpu.kept */
};

#define SCRIPT_FRAMES 2048 /* script frames of one stack, at most */
#define SCRIPT_GROUPS 512
#define SCRIPT_NATIVE_NONE (-1)

struct script_frame {
	uint32_t name; /* of script_names */
	int32_t native; /* native frame of a C function; else SCRIPT_NATIVE_NONE */
	struct module *module; /* not NULL: a function of native code, which has no script name */
	uint64_t vaddr; /* its ELF address */
};

/* frame[first] is the innermost of n frames. */
struct script_group {
	uint32_t first, n;
	int32_t native; /* the frame of the interpreter's loop; SCRIPT_NATIVE_NONE: it has none */
	uint32_t nnative; /* native frames that it replaces, from that one outwards */
};

/* Groups, innermost first. */
struct script_stack {
	struct script_frame frame[SCRIPT_FRAMES];
	struct script_group group[SCRIPT_GROUPS];
	size_t nframe, ngroup;
	bool truncated; /* more frames than fit, or memory that could not be read */
	bool limited; /* truncated: more frames than fit, or than a recipe has copied */
	bool outermost; /* the last frame is the outermost one of a stack of its own */
	bool unwalked; /* the recipe does not copy all that this process has */
	bool late; /* not read: other code was loaded since the sample */
};

/* Starts a group; false when there are too many. */
bool script_group(struct script_stack *s, int32_t native);

/* Adds a frame to the last group; false when there are too many. */
bool script_frame(struct script_stack *s, uint32_t name, int32_t native);

/* Adds a function of native code on a stack of its own, by its ELF address; false as above. */
bool script_native(struct script_stack *s, struct module *module, uint64_t vaddr);

/* A mapped file of the process. */
struct runtime_module {
	struct module *module;
	uint64_t start, end; /* of its first executable mapping */
	uint64_t bias; /* address + bias is the ELF address */
	uint64_t kinds; /* runtimes that it may hold, a bit for each index of runtimes[] */
};

/* The process to search for a runtime. */
struct runtime_process {
	int pid;
	int inside; /* its number in its own PID namespace */
	const struct runtime_cpu *cpu;
	struct memory_reader *memory;
	const struct runtime_module *module; /* sorted by address */
	size_t nmodule;
	size_t next; /* index for runtime_next_module; 0 before the first open of a runtime */
	uint64_t kinds; /* only modules with one of these bits are next; 0: all are */
	struct script_names *names;
	bool lines; /* request for the line that ran */
	char version[32]; /* set by open: of the runtime, as "8.4.27"; empty: unknown */
	char reason[200]; /* error message after open returned NULL; empty: not this runtime */
};

/* One sample of a thread. */
struct runtime_sample {
	int tid; /* in the process's own PID namespace */
	const char *comm; /* of the thread, for its label; else NULL */
	const struct native_frame *native; /* leaf first */
	size_t nnative;
	bool complete; /* the last native frame is the thread's first function */
	bool stopped; /* the thread is stopped, or its memory is that of the sample: */
	bool walked; /* by a recipe; then */
	uint64_t start; /* is the address of its first copy of no bytes; 0: there is none */
	uint64_t time; /* unless stopped: ns of CLOCK_MONOTONIC */
	uint64_t copied; /* unless stopped: end of the stack copy, which starts at native[0].sp */
};

/*
 * Result of a proof of the offsets by a stack: its objects are valid at these offsets; are not; it
 * has none; or the recipe has not copied them, since it does not copy all that this process has.
 */
enum runtime_proof { PROOF_HOLDS, PROOF_FAILS, PROOF_OPEN, PROOF_UNWALKED };

#define FRAME_KEEPS_FP UINT64_C(1)
#define FRAME_LINKED UINT64_C(2)

/* Values of frame_size: a complete frame with a frame pointer; and those for HotSpot. */
#define FRAME_POINTER (UINT64_MAX - 4)
#define FRAME_INTERPRETED UINT64_MAX /* the interpreter, with a frame pointer */
#define FRAME_INTERPRETER_CALL (UINT64_MAX - 1) /* after a call in the interpreter's own code */
#define FRAME_ADAPTER \
	(UINT64_MAX - 2) /* top, or link: the return address; hotspot_cpu.sender: caller's sp */
/* Return address below sender, or in hotspot_cpu.returned while sender is the stack pointer. */
#define FRAME_ADAPTER_BELOW (UINT64_MAX - 3)
/* With a link register: an interpreted frame whose caller's sp is still in hotspot_cpu.sender; */
#define FRAME_INTERPRETED_START (UINT64_MAX - 5)
/* and one that has ended, but for the stack pointer, whose value is in hotspot_cpu.restored. */
#define FRAME_INTERPRETED_END (UINT64_MAX - 6)

struct runtime {
	const char *name; /* "python" */
	const char *versions; /* that are read, as "7.4 to 8.6" */
	const char *offsets; /* where the offsets are from, as "tables of headers" */
	bool compiles; /* its frames are annotated as JIT code, not as scripts */
	bool needs_stop; /* a running thread must be stopped for a complete read */
	bool reads_copy; /* beside needs_stop: reads the part of a stack that its stack copy has */
	bool own_stack; /* its generated code does not run on the thread's stack */
	/* True for the base name of a file that may hold this runtime; NULL: any file. */
	bool (*is_module)(const char *name);
	/* A symbol of programs of any name that have the runtime inside; NULL: there are none. */
	const char *symbol;
	/*
	 * Returns the runtime's state in a process, or NULL and p->reason; p must outlive it. A
	 * process can have several copies: the next call continues after the module of this one.
	 */
	void *(*open)(struct runtime_process *p);
	/*
	 * Proves the offsets by one stack, before the first read, which it must not change. NULL:
	 * open or read does.
	 */
	enum runtime_proof (*prove)(void *state, const struct runtime_sample *at);
	/* Fills s; false when this thread runs no script, or its structures are inconsistent. */
	bool (*read)(void *state, const struct runtime_sample *at, struct script_stack *s);
	void (*close)(void *state);
	/*
	 * Sets the steps of a recipe that copies what read needs of a running thread
	 * (kernel/walkabi.h). False: not yet, while the runtime starts. NULL: there is none.
	 */
	bool (*recipe)(void *state, struct walk_step step[WALK_STEPS]);
	/*
	 * Bytes from the stack pointer to the end of the frame of code that the runtime compiled,
	 * at a return address, or at the address where a leaf executes, whose frame may not be
	 * complete: its own return address is in the last word, its caller's frame pointer in the
	 * one before. 8: only the return address. Plus FRAME_KEEPS_FP: the caller's frame pointer
	 * is in its register. Plus FRAME_LINKED: the return address is, too, in the link register,
	 * and the size can be 0. Or one of the values FRAME_*. 0: other code.
	 * NULL: all of its code is unwound by instructions and frame pointers.
	 */
	uint64_t (*frame_size)(void *state, uint64_t pc, uint64_t sp, bool leaf);
	bool frame_linked; /* frame_size knows JIT code of processors with a link register */
	/*
	 * The address, in a file's function, of code that has the same frame as compiled code with
	 * these registers: the function jumped to that. 0: other code. NULL: it never does.
	 */
	uint64_t (*shared_frame)(void *state, const uint64_t reg[CFI_REGS]);
};

/* True if a runtime reads stack copies of running threads. */
static inline bool
runtime_reads_copy(const struct runtime *r)
{
	return !r->needs_stop || r->reads_copy;
}

/* False, with p->reason, if row, a runtime's of p->cpu, is NULL. */
bool runtime_knows_cpu(struct runtime_process *p, const void *row, const char *runtime);

/* The next module to examine when a runtime is opened; NULL: none is left. */
const struct runtime_module *runtime_next_module(struct runtime_process *p);

/* How to read an unknown version: by the row that share/offsets/offsets prints; */
#define RUNTIME_OFFSETS(args) "'share/offsets/offsets " args "' of the sources prints its offsets"
/* or, where a process has all offsets, by the last known version in a file, and a test. */
#define RUNTIME_TRIED(file, test) "raise LAST in common/runtime/" file " and run t/" test

/*
 * Sets p->reason for p->version, which no table has: versions are those that one has, and derive
 * how to read another.
 */
void runtime_unknown(
    struct runtime_process *p, const char *runtime, const char *versions, const char *derive);

/*
 * Why a runtime in m that could not be opened may be a supported one all the same: its state cannot
 * be read, or not yet. NULL: it is not.
 */
const char *runtime_unready(const struct runtime_process *p, const struct runtime_module *m);

/*
 * The address in the process of a symbol of m; 0 when there is none. *size is its size unless
 * size is NULL. For thread-local symbols: the offset in the block.
 */
uint64_t runtime_symbol(const struct runtime_module *m, const char *name, uint64_t *size);

/* The offset of a thread-local variable of m in its block, and its size; false: there is none. */
bool runtime_tls_symbol(
    const struct runtime_module *m, const char *name, uint64_t *offset, uint64_t *size);

/* The file's bytes at an address of the process, before relocation; NULL: none. */
const void *runtime_file_bytes(const struct runtime_module *m, uint64_t address, size_t n);

/*
 * Index of the native frame, from index `from` on, with that stack address; or -1. Where the last
 * frame of an incomplete stack ends is unknown.
 */
int32_t native_holding(const struct runtime_sample *at, int32_t from, uint64_t address);

#endif
