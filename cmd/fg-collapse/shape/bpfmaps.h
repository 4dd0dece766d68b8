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

	/* Private. */
	struct text last; /* the name of the last map, whose number is event */
	bool named; /* there was one */
	uint32_t event;
	struct line {
		struct str text;
		uint32_t name;
		bool kernel;
	} * line, *last_line; /* of the entry at hand, and of the one before */
	size_t nline, capline, nlast, caplast;
};

/* The input's frames come leaf first. */
void bpfmaps_init(struct bpfmaps *m, struct reader *r);
void bpfmaps_free(struct bpfmaps *m);

/* The event of a map: its name. */
uint32_t bpfmaps_event(struct bpfmaps *m, struct str name);

/*
 * An entry: all that is between the brackets, with its value; false when it is none.
 * whole: stack_again was asked for it. Its text has to stay until the next entry, unless
 * bpfmaps_forget is called before that.
 */
bool bpfmaps_entry(struct bpfmaps *m, uint32_t event, struct str entry, value v, bool whole);
static inline void
bpfmaps_forget(struct bpfmaps *m)
{
	m->nlast = 0;
}

/* A line that is a frame, to .stack: `schedule+35`. */
void bpfmaps_frame(struct bpfmaps *m, struct str s, bool kernel);

#endif
