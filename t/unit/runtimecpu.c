/*
 * runtimecpu: checks addresses that runtimes' instructions of AArch64 lead to, by code of Debian 12
 * and 13. Exits 1 at the first wrong one, and prints its number.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/cpu/runtimecpu.h"

#define N(code) (sizeof(code) - 1)

/* rb_profile_frames of Ruby 3.3, from its bl on, and the function that this calls. */
static const char profile[] = "\xc0\x6e\xff\x97\x40\x01\x00\xb4";
static const char current[] = "\x3f\x23\x03\xd5\x41\xd0\x3b\xd5\xfd\x7b\xbf\xa9\xfd\x03\x00\x91"
			      "\x60\x0f\x00\xd0\x02\x6c\x41\xf9\x00\x60\x0b\x91\x40\x00\x3f\xd6";
/* rb_sym_all_symbols of Ruby 3.3, from a load that is another one on. */
static const char symbols[] = "\x94\xba\x41\xf9\x02\x00\x40\xf9\x73\x11\x00\xd0"
			      "\x73\x22\x05\x91\x60\x06\x40\xf9\x00\x08\x40\xf9";
/* luaV_execute of Lua 5.4, and one with its state on the stack. */
static const char execute[] = "\xfd\x7b\xb5\xa9\x62\x01\x00\xd0\x42\xe0\x47\xf9"
			      "\xfd\x03\x00\x91\xf3\x53\x01\xa9\xf4\x03\x00\xaa";
static const char stored[] = "\xfd\x7b\xbd\xa9\xe0\x0b\x00\xf9\xe1\x0f\x00\xf9";

/* Of OTP 25: a bl of erts_lookup_function_info, and the function that this calls. */
static const char lookup[] = "\xe0\x03\x01\xaa\x8f\xfe\xff\x97";
static const char find[] = "\xe5\x03\x00\xaa\x20\x16\x00\x90\x00\x10\x42\xf9\x01\x00\x40\xb9"
			   "\xc0\x16\x00\xf0\x22\x7c\x7b\xd3\x00\x00\x0d\x91";
/* After calls to C: mov; ldr x20, [x21, 88], or ldp x23, x20, or a bl before these. */
static const char one[] = "\xf9\x03\x00\xaa\xb4\x2e\x40\xf9", two[] = "\xb7\x52\x45\xa9",
		  next[] = "\x8f\xfe\xff\x97\xb4\x2e\x40\xf9";

/* A function's start in memory, after three instructions before it; then its end. */
static const uint32_t erlang[] = {0, 0, 0, 0xf81f8e9e, 0x14000002, 0xaa0003f9, 0xf840869e,
    0x710006d6, 0x5400abc4, 0xd65f03c0, 0xd503201f};
/* The start of a function of V8 in memory, before and after other instructions. */
static const uint32_t v8[] = {
    0, 0, 0, 0xa9bf7bfd, 0x910003fd, 0xa9be03ff, 0xa9016fe1, 0xd10043ff, 0, 0, 0x94000010};

#define CODE UINT64_C(0x10000)
#define FRAME UINT64_C(0x20000) /* frame pointer */

/* Bit i: the result of a function for instruction i of a page of code. */
static uint64_t
bits_of(const uint32_t *code, size_t bytes, bool (*is)(struct memory_reader *, uint64_t),
    bool (*within)(struct memory_reader *, uint64_t, uint64_t, uint64_t), uint64_t below)
{
	uint8_t page[MEMORY_PAGE] = {0};
	struct memory_reader *m = memory_of_image(CODE, page, sizeof page);
	uint64_t bits = 0;

	memcpy(page, code, bytes);
	memory_begin(m);
	for (uint64_t i = 3; i < bytes / sizeof *code; i++)
		if (is != NULL ? is(m, CODE + 4 * i)
			       : within(m, CODE + 4 * i, FRAME - below, FRAME))
			bits |= UINT64_C(1) << i;
	memory_free(m);
	return bits;
}

int
main(void)
{
	const struct runtime_cpu *cpu = &runtime_aarch64;
	const struct ruby_cpu *ruby = cpu->ruby;
	const struct lua_kept in = cpu->lua->kept((const unsigned char *)execute, N(execute)),
			      on = cpu->lua->kept((const unsigned char *)stored, N(stored));
	const struct {
		uint64_t got, wanted;
	} all[] = {
	    {ruby->called((const unsigned char *)profile, N(profile), 0x285844), 0x261344},
	    {ruby->slot((const unsigned char *)current, N(current), 0x261344), 0x44f2d8},
	    {ruby->slot((const unsigned char *)current, N(current) - 8, 0x261344), 0},
	    {ruby->entries((const unsigned char *)symbols, N(symbols), 0x2224fc), 0x450150},
	    {ruby->entries((const unsigned char *)symbols, N(symbols) - 4, 0x2224fc), 0},
	    {in.where, KEPT_IN_REGISTER},
	    {in.at, 20},
	    {in.end, N(execute)},
	    {on.where, KEPT_ON_STACK},
	    {on.at, 16},
	    {on.end, 8},
	    {cpu->beam->called((const unsigned char *)lookup, N(lookup), 0xfb6e0), 0xfb120},
	    {cpu->beam->taken((const unsigned char *)find, N(find), 0xfb120), 0x3d6340},
	    {cpu->beam->taken((const unsigned char *)find, N(find) - 4, 0xfb120), 0},
	    {(uint64_t)cpu->beam->restores((const unsigned char *)one, N(one), 88),
		(uint64_t)BEAM_PROCESS},
	    {(uint64_t)cpu->beam->restores((const unsigned char *)two, N(two), 88),
		(uint64_t)BEAM_PROCESS},
	    {(uint64_t)cpu->beam->restores((const unsigned char *)next, N(next), 88), 20},
	    {bits_of(erlang, sizeof erlang, cpu->beam->in_register, NULL, 0), 0x388},
	    {bits_of(v8, sizeof v8, cpu->v8->is_exit, NULL, 0), 0x400},
	    {bits_of(v8, sizeof v8, NULL, cpu->v8->starts, 0), 0x38},
	    {bits_of(v8, sizeof v8, NULL, cpu->v8->starts, 32), 0x58},
	    {bits_of(v8, sizeof v8, NULL, cpu->v8->fills, 32), 0x40},
	    {bits_of(v8, sizeof v8, NULL, cpu->v8->fills, 16), 0},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].got != all[i].wanted) {
			printf("%zu: %lx\n", i, (unsigned long)all[i].got);
			return 1;
		}
	return 0;
}
