#!/bin/sh
# fg-record: stacks deeper than the stack copy of a sample.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
$CC -O1 -g -o deep "$here/programs/deep.c" -pthread 2>/dev/null || skip_all "no C compiler" gcc

# Prints how many samples of the work functions in file $1 have a complete stack, a wrong caller or
# middle function, and a truncated stack.
judge() {
	awk '/;compute/ {
		match($0, /;work_[ab]_[xy]/)
		split(substr($0, RSTART, RLENGTH), is, "_")
		if (!/;caller_/ || !/;middle_/)
			cut += $NF
		else if ($0 ~ ";caller_" is[2] ";" && $0 ~ ";middle_" is[3] ";")
			right += $NF
		else
			wrong += $NF
	}
	END { print right + 0, wrong + 0, cut + 0 }' "$1"
}

# Records until file $1 has 50 samples of the work functions, at most for a while: a busy machine
# gives few samples. The recorder gets a CPU first: a late one truncates stacks.
enough() {
	file=$1
	shift
	: >"$file"
	i=0
	while [ $i -lt 8 ]; do
		$prompt fg-record -q --no-header -o one.folded "$@"
		cat one.folded >>"$file"
		judge "$file" >judged
		awk '{ exit $1 + $2 + $3 < 50 }' judged && break
		i=$((i + 1))
	done
}

# ok when there are complete stacks: in the tier soak, nearly all, and none joined from two.
complete() {
	awk '{ exit $1 == 0 || rates && ($3 > 0.05 * $1 || $2 > 0) }' rates="${RATES-}" "$1"
}

status "--deep-stacks is for perf events" 125 fg-record --deep-stacks --ptrace true
status "--deep-stacks cannot be used with --call-graph fp" 125 fg-record --deep-stacks --call-graph fp true

# Without --deep-stacks only the stack copy is recorded.
fg-record -q --no-header --stack-size 65528 -o cut.folded ./deep 0.5 2>err
judge cut.folded >judged
check "64 KiB copies: deeper stacks are truncated" awk '{ exit $3 == 0 || rates && $1 > $3 }' rates="${RATES-}" judged
fg-record --stack-size 65528 -o cut.folded ./deep 0.5 2>err
has "64 KiB copies: the summary recommends --deep-stacks" 'try .*--deep-stacks' err
if [ "$(setarch --uname-2.6 uname -r 2>/dev/null | cut -c1-4)" = 2.6. ]; then
	setarch --uname-2.6 fg-record --stack-size 65528 -o cut.folded ./deep 0.5 2>err
	lacks "a kernel before 5.15: the summary does not recommend --deep-stacks" 'deep-stacks' err
	refused=$(setarch --uname-2.6 setpriv --bounding-set=-all --inh-caps=-all fg-record --deep-stacks -o cut.folded ./deep 0.5 2>&1)
	case $refused in
	*'--deep-stacks: '*)
		output "a kernel before 5.15: --deep-stacks reports the version that it needs, once" \
			'fg-record: --deep-stacks: only with Linux 5.15 or newer; recording without' sh -c 'echo "$0" | grep deep-stacks' "$refused"
		;;
	*) skip "a kernel before 5.15: --deep-stacks" 'it is not refused here' ;;
	esac
else
	skip "a kernel before 5.15" 'setarch cannot pretend to have one'
fi

# A compiler: stacks of up to some hundred frames, in code that was optimized. One of its threads has
# stacks of 560 KB for 0.1 s: at a higher rate they fill the rings, and copies are made smaller.
if ! rates; then
	:
elif rustc --version >/dev/null 2>&1; then
	awk 'BEGIN { for (i = 0; i < 60; i++) printf "pub fn f%d(v: &mut Vec<String>) -> usize {\n" \
		"\tlet m: std::collections::HashMap<String, usize> = v.iter().enumerate().map(|(i, s)| (s.clone(), i + %d)).collect();\n" \
		"\tv.sort();\n\tm.values().sum::<usize>()\n}\n", i, i }' >lib.rs
	fg-record -v -F 199 -m 64 -o rustc.folded -- rustc -O --crate-type rlib lib.rs 2>err
	cat err >"$tmp/.said"
	check "rustc -O: 99 % of stacks are complete" awk '
		{ for (i = 2; i < NF; i++) if ($i == "%" && $(i + 1) ~ /^complete/) found = $(i - 1) >= 99 }
		END { exit !found }' err
else
	skip "rustc -O" "no rustc" rustc
fi

# A function on another stack than its caller's, as with coroutines.
cat >coroutine.c <<'END'
#include <sys/mman.h>
#include <time.h>
#define SIZE (1 << 20)
__attribute__((noinline)) void on_stack(void (*f)(void), char *top);
__asm__("on_stack:\n.cfi_startproc\npushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset 6, -16\n"
	"movq %rsp, %rbp\n.cfi_def_cfa_register 6\nmovq %rsi, %rsp\ncall *%rdi\nleave\n"
	".cfi_def_cfa 7, 8\nret\n.cfi_endproc\n.type on_stack, @function\n"
	".size on_stack, . - on_stack\n.section .note.GNU-stack,\"\",@progbits\n.text\n");
static void work(void)
{
	while (clock() < CLOCKS_PER_SEC / 2)
		;
}
int main(void)
{
	char *m = mmap((void *)(1l << 40), SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m == MAP_FAILED)
		return 1;
	on_stack(work, m + SIZE);
	return 0;
}
END
if [ "$(uname -m)" = x86_64 ]; then
	$CC -O1 -g -o coroutine coroutine.c
	fg-record -v -o coroutine.folded ./coroutine 2>err
	mostly "a function on another stack, up to the change" 90 'coroutine;on_stack;work' coroutine.folded
	has "a function on another stack: the summary has the reason" 'their callers are on another stack' err
	! rates || lacks "a function on another stack: the summary does not recommend larger copies" 'deeper than' err
fi

if fg-record --deep-stacks -o o true 2>&1 | grep -q 'deep-stacks:'; then
	skip "deep stacks" "not root, or no BPF"
	done_testing
	exit
fi
enough deep.folded $usual ./deep 3
cat judged >"$tmp/.said"
check "--deep-stacks COMMAND: stacks are complete" complete judged
rated "--deep-stacks COMMAND: no stack is joined from two" awk '{ exit $2 > 0 }' judged
if command -v python3 >/dev/null; then
	cat >waits.py <<'END_OF_PROGRAM'
import time
def short(): time.sleep(.0005)
end = time.time() + 1.5
while time.time() < end: short()
END_OF_PROGRAM
	for mode in --off-cpu --wall; do
		fg-record -q $mode -o waits.folded -- python3 waits.py 2>err
		check "$mode: a sleep too short to be read has its script frames" grep -q ';short (.*schedule_' waits.folded
	done
else
	skip '--off-cpu: script frames of short sleeps' 'no python3' python3
fi
enough deep.folded --deep-stacks --stack-size 4096 $usual ./deep 1
check "--deep-stacks with small copies: complete stacks" complete judged

./deep 600 &
pid=$!
started $pid deep
enough deep.folded --deep-stacks -p $pid -d 1
check "--deep-stacks -p: complete stacks" complete judged
enough deep.folded --deep-stacks -a -d 1
# All programs of the machine write to the same rings: how many stacks are truncated is up to them.
check "--deep-stacks -a: complete stacks" awk '{ exit $1 == 0 || rates && $2 > 0 }' rates="${RATES-}" judged
kill $pid
wait $pid 2>/dev/null

i=0
while [ $i -lt 10 ] && timeout -s KILL 300 fg-record -q -o o ./deep 0.05; do
	i=$((i + 1))
done
output "--deep-stacks: ten short recordings end" 10 echo $i
done_testing
