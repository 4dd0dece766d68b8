#!/bin/sh
# Worked examples of fg-hacking(7): each whole file among them compiles with this tree's headers.
# tier: quick
. "$(dirname "$0")/lib.sh"

awk '
	/^\.Bd/ { first = 1; next }
	/^\.Ed/ { file = ""; next }
	first { first = 0; if (/^\/\*/) file = "example" ++n ".c" }
	file != "" { gsub(/\\e/, "\\"); print >file }' "$here/../man/fg-hacking.7"
check 'the manual has a complete format, output, processor and interpreter' test -f example4.c
for f in example*.c; do
	title=$(sed -n 's/^.*\* *\([a-z0-9_]*\):.*/\1/p; 2q' "$f" | head -1)
	check "the example $title compiles" \
		sh -c '"${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I"$0/../common" -I"$0/../cmd" "$1" >&2' "$here" "$f"
done

# The processor's calls: jal 8 bytes on, auipc and jalr 16 bytes on, and back by 12.
cat >calls.c <<'END'
#include <stdio.h>
#include "elf/elfmachine.h"

extern const struct elfmachine elf_riscv64;
int
main(void)
{
	static const uint32_t code[] = {0x00000013, 0x008000ef, 0x13, 0x00000097, 0x010080e7, 0x13, 0xff5ff0ef, 0x13, 0x13};
	size_t at = 0, target;

	while ((target = elf_riscv64.next_target((const unsigned char *)code, sizeof code, &at)) < sizeof code)
		printf("%zu: %zu\n", at - 4, target);
	return 0;
}
END
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -I"$here/../common" -o calls calls.c "$(grep -l elf_riscv64 example*.c)"
output 'the example of a processor finds its calls' '4: 12
12: 28
24: 12' ./calls
done_testing
