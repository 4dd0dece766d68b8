/*
 * x86insn: decodes one x86-64 instruction: length, control flow, and effect on the stack
 * pointer and the callee-saved registers (Intel 64 and IA-32 Architectures Software Developer's
 * Manual, volume 2, appendix A).
 */
#ifndef X86INSN_H
#define X86INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum x86_flow {
	X86_NEXT, /* to the next instruction */
	X86_CALL, /* to the next instruction after the callee returns */
	X86_JUMP, /* to target */
	X86_BRANCH, /* to the next instruction or to target */
	X86_RETURN, /* to the caller; also a stub's jump through memory at a fixed place */
	X86_STOP, /* unknown */
};

enum x86_effect {
	X86_NONE, /* no effect on the stack; other registers and flags are ignored */
	X86_PUSH, /* of reg, or of X86_NO_REG for anything else */
	X86_POP,
	X86_MOVE, /* reg = base + value; one of them at least is the stack pointer */
	X86_STORE, /* reg to memory at base + value */
	X86_LOAD,
	X86_LEAVE, /* MOVE of the frame pointer to the stack pointer, then POP of it */
	X86_LOSE, /* the stack pointer becomes unknown */
};

/* Registers by DWARF number (System V ABI, figure 3.36). */
enum { X86_FP = 6, X86_SP = 7, X86_REGS = 16, X86_NO_REG = X86_REGS };

struct x86_insn {
	uint8_t length;
	uint8_t flow; /* enum x86_flow */
	uint8_t effect; /* enum x86_effect */
	uint8_t reg, base;
	int32_t value;
	int32_t target; /* relative to the next instruction */
	bool entry; /* endbr64: a target of calls, never reached by falling through */
	bool padding; /* NOP */
};

/* False when this program was built without Zydis: x86_decode always fails then. */
bool x86_available(void);

/* False when the bytes are not an instruction, or end before it does. */
bool x86_decode(const unsigned char *code, size_t n, struct x86_insn *i);

#endif
