/*
 * allocator: is a function part of a memory allocator, so that its caller is who asked for memory?
 */
#ifndef ALLOCATOR_H
#define ALLOCATOR_H

#include <stdbool.h>

#include "base/text.h"

/*
 * True for malloc(3) and its family, operator new, the allocating internals of libstdc++, libc++
 * and Rust's std, and the allocators of GLib, jemalloc, tcmalloc, CPython, Ruby, PHP, Perl and Lua.
 * frame: a frame's text as in folded(5).
 */
bool allocator_has(struct str frame);

#endif
