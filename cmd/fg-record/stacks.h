/*
 * stacks: what has been sampled, before any name is known: a call tree whose
 * frames are places in modules, under a root that says who ran.
 */
#ifndef STACKS_H
#define STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/calltree.h"
#include "code/module.h"

/*
 * A frame below the root, the bytes of its name in the tree. Labels are the names
 * of the root's children.
 */
struct stacks_frame {
	struct module *module; /* NULL where nothing was mapped */
	uint64_t vaddr;
};

/* One sample, or neighbours with the same stack. */
struct stacks_event {
	uint32_t node;
	uint64_t weight;
};

struct stacks {
	struct calltree *tree;
	uint64_t *time; /* by name: ns of the first sample that had it */
	size_t captime;
	bool ordered; /* keep the order of samples */
	struct stacks_event *event;
	size_t nevent, capevent;
};

struct stacks *stacks_new(bool ordered);
void stacks_free(struct stacks *s);

/* The node of a label. */
uint32_t stacks_label(struct stacks *s, const char *label);

/* The node of a place called from node. */
uint32_t stacks_call(
    struct stacks *s, uint32_t node, struct module *m, uint64_t vaddr, uint64_t time);

/* Count the stack that ends at node. */
void stacks_add(struct stacks *s, uint32_t node, uint64_t weight);

/* The frame that a node below a label stands for. */
struct stacks_frame stacks_frame(const struct calltree *t, uint32_t node);

/* The same stack as a node of `from`, in s. */
uint32_t stacks_copy(struct stacks *s, const struct stacks *from, uint32_t node);

#endif
