/*
 * x86insn: the bytes of one instruction of x86-64 in; how long it is, where it leads,
 * and what it does to the stack pointer and to registers that a function saves out.
 * (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A.)
 */
#ifndef X86INSN_H
#define X86INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_flow {
	X86_NEXT, /* to what follows */
	X86_CALL, /* the same, when the function that it calls has returned */
	X86_JUMP, /* to target */
	X86_BRANCH, /* to either */
	X86_RETURN, /* to the caller; a jump through memory at a fixed place, too (a stub's) */
	X86_STOP, /* nobody knows */
};

enum x86_effect {
	X86_NONE, /* on what is below; other registers and flags are not told */
	X86_PUSH, /* reg, or X86_NO_REG for anything else */
	X86_POP,
	X86_MOVE, /* reg = base + value, where one of them at least is the stack pointer */
	X86_STORE, /* reg, to base + value */
	X86_LOAD,
	X86_LEAVE, /* as MOVE of the frame pointer to the stack pointer and POP of it */
	X86_LOSE, /* the stack pointer becomes something unknown */
};

/* Registers by DWARF number (System V ABI, figure 3.36). */
enum { X86_FP = 6, X86_SP = 7, X86_REGS = 16, X86_NO_REG = X86_REGS };

struct x86_insn {
	uint8_t length;
	uint8_t flow; /* enum x86_flow */
	uint8_t effect; /* enum x86_effect */
	uint8_t reg, base;
	int32_t value;
	int32_t target; /* from the next instruction on */
	bool entry; /* endbr64: where calls come in, and nothing falls in */
	bool padding; /* NOP */
};

/* False when this program was built without Zydis: then nothing is decoded. */
bool x86_available(void);

/* False when the bytes are no instruction, or end before it does. */
bool x86_decode(const unsigned char *code, size_t n, struct x86_insn *i);

#endif
