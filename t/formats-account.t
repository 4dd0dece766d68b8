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
	grep -q '^fg-collapse: 2 malformed lines were left out; value of their stacks: 10$'"
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
done_testing
