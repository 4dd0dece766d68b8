/*
 * valgrindframe: a frame as valgrind's tools for the heap write it,
 *
 *	0x109287: big(int) (alloc.cpp:8)
 *	0x401AB77: ??? (in /usr/lib/ld-linux-x86-64.so.2)
 */
#ifndef VALGRINDFRAME_H
#define VALGRINDFRAME_H

#include <stdbool.h>

#include "base/text.h"
#include "profile/frame.h"

/*
 * Take such a frame apart; its parts are borrowed from s, its function's name, tidied, from
 * t. False when no address stands first.
 */
bool valgrindframe_read(struct frame *f, struct text *t, struct str s);

#endif
