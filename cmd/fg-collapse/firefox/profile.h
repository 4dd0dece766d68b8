/*
 * profile: the parsed profile (firefox.c), and the stacks of a thread (stacktable.c).
 */
#ifndef FIREFOX_PROFILE_H
#define FIREFOX_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fg-collapse/firefox/threadtables.h"
#include "fg-collapse/shape/prefixtable.h"
#include "fg-collapse/firefox/syms.h"

struct lib {
	struct text name, path, debug_name, id;
	uint64_t start, end; /* address range, in a raw profile */
	const struct syms_module *symbols; /* NULL if absent */
};

struct thread {
	struct text name, pid, tid;
	struct thread_tables own;
	struct thread_samples samples, native, js; /* samples; native and JS allocations */
	uint32_t process;
};

struct process { /* range of its libs in lib */
	size_t first, n;
};

struct profile {
	struct reader *reader;
	unsigned depth; /* of the profile that is read, in profiles */
	uint32_t libs; /* the process of its libs; UINT32_MAX: none so far */
	struct thread_tables shared;
	struct json_strings category;
	struct text cpu_unit; /* unit of CPU time, from meta.sampleUnits */
	uint64_t version, gecko_version; /* of the format: of a processed or a raw profile */
	bool exported; /* by fg-render: the time between samples means nothing */
	struct thread *thread;
	size_t nthread, capthread;
	struct process *process;
	uint32_t nprocess, capprocess;
	struct lib *lib;
	size_t nlib, caplib;
	const struct syms *syms; /* symbols from the file next to the profile */
	uint64_t nameless; /* unsymbolized frames */

	/* State of the current thread. */
	struct json_indices names,
	    end; /* of frames: names in the tree; end of each frame's names */
	struct json_indices last; /* of stacks: the leaf-most of the entries it consists of */
	struct prefixtable parents;
	bool built; /* the above is for shared tables and the process built_for */
	uint32_t built_for;
};

/*
 * Builds last and parents for the stacks of a thread. A frame can yield several entries
 * because of inlined functions, or none.
 */
void stacks_build(struct profile *p, const struct thread *th, const struct thread_tables *t);

/* Index in parents of a stack of the profile; JSON_NO_INDEX is a stack without frames. */
uint32_t stack_of(const struct profile *p, uint32_t stack);

#endif
