/*
 * runtime_aarch64: registers of AArch64 by number (AAPCS64, 6.1.1), thread-local data above the
 * thread pointer (Drepper, "ELF Handling For Thread-Local Storage", variant I), and the code that
 * runtimes are compiled to. Rows that were not derived from the sources of a runtime are left out.
 */
#include <string.h>

#include "elf/aarch64.h"
#include "runtime/cpu/runtimecpu.h"

enum { X0, X1, BASE = 19, X19 = 19, X20, X21, PC = 21, FP = 29, SP = 31 };

/* The fields of an instruction (Arm Architecture Reference Manual, C4.1). */
#define RD(instruction) ((instruction)&31)
#define RN(instruction) ((instruction) >> 5 & 31)
#define IMM12(instruction) ((instruction) >> 10 & 0xfff)

/* The instruction at offset i of n bytes; 0, which is none, at their end. */
static uint32_t
instruction(const unsigned char *code, size_t n, size_t i)
{
	uint32_t word = 0;

	if (i + sizeof word <= n)
		memcpy(&word, code + i, sizeof word);
	return word;
}

static bool
is_adrp(uint32_t word)
{
	return (word & 0x9f000000) == 0x90000000;
}

/* add xD, xN, imm */
static bool
is_add(uint32_t word)
{
	return word >> 22 == 0x244;
}

/* ldr xD, [xN, imm] */
static bool
is_load(uint32_t word)
{
	return word >> 22 == 0x3e5;
}

/* The page that adrp at an address leads to. */
static uint64_t
page_of(uint32_t word, uint64_t at)
{
	const int64_t high = (int32_t)(word << 8) >> 13, low = word >> 29 & 3;

	return (at & ~UINT64_C(4095)) + ((uint64_t)(high * 4 + low) << 12);
}

/* The function that the first bl leads to. */
static uint64_t
called(const unsigned char *code, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i += 4) {
		int64_t distance;

		if (aarch64_is_call(instruction(code, n, i), &distance))
			return at + i + (uint64_t)distance;
	}
	return 0;
}

/* ---- V8 ---- */

/* The start of a function: MacroAssembler::Prologue of macro-assembler-arm64.cc */
static const uint32_t v8_start[] = {
    0xa9bf7bfd, /* stp x29, x30, [sp, -16]! */
    0x910003fd, /* mov x29, sp */
    0xa9be03ff, /* stp xzr, x0, [sp, -32]! */
    0xa9016fe1, /* stp x1, x27, [sp, 16] */
};
enum { V8_STARTS = sizeof v8_start / sizeof *v8_start };

/* bl */
static bool
is_exit(struct memory_reader *m, uint64_t pc)
{
	int64_t distance;

	return aarch64_is_call(memory_u32(m, pc), &distance);
}

/* The index of the instruction at pc, of a start; V8_STARTS: it is in none. */
static size_t
start_index(struct memory_reader *m, uint64_t pc)
{
	uint32_t code[V8_STARTS];
	size_t i = 0;

	while (i < V8_STARTS && (!memory_read(m, pc - i * sizeof *code, code, sizeof code) ||
				    memcmp(code, v8_start, sizeof code) != 0))
		i++;
	return i;
}

static bool
starts(struct memory_reader *m, uint64_t pc, uint64_t sp, uint64_t fp)
{
	const size_t i = start_index(m, pc);

	return i < 2 || (i < V8_STARTS && fp - sp == (i == 2 ? 0 : 32));
}

static bool
fills(struct memory_reader *m, uint64_t pc, uint64_t sp, uint64_t fp)
{
	return fp - sp == 32 && memory_u32(m, pc) == v8_start[3] && start_index(m, pc) == 3;
}

/* register-arm64.h */
static const struct v8_cpu v8 = {
    .function = X1,
    .offset = X19,
    .array = X20,
    .dispatch = X21,
    .exit_bytes = 4,
    .is_exit = is_exit,
    .starts = starts,
    .fills = fills,
};

/* ---- BEAM ---- */

/* Registers of beam_asm.hpp: the table of registers, the Erlang stack's top, the process. */
enum { REGISTERS = X19, STACK = X20, PROCESS = X21, HTOP = 23, LR = 30 };

#define PUSH 0xf81f8e9e /* str x30, [x20, -8]!: a function's start */
#define POP 0xf840869e /* ldr x30, [x20], 8 */
#define POPPED 3 /* instructions between that and a jump */

/* ldr x20, [x21, stop], or ldp x23, x20 of htop before it; the stack's top stays in x20 else. */
static int
restores(const unsigned char *code, size_t n, uint8_t stop)
{
	const uint32_t field = stop / 8, load = 0xf9400000 | field << 10 | PROCESS << 5 | STACK,
		       pair = 0xa9400000 | (field - 1) << 15 | STACK << 10 | PROCESS << 5 | HTOP;
	int64_t distance;

	for (size_t i = 0; i < n; i += 4) {
		const uint32_t word = instruction(code, n, i);

		if (word == load || word == pair)
			return BEAM_PROCESS;
		if (aarch64_is_call(word, &distance) || (word & 0xff9ffc1f) == 0xd61f0000)
			break; /* bl, blr, br, ret */
	}
	return STACK;
}

/* adrp; add, perhaps with one or two between them */
static uint64_t
taken(const unsigned char *code, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i += 4) {
		const uint32_t page = instruction(code, n, i);

		for (size_t k = i + 4; is_adrp(page) && k <= i + 12; k += 4) {
			const uint32_t word = instruction(code, n, k);

			if (is_add(word) && RN(word) == RD(page))
				return page_of(page, at + i) + IMM12(word);
			if (RD(word) == RD(page))
				break;
		}
	}
	return 0;
}

/* At a function's start, and after its end has taken the return address from the stack. */
static bool
in_register(struct memory_reader *m, uint64_t pc)
{
	uint32_t code[POPPED + 1];

	if (!memory_read(m, pc - POPPED * sizeof *code, code, sizeof code))
		return false;
	for (size_t i = POPPED; i-- > 0;) {
		if (code[i] == POP)
			return true;
		/* Only subs of the reductions in x22, and b.mi, are between these. */
		if ((code[i] & 0x7fffffff) != 0x710006d6 && (code[i] & 0xff00001f) != 0x54000004)
			break;
	}
	return code[POPPED] == PUSH;
}

static const struct beam_cpu beam = {
    REGISTERS, PROCESS, STACK, restores, called, taken, in_register, LR};

/* ---- Ruby ---- */

/* adrp x0; ldr, [x0, slot]; add x0, x0, slot, as each use of a TLS descriptor. */
static uint64_t
slot(const unsigned char *code, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i += 4) {
		const uint32_t page = instruction(code, n, i), load = instruction(code, n, i + 4),
			       add = instruction(code, n, i + 8);

		if (is_adrp(page) && RD(page) == X0 && is_load(load) && RN(load) == X0 &&
		    is_add(add) && RN(add) == X0 && RD(add) == X0 && IMM12(add) == IMM12(load) * 8)
			return page_of(page, at + i) + IMM12(add);
	}
	return 0;
}

/* adrp x; add x, x, symbols; ldr y, [x, n]; ldr x0, [y, 16] */
static uint64_t
entries(const unsigned char *code, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i += 4) {
		const uint32_t page = instruction(code, n, i), add = instruction(code, n, i + 4),
			       load = instruction(code, n, i + 8),
			       number = instruction(code, n, i + 12);

		if (is_adrp(page) && is_add(add) && RN(add) == RD(page) && is_load(load) &&
		    RN(load) == RD(add) && is_load(number) && RN(number) == RD(load) &&
		    RD(number) == X0 && IMM12(number) == 2)
			return page_of(page, at + i) + IMM12(add) + IMM12(load) * 8;
	}
	return 0;
}

/* rb_current_ec_noinline, which is called first, has the slot (vm_core.h). */
static const struct ruby_cpu ruby = {called, slot, entries};

/* ---- Lua ---- */

/* The first mov of x0 to another register, or str of it to the stack. */
static struct lua_kept
kept(const unsigned char *code, size_t n)
{
	for (size_t i = 0; i + 4 <= n; i += 4) {
		const uint32_t word = instruction(code, n, i);
		const uint8_t end = (uint8_t)(i + 4);

		if ((word & ~UINT32_C(31)) == 0xaa0003e0)
			return (struct lua_kept){KEPT_IN_REGISTER, (uint8_t)RD(word), end};
		if (word >> 22 == 0x3e4 && RN(word) == SP && RD(word) == X0 &&
		    IMM12(word) * 8 <= UINT8_MAX)
			return (struct lua_kept){KEPT_ON_STACK, (uint8_t)(IMM12(word) * 8), end};
	}
	return (struct lua_kept){KEPT_UNKNOWN, 0, 0};
}

static const struct lua_cpu lua = {kept};

/* ---- All ---- */

/*
 * vm_arm64.dasc of LuaJIT since September 2021. Its C functions keep the base's register, which
 * calls preserve.
 */
static const struct luajit_cpu luajit = {BASE, PC, BASE, 40, 16, 8, 0, 208};
static const struct php_cpu php = {27, 28, 27 * 8, 28 * 8, NULL}; /* zend_execute.c */

const struct runtime_cpu runtime_aarch64 = {
    .name = "aarch64",
    .fp = FP,
    .sp = SP,
    .kept = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, FP},
    .nkept = 11,
    .stat_bytes = 128,
    .tls_above = true,
    .v8 = &v8,
    .beam = &beam,
    .ruby = &ruby,
    .lua = &lua,
    .luajit = &luajit,
    .php = &php,
};
