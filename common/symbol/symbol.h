/*
 * symbol: a module and an address to the functions there: the function with its inlined
 * functions by ELF symbols and DWARF, kernel functions by kallsyms, JIT code by perf map and
 * jitdump. Names are demangled, without parameters.
 *
 * Only one thread may symbolize. Only symbol_kernel_start creates a helper thread, which uses
 * nothing but its own table until symbol_resolve joins it.
 */
#ifndef SYMBOL_H
#define SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf/symbolframe.h"
#include "elf/module.h"

/*
 * Stores the frames at an ELF address, innermost first, and returns their number. 0 when
 * nothing is known; the caller then writes [libfoo.so]. For a return address pass pc - 1, to
 * name the call and not the code after it (not for the leaf, nor for a frame that a signal
 * interrupted). time (CLOCK_MONOTONIC ns of the sample, 0 when unknown) selects among JIT code
 * that had the same address at different times. Frames and strings live until exit; each
 * address is resolved once.
 */
size_t symbol_resolve(struct module *m, uint64_t vaddr, uint64_t time, unsigned flags,
    const struct symbol_frame **frames);

/* Loads the kernel's symbols in a helper thread, ahead of the first kernel address. */
void symbol_kernel_start(struct modules *ms);

/* symbol_kernel_start if the modules have an address of the kernel: to read symbols takes 50 ms. */
void symbol_kernel_start_used(struct modules *ms);

/* Waits for that thread, if there is one, before a fork(2). */
void symbol_kernel_wait(struct modules *ms);

/*
 * Opens a file named jit-*.dump that a process mapped: a jitdump. It is read when an address of
 * module_jit(pid) is resolved.
 */
void symbol_jitdump(struct module *jit, const char *path);

#endif
