/*
 * chain: frames of the stack of a decoded sample.
 */
#include "trace/chain.h"

#include <string.h>

#define PAGE 4096 /* bytes; larger pages are multiples */

static void
add_frame(struct chain *c, struct module *m, uint64_t vaddr)
{
	c->frame[c->n++] = (struct unwind_frame){m, vaddr};
}

static void
add_user_frame(struct chain *c, struct process *p, uint64_t ip)
{
	const struct process_map *map;

	if (c->n - c->nkernel == UNWIND_DEPTH)
		return;
	ip -= c->n > c->nkernel && !c->calls; /* from the return address to the call */
	map = process_find_code(p, &ip);
	c->maps_suspect |= map == NULL;
	add_frame(c, map == NULL ? NULL : map->module, ip + (map == NULL ? 0 : map->bias));
}

/*
 * Add a user address that the kernel or the CPU recorded. A leaf without a frame is followed by its
 * caller, which call chains of frame pointers lack.
 */
static void
add_user(struct chain *c, struct process *p, uint64_t ip)
{
	const bool leaf = c->n == c->nkernel;

	add_user_frame(c, p, ip);
	if (leaf && c->link != 0 && unwind_is_linked(c->unwind, p, ip))
		add_user_frame(c, p, c->link);
}

static void
add_kernel(struct chain *c, struct process *p, uint64_t ip)
{
	if (c->nkernel == CHAIN_KERNEL)
		return;
	ip -= c->nkernel > 0 && !c->calls;
	add_frame(c, module_kernel_at(p->modules, ip), ip);
	c->nkernel++;
}

/* Add the single frame that stands for guest code. */
static void
add_guest(struct chain *c, struct process *p)
{
	struct module *guest = module_guest(p->modules);

	if (c->n > 0 && c->frame[c->n - 1].module == guest)
		return;
	if (c->n == c->nkernel && c->nkernel < CHAIN_KERNEL) {
		add_frame(c, guest, 0);
		c->nkernel++;
	}
}

static bool
is_context(uint64_t ip)
{
	return ip >= PERF_CONTEXT_MAX;
}

static void
add_address(struct chain *c, struct process *p, uint64_t context, uint64_t ip, bool user)
{
	switch (context) {
	case PERF_CONTEXT_HV:
	case PERF_CONTEXT_KERNEL:
		if (c->n == c->nkernel)
			add_kernel(c, p, ip);
		break;
	case PERF_CONTEXT_USER:
		if (user)
			add_user(c, p, ip);
		break;
	case PERF_CONTEXT_GUEST:
	case PERF_CONTEXT_GUEST_KERNEL:
	case PERF_CONTEXT_GUEST_USER: add_guest(c, p); break;
	}
}

/* The CPU's context at the time of the sample, PERF_CONTEXT_*. */
static uint64_t
context_of(unsigned misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL: return PERF_CONTEXT_KERNEL;
	case PERF_RECORD_MISC_HYPERVISOR: return PERF_CONTEXT_HV;
	case PERF_RECORD_MISC_GUEST_KERNEL:
	case PERF_RECORD_MISC_GUEST_USER: return PERF_CONTEXT_GUEST;
	default: return PERF_CONTEXT_USER;
	}
}

/*
 * Read the kernel part of the call chain and, unless there is a better source, the user part.
 * Addresses before the first context mark belong to the context of the sample.
 */
static void
read_callchain(
    struct chain *c, const uint64_t *ip, size_t n, uint64_t context, struct process *p, bool user)
{
	for (size_t i = 0; i < n; i++) {
		if (ip[i] == PERF_CONTEXT_USER_DEFERRED) {
			c->deferred = i + 1 < n;
			c->cookie = c->deferred ? ip[i + 1] : 0;
			return;
		}
		if (is_context(ip[i]))
			context = ip[i];
		else if (c->listed++ > CHAIN_KERNEL + UNWIND_DEPTH)
			return;
		else
			add_address(c, p, context, ip[i], user);
	}
}

/* Returns the index in the call chain after the call at address `from`, where its callers start. */
static size_t
after_call(const struct perfevent_sample *s, uint64_t from)
{
	for (size_t i = 0; i < s->ncallchain; i++)
		/* No call is longer than 15 bytes. */
		if (!is_context(s->callchain[i]) && s->callchain[i] > from &&
		    s->callchain[i] - from <= 15)
			return i + 1;
	return s->ncallchain;
}

/*
 * Read user frames from the CPU's branch records (LBR): the source of each branch is a call. The
 * CPU stores only a few of them; where the call chain contains the last one, continue from there.
 */
static void
read_branches(struct chain *c, const struct perfevent_sample *s, struct process *p)
{
	if (c->nkernel == 0)
		add_user(c, p, s->ip);
	else if (s->nbranch > 0)
		add_user(c, p, s->branch[0].to);
	for (size_t i = 0; i < s->nbranch; i++)
		add_user(c, p, s->branch[i].from + 1);
	if (s->nbranch == 0)
		return;
	for (size_t i = after_call(s, s->branch[s->nbranch - 1].from); i < s->ncallchain; i++)
		if (!is_context(s->callchain[i]))
			add_user(c, p, s->callchain[i]);
}

static void
add_unwound(struct chain *c, struct unwind *u, const struct unwind_input *in)
{
	size_t n = unwind_stack(u, in, c->frame + c->n, &c->end);

	c->maps_suspect |= c->end == UNWIND_BROKEN || unwind_unmapped(u);
	for (size_t i = 0; i < n; i++)
		c->maps_suspect |= c->frame[c->n + i].module == NULL;
	c->n += n;
	c->unwound = true;
}

/* If the stack copy cannot be unwound, the user part of the call chain may be used. */
static void
unwind_copy(
    struct chain *c, struct unwind *u, const struct unwind_input *in, const struct perfevent *e)
{
	const struct perfevent_sample *s = &e->sample;
	struct unwind_frame leaf;

	add_unwound(c, u, in);
	if (c->end != UNWIND_BROKEN || c->n > c->nkernel + 1)
		return;
	leaf = c->frame[c->nkernel];
	c->n = c->nkernel = c->listed = 0;
	read_callchain(c, s->callchain, s->ncallchain, context_of(e->misc), in->process, true);
	if (c->n > c->nkernel)
		c->unwound = false;
	else
		add_frame(c, leaf.module, leaf.vaddr);
}

void
chain_clear(struct chain *c)
{
	c->n = c->nkernel = c->listed = 0;
	c->link = 0;
	c->unwound = c->maps_suspect = c->deferred = c->untouched = c->uncopied = c->unread =
	    c->limited = c->outside = false;
}

void
chain_add_stack(struct chain *c, struct unwind *u, const struct unwind_input *in)
{
	c->maps_suspect = c->untouched = c->uncopied = c->unread = c->limited = false;
	add_unwound(c, u, in);
}

/* True if the kernel skipped the page that the truncated stack in u lacked: it had no memory. */
static bool
ends_untouched(
    const struct unwind *u, const struct unwind_input *in, const struct perfevent_sample *s)
{
	const struct stack_part *last = in->nabove > 0 ? &in->above[in->nabove - 1] : NULL;

	return (s->nstack > 0 && s->nstack < s->stack_size &&
		   (unwind_stack_pointer(u, in) + s->nstack) % PAGE == 0) ||
	       (last != NULL && unwind_missing(u) < last->at);
}

void
chain_read(struct chain *c, struct unwind *u, const struct perfevent_format *f,
    const struct perfevent *e, struct process *p)
{
	const struct perfevent_sample *s = &e->sample;
	struct unwind_input in = {
	    .process = p, .stack = s->stack, .nstack = s->nstack, .native = c->native};
	bool copied = (f->sample_type & PERF_SAMPLE_REGS_USER) != 0 &&
		      (f->sample_type & PERF_SAMPLE_STACK_USER) != 0 && s->regs_user != NULL &&
		      unwind_registers(u, &in, s->regs_abi, f->regs_user, s->regs_user);
	bool branches = !copied && (f->sample_type & PERF_SAMPLE_BRANCH_STACK) != 0 &&
			(f->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) != 0;

	if (context_of(e->misc) == PERF_CONTEXT_USER)
		process_runs(p);
	chain_clear(c);
	c->outside = p->pid == 0;
	c->unwind = u;
	c->link = branches ? 0 : unwind_link(u, s->regs_abi, f->regs_user, s->regs_user);
	read_callchain(
	    c, s->callchain, s->ncallchain, context_of(e->misc), p, !copied && !branches);
	if (copied && s->above != NULL)
		unwind_above(u, &in, s->above, s->nabove);
	if (copied) {
		unwind_copy(c, u, &in, e);
		if (c->unwound && c->end == UNWIND_TRUNCATED) {
			c->untouched = ends_untouched(u, &in, s);
			c->uncopied = !c->untouched && s->nstack == 0;
		}
	} else if (branches)
		read_branches(c, s, p);
	if (c->n == 0 && !c->deferred && f->sample_type & PERF_SAMPLE_IP)
		add_address(c, p, context_of(e->misc), s->ip, true);
}

void
chain_deferred(struct chain *c, const struct perfevent_deferred *d, struct process *p)
{
	c->link = 0;
	read_callchain(c, d->callchain, d->ncallchain, PERF_CONTEXT_USER, p, true);
}

static bool
is_generated(const struct chain *c)
{
	for (size_t i = c->nkernel; i < c->n; i++)
		if (c->frame[i].module != NULL && c->frame[i].module->kind == MODULE_JIT)
			return true;
	return false;
}

static bool
is_unmapped(const struct chain *c)
{
	return c->n == c->nkernel + 1 && c->frame[c->nkernel].module == NULL;
}

static bool
is_haskell(const struct chain *c)
{
	const struct module *m = c->frame[c->n - 1].module;

	return m != NULL && m->haskell;
}

/* Frame pointers do not show where a stack ends. */
static enum chain_reach
reach_of_list(const struct chain *c, size_t limit)
{
	if (limit == 0)
		return CHAIN_NO_USER;
	return c->listed >= limit ? CHAIN_DEEPER : CHAIN_COMPLETE;
}

enum chain_reach
chain_reach(const struct chain *c, size_t limit, uint64_t copied, uint64_t largest)
{
	if (c->n == c->nkernel)
		return CHAIN_NO_USER;
	if (!c->unwound)
		return reach_of_list(c, limit);
	if (c->end == UNWIND_COMPLETE)
		return CHAIN_COMPLETE;
	if (c->end == UNWIND_TRUNCATED)
		return c->limited     ? CHAIN_LIMITED
		       : c->unread    ? CHAIN_UNREAD
		       : c->untouched ? CHAIN_UNTOUCHED
		       : c->uncopied  ? CHAIN_UNCOPIED
		       : copied < largest / 4 * 3 /* the kernel subtracts the rest of its record */
			   ? CHAIN_REDUCED
			   : CHAIN_DEEPER;
	return c->end == UNWIND_SWITCHED			 ? CHAIN_SWITCHED
	       : c->end != UNWIND_OTHER_STACK && is_generated(c) ? CHAIN_GENERATED
	       : is_haskell(c)					 ? CHAIN_HASKELL
	       : !is_unmapped(c)				 ? CHAIN_BROKEN
	       : c->outside					 ? CHAIN_OUTSIDE
								 : CHAIN_UNMAPPED;
}
