/*
 * threadlabel: labels of threads, for --group-by: values that a program gives its threads, read in
 * the memory of the process at a sample.
 */
#ifndef THREADLABEL_H
#define THREADLABEL_H

#include <stdbool.h>

#include "base/text.h"
#include "kernel/walkabi.h"
#include "runtime/runtime.h"

#define THREADLABEL_MAX 200 /* bytes of a value; the rest is cut */

/* The label that is read. */
struct threadlabel_key {
	const char *key;
	const char *variable; /* thread-local variable that has it; NULL: the runtime has it */
};

/* When the label of a thread can be read. */
enum threadlabel_from {
	LABEL_STOPPED, /* while the thread is stopped, or from copies by the recipe */
	LABEL_COPIED, /* from copies by the recipe only */
	LABEL_ANYTIME, /* while the thread runs; without a recipe */
};

/* A kind of processes that have labels. */
struct threadlabel {
	const char *name; /* for messages, as "Go" */
	enum threadlabel_from from;
	/*
	 * Returns the state for the label in a process, or NULL and p->reason; p and the key must
	 * outlive it. An empty reason: it is not such a process.
	 */
	void *(*open)(struct runtime_process *p, const struct threadlabel_key *key);
	/* See struct runtime. */
	bool (*recipe)(void *state, struct walk_step step[WALK_STEPS]);
	/* Appends the value; false if the thread has none, or it cannot be read. */
	bool (*read)(void *state, const struct runtime_sample *at, struct text *to);
	void (*close)(void *state);
};

/* A language whose threads have names of its own. */
struct threadname_reader {
	/* Returns the state, or NULL; p must outlive it. */
	void *(*open)(struct runtime_process *p);
	/*
	 * Appends the name of a running thread; false if it has none, or it cannot be read. comm:
	 * the kernel's name of it.
	 */
	bool (*read)(void *state, int tid, const char *comm, struct text *to);
	void (*close)(void *state);
};

/* Appends n bytes at an address, or the first THREADLABEL_MAX of them; false: unreadable. */
bool threadlabel_text(struct memory_reader *m, uint64_t address, uint64_t n, struct text *to);

#endif
