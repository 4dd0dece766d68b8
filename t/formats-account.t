#!/bin/sh
# The account of an input: each unit of it is folded, left out by an option, or malformed. A
# damaged unit lowers the total by its value and is reported.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# account NAME EXPECTED COMMAND...: the numbers that -v prints.
account() {
	name=$1 expected=$2
	shift 2
	"$@" -v >got 2>said
	output "$name" "$expected" sed -n 's/^fg-collapse: .*: \([0-9]* folded, .*\)/\1/p' said
}

cat >two <<'END'
app 1/1 1.5: 2 cycles:
	10 f (/x)
	20 main (/x)

app 1/1 1.6: 3 faults:
	10 f (/x)

app 1/1 1.7: 5 cycles:
	zz g (/x)
	20 main (/x)

app 1/1 1.8: 7 cycles:
	10 g (/x)
	20 main (/x)
END
account 'perf script: samples of another event are left out, one with a bad frame is malformed' \
	'2 folded, 1 left out, 1 malformed' fg-collapse two
output 'perf script: a stack with a malformed frame is not folded' 'app;main;f 2
app;main;g 7' fg-collapse -q --no-header two
check 'the value of malformed stacks is reported' sh -c "{ cat two two; } | fg-collapse 2>&1 >/dev/null |
	grep -q '^fg-collapse: 2 malformed units of the input were left out; value of their stacks: 10$'"
account 'perf script: samples before --from are left out' '1 folded, 3 left out, 0 malformed' fg-collapse --from 0.25 two
account '-l of the events: no account' '' fg-collapse --list-events two
printf 'a;b 1\nc 2\nd\n' >stacks
account 'folded stacks: each line is a unit' '2 folded, 0 left out, 1 malformed' fg-collapse -f folded stacks
printf 'a;b 1\nc\nd\n' >worse
status 'more malformed lines than others are an error' 2 fg-collapse -f folded worse
check 'the error names the first one and the numbers' sh -c "fg-collapse -f folded worse 2>&1 | tr '\n' '/' |
	grep -q '^fg-collapse: worse:2: .*; left out/fg-collapse: worse: no stacks in the input: 2 malformed, 1 valid/$'"
status 'such an input among others is an error' 2 fg-collapse -f folded stacks worse stacks
check 'an error writes nothing' sh -c 'test -z "$(fg-collapse -f folded stacks worse 2>/dev/null)"'

# Profiles without call chains
awk 'BEGIN { for (i = 0; i < 11; i++) printf "app 1/1 1.%d: 2 cycles:\n\t10 f (/x)\n\n", i }' >flat
flat='fg-collapse: each stack is a single frame; a profile with call chains shows more'
output 'more than 10 samples, each stack one frame: a warning' "$flat" sh -c 'fg-collapse -q flat 2>&1 >/dev/null'
status 'more than 10 samples, each stack one frame: exit 0' 0 fg-collapse flat
check '10 samples: no warning' sh -c 'test -z "$(head -n 30 flat | fg-collapse 2>&1 >/dev/null)"'
check 'a stack of two frames among them: no warning' sh -c 'test -z "$({ cat flat; printf "app 1/1 2.5: 2 cycles:\n\t10 f (/x)\n\t20 main (/x)\n\n"; } |
	fg-collapse 2>&1 >/dev/null)"'
check 'folded stacks may be flat' sh -c 'test -z "$(for i in 1 2 3 4 5 6 7 8 9 10 11; do echo "f$i 1"; done | fg-collapse 2>&1 >/dev/null)"'

# Heads of threads
cat >go <<'END'
fatal error: unexpected signal during runtime execution

runtime stack:
runtime.throw({0x4a3b2c?, 0x0?})
	/usr/lib/go/src/runtime/panic.go:1047 +0x5d

goroutine 1 [running]:
main.main()
	/srv/a.go:3 +0x1d

odd 2 [running]:
main.f()
	/srv/a.go:9 +0x1d
END
account 'go: frames without a goroutine are malformed, the runtime stack is a stack' \
	'2 folded, 0 left out, 1 malformed' fg-collapse -f go go
output 'go: the runtime stack is that of a thread' 'main.main 1
runtime.throw 1' fg-collapse -q --no-header -f go go
cat >faulthandler <<'END'
Traceback (most recent call last):
  File "/srv/a.py", line 1, in <module>
Thread 0x1 (most recent call first):
  File "/srv/a.py", line 1 in f

  File "/srv/a.py", line 1 in g
END
account 'faulthandler: frames without a thread are malformed, those of a traceback are none' \
	'1 folded, 0 left out, 1 malformed' fg-collapse -f faulthandler faulthandler
cat >lldb <<'END'
* thread #1
  * frame #0: 0x10 a`f
    frame #1: 0x20 a`main
  odd #2
    frame #0: 0x10 a`g
    frame #2: 0x20 a`main
END
account 'lldb: a frame 0 begins a thread, a missing frame makes it malformed' \
	'0 folded, 0 left out, 2 malformed' fg-collapse -f lldb lldb
sed '4d; $d' lldb >lldb2
account 'lldb: a frame 0 without a head is malformed, the stack before it is not' \
	'1 folded, 0 left out, 1 malformed' fg-collapse -f lldb lldb2
cat >leaks <<'END'
Attaching to pid 5193, Ctrl+C to quit.
[11:16:38] Top 1 stacks with outstanding allocations:
	64 bytes in 4 allocations from stack
		f+0x1 [a]
	64 bytes in 4 allocations from stack
		g+0x1 [a]
END
status 'memleak: more stacks than a report has are an error' 2 fg-collapse -f bcc leaks
done_testing
