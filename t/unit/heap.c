/*
 * heap: reads allocations and ends of blocks, one a line, and prints each column of each stack.
 *
 *	a PID ADDRESS SIZE MEAN STACK TIME   an allocation
 *	u PID ADDRESS SIZE MEAN STACK TIME   one whose end is not tracked
 *	r PID ADDRESS                        a freed block is restored
 *	f PID ADDRESS TIME                   a block ends
 *	x PID                                a process ends
 *	e PID                                execve(2)
 *	w                                    an interval ends: print it
 */
#include "trace/heap.h"

#include <inttypes.h>
#include <stdio.h>

/* Prints and empties the tree; the values are those since the last call. */
static struct rawtree *
print(struct heap *h, struct rawtree *p)
{
	struct rawtree *next = rawtree_new(false, 0);
	const struct calltree *t;

	heap_write(h, p, next);
	t = p->tree;
	for (uint32_t node = 1; node < t->nnode; node++) {
		const uint64_t v = (uint64_t)value_double(calltree_self(t, node, 0));
		const uint32_t parent = t->node[node].parent;

		if (v > 0)
			printf("stack %" PRIu64 " %s %" PRIu64 "\n",
			    rawtree_get_frame(p, node).vaddr,
			    heap_column[rawtree_get_task(p, parent).column], v);
	}
	rawtree_free(p);
	return next;
}

int
main(void)
{
	struct heap *h = heap_new();
	struct rawtree *p = rawtree_new(false, 0);
	char line[256], op;

	while (fgets(line, sizeof line, stdin) != NULL) {
		struct heap_block b = {0};
		uint64_t stack;
		const struct rawtree_task task = {.comm = "task"};

		if (sscanf(line,
			"%c %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
			&op, &b.pid, &b.address, &b.size, &b.mean, &stack, &b.time) == 7) {
			b.untracked = op == 'u';
			heap_allocated(
			    h, &b, rawtree_leaf(p, rawtree_task(p, &task), NULL, stack, 0));
		} else if (op == 'f') {
			heap_freed(h, b.pid, b.address, b.size);
		} else if (op == 'r') {
			heap_restored(h, b.pid, b.address);
		} else if (op == 'w') {
			p = print(h, p);
			printf("--\n");
		} else {
			heap_gone(h, b.pid, op == 'e');
		}
	}
	rawtree_free(print(h, p));
	printf("untracked %" PRIu64 "\n", heap_totals(h).untracked);
	heap_free(h);
	return 0;
}
