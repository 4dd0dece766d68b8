/*
 * runtime_aarch64: registers of AArch64 by number (AAPCS64, 6.1.1), thread-local data above the
 * thread pointer (Drepper, "ELF Handling For Thread-Local Storage", variant I), and the code that
 * runtimes are compiled to. Rows that were not derived from the sources of a runtime are left out.
 */
#include <string.h>

#include "elf/aarch64.h"
#include "runtime/cpu/runtimecpu.h"

enum { X0, BASE = 19, PC = 21, FP = 29, SP = 31 };

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

/* ---- Ruby ---- */

/* bl: rb_current_ec_noinline, which has the slot (vm_core.h) */
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
    .tls_above = true,
    .ruby = &ruby,
    .lua = &lua,
    .luajit = &luajit,
    .php = &php,
};
