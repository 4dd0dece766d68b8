/*
 * bpfmaps: entries of bpftrace maps, from its text or JSON output. An entry is a
 * comma-separated list of keys; a stack is a key of several lines:
 *
 *	\n    schedule+35\n    worker_thread+152\n,\n    main+12\n, bash, 3914
 *
 * Stacks are leaf first; kstack precedes ustack. A word among the keys is the comm, a
 * number the pid; any other key is a frame at the root.
 */
#ifndef BPFMAPS_H
#define BPFMAPS_H

#include "fg-collapse/reader.h"
#include "fg-collapse/shape/stack.h"

struct bpfmaps {
	struct reader *reader;
	struct stack stack;
	uint64_t stackless; /* entries without a stack */
	const char *indented; /* end of the first stack of the next entry, or NULL if unknown */

	/* Private. */
	struct text last; /* name of the last map; its event number is in event */
	bool named; /* last and event are set */
	uint32_t event;
	/* Stacks of the current entry in their order, with data of the previous entry, because most
	 * lines near the root are equal. */
	struct bpfstack {
		struct str text, was; /* all lines of the stack; was: those of the previous entry */
		size_t common; /* length of the common suffix of text and was */
		bool root_kernel; /* the root looks like the kernel's; kernel: the decision */
		bool kernel, was_kernel;
		struct bpfline {
			size_t tail; /* bytes from its start to the end of text */
			uint32_t name;
		} * line; /* root first; those of the previous entry until name_lines */
		size_t n, cap;
	} * part;
	size_t npart, cappart;
};

/* Declares to the sampler that frames come leaf first. */
void bpfmaps_init(struct bpfmaps *m, struct reader *r);
void bpfmaps_free(struct bpfmaps *m);

/* Event number of a map, named after the map. */
uint32_t bpfmaps_event(struct bpfmaps *m, struct str name);

/*
 * Adds an entry: the text between the brackets, and its value. False if it is malformed.
 * entry must stay valid until the next call, or until bpfmaps_forget.
 */
bool bpfmaps_entry(struct bpfmaps *m, uint32_t event, struct str entry, value v);
void bpfmaps_forget(struct bpfmaps *m);

/*
 * First newline at or after `at` that is not followed by a blank, or `end`. Adds the
 * number of newlines up to it, itself included, to *lines.
 */
const char *bpfmaps_indented(const char *at, const char *end, uint32_t *lines);

/* Adds the frame of a line such as `schedule+35` to .stack. */
void bpfmaps_frame(struct bpfmaps *m, struct str s, bool kernel);

#endif
