/*
 * symbol: a frame from what simpleperf says of an address.
 */
#ifndef SIMPLEPERF_SYMBOL_H
#define SIMPLEPERF_SYMBOL_H

#include "base/text.h"
#include "profile/frame.h"

/* Of execution_type. */
enum { SIMPLEPERF_NATIVE, SIMPLEPERF_INTERPRETED, SIMPLEPERF_JIT, SIMPLEPERF_ART };

/*
 * A frame of a symbol in a file, both as simpleperf writes them. A symbol that is the
 * file with an address, `libc.so[+1f0]`, is an unknown function. The name is in *text.
 */
struct frame simpleperf_frame(
    struct str symbol, struct str file, uint64_t vaddr, int execution, struct text *text);

#endif
