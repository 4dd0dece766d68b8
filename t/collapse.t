#!/bin/sh
# fg-collapse: its options and its header lines. perfscript.t has the rules of perf script text.
# tier: quick
. "$(dirname "$0")/lib.sh"
cpp=$here/data/perf-cpp.txt

# Most tests are about stacks.
collapse() {
	fg-collapse --no-header "$@"
}

# Complete output, then each option

output 'perf script in a file is folded' ':-1;do_exit_[k] 500
io_pool/0;disk::reader::run;disk::reader::operator->_[i];disk::page_cache::fill;__read_[l];entry_SYSCALL_64_[k] 1000
io_pool/1;disk::reader::run;disk::page_cache::fill;[libcodec.so.2]_[l] 1000
shop;__libc_start_call_main_[l];main;render_page_[j];clock_gettime;do_syscall_64_[k];nvme_poll_[k] 2000
shop;__libc_start_call_main_[l];main;std::function<int (std::string const&)>::operator();(anonymous namespace)::parse 4000
swapper 4000' collapse "$cpp"
cp "$tmp/.got" all
printf '%s\n' 'fg-collapse: 7 samples of cycles, --countname cycles; left out: page-faults (1)' >want
same 'the note has the events that were folded and left out' want .errors
output '-q: no note about events' '' sh -c "fg-collapse --no-header -q '$cpp' 2>&1 >/dev/null"
collapse <"$cpp" >got 2>/dev/null
same 'perf script on standard input is folded' all got
collapse - <"$cpp" >got 2>/dev/null
same 'fg-collapse - reads standard input' all got
cat "$cpp" | collapse -j 2 >got 2>/dev/null
same 'fg-collapse folds a pipe like a file' all got
collapse -f perf "$cpp" >got 2>/dev/null
same '-f perf folds perf script' all got
collapse --format=perf -o got "$cpp" 2>/dev/null
same 'fg-collapse -o writes the same bytes as standard output' all got
collapse -a "$cpp" >got 2>/dev/null
same '-a keeps all annotations' all got
collapse --annotate "$cpp" >got 2>/dev/null
same '--annotate keeps all annotations' all got
collapse --annotate=kjil "$cpp" >got 2>/dev/null
same '--annotate=kjil keeps the four annotations' all got
sed 's/_\[[kjil]\]//g' all >want
collapse --no-annotate "$cpp" >got 2>/dev/null
same '--no-annotate omits annotations and header lines' want got
for o in --kernel:jil --jit:kil --all:il -ak:jil --annotate=kl:ji -aij:kl; do
	sed "s/_\\[[${o#*:}]\\]//g" all >want
	collapse "${o%:*}" "$cpp" >got 2>/dev/null
	same "${o%:*}" want got
done
collapse --kernel --jit "$cpp" >got 2>/dev/null
sed 's/_\[[il]\]//g' all >want
same '--kernel --jit is --all' want got
collapse -al --no-annotate -ak "$cpp" >got 2>/dev/null
sed 's/_\[[jil]\]//g' all >want
same 'the last of -a and --no-annotate counts' want got
for o in '-e page-faults' --event=page-faults '--event-filter page-faults'; do
	output "$o" 'shop;__libc_start_call_main;main;memcpy 1' collapse --no-annotate $o "$cpp"
done
status 'an event that does not occur' 2 collapse -e cache-misses "$cpp"
printf '%s\n' 'fg-collapse: no samples of event cache-misses; left out: cycles (7), page-faults (1)' >want
collapse -e cache-misses "$cpp" 2>got
same 'an event that does not occur: the error lists those that do' want got
sed 's/[^ ]*$/1/; s/parse 1/parse 2/' all >want
collapse --samples "$cpp" >got 2>said
same '--samples counts each sample once' want got
printf '%s\n' 'fg-collapse: 7 samples of cycles, --countname samples; left out: page-faults (1)' >want
same '--samples: the unit' want said
sed 's/^:-1/:-1--1/; s/^io_pool../&-71/; s/^shop/&-71/; s/^swapper/&-0/' all >want
collapse --pid "$cpp" >got 2>/dev/null
same '--pid adds the process to the root frame' want got
sed 's/^:-1/:-1--1\/-1/; s/^io_pool.0/&-71\/72/; s/^io_pool.1/&-71\/73/; s/^shop/&-71\/71/; s/^swapper/&-0\/0/' \
	all >want
collapse --tid "$cpp" >got 2>/dev/null
same '--tid adds process and thread to the root frame' want got
collapse --pid --tid "$cpp" >got 2>/dev/null
same '--pid --tid is --tid' want got
output '--module puts the module before each function' ':-1;[kernel.kallsyms]`do_exit 500
io_pool/0;shop`disk::reader::run;disk::reader::operator->;shop`disk::page_cache::fill;libc.so.6`__read;[kernel.kallsyms]`entry_SYSCALL_64 1000
io_pool/1;shop`disk::reader::run;shop`disk::page_cache::fill;[libcodec.so.2] 1000
shop;libc.so.6`__libc_start_call_main;shop`main;perf-71.map`render_page;[vdso]`clock_gettime;vmlinux-6.1`do_syscall_64;[nvme]`nvme_poll 2000
shop;libc.so.6`__libc_start_call_main;shop`main;shop`std::function<int (std::string const&)>::operator();shop`(anonymous namespace)::parse 4000
swapper 4000' collapse --no-annotate --module "$cpp"
sed 's/\[libcodec.so.2\]/[libcodec.so.2 <9a010>]/' all >want
collapse --addrs "$cpp" >got 2>/dev/null
same '--addrs writes addresses of unknown functions' want got
sed 's/^shop;.*main;/main;/' all | sort >want
collapse --skip-after=main "$cpp" 2>/dev/null | sort >got
same '--skip-after makes the named function the root' want got
collapse --skip-after '__read' "$cpp" >got 2>/dev/null
check '--skip-after takes names without their suffixes' grep -qx '__read_\[l\];entry_SYSCALL_64_\[k\] 1000' got
sed 's/^shop;.*main;/main;/; s/^io.*\(disk::page_cache\)/\1/' all | fg-merge >want
collapse --skip-after=main --skip-after disk::page_cache::fill "$cpp" 2>/dev/null >got
same '--skip-after twice takes the last of both functions as root' want got
collapse --module --no-annotate --skip-after=main "$cpp" 2>/dev/null >got
check '--skip-after with --module' grep -q '^shop`main;perf-71' got
sed 's/^[^; ]*;//; s/^swapper/[unknown]/' all | sort >want
collapse --no-comm "$cpp" 2>/dev/null | sort >got
same '--no-comm omits the root frame of the thread' want got
sed 's/^io_pool../io_pool/' all | sort >want
collapse --normalize-comm "$cpp" 2>/dev/null | sort >got
same '--normalize-comm omits numbers of thread names' want got
output '--from and --to keep the samples between them' 'io_pool/1;disk::reader::run;disk::page_cache::fill;[libcodec.so.2]_[l] 1000' \
	collapse --from 0.001 --to .002 "$cpp"
output '--from omits samples before it' ':-1;do_exit_[k] 500
swapper 4000' collapse --from 3e-3 "$cpp"
output '--to counts from the first sample' 'shop;__libc_start_call_main;main;std::function<int (std::string const&)>::operator();(anonymous namespace)::parse 2000' \
	collapse --no-annotate --to 0.0005 "$cpp"
status '--from after the last sample is exit status 2' 2 collapse --from 99 "$cpp"
output '--time-order writes samples by time' 'shop;__libc_start_call_main;main;std::function<int (std::string const&)>::operator();(anonymous namespace)::parse 2000
io_pool/0;disk::reader::run;disk::reader::operator->;disk::page_cache::fill;__read;entry_SYSCALL_64 1000
io_pool/1;disk::reader::run;disk::page_cache::fill;[libcodec.so.2] 1000
shop;__libc_start_call_main;main;render_page;clock_gettime;do_syscall_64;nvme_poll 2000
shop;__libc_start_call_main;main;std::function<int (std::string const&)>::operator();(anonymous namespace)::parse 2000
:-1;do_exit 500
swapper 4000' collapse --no-annotate --time-order "$cpp"
cp .got want
printf 'b 1/1 3.0: 1 cycles:\n\nb 1/1 1.0: 1 cycles:\n\na 1/1 2.0: 1 cycles:\n\nb 1/1 0.5: 1 cycles:\n' >in
output 'time order is by time, and only neighbours are merged' 'b 2
a 1
b 1' collapse --time-order in
output '--time-order of folded stacks is the order of their lines' 'b 3
a 1
b 1' sh -c 'printf "b 1\nb 2\na 1\nb 1\n" | fg-collapse -f folded --no-header --time-order'
collapse -q "$cpp" "$cpp" >got
awk '{ n = $NF * 2; sub(/[^ ]*$/, n); print }' all >want
same 'several files are added up' want got
collapse -q "$cpp" all >got
same 'files of different formats are added up' want got
collapse -q "$cpp" - <all >got
same 'a file and standard input are added up' want got
fg-collapse -l >.got
printf '%s\n' 'perf             the text of perf script' '                 perf record -g -- ./app; perf script' >want
head -n 2 .got >got
same '-l begins with perf script' want got
sed 's/\\&//g; s/\\-/-/g' "$here/../man/fg-collapse.1" >page
for name in $(sed -n 's/^\([a-z].*[^ ]\)  .*/\1/p' .got); do
	check "-l: the manual has $name" grep -qw -- "$name" page
done
output '--list-formats is -l' "$(cat .got)" fg-collapse --list-formats
output '--list-events has units, samples and totals' 'event        unit     samples  total
cycles       cycles         7  12500  default
page-faults  samples        1      1' fg-collapse --list-events -j 2 "$here/data/perf-cpp.txt"
output '--list-events: with another choice' 'event        unit     samples  total
cycles       cycles         7  12500
page-faults  samples        1      1  default' \
	fg-collapse --list-events -e page-faults "$here/data/perf-cpp.txt"
printf '# columns: base head 0 0\n# unit: ns 0 0\na;b 3 4\na 2.5 4\n' >columns
output '--list-events: columns of folded stacks' 'event  unit  samples  total
base   ns          2    5.5  default
head   ns          2      8  default' fg-collapse --list-events columns
collapse --inline "$cpp" >got 2>said
same '--inline is taken' all got
check '--inline: a note names perf script, which writes inlined frames itself' grep -q 'perf script writes inlined frames itself' said
collapse --context "$cpp" >got 2>said
same '--context is taken' all got
check '--context: a note that names --lines' grep -q -- '--lines' said
sed 's/_\[[jil]\]//g' all >want
collapse --kernel all >got
same 'annotations of folded stacks are left out as requested' want got
collapse --skip-after=main all >got
sed 's/^shop;.*main;/main;/' all | fg-merge >want
same '--skip-after of folded stacks' want got
for o in --pid --tid --no-comm --normalize-comm --module --addrs --srcline --from=1 --to=1 '-e x' \
    --samples; do
	status "folded stacks cannot serve ${o%[= ]*}" 2 collapse $o all
done
printf '%s\n' 'fg-collapse: --event cannot be used with all: format folded has no events' \
    "Try 'fg-collapse --help'." >want
collapse -e x all 2>got
same 'folded stacks cannot serve an option: the message' want got
for o in -x --nothing --jobs=0 --jobs=x -j '-f nothing' '-a=z' '-az' '--from x' '--to -1' --tid=1; do
	status "wrong: $o" 2 collapse $o "$cpp"
done

# Header lines of the output
cat >in <<'EOT'
a 1/1 1.00: 1003009 cpu-clock:ppp:
	10 f (/x)

b 1/1 1.02: 1003009 cpu-clock:ppp:
	20 g (/x)

a 1/1 1.03: 3 cycles:u:
	10 f (/x)

b 1/1 1.04: 5 cycles:u:
	20 g (/x)

b 1/1 1.05: 7 cpu_core/cycles/ppp:
	20 g (/x)

b 1/1 1.06: 9 sched:sched_stat_sleep: comm=b
	20 g (/x)

b 1/1 1.07: 1 page-faults:
	20 g (/x)

EOT
about() {
	fg-collapse -q $2 in | grep '^#' >got
	printf '%b' "$3" >want
	same "header lines: $1" want got
}
printf 'a 1/1 1.5: 1 x\033[2J\033]0;y\007:\n\t10 f (/x)\n\na 1/1 1.5: 1 z:\n\n' >escape
fg-collapse escape >got 2>said
check 'no escape sequence of an event reaches the terminal' sh -c '! grep -q "$(printf "\033")" said && grep -q "x.*2J" said'
check 'no escape sequence of an event reaches the output' sh -c '! grep -q "$(printf "\033")" got'
about 'a clock' '' '# unit: ns 0\n# period: 1003009 ns 0\n# values: sampled 0\n'
about 'its samples' --samples '# unit: samples 0\n# period: 1003009 ns 0\n# values: sampled 0\n'
about 'periods that differ' '-e cycles:u' '# unit: cycles 0\n# values: sampled 0\n'
about 'their samples' '-e cycles:u --samples' '# unit: samples 0\n# values: sampled 0\n'
about 'an event of one kind of CPU' '-e cpu_core/cycles/ppp' '# unit: cycles 0\n# period: 7 cycles 0\n# values: sampled 0\n'
about 'delays of the scheduler' '-e sched:sched_stat_sleep' '# unit: ns 0\n# period: 9 ns 0\n# values: sampled 0\n'
about 'periods of 1 each' '-e page-faults' '# unit: samples 0\n# values: sampled 0\n'
about 'time order' --time-order '# unit: ns 0\n# period: 1003009 ns 0\n# values: sampled 0\n'
about 'steps of time' --time-order=10ms '# unit: ns 0\n# period: 1003009 ns 0\n# values: sampled 0\n# time: 0 s 0\n# time: 0.02 s 0\n'
for o in --no-header --no-annotate --kernel --jit --all; do
	about "$o" "$o" ''
	about "$o, steps of time" "$o --time-order=10ms" ''
done
about '-a' '-ak' '# unit: ns 0\n# period: 1003009 ns 0\n# values: sampled 0\n'
fg-collapse -q in >ours
fg-collapse ours >got
same 'header lines pass through' ours got
fg-collapse -q in ours >got
sed 's/1003009$/2006018/' ours >want
same 'header lines are equal in all ways of reading' want got
fg-collapse -q --samples in >counts
printf 'fg-collapse: values of different units cannot be added up: samples and ns\n' >want
status 'values of different units are exit status 2' 2 fg-collapse -q counts in
fg-collapse -q counts in 2>got
same 'values of different units are an error that names both' want got
output 'a file of another kind has its own event' '# unit: samples 0
# values: sampled 0
b;g 1
f 1' sh -c 'printf "Thread 1 (LWP 1):\n#0  0x0000000000001136 in f () at a.c:1\n" >dump; fg-collapse -q -e page-faults in | fg-collapse - dump'
awk 'BEGIN { for (i = 0; i < 40; i++) printf "a 1/1 %d.%03d: 2 x:\n\t10 f%d (/x)\n\n", 5 + i / 20, i % 20 * 50, i / 15 }' >steps
output '--time-order=STEP merges within a step' '# unit: x 0
# period: 2 x 0
# values: sampled 0
# time: 0 s 0
a;f0 20
# time: 0.5 s 0
a;f0 10
a;f1 10
# time: 1 s 0
a;f1 20
# time: 1.5 s 0
a;f2 20' fg-collapse --time-order=500ms steps
fg-collapse --time-order=500ms steps >want
fg-filter --time-order want >got
same 'fg-filter keeps the time marks of --time-order=STEP' want got
for o in --time-order=0 --time-order=x --time-order=1d --from=1x --to=-1s; do
	status "wrong: $o" 2 fg-collapse $o steps
done
output '--from and --to with units' 'a;f0 4' collapse --from=100ms --to=200000us steps

echo 'fg-collapse: unknown option -Z' >want
for o in -Z -Zq -qZ '--strict -Zq' '--pid -Z'; do
	fg-collapse $o 2>&1 | head -1 >got
	same "the wrong one of $o is named" want got
done
for o in --strict=1 --quiet=1; do
	echo "fg-collapse: $o does not take an argument" >want
	fg-collapse $o 2>&1 | head -1 >got
	same "$o does not take an argument" want got
done

# Pieces of a profile may be empty.
printf '# unit: ns 0\n# period: 5 ns 0\n' >headers
printf 'a;b 1\n' >piece
for f in /dev/null headers; do
	status "nothing is an error: ${f##*/}" 2 fg-collapse $f
	output "--allow-empty: no output and no error: ${f##*/}" '' fg-collapse --allow-empty $f
	status '--allow-empty: exit status 0' 0 fg-collapse --allow-empty $f
done
output '--allow-empty: an empty file beside a profile' 'a;b 1' fg-collapse --allow-empty --no-header headers piece
printf 'junk junk\n\n' >junk
status '--allow-empty: unknown formats are still an error' 2 fg-collapse --allow-empty junk

done_testing
