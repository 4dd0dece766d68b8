/*
 * kernelmap: where the kernel and its modules are mapped, according to the records of a file. For a
 * running kernel, /proc/kallsyms has the symbols.
 */
#ifndef KERNELMAP_H
#define KERNELMAP_H

#include "trace/recording.h"

/* Take a mapping record of the kernel or of one of its modules. */
void kernelmap_mmap(struct recording *r, const struct perfevent_mmap *m);

/* Take a PERF_RECORD_KSYMBOL: the kernel generated code, or removed it. */
void kernelmap_symbol(struct recording *r, const struct perfevent_ksymbol *k);

#endif
