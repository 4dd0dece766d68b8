/*
 * heap: values by node, and for each process a hash table of its live blocks.
 *
 * A new peak copies the live bytes of only those stacks that changed since the last one.
 */
#include "trace/heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/intmap.h"
#include "base/vec.h"

const char *const heap_column[HEAP_COLUMNS] = {"allocated", "allocations", "live", "peak"};
const char *const heap_unit[HEAP_COLUMNS] = {"bytes", "blocks", "bytes", "bytes"};

/* The values of a stack; bytes are integers, so that a freed block leaves nothing. */
struct stack {
	double allocations;
	uint64_t allocated;
	uint64_t live; /* also of ended processes */
	uint64_t held; /* of running processes only */
	uint64_t peak; /* held at the last peak */
	bool changed; /* held since then: it is in `changed` */
	bool known; /* it is in `known` */
};

#define FREED 16 /* threads that free blocks while realloc(3) fails in one */

struct block {
	uint64_t address; /* 0: free slot */
	uint64_t time; /* ns, of its allocation */
	uint64_t weight; /* bytes */
	uint32_t node;
};

/* Open addressing with linear probing, at most half full. */
struct blocks {
	struct block *slot;
	size_t n, size; /* a power of two, or 0 */
	struct block freed[FREED]; /* the last ones */
	size_t nfreed; /* modulo FREED, the next one's index */
	bool started; /* its program was started in the recording */
	bool loaded; /* libfgheap.so is loaded */
};

struct heap {
	struct intmap process; /* by pid: struct blocks */
	struct stack *stack; /* by node */
	size_t nstack;
	uint32_t *known, *changed; /* nodes */
	size_t nknown, cap_known, nchanged, cap_changed;
	uint64_t held, peak; /* sums of all stacks */
	struct heap_totals total;
	bool any; /* a block was sampled */
	bool counted; /* values are those of heap_counted */
};

struct heap *
heap_new(void)
{
	struct heap *h = cli_alloc(1, sizeof *h);

	h->total.columns = HEAP_COLUMNS;
	return h;
}

void
heap_free(struct heap *h)
{
	if (h == NULL)
		return;
	for (size_t i = 0; i < h->process.size; i++) {
		struct blocks *b = h->process.slot[i].value;

		if (b != NULL)
			free(b->slot);
		free(b);
	}
	free(h->process.slot);
	free(h->stack);
	free(h->known);
	free(h->changed);
	free(h);
}

/* ---- Blocks ---- */

/* The slot of an address, or the free one for it. */
static struct block *
place(const struct blocks *b, uint64_t address)
{
	for (size_t i = (size_t)(hash_number(address) >> 32);; i++) {
		struct block *s = &b->slot[i & (b->size - 1)];

		if (s->address == 0 || s->address == address)
			return s;
	}
}

static struct block *
find(const struct blocks *b, uint64_t address)
{
	struct block *s = b != NULL && b->size > 0 ? place(b, address) : NULL;

	return s != NULL && s->address != 0 ? s : NULL;
}

static struct block *
add(struct blocks *b, uint64_t address)
{
	struct block *s;

	if (2 * (b->n + 1) > b->size) {
		const struct blocks old = *b;

		b->size = old.size == 0 ? 64 : 2 * old.size;
		b->slot = cli_alloc(b->size, sizeof *b->slot);
		for (size_t i = 0; i < old.size; i++)
			if (old.slot[i].address != 0)
				*place(b, old.slot[i].address) = old.slot[i];
		free(old.slot);
	}
	s = place(b, address);
	b->n += s->address == 0;
	s->address = address;
	return s;
}

/* Removes a block; places the blocks after it again. */
static void
remove_block(struct blocks *b, struct block *s)
{
	const size_t mask = b->size - 1;
	size_t i = (size_t)(s - b->slot);

	s->address = 0;
	b->n--;
	for (i = (i + 1) & mask; b->slot[i].address != 0; i = (i + 1) & mask) {
		const struct block moved = b->slot[i];

		b->slot[i].address = 0;
		*place(b, moved.address) = moved;
	}
}

/* ---- Values ---- */

static struct stack *
stack_at(struct heap *h, uint32_t node)
{
	const size_t old = h->nstack;
	struct stack *s;

	if (node >= old) {
		vec_fit(h->stack, h->nstack, (size_t)node + 1);
		memset(h->stack + old, 0, (h->nstack - old) * sizeof *h->stack);
	}
	s = &h->stack[node];
	if (!s->known) {
		s->known = true;
		vec_fit(h->known, h->cap_known, h->nknown + 1);
		h->known[h->nknown++] = node;
	}
	return s;
}

/* The held bytes of a stack will change. */
static struct stack *
change(struct heap *h, uint32_t node)
{
	struct stack *s = stack_at(h, node);

	if (!s->changed) {
		s->changed = true;
		vec_fit(h->changed, h->cap_changed, h->nchanged + 1);
		h->changed[h->nchanged++] = node;
	}
	return s;
}

static void
hold(struct heap *h, uint32_t node, uint64_t weight)
{
	struct stack *s = change(h, node);

	s->live += weight;
	s->held += weight;
	h->held += weight;
	h->total.live += weight;
	if (h->held <= h->peak)
		return;
	h->peak = h->held;
	h->total.peak = h->peak > h->total.peak ? h->peak : h->total.peak;
	for (size_t i = 0; i < h->nchanged; i++) {
		struct stack *of = &h->stack[h->changed[i]];

		of->peak = of->held;
		of->changed = false;
	}
	h->nchanged = 0;
}

static void
release(struct heap *h, uint32_t node, uint64_t weight, bool live)
{
	struct stack *s = change(h, node);

	s->held -= weight;
	s->live -= live ? 0 : weight;
	h->total.live -= live ? 0 : weight;
	h->held -= weight;
}

static struct blocks *
blocks_of(struct heap *h, uint32_t pid)
{
	struct blocks **at = (struct blocks **)intmap_at(&h->process, (uint64_t)pid + 1);

	return *at != NULL ? *at : (*at = cli_alloc(1, sizeof **at));
}

void
heap_allocated(struct heap *h, const struct heap_block *b, uint32_t node)
{
	struct blocks *of = blocks_of(h, b->pid);
	const double size = (double)b->size, mean = b->mean > 0 ? (double)b->mean : 1;
	const double blocks = b->weight > 0 ? (double)b->weight / size
			      : b->size > 0 ? -1 / expm1(-size / mean)
					    : 1;
	const uint64_t weight =
	    b->weight > 0 ? b->weight : (uint64_t)(size * blocks + 0.5) + (b->size == 0);
	struct stack *stack;
	struct block *s;

	h->total.mean = !h->any || h->total.mean == b->mean ? b->mean : 0;
	h->any = true;
	stack = stack_at(h, node);
	stack->allocations += blocks;
	stack->allocated += weight;
	h->total.allocations += blocks;
	h->total.allocated += weight;
	if (b->weight > 0) {
		h->total.columns = HEAP_LIVE;
		return;
	}
	s = find(of, b->address);
	if (s != NULL) /* its end will be reported later than this block, or is lost */
		release(h, s->node, s->weight, false);
	hold(h, node, weight);
	if (b->untracked || b->address == 0) {
		h->total.untracked += weight;
		if (s != NULL)
			remove_block(of, s);
		return;
	}
	if (s == NULL)
		s = add(of, b->address);
	s->time = b->time;
	s->weight = weight;
	s->node = node;
}

void
heap_freed(struct heap *h, uint32_t pid, uint64_t address, uint64_t time)
{
	struct blocks *of = intmap_get(&h->process, (uint64_t)pid + 1);
	struct block *s = find(of, address);

	if (s == NULL || s->time > time)
		return;
	release(h, s->node, s->weight, false);
	of->freed[of->nfreed++ % FREED] = *s;
	remove_block(of, s);
}

void
heap_restored(struct heap *h, uint32_t pid, uint64_t address)
{
	struct blocks *of = blocks_of(h, pid);

	for (size_t i = 1; i <= FREED && i <= of->nfreed; i++) {
		struct block *b = &of->freed[(of->nfreed - i) % FREED];

		if (b->address != address || find(of, address) != NULL)
			continue;
		hold(h, b->node, b->weight);
		*add(of, address) = *b;
		b->address = 0;
		return;
	}
}

void
heap_loaded(struct heap *h, uint32_t pid)
{
	blocks_of(h, pid)->loaded = true;
}

void
heap_has_runtime(struct heap *h, const struct heapruntime *r)
{
	if (h->total.runtime == NULL)
		h->total.runtime = r;
}

void
heap_gone(struct heap *h, uint32_t pid, bool replaced)
{
	struct blocks *of = blocks_of(h, pid);

	for (size_t i = 0; i < of->size; i++)
		if (of->slot[i].address != 0)
			release(h, of->slot[i].node, of->slot[i].weight, !replaced);
	free(of->slot);
	h->total.unloaded += of->started && !of->loaded;
	h->total.programs += replaced;
	*of = (struct blocks){.started = replaced};
}

void
heap_recount(struct heap *h)
{
	h->counted = true;
	h->total.columns = HEAP_PEAK;
	h->total.live = 0;
}

void
heap_counted(struct heap *h, uint32_t node, const struct heap_sums *s)
{
	struct stack *stack = stack_at(h, node);

	stack->allocations += s->blocks;
	stack->allocated += s->allocated;
	stack->live += s->live;
	h->total.allocations += s->blocks;
	h->total.allocated += s->allocated;
	h->total.live += s->live;
	h->total.mean = s->mean;
}

/* ---- Output ---- */

static void
write_value(struct rawtree *p, uint32_t node, enum heap_column column, uint64_t n)
{
	if (n > 0)
		rawtree_add(p, rawtree_in_column(p, node, column), 0, n);
}

/* Moves the blocks and their bytes to the nodes of another tree. */
static void
move(struct heap *h, const struct rawtree *from, struct rawtree *to)
{
	uint32_t *node = cli_alloc(h->nstack > 0 ? h->nstack : 1, sizeof *node);
	struct stack *old = h->stack;
	const size_t n = h->nknown;
	uint32_t *known = h->known;

	h->stack = NULL;
	h->known = NULL;
	h->nstack = h->nknown = h->cap_known = h->nchanged = 0;
	for (size_t i = 0; i < n; i++) {
		const struct stack *s = &old[known[i]];

		if (s->live == 0 || h->counted)
			continue;
		node[known[i]] = rawtree_copy(to, from, known[i]);
		*stack_at(h, node[known[i]]) = (struct stack){
		    .live = s->live, .held = s->held, .peak = s->held, .known = true};
	}
	for (size_t i = 0; i < h->process.size; i++) {
		struct blocks *b = h->process.slot[i].value;

		for (size_t k = 0; b != NULL && k < b->size; k++)
			if (b->slot[k].address != 0)
				b->slot[k].node = node[b->slot[k].node];
		if (b != NULL)
			b->nfreed = 0; /* their stacks may be gone */
	}
	h->peak = h->held;
	free(node);
	free(old);
	free(known);
}

void
heap_write(struct heap *h, struct rawtree *p, struct rawtree *to)
{
	for (size_t i = 0; i < h->nknown; i++) {
		const struct stack *s = &h->stack[h->known[i]];

		write_value(p, h->known[i], HEAP_ALLOCATED, s->allocated);
		write_value(p, h->known[i], HEAP_ALLOCATIONS, (uint64_t)(s->allocations + 0.5));
		write_value(p, h->known[i], HEAP_LIVE, s->live);
		write_value(p, h->known[i], HEAP_PEAK, s->peak);
	}
	if (to != NULL)
		move(h, p, to);
}

struct heap_totals
heap_totals(const struct heap *h)
{
	struct heap_totals t = h->total;

	for (size_t i = 0; i < h->process.size; i++) {
		const struct blocks *b = h->process.slot[i].value;

		t.unloaded += b != NULL && b->started && !b->loaded;
	}
	return t;
}
