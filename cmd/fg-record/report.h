/*
 * report: unnamed stacks become folded text.
 */
#ifndef REPORT_H
#define REPORT_H

#include "base/output.h"
#include "record.h"

/* How well the frames of a recording could be named. */
struct report_module {
	const struct module *module;
	uint64_t samples; /* that had their leaf there */
};

struct report {
	uint64_t frames; /* each as often as it was sampled */
	uint64_t unresolved; /* of these, without a function's name */
	uint64_t samples;
	struct report_module *module; /* by number of the module */
	size_t nmodule;
};

/*
 * Name all frames and write the stacks; what it finds of names is added to rep.
 * While names are looked up, which may take long, `meanwhile` is called now and
 * then (it may be NULL).
 */
void report_write(const struct recording *r, const struct places *p, struct output *out,
    struct report *rep, void (*meanwhile)(void *), void *arg);

#endif
