/*
 * rawtree: tree of unsymbolized samples: frames are (module, ELF address), roots are tasks.
 */
#ifndef RAWTREE_H
#define RAWTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/module.h"
#include "profile/calltree.h"
#include "trace/chain.h"
#include "trace/process.h"

/*
 * Who ran, a child of the tree's root; its bytes are its name there. A caller that does
 * not tell threads or processes apart leaves their numbers 0.
 */
struct rawtree_task {
	int32_t pid, tid;
	uint32_t column; /* of values, where several events are kept */
	char comm[PROCESS_COMM]; /* zero up to its end */
};

/* A frame below a task; its bytes, which have no gaps, are its name in the tree. */
struct rawtree_frame {
	struct module *module; /* NULL where nothing was mapped */
	uint64_t vaddr;
	uint64_t waker; /* PLACES_*: of the thread that woke this one */
};

enum { RAWTREE_WAKER = 1, RAWTREE_INTERRUPT };

/* One sample, or neighbours with the same stack. */
struct rawtree_sample {
	uint64_t time; /* ns, of the first */
	uint64_t weight;
	uint32_t node;
};

struct rawtree {
	struct calltree *tree;
	uint64_t *time; /* by name: ns of the first sample that had it */
	size_t captime;
	bool ordered; /* keep the order of samples */
	uint64_t step; /* ns: neighbours are one only within a step; 0: wherever they are */
	struct rawtree_sample *sample;
	size_t nsample, capsample;
};

struct rawtree *rawtree_new(bool ordered, uint64_t step);
void rawtree_free(struct rawtree *p);

/* The node of a task. */
uint32_t rawtree_task(struct rawtree *p, const struct rawtree_task *task);

/* The node of a stack below that of its task. */
uint32_t rawtree_chain(struct rawtree *p, uint32_t node, const struct chain *c, uint64_t time);

/*
 * Above the stack of a sleeper that of its waker, leaf first, and at the end who that
 * was; of an interrupt the kernel's frames, whose last ones are what it came upon.
 */
uint32_t rawtree_waker(struct rawtree *p, uint32_t node, const struct chain *c,
    const struct rawtree_task *task, bool interrupt, uint64_t time);

/* The stack of user frames below a node, and above it the last n frames of another one. */
uint32_t rawtree_with_top(struct rawtree *p, uint32_t node, uint32_t other, size_t n);

/* The same stack with its values in another column. */
uint32_t rawtree_in_column(struct rawtree *p, uint32_t node, uint32_t column);

/* Count the stack that ends at node. */
void rawtree_add(struct rawtree *p, uint32_t node, uint64_t time, uint64_t weight);

/* The same stack as a node of `from`, in p. */
uint32_t rawtree_copy(struct rawtree *p, const struct rawtree *from, uint32_t node);

/* Keep the modules of all frames (modules_forget). */
void rawtree_keep(const struct rawtree *p);

/* Whether a node stands for a task: a child of the tree's root, or the end of a waker's stack. */
bool rawtree_is_task(const struct rawtree *p, uint32_t node);

/* What such a node stands for, and what another one. */
struct rawtree_task rawtree_get_task(const struct rawtree *p, uint32_t node);
struct rawtree_frame rawtree_get_frame(const struct rawtree *p, uint32_t node);

#endif
