#!/bin/sh
# The copies of the kernel's interfaces in common/kernel are those of the headers of this system,
# as far as these are as new.
# tier: quick
. "$(dirname "$0")/lib.sh"
common=$here/../common
: "${CC:=cc}"
printf '#include <linux/perf_event.h>\n' | $CC -E - >/dev/null 2>&1 || skip_all 'there are no headers of the kernel'

# values HEADER: prints the expressions in ./of with their values by that header.
values() {
	{
		printf '#include <stddef.h>\n#include <stdio.h>\n#include <sys/ioctl.h>\n#include %s\n' "$1"
		printf 'int main(void) {\n'
		sed 's/.*/printf("%s %llx\\n", "&", (unsigned long long)(&));/' of
		printf 'return 0; }\n'
	} >values.c
	LC_ALL=C $CC -D_GNU_SOURCE -I"$common" -fmax-errors=0 -o values values.c 2>said && ./values
}

# same NAME COPY HEADER: the copy and the header agree on the expressions of standard input. Names
# that an older header lacks are left out.
same() {
	cat >of
	if ! values "$3" >header.txt; then
		sed -nE "s/.*error: .([A-Za-z0-9_]+). undeclared.*/\1/p; s/.*no member named .([A-Za-z0-9_]+)['’].*/\1/p" said | sort -u >lacks
		[ -s lacks ] || { cp said "$tmp/.said"; not_ok "$1"; return; }
		sed 's/^/# not in this header: /' lacks
		grep -vwFf lacks of >rest
		mv rest of
		values "$3" >header.txt || { cp said "$tmp/.said"; not_ok "$1"; return; }
	fi
	values "$2" >copy.txt || cp said copy.txt
	diff -u header.txt copy.txt >"$tmp/.said"
	[ ! -s "$tmp/.said" ] && [ -s copy.txt ] && ok "$1" || not_ok "$1"
}

# names PATTERN FILE: the names that a copy defines.
names() {
	sed -nE "s/^(#define )?[[:space:]]*($1[A-Za-z0-9_]+)( = .*|,| .*)?\$/\2/p" "$common/kernel/$2"
}
attr=$(sed -n '/^struct perf_event_attr/,/^}/p' "$common/kernel/perfabi.h" | grep -v 'unused')

names PERF_ perfabi.h >list
same 'perfabi.h has the constants of linux/perf_event.h' '"kernel/perfabi.h"' '<linux/perf_event.h>' <list
{
	printf 'sizeof(struct perf_event_header)\nsizeof(struct perf_branch_entry)\n'
	echo "$attr" | sed -nE 's/^\t+u?int[0-9]+_t ([a-z][a-z0-9_]*);.*/offsetof(struct perf_event_attr, \1)/p'
	printf 'offsetof(struct perf_event_mmap_page, %s)\n' data_head data_tail data_offset data_size
} >list
same 'perf_event_open: the places of fields' '"kernel/perfabi.h"' '<linux/perf_event.h>' <list
echo "$attr" | sed -nE 's/^\t+uint64_t ([a-z][a-z0-9_]*) : [12];.*/((union { struct perf_event_attr a; unsigned long long w[16]; }){.a.\1 = 1}).w[5]/p' >list
same 'perf_event_open: the bits of flags' '"kernel/perfabi.h"' '<linux/perf_event.h>' <list
if printf '#include <linux/landlock.h>\n' | $CC -E - >/dev/null 2>&1; then
	{
		names LANDLOCK_ landlockabi.h | grep -v '_ALL$'
		echo 'sizeof(struct landlock_path_beneath_attr)'
		echo 'offsetof(struct landlock_path_beneath_attr, parent_fd)'
	} >list
	same 'landlockabi.h has the constants of linux/landlock.h' '"kernel/landlockabi.h"' '<linux/landlock.h>' <list
else
	skip 'Landlock' 'there is no linux/landlock.h'
fi
names SYS_ syscalls.h >list
same 'numbers of system calls' '"kernel/syscalls.h"' '<sys/syscall.h>' <list
{
	echo 'sizeof(struct SHAPE)'
	printf 'offsetof(struct SHAPE, %s)\n' MASK INODE MOUNT
	echo 'STATX_INODE'
	echo 'STATX_MOUNT'
} >shape
cat >of-header <<'END'
#include <linux/stat.h>
#define SHAPE statx
#define MASK stx_mask
#define INODE stx_ino
#define MOUNT stx_mnt_id
#define STATX_INODE STATX_INO
#define STATX_MOUNT STATX_MNT_ID
END
cat >of-copy <<'END'
#include "kernel/syscalls.h"
#define SHAPE syscalls_statx
#define MASK mask
#define INODE inode
#define MOUNT mount
#define STATX_INODE SYSCALLS_STATX_INODE
#define STATX_MOUNT SYSCALLS_STATX_MOUNT
END
same 'struct syscalls_statx has the shape of struct statx' "\"$tmp/of-copy\"" "\"$tmp/of-header\"" <shape
done_testing
