/*
 * memory: reads a process's memory through a page cache that is valid for one sample.
 *
 * Interpreters link their frames, so a stack needs hundreds of small reads; the cache merges
 * them into a few large ones. Pages come from process_vm_readv(2), a descriptor of
 * /proc/PID/mem, or an image in our own memory. The process may change or damage its memory at
 * any time: each sample has a budget of pages and system calls, and after that all
 * reads fail. Or a reader is restricted to the copies of a BPF program (copies.h).
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_PAGE 4096

struct copies;
struct memory_reader;

/* A reader of a process or thread by its number. */
struct memory_reader *memory_of_process(int pid);

/* A reader of n bytes that the process has at address; the caller owns the bytes. */
struct memory_reader *memory_of_image(uint64_t address, const void *bytes, size_t n);

void memory_free(struct memory_reader *m);

/* Frees the page cache (1 MiB) until the next read. Call it at the end of a sample. */
void memory_release(struct memory_reader *m);

/* Starts a sample: discards all pages and the overlay, and renews the budget. */
void memory_begin(struct memory_reader *m);

/* Overlays memory at address, for the current sample, with bytes copied earlier (a stack copy). */
void memory_overlay(struct memory_reader *m, uint64_t address, const void *bytes, size_t n);

/*
 * For the current sample, nothing is read but these copies, which the caller owns, and the overlay:
 * other memory is unreadable, since the process runs and changes it.
 */
void memory_restrict(struct memory_reader *m, const struct copies *c);

/*
 * From now on, bytes that copies lack are read from the process: names, which do not change while
 * the object that leads to them is the same. memory_is_proved ends that; false if anything was read
 * so and the bytes of that object differ now from its copy, but for the first 8.
 */
void memory_read_later(struct memory_reader *m);
bool memory_is_proved(struct memory_reader *m, uint64_t object);

/*
 * Copies n bytes of an object whose first 8 bytes change at most, and which may have been freed.
 * Like memory_read; with copies, bytes that these lack are read from the process, if the copy of
 * the object's beginning still has the same bytes there.
 */
bool memory_rest(struct memory_reader *m, uint64_t object, uint64_t address, void *to, size_t n);

/*
 * Copies n bytes to which a pointer leads, whose word at `pointer` has that value. Like
 * memory_read; with copies, bytes that these lack are read from the process, if the word there has
 * the value after that, too.
 */
bool memory_behind(struct memory_reader *m, uint64_t pointer, uint64_t value, uint64_t address,
    void *to, size_t n);

/*
 * Copies n bytes past the cache, and with the same system call fills it with pages that the last
 * samples needed. Returns the number of bytes, fewer than n where a mapping ends; 0: nothing was
 * copied, or the last sample needed no pages.
 */
size_t memory_fetch(struct memory_reader *m, uint64_t address, void *to, size_t n);

/* Copies n bytes; false, and zeros, when any of them is unreadable. */
bool memory_read(struct memory_reader *m, uint64_t address, void *to, size_t n);

/* errno of the last read of a process that failed; 0: none since memory_begin. */
int memory_error(const struct memory_reader *m);

/* Read 8, 4 or 1 bytes; 0 when unreadable. */
uint64_t memory_u64(struct memory_reader *m, uint64_t address);
uint32_t memory_u32(struct memory_reader *m, uint64_t address);
uint8_t memory_u8(struct memory_reader *m, uint64_t address);

/*
 * True if the word at address still has this value, read past the page cache: an object that was
 * read since through this pointer has not moved.
 */
bool memory_is_still(struct memory_reader *m, uint64_t address, uint64_t value);

/* Reads a NUL-terminated string, at most size - 1 bytes; false when unreadable. */
bool memory_string(struct memory_reader *m, uint64_t address, char *to, size_t size);

/* Reads the pages of all these addresses with few system calls; address 0 is skipped. */
void memory_prefetch(struct memory_reader *m, const uint64_t *address, size_t n);

/* For tests of readers: damages each page read from now on, by a generator with that seed. */
void memory_damage(struct memory_reader *m, uint64_t seed);

/*
 * Cost since memory_begin: system calls, pages, and whether the budget is spent, or copies
 * were not enough.
 */
struct memory_cost {
	unsigned calls, pages;
	bool spent, lacked;
};
struct memory_cost memory_cost(const struct memory_reader *m);

#endif
