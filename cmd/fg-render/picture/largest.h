/*
 * largest: the threads and the modules with most of the profile total, for the legend and the
 * terminal. Each function fills `name` with numbers of names, largest first, and returns how many
 * there are; none if there is only one thread or module.
 */
#ifndef LARGEST_H
#define LARGEST_H

#include <stddef.h>
#include <stdint.h>

#include "fg-render/picture.h"

#define LARGEST_MAX 5

/* Threads, by total. One whose name a frame with a caller has is left out: filters meet both. */
size_t largest_threads(const struct picture *p, uint32_t name[LARGEST_MAX]);

/* Modules, by self value: one of the names of each. */
size_t largest_modules(const struct picture *p, uint32_t name[LARGEST_MAX]);

#endif
