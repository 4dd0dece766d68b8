/*
 * jitmap: function names of a process's JIT code by address and time, from the perf map that
 * its runtime writes, perf-PID.map, and from jitdumps.
 */
#ifndef JITMAP_H
#define JITMAP_H

#include <stddef.h>
#include <stdint.h>

#include "elf/jitcode.h"
#include "access/symsource.h"

struct jitmap;

/*
 * Creates the map of a process, a living one if the source is live. File locations are looked
 * up now; the files are read at the first query.
 */
struct jitmap *jitmap_new(const struct symsource *o, int pid);
void jitmap_free(struct jitmap *j);

/* Opens a jitdump that the process mapped. */
void jitmap_dump(struct jitmap *j, const char *path);

/*
 * The code at address at that time (0: the most recent), or NULL. First reads the growth of the
 * files, and all of a rewritten perf map, at most once; after the first call that takes at most
 * 10 ms and a twentieth of the time, so the newest code may be missing. The result is valid until
 * the next call; its strings and lines until jitmap_free.
 */
const struct jitcode_piece *jitmap_find(struct jitmap *j, uint64_t address, uint64_t time);

/* The number of functions. */
size_t jitmap_count(const struct jitmap *j);

#endif
