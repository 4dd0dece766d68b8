#!/bin/sh
# fg-render -T: reports as text.
# tier: quick
. "$(dirname "$0")/lib.sh"
cat >in <<'END'
main;fib;fib;fib 40
main;fib;fib 20
main;io;read_[k] 39.5
main;io 0.25
main 0.25
END

output 'top: self, total with recursion counted once' \
'            self  self %            total total %  function
      60 samples  60.00%       60 samples  60.00%  fib
    39.5 samples  39.50%     39.5 samples  39.50%  read
    0.25 samples   0.25%      100 samples 100.00%  main
    0.25 samples   0.25%    39.75 samples  39.75%  io' fg-render -T top in
output 'tree' \
'[100%] all (100 samples)
└── [100%] main (100 samples)
    ├── [60%] fib (60 samples)
    │   └── [60%] fib (60 samples)
    │       └── [40%] fib (40 samples)
    └── [40%] io (39.75 samples)
        └── [40%] read (39.5 samples)' fg-render -T tree in
output 'tree, --max-depth and --min-percent' \
'[100%] all (100 samples)
└── [100%] main (100 samples)
    └── [60%] fib (60 samples)' fg-render -T tree --max-depth 2 --min-percent 50 in
output 'top, --min-percent and --total' \
'            self  self %            total total %  function
      60 samples  30.00%       60 samples  30.00%  fib
    0.25 samples   0.12%      100 samples  50.00%  main' fg-render -T top --min-percent 25 --total 200 in
output 'tree of callers' \
'[100%] all (3 samples)
├── [67%] b (2 samples)
│   └── [67%] a (2 samples)
└── [33%] c;b;a (1 sample)' sh -c "printf 'a;b 2\na;b;c 1\n' | fg-render -T tree --reverse"
output 'a flame chart as a tree keeps time' \
'[100%] all (7 samples)
└── [100%] m (7 samples)
    ├── [14%] z (1 sample)
    └── [57%] a (4 samples)' sh -c "printf 'm;z 1\nm 2\nm;a 4\n' | fg-render -T tree --flamechart"
output 'a flame chart as a list has no gaps' \
'            self  self %            total total %  function
       4 samples  57.14%        4 samples  57.14%  a
       2 samples  28.57%        7 samples 100.00%  m
        1 sample  14.29%         1 sample  14.29%  z' sh -c "printf 'm;z 1\nm 2\nm;a 4\n' | fg-render -T top --flamechart"
printf '# columns: base head\n# compared: exact\na;b 1 8\na;c 3 0\n' >two
output 'tree of a differential: change of the total, base and head' \
'[+100.0%] all (4 samples → 8 samples)
└── [+100.0%] a (4 samples → 8 samples)
    ├── [+175.0%] b (1 sample → 8 samples)
    └── [−75.0%] c (3 samples → 0 samples)' fg-render -T tree two
output 'top of a differential: the largest change of self first' \
'            base             head           change change %     total change  function
        1 sample        8 samples       +7 samples  +700.0%       +7 samples  b
       3 samples        0 samples       −3 samples     gone       −3 samples  c
       0 samples        0 samples        0 samples                +4 samples  a' fg-render -T top two
output 'decreases in amounts and in percent have the same minus sign' \
'      50 samples       10 samples      −40 samples   −80.0%      −40 samples  a
base 110 samples → head 70 samples (−36.36 %): 3 functions, 3 frames, 2 levels.' sh -c '
	printf "m;a 50 10\nm;b 60 60\n" >less
	fg-render -T top less | sed -n 2p
	fg-render -T markdown less | head -n 1'
output 'top of --wall has the sum and each column, charged to who waits' \
'             sum       %            total total %              cpu          waiting          blocked  function
          905 µs  44.91%           905 µs  44.91%              0 s             5 µs           900 µs  inline_wait
          600 µs  29.78%           600 µs  29.78%           500 µs           100 µs              0 s  compute' \
	sh -c 'fg-render -T top "$1" | head -n 3' sh "$here/data/viewer-wall.folded"
# Waits as --off-cpu and as --wall record them: of a library, a module, a thread, the scheduler.
cat >wait.folded <<'END'
# unit: us 0
# label: event=off-cpu 0
sh;main;[libpython3.so];take_gil_[l];entry_SYSCALL_64_[k];futex_wait_[k];schedule_[k] 700
sh;clone3_[l];libz.so.1+0x4970;entry_SYSCALL_64_[k];schedule_[k] 500
sh;thread;deflate_[l];read_[l];schedule_[k] 300
sh;schedule_[k] 100
END
{
	echo '# columns: cpu waiting blocked 0 0 0'
	sed -e 's/^# unit.*/# unit: us 0 0 0/' -e '/^# label/d' -e '/^sh/s/ \([0-9]*\)$/ 0 0 \1/' wait.folded
} >wait-wall.folded
for how in '' --reverse '--base clone3' --inverted; do
	for f in wait wait-wall; do
		fg-render -T top $how $f.folded | sed '1d; s/ 0 s   *0 s  *[0-9.]* [mµ]*s  / /' | tr -s ' ' >$f.top
	done
	same "top of --wall charges a wait as top of --off-cpu does: ${how:-no options}" wait.top wait-wall.top
done
output 'a wait in a library is not the scheduler'"'"'s' '100 µs schedule
300 µs thread
500 µs libz.so.1+0x4970
700 µs main' sh -c "fg-render -T top wait-wall.folded | awk 'NR > 1 && \$1 > 0 { print \$1, \$2, \$NF }' | sort"

output 'tree of --wall has each column' \
'[100%] all (2.01 ms: cpu 500 µs, waiting 105 µs, blocked 1.41 ms)
├── [98%] app (1.96 ms: cpu 500 µs, waiting 105 µs, blocked 1.36 ms)' \
	sh -c 'fg-render -T tree "$1" | head -n 2' sh "$here/data/viewer-wall.folded"
printf '# columns: allocations bytes 0 0\n# unit: samples bytes 0 0\nm;a 3 4096\nm;b 5 1024\n' >alloc
output 'top of columns of different units has each' \
'     allocations       %            total total %            bytes  function
       5 samples  62.50%        5 samples  62.50%            1 KiB  b
       3 samples  37.50%        3 samples  37.50%            4 KiB  a
       0 samples   0.00%        8 samples 100.00%              0 B  m' fg-render -T top alloc
output '-T tree --column: shares of the chosen column' \
'[100%] all (8 samples)
└── [100%] a (8 samples)
    ├── [100%] b (8 samples)
    └── [0%] c (0 samples)' fg-render -T tree --column head two
output '-T tree: a share of one in ten thousand' \
'[100%] all (10,000 samples)
├── [100%] b (9,999 samples)
└── [<0.1%] a (1 sample)' sh -c "printf 'a 1\nb 9999\n' | fg-render -T tree"

output 'top: a function is one, whatever its lines and annotations' \
'            self  self %            total total %  function
       9 samples  90.00%        9 samples  90.00%  parse (a.c)
        1 sample  10.00%         1 sample  10.00%  parse (b.c)
       0 samples   0.00%       10 samples 100.00%  main
       0 samples   0.00%        5 samples  50.00%  x`parse' fg-render -T top - <<'END'
main;parse (a.c:3) 4
main_[i];x`parse;parse (a.c:9)_[i] 5
main;parse (b.c:3)_[l] 1
END
printf '# unit: ns 0\nmain;a 17339400000\n' >ns
output 'top with the unit of the input' \
'            self  self %            total total %  function
          17.3 s 100.00%           17.3 s 100.00%  a
             0 s   0.00%           17.3 s 100.00%  main' fg-render -T top ns
output 'tree of values with a known unit' \
'[100%] all (17.3 s)
└── [100%] main (17.3 s)
    └── [100%] a (17.3 s)' fg-render -T tree ns
output '-T top: values above 2^53 are exact' \
'            self  self %            total total %  function
9,007,199,254,740,993 samples 100.00% 9,007,199,254,740,993 samples 100.00%  a' \
	sh -c "echo 'a 9007199254740993' | fg-render -T top"

# The flame graph as text.
output 'flame' \
'100 samples
        │fib────────────
│fib────────────────────│read───────────
│fib────────────────────│io─────────────
│main───────────────────────────────────
│all────────────────────────────────────' fg-render -T flame --width 40 in
output 'icicle' \
'100 samples
│all────────────────────────────────────
│main───────────────────────────────────' fg-render -T flame --width 40 -i --max-depth 1 in
printf '%s\n' 'm;alpha_[k];beta_[k];gamma_[k];delta_[k] 3' 'm;w 7' >run
check '-T flame: the label of a run that is too wide has its first frame and the number of the others' \
    sh -c 'fg-render -T flame --width 60 run | grep -q "│alpha +3─"'
printf '# columns: base head\n# compared: exact\na;b 1 8\na;c 3 0\n' | CLICOLOR_FORCE=1 TERM=xterm fg-render -T flame --width 40 >out
check '-T flame: CLICOLOR_FORCE gives colours' grep -q "$(printf '\033\[48;5;')" out
check '-T flame: each colour is reset' awk '{ n += gsub(/\033\[48/, ""); m += gsub(/\033\[0m/, "") } END { exit n != m || n < 4 }' out
check '-T flame: a differential has a legend' grep -q 'slower' out
check '-T flame: a differential has marks' grep -q '▲ b' out
printf 'a;b_[k] 1\na;c_[i] 2\n' >some
CLICOLOR_FORCE=1 TERM=xterm fg-render -T flame some | tail -n 1 | sed 's/\x1b\[[0-9;]*m//g; s/  */ /g' >out
output 'the legend lists the origins of the profile' ' user system ' cat out
fg-render some | grep -oE '>(user|library|system|unknown)<' >out
output 'the legend of the SVG lists the origins of the profile' '>user<
>system<' cat out
printf 'a 1\n' | CLICOLOR_FORCE=1 COLORTERM=truecolor fg-render -T flame --colors red >out
check 'all colours of the palette' grep -q "$(printf '\033\[48;2;')" out
printf 'a 1\n' | NO_COLOR=1 CLICOLOR_FORCE=1 fg-render -T flame >out
check '-T flame: NO_COLOR' test "$(grep -c "$(printf '\033')" out)" = 0
awk 'BEGIN { for (i = 0; i < 300; i++) print "r;f" i " " i + 1 }' | fg-render -T flame --width 30 >out
check '-T flame: --width' test "$(wc -L <out 2>/dev/null || echo 30)" -le 30

# Human-readable numbers: value, unit, text.
while IFS='|' read -r value unit shown; do
	echo "f $value" | fg-render -T tree --countname "$unit" >out 2>said || echo "all (0 s)" >out
	check "$value $unit: $shown" grep -q -- "($shown)\$" out
done <<END
$(sed '/^#/d' "$here/data/cases/unit.txt")
END
printf 'a;\342\200\256evil 1\na;\377x 1\na;\376x 1\n' >turn
awk 'BEGIN { for (i = 0; i < 3000; i++) { printf "%sf%d 2\n", s, i; printf "%sg 1\n", s; s = s "f" i ";" } }' >steep
fg-render -T tree steep >out
check 'tree of 3,000 levels is linear: depth in figures' test "$(wc -c <out)" -lt 1500000 -a \
    "$(grep -c '── 2999: ' out)" -ge 1
{ printf '_start;__libc_start_main;main;run;loop;work 9\n_start;__libc_start_main;main;run;loop;idle 1\n'; } >run
output 'tree: frames of one child each share a line' \
'[100%] all (10 samples)
└── [100%] _start;__libc_start_main;main;run;loop (10 samples)
    ├── [90%] work (9 samples)
    └── [10%] idle (1 sample)' fg-render -T tree run
check '--chains keep gives each its own' test "$(fg-render -T tree --chains keep run | wc -l)" = 8
for what in top tree flame markdown; do
	fg-render -T $what turn >out
	check "-T $what: U+202E is escaped" test "$(grep -c 'u202eevil' out)" -ge 1 -a \
	    "$(grep -c "$(printf '\342\200\256')" out)" = 0
done
fg-render -T top turn >out
check 'two names of invalid UTF-8 that differ are two functions' test "$(grep -c 'x$' out)" = 2
awk 'BEGIN { printf "std::map<"; for (i = 0; i < 40; i++) printf "int, "; print "int>::_M_erase 1"
	printf "std::map<"; for (i = 0; i < 40; i++) printf "int, "; print "int>::_M_insert 1" }' >long
for what in top tree markdown; do
	fg-render -T $what long >out
	check "-T $what: long C++ names keep their end" sh -c "grep -q '<…>::_M_erase' out && grep -q '<…>::_M_insert' out"
done
done_testing
