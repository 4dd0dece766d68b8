/* recipe: the steps of a recipe (kernel/walkabi.h), for the tables of the readers of runtimes. */
#ifndef RECIPE_H
#define RECIPE_H

#include "kernel/walkabi.h"

/* Copies `bytes` at base + at, and sets registers: {register, offset in these bytes}, ... */
#define COPY(from, at, bytes, otherwise, ...)                                                 \
	{                                                                                     \
		.op = WALK_COPY, .base = from, .target = otherwise, .n = bytes, .offset = at, \
		.get = { __VA_ARGS__ }                                                        \
	}
/* reg = the word at from + at */
#define READ(reg, from, at, otherwise)                                                      \
	{                                                                                   \
		.op = WALK_READ, .base = from, .to = reg, .target = otherwise, .offset = at \
	}
/* reg = from + value; jumps to `next` unless it is 0 */
#define SET(reg, from, value, next)                                                      \
	{                                                                                \
		.op = WALK_SET, .base = from, .to = reg, .target = next, .offset = value \
	}
/* Clears bits of a register; jumps to `next` unless it is 0. */
#define CLEAR(reg, bits, next)                                                    \
	{                                                                         \
		.op = WALK_SET, .base = reg, .to = reg, .target = next, .n = bits \
	}
/* reg = from without bits; jumps to `next` unless it is 0. */
#define WITHOUT(reg, from, bits, next)                                             \
	{                                                                          \
		.op = WALK_SET, .base = from, .to = reg, .target = next, .n = bits \
	}
#define IF_IS(a, value, next)                                                             \
	{                                                                                 \
		.op = WALK_EQUAL, .base = a, .target = next, .offset = -(uint64_t)(value) \
	}
#define IF_EQUAL(a, b, next)                                         \
	{                                                            \
		.op = WALK_EQUAL, .base = a, .to = b, .target = next \
	}
#define IF_ZERO(a, next) IF_EQUAL(a, WALK_ZERO, next)
#define GO(next) IF_EQUAL(WALK_ZERO, WALK_ZERO, next)
/* reg = a register of the thread, by its offset in struct pt_regs */
#define USER(reg, where)                                    \
	{                                                   \
		.op = WALK_USER, .to = reg, .offset = where \
	}

#define KNOWN(reg)                          \
	{                                   \
		.op = WALK_KNOWN, .to = reg \
	}
#define KEEP(reg)                            \
	{                                    \
		.op = WALK_KEEP, .base = reg \
	}
#define END                    \
	{                      \
		.op = WALK_END \
	}

#endif
