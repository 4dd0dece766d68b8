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
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i].got != all[i].wanted) {
			printf("%zu: %lx\n", i, (unsigned long)all[i].got);
			return 1;
		}
	return 0;
}
