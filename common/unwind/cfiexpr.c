/*
 * cfiexpr: evaluates DWARF expressions (DWARF 5, section 2.5) for the locations of a frame and
 * its registers. Nearly all have the form register + offset, or the word at that address, and
 * become terms. The others have several unknowns; the same evaluator computes them for each
 * frame.
 */
#include "unwind/cfiexpr.h"

#include <dwarf.h>
#include <string.h>

#define OPERANDS 32 /* the evaluator's stack */
#define STEPS 1000 /* operations of one expression, loop iterations included */

/* A value on the evaluator's stack. */
struct operand {
	int64_t value;
	uint8_t base;
	bool deref;
};

/* The values of a frame; without them an expression can only become a term. */
struct frame_state {
	const uint64_t *reg; /* registers, then the CFA */
	cfi_read *read;
	void *arg;
};

struct evaluation {
	struct operand stack[OPERANDS];
	size_t n;
	const struct cfi_machine *machine;
	uint64_t pc;
	const struct frame_state *state; /* NULL: registers stay symbolic */
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
	bool linear = atom == DW_OP_minus && !a->deref; /* still register + offset */

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

/* Index of the target of DW_OP_skip or DW_OP_bra; n if it is not the start of an operation. */
static size_t
jump(const Dwarf_Op *ops, size_t n, const Dwarf_Op *op)
{
	uint64_t to = op->offset + 3 + op->number; /* size of the branch operation: 3 bytes */
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

/* Kinds of a register's location description. */
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

bool
cfiexpr_terms(
    const struct cfi_machine *machine, Dwarf_Frame *frame, uint64_t vaddr, struct cfi_rule *r)
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
		/* libdw reports an error for registers that the machine does not have. */
		if (where == SAME || where == UNDEFINED || (where == UNKNOWN && reg > machine->pc))
			continue;
		if (where == UNKNOWN || !to_term(&e.stack[e.n - 1], t))
			return false;
		if (where == AT_ADDRESS && t->deref)
			return false;
		t->deref |= where == AT_ADDRESS;
		t->reg = (uint8_t)reg;
		/* The caller's stack pointer is the CFA unless a rule overrides it. */
		if (reg != machine->sp || t->base != CFI_CFA || t->offset != 0 || t->deref)
			r->nsaved++;
		else
			memset(t, 0, sizeof *t);
	}
	r->kind = CFI_RULE;
	return true;
}

bool
cfiexpr_evaluate(const struct cfi_machine *machine, const struct cfi_rule *r, uint64_t vaddr,
    uint64_t reg[CFI_BASES], cfi_read *read, void *arg)
{
	struct frame_state state = {.reg = reg, .read = read, .arg = arg};
	struct evaluation e = {.machine = machine, .pc = vaddr, .state = &state};
	uint64_t caller[CFI_REGS];
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_frame_cfa(r->frame, &ops, &n) != 0 || n == 0 || !evaluate(&e, ops, n))
		return false;
	reg[CFI_CFA] = (uint64_t)e.stack[e.n - 1].value;
	memcpy(caller, reg, sizeof caller);
	caller[machine->sp] = reg[CFI_CFA];
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
	reg[machine->pc] = reg[r->ra];
	return true;
}
