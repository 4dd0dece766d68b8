/*
 * jitmap: the names of code that a process generated: the lines that its runtime
 * writes into /tmp/perf-PID.map, and the records of a jitdump, go in; the function
 * at an address, at a time, comes out.
 */
#ifndef JITMAP_H
#define JITMAP_H

#include <stddef.h>
#include <stdint.h>

struct jitmap_line {
	uint64_t address;
	const char *file;
	unsigned line;
};

/* A piece of generated code. */
struct jitmap_code {
	uint64_t start, end;
	uint64_t time; /* CLOCK_MONOTONIC ns when it was loaded; 0 when unknown */
	const char *name;
	const struct jitmap_line *lines; /* by address */
	uint32_t nlines;
};

struct jitmap;

/*
 * For a process that is alive, if possible: its /tmp and its number in its own
 * pid namespace are looked up now, the files read when an address is asked for.
 */
struct jitmap *jitmap_new(int pid);

/* A jitdump that the process mapped; opened now, through /proc/PID/root if need be. */
void jitmap_dump(struct jitmap *j, const char *path);

/*
 * The code at address at that time (0: the last that was there), or NULL. Files that
 * grew meanwhile are read on first. What is returned stays until the next call; its
 * strings and lines until exit.
 */
const struct jitmap_code *jitmap_find(struct jitmap *j, uint64_t address, uint64_t time);

/* How many functions are known. */
size_t jitmap_count(const struct jitmap *j);

/*
 * For jitdump: add code, whose name the map keeps; NULL when its range is nonsense.
 * What is added later takes the place of earlier code, also of parts of it.
 */
struct jitmap_code *jitmap_add(
    struct jitmap *j, uint64_t start, uint64_t length, uint64_t time, const char *name);

/* The code that was added last at this very start, or NULL; valid until the next is added. */
const struct jitmap_code *jitmap_latest(const struct jitmap *j, uint64_t start);

/*
 * Open a regular file for reading, -1 for anything else. Never through a symbolic
 * link: /tmp is everybody's, and we may be root.
 */
int jitmap_open_regular(int folder, const char *path);

#endif
