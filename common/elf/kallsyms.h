/*
 * kallsyms: kernel functions and their kernel modules by address, from the kernel's symbols as
 * text.
 */
#ifndef KALLSYMS_H
#define KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

#include "access/symsource.h"
#include "elf/moduleinfo.h"

struct kallsyms;

struct kallsyms *kallsyms_new(const struct symsource *o);
/*
 * Like kallsyms_new, for symbols in a text of n bytes, loaded at once. Takes ownership of the text,
 * which must have one more byte after its end.
 */
struct kallsyms *kallsyms_of(char *text, size_t n);
void kallsyms_free(struct kallsyms *k);

/*
 * Loads in a helper thread; kallsyms_find waits for it. Call at most once, in the symbolizing
 * thread.
 */
void kallsyms_start(struct kallsyms *k);

/* Waits for that thread, if there is one. */
void kallsyms_wait(struct kallsyms *k);

/*
 * Loads the symbols. Returns MODULE_SYMBOLS, MODULE_HIDDEN when all addresses read as zero, or
 * MODULE_MISSING.
 */
enum module_info kallsyms_info(struct kallsyms *k);

/*
 * Returns the linker name of the function at address, or NULL. *module is its kernel module in
 * brackets, NULL in the kernel proper. Both strings live as long as k.
 */
const char *kallsyms_find(struct kallsyms *k, uint64_t address, const char **module);

#endif
