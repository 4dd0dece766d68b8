/*
 * kernelmap: where the kernel and its modules are, by the records of a file. A living kernel's
 * symbols are in /proc/kallsyms.
 */
#ifndef KERNELMAP_H
#define KERNELMAP_H

#include "trace/recording.h"

/* A mapping record of the kernel: itself, or one of its modules. */
void kernelmap_mmap(struct recording *r, const struct perfevent_mmap *m);

/* PERF_RECORD_KSYMBOL: code that the kernel generated, or that is gone again. */
void kernelmap_symbol(struct recording *r, const struct perfevent_ksymbol *k);

#endif
