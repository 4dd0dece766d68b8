#!/bin/sh
# The BPF program, share/bpf/walk.c, and the table of its instructions that is part of the tree.
# tier: full
. "$(dirname "$0")/lib.sh"
top=$here/..
table=$top/cmd/fg-record/watching/walkcode.h
version=$(sed -n 's|^/\* \(clang version .*\) \*/$|\1|p' "$table")

check 'the table of instructions names the clang that made it' test -n "$version"
if ! command -v clang >/dev/null; then
	skip "clang makes the table of share/bpf/walk.c" 'no clang' clang
elif ! clang --version | grep -qF "$version"; then
	skip "clang makes the table of share/bpf/walk.c" "it is not $version"
else
	check 'the BPF program compiles without warnings' make -s -C "$top" bpf O="$tmp" WALKCODE="$tmp/table" Q=
	same 'clang makes the table of share/bpf/walk.c' "$table" table
fi
done_testing
