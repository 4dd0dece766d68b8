/*
 * runtime: what is common to the readers of interpreters and virtual machines. Each reads
 * the frames of scripts out of a process, from outside, at the moment of a sample.
 *
 * A reader gets the native frames of a thread and the memory of its process. It returns the
 * script frames in groups: a group holds the frames that one invocation of the interpreter's
 * loop ran, and takes the place of that native frame. Offsets into a runtime's structures
 * stand in a table by version in the reader's file, with their source.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "code/memory.h"
#include "code/module.h"

/* A native frame of a stack, leaf first. Registers are x86-64's by DWARF number. */
struct native_frame {
	struct module *module; /* NULL where nothing is mapped */
	uint64_t pc; /* address in the process; of callers the return address */
	uint64_t sp; /* the stack pointer in this frame; the next frame's is its end */
	uint64_t start; /* address of its function by call frame information; 0: unknown */
	uint64_t reg[16]; /* valid are rbx 3, rbp 6, rsp 7 and r12 to r15 */
};

/* DWARF numbers of the registers that are valid. */
enum {
	NATIVE_RBX = 3,
	NATIVE_RBP = 6,
	NATIVE_RSP = 7,
	NATIVE_R12 = 12,
	NATIVE_R13,
	NATIVE_R14,
	NATIVE_R15
};

#define SCRIPT_FRAMES 2048 /* script frames of one stack, at most */
#define SCRIPT_GROUPS 512
#define SCRIPT_NATIVE_NONE (-1)

struct script_frame {
	uint32_t name; /* of script_names */
	int32_t native; /* the native frame of the C function that it is; or SCRIPT_NATIVE_NONE */
};

/* frame[first] is the innermost of n frames. */
struct script_group {
	uint32_t first, n;
	int32_t native; /* the frame of the interpreter's loop; SCRIPT_NATIVE_NONE: it has none */
	uint32_t nnative; /* native frames that it takes the place of, from that one outwards */
};

/* Groups, innermost first. */
struct script_stack {
	struct script_frame frame[SCRIPT_FRAMES];
	struct script_group group[SCRIPT_GROUPS];
	size_t nframe, ngroup;
	bool truncated; /* more frames than fit, or memory that could not be read */
};

/* Begin a group; false when there are too many. */
bool script_group(struct script_stack *s, int32_t native);

/* Add a frame to the last group; false when there are too many. */
bool script_frame(struct script_stack *s, uint32_t name, int32_t native);

/*
 * Functions of scripts by content: equal names, files and lines have one number, from 1 up,
 * wherever and whenever they were read. Strings live as long as the table.
 */
struct script_name {
	const char *function; /* qualified */
	const char *file; /* full path; NULL: unknown */
	unsigned first_line; /* of the function; 0: unknown */
	unsigned line; /* that ran; 0: unknown or not requested */
};

struct script_names;

struct script_names *script_names_new(void);
void script_names_free(struct script_names *n);
uint32_t script_name_add(struct script_names *n, struct str function, struct str file,
    unsigned first_line, unsigned line);
const struct script_name *script_name_get(const struct script_names *n, uint64_t number);

/* A mapped file of the process. */
struct runtime_module {
	struct module *module;
	uint64_t start, end; /* of its first executable mapping */
	uint64_t bias; /* address + bias is the ELF address */
};

/* The process that a runtime is to be found in. */
struct runtime_process {
	int pid;
	struct memory_reader *memory;
	const struct runtime_module *module; /* by address */
	size_t nmodule;
	struct script_names *names;
	bool lines; /* the line that ran is requested */
	char reason[160]; /* why open returned NULL, for a message; empty: not this runtime */
};

/* One sample of a thread. */
struct runtime_sample {
	int tid; /* as the process sees it, in its own PID namespace */
	const struct native_frame *native; /* leaf first */
	size_t nnative;
	bool complete; /* the last native frame is the thread's first function */
	bool stopped; /* the thread stands still: else only its stack copy does */
};

struct runtime {
	const char *name; /* "python" */
	bool compiles; /* its frames are annotated as JIT code, not as scripts */
	bool needs_stop; /* a thread on a CPU has to stand still to be read */
	/* True for the base name of a file that may hold this runtime; NULL: any file. */
	bool (*is_module)(const char *name);
	/* The runtime's state in a process, or NULL with p->reason; p lives as long. */
	void *(*open)(struct runtime_process *p);
	/* Fill s; false when this thread runs no script, or its structures are inconsistent. */
	bool (*read)(void *state, const struct runtime_sample *at, struct script_stack *s);
	void (*close)(void *state);
};

extern const struct runtime *const runtimes[]; /* ends with NULL */

/*
 * The address in the process of a symbol that m exports or has, 0 when there is none; *size
 * is its size unless size is NULL. Thread-local symbols return their offset in the block.
 */
uint64_t runtime_symbol(const struct runtime_module *m, const char *name, uint64_t *size);

/* The file's bytes at an ELF address, as they are before the program runs; NULL: none. */
const void *runtime_file_bytes(const struct runtime_module *m, uint64_t address, size_t n);

/* The native frame from index `from` whose part of the stack holds an address; or -1. */
int32_t native_holding(const struct runtime_sample *at, int32_t from, uint64_t address);

#endif
