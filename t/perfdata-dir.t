#!/bin/sh
# perf.data directories: perf record --threads (several files) and --kcore (kernel symbols
# included).
# tier: quick
. "$(dirname "$0")/perfdata-lib.sh"

# The complete recording, of which a data.N file has only the records.
describe() { perl "$here/perfdata/make.pl" "$@" <records.d; }
# Prints the data section of a recording on standard input.
section() { perl -0777 -ne 'print substr $_, unpack("Q<", substr $_, 40), unpack "Q<", substr $_, 48'; }
folded() { limited 60 fg-collapse -q --no-header --no-annotate "$@" 2>&1; }

# The comm changes in data.0 between samples of data.1, and the reverse.
cat >records.d <<'END'
my ($which) = @ARGV;
event('cycles', period => 1);
if ($which eq 'data') {
	feature('HOSTNAME', string('box'));
	feature(24, u64(1)); # DIR_FORMAT
	app(100, 'main', time => 0);
} elsif ($which eq '0') {
	comm(100, 'one', time => 1000);
	comm(100, 'two', time => 3000);
	sample(pid => 100, time => 5000, chain => ['user', 0x10]);
} elsif ($which eq '1') {
	sample(pid => 100, time => 2000, chain => ['user', 0x20]);
	sample(pid => 100, time => 4000, chain => ['user', 0x20], period => 2);
	comm(100, 'three', time => 4500);
}
END
mkdir threads
describe data >threads/data
describe 0 | section >threads/data.0
describe 1 | section >threads/data.1
echo 'not of perf' >threads/data.txt
want='one;[unknown] 1
three;[unknown] 1
two;[unknown] 2'
output '--threads: records of all files in order of time' "$want" folded -a threads
output '--threads: the file "data" of a directory stands for all files' "$want" folded -a threads/data
(cd threads && folded -a data) >got
printf '%s\n' "$want" >want
same 'a directory given by its name' want got
mkdir renamed
cp threads/data renamed
cp threads/data.0 renamed/data.9
cp threads/data.1 renamed/data.10
output 'data.10 comes after data.9, data.0 is missing' "fg-collapse: renamed/data.0 is missing
$want" sh -c 'fg-collapse --no-header --no-annotate -a renamed 2>&1 | LC_ALL=C sort'
mkdir empty
cp threads/data empty
output '--threads: "data" without the files of samples is an error' 'fg-collapse: empty/data: a file of perf record --threads, whose samples are in the files data.N beside it; give the directory' \
    sh -c 'fg-collapse empty 2>&1'
output 'a pipe has no files beside it' 'fg-collapse: stdin: a file of perf record --threads, whose samples are in the files data.N beside it; give the directory' \
    sh -c 'cd threads && fg-collapse <data 2>&1'
mkdir cut
cp threads/data threads/data.0 cut
head -c 100 threads/data.1 >cut/data.1
fg-collapse --no-header --no-annotate cut >got 2>errors
check 'a truncated file of several is named' grep -q '^fg-collapse: cut/data.1: byte [0-9]*: the last record is truncated' errors
check 'a truncated file of several: the others are folded' grep -q ';' got
cp threads/data.0 cut/data.1
head -c 32 /dev/zero >>cut/data.1
fg-collapse --no-header --no-annotate cut >got 2>errors
check 'zeros in one file: named with the offset' grep -q '^fg-collapse: cut/data.1: byte [0-9]*: ' errors

# Many files, one sample per file and time: all are merged.
cat >records.d <<'END'
my ($which) = @ARGV;
event('cycles', period => 1);
for my $i (0 .. 9) {
	comm(100, "c$i", time => 1000 + $i * 100) if $which == $i;
	sample(pid => 100, time => 1001 + $i * 100 + $which, chain => ['user', 0x20]);
}
END
mkdir many
cp threads/data many
i=0
while [ "$i" -lt 40 ]; do
	describe "$i" | section >"many/data.$i"
	i=$((i + 1))
done
for i in 0 1 2 3 4 5 6 7 8 9; do echo "c$i;[unknown] 40"; done >want
folded -a many | sed '/single frame/d' >got
same 'forty files, the name changes ten times' want got

# --kcore includes the kernel's symbols.
mkdir -p kcore/kcore_dir
words=
cat >records.d <<'END'
event('cycles', period => 1);
kernel_map();
comm(100, 'app');
sample(pid => 100, chain => ['kernel', k(0x20)]);
END
describe >kcore/data
printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81000010 T of_the_copy' 'ffffffff81000100 T _etext' >kcore/kcore_dir/kallsyms
output '--kcore: symbols of kcore_dir/kallsyms' 'app;of_the_copy 1' folded kcore
sed 's/of_the_copy/of_the_option/' kcore/kcore_dir/kallsyms >mine
output '--kallsyms precedes kcore_dir/kallsyms' 'app;of_the_option 1' folded --kallsyms mine kcore
mkdir other
output 'a directory without data' "fg-collapse: other: Is a directory" sh -c 'fg-collapse other 2>&1'
done_testing
