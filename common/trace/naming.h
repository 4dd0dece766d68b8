/*
 * naming: symbolizes a rawtree when a recording has ended, and adds its samples to a sampler. Each
 * frame is symbolized once; functions inlined there become frames of their own. Frame names, roots
 * and suffixes are the sampler's.
 */
#ifndef NAMING_H
#define NAMING_H

#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol.h"
#include "profile/labels.h"
#include "sample/sampler.h"
#include "trace/rawtree.h"
#include "trace/timeline.h"

/* Counts of symbolized and unsymbolized frames. */
struct naming_module {
	struct module *module; /* NULL: no frame is in it */
	uint64_t samples; /* with their leaf in this module */
	uint64_t nameless; /* of these, with an unsymbolized leaf */
};

struct naming_count {
	uint64_t frames; /* weighted by samples */
	uint64_t unresolved; /* of these, unsymbolized */
	uint64_t samples;
	struct naming_module *module; /* by module number */
	size_t nmodule;
};

/* Progress of symbolization, for an observer in another process. */
struct naming_progress {
	uint32_t module; /* its number plus 1; 0: none */
};

struct naming {
	unsigned flags; /* SYMBOL_* */
	struct naming_progress *progress; /* NULL: no observer */
	bool caller_of_allocator; /* values go to the caller of leaf frames of an allocator */
	bool logical; /* an address is of one call, perhaps an inlined one, not of all around it */
	bool bare; /* no symbolization: each frame shows its module's name */
	/* divisor of the weights, which are summed before they are rounded; 1: none */
	uint64_t unit;
	struct naming_count count; /* the job adds its counts */
};

/*
 * Give s the columns of a wall-clock profile, in us; event: returns their numbers. Call it before
 * the first sample of an input.
 */
void naming_add_time_columns(struct sampler *s, uint32_t event[TIMELINE_COLUMNS]);

/*
 * Add all samples of p to s, whose columns must include all rawtree_task.column of p. Stacks whose
 * weight rounds to 0 are skipped.
 */
void naming_add(
    struct naming *n, const struct rawtree *p, struct modules *modules, struct sampler *s);

/*
 * Adds the label build-id (names/origin) with the files that have at least 1 % of the samples
 * in code without symbols.
 */
void naming_label_builds(const struct naming_count *n, struct labels **l);

#endif
