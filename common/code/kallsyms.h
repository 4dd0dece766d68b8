/*
 * kallsyms: /proc/kallsyms goes in, a kernel function and its module for each
 * address comes out.
 */
#ifndef KALLSYMS_H
#define KALLSYMS_H

#include <stdint.h>

#include "code/module.h"

/* Load in a helper thread; kallsyms_find waits for it. At most once, in the resolving thread. */
void kallsyms_start(void);

/* MODULE_SYMBOLS, MODULE_HIDDEN when all addresses read as zero, MODULE_MISSING. Loads. */
enum module_info kallsyms_info(void);

/*
 * The linker's name of the function at address, or NULL. *module is its kernel
 * module with brackets, NULL in the kernel proper. Both live until exit.
 */
const char *kallsyms_find(uint64_t address, const char **module);

#endif
