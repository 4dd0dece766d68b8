/*
 * runtimecpu: registers by DWARF number, frames and instructions of runtimes on each processor, a
 * file for each, runtime_NAME.c. A runtime whose row is NULL is not read there.
 */
#ifndef RUNTIMECPU_H
#define RUNTIMECPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/memory.h"
#include "unwind/cfimachine.h"

#define HOTSPOT_POPS 12 /* bytes after a call that hotspot_cpu.popped reads */

/*
 * HotSpot. Sizes of frames are in bytes from the stack pointer, or FRAME_*, as those of struct
 * runtime.frame_size.
 */
struct hotspot_cpu {
	uint8_t method; /* register of the method, at the entry of an interpreted one */
	uint8_t bytecode; /* of the address of the bytecode that runs */
	uint8_t thread;
	uint8_t sender, returned; /* in adapters: caller's stack pointer, and return address */
	uint8_t restored; /* see FRAME_INTERPRETED_END */
	uint8_t first, last; /* JDK versions that are read */
	/* With a link register: the reader decodes each leaf there, by the functions that are so
	 * marked, and the return address of code without a frame is in that register. */
	bool linked;
	/* Interpreted methods: offsets from the frame pointer. */
	int16_t frame_method, frame_bytecode;
	bool barrier_marked; /* the frame of a method's entry barrier ends with -1, before its pc */
	/* True if a leaf in a stub may be in that barrier, after the -1. NULL: unknown. */
	bool (*in_barrier)(struct memory_reader *m, uint64_t pc);
	/* Where the direct call before pc leads; 0: there is none. */
	uint64_t (*call_target)(struct memory_reader *m, uint64_t pc);
	/* The start of the stub that calls an interpreted method and has pc; 0: there is none. */
	uint64_t (*call_stub)(struct memory_reader *m, uint64_t pc);
	/* The frame of a leaf before the end of a method's start. size: of a complete frame. */
	uint64_t (*entry)(struct memory_reader *m, uint64_t pc, uint64_t size);
	/* The frame of a leaf after a method's start. */
	uint64_t (*body)(struct memory_reader *m, uint64_t pc, uint64_t size);
	uint32_t (*stub_words)(struct memory_reader *m, uint64_t pc); /* of a leaf in a stub */
	/* The frame of a leaf in an adapter, by its n next bytes, which more follow; 0: unknown. */
	uint64_t (*adapter)(const uint8_t *code, size_t n);
	/* Words that the code after a call of C1's subtype check removes from the stack. */
	uint32_t (*popped)(const uint8_t code[HOTSPOT_POPS]);
	/* Linked: the frame at pc in the interpreter. */
	uint64_t (*interpreted)(struct memory_reader *m, uint64_t pc, bool leaf);
	/* Linked: the frame of a leaf in other code with frames, which begins at an address. */
	uint64_t (*stub)(struct memory_reader *m, uint64_t begin, uint64_t pc, uint64_t size);
	/* Linked: the frame of that size at pc, a return address in such code. */
	uint64_t (*called)(struct memory_reader *m, uint64_t pc, uint64_t size);
};

struct v8_cpu {
	uint8_t function; /* register of a called function, at its start */
	uint8_t offset, array, dispatch; /* of the interpreter */
	uint8_t exit_bytes; /* of a call to the deoptimizer */
	bool (*is_exit)(struct memory_reader *m, uint64_t pc); /* true at such a call */
	/* True in the start of a builtin, before it has stored its function. */
	bool (*starts)(struct memory_reader *m, uint64_t pc, uint64_t sp, uint64_t fp);
	/* True in any function's start where only that is missing in its frame; NULL: nowhere. */
	bool (*fills)(struct memory_reader *m, uint64_t pc, uint64_t sp, uint64_t fp);
};

enum { BEAM_UNKNOWN = -1, BEAM_PROCESS = -2 };

struct beam_cpu {
	uint8_t registers; /* register of the address of the table of Erlang registers */
	uint8_t process; /* of that of the struct process */
	uint8_t stack; /* of the Erlang stack's top */
	/*
	 * The register from which code after a call to C restores the stack's top; BEAM_PROCESS:
	 * a struct process, at offset `stop`; BEAM_UNKNOWN.
	 */
	int (*restores)(const unsigned char *code, size_t n, uint8_t stop);
	/* The address that the first call of n bytes of code at an address leads to, or that they
	 * take; 0: none. */
	uint64_t (*called)(const unsigned char *code, size_t n, uint64_t at);
	uint64_t (*taken)(const unsigned char *code, size_t n, uint64_t at);
	/* NULL: all return addresses are on the Erlang stack. Else the register of the latest one,
	 * and whether it is not on it at the pc of a leaf. */
	bool (*in_register)(struct memory_reader *m, uint64_t pc);
	uint8_t returned;
};

/* Addresses that n bytes of code at an address use; 0: none. */
struct ruby_cpu {
	/* The function that rb_profile_frames calls first, for the next one; NULL: itself. */
	uint64_t (*called)(const unsigned char *code, size_t n, uint64_t at);
	/* The slot of the first thread-local variable there. */
	uint64_t (*slot)(const unsigned char *code, size_t n, uint64_t at);
	/* The variable with num_entries, in rb_sym_all_symbols. */
	uint64_t (*entries)(const unsigned char *code, size_t n, uint64_t at);
};

/* Where a function stores its first argument. */
struct lua_kept {
	enum { KEPT_UNKNOWN, KEPT_ON_STACK, KEPT_IN_REGISTER } where;
	uint8_t at; /* offset from the stack pointer, or the register */
	uint8_t end; /* number of bytes from the function's start up to there */
};

struct lua_cpu {
	/* Finds it in the first n bytes of a function, at most UINT8_MAX. */
	struct lua_kept (*kept)(const unsigned char *code, size_t n);
};

struct luajit_cpu {
	uint8_t base, pc; /* registers of the interpreter */
	uint8_t spare; /* may have the base in its C functions */
	uint8_t results, state, at, previous,
	    bytes; /* its C frame: offsets, and size (lj_frame.h) */
};

struct php_cpu {
	uint8_t data, instruction; /* registers of execute_ex (zend_execute.c) */
	uint8_t user_data, user_instruction; /* in struct pt_regs */
	/*
	 * The offset from n bytes of code to the variable from which they take a key of
	 * pthread_getspecific(3); 0: none.
	 */
	int64_t (*key)(const unsigned char *code, size_t n);
};

struct haskell_cpu {
	uint8_t stack; /* register of the stack pointer of Haskell (MachRegs.h) */
};

#define RUNTIME_KEPT 12

struct runtime_cpu {
	const char *name; /* of uname(2) */
	uint8_t fp, sp;
	uint8_t kept[RUNTIME_KEPT], nkept; /* registers that called functions preserve */
	uint8_t stat_bytes; /* sizeof(struct stat), which Perl's interpreter has (intrpvar.h) */
	bool tls_above; /* thread-local data of the program follows the thread pointer */
	const struct hotspot_cpu *hotspot;
	const struct v8_cpu *v8;
	const struct beam_cpu *beam;
	const struct ruby_cpu *ruby;
	const struct lua_cpu *lua;
	const struct luajit_cpu *luajit;
	const struct php_cpu *php;
	const struct haskell_cpu *haskell;
};

extern const struct runtime_cpu runtime_x86_64, runtime_aarch64;

/* The row of this machine; one of an unknown processor has no registers. */
const struct runtime_cpu *runtime_cpu(void);

#endif
