/*
 * arm64frame: symbolic execution of AArch64 code (Arm Architecture Reference Manual, C4.1). A
 * register has the value that a register had at the start of the walk plus an offset, or that of a
 * word of the stack at the start. The walk follows the fall-through path first, then branch
 * targets. Instructions without effect on the stack pointer, the frame pointer, the link register
 * and saved registers are not decoded.
 */
#include "unwind/arm64frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"

#define STEPS 2048 /* instructions of one walk, at most */
#define BRANCHES 32 /* branches still to follow */
#define SEEN 4096 /* a power of two, above STEPS */
#define STORES 32 /* words that the walk wrote to the stack */

enum { FP = 29, LINK = 30, SP = 31, REGS = 32 }; /* DWARF numbers */

enum kind {
	UNKNOWN,
	ADDRESS, /* the register `base` at the start, plus offset */
	MEMORY, /* the word there, at the start */
	CONSTANT, /* offset */
};

struct expression {
	uint8_t kind; /* enum kind */
	uint8_t base; /* FP, SP; with offset 0, any register */
	int32_t offset;
};

struct state {
	uint64_t pc;
	struct expression reg[REGS];
	struct {
		struct expression at; /* ADDRESS */
		struct expression value;
	} store[STORES];
	size_t nstore;
};

struct walk {
	const struct arm64frame_code *code;
	uint64_t goal; /* UINT64_MAX: a return */
	struct state now;
	struct state branch[BRANCHES];
	size_t nbranch;
	uint64_t seen[SEEN]; /* addresses plus one; 0: free */
};

static bool
is_same(const struct expression *a, const struct expression *b)
{
	return a->kind == b->kind && a->base == b->base && a->offset == b->offset;
}

/* A signed field of n bits. */
static int32_t
field(uint32_t insn, unsigned from, unsigned n)
{
	return (int32_t)(insn << (32 - from - n)) >> (32 - n);
}

static void
set(struct state *s, unsigned reg, struct expression value)
{
	if (reg < REGS)
		s->reg[reg] = value;
}

static struct expression
plus(struct expression e, int64_t n)
{
	if ((e.kind != ADDRESS && e.kind != CONSTANT) ||
	    __builtin_add_overflow(e.offset, n, &e.offset))
		e.kind = UNKNOWN;
	return e;
}

static bool
is_stack(const struct expression *e)
{
	return e->kind == ADDRESS && (e->base == SP || e->base == FP);
}

/* Stores reg at a place, or loads it; places outside the stack are ignored. */
static bool
transfer(struct state *s, bool load, unsigned reg, struct expression at)
{
	size_t i = 0;

	if (!is_stack(&at)) {
		if (load && reg != SP) /* the zero register */
			s->reg[reg].kind = UNKNOWN;
		return true;
	}
	while (i < s->nstore && !is_same(&s->store[i].at, &at))
		i++;
	if (load) {
		if (reg != SP)
			s->reg[reg] = i < s->nstore
					  ? s->store[i].value
					  : (struct expression){MEMORY, at.base, at.offset};
		return true;
	}
	if (i == STORES)
		return false;
	s->nstore += i == s->nstore;
	s->store[i].at = at;
	s->store[i].value = reg == SP ? (struct expression){CONSTANT, 0, 0} : s->reg[reg];
	return true;
}

/* Loads and stores, of one register or two; false if there are too many stores. */
static bool
access_memory(struct state *s, uint32_t insn)
{
	const bool pair = (insn & 0x3a000000) == 0x28000000, vector = (insn & 0x04000000) != 0;
	const unsigned size = insn >> 30, base = insn >> 5 & 31;
	bool load = (insn & 0x00400000) != 0, before = true, writes = false, plain;
	struct expression at = s->reg[base];
	int64_t offset, bytes = 8;

	if (pair) {
		const unsigned mode =
		    insn >> 23 & 3; /* no-allocate, post-index, offset, pre-index */

		bytes = vector ? 4 << size : size == 2 ? 8 : 4;
		offset = field(insn, 15, 7) * bytes;
		before = mode != 1;
		writes = mode == 1 || mode == 3;
		plain = !vector && size == 2;
	} else if ((insn & 0x3b000000) == 0x39000000) { /* unsigned offset */
		offset = (int64_t)(insn >> 10 & 0xfff) << size;
		plain = !vector && size == 3 && (insn & 0x00800000) == 0;
	} else if ((insn & 0x3b200000) == 0x38000000) { /* unscaled, post-index, pre-index */
		const unsigned mode = insn >> 10 & 3;

		offset = field(insn, 12, 9);
		before = mode != 1;
		writes = mode == 1 || mode == 3;
		plain = !vector && size == 3 && (insn & 0x00800000) == 0 && mode != 2;
	} else { /* by literal or register, exclusive, atomic: a loaded register is unknown */
		if (!vector && (insn & 31) != SP &&
		    ((insn & 0x3b000000) == 0x18000000 || (insn & 0x00c00000) != 0))
			s->reg[insn & 31].kind = UNKNOWN;
		return true;
	}
	if (before)
		at = plus(at, offset);
	if (plain) {
		if (!transfer(s, load, insn & 31, at) ||
		    (pair && !transfer(s, load, insn >> 10 & 31, plus(at, bytes))))
			return false;
	} else if (!vector && (load || (insn & 0x00c00000) != 0)) {
		if ((insn & 31) != SP)
			s->reg[insn & 31].kind = UNKNOWN;
		if (pair && (insn >> 10 & 31) != SP)
			s->reg[insn >> 10 & 31].kind = UNKNOWN;
	}
	if (writes)
		set(s, base, before ? at : plus(at, offset));
	return true;
}

/* Arithmetic with an immediate. */
static void
compute_immediate(struct state *s, uint32_t insn)
{
	const unsigned to = insn & 31, from = insn >> 5 & 31, shift = 16 * (insn >> 21 & 3);
	const uint32_t kind = insn & 0xff800000;
	struct expression value = {UNKNOWN, 0, 0};

	if ((kind & 0x9f800000) == 0x91000000) { /* add, sub: 64-bit */
		const int64_t n = (int64_t)(insn >> 10 & 0xfff) << (insn >> 22 & 1 ? 12 : 0);

		if (to == SP && (insn & 0x20000000) != 0)
			return; /* cmp, cmn */
		value = plus(s->reg[from], (insn & 0x40000000) != 0 ? -n : n);
	} else if (kind == 0xd2800000 || kind == 0x52800000) { /* movz */
		if (shift <= 16 && (insn >> 5 & 0xffff) << shift <= INT32_MAX)
			value = (struct expression){
			    CONSTANT, 0, (int32_t)((insn >> 5 & 0xffff) << shift)};
	} else if (kind == 0xf2800000 || kind == 0x72800000) { /* movk */
		if (s->reg[to].kind == CONSTANT && shift <= 16)
			value = (struct expression){CONSTANT, 0,
			    (int32_t)(((uint32_t)s->reg[to].offset & ~(0xffffu << shift)) |
				      (insn >> 5 & 0xffff) << shift)};
	} else if (to == SP &&
		   ((kind & 0x1f800000) != 0x12000000 || (kind & 0x60000000) == 0x60000000)) {
		return; /* the zero register, but for and, orr and eor */
	}
	s->reg[to] = value;
}

/* Arithmetic of registers. */
static void
compute(struct state *s, uint32_t insn)
{
	const unsigned to = insn & 31, from = insn >> 5 & 31, by = insn >> 16 & 31;
	struct expression value = {UNKNOWN, 0, 0};

	if ((insn & 0xffe0ffe0) == 0xaa0003e0) { /* mov */
		if (to == SP)
			return;
		value = by == SP ? (struct expression){CONSTANT, 0, 0} : s->reg[by];
	} else if ((insn & 0xbfe00000) == 0x8b200000) { /* add and sub, extended: of SP */
		const int64_t n = (int64_t)s->reg[by].offset << (insn >> 10 & 7);

		if (s->reg[by].kind == CONSTANT && by != SP)
			value = plus(s->reg[from], (insn & 0x40000000) != 0 ? -n : n);
	} else if (to == SP) {
		return; /* the zero register */
	}
	s->reg[to] = value;
}

static bool
turn_back(struct walk *w)
{
	if (w->nbranch == 0)
		return false;
	w->now = w->branch[--w->nbranch];
	return true;
}

/* True at the first visit of the current instruction. */
static bool
is_new(struct walk *w)
{
	size_t i = (size_t)(hash_number(w->now.pc) >> 32) & (SEEN - 1);

	while (w->seen[i] != 0 && w->seen[i] != w->now.pc + 1)
		i = (i + 1) & (SEEN - 1);
	if (w->seen[i] != 0)
		return false;
	w->seen[i] = w->now.pc + 1;
	return true;
}

/* Distance of a conditional branch in bytes; 0 for other instructions. */
static int32_t
branch_of(uint32_t insn)
{
	if ((insn & 0xff000000) == 0x54000000 || (insn & 0x7e000000) == 0x34000000)
		return field(insn, 5, 19) * 4; /* b.cond, cbz, cbnz */
	return (insn & 0x7e000000) == 0x36000000 ? field(insn, 5, 14) * 4 : 0; /* tbz, tbnz */
}

/* Branches to a register: their operation (br, blr, ret and those with authentication), or -1. */
static int
indirect(uint32_t insn)
{
	return (insn & 0xfe000000) == 0xd6000000 ? (int)(insn >> 21 & 7) : -1;
}

/* True where a function ends: a return, or a stub's jump through x16 or x17. */
static bool
is_return(uint32_t insn)
{
	return indirect(insn) == 2 || (insn & 0xffffffdf) == 0xd61f0200;
}

/* True for jumps to unknown places and for traps. */
static bool
is_stop(uint32_t insn)
{
	return indirect(insn) >= 0 || (insn & 0xffe0001f) == 0xd4200000 || (insn & 0xffff0000) == 0;
}

static bool
is_call(uint32_t insn)
{
	return (insn & 0xfc000000) == 0x94000000 || indirect(insn) == 1;
}

/* Executes one instruction; false if no path leads on. */
static bool
execute(struct walk *w, uint32_t insn)
{
	const uint64_t pc = w->now.pc;
	const int32_t branch = branch_of(insn);

	w->now.pc += 4;
	if (is_call(insn)) {
		for (unsigned reg = 0; reg <= 18; reg++)
			w->now.reg[reg].kind = UNKNOWN;
		w->now.reg[LINK].kind = UNKNOWN;
	} else if ((insn & 0xfc000000) == 0x14000000) {
		w->now.pc = pc + (uint64_t)((int64_t)field(insn, 0, 26) * 4);
	} else if (is_return(insn) || is_stop(insn)) {
		return turn_back(w);
	} else if (branch != 0) {
		if (w->nbranch < BRANCHES) {
			w->branch[w->nbranch] = w->now;
			w->branch[w->nbranch++].pc = pc + (uint64_t)(int64_t)branch;
		}
	} else if ((insn & 0x0a000000) == 0x08000000) {
		return access_memory(&w->now, insn);
	} else if ((insn & 0x1c000000) == 0x10000000) {
		compute_immediate(&w->now, insn);
	} else if ((insn & 0x0e000000) == 0x0a000000) {
		compute(&w->now, insn);
	}
	return true;
}

/* True if the caller's frame follows from the registers at a return. */
static bool
is_consistent(const struct state *s)
{
	static const struct expression fp = {ADDRESS, FP, 0}, link = {ADDRESS, LINK, 0};

	return is_stack(&s->reg[SP]) && (s->reg[SP].base == FP || s->reg[SP].offset >= 0) &&
	       (s->reg[FP].kind == MEMORY || is_same(&s->reg[FP], &fp)) &&
	       (s->reg[LINK].kind == MEMORY || is_same(&s->reg[LINK], &link));
}

/* Walks until the goal or a return with consistent registers. */
static bool
walk(struct walk *w)
{
	const struct arm64frame_code *c = w->code;

	for (unsigned steps = 0; steps < STEPS; steps++) {
		const uint64_t at = w->now.pc - c->start;
		uint32_t insn;

		if (w->now.pc == w->goal)
			return true;
		if (at >= c->n || c->n - at < sizeof insn || at % sizeof insn != 0 || !is_new(w)) {
			if (!turn_back(w))
				return false;
			continue;
		}
		memcpy(&insn, c->bytes + at, sizeof insn);
		if (w->goal == UINT64_MAX && is_return(insn) && is_consistent(&w->now))
			return true;
		if (!execute(w, insn))
			return false;
	}
	return false;
}

static void
add_saved(struct cfi_rule *r, unsigned reg, unsigned base, int32_t offset)
{
	r->saved[r->nsaved++] = (struct cfi_term){
	    .offset = offset, .base = (uint8_t)base, .deref = true, .reg = (uint8_t)reg};
}

static void
begin(struct walk *w, const struct arm64frame_code *code, uint64_t pc, uint64_t goal)
{
	memset(w, 0, sizeof *w);
	w->code = code;
	w->goal = goal;
	w->now.pc = pc;
	for (unsigned reg = 0; reg < REGS; reg++)
		w->now.reg[reg] = (struct expression){ADDRESS, (uint8_t)reg, 0};
}

/* The registers at the return are those of the caller. */
static bool
walk_ahead(struct walk *w, struct cfi_rule *r)
{
	if (!walk(w))
		return false;
	r->cfa = (struct cfi_term){.offset = w->now.reg[SP].offset, .base = w->now.reg[SP].base};
	for (unsigned reg = 19; reg <= LINK; reg++)
		if (w->now.reg[reg].kind == MEMORY)
			add_saved(r, reg, w->now.reg[reg].base, w->now.reg[reg].offset);
	return true;
}

/* The registers at the function's start are those of the caller; the stack pointer is the CFA. */
static bool
walk_from(struct walk *w, bool called, struct cfi_rule *r)
{
	const struct expression *by = &w->now.reg[SP];
	bool link = false;

	if (!walk(w))
		return false;
	if (by->kind != ADDRESS || by->base != SP)
		by = &w->now.reg[FP];
	if (by->kind != ADDRESS || by->base != SP)
		return false;
	r->cfa = (struct cfi_term){.offset = -by->offset, .base = by == &w->now.reg[SP] ? SP : FP};
	for (unsigned reg = 19; reg <= LINK; reg++) {
		const struct expression own = {ADDRESS, (uint8_t)reg, 0};

		if (is_same(&w->now.reg[reg], &own) && !(called && reg == LINK)) {
			link |= reg == LINK;
			continue;
		}
		for (size_t i = 0; i < w->now.nstore; i++)
			if (is_same(&w->now.store[i].value, &own) &&
			    w->now.store[i].at.base == SP) {
				add_saved(r, reg, CFI_CFA, w->now.store[i].at.offset);
				link |= reg == LINK;
				break;
			}
	}
	return link;
}

bool
arm64frame_rule(const struct arm64frame_code *code, uint64_t function, uint64_t vaddr, bool exact,
    struct cfi_rule *r)
{
	struct cfi_rule found = {.kind = CFI_RULE, .ra = LINK};
	const uint64_t at = vaddr & ~UINT64_C(3);
	struct walk *w = cli_alloc(1, sizeof *w);
	bool known;

	begin(w, code, exact ? at : at + 4, UINT64_MAX);
	if (!exact) /* the callee's return address was there */
		w->now.reg[LINK].kind = UNKNOWN;
	known = walk_ahead(w, &found);
	if (!known && function != 0) {
		found = (struct cfi_rule){.kind = CFI_RULE, .ra = LINK};
		begin(w, code, function, at);
		known = walk_from(w, !exact, &found);
	}
	free(w);
	if (known)
		*r = found;
	return known;
}
