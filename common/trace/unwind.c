/*
 * unwind: walks a stack from its leaf to the thread's first function by call frame information, one
 * rule per frame, reading the stack copy. In code without rules (JIT code, assembly), it follows
 * the frame pointer.
 */
#include "trace/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "code/cfi.h"
#include "code/livecode.h"
#include "code/x86insn.h"
#include "trace/script.h"
#include "base/cli.h"

/*
 * No memory is mapped below this address. As the return address of a stack's first function, argc
 * or 0 is found.
 */
#define NO_CODE 4096

#define FRAME_MAX 65536 /* limit of an interpreter frame's arguments, in bytes */

struct unwind {
	const struct cfi_machine *machine[2]; /* 64-bit, 32-bit; or NULL */
	struct cfi *cfi[2];
	struct livecode *live; /* created at the first use */
	uint64_t undecoded; /* stacks that ended because no decoder was built in */
	uint64_t needed; /* bytes of the last stack, see unwind_needed */
	uint64_t missing; /* see unwind_missing */
	bool unmapped; /* see unwind_unmapped */
};

/* State of the walk along one stack. */
struct walk {
	const struct cfi_machine *machine;
	uint64_t reg[CFI_BASES];
	uint64_t base; /* address of stack[0] */
	const unsigned char *stack;
	size_t nstack;
	const struct unwind_input *in; /* for the stack above the copy */
	bool truncated; /* the copy ended, or code could not be decoded */
	bool switched; /* see UNWIND_SWITCHED */
	bool unmapped; /* a return address was in no mapping */
	uint64_t missing; /* last address without bytes; 0: none */
};

#if defined(__x86_64__)
#define OURS "x86_64"
const uint64_t unwind_mask = 0xff01ff;
#elif defined(__aarch64__)
#define OURS "aarch64"
const uint64_t unwind_mask = (UINT64_C(1) << 33) - 1;
#else
#define OURS "other"
const uint64_t unwind_mask = 0;
#endif

bool
unwind_registers(const struct unwind *u, struct unwind_input *in, uint64_t abi, uint64_t mask,
    const uint64_t *values)
{
	const struct cfi_machine *m = u->machine[abi == PERF_SAMPLE_REGS_ABI_32];
	bool pc = false, sp = false;

	memset(in->reg, 0, sizeof in->reg);
	in->is_32bit = abi == PERF_SAMPLE_REGS_ABI_32;
	if (m == NULL || abi == PERF_SAMPLE_REGS_ABI_NONE)
		return false;
	for (size_t bit = 0; bit < m->nperf; bit++) {
		uint64_t value;

		if ((mask >> bit & 1) == 0)
			continue;
		value = *values++;
		if (m->perf[bit] < 0)
			continue;
		in->reg[m->perf[bit]] = in->is_32bit ? (uint32_t)value : value;
		pc |= m->perf[bit] == m->pc;
		sp |= m->perf[bit] == m->sp;
	}
	return pc && sp;
}

uint64_t
unwind_stack_pointer(const struct unwind *u, const struct unwind_input *in)
{
	const struct cfi_machine *m = u->machine[in->is_32bit];

	return m != NULL ? in->reg[m->sp] : 0;
}

struct unwind *
unwind_new(const char *arch)
{
	struct unwind *u = cli_alloc(1, sizeof *u);

	if (arch == NULL)
		arch = OURS;
	u->machine[0] = cfi_machine(arch);
	u->machine[1] = cfi_machine_narrow(arch);
	for (int i = 0; i < 2; i++)
		u->cfi[i] = u->machine[i] != NULL ? cfi_new(u->machine[i]) : NULL;
	return u;
}

void
unwind_free(struct unwind *u)
{
	for (int i = 0; i < 2; i++)
		if (u->cfi[i] != NULL)
			cfi_free(u->cfi[i]);
	livecode_free(u->live);
	free(u);
}

void
unwind_forget(struct unwind *u)
{
	for (int i = 0; i < 2; i++)
		if (u->cfi[i] != NULL)
			cfi_forget(u->cfi[i]);
}

void
unwind_above(
    const struct unwind *u, struct unwind_input *in, const struct stack_part *part, size_t n)
{
	const struct cfi_machine *machine = u->machine[in->is_32bit];
	uint64_t sp, end;

	if (machine == NULL)
		return;
	sp = in->reg[machine->sp];
	end = sp + in->nstack;
	for (size_t i = 0; i < n && part[i].at < end; i++) {
		/* The first page of a part may start below the copy. */
		uint64_t from = part[i].at > sp ? part[i].at : sp;
		uint64_t to = part[i].at + part[i].n < end ? part[i].at + part[i].n : end;

		if (from < to && memcmp(in->stack + (from - sp),
				     part[i].bytes + (from - part[i].at), to - from) != 0)
			return;
	}
	in->above = part;
	in->nabove = n;
}

/* Address of a word in the stack above the copy; NULL if it is not there. */
static const unsigned char *
read_above(const struct unwind_input *in, uint64_t address, size_t word)
{
	for (size_t i = 0; i < in->nabove; i++) {
		const struct stack_part *part = &in->above[i];
		const uint64_t at = address - part->at;

		if (address >= part->at && part->n >= word && at <= part->n - word)
			return part->bytes + at;
	}
	return NULL;
}

static bool
read_stack(void *arg, uint64_t address, uint64_t *v)
{
	struct walk *w = arg;
	uint64_t at = address - w->base;
	size_t word = w->machine->word;
	const unsigned char *from;
	uint32_t half;

	if (w->nstack >= word && at <= w->nstack - word) {
		from = w->stack + at;
	} else {
		from = read_above(w->in, address, word);
		if (from == NULL && address >= w->base) {
			w->switched = at > w->nstack + UNWIND_FAR;
			w->truncated = !w->switched;
			w->missing = address;
		}
	}
	if (from == NULL)
		return false;
	if (word == sizeof *v) {
		memcpy(v, from, sizeof *v);
	} else {
		memcpy(&half, from, sizeof half);
		*v = half;
	}
	return true;
}

static bool
term_value(struct walk *w, const struct cfi_term *t, uint64_t *v)
{
	uint64_t at = w->reg[t->base] + (uint64_t)(int64_t)t->offset;

	if (w->machine->word == 4)
		at = (uint32_t)at;

	if (t->deref)
		return read_stack(w, at, v);
	*v = at;
	return true;
}

/*
 * True if a saved register is below the stack pointer: the end of the function has restored it,
 * which call frame information leaves out.
 */
static bool
is_popped(const struct walk *w, const struct cfi_term *t)
{
	return t->deref && w->reg[t->base] + (uint64_t)(int64_t)t->offset < w->base;
}

/* Step from a frame to its caller by a rule; false if the return address cannot be read. */
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
			value[i] = is_popped(w, &r->saved[i]) ? w->reg[r->saved[i].reg] : 0;
		}
	w->reg[w->machine->sp] = w->reg[CFI_CFA];
	for (unsigned i = 0; i < r->nsaved; i++)
		w->reg[r->saved[i].reg] = value[i];
	w->reg[w->machine->pc] = w->reg[r->ra];
	return true;
}

/*
 * The frame pointer points to the caller's saved one; the return address follows it, on x86-64 and
 * AArch64 alike.
 */
static bool
step_frame_pointer(struct walk *w)
{
	const struct cfi_machine *m = w->machine;
	uint64_t fp = w->reg[m->fp], caller, pc;

	if (fp == 0) { /* the ABI's value in a thread's first function */
		w->reg[m->pc] = 0;
		return true;
	}
	if (fp < w->reg[m->sp] || fp % m->word != 0 || !read_stack(w, fp, &caller) ||
	    !read_stack(w, fp + m->word, &pc))
		return false;
	w->reg[m->sp] = fp + 2 * (uint64_t)m->word;
	w->reg[m->fp] = caller;
	w->reg[m->pc] = pc;
	return true;
}

/* Step out of a call through an invalid pointer: only the return address was pushed. */
static bool
step_wild_call(struct walk *w, struct process *p)
{
	const struct cfi_machine *m = w->machine;
	uint64_t pc;

	if (!read_stack(w, w->reg[m->sp], &pc) || process_find(p, pc) == NULL)
		return false;
	w->reg[m->sp] += m->word;
	w->reg[m->pc] = pc;
	return true;
}

/*
 * Step over a frame whose last two words are the caller's frame pointer and the return address, or
 * one of only the return address. Where the frame's code aligned the stack pointer by a word
 * (generate_deopt_blob of sharedRuntime_x86_64.cpp), its frame pointer shows it.
 */
static bool
step_frame_size(struct walk *w, uint64_t size)
{
	const struct cfi_machine *m = w->machine;
	const bool saved = size > m->word && (size & FRAME_KEEPS_FP) == 0;
	uint64_t top = w->reg[m->sp] + (size & ~FRAME_KEEPS_FP), caller = w->reg[m->fp], pc;

	if (saved && caller == top - m->word)
		top += m->word;
	if ((saved && !read_stack(w, top - 2 * (uint64_t)m->word, &caller)) ||
	    !read_stack(w, top - m->word, &pc))
		return false;
	w->reg[m->sp] = top;
	w->reg[m->fp] = caller;
	w->reg[m->pc] = pc;
	return true;
}

/* Step over a frame of that size, or FRAME_POINTER, if the caller is in code. */
static bool
step_to_code(struct walk *w, uint64_t size)
{
	struct walk other = *w;

	if (!(size == FRAME_POINTER ? step_frame_pointer(&other) : step_frame_size(&other, size)))
		return false;
	if (process_find(w->in->process, other.reg[w->machine->pc]) == NULL) {
		w->unmapped = true;
		return false;
	}
	*w = other;
	return true;
}

/* Step over an adapter of HotSpot, see runtime.h. */
static bool
step_adapter(struct walk *w, bool below)
{
	const struct cfi_machine *m = w->machine;
	const uint64_t sender = w->reg[NATIVE_R13], top = w->reg[m->sp], fp = w->reg[m->fp];
	const uint64_t rax = w->reg[0];

	if (sender % m->word != 0 || sender < top || sender - top > FRAME_MAX)
		return false;
	if (below && sender == top && process_find(w->in->process, rax) != NULL)
		w->reg[m->pc] = rax;
	else if (!step_to_code(w, below ? sender - top : m->word))
		return false;
	w->reg[m->sp] = sender;
	w->reg[m->fp] = fp;
	return true;
}

/*
 * HotSpot's interpreter has its caller's stack pointer in the word below its frame pointer
 * (interpreter_frame_sender_sp_offset). Sets it after a step by that frame pointer.
 */
static void
set_sender_sp(struct walk *w, uint64_t fp)
{
	const struct cfi_machine *m = w->machine;
	uint64_t sp;

	if (read_stack(w, fp - m->word, &sp) && sp > w->reg[m->sp] && sp - fp < FRAME_MAX &&
	    sp % m->word == 0)
		w->reg[m->sp] = sp;
}

static bool
step_interpreted(struct walk *w)
{
	const uint64_t fp = w->reg[w->machine->fp];

	if (!step_frame_pointer(w))
		return false;
	set_sender_sp(w, fp);
	return true;
}

/*
 * Step to the caller of JIT code. Its runtime may know the size of a frame. Otherwise its decoded
 * instructions are more reliable than the frame pointer, which compilers use for other values.
 */
static bool
step_generated(struct unwind *u, struct walk *w, const struct process_map *map, bool exact)
{
	const struct cfi_machine *m = w->machine;
	const uint64_t fp = w->reg[m->fp];
	const struct cfi_rule *r;
	uint64_t size;

	if (m != &cfi_x86_64 || !w->in->process->all->live)
		return step_frame_pointer(w);
	size = script_frame_size(w->in->process->script, w->reg[m->pc], w->reg[m->sp], exact);
	if (size == FRAME_ADAPTER || size == FRAME_ADAPTER_BELOW)
		return step_adapter(w, size == FRAME_ADAPTER_BELOW);
	if (!exact && (size == FRAME_INTERPRETED || size == FRAME_INTERPRETER_CALL))
		return step_interpreted(w);
	/* Generated code is not a thread's first function. */
	if (!exact && size != 0 && size != FRAME_POINTER)
		return step_frame_size(w, size) && w->reg[m->pc] >= NO_CODE;
	if (size != 0 && size != FRAME_INTERPRETED && step_to_code(w, size))
		return true;
	if (u->live == NULL)
		u->live = livecode_new();
	r = livecode_rule(
	    u->live, w->in->process->pid, map->start, map->end, w->reg[m->pc] - !exact, exact);
	if (r == NULL)
		return step_interpreted(w);
	if (!step_rule(w, r))
		return false;
	if (size != FRAME_INTERPRETED)
		return true;
	if (w->reg[m->sp] == fp + 2 * (uint64_t)m->word)
		set_sender_sp(w, fp);
	else if (w->reg[m->fp] == fp && script_frame_size(w->in->process->script, w->reg[m->pc],
					    w->reg[m->sp], false) == FRAME_INTERPRETER_CALL)
		return step_interpreted(w);
	return true;
}

/*
 * Step to the caller of the instruction at vaddr. A rule without a caller is wrong if the
 * instructions lead to one: call frame information of hand-written assembly often leaves out the
 * return addresses of its own calls (LuaJIT's interpreter).
 */
static bool
step_leaf(const struct cfi *cfi, struct walk *w, struct module *m, uint64_t vaddr,
    const struct cfi_rule *r)
{
	struct walk other = *w;
	struct cfi_rule decoded;

	if (!step_rule(w, r))
		return false;
	if (w->reg[w->machine->pc] < NO_CODE && cfi_decode(cfi, m, vaddr, &decoded) &&
	    step_rule(&other, &decoded) &&
	    process_find(w->in->process, other.reg[w->machine->pc]) != NULL)
		*w = other;
	return true;
}

/*
 * Step from `before` by the frame size that a runtime knows, if w, which call frame information
 * led to, is in no code: LuaJIT leaves its traces by code of its interpreter, on a larger frame.
 */
static void
mend_step(struct walk *w, const struct walk *before, bool exact)
{
	const struct cfi_machine *m = w->machine;
	struct process *p = w->in->process;
	struct walk other = *before;
	uint64_t size;

	if (p->script == NULL ||
	    (w->reg[m->pc] >= NO_CODE && process_find(p, w->reg[m->pc]) != NULL))
		return;
	size = script_frame_size(p->script, before->reg[m->pc], before->reg[m->sp], exact);
	if (size != 0 && size < FRAME_MAX && step_frame_size(&other, size) &&
	    process_find(p, other.reg[m->pc]) != NULL)
		*w = other;
}

/*
 * Step to the caller of the frame at vaddr. *exact: the frame's pc is where it executes, not a
 * return address.
 */
static bool
step(struct unwind *u, struct walk *w, const struct process_map *map, uint64_t vaddr, bool *exact,
    bool *first)
{
	struct cfi *cfi = u->cfi[w->in->is_32bit];
	const bool was = *exact;
	const struct walk before = *w;
	const struct cfi_rule *r;

	*exact = false;
	if (map->module->kind == MODULE_JIT)
		return step_generated(u, w, map, was);
	r = cfi_find(cfi, map->module, vaddr, was);
	switch (r->kind) {
	case CFI_FIRST: *first = true; return true;
	case CFI_RULE:
		*exact = r->signal;
		if (!(was ? step_leaf(cfi, w, map->module, vaddr, r) : step_rule(w, r)))
			return false;
		mend_step(w, &before, was);
		return true;
	case CFI_EXPRESSION:
		*exact = r->signal;
		return cfi_evaluate(cfi, r, vaddr, w->reg, read_stack, w);
	default: break;
	}
	/*
	 * Code that cannot be decoded may not use the frame pointer, so it may belong to any
	 * caller.
	 */
	if (!x86_available() && w->machine == &cfi_x86_64 && map->module->kind == MODULE_FILE) {
		u->undecoded++;
		w->truncated = true;
		return false;
	}
	return step_frame_pointer(w);
}

/* Save the registers of a frame, for readers of script stacks. */
static void
set_native(
    struct native_frame *f, const struct walk *w, const struct process_map *map, uint64_t vaddr)
{
	*f = (struct native_frame){.module = map == NULL ? NULL : map->module,
	    .pc = w->reg[w->machine->pc],
	    .sp = w->reg[w->machine->sp]};
	if (map != NULL && (map->module->kind == MODULE_FILE || map->module->kind == MODULE_VDSO)) {
		uint64_t start = cfi_function(map->module, vaddr);

		f->start = start == 0 ? 0 : start - map->bias;
	}
	memcpy(f->reg, w->reg, sizeof f->reg);
}

uint64_t
unwind_undecoded(const struct unwind *u)
{
	return u->undecoded;
}

uint64_t
unwind_needed(const struct unwind *u)
{
	return u->needed;
}

uint64_t
unwind_missing(const struct unwind *u)
{
	return u->missing;
}

bool
unwind_unmapped(const struct unwind *u)
{
	return u->unmapped;
}

size_t
unwind_stack(struct unwind *u, const struct unwind_input *in,
    struct unwind_frame frame[UNWIND_DEPTH], enum unwind_end *end)
{
	const struct cfi_machine *machine = u->machine[in->is_32bit];
	struct walk w = {.machine = machine, .stack = in->stack, .nstack = in->nstack, .in = in};
	bool exact = true, first = false;
	size_t n = 0;

	memcpy(w.reg, in->reg, sizeof in->reg);
	*end = UNWIND_BROKEN;
	u->needed = u->missing = 0;
	u->unmapped = false;
	if (machine == NULL)
		return 0;
	w.base = in->reg[machine->sp];
	while (n < UNWIND_DEPTH) {
		uint64_t sp = w.reg[machine->sp], pc = w.reg[machine->pc], at = pc - !exact;
		const struct process_map *map = process_find_code(in->process, &at);

		if (map == NULL && n > 0)
			break;
		frame[n].module = map == NULL ? NULL : map->module;
		frame[n].vaddr = at + (map == NULL ? 0 : map->bias);
		if (in->native != NULL)
			set_native(&in->native[n], &w, map, frame[n].vaddr);
		n++;
		if (map == NULL) {
			if (!step_wild_call(&w, in->process))
				break;
			exact = false;
			continue;
		}
		if (map->module->kind == MODULE_JIT && in->process->own_stack) {
			*end = UNWIND_OTHER_STACK;
			break;
		}
		if (!step(u, &w, map, frame[n - 1].vaddr, &exact, &first)) {
			if (w.truncated) {
				*end = UNWIND_TRUNCATED;
				u->missing = w.missing;
			} else if (w.switched) {
				*end = UNWIND_SWITCHED;
			}
			break;
		}
		if (first || w.reg[machine->pc] < NO_CODE) {
			*end = UNWIND_COMPLETE;
			break;
		}
		/*
		 * A caller's frame is at a higher address, except across a signal on an alternate
		 * stack.
		 */
		if ((w.reg[machine->sp] < sp && !exact) ||
		    (w.reg[machine->sp] == sp && w.reg[machine->pc] == pc))
			break;
	}
	u->unmapped = w.unmapped;
	if (*end == UNWIND_COMPLETE)
		u->needed = w.reg[machine->sp] - w.base;
	if (n == UNWIND_DEPTH && *end == UNWIND_BROKEN)
		*end = UNWIND_TRUNCATED;
	return n;
}
