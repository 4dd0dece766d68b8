/*
 * unwind: walks a stack from its leaf to the thread's first function by call frame information, one
 * rule per frame, reading the stack copy. In code without rules (JIT code, assembly), it follows
 * the frame pointer.
 */
#include "trace/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "kernel/cpu.h"
#include "unwind/livecode.h"
#include "unwind/x86insn.h"
#include "trace/scriptprocess.h"
#include "trace/unwindjit.h"
#include "trace/unwindwalk.h"

const uint64_t unwind_mask = CPU_PERF_REGS;

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

bool
unwind_signs(const struct unwind *u)
{
	return u->machine[0] != NULL && u->machine[0]->signs;
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
		arch = CPU_NAME;
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

/* Step out of a call through an invalid pointer: there is only the return address. */
static bool
step_wild_call(struct walk *w, struct process *p)
{
	const struct cfi_machine *m = w->machine;
	uint64_t pc = w->reg[m->link];

	if ((m->link == 0 && !walk_read(w, w->reg[m->sp], &pc)) || process_find(p, pc) == NULL)
		return false;
	w->reg[m->sp] += m->link == 0 ? m->word : 0;
	w->reg[m->pc] = pc;
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

	if (!walk_rule(w, r))
		return false;
	if (w->reg[w->machine->pc] < NO_CODE && cfi_decode(cfi, m, vaddr, &decoded) &&
	    walk_rule(&other, &decoded) &&
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
	size = script_frame_size(p->script, before->reg[m->pc], before->reg[m->sp], exact, false);
	if (size != 0 && size < FRAME_MAX && walk_frame_size(&other, size) &&
	    process_find(p, other.reg[m->pc]) != NULL)
		*w = other;
}

/*
 * Finds the frame pointer that a rule needs and that is unknown, by the size of the function's
 * frame. False: its code does not show that.
 */
static bool
find_frame_pointer(const struct cfi *cfi, struct walk *w, struct module *m, uint64_t vaddr,
    const struct cfi_rule *r)
{
	const struct cfi_machine *machine = w->machine;
	const int32_t depth = cfi_depth(cfi, m, vaddr);

	if (depth == 0)
		return false;
	w->reg[machine->fp] =
	    w->reg[machine->sp] + (uint64_t)depth - (uint64_t)(int64_t)r->cfa.offset;
	w->fp_unknown = false;
	return true;
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
		return walk_generated(u, w, map, was);
	r = cfi_find(cfi, map->module, vaddr, was);
	switch (r->kind) {
	case CFI_FIRST: *first = true; return true;
	case CFI_FIRST_NEXT: *first = *exact = true; return true;
	case CFI_RULE:
		*exact = r->signal;
		if (w->fp_unknown && r->cfa.base == w->machine->fp && !r->cfa.deref &&
		    !find_frame_pointer(cfi, w, map->module, vaddr, r))
			return false;
		if (!(was ? step_leaf(cfi, w, map->module, vaddr, r) : walk_rule(w, r)))
			return false;
		mend_step(w, &before, was);
		return true;
	case CFI_EXPRESSION:
		*exact = r->signal;
		return cfi_evaluate(cfi, r, vaddr, w->reg, walk_read, w);
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
	return walk_frame_pointer(w);
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
unwind_link_mask(void)
{
	const struct cfi_machine *m = cfi_machine(CPU_NAME);

	return m == NULL || m->link == 0 ? 0 : UINT64_C(1) << m->link;
}

uint64_t
unwind_link(const struct unwind *u, uint64_t abi, uint64_t mask, const uint64_t *values)
{
	const struct cfi_machine *m = u->machine[0];

	/* Of processors with a link register, perf numbers the registers as DWARF does. */
	if (abi != PERF_SAMPLE_REGS_ABI_64 || m == NULL || m->link == 0 ||
	    (mask >> m->link & 1) == 0 || values == NULL)
		return 0;
	return values[__builtin_popcountll(mask & ((UINT64_C(1) << m->link) - 1))];
}

bool
unwind_is_linked(struct unwind *u, struct process *p, uint64_t pc)
{
	const struct cfi_machine *m = u->machine[0];
	const struct process_map *map = process_find_code(p, &pc);
	const struct cfi_rule *r;

	if (map == NULL)
		return false;
	r = cfi_find(u->cfi[0], map->module, pc + map->bias, true);
	if (r->kind != CFI_RULE || r->ra != m->link)
		return false;
	for (unsigned i = 0; i < r->nsaved; i++)
		if (r->saved[i].reg == m->link)
			return false;
	return true;
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
	struct walk w = {.machine = machine,
	    .stack = in->stack,
	    .nstack = in->nstack,
	    .in = in,
	    .fp_unknown = in->few};
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
		w.reg[machine->pc] = at + !exact; /* without its signature */
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
		w.shared = 0;
		if (!step(u, &w, map, frame[n - 1].vaddr, &exact, &first)) {
			if (w.truncated)
				*end = UNWIND_TRUNCATED;
			else if (w.switched)
				*end = UNWIND_SWITCHED;
			u->missing = w.truncated || w.switched ? w.missing : 0;
			break;
		}
		if (exact && !first) {
			frame[n - 1] =
			    (struct unwind_frame){module_note(in->process->modules, "[signal]"), 0};
			w.below |= w.reg[machine->sp] < w.base;
		}
		frame[n - 1].vaddr += first && exact; /* no call is before it */
		if (in->native != NULL && w.shared != 0)
			in->native[n - 1].start = w.shared;
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
