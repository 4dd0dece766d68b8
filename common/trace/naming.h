/*
 * naming: places to samples with names, when a recording has ended. Each place is
 * named once, with the functions inlined there as frames of their own; what is made
 * of frames, roots and stacks is the sampler's.
 */
#ifndef NAMING_H
#define NAMING_H

#include <stddef.h>
#include <stdint.h>

#include "code/symbol.h"
#include "profile/sample.h"
#include "trace/rawtree.h"
#include "trace/timeline.h"

/* Counts of symbolized and unsymbolized frames. */
struct naming_module {
	const struct module *module;
	uint64_t samples; /* that had their leaf there */
};

struct naming_count {
	uint64_t frames; /* each as often as it was sampled */
	uint64_t unresolved; /* of these, unsymbolized */
	uint64_t samples;
	struct naming_module *module; /* by number of the module */
	size_t nmodule;
};

struct naming {
	unsigned flags; /* SYMBOL_* */
	bool bare; /* nothing is looked up: each frame has the name of its module */
	uint64_t unit; /* weights are divided by it, rounded when they have been added up; 1 */
	struct naming_count count; /* is added to */
};

/*
 * Give s the columns of a wall-clock profile, in us; event: their numbers. Before the first
 * sample of an input.
 */
void naming_add_time_columns(struct sampler *s, uint32_t event[TIMELINE_COLUMNS]);

/*
 * Add all that is in p to s, whose columns are settled and hold all of
 * rawtree_task.column. Stacks whose weight rounds to nothing are left out.
 */
void naming_add(
    struct naming *n, const struct rawtree *p, struct modules *modules, struct sampler *s);

#endif
