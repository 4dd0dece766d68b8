/*
 * memory: the bytes of a process, read through a page cache that is valid for one sample.
 *
 * Interpreters keep their frames in linked structures, so a stack takes hundreds of small
 * reads; the cache turns them into a few large ones. Pages come from process_vm_readv(2), a
 * descriptor of /proc/PID/mem, or an image in our own memory. The process may change or
 * damage its memory at will: each sample has a budget of pages, and when that is spent all
 * reads fail.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_PAGE 4096

struct memory_reader;

/* Of a process or thread by number; of a descriptor that stays the caller's. */
struct memory_reader *memory_of_process(int pid);
struct memory_reader *memory_of_descriptor(int fd);

/* Of n bytes that the process has at an address; they stay the caller's. */
struct memory_reader *memory_of_image(uint64_t address, const void *bytes, size_t n);

void memory_free(struct memory_reader *m);

/* A new sample: forget all pages and the overlay, and renew the budget. */
void memory_begin(struct memory_reader *m);

/* For the current sample, bytes at an address that were copied earlier (a stack copy). */
void memory_overlay(struct memory_reader *m, uint64_t address, const void *bytes, size_t n);

/* Copy n bytes; false, and zeros, when any of them cannot be read. */
bool memory_read(struct memory_reader *m, uint64_t address, void *to, size_t n);

/* A word, half a word, a byte; 0 when it cannot be read. */
uint64_t memory_u64(struct memory_reader *m, uint64_t address);
uint32_t memory_u32(struct memory_reader *m, uint64_t address);
uint8_t memory_u8(struct memory_reader *m, uint64_t address);

/* A string that ends with a NUL, at most size - 1 bytes of it; false when it cannot be read. */
bool memory_string(struct memory_reader *m, uint64_t address, char *to, size_t size);

/* Read the pages of all these addresses with few system calls; 0 stands for none. */
void memory_prefetch(struct memory_reader *m, const uint64_t *address, size_t n);

/* For tests of readers: from now on damage each page that is read, by a generator of that seed. */
void memory_damage(struct memory_reader *m, uint64_t seed);

/* System calls and pages since memory_begin; whether the budget is spent. */
struct memory_cost {
	unsigned calls, pages;
	bool spent;
};
struct memory_cost memory_cost(const struct memory_reader *m);

#endif
