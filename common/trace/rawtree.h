/*
 * rawtree: tree of unsymbolized samples: frames are (module, ELF address), roots are tasks.
 */
#ifndef RAWTREE_H
#define RAWTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/module.h"
#include "profile/calltree.h"
#include "trace/chain.h"
#include "trace/process.h"

/*
 * A task, a child of the tree's root; its bytes are its name in the tree. Callers that do not
 * distinguish threads or processes set these numbers to 0.
 */
struct rawtree_task {
	int32_t pid, tid;
	uint32_t column; /* of the event or state, if there are several */
	uint32_t label; /* name in the tree of the label that the thread had, plus 1; 0: none */
	char comm[PROCESS_COMM]; /* zero-filled */
};

/* A frame below a task; its bytes, without padding, are its name in the tree. */
struct rawtree_frame {
	struct module *module; /* NULL if nothing was mapped */
	uint64_t vaddr;
	uint64_t waker; /* RAWTREE_*: the frame belongs to the stack of the waker */
};

enum { RAWTREE_WAKER = 1, RAWTREE_INTERRUPT };

/* One sample, or consecutive ones with the same stack. */
struct rawtree_sample {
	uint64_t time; /* ns, of the first sample */
	uint64_t weight;
	uint32_t node;
};

struct rawtree {
	struct calltree *tree;
	uint64_t *time; /* by name: ns of the first sample with that name */
	size_t captime;
	bool ordered; /* record the order of samples */
	uint64_t step; /* ns: samples are merged only within a time step; 0: everywhere */
	struct rawtree_sample *sample;
	size_t nsample, capsample;
};

struct rawtree *rawtree_new(bool ordered, uint64_t step);
void rawtree_free(struct rawtree *p);

/* Node of a task. */
uint32_t rawtree_task(struct rawtree *p, const struct rawtree_task *task);

/* The label of that text, for a task. */
uint32_t rawtree_label(struct rawtree *p, struct str label);

/* Node of a stack below that of its task. */
uint32_t rawtree_chain(struct rawtree *p, uint32_t node, const struct chain *c, uint64_t time);

/* Append one frame to a stack. */
uint32_t rawtree_leaf(
    struct rawtree *p, uint32_t node, struct module *m, uint64_t vaddr, uint64_t time);

/*
 * Append to a sleeper's stack the waker's stack, leaf first, then the waker's task. For a wake-up
 * from an interrupt: the kernel frames of the interrupt, the last of which belong to the
 * interrupted code.
 */
uint32_t rawtree_waker(struct rawtree *p, uint32_t node, const struct chain *c,
    const struct rawtree_task *task, bool interrupt, uint64_t time);

/* Append the n leaf-most frames of stack `other` to the user stack `node`. */
uint32_t rawtree_with_top(struct rawtree *p, uint32_t node, uint32_t other, size_t n);

/* Copy of a stack for another column. */
uint32_t rawtree_in_column(struct rawtree *p, uint32_t node, uint32_t column);

/* Copy of a stack for a task of another name. */
uint32_t rawtree_with_comm(struct rawtree *p, uint32_t node, const char *comm);

/* Add one sample of the stack that ends at node. */
void rawtree_add(struct rawtree *p, uint32_t node, uint64_t time, uint64_t weight);

/* Copy a stack of `from` into p; returns its node in p. */
uint32_t rawtree_copy(struct rawtree *p, const struct rawtree *from, uint32_t node);

/* Keep the modules of all frames (modules_forget). */
void rawtree_keep(const struct rawtree *p);

/* True if a node stands for a task: a child of the tree's root, or the end of a waker's stack. */
bool rawtree_is_task(const struct rawtree *p, uint32_t node);

/* The task of such a node; the frame of any other node. */
struct rawtree_task rawtree_get_task(const struct rawtree *p, uint32_t node);
struct rawtree_frame rawtree_get_frame(const struct rawtree *p, uint32_t node);

#endif
