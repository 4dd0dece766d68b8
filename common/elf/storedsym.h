/*
 * storedsym: functions that a recording itself stores, by mapped path: those of Android's
 * simpleperf, which copies the symbols of all sampled functions into its file.
 */
#ifndef STOREDSYM_H
#define STOREDSYM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/rangemap.h"
#include "base/text.h"

/* The functions of one path. */
struct storedsym_file {
	char *path; /* owned */
	bool absolute; /* JIT code: symbols have addresses of the process, not of the file */
	/* else: address of a symbol - its offset in the file or, if by_mapping, in the mapping */
	uint64_t bias;
	bool by_mapping;
	struct rangemap functions; /* `what` are linker names */
};

/* All zero when empty. */
struct storedsyms {
	struct storedsym_file **file;
	size_t n, cap;
	struct hash_index by_path; /* index in file, plus 1 */
};

/*
 * Returns the file of that path, which is added if there is none. Valid until exit; its functions
 * can be looked up after storedsyms_finish.
 */
struct storedsym_file *storedsyms_add(struct storedsyms *s, struct str path);

/* Adds a function of `length` bytes; copies its name. */
void storedsym_add(struct storedsym_file *f, uint64_t start, uint64_t length, struct str name);

/* Call after the last addition. */
void storedsyms_finish(struct storedsyms *s);

/* The file of that path, or NULL. */
const struct storedsym_file *storedsyms_find(const struct storedsyms *s, struct str path);

/*
 * The file that stores functions of the kernel: its symbols have addresses of the kernel's memory,
 * and its path is STOREDSYM_KERNEL.
 */
#define STOREDSYM_KERNEL "[kernel.kallsyms]"

#endif
