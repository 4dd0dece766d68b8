/*
 * symbol: a module and an address go in, the functions that run there come out:
 * the function with all that was inlined into it, by ELF symbols and DWARF, kernel
 * symbols by kallsyms, generated code by perf maps and jitdump. Names are
 * demangled, without parameters.
 *
 * Resolving happens in one thread. symbol_kernel_start alone begins a helper
 * thread, which touches nothing but its own table until symbol_resolve joins it.
 */
#ifndef SYMBOL_H
#define SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/module.h"

struct symbol_frame {
	const char *function;
	const char *file; /* what runs here, with SYMBOL_LINES: for the innermost frame the */
	unsigned line; /* address's line, for its callers the call's; NULL and 0: unknown */
	const char *decl_file; /* where the function is written, with SYMBOL_SOURCE; as above */
	unsigned decl_line;
	const char *module; /* a kernel module in brackets, "[nf_tables]"; NULL for all else */
	bool inlined; /* into the next frame */
};

/* What is asked for besides names; the same in each call on a module. */
enum {
	SYMBOL_INLINE = 1,
	SYMBOL_LINES = 2,
	SYMBOL_SOURCE = 4,
};

#define SYMBOL_FRAMES 128 /* the most at one address */

/*
 * The frames at an ELF address, innermost first; 0 when nothing is known, and the
 * caller writes [libfoo.so]. For a return address pass pc - 1, so that the call
 * and not what follows it is named (not for the leaf, nor where a signal came in).
 * time (CLOCK_MONOTONIC ns of the sample, 0 when unknown) picks among code that
 * took the same address one after the other, as jitdump says it. Frames and
 * strings live until exit; the same address is looked up once.
 */
size_t symbol_resolve(struct module *m, uint64_t vaddr, uint64_t time, unsigned flags,
    const struct symbol_frame **frames);

/* Load the kernel's symbols in a helper thread, for the first kernel address to find them there. */
void symbol_kernel_start(struct modules *ms);

/* Wait for that thread, before a fork(2). */
void symbol_kernel_wait(struct modules *ms);

/*
 * A process mapped this file, whose name is jit-*.dump, which marks a jitdump; it
 * is opened now and read when an address of module_jit(pid) is resolved.
 */
void symbol_jitdump(struct module *jit, const char *path);

#endif
