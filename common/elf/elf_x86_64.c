/*
 * elf_x86_64: code is searched without decoding. Other bytes rarely match: a random offset points
 * into the code with a probability of its size / 4 GiB.
 */
#include <elf.h>
#include <string.h>

#include "elf/elfmachine.h"

/* True for lea of an address relative to the pc. */
static bool
is_address(const unsigned char *b)
{
	return (b[0] & 0xfb) == 0x48 && b[1] == 0x8d && (b[2] & 0xc7) == 0x05;
}

static size_t
next_target(const unsigned char *code, size_t n, size_t *at)
{
	for (size_t i = *at; i + 7 <= n; i++) {
		const unsigned char *b = code + i;
		const size_t from = *b == 0xe8 ? 1 : is_address(b) ? 3 : 0;
		int32_t offset;
		uint64_t target;

		if (from == 0)
			continue;
		memcpy(&offset, b + from, sizeof offset);
		target = i + from + sizeof offset + (uint64_t)(int64_t)offset;
		if (target >= n)
			continue;
		*at = i + 1;
		return (size_t)target;
	}
	return n;
}

/*
 * Every linker's stub jumps through a slot (ff 25 disp32); the lazy half of a CET stub pushes its
 * relocation number (68 imm32).
 */
static bool
read_stub(const unsigned char *code, size_t n, uint64_t address, struct elfmachine_stub *stub)
{
	int32_t offset;

	*stub = (struct elfmachine_stub){0};
	for (size_t i = 0; i + 6 <= n; i++)
		if (code[i] == 0xff && code[i + 1] == 0x25) {
			memcpy(&offset, code + i + 2, 4);
			stub->slot = address + i + 6 + (uint64_t)(int64_t)offset;
			return true;
		}
	for (size_t i = 0; i + 5 <= n; i++)
		if (code[i] == 0x68) {
			memcpy(&stub->number, code + i + 1, 4);
			return true;
		}
	return false;
}

/* Of Go's compiler, which has these in registers up to rdi. */
static int64_t
operand(const unsigned char *code, size_t n, enum elfmachine_use use, unsigned nth)
{
	static const char *const codes[] = {"\x48\x8b", "\x8b", "\x48\x8d"};
	const size_t bytes = strlen(codes[use]), length = bytes + 5;

	for (size_t i = 0; i + length <= n; i++) {
		int32_t distance;

		if (memcmp(code + i, codes[use], bytes) != 0 || (code[i + bytes] & 0xc7) != 5 ||
		    (i > 0 && bytes == 1 && (code[i - 1] & 0xf0) == 0x40) || nth-- > 0)
			continue;
		memcpy(&distance, code + i + bytes + 1, sizeof distance);
		return (int64_t)(i + length) + distance;
	}
	return 0;
}

const struct elfmachine elf_x86_64 = {
    EM_X86_64, R_X86_64_DTPMOD64, 0, next_target, read_stub, operand};
