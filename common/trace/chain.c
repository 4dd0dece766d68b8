/*
 * chain: a decoded sample in, the frames of its stack out.
 */
#include "trace/chain.h"

#include <string.h>

static void
add_frame(struct chain *c, struct module *m, uint64_t vaddr)
{
	c->frame[c->n++] = (struct unwind_frame){m, vaddr};
}

/* A user address that the kernel or the processor recorded. */
static void
add_user(struct chain *c, struct process *p, uint64_t ip)
{
	const struct process_map *map;

	if (c->n - c->nkernel == UNWIND_DEPTH)
		return;
	ip -= c->n > c->nkernel; /* to the call, out of the return address */
	map = process_find(p, ip);
	c->astray |= map == NULL;
	add_frame(c, map == NULL ? NULL : map->module, ip + (map == NULL ? 0 : map->bias));
}

static void
add_kernel(struct chain *c, struct process *p, uint64_t ip)
{
	if (c->nkernel == CHAIN_KERNEL)
		return;
	add_frame(c, module_kernel(p->modules), ip - (c->nkernel > 0));
	c->nkernel++;
}

/* The kernel's part of the call chain, and the user's unless something better tells it. */
static void
read_callchain(struct chain *c, const struct perfevent_sample *s, struct process *p, bool user)
{
	uint64_t context = 0;

	c->listed = 0;

	for (size_t i = 0; i < s->ncallchain; i++) {
		uint64_t ip = s->callchain[i];

		if (ip >= (uint64_t)PERF_CONTEXT_MAX)
			context = ip;
		else if (c->listed++ > CHAIN_KERNEL + UNWIND_DEPTH)
			return;
		else if (context == (uint64_t)PERF_CONTEXT_KERNEL && c->n == c->nkernel)
			add_kernel(c, p, ip);
		else if (context == (uint64_t)PERF_CONTEXT_USER && user)
			add_user(c, p, ip);
	}
}

/* What the processor's branch records say of user calls: each went from its caller. */
static void
read_branches(struct chain *c, const struct perfevent_sample *s, struct process *p)
{
	if (c->nkernel == 0)
		add_user(c, p, s->ip);
	else if (s->nbranch > 0)
		add_user(c, p, s->branch[0].to);
	for (size_t i = 0; i < s->nbranch; i++)
		add_user(c, p, s->branch[i].from + 1);
}

static void
add_unwound(struct chain *c, struct unwind *u, const struct unwind_input *in)
{
	size_t n = unwind_stack(u, in, c->frame + c->n, &c->end);

	c->astray |= c->end == UNWIND_LOST;
	for (size_t i = 0; i < n; i++)
		c->astray |= c->frame[c->n + i].module == NULL;
	c->n += n;
	c->unwound = true;
}

void
chain_unwind(struct chain *c, struct unwind *u, const struct unwind_input *in)
{
	c->n = c->nkernel = 0;
	c->astray = false;
	add_unwound(c, u, in);
}

void
chain_read(struct chain *c, struct unwind *u, const struct perfevent_format *f,
    const struct perfevent *e, struct process *p)
{
	const struct perfevent_sample *s = &e->sample;
	bool copied = (f->sample_type & PERF_SAMPLE_REGS_USER) != 0 &&
		      (f->sample_type & PERF_SAMPLE_STACK_USER) != 0;
	bool branches = (f->sample_type & PERF_SAMPLE_BRANCH_STACK) != 0 &&
			(f->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) != 0;
	struct unwind_input in = {.process = p, .stack = s->stack, .nstack = s->nstack};

	c->n = c->nkernel = 0;
	c->unwound = c->astray = false;
	read_callchain(c, s, p, !copied && !branches);
	if (copied && s->regs_user != NULL && s->regs_abi == PERF_SAMPLE_REGS_ABI_64 &&
	    unwind_registers(in.reg, f->regs_user, s->regs_user)) {
		add_unwound(c, u, &in);
	} else if (branches && !copied) {
		read_branches(c, s, p);
	}
}
