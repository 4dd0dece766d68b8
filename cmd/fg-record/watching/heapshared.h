/*
 * heapshared: --heap where hardware breakpoints are refused or in use: libfgheap.so writes its
 * calls into memory that it shares with the recorder (heapabi), which adds them to a ring of its
 * own as if the kernel had sampled them.
 */
#ifndef HEAPSHARED_H
#define HEAPSHARED_H

#include <stdbool.h>
#include <stdint.h>

#include "fg-record/watching/rings.h"

struct heapshared;

/* Makes the memory, and names it in our environment for a command. Exits 125 if there is none. */
struct heapshared *heapshared_new(void);

/* Adds its ring; call it once, when rs has its size and format. */
void heapshared_open(struct heapshared *h, struct rings *rs);

/* Adds the calls that are complete to the ring; false if some of them had no space. */
bool heapshared_fill(struct heapshared *h, struct rings *rs);

/* The number of calls that were lost since the last time. */
uint64_t heapshared_lost(struct heapshared *h);

#endif
