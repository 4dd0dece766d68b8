/*
 * namedframe: converts simpleperf's symbol and file of an address into a frame.
 */
#ifndef NAMEDFRAME_H
#define NAMEDFRAME_H

#include "base/text.h"
#include "names/frame.h"

/* Values of simpleperf's field execution_type. */
enum { SIMPLEPERF_NATIVE, SIMPLEPERF_INTERPRETED, SIMPLEPERF_JIT, SIMPLEPERF_ART };

/*
 * Appends the function's name; nothing for an unknown function, whose symbol repeats the file with
 * an address, `libc.so[+1f0]`.
 */
void simpleperf_name(struct text *t, struct str symbol);

/*
 * Returns the frame of a symbol in a file, both in simpleperf's notation. *text stores the name.
 */
struct frame simpleperf_frame(
    struct str symbol, struct str file, uint64_t vaddr, int execution, struct text *text);

#endif
