/* elf_aarch64: instructions of four bytes. */
#include <elf.h>
#include <string.h>

#include "elf/aarch64.h"
#include "elf/elfmachine.h"

static size_t
next_target(const unsigned char *code, size_t n, size_t *at)
{
	for (size_t i = *at; i + 7 <= n; i += 4) {
		uint32_t insn;
		int64_t distance;
		uint64_t target;

		memcpy(&insn, code + i, sizeof insn);
		if (!aarch64_is_call(insn, &distance))
			continue;
		target = i + (uint64_t)distance;
		if (target >= n)
			continue;
		*at = i + 4;
		return (size_t)target;
	}
	return n;
}

const struct elfmachine elf_aarch64 = {
    EM_AARCH64, R_AARCH64_TLS_DTPMOD, R_AARCH64_TLSDESC, next_target, NULL, NULL};
