/*
 * modulecost: what each module has cost the symbolizer, as its observer sees it at intervals, and
 * the limits of one module.
 */
#ifndef MODULECOST_H
#define MODULECOST_H

#include <stddef.h>
#include <stdint.h>

struct modulecost_entry {
	uint32_t module;
	uint64_t ns, bytes;
};

struct modulecost {
	uint64_t ns, bytes; /* limits of one module: CPU time, and growth of memory */
	struct modulecost_entry *entry;
	size_t n, cap;
};

/*
 * Forgets all costs, and sets the limits: 2 minutes and a half of `memory` bytes, for each of
 * `failures` modules that were at fault before halved, down to 8 s and 64 MB, so that many hostile
 * files take little more than one. Free c->entry at the end.
 */
void modulecost_begin(struct modulecost *c, uint64_t memory, unsigned failures);

enum modulecost_answer {
	MODULECOST_WITHIN,
	MODULECOST_TIME, /* the module has taken more than c->ns */
	MODULECOST_MEMORY, /* more than c->bytes */
	MODULECOST_INVALID, /* more modules than a symbolizer has */
};

/* Adds a cost of a module. */
enum modulecost_answer modulecost_add(
    struct modulecost *c, uint32_t module, uint64_t ns, uint64_t bytes);

#endif
