/*
 * jitmap: what a process's generated code is called. The lines that its runtime
 * writes into a perf map, perf-PID.map, and the records of jitdumps, go in; the
 * function at an address, at a time, comes out.
 */
#ifndef JITMAP_H
#define JITMAP_H

#include <stddef.h>
#include <stdint.h>

#include "code/jitcode.h"
#include "code/symsource.h"

struct jitmap;

/*
 * For a process that is alive, if the origin is: where it writes is looked up now, the
 * files are read when an address is asked for.
 */
struct jitmap *jitmap_new(const struct symsource *o, int pid);
void jitmap_free(struct jitmap *j);

/* A jitdump that the process mapped; opened now. */
void jitmap_dump(struct jitmap *j, const char *path);

/*
 * The code at address at that time (0: the last that was there), or NULL. Files that
 * grew meanwhile are read on first. What is returned stays until the next call; its
 * strings and lines until jitmap_free.
 */
const struct jitcode_piece *jitmap_find(struct jitmap *j, uint64_t address, uint64_t time);

/* How many functions are known. */
size_t jitmap_count(const struct jitmap *j);

#endif
