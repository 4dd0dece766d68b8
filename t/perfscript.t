#!/bin/sh
# fg-collapse: the rules by which perf script text becomes stacks, with any number of threads.
# tier: quick
. "$(dirname "$0")/lib.sh"

# Most tests are about stacks.
collapse() {
	fg-collapse --no-header "$@"
}

# fold NAME OPTIONS EXPECTED: compares the stacks of ./in; messages go to ./said.
fold() {
	collapse $2 <"$tmp/in" >"$tmp/out" 2>"$tmp/said"
	printf '%s\n' "$3" >"$tmp/want"
	same "$1" "$tmp/want" "$tmp/out"
}

# frame NAME LINE EXPECTED: one frame line without indentation, and its frames.
frame() {
	printf 'app 1/1 1.5: 1 cycles: \n\t%s\n' "$2" >"$tmp/in"
	fold "$1" "${4:---no-annotate}" "app;$3 1"
}

# header NAME LINE EXPECTED: a sample header with one frame after it.
header() {
	printf '%s\n\t    10 f (/x)\n\n' "$2" >in
	fold "$1" "${4:---tid}" "$3"
}

# The output does not depend on the number of threads, nor on whether the input is a file or a pipe

awk 'BEGIN {
	for (i = 0; i < 40000; i++) {
		printf "w%d %d/%d %d.%06d: %d cycles: \n", i % 7, 10, 10 + i % 7, 1 + i / 1000, i % 1000, 1 + i % 13
		for (d = i % 11; d >= 0; d--)
			printf "\t%16x fn%d+0x%x (/bin/app)\n", 4096 + d * 16 + i % 5, (d * 7 + i % 3) % 29, i % 5
		printf "\n"
	}
}' >long
collapse -j 1 long >one 2>/dev/null
awk '/cycles/ { n += $4 } END { printf "%d\n", n }' long >want
awk '{ n += $NF } END { printf "%d\n", n }' one >got
same 'the periods add up' want got
for j in 2 3 8; do
	collapse -j $j long >got
	same "-j $j" one got
done
for o in '-n 2' --nthreads=2; do
	collapse -q $o long >got
	same "$o" one got
done
cat long | collapse -j 2 >got
same '-j 2 from a pipe' one got
cat long | collapse -j 1 >got
same '-j 1 from a pipe' one got
collapse one >got
same '-j 1: fg-collapse reads its own output' one got
sed '/^$/d' long >dense
collapse -j 2 dense >got
same '-j 1: samples without blank lines between them' one got
sed 's/$/\r/' long >crlf
collapse -j 2 crlf >got
same 'CRLF' one got
awk '/cycles/ { h = $0; next } NF && h != "" { print h $0; h = "" }' long >flat
collapse -j 1 flat >got
awk '/cycles/ { n += $4 } END { printf "%d\n", n }' long >want
awk '{ n += $NF } END { printf "%d\n", n }' got >sum
same 'samples of one line each: the periods add up' want sum
collapse -j 3 flat >two
same 'samples of one line each: -j 3' got two

# Headers

header 'pid/tid' 'app 10/11 1.5: 7 cycles: ' 'app-10/11;f 7'
header 'the thread alone' 'app 11 1.5: 7 cycles: ' 'app-?/11;f 7'
header 'cpu' 'app 10/11 [003] 1.5: 7 cycles: ' 'app-10/11;f 7'
header 'cpu and flags' 'app 10/11 [003] d..1. 1.5: 7 cycles: ' 'app-10/11;f 7'
header 'nanoseconds' 'app 10/11 1.500000001: 7 cycles: ' 'app-10/11;f 7'
header 'no period counts 1' 'app 10/11 1.5: cycles: ' 'app-10/11;f 1'
header 'a zero period counts 1' 'app 10/11 1.5: 0 cycles: ' 'app-10/11;f 1'
header 'a large period' 'app 10/11 1.5: 18446744073709551614 cycles: ' 'app-10/11;f 18446744073709551614'
header 'the largest' 'app 10/11 1.5: 18446744073709551615 cycles: ' 'app-10/11;f 18446744073709551615'
header 'a modifier' 'app 10/11 1.5: 7 cycles:u: ' 'app-10/11;f 7'
header 'blanks in a comm' 'my app 2 10/11 1.5: 7 cycles: ' 'my_app_2-10/11;f 7'
header 'a number as comm' '42 10/11 1.5: 7 cycles: ' '42-10/11;f 7'
header 'one letter as comm' 'a 10/11 1.5: 7 cycles: ' 'a-10/11;f 7'
header 'a comm with slash and colon' 'kworker/u8:0-ev 10/11 1.5: 7 cycles: ' 'kworker/u8:0-ev-10/11;f 7'
header 'a comm with a colon and a blank' 'a: b 10/11 1.5: 7 cycles: ' 'a:_b-10/11;f 7'
header 'a comm aligned to the right' '          app 10/11 1.5: 7 cycles: ' 'app-10/11;f 7'
header 'a semicolon in a comm' 'a;b 10/11 1.5: 7 cycles: ' 'a:b-10/11;f 7'
header 'thread -1' ':-1 -1 1.5: 7 cycles: ' ':-1-?/-1;f 7'
header 'a header without a time' 'app 10/11 7 cycles: ' 'app-10/11;f 7'
printf 'app 10/11 1.5: 7 cycles:\n\napp 10/11 1.5: 7 cycles:\n\napp 1.5: 7 cycles:\n\n' >in
fold 'no thread after others' --tid 'app-10/11 14
app-?/? 7'
header 'a header without a time and a period' 'app 10 cycles: ' 'app-?/10;f 1'
header 'a header without a comm' '10/11 1.5: 7 cycles: ' '10/11;f 7'
header 'a header without a comm, and no --tid' '10/11 1.5: 7 cycles: ' 'f 7' --no-annotate
header 'an event with slashes' 'app 10/11 1.5: 7 cpu/event=0x3c,name=a b/u: ' 'app-10/11;f 7'
header 'a tracepoint' 'app 10/11 1.5: sched:sched_switch: prev_comm=x: y ==> next_comm=z' 'app-10/11;f 1'
printf 'a 1/1 1.0: 1 sched:sched_switch: x=1 (y)\n\t10 f (/x)\n\nb 1/1 1.0: 1 sched:sched_wakeup: y: 2\n\t10 g (/x)\n\n' >in
fold 'the first event' '' 'a;f 1'
printf '%s\n' 'fg-collapse: 1 sample of sched:sched_switch, --countname samples; left out: sched:sched_wakeup (1)' >want
same 'samples of one line each, -j 3: a note' want said
fold '-e with the event that was left out' '-e sched:sched_wakeup' 'b;g 1'
printf 'a 1/1 1.0: 3 cpu-clock:u:\n\t10 f (/x)\n\nb 1/1 1.0: 1 x:\n' | collapse >/dev/null 2>said
check 'cpu-clock counts nanoseconds' grep -q -- '--countname ns;' said
header 'a number before a colon is not a period' 'app 10/11 1.5: 7:cycles: ' 'app-10/11;f 1'
header 'seconds of 10 digits' 'app 10/11 1234567890.123456: 7 cycles: ' 'app-10/11;f 7'
header 'more seconds than 64 bits of ns' 'app 10/11 99999999999.5: 7 cycles: ' 'app-10/11;f 1'
# Headers like a recent one, with frames in their lines
printf 'a 1/1 %s: 3 ev: \t10 f (/x)\na 1/1 2.5: 3 ev:u: \t10 g (/x)\na 1/1 3.5: 4 ev: \t10 f (/x)\na 1/1 4.5: 3 ev:\n' \
	1.5 >in
fold 'an event that begins like the last one' '-e ev:u' 'a;g 3'
fold 'the event that the other begins like' '-e ev --tid' 'a-1/1 3
a-1/1;f 7'
awk 'BEGIN { for (i = 0; i < 300; i++)
	printf "c%d 7/%d %d.%06d: %d cycles: \t%16x f%d+0x%x (/x)\n", i % 40, i % 41, i, i,
		1 + i % 3, 16 + i, i % 5, i }' >many
for i in 0 1 2 3 4; do
	awk -v i=$i '$6 ~ /^f/ && substr($7, 2, 1) == i || $7 ~ "^f" i "[+]"' many >part.$i
	collapse --tid part.$i
done 2>/dev/null | sort >want
collapse --tid many 2>/dev/null | sort >got
same 'threads in turns, frames in the lines of their headers' want got
while read -r t ns; do
	printf 'a 1/1 0.0: 1 ev: \t10 f (/x)\na 1/1 %s: 1 ev: \t10 g (/x)\n' $t >in
	fold "the time $t" "-q --from ${ns}ns --to $((ns + 1))ns" 'a;g 1'
done <<EOF
0.000001 1000
12.5 12500000000
12.123456789 12123456789
98.76543210 98765432100
1234567.000009 1234567000009000
12345678.25 12345678250000000
123456789.5 123456789500000000
EOF

# Samples

printf 'app 1/1 1.5: 2 cycles: \n\napp 1/1 1.5: 3 cycles: \n\t10 f (/x)\n\n' >in
fold 'a header without frames is a sample of the comm' '' 'app 2
app;f 3'
printf 'a 1/1 1.5: 2 cycles:   10 f+0x3 (/x)\n        a 1/1 1.6: 3 cycles: 20 (anonymous namespace)::g (/x)\nb c 1/1 1.7: 4 cycles: ffff h ([k])' >in
fold 'samples of one line, the last without newline' --no-annotate 'a;(anonymous namespace)::g 3
a;f 2
b_c;h 4'
printf 'a 1/1 1.5: 2 cycles: \n\t10 f (/x)\nb 1/1 1.6: 3 cycles: \n\t10 g (/x)' >in
fold 'the next header ends a sample, and so does the end' '' 'a;f 2
b;g 3'
printf '\n\n# one\na 1/1 1.5: 2 cycles: \n# two\n\t10 f (/x)\n#\n\t20 g (/x)\n\n\n\n# three\n' >in
fold 'comments and blank lines' '' 'a;g;f 2'
printf 'a 1/1 1.5: PERF_RECORD_MMAP2 1/1: [0x1000(0x1000) @ 0 08:01 1 1]: r-xp /bin/a\na 1/1 1.5: PERF_RECORD_COMM exec: a:1/1\na 1/1 1.6: 2 cycles: \n\t10 f (/x)\n\na 1/1 1.7: PERF_RECORD_EXIT(1:1):(1:1)\n' >in
fold 'records of tasks and mappings' --strict 'a;f 2'
printf 'a 1/1 1.5: 2 cycles: \r\n\t10 f+0x1 (/x.so)\r\n\t20 g (/x)\r\n\r\n' >in
fold 'CRLF' '' 'a;g;f_[l] 2'
printf 'a 1/1 1.5: 2 cycles: \n        10 f (/x)\n     20 g (/x)\n\n' >in
fold 'frames after spaces' '' 'a;g;f 2'
printf 'a 1/1 1.5: 2 cycles: \n10 f (/x)\n20 g (/x)\n\n' >in
fold 'frames at the margin' '' 'a;g;f 2'
printf 'a 1/1 1.5: 2 cycles: \n\t10 f (/x)\n  f.c:12\n\t20 main (/x)\n  main.c:3\n\t30 _start (/x)\n  x[30]\n\n' >in
fold 'source lines are left out' '' 'a;_start;main;f 2'
fold '--srcline' --srcline 'a;_start;main (main.c:3);f (f.c:12) 2'
sed 's/$/\r/' in >crlf
mv crlf in
fold '--srcline with CRLF' --srcline 'a;_start;main (main.c:3);f (f.c:12) 2'
printf 'a 1/1 1.5: 2 cycles: \n\t10 f+0x1\n  f.c:12 (inlined)\n\t10 g\n  g.c:0 (inlined)\n\t10 main+0x1 (/x)\n  main.c:3 (discriminator 2)\n\t30 _start (/x)\n  ??:0\n\n' >in
fold 'perf 6 says after the source that a frame is inlined' '' 'a;_start;main;g_[i];f_[i] 2'
fold 'perf 6: a line that is not a source is not written' --srcline 'a;_start;main (main.c:3);g_[i];f (f.c:12)_[i] 2'
printf 'a 1/1 1.5: 2 cycles: \n\t10 f+0x1\n  f.c:12 (inlined)\n\na 1/1 1.5: 2 cycles: \n\t10 f+0x1\n  f.c:13\n\na 1/1 1.5: 2 cycles: \n\t10 f+0x1\n  f.c:14\n\n' >in
fold 'a function that is inlined and called on the same line' '' 'a;f 4
a;f_[i] 2'
fold 'a function that is inlined and called from other lines' --srcline 'a;f (f.c:12)_[i] 2
a;f (f.c:13) 2
a;f (f.c:14) 2'
printf 'java 1/1 1.5: 2 cycles: \n\t10 La/B;::x->c/D.y->z (/tmp/perf-1.map)\n\t20 Interpreter (/tmp/perf-1.map)\n\n' >in
fold 'inlined methods of Java' '' 'java;Interpreter_[j];a/B:::x_[j];c/D.y_[i];z_[i] 2'
printf 'java 1/1 1.5: 2 cycles: \n\t10 Lorg/a/B;::run (/tmp/perf-1.map)\n\t20 Lake::x (/tmp/perf-1.map)\n\n' >in
fold 'L of a Java class goes' --no-annotate 'java;Lake::x;org/a/B:::run 2'
frame 'a Java name is not changed elsewhere' '10 Lorg/a/B;::run (/x)' 'Lorg/a/B:::run'

# Names

frame 'an offset' '10 f+0x1f (/x)' f
frame 'a frame without a module' '10 f' f
frame 'an unknown module' '10 f ([unknown])' f
frame 'a module with blanks' '10 f+0x1 (/a b/x (1).so)' 'f_[l]' -a
frame 'a module that was deleted' '10 f+0x1 (/lib/x.so.1 (deleted))' 'f_[l]' -a
frame 'an unknown function' '10 [unknown] (/lib/x.so.1)' '[x.so.1]'
frame 'an unknown function of a deleted module' '10 [unknown] (/lib/x y.so (deleted))' '[x y.so]'
frame 'an unknown function of the kernel' '10 [unknown] ([kernel.kallsyms])' '[kernel.kallsyms]_[k]' -a
frame 'an unknown function of no module' '10 [unknown] ([unknown])' '[unknown]'
frame 'an unknown function of no module, --addrs' '10 [unknown] ([unknown])' '[unknown <10>]' --addrs
frame 'a frame without a name' '10  (/lib/x.so.1)' '[x.so.1]'
frame 'a semicolon' '10 a;b (/x)' 'a:b'
frame 'quotes stay' "10 a\"b'c (/x)" "a\"b'c"
frame 'an anonymous namespace' '10 (anonymous namespace)::f(int) (/x)' '(anonymous namespace)::f'
frame 'an anonymous namespace within a name' '10 a::(anonymous namespace)::f(int) (/x)' 'a::(anonymous namespace)::f'
frame 'arguments' '10 f(int, char const*) (/x)' f
frame 'arguments with brackets' '10 f(void (*)(int), int (&)[3]) (/x)' f
frame 'qualifiers' '10 a::f(int) const & (/x)' 'a::f'
frame 'a clone' '10 a::f(int) [clone .isra.0] (/x)' 'a::f'
frame 'std::function' '10 std::function<void (int)>::operator()(int) const (/x)' 'std::function<void (int)>::operator()'
frame 'operator()' '10 a::operator() (/x)' 'a::operator()'
frame 'operator() without a class' '10 operator()(int) (/x)' 'operator()'
frame 'operator() of a template' '10 a::operator()<int>(int) const (/x)' 'a::operator()<int>'
frame 'operator->' '10 a::operator->() const (/x)' 'a::operator->'
frame 'operator->*' '10 a::operator->*(int) (/x)' 'a::operator->*'
frame 'a trailing return type' '10 auto a<int>(int)->b (/x)' 'auto a<int>(int)->b'
frame 'a lambda' '10 main::{lambda(int)#1}::operator()(int) const (/x)' 'main::{lambda(int)#1}::operator()'
frame 'decltype(auto)' '10 decltype(auto) f<int>(int) (/x)' 'decltype(auto) f<int>'
frame 'a tier of .NET' '10 int32 [app] a.B::f(int32,class c.D)[Tier0] (/tmp/perf-1.map)' 'a.B.f'
frame 'another tier of .NET' '10 void [app] a.B::f()[OptimizedTier1OSR] (/tmp/perf-1.map)' 'a.B.f'
frame 'a class of .NET with an argument' '10 instance class [System.Runtime]System.String [app] a.B`1[System.__Canon]::f(int32)[PreJIT] (/tmp/perf-1.map)' 'a.B`1[System.__Canon].f'
frame 'a method of Java' '10 java.lang.Object app.Shop$Cart.add(java.lang.String, int) (/tmp/perf-1.map)' 'app.Shop$Cart.add'
frame 'a constructor of Java' '10 void app.Shop.<init>() (/tmp/perf-1.map)' 'app.Shop.<init>'
frame 'code of the JVM' '10 I2C/C2I adapters (/tmp/perf-1.map)' 'I2C/C2I adapters'
frame 'a function of V8' '10 JS:*get depth /srv/app.js:4:12 (/tmp/perf-1.map)' 'get depth'
frame 'a function of V8 and its line' '10 LazyCompile:~fib /srv/app.js:4 (/tmp/perf-1.map)' 'fib (/srv/app.js:4)_[j]' --srcline
frame 'an anonymous function of V8' '10 JS:^ file:///srv/app.js:4:12 (/tmp/perf-1.map)' '(anonymous) (/srv/app.js:4)'
frame 'a function of Python' '10 py::View.get.<locals>.<lambda>:/srv/app.py (/tmp/perf-1.map)' 'View.get.<locals>.<lambda> (/srv/app.py)'
frame 'a function of Erlang' '10 $lists:map/2 (/tmp/perf-1.map)' 'lists:map/2'
frame 'a quoted atom of Erlang' "10 \$shop:'-total/1-fun-0-'/2 (/tmp/perf-1.map)" 'shop:-total/1-fun-0-/2'
frame 'code that Erlang modules share' '10 $global::garbage_collect (/tmp/perf-1.map)' '$global::garbage_collect'
frame 'marks of V8 stay in names that are not of a perf map' '10 JS:*f /srv/app.js:4:12 (/x)' 'JS:*f /srv/app.js:4:12'
frame 'a tier of .NET stays in names that are not of a perf map' '10 a.B::f[Tier0] (/tmp/perf-1.map)' 'a.B::f[Tier0]'
frame 'a method of Go' '10 net/http.(*Client).Do (/x)' 'net/http.(*Client).Do'
frame 'a generic of Go, as its own profiles name it' '10 main.Map[go.shape.int_0] (/x)' 'main.Map[...]'
frame 'a function of Go in assembly' '10 runtime.memmove.abi0 (/x)' 'runtime.memmove'
frame 'a generic within another' '10 a[go.shape.struct { b [4]int },go.shape.int].c[go.shape.int] (/x)' 'a[...].c[...]'
frame 'a version of a symbol' '10 fopen@@GLIBC_2.2.5 (/x)' 'fopen'
frame 'a closure of Go' '10 main.(*T).run.func1 (/x)' 'main.(*T).run.func1'
frame 'old names of Rust' \
	'10 _$LT$a..B$LT$T$GT$$u20$as$u20$c..D$GT$::e::_$u7b$$u7b$closure$u7d$$u7d$::h0123456789abcdef+0x1 (/x)' \
	'<a::B<T> as c::D>::e::{{closure}}'
frame 'a Rust hash only, old form' '10 a::b::h0123456789abcdef (/x)' 'a::b'
frame 'a suffix that is not a Rust hash stays' '10 a::b::h0123456789abcdeg (/x)' 'a::b::h0123456789abcdeg'
if fg-collapse -V | grep -q '^demangling: libiberty'; then
	frame 'new names of Rust' '10 _RNvCskwGfYPst2Cb_3foo3bar (/x)' 'foo::bar'
else
	skip 'new names of Rust' 'no libiberty' libiberty-dev
fi
frame 'names of C++ stay as perf writes them' '10 _ZN1a1bEv (/x)' '_ZN1a1bEv'
frame 'UTF-8' '10 größe (/x)' 'größe'
frame 'bytes that are not UTF-8' "$(printf '10 gr\303 (/x)')" "$(printf 'gr\303')"
frame 'a control character' "$(printf '10 a\033[0mb (/x)')" 'a [0mb'
# The default event is the one with most samples, not the first.
cat >several <<'EOF'
app 1/1 1.1: 1 page-faults:
	10 exec (/app)

app 1/1 1.2: 1 dummy:HG:
	10 exec (/app)

app 1/1 1.2: 1 dummy:HG:
	10 exec (/app)

app 1/1 1.2: 1 dummy:HG:
	10 exec (/app)

app 1/1 1.3: 7 cycles:u:
	10 main (/app)

app 1/1 1.4: 7 cycles:u:
	10 main (/app)

EOF
output 'the event with most samples is the default, dummy events never' 'app;main 14' fg-collapse -q --no-header several
cat several | fg-collapse >got 2>said
check 'a note names the other events' grep -q 'left out: dummy:HG (3), page-faults (1)' said
output 'the default is the same from a pipe' 'app;main 14' sh -c "sed '/^# /d' got"
{ printf '# event : name = %s, , id = { 1 }, type = 1\n' dummy:HG page-faults cycles:u; cat several; } >listed
output 'the first event in a header is the default' 'app;exec 1' fg-collapse -q --no-header listed
{ printf '# event : name = %s, , id = { 1 }, type = 1\n' faults cycles:u; cat several; } >listed
output 'a listed event without samples is not the default' 'app;main 14' fg-collapse -q --no-header listed

frame 'a name that looks like a comment' '10 # x (/x)' '# x'

suffix() {
	frame "module $1: ${2:-none}" "10 f ($1)" "f$2" -a
}
suffix '[kernel.kallsyms]' '_[k]'
suffix '[guest.kernel.kallsyms]' '_[k]'
suffix '[nf_conntrack]' '_[k]'
suffix '/usr/lib/debug/boot/vmlinux-6.1.0' '_[k]'
suffix '/lib/modules/6.1/kernel/fs/ext4.ko' '_[k]'
suffix '/lib/modules/6.1/kernel/fs/ext4.ko.xz' '_[k]'
suffix '/lib/modules/6.1/kernel/fs/ext4.ko.zst' '_[k]'
suffix 'bpf_prog_6deef7357e7b4530_sd_fw_ingress' '_[k]'
suffix '[unknown]' ''
suffix '[heap]' ''
suffix '[stack]' ''
suffix '[anon]' ''
suffix '[vdso]' ''
suffix '/bin/x' ''
suffix '/lib/x.so' '_[l]'
suffix '/lib/x.so.1.2' '_[l]'
suffix '/lib/x.so.1 (deleted)' '_[l]'
suffix '/lib/x.so.d/x' ''
suffix '/lib/x.sound' ''
suffix '/tmp/perf-12.map' '_[j]'
suffix '/tmp/jitted-12-3.so' '_[j]'
suffix '[JIT] tid 12' '_[j]'
suffix 'inlined' '_[i]'
suffix '/lib/x.dylib' '_[l]'

comm() {
	printf '%s 1/1 1.5: 1 x:\n' "$1" >in
	fold "--normalize-comm $1" --normalize-comm "$2 1"
}
comm ksoftirqd/3 ksoftirqd
comm 'GC Thread#0' GC_Thread
comm pool-1-thread-12 pool-1-thread
comm kworker/u8:2 kworker
comm kworker/0:1H kworker
comm x264 x264
comm a1 a1
comm :71 :71
comm a/b a/b

# Lines that are not perf script

cat >bad <<'EOF'
app 1/1 1.5: 2 cycles:
	10 f (/x)

rubbish
	20 lost (/x)

app 1/1 1.6: 3 cycles:
	zz g (/x)
	10 f (/x)

app 1/1 1.65: 5 cycles:
	10 f (/x)

more rubbish
app 1/1 1.7: 4 cycles:
	10 f (/x)
EOF
for j in 1 2; do
	output "nothing valid around malformed lines is lost, -j $j" 'app;f 11' collapse -j $j bad
	cat >want <<'EOF'
fg-collapse: bad:4: neither a header nor a frame of perf script; left out
fg-collapse: 3 malformed units of the input were left out; value of their stacks: 3
EOF
	same "the first malformed line is named, -j $j" want .errors
done
collapse -q <bad 2>got >/dev/null
sed 's/bad:/stdin:/' want | cmp -s - got
check '-q, of stdin: the first malformed line is named' test $? = 0
status '--strict' 2 collapse --strict bad
collapse --strict -o none bad 2>got
echo 'fg-collapse: bad:4: neither a header nor a frame of perf script' >want
same '--strict: the error has file and line' want got
check '--strict writes nothing' test ! -e none
awk '{ print } !NF && ++n == 30000 { print "rubbish" }' long >in
collapse -j 2 in 2>said >got
same 'a malformed line deep in a long file, -j 2: the rest' one got
check 'a malformed line deep in a long file, -j 2: its line number' grep -q "^fg-collapse: in:$(grep -n rubbish in | cut -d: -f1): " said

# Malformed lines are counted, at any position and by any thread.
awk 'BEGIN {
	for (i = 0; i < 30000; i++) {
		printf "app 1/1 %d.%06d: 1 cycles:\n\t10 f%d (/x)\n", i / 1000, i % 1000, i % 3
		if (i % 7 == 2)
			print "\tzz bad"
		printf "\t20 main (/x)\n"
		if (i % 1000 == 7)
			print "\trubbish"
		print ""
	}
}' >in
echo 'fg-collapse: 4312 malformed units of the input were left out; value of their stacks: 4312' >want
for j in 1 2 5; do
	collapse -j $j in 2>&1 >got | tail -1 >said
	same "malformed lines are counted, -j $j" want said
	output "lines around malformed ones are kept, -j $j" 'app;main;f0 8563
app;main;f1 8563
app;main;f2 8562' cat got
	status "--strict at the first, -j $j" 2 collapse --strict -j $j in
	collapse --strict -j $j in 2>said
	check "--strict: the first malformed line is reported, -j $j" grep -q '^fg-collapse: in:11: ' said
done

# Similar frame lines: with differences that matter and differences that do not
printf 'a 1/1 1.5: 2 cycles: \n\t10 f+0x1 (/x)\n\na 1/1 1.5: 2 cycles: \n\t20 f+0x2 (/x)\n\na 1/1 1.5: 2 cycles: \n\t30 f (m)+0x1\n\na 1/1 1.5: 2 cycles: \n\t30 f (m)\n\n' >in
fold 'a frame is neither its address nor its offset' --module 'a;f (m) 2
a;m`f 2
a;x`f 4'
printf 'a 1/1 1.5: 2 cycles: \n\t10 [unknown] (/x)\n\na 1/1 1.5: 2 cycles: \n\t20 [unknown] (/x)\n\n' >in
fold 'unknown functions with --addrs are two frames' --addrs 'a;[x <10>] 2
a;[x <20>] 2'
fold 'unknown functions without --addrs are one frame' '' 'a;[x] 4'

# Lines of the usual width are known again by their text, without address and offset. The frame of a
# line does not depend on the lines before.
module=/usr/lib/x86_64/libx.so
cat >forms <<EOF
f+0x5 ($module)
f ($module)
f+0x5+0x12 ($module)
f+0x5+0x3 ($module)
f (b)+0x12345
f (b ($module)
f+0x1 (b ($module)
f+0x1  ($module)
f+0x ($module)
f+0xg ($module)
f+0x12345678901234567 ($module)
+0x5 ($module)
+0x5+0x5 ($module)
f+0x5 (${module}x)
f+0x5 (/${module#?}/libx.so (deleted))
EOF
awk '{ printf "a 1/1 1.5: %d cycles: \n\t%16x %s\n\n", 10 ^ (NR % 8), 4096 + NR, $0 }' forms >one
for i in $(seq "$(awk 'END { print NR }' forms)"); do
	awk -v i="$i" 'NR == 3 * i - 2, NR == 3 * i' one | collapse
done | awk '{ v = $NF; sub(/ [0-9]*$/, ""); n[$0] += v } END { for (s in n) print s, n[s] }' | sort >want
collapse one | sort >got
same 'known lines: frames do not depend on earlier lines' want got
cat one one one | collapse | sort >got
awk '{ $NF *= 3; print }' want >more
same 'known lines: again' more got

# A large file is split into parts; each thread reads one, and line numbers stay correct.
awk 'BEGIN {
	for (i = 0; i < 60000; i++) {
		printf "app-%d %d %d.%06d: %d cycles:\n", i / 9000, 100 + i % 7, i / 1000, i % 1000 * 1000, 1 + i % 13
		for (d = 3 + i * 7 % 11; d > 0; d--)
			printf "\t%16x function_%d_of_part_%d+0x%x (/usr/bin/app)\n", 4096 * d + i % 5, d * i % 17, i / 6000, d
		print ""
		if (i == 41000)
			print "this is no header"
	}
}' >large
check 'large enough to be cut' test "$(wc -c <large)" -gt 16000000
collapse -j 1 large >one 2>one.said
for j in 2 3 16; do
	collapse -j $j large >more 2>more.said
	same "-j $j: the same stacks" one more
	same "-j $j: the same complaint" one.said more.said
	collapse -j $j <large >more 2>/dev/null
	same "-j $j: the same from stdin" one more
	cat large | collapse -j $j >more 2>/dev/null
	same "-j $j: the same from a pipe" one more
done
line=$(grep -n 'this is no header' large | cut -d: -f1)
check "-j $j: a malformed header: the message has the line" grep -q "large:$line:" one.said
total=$(awk '/cycles:/ { sum += $(NF - 1) } END { print sum }' large)
output '-j $j: no value of a file with a malformed header is lost' "$total" awk '{ sum += $NF } END { print sum }' one

done_testing
