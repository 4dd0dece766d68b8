/*
 * cfi: a module and an ELF address in, the rule to its caller's frame out. libdw
 * runs the call frame instructions and leaves DWARF expressions; those of the form
 * register + offset, and what lies there, which are all but a few, become terms.
 * The others (expressions of more than one unknown) are kept and evaluated anew
 * with the values of each frame, by the same evaluator.
 */
#include "code/cfi.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/vec.h"
#include "code/codeframe.h"
#include "code/gopclntab.h"

#define OPERANDS 32 /* the evaluator's stack */
#define STEPS 1000 /* operations of one expression, loops counted */

/*
 * DWARF numbers of PERF_REG_X86_*: ax, bx, cx, dx, si, di, bp, sp, ip, and after flags and
 * segments r8 to r15 (System V ABI, figure 3.36; that of the i386, table 2.14).
 */
static const int8_t perf_x86_64[] = {
    0, 3, 2, 1, 4, 5, 6, 7, 16, -1, -1, -1, -1, -1, -1, -1, 8, 9, 10, 11, 12, 13, 14, 15};
static const int8_t perf_i386[] = {0, 3, 1, 2, 6, 7, 5, 4, 8};
/* PERF_REG_ARM64_* are x0 to x30, sp and pc, in DWARF's order. */
static const int8_t perf_aarch64[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
    18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};

const struct cfi_machine cfi_x86_64 = {6, 7, 16, 8, perf_x86_64, sizeof perf_x86_64};
const struct cfi_machine cfi_i386 = {5, 4, 8, 4, perf_i386, sizeof perf_i386};
const struct cfi_machine cfi_aarch64 = {29, 31, 32, 8, perf_aarch64, sizeof perf_aarch64};

const struct cfi_machine *
cfi_machine(const char *arch)
{
	if (strcmp(arch, "x86_64") == 0)
		return &cfi_x86_64;
	return strcmp(arch, "aarch64") == 0 ? &cfi_aarch64 : NULL;
}

const struct cfi_machine *
cfi_machine_narrow(const char *arch)
{
	/* i386 to i686 run nothing else. */
	if (strcmp(arch, "x86_64") == 0 ||
	    (arch[0] == 'i' && strlen(arch) == 4 && strcmp(arch + 2, "86") == 0))
		return &cfi_i386;
	return NULL;
}

/* The rule of one address; rule 0 marks a free slot. */
struct slot {
	uint64_t vaddr;
	uint32_t module;
	uint32_t rule;
};

struct cfi {
	const struct cfi_machine *machine;
	struct slot *slot;
	size_t nslot, used; /* nslot is a power of two */
	struct cfi_rule *rule;
	uint32_t nrule, caprule;
	struct hash_index same; /* of rules by what they say: equal ones are kept once */
};

/* CFI of one module. */
struct module_cfi {
	Dwarf_CFI *eh; /* .eh_frame */
	Dwarf_CFI *debug; /* .debug_frame */
	struct gopclntab *go; /* what a program of Go has, also when that was stripped */
	struct codeframe *code; /* opened for the first address without any of these */
	bool tried_code;
};

/* What an expression computes with. */
struct operand {
	int64_t value;
	uint8_t base;
	bool deref;
};

/* The values of a frame; expressions without one are turned into terms instead. */
struct frame_state {
	const uint64_t *reg; /* and the CFA */
	cfi_read *read;
	void *arg;
};

struct evaluation {
	struct operand stack[OPERANDS];
	size_t n;
	const struct cfi_machine *machine;
	uint64_t pc;
	const struct frame_state *state; /* NULL: registers stay unknown */
};

static bool
push(struct evaluation *e, uint8_t base, int64_t value)
{
	if (e->n == OPERANDS)
		return false;
	if (base == e->machine->pc) {
		value += (int64_t)e->pc;
		base = CFI_ZERO;
	} else if (base != CFI_ZERO && e->state != NULL) {
		value += (int64_t)e->state->reg[base];
		base = CFI_ZERO;
	}
	e->stack[e->n++] = (struct operand){value, base, false};
	return true;
}

static bool
push_register(struct evaluation *e, uint64_t reg, int64_t offset)
{
	return reg < CFI_REGS && push(e, (uint8_t)reg, offset);
}

static bool
dereference(struct evaluation *e)
{
	struct operand *top = &e->stack[e->n - 1];
	uint64_t v;

	if (top->deref)
		return false;
	if (e->state == NULL) {
		top->deref = true;
		return true;
	}
	if (!e->state->read(e->state->arg, (uint64_t)top->value, &v))
		return false;
	top->value = (int64_t)v;
	return true;
}

static bool
is_number(const struct operand *o)
{
	return o->base == CFI_ZERO && !o->deref;
}

static bool
add(struct evaluation *e)
{
	struct operand b = e->stack[--e->n], *a = &e->stack[e->n - 1];

	if (!is_number(&b)) {
		struct operand swap = *a;

		*a = b;
		b = swap;
	}
	if (!is_number(&b) || a->deref)
		return false;
	a->value = (int64_t)((uint64_t)a->value + (uint64_t)b.value);
	return true;
}

static bool
arithmetic(struct evaluation *e, unsigned atom)
{
	struct operand *b = &e->stack[--e->n], *a = &e->stack[e->n - 1];
	uint64_t x = (uint64_t)a->value, y = (uint64_t)b->value;
	bool linear = atom == DW_OP_minus && !a->deref; /* register - number is one still */

	if (!is_number(b) || (!is_number(a) && !linear))
		return false;
	switch (atom) {
	case DW_OP_minus: x -= y; break;
	case DW_OP_mul: x *= y; break;
	case DW_OP_and: x &= y; break;
	case DW_OP_or: x |= y; break;
	case DW_OP_xor: x ^= y; break;
	case DW_OP_shl: x = y < 64 ? x << y : 0; break;
	case DW_OP_shr: x = y < 64 ? x >> y : 0; break;
	case DW_OP_shra: x = (uint64_t)(a->value >> (y < 64 ? y : 63)); break;
	case DW_OP_eq: x = a->value == b->value; break;
	case DW_OP_ne: x = a->value != b->value; break;
	case DW_OP_lt: x = a->value < b->value; break;
	case DW_OP_le: x = a->value <= b->value; break;
	case DW_OP_gt: x = a->value > b->value; break;
	case DW_OP_ge: x = a->value >= b->value; break;
	default: return false;
	}
	a->value = (int64_t)x;
	return true;
}

static bool
shuffle(struct evaluation *e, unsigned atom, uint64_t index)
{
	struct operand *top = &e->stack[e->n - 1], old = *top;

	switch (atom) {
	case DW_OP_drop: e->n--; return true;
	case DW_OP_dup: index = 0; break;
	case DW_OP_over: index = 1; break;
	case DW_OP_swap:
		if (e->n < 2)
			return false;
		top[0] = top[-1];
		top[-1] = old;
		return true;
	}
	if (index >= e->n || e->n == OPERANDS)
		return false;
	top[1] = top[-(ptrdiff_t)index];
	e->n++;
	return true;
}

/* The operation that DW_OP_skip and DW_OP_bra at op lead to, n when there is none. */
static size_t
jump(const Dwarf_Op *ops, size_t n, const Dwarf_Op *op)
{
	uint64_t to = op->offset + 3 + op->number; /* the operation has three bytes */
	size_t i = 0;

	while (i < n && ops[i].offset != to)
		i++;
	return i;
}

static bool
operate(struct evaluation *e, const Dwarf_Op *op)
{
	unsigned atom = op->atom;

	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return push_register(e, atom - DW_OP_breg0, (int64_t)op->number);
	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		return push(e, CFI_ZERO, atom - DW_OP_lit0);
	switch (atom) {
	case DW_OP_bregx: return push_register(e, op->number, (int64_t)op->number2);
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts: return push(e, CFI_ZERO, (int64_t)op->number);
	case DW_OP_call_frame_cfa: return push(e, CFI_CFA, 0);
	case DW_OP_nop: return true;
	}
	if (e->n == 0)
		return false;
	switch (atom) {
	case DW_OP_deref: return dereference(e);
	case DW_OP_plus_uconst: return push(e, CFI_ZERO, (int64_t)op->number) && add(e);
	case DW_OP_drop:
	case DW_OP_dup:
	case DW_OP_over:
	case DW_OP_swap:
	case DW_OP_pick: return shuffle(e, atom, op->number);
	case DW_OP_plus: return e->n >= 2 && add(e);
	default: return e->n >= 2 && arithmetic(e, atom);
	}
}

/* Leaves the result on top of the stack. */
static bool
evaluate(struct evaluation *e, const Dwarf_Op *ops, size_t n)
{
	size_t i = 0, steps = 0;

	e->n = 0;
	while (i < n) {
		const Dwarf_Op *op = &ops[i++];

		if (++steps > STEPS)
			return false;
		if (op->atom == DW_OP_skip) {
			i = jump(ops, n, op);
		} else if (op->atom == DW_OP_bra) {
			if (e->n == 0 || !is_number(&e->stack[e->n - 1]))
				return false;
			if (e->stack[--e->n].value != 0)
				i = jump(ops, n, op);
		} else if (!operate(e, op)) {
			return false;
		}
	}
	return e->n > 0;
}

static bool
to_term(const struct operand *o, struct cfi_term *t)
{
	t->offset = (int32_t)o->value;
	t->base = o->base;
	t->deref = o->deref;
	return t->offset == o->value;
}

/* Where a register's value is, by its location description. */
enum where { SAME, UNDEFINED, AT_ADDRESS, IS_VALUE, UNKNOWN };

static enum where
locate(Dwarf_Frame *frame, struct evaluation *e, int reg)
{
	Dwarf_Op memory[3], *ops;
	size_t n;

	if (dwarf_frame_register(frame, reg, memory, &ops, &n) != 0)
		return UNKNOWN;
	if (n == 0)
		return ops == NULL ? SAME : UNDEFINED;
	e->n = 0;
	if (n == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
		return push_register(e, ops[0].atom - DW_OP_reg0, 0) ? IS_VALUE : UNKNOWN;
	if (n == 1 && ops[0].atom == DW_OP_regx)
		return push_register(e, ops[0].number, 0) ? IS_VALUE : UNKNOWN;
	if (ops[n - 1].atom == DW_OP_stack_value)
		return evaluate(e, ops, n - 1) ? IS_VALUE : UNKNOWN;
	return evaluate(e, ops, n) ? AT_ADDRESS : UNKNOWN;
}

/* Turn libdw's expressions into terms; false when one of them does not fit. */
static bool
terms_of(const struct cfi_machine *machine, Dwarf_Frame *frame, uint64_t vaddr, struct cfi_rule *r)
{
	struct evaluation e = {.machine = machine, .pc = vaddr};
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_frame_cfa(frame, &ops, &n) != 0 || n == 0 || !evaluate(&e, ops, n) ||
	    !to_term(&e.stack[e.n - 1], &r->cfa))
		return false;
	for (int reg = 0; reg < CFI_REGS; reg++) {
		enum where where = locate(frame, &e, reg);
		struct cfi_term *t = &r->saved[r->nsaved];

		if (reg == r->ra && where == UNDEFINED) {
			r->kind = CFI_FIRST;
			return true;
		}
		/* One beyond the machine's registers is an error of libdw's. */
		if (where == SAME || where == UNDEFINED || (where == UNKNOWN && reg > machine->pc))
			continue;
		if (where == UNKNOWN || !to_term(&e.stack[e.n - 1], t))
			return false;
		if (where == AT_ADDRESS && t->deref)
			return false;
		t->deref |= where == AT_ADDRESS;
		t->reg = (uint8_t)reg;
		/* The stack pointer is the CFA unless something else is said. */
		if (reg != machine->sp || t->base != CFI_CFA || t->offset != 0 || t->deref)
			r->nsaved++;
		else
			memset(t, 0, sizeof *t);
	}
	r->kind = CFI_RULE;
	return true;
}

static bool
has_section(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	GElf_Shdr h;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return false;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const char *s =
		    gelf_getshdr(section, &h) == NULL ? NULL : elf_strptr(elf, names, h.sh_name);

		if (s != NULL && strcmp(s, name) == 0)
			return true;
	}
	return false;
}

/* Opening debug information takes long, so only a file with a .debug_frame of its own pays. */
static struct module_cfi *
module_cfi(struct module *m)
{
	struct module_cfi *mc = m->unwind;
	Elf *elf;

	if (mc != NULL)
		return mc;
	m->unwind = mc = cli_alloc(1, sizeof *mc);
	elf = module_elf(m);
	if (elf == NULL)
		return mc;
	mc->eh = dwarf_getcfi_elf(elf);
	if (has_section(elf, ".debug_frame") || has_section(elf, ".zdebug_frame")) {
		Dwarf *dwarf = module_dwarf(m);

		mc->debug = dwarf == NULL ? NULL : dwarf_getcfi(dwarf);
	}
	mc->go = gopclntab_open(elf);
	return mc;
}

/* Of x86-64, where all that a frame has is below the return address. */
static void
make_go_rule(const struct cfi *c, const struct gopclntab *go, uint64_t vaddr, struct cfi_rule *r)
{
	const int word = c->machine->word;
	int32_t below;
	bool first;

	if (c->machine != &cfi_x86_64 || !gopclntab_frame(go, vaddr, &below, &first) ||
	    below > INT32_MAX - word)
		return;
	r->ra = c->machine->pc;
	r->kind = first ? CFI_FIRST : CFI_RULE;
	r->cfa = (struct cfi_term){.offset = below + word, .base = c->machine->sp};
	r->saved[r->nsaved++] = (struct cfi_term){
	    .offset = -word, .base = CFI_CFA, .deref = true, .reg = c->machine->pc};
}

/* Of code that nothing describes but itself. */
static void
make_code_rule(
    const struct cfi *c, struct module *m, uint64_t vaddr, bool exact, struct cfi_rule *r)
{
	struct module_cfi *mc = m->unwind;

	if (c->machine != &cfi_x86_64)
		return;
	if (!mc->tried_code) {
		mc->tried_code = true;
		mc->code = module_elf(m) == NULL ? NULL : codeframe_open(module_elf(m));
	}
	if (mc->code == NULL)
		return;
	m->haskell = mc->code->haskell;
	codeframe_rule(mc->code, vaddr, exact, r);
}

static void
make_rule(const struct cfi *c, struct module *m, uint64_t vaddr, bool exact, struct cfi_rule *r)
{
	struct module_cfi *mc = module_cfi(m);
	Dwarf_Frame *frame = NULL;
	int ra;

	memset(r, 0, sizeof *r);
	if (mc->go != NULL)
		make_go_rule(c, mc->go, vaddr, r);
	if (r->kind != CFI_NONE)
		return;
	if ((mc->eh == NULL || dwarf_cfi_addrframe(mc->eh, vaddr, &frame) != 0) &&
	    (mc->debug == NULL || dwarf_cfi_addrframe(mc->debug, vaddr, &frame) != 0)) {
		if (mc->go == NULL)
			make_code_rule(c, m, vaddr, exact, r);
		return;
	}
	ra = dwarf_frame_info(frame, NULL, NULL, &r->signal);
	if (ra < 0 || ra >= CFI_REGS) {
		free(frame);
		return;
	}
	r->ra = (uint8_t)ra;
	if (terms_of(c->machine, frame, vaddr, r)) {
		free(frame);
		return;
	}
	memset(r->saved, 0, sizeof r->saved);
	r->nsaved = 0;
	r->kind = CFI_EXPRESSION;
	r->frame = frame;
}

/* The number of a rule equal to r, which is kept when it is new. */
static uint32_t
rule_number(struct cfi *c, const struct cfi_rule *r)
{
	uint32_t hash = (uint32_t)hash_bytes(r, sizeof *r);

	for (uint32_t at = hash, n; (n = hash_index_next(&c->same, hash, &at)) != 0;)
		if (memcmp(&c->rule[n], r, sizeof *r) == 0)
			return n;
	vec_fit(c->rule, c->caprule, (size_t)c->nrule + 1);
	c->rule[c->nrule] = *r;
	hash_index_add(&c->same, hash, c->nrule);
	return c->nrule++;
}

struct cfi *
cfi_new(const struct cfi_machine *m)
{
	struct cfi *c = cli_alloc(1, sizeof *c);

	c->machine = m;
	c->nslot = 1 << 14;
	c->slot = cli_alloc(c->nslot, sizeof *c->slot);
	c->nrule = 1; /* number 0 is no rule */
	return c;
}

void
cfi_forget(struct cfi *c)
{
	for (uint32_t i = 1; i < c->nrule; i++)
		free(c->rule[i].frame);
	memset(c->slot, 0, c->nslot * sizeof *c->slot);
	hash_index_clear(&c->same);
	c->used = 0;
	c->nrule = 1;
}

void
cfi_forget_module(struct module *m)
{
	struct module_cfi *mc = m->unwind;

	if (mc == NULL)
		return;
	if (mc->eh != NULL)
		dwarf_cfi_end(mc->eh); /* the other one is its Dwarf's */
	if (mc->go != NULL)
		gopclntab_close(mc->go);
	if (mc->code != NULL)
		codeframe_close(mc->code);
	free(mc);
	m->unwind = NULL;
}

void
cfi_free(struct cfi *c)
{
	cfi_forget(c);
	free(c->slot);
	hash_index_free(&c->same);
	free(c->rule);
	free(c);
}

static struct slot *
find_slot(const struct cfi *c, uint32_t module, uint64_t vaddr)
{
	uint64_t hash = (vaddr ^ (uint64_t)module << 40) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(hash >> 32) & (c->nslot - 1);

	while (c->slot[i].rule != 0 && (c->slot[i].vaddr != vaddr || c->slot[i].module != module))
		i = (i + 1) & (c->nslot - 1);
	return &c->slot[i];
}

static void
grow(struct cfi *c)
{
	struct slot *old = c->slot;
	size_t n = c->nslot;

	c->nslot *= 2;
	c->slot = cli_alloc(c->nslot, sizeof *c->slot);
	for (size_t i = 0; i < n; i++)
		if (old[i].rule != 0)
			*find_slot(c, old[i].module, old[i].vaddr) = old[i];
	free(old);
}

const struct cfi_rule *
cfi_find(struct cfi *c, struct module *m, uint64_t vaddr, bool exact)
{
	struct slot *s = find_slot(c, m->number, vaddr);

	if (s->rule == 0) {
		struct cfi_rule r;

		make_rule(c, m, vaddr, exact, &r);
		*s = (struct slot){vaddr, m->number, rule_number(c, &r)};
		if (++c->used * 2 > c->nslot) {
			grow(c);
			s = find_slot(c, m->number, vaddr);
		}
	}
	return &c->rule[s->rule];
}

bool
cfi_evaluate(const struct cfi *c, const struct cfi_rule *r, uint64_t vaddr, uint64_t reg[CFI_BASES],
    cfi_read *read, void *arg)
{
	struct frame_state state = {.reg = reg, .read = read, .arg = arg};
	struct evaluation e = {.machine = c->machine, .pc = vaddr, .state = &state};
	uint64_t caller[CFI_REGS];
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_frame_cfa(r->frame, &ops, &n) != 0 || n == 0 || !evaluate(&e, ops, n))
		return false;
	reg[CFI_CFA] = (uint64_t)e.stack[e.n - 1].value;
	memcpy(caller, reg, sizeof caller);
	caller[c->machine->sp] = reg[CFI_CFA];
	for (int i = 0; i < CFI_REGS; i++) {
		enum where where = locate(r->frame, &e, i);

		if (where == AT_ADDRESS && !dereference(&e))
			where = UNKNOWN;
		if (where == AT_ADDRESS || where == IS_VALUE)
			caller[i] = (uint64_t)e.stack[e.n - 1].value;
		else if (i == r->ra && where == UNKNOWN)
			return false;
	}
	memcpy(reg, caller, sizeof caller);
	reg[c->machine->pc] = reg[r->ra];
	return true;
}
