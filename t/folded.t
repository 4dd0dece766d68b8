#!/bin/sh
# The folded format of folded(5), read and written by fg-collapse: all programs use the same reader
# and writer.
# tier: quick
. "$(dirname "$0")/lib.sh"

# folded NAME INPUT EXPECTED: fg-collapse turns INPUT into EXPECTED (both for printf); messages go
# to ./said.
folded() {
	printf "$2" >in
	printf "$3" >want
	fg-collapse -f folded in >got 2>said
	same "$1" want got
}

# wrong NAME INPUT EXPECTED MESSAGE: one line is skipped and reported.
wrong() {
	folded "$1" "$2" "$3"
	printf 'fg-collapse: in:%s; left out\n' "$4" >want
	same "$1: the message" want said
	status "$1: --strict" 2 fg-collapse --strict -f folded in
}

# Values

folded 'whole numbers are added' 'a;b 1\na;b 2\na 3\n' 'a 3\na;b 3\n'
folded 'fractions' 'a 0.1\na 0.2\nb 1.50\nc .5\nd 5.\n' 'a 0.3\nb 1.5\nc 0.5\nd 5\n'
check 'fractions: no message' test ! -s said
folded 'nine places are kept' 'a 0.000000001\na 0.0000000001\na 1.9999999999\n' 'a 2\n'
folded 'exponents are expanded' 'a 3e+09\nb 1.5e3\nc 25E-1\nd 1e0\n' 'a 3000000000\nb 1500\nc 2.5\nd 1\n'
printf 'fg-collapse: a value has an exponent: its producer rounded it\n' >want
same 'exponents: one note' want said
folded 'sums past 64 bits are exact' 'a 18446744073709551615\na 18446744073709551615\na 0.000000001\n' \
	'a 36893488147419103230.000000001\n'
output 'a count added to a sum that is past 63 bits already' 'app;f 9223372036854775808
app;g 18446744073709551615' sh -c \
	'for s in "f 9223372036854775808" "g 9223372036854775808" "g 9223372036854775807"; do
		printf "app 1/1 1.5: %s cycles:\n\t10 %s (/x)\n\n" "${s#* }" "${s% *}"
	done | fg-collapse --no-header'
printf 'r;b 9223372036854775807\nr;c .5\n' >wide
output '-T tree: a total past 63 bits is 100 %' '[100%] all' \
	sh -c 'fg-render -T tree wide | head -1 | cut -c 1-10'
folded 'sums past 63 bits' 'a 9223372036854775807\na 1\nb 9223372036854775808\n' \
	'a 9223372036854775808\nb 9223372036854775808\n'
folded 'ten and a tenth, ten times' "$(yes 'a 10.1' | head -10 | sed 's/$/\\n/' | tr -d '\n')" 'a 101\n'
folded 'zero is a value' 'a 0\nb 0.0\nc 0\nc 1\n' 'a 0\nb 0\nc 1\n'
folded 'leading zeros' 'a 007\nb 00.50\n' 'a 7\nb 0.5\n'
output 'a frame may start with a blank, below a header line' '# unit: ms 0
 a 1
b 2' sh -c 'printf "# unit: ms 0\n a 1\nb 2\n" | fg-merge'
wrong 'a sign' 'a 1\nb -1\nc 1\n' 'a 1\nc 1\n' '2: no value at the end of the line'
wrong 'a plus' 'a 1\nb +1\n' 'a 1\n' '2: no value at the end of the line'
wrong 'a line without a value is left out' 'a 1\nabc\nb 1\n' 'a 1\nb 1\n' '2: no value at the end of the line'
wrong 'a value without a stack is left out' 'a 1\n 12\nb 1\n' 'a 1\nb 1\n' '2: no stack before the value'
wrong 'a number without a stack is malformed' 'a 1\n12\n' 'a 1\n' '2: no value at the end of the line'
wrong 'hexadecimal' 'a 1\nb 0x10\n' 'a 1\n' '2: no value at the end of the line'
wrong 'infinity' 'a 1\nb inf\n' 'a 1\n' '2: no value at the end of the line'
wrong 'half an exponent' 'a 1\nb 1e\n' 'a 1\n' '2: no value at the end of the line'
wrong 'a value that cannot be held' 'a 1\nb 1e99\n' 'a 1\n' '2: no value at the end of the line'
folded 'several malformed lines are counted' 'a\nb\nc 1\nc 1\nc 1\nd\n' 'c 3\n'
printf '%s\n' 'fg-collapse: in:1: no value at the end of the line; left out' \
	'fg-collapse: 3 malformed units of the input were left out' >want
same 'several malformed lines: the first is reported' want said
printf 'a 340282366920938463463374607431\na 340282366920938463463374607431\n' >in
status 'a sum that cannot be held' 2 fg-collapse in

# White space

folded 'a TAB before the value' 'a;b\t1\n' 'a;b 1\n'
folded 'several spaces and TABs' 'a;b \t  1\n' 'a;b 1\n'
folded 'TABs and spaces after the value' 'a;b 1\t\nb 2  \n' 'a;b 1\nb 2\n'
folded 'CRLF' 'a;b 1\r\nb 2\r\n' 'a;b 1\nb 2\n'
folded 'blank lines' '\na 1\n\n  \n\r\nb 1\n\n' 'a 1\nb 1\n'
folded 'no last newline' 'a 1\nb 2' 'a 1\nb 2\n'
folded 'spaces in frames' 'Thread 12;operator new (x) 5\n' 'Thread 12;operator new (x) 5\n'
folded 'one value: a number before it belongs to the frame' 'Thread 12 5\n' 'Thread 12 5\n'
folded 'empty frames' 'a;;b 1\n;a 1\na; 1\n; 1\n' '; 1\n;a 1\na; 1\na;;b 1\n'

# A stack of one unnamed frame would not read back as a stack, so all programs write [unknown].
printf '; 3\n;a 5\n[unknown] 7\n  ;c 1\n' >nameless
output 'a single empty frame in fg-collapse' ';a 5
  ;c 1
[unknown] 10' fg-collapse --recursive nameless
fg-filter --max-depth=1 nameless >got
output 'a single empty frame is [unknown] in fg-filter' '[unknown] 16' cat got
output 'fg-filter --time-order: a single empty frame is [unknown]' '[unknown] 16' fg-filter --time-order --max-depth=1 nameless
output 'a single empty frame beside others is [unknown] in time order' '[unknown] 3
;a 5' sh -c "printf '; 3\n;a 5\n' | fg-collapse -f folded --recursive --time-order"
for command in 'fg-collapse' 'fg-filter' 'fg-filter --time-order' 'fg-merge' 'fg-merge -m'; do
	output "read by $command" '[unknown] 16' $command got
done
fg-diff got nameless >difference
check 'read by fg-diff' grep -qx '\[unknown\] 16 7' difference
check 'a single empty frame in fg-render' sh -c 'fg-render -T top got | grep -q "16.*\[unknown\]"'

# Comments and columns

folded 'comments' '# one\na 1\n# two 3\nb 1\n' 'a 1\nb 1\n'
folded '# without a space is a frame' '#x 1\n#;y 2\n' '#;y 2\n#x 1\n'
folded 'columns' '# columns: base head\na;b 1 2\na;b 3 4.5\na 0 1\n' '# columns: base head 0 0\na 0 1\na;b 4 6.5\n'
folded 'many columns' '# columns: a b c d\nx 1 2 3 4\n' '# columns: a b c d 0 0 0 0\nx 1 2 3 4\n'
folded 'a columns header with one column' '# columns: cycles\na 1\n' 'a 1\n'
folded 'the header again' '# columns: base head\na 1 2\n# columns: base head\na 1 2\n' \
	'# columns: base head 0 0\na 2 4\n'
wrong 'a line with too few values' '# columns: base head\na 1 2\nb 3\n' '# columns: base head 0 0\na 1 2\n' \
	'3: no value at the end of the line'
# columns NAME INPUT: exit 2
columns() {
	printf "$2" >in
	status "$1" 2 fg-collapse -f folded in
}
columns 'a second header with other columns is an error' '# columns: base head\na 1 2\n# columns: base tail\na 1 2\n'
columns 'fewer columns' '# columns: base head\na 1 2\n# columns: base\na 1\n'
columns 'a name twice' '# columns: a a\nx 1 2\n'
columns 'no name' '# columns:\nx 1 2\n'
printf '# columns: base head\na 1 2\n' >pair
printf 'a 1\n' >plain
status 'a plain file after one of two columns' 2 fg-collapse pair plain
status 'a plain file before one of two columns is an error' 2 fg-collapse plain pair
output 'two files of the same columns are added up' '# columns: base head 0 0
a 2 4' fg-collapse pair pair

# Frames are compared 8 and 16 bytes at once, and those below a new frame are added together: each
# length, with a difference at each byte, below frames that were there and below new ones.
awk 'BEGIN { srand(3); all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for (n = 1; n <= 50; n++) for (i = 1; i <= n; i++) {
		s = substr(all, 1, i - 1) "#" substr(all, i + 1, n - i)
		for (k = 0; k < 3; k++) print rand(), "m;" (k == 1 ? "x;" s : k == 2 ? substr(all, 1, n) : s) ";" s ";end " i
	} }' | sort -n | cut -d ' ' -f 2- >differ
tr ';' '\1' <differ | LC_ALL=C sort | tr '\1' ';' >want
fg-filter differ >got
same 'frames that differ in one byte' want got

# Canonical order: frame by frame, bytewise, a prefix first

folded 'canonical order' 'foo2 1\nfoo;x 1\nfoo 1\nfoo;a;b 1\nfoo-1 1\nFoo 1\n\303\244 1\nfoo;x 1\n' \
	'Foo 1\nfoo 1\nfoo;a;b 1\nfoo;x 2\nfoo-1 1\nfoo2 1\n\303\244 1\n'
cp got canonical
fg-collapse canonical >got
same 'canonical input stays as it is' canonical got
awk 'BEGIN { srand(7); for (i = 0; i < 5000; i++) { s = "main"; for (d = int(rand() * 12); d > 0; d--)
	s = s ";f" int(rand() * 9); printf "%s %d.%d\n", s, rand() * 1e6, rand() * 1e6 } }' >long
fg-collapse long >one
fg-collapse one >got
same 'a longer profile is folded again unchanged' one got
awk '{ a[NR] = $0 } END { for (i = NR; i > 0; i--) print a[i] }' long | fg-collapse >got
same 'the order of the input does not matter' one got
head -2000 long >first
tail -n +2001 long | fg-collapse >rest
fg-collapse rest first >got
same 'sums do not depend on the grouping of files' one got
folded 'invalid UTF-8 passes' 'a\377\300;b 1\n' 'a\377\300;b 1\n'
folded 'NUL passes' 'a\0b;c 1\n' 'a\0b;c 1\n'
# Of three byte order marks, the first is one; the other two are part of a name.
mark=$(printf '\357\273\277')
printf '%s%sa;b 1\n%sa;c 2\n' "$mark" "$mark" "$mark" >marked
for command in fg-collapse 'fg-collapse --time-order' fg-merge 'fg-merge --sorted-lines' \
	'fg-filter --keep=.' 'fg-filter --time-order'; do
	$command marked >got
	same "$command: a name that begins as a byte order mark does" marked got
	$command got >again
	same 'a byte order mark in a name: lossless round trip' got again
done
printf '# columns: base head\n%sa 1 2\n' "$mark" >pair
output 'a byte order mark after a header belongs to a name' "# columns: base head 0 0
${mark}a 1 2" fg-merge pair
printf '\357\273\277\377\376x 1\n' >marked
fg-merge marked >got
same 'a UTF-16 byte order mark after a header belongs to a name' marked got
output 'a root never begins with # and a space' '#_x 1' sh -c \
	'printf "# x 1/1 1.6: 1 cycles:\n" | sed "s/^/ /" | fg-collapse --no-header -f perf'
output '--no-comm: a root does not start with '\''# '\''' '#x 1' sh -c \
	'printf "a 1/1 1.6: 1 cycles:\n\t10 # x (/x)\n" | fg-collapse --no-comm --no-annotate'
# Names are found by a hash of their ends and middles.
name=beginning.A.a_long_name_with.a_middle.B.and_an_end
other=$(echo $name | sed 's/A/C/')
third=$(echo $name | sed 's/B/D/')
printf '%s\n' "x;$name 1" "y;$other 2" "z;$third 3" "x;$other 4" "y;$third 5" "z;$name 6" >alike
output 'names that differ only beside their ends and middles are different' "$(LC_ALL=C sort alike)" fg-merge alike

# Names are sorted eight bytes at a time, in groups.
perl -e 'srand 7; my %seen; for (1 .. 6000) { my $n = rand 2 < 1 ? "p" x int rand 40 : "";
	$n .= (qw(a b c), "\0")[rand 4] for 0 .. rand 14; $seen{$n} = 1 }
	my @name = sort keys %seen; open my $f, ">", "shuffled"; # text first
	print $f "x;$_ 1\n" for sort { ($a =~ /\0/) <=> ($b =~ /\0/) or reverse($a) cmp reverse $b } @name;
	open $f, ">", "want"; print $f "x;$_ 1 1\n" for @name'
fg-diff --no-header shuffled shuffled >got
same 'names with common beginnings and NULs are in canonical order' want got

done_testing
