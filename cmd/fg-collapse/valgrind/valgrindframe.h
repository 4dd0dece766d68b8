/*
 * valgrindframe: frames as valgrind's heap profilers write them:
 *
 *	0x109287: big(int) (alloc.cpp:8)
 *	0x401AB77: ??? (in /usr/lib/ld-linux-x86-64.so.2)
 */
#ifndef VALGRINDFRAME_H
#define VALGRINDFRAME_H

#include <stdbool.h>

#include "base/text.h"
#include "names/frame.h"

/*
 * Parses such a frame. Its strings point into s, its normalized function name into t.
 * False if s does not start with an address.
 */
bool valgrindframe_read(struct frame *f, struct text *t, struct str s);

#endif
