#!/bin/sh
# Rules of the tree: each wing of common/ includes only those before it, and no module itself. No
# link of t/data dangles.
# Each test states its tier.
# tier: quick
. "$(dirname "$0")/lib.sh"

# A wing, and the wings beside kernel and base that it may include.
while read -r wing below; do
	allowed=$(echo "kernel base $below $wing" | tr ' ' '|')
	output "common/$wing includes nothing but base $below" '' sh -c \
	    'grep -rnE "#include \"" "$1/../common/$2" | grep -vE "#include \"($3)/|sonames.h\"\""' \
	    sh "$here" "$wing" "$allowed"
done <<'END'
base
stats
profile
names profile
sample profile names
access
elf access
dwarf access elf
unwind access elf dwarf
runtime access elf dwarf unwind
threadlabel access elf dwarf unwind runtime
symbol access elf dwarf unwind runtime
trace profile names sample access elf dwarf unwind runtime threadlabel symbol
END

# Each wing before those above it; programs know nothing of each other.
output 'common/kernel includes nothing of common but itself' '' sh -c \
    'grep -rnE "#include \"" "$1/../common/kernel" | grep -v "#include \"kernel/"' sh "$here"
output 'only common/kernel/cpu.h tests the processor of the compiler' '' sh -c \
    'cd "$1/.." && grep -rnE "__(x86_64|amd64|i386|aarch64|arm|riscv|powerpc64|s390x)__" cmd common share/heap |
        grep -v "^common/kernel/cpu.h:"' sh "$here"
output 'registers and instructions of a processor are in its own files' '' sh -c '
	cd "$1/.." && grep -rnE "(^|[^A-Za-z0-9_])(r(ax|bx|cx|dx|si|di|bp|sp|[89]|1[0-5])|x(1[0-9]|2[0-9]|30)|.*_x86_64\.(cpp|h)|EM_X86_64|EM_AARCH64|(NATIVE|USER)_R[A-Z0-9]+)([^A-Za-z0-9_]|$)|\\\\x4[89c]\\\\x8[0-9a-f]" \
	    common/runtime common/threadlabel common/trace common/symbol cmd/fg-record --include=*.[ch] |
	    grep -vE "^(common/runtime/cpu/runtime_[a-z0-9_]*\.c|cmd/fg-record/stopping/ptrace_[a-z0-9_]*\.c):"' sh "$here"
for program in "$here"/../cmd/*; do
	name=${program##*/}
	output "$name includes no other program" '' sh -c \
	    'grep -rnE "#include \"fg-" "$1" | grep -v "#include \"$2/"' sh "$program" "$name"
done
output 'no include leads back to its module, a .c file with its .h file' '' perl "$here/circles.pl" "$here/.."

output "each header is included by its path from common/ or cmd/" "" \
    grep -rnE "#include \"[^/\"]*\"" "$here/../common" "$here/../cmd"

output 'no function has more than 80 lines' '' sh -c \
    'find "$1/../cmd" "$1/../common" -name "*.c" -exec awk "/^{/ { from = FNR } /^}/ { if (from && FNR - from > 81) print FILENAME \":\" from; from = 0 }" {} +' sh "$here"
output 'no C file has more than 800 lines' '' sh -c \
    'find "$1/../cmd" "$1/../common" -name "*.[ch]" -exec wc -l {} + | awk "\$1 > 800 && \$2 != \"total\""' sh "$here"

output 'no directory but that of the formats has more than 26 modules' '' sh -c '
	cd "$1/.." && find cmd common -name "*.[ch]" | sed "s/\.[ch]$//" | sort -u | sed "s|/[^/]*$||" |
	    uniq -c | awk "\$1 > 26 && \$2 != \"cmd/fg-collapse/format\""' sh "$here"


# A module's name is that of its idea. Each program has a command line, so each has `options'.
output 'each module has a name of its own, but the options of a program' '' sh -c '
	cd "$1/.." && find cmd common -name "*.[ch]" | sed "s/\.[ch]$//" | sort -u | sed "s|.*/||" | sort | uniq -d |
	    grep -vx options' sh "$here"

output 'no link leads nowhere' '' find "$here/data" -type l ! -exec test -e {} \; -print

# Tests that `make quick` and `make test` would not find.
for test in "$here"/*.t; do
	[ "$(sed -n '1d; /^#/!q; /^# tier: \(quick\|live\|full\|soak\|full soak\)$/p' "$test" | wc -l)" = 1 ] ||
		echo "t/${test##*/}: its first comment needs one line \`# tier: quick', or live, full, soak, full soak; see t/tier"
done >untiered
same 'each test states its tier' /dev/null untiered

# On a busy machine a short limit is reached without a fault.
output 'no test has a limit below five minutes, or one minute of CPU time' '' \
    grep -nE '\btimeout (-s KILL )?([0-9]{1,2}|[12][0-9]{2}) |\blimited [1-5]?[0-9] ' "$here"/*.t "$here"/*-lib.sh

# clang takes such a call for one that never returns, and ends the function there.
output 'no call is of cli_die or of another function, by a condition' '' \
    grep -rnE '\? *cli_[a-z]+ *:' "$here/../common" "$here/../cmd" --include='*.c'

# check() writes its command's output to .said, so a command that reads this file reads nothing.
output 'no check reads the file that it empties' '' \
    grep -nE "^[[:space:]]*check .*[ /\"']\.said" "$here"/*.t "$here"/*-lib.sh

# The tree has a sample of every format.
fg-collapse -l | awk '/^[^ ]/ { print $1 }' | while read -r format; do
	ls "$here/data/formats/$format"/*.folded >/dev/null 2>&1 ||
		echo "$format: no sample; put a small file into t/data/formats/$format, then run t/data/formats/update"
done >unsampled
same 'each format has a sample' /dev/null unsampled
for sample in "$here"/data/formats/*/*; do
	case $sample in *.folded | */options) ;; *) [ -e "$sample.folded" ] || echo "${sample#"$here"/}" ;; esac
done >unexpected
same 'each sample has its expected output' /dev/null unexpected
check 'samples take at most 2 MB' test "$(cat "$here"/data/formats/*/* | wc -c)" -le 2000000

# The counts of t/words: phrases that need a second reading. Lower a ceiling after a rewrite;
# t/words -k KIND lists the phrases.
if git -C "$here/.." rev-parse HEAD >/dev/null 2>&1; then
	"$here/words" -c "$here/.." | awk '$1 == "rule" { for (i = 2; i < NF - 1; i++) kind[i] = $i }
		$1 == "hits" { for (i = 2; i in kind && i <= 6; i++) print kind[i], $i }' >words
	while read -r kind most; do
		check "$kind: at most $most lines to be rewritten" \
		    awk -v kind="$kind" -v most="$most" '$1 == kind { print; n = $2 } END { exit n == "" || n > most }' words
	done <<'END'
comment 44
message 3
man 7
test 36
viewer 2
END
else
	skip words 'no clone'
fi

# Small pictures are the common case. The size depends on the compressor of the build.
if ! command -v node >/dev/null; then
	skip 'a picture of 1,000 frames has at most 80,000 bytes' 'no node' nodejs
elif ! { command -v libdeflate-gzip && fg-render --version | grep -x 'fast compression: libdeflate'; } >/dev/null; then
	skip 'a picture of 1,000 frames has at most 80,000 bytes' 'no libdeflate' 'libdeflate-dev libdeflate-tools'
else
	node -e 'for (const line of require(process.argv[1]).profile(1000)) console.log(line)' \
	    "$here/browser/profile.js" | fg-render -o 1000.svg
	check 'a picture of 1,000 frames has at most 80,000 bytes' test "$(wc -c <1000.svg)" -le 80000
fi

for f in "$here"/../.ci/run "$here"/tier; do
	check "${f##*/} can be run" test -x "$f"
done
done_testing
