/*
 * unwind: walks one stack from its leaf to the thread's first function, a rule of
 * cfi at a time, over the bytes that were copied of it. Where a module has no
 * rule (generated code, assembly), the frame pointer leads on.
 */
#include "trace/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "code/cfi.h"
#include "base/cli.h"

/* Addresses below are never mapped: a caller there is argc, or 0, above the first function. */
#define NO_CODE 4096

struct unwind {
	struct cfi *cfi;
};

/* The walk up one stack. */
struct walk {
	uint64_t reg[CFI_BASES];
	uint64_t base; /* the address of stack[0] */
	const unsigned char *stack;
	size_t nstack;
	bool truncated; /* something lay above the copy */
};

#if defined(__x86_64__)
/* DWARF numbers (System V ABI, figure 3.36) of PERF_REG_X86_*: rax, rbx, rcx, rdx, ... */
static const int8_t registers[] = {
    0, 3, 2, 1, 4, 5, 6, 7, 16, -1, -1, -1, -1, -1, -1, -1, 8, 9, 10, 11, 12, 13, 14, 15};

const uint64_t unwind_mask = 0xff01ff;
#elif defined(__aarch64__)
/* PERF_REG_ARM64_* are x0 to x30, sp and pc, in DWARF's order. */
static const int8_t registers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
    19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

const uint64_t unwind_mask = (UINT64_C(1) << 33) - 1;
#else
static const int8_t registers[] = {-1};

const uint64_t unwind_mask = 0;
#endif

bool
unwind_registers(uint64_t reg[UNWIND_REGS], uint64_t mask, const uint64_t *values)
{
	bool pc = false, sp = false;

	memset(reg, 0, UNWIND_REGS * sizeof *reg);
	for (size_t bit = 0; bit < sizeof registers; bit++) {
		uint64_t value;

		if ((mask >> bit & 1) == 0)
			continue;
		value = *values++;
		if (registers[bit] < 0)
			continue;
		reg[registers[bit]] = value;
		pc |= registers[bit] == CFI_PC;
		sp |= registers[bit] == CFI_SP;
	}
	return pc && sp;
}

struct unwind *
unwind_new(void)
{
	struct unwind *u = cli_alloc(1, sizeof *u);

	u->cfi = cfi_new();
	return u;
}

void
unwind_free(struct unwind *u)
{
	cfi_free(u->cfi);
	free(u);
}

void
unwind_forget(struct unwind *u)
{
	cfi_forget(u->cfi);
}

static bool
read_stack(void *arg, uint64_t address, uint64_t *v)
{
	struct walk *w = arg;
	uint64_t at = address - w->base;

	if (w->nstack < sizeof *v || at > w->nstack - sizeof *v) {
		w->truncated |= address >= w->base;
		return false;
	}
	memcpy(v, w->stack + at, sizeof *v);
	return true;
}

static bool
term_value(struct walk *w, const struct cfi_term *t, uint64_t *v)
{
	uint64_t at = w->reg[t->base] + (uint64_t)(int64_t)t->offset;

	if (t->deref)
		return read_stack(w, at, v);
	*v = at;
	return true;
}

/* From a frame to its caller by the terms of a rule; false when its pc cannot be read. */
static bool
step_rule(struct walk *w, const struct cfi_rule *r)
{
	uint64_t value[CFI_REGS];

	if (!term_value(w, &r->cfa, &w->reg[CFI_CFA]))
		return false;
	for (unsigned i = 0; i < r->nsaved; i++)
		if (!term_value(w, &r->saved[i], &value[i])) {
			if (r->saved[i].reg == r->ra)
				return false;
			value[i] = 0;
		}
	w->reg[CFI_SP] = w->reg[CFI_CFA];
	for (unsigned i = 0; i < r->nsaved; i++)
		w->reg[r->saved[i].reg] = value[i];
	w->reg[CFI_PC] = w->reg[r->ra];
	return true;
}

/*
 * The frame pointer points to the caller's one, and the return address lies above
 * it; both on x86-64 and AArch64.
 */
static bool
step_frame_pointer(struct walk *w)
{
	uint64_t fp = w->reg[CFI_FP], caller, pc;

	if (fp == 0) { /* what the ABI gives to a thread's first function */
		w->reg[CFI_PC] = 0;
		return true;
	}
	if (fp < w->reg[CFI_SP] || fp % sizeof fp != 0 || !read_stack(w, fp, &caller) ||
	    !read_stack(w, fp + sizeof fp, &pc))
		return false;
	w->reg[CFI_SP] = fp + 2 * sizeof fp;
	w->reg[CFI_FP] = caller;
	w->reg[CFI_PC] = pc;
	return true;
}

/* A call through a wild pointer: only the return address has been pushed. */
static bool
step_wild_call(struct walk *w, struct process *p)
{
	uint64_t pc;

	if (!read_stack(w, w->reg[CFI_SP], &pc) || process_find(p, pc) == NULL)
		return false;
	w->reg[CFI_SP] += sizeof pc;
	w->reg[CFI_PC] = pc;
	return true;
}

/* To the caller of the frame at vaddr; *exact says whether its pc is where it runs. */
static bool
step(struct unwind *u, struct walk *w, struct module *m, uint64_t vaddr, bool *exact, bool *first)
{
	const struct cfi_rule *r;

	*exact = false;
	if (m->kind == MODULE_JIT)
		return step_frame_pointer(w);
	r = cfi_find(u->cfi, m, vaddr);
	switch (r->kind) {
	case CFI_FIRST: *first = true; return true;
	case CFI_RULE: *exact = r->signal; return step_rule(w, r);
	case CFI_EXPRESSION:
		*exact = r->signal;
		return cfi_evaluate(r, vaddr, w->reg, read_stack, w);
	default: return step_frame_pointer(w);
	}
}

size_t
unwind_stack(struct unwind *u, const struct unwind_input *in,
    struct unwind_frame frame[UNWIND_DEPTH], enum unwind_end *end)
{
	struct walk w = {.base = in->reg[CFI_SP], .stack = in->stack, .nstack = in->nstack};
	bool exact = true, first = false;
	size_t n = 0;

	memcpy(w.reg, in->reg, sizeof in->reg);
	*end = UNWIND_LOST;
	while (n < UNWIND_DEPTH) {
		uint64_t pc = w.reg[CFI_PC], sp = w.reg[CFI_SP];
		const struct process_map *map = process_find(in->process, pc - !exact);

		if (map == NULL && n > 0)
			break;
		frame[n].module = map == NULL ? NULL : map->module;
		frame[n].vaddr = pc - !exact + (map == NULL ? 0 : map->bias);
		n++;
		if (map == NULL) {
			if (!step_wild_call(&w, in->process))
				break;
			exact = false;
			continue;
		}
		if (!step(u, &w, map->module, frame[n - 1].vaddr, &exact, &first)) {
			if (w.truncated)
				*end = UNWIND_TRUNCATED;
			break;
		}
		if (first || w.reg[CFI_PC] < NO_CODE) {
			*end = UNWIND_WHOLE;
			break;
		}
		/* A caller's frame lies above, but where a signal has a stack of its own. */
		if ((w.reg[CFI_SP] < sp && !exact) || (w.reg[CFI_SP] == sp && w.reg[CFI_PC] == pc))
			break;
	}
	return n;
}
