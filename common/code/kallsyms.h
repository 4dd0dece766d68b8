/*
 * kallsyms: the kernel's symbols as text go in, a kernel function and its module for
 * each address comes out.
 */
#ifndef KALLSYMS_H
#define KALLSYMS_H

#include <stdint.h>

#include "code/module.h"

struct kallsyms;

struct kallsyms *kallsyms_new(const struct symsource *o);
void kallsyms_free(struct kallsyms *k);

/* Load in a helper thread; kallsyms_find waits for it. At most once, in the resolving thread. */
void kallsyms_start(struct kallsyms *k);

/* Wait for that thread, if there is one. */
void kallsyms_wait(struct kallsyms *k);

/* MODULE_SYMBOLS, MODULE_HIDDEN when all addresses read as zero, MODULE_MISSING. Loads. */
enum module_info kallsyms_info(struct kallsyms *k);

/*
 * The linker's name of the function at address, or NULL. *module is its kernel
 * module with brackets, NULL in the kernel proper. Both live as long as k.
 */
const char *kallsyms_find(struct kallsyms *k, uint64_t address, const char **module);

#endif
