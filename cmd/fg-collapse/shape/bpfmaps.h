/*
 * bpfmaps: the entries of bpftrace's maps, as it prints them and as it writes them in
 * JSON: keys with a comma between them, of which stacks are lines,
 *
 *	\n    schedule+35\n    worker_thread+152\n,\n    main+12\n, bash, 3914
 *
 * The leaf of a stack comes first; kstack is above ustack, whichever is there. A name
 * among the keys is the comm, a number the pid, all else a frame at the root.
 */
#ifndef BPFMAPS_H
#define BPFMAPS_H

#include "fg-collapse/reader.h"
#include "fg-collapse/shape/stack.h"

struct bpfmaps {
	struct reader *reader;
	struct stack stack;
	uint64_t stackless; /* entries */
	const char *indented; /* where the first stack of the next entry ends, if that is known */

	/* Private. */
	struct text last; /* the name of the last map, whose number is event */
	bool named; /* there was one */
	uint32_t event;
	/* The stacks of the entry at hand by their order in it, and what is left of those of
	 * the entry before: most lines from the root on are the same. */
	struct bpfstack {
		struct str text, was; /* all its lines */
		size_t common; /* bytes at the ends of both */
		bool root_kernel; /* as the root says; and what it was taken for: */
		bool kernel, was_kernel;
		struct bpfline {
			size_t tail; /* bytes from its beginning to the end of the text */
			uint32_t name;
		} * line; /* the root first; of the entry before until they are named */
		size_t n, cap;
	} * part;
	size_t npart, cappart;
};

/* The input's frames come leaf first. */
void bpfmaps_init(struct bpfmaps *m, struct reader *r);
void bpfmaps_free(struct bpfmaps *m);

/* The event of a map: its name. */
uint32_t bpfmaps_event(struct bpfmaps *m, struct str name);

/*
 * An entry: all that is between the brackets, with its value; false when it is none. Its
 * text has to stay until the next entry, unless bpfmaps_forget is called before that.
 */
bool bpfmaps_entry(struct bpfmaps *m, uint32_t event, struct str entry, value v);
void bpfmaps_forget(struct bpfmaps *m);

/*
 * The first newline from `at` on behind which no line begins with a blank, or `end`; with
 * the newlines until there, itself among them, added to lines.
 */
const char *bpfmaps_indented(const char *at, const char *end, uint32_t *lines);

/* A line that is a frame, to .stack: `schedule+35`. */
void bpfmaps_frame(struct bpfmaps *m, struct str s, bool kernel);

#endif
