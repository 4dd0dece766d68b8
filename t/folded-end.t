#!/bin/sh
# The last line of folded files, which shows that they are complete: every truncation is found, and
# joined, sorted and edited files are accepted.
# tier: quick
. "$(dirname "$0")/lib.sh"
cat >a <<'EOT'
# end: follows 0
# unit: samples 0
main;parse 1234567890
main;write 7.5
# end: stacks=2 sum=1234567897.5 0
EOT
printf 'other 3\n' >plain
output 'a complete file is read' 'main;parse 1234567890
main;write 7.5' fg-merge --no-header a

# truncations FILE: the sizes at which a truncated FILE is read without an error
truncations() {
	size=$(wc -c <"$1") n=1
	while [ "$n" -lt "$size" ]; do
		head -c "$n" "$1" >part
		fg-merge part >/dev/null 2>&1 && echo "$n"
		n=$((n + 1))
	done
}
output 'a file truncated at any byte is an error' '' truncations a
# Beside another file, too: a file that ends inside its first line has no announcement yet.
n=1
while [ "$n" -lt "$(wc -c <a)" ]; do
	head -c "$n" a >part
	fg-merge part plain >/dev/null 2>&1 && echo "$n"
	fg-diff a part >/dev/null 2>&1 && echo "fg-diff $n"
	n=$((n + 1))
done >silent
output 'a file truncated at any byte is an error beside another one' '' cat silent
gzip -nc a >a.gz
output 'a compressed file truncated at any byte is an error' '' truncations a.gz
for tool in xz zstd; do
	if command -v $tool >/dev/null && fg-merge --version | grep -q "^$tool input: lib"; then
		$tool -q -c a >a.$tool
		output "a file compressed by $tool and truncated at any byte is an error" '' truncations a.$tool
	else
		skip "truncated files of $tool" "$tool is not there" $tool
	fi
done
cat a a >joined
n=$(wc -c <a)
output 'two joined files are complete' 'main;parse 2469135780
main;write 15' fg-merge --no-header joined
output 'two joined files truncated anywhere but between the stacks of both are an error' "$n
$((n + 17))
$((n + 35))" truncations joined
head -c 60 a >part
status 'fg-diff refuses a truncated file' 2 fg-diff a part
status 'fg-render refuses a truncated file' 2 fg-render -o out part
status 'fg-filter refuses a truncated file from a pipe' 2 sh -c 'head -3 a | fg-filter'
head -c 57 a >part
fg-merge part 2>said
check 'the message about a truncated file has its last line' grep -q '^fg-merge: part:[34]: truncated: the last line' said

# skipped SIZE: a file of that size is skipped
for n in 15 40 60 67 80; do
	head -c $n a >part
	output "--skip-damaged leaves out a file truncated at byte $n" 'other 3' fg-merge --skip-damaged part plain
done
output '--skip-damaged keeps complete files' 'main;parse 1234567890
main;write 7.5
other 3' fg-merge --no-header --skip-damaged a plain
printf 'a;b 45\na;c 12' >part
output '--skip-damaged leaves out a plain file without a last newline' 'other 3' fg-merge --skip-damaged part plain
fg-merge part >out 2>said
check 'a plain file without a last newline is read' grep -qx 'a;c 12' out
check 'a plain file without a last newline: a note' grep -q 'part:2: the last line has no newline; its number' said

# Other programs
output 'joined with a plain file' 'main;parse 1234567890
main;write 7.5
other 3' sh -c 'cat a plain | fg-merge --no-header'
for tool in 'sort' 'sort -r' 'awk /parse/||/^#/' 'grep -v ^#' 'sed s/main/start/' 'tail -n +2'; do
	status "no error after $tool" 0 sh -c "$tool a | fg-merge -"
done
output 'the line of a sum at the end adds 0 for awk' 1234567897.5 awk '{ n += $NF } END { printf "%.1f\n", n }' a
fg-filter --keep parse a >kept
output 'fg-filter writes a last line of its own' '# end: stacks=1 sum=1234567890 0' tail -1 kept
output 'the output of fg-filter truncated at any byte is an error' '' truncations kept
for program in 'fg-merge a plain' 'fg-merge -m a a' 'fg-merge --sorted-lines a a' 'fg-merge --mean a a a' \
    'fg-merge --scale a=0.5 a plain' 'fg-merge --column 1 a' 'fg-collapse a plain' 'fg-collapse --time-order a' \
    'fg-diff a plain'; do
	$program >kept 2>said
	check "$program has a last line" grep -q '^# end: stacks=' kept
	status "$program: its last line fits its stacks" 0 fg-merge --strict --skip-damaged kept
	output "the output of $program truncated at any byte is an error" '' truncations kept
	gzip -nc kept >kept.gz
	output "the compressed output of $program truncated at any byte is an error" '' truncations kept.gz
done
for program in fg-merge fg-collapse 'fg-diff a' 'fg-merge -m'; do
	$program plain >kept 2>said
	[ "$program" != 'fg-diff a' ] || $program --no-header plain >kept 2>said
	check "$program of inputs without a last line, or --no-header, writes none" sh -c '! grep -q "^# end" kept'
done
check 'fg-filter writes none for an input without one' sh -c '! fg-filter plain | grep "^#"'
cat >two <<'EOT'
# end: follows 0 0
# columns: base head 0 0
f 1 2
g 3 4
# end: stacks=2 sum=10 0 0
EOT
output 'a file of several columns truncated at any byte is an error' '' truncations two
output 'the last line of several columns has their sum' '# end: stacks=2 sum=10 0 0' sh -c 'fg-filter two | tail -1'
done_testing
