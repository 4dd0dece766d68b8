/*
 * x86insn: decodes with Zydis; instructions that change the stack pointer, or save and restore
 * registers, become effects.
 */
#include "unwind/x86insn.h"

bool
x86_available(void)
{
#ifdef HAVE_ZYDIS
	return true;
#else
	return false;
#endif
}

#ifdef HAVE_ZYDIS

#include <Zydis/Zydis.h>
#include <pthread.h>
#include <string.h>

#define SHOWN 5 /* maximum number of an instruction's visible operands */

static ZydisDecoder decoder;

static void
start(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

/* An instruction with its visible operands. */
struct decoded {
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operand[SHOWN];
};

/* DWARF number of a general register of any width; X86_NO_REG for others. */
static uint8_t
dwarf(ZydisRegister reg)
{
	static const uint8_t number[X86_REGS] = {
	    0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};
	const ZydisRegister full =
	    ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	return full >= ZYDIS_REGISTER_RAX && full <= ZYDIS_REGISTER_R15
		   ? number[full - ZYDIS_REGISTER_RAX]
		   : X86_NO_REG;
}

static bool
is_register(const ZydisDecodedOperand *o, ZydisRegister reg)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->reg.value == reg;
}

/* True for memory at the stack or frame pointer plus a constant. */
static bool
is_place(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.index == ZYDIS_REGISTER_NONE &&
	       (o->mem.base == ZYDIS_REGISTER_RSP || o->mem.base == ZYDIS_REGISTER_RBP) &&
	       o->mem.segment != ZYDIS_REGISTER_FS && o->mem.segment != ZYDIS_REGISTER_GS;
}

static bool
is_relative(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && o->imm.is_relative;
}

static void
flow(const struct decoded *d, struct x86_insn *i)
{
	const ZydisDecodedOperand *to = &d->operand[0];
	const bool far = d->insn.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;

	switch (d->insn.mnemonic) {
	case ZYDIS_MNEMONIC_CALL: i->flow = far ? X86_STOP : X86_CALL; return;
	case ZYDIS_MNEMONIC_RET: i->flow = far ? X86_STOP : X86_RETURN; return;
	case ZYDIS_MNEMONIC_JMP:
		if (is_relative(to))
			i->flow = X86_JUMP;
		else if (!far && to->type == ZYDIS_OPERAND_TYPE_MEMORY &&
			 to->mem.base == ZYDIS_REGISTER_RIP)
			i->flow = X86_RETURN; /* jump of a stub */
		else
			i->flow = X86_STOP;
		break;
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_INT3:
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_SYSRET:
	case ZYDIS_MNEMONIC_SYSEXIT: i->flow = X86_STOP; return;
	default:
		if (d->insn.meta.category == ZYDIS_CATEGORY_COND_BR && is_relative(to) &&
		    d->insn.mnemonic != ZYDIS_MNEMONIC_XBEGIN)
			i->flow = X86_BRANCH;
	}
	if (is_relative(to))
		i->target = (int32_t)to->imm.value.s;
}

static void
set(struct x86_insn *i, enum x86_effect effect, uint8_t reg, uint8_t base, int64_t value)
{
	i->effect = effect;
	i->reg = reg;
	i->base = base;
	i->value = (int32_t)value;
}

static void
push_pop(const struct decoded *d, enum x86_effect effect, struct x86_insn *i)
{
	const ZydisDecodedOperand *o = &d->operand[0];

	if (d->insn.operand_width != 64)
		i->effect = X86_LOSE; /* 16-bit operand */
	else if (effect == X86_POP && is_register(o, ZYDIS_REGISTER_RSP))
		i->effect = X86_LOSE;
	else
		set(i, effect,
		    d->insn.operand_count_visible > 0 && o->type == ZYDIS_OPERAND_TYPE_REGISTER
			? dwarf(o->reg.value)
			: X86_NO_REG,
		    X86_SP, 0);
}

/* 64-bit MOV and LEA; others have no effect here. */
static void
move(const struct decoded *d, struct x86_insn *i)
{
	const ZydisDecodedOperand *to = &d->operand[0], *from = &d->operand[1];
	const bool lea = d->insn.mnemonic == ZYDIS_MNEMONIC_LEA;
	const bool to_sp = is_register(to, ZYDIS_REGISTER_RSP);
	const bool from_sp = is_register(from, ZYDIS_REGISTER_RSP) ||
			     (lea && is_place(from) && from->mem.base == ZYDIS_REGISTER_RSP);
	const bool from_fp = is_register(from, ZYDIS_REGISTER_RBP) ||
			     (lea && is_place(from) && from->mem.base == ZYDIS_REGISTER_RBP);

	if ((to_sp && (from_sp || from_fp)) || (is_register(to, ZYDIS_REGISTER_RBP) && from_sp))
		set(i, X86_MOVE, dwarf(to->reg.value), from_sp ? X86_SP : X86_FP,
		    lea ? from->mem.disp.value : 0);
	else if (to_sp)
		i->effect = X86_LOSE;
	else if (!lea && is_place(from) && dwarf(to->reg.value) != X86_NO_REG)
		set(i, X86_LOAD, dwarf(to->reg.value), dwarf(from->mem.base), from->mem.disp.value);
	else if (is_place(to) && from->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		 dwarf(from->reg.value) != X86_NO_REG)
		set(i, X86_STORE, dwarf(from->reg.value), dwarf(to->mem.base), to->mem.disp.value);
}

/* True if the encoding can name register 4, the stack pointer, outside of an address. */
static bool
may_name_sp(const ZydisDecodedInstruction *i)
{
	return (i->attributes & ZYDIS_ATTRIB_HAS_MODRM) == 0
		   ? (i->opcode & 7) == 4
		   : i->raw.modrm.reg == 4 || (i->raw.modrm.mod == 3 && i->raw.modrm.rm == 4);
}

/* Decoding operands doubles the time: limits it to instructions where they matter. */
static bool
needs_operands(const ZydisDecodedInstruction *i)
{
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_LEA:
	case ZYDIS_MNEMONIC_PUSH:
	case ZYDIS_MNEMONIC_POP: return true;
	default: return i->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE || may_name_sp(i);
	}
}

/* True if a visible operand that is written is part of the stack pointer. */
static bool
writes_sp(const struct decoded *d)
{
	for (int k = 0; k < d->insn.operand_count_visible && k < SHOWN; k++) {
		const ZydisDecodedOperand *o = &d->operand[k];

		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 &&
		    dwarf(o->reg.value) == X86_SP)
			return true;
	}
	return false;
}

static void
effect(const struct decoded *d, struct x86_insn *i)
{
	const ZydisDecodedOperand *to = &d->operand[0], *by = &d->operand[1];

	switch (d->insn.mnemonic) {
	case ZYDIS_MNEMONIC_PUSH:
	case ZYDIS_MNEMONIC_PUSHF:
	case ZYDIS_MNEMONIC_PUSHFQ: push_pop(d, X86_PUSH, i); return;
	case ZYDIS_MNEMONIC_POP:
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFQ: push_pop(d, X86_POP, i); return;
	case ZYDIS_MNEMONIC_LEAVE: i->effect = X86_LEAVE; return;
	case ZYDIS_MNEMONIC_ENTER: i->effect = X86_LOSE; return;
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_LEA:
		if (d->insn.operand_width == 64)
			move(d, i);
		else if (writes_sp(d))
			i->effect = X86_LOSE;
		return;
	case ZYDIS_MNEMONIC_ADD:
	case ZYDIS_MNEMONIC_SUB:
		if (is_register(to, ZYDIS_REGISTER_RSP) &&
		    by->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
			set(i, X86_MOVE, X86_SP, X86_SP,
			    d->insn.mnemonic == ZYDIS_MNEMONIC_ADD ? by->imm.value.s
								   : -by->imm.value.s);
			return;
		}
		break;
	default: break;
	}
	if (writes_sp(d))
		i->effect = X86_LOSE;
}

bool
x86_decode(const unsigned char *code, size_t n, struct x86_insn *i)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	ZydisDecoderContext context;
	struct decoded d;

	pthread_once(&once, start);
	memset(i, 0, sizeof *i);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, &context, code, n, &d.insn)))
		return false;
	i->length = d.insn.length;
	i->entry = d.insn.mnemonic == ZYDIS_MNEMONIC_ENDBR64;
	i->padding = d.insn.mnemonic == ZYDIS_MNEMONIC_NOP;
	if (d.insn.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || i->padding)
		return true;
	d.operand[0].type = d.operand[1].type = ZYDIS_OPERAND_TYPE_UNUSED;
	if (!needs_operands(&d.insn))
		d.insn.operand_count_visible = 0;
	if (d.insn.operand_count_visible > 0 &&
	    !ZYAN_SUCCESS(ZydisDecoderDecodeOperands(&decoder, &context, &d.insn, d.operand,
		d.insn.operand_count_visible < SHOWN ? d.insn.operand_count_visible : SHOWN)))
		return false;
	flow(&d, i);
	effect(&d, i);
	return true;
}

#else

bool
x86_decode(const unsigned char *code, size_t n, struct x86_insn *i)
{
	(void)code;
	(void)n;
	(void)i;
	return false;
}

#endif
