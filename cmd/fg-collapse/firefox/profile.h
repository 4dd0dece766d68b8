/*
 * profile: what firefox.c reads of a profile, and what becomes of a thread's stacks in
 * stacks.c.
 */
#ifndef FIREFOX_PROFILE_H
#define FIREFOX_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/firefox/tables.h"
#include "fg-collapse/shape/prefixtable.h"
#include "fg-collapse/shape/syms.h"

struct lib {
	struct text name, path, debug_name, id;
	uint64_t start, end; /* of a raw profile */
	const struct syms_module *symbols; /* NULL for none */
};

struct thread {
	struct text name, pid, tid;
	struct thread_tables own;
	struct thread_samples samples, native, js; /* and allocations */
	uint32_t process;
};

struct process { /* its libs */
	size_t first, n;
};

struct profile {
	struct reader *reader;
	struct json *json;
	struct thread_tables shared;
	struct json_strings category;
	struct text cpu_unit; /* of meta.sampleUnits */
	struct thread *thread;
	size_t nthread, capthread;
	struct process *process;
	uint32_t nprocess, capprocess;
	struct lib *lib;
	size_t nlib, caplib;
	const struct syms *syms; /* of the file beside it */
	uint64_t nameless; /* frames that are addresses */

	/* Of the thread that is taken. */
	struct json_indices names,
	    end; /* of frames: their names in the tree, where those of each end */
	struct json_indices last; /* of stacks: the last of what it is made of */
	struct prefixtable parents;
	bool built; /* of what threads share, for that process */
	uint32_t built_for;
};

/*
 * The stacks of a thread by their numbers: last and parents. A frame may be several where
 * functions are inlined, or none.
 */
void stacks_build(struct profile *p, const struct thread *th, const struct thread_tables *t);

#endif
