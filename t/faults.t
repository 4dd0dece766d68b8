#!/bin/sh
# Faults at the n-th call in each filter: no memory, short and interrupted reads and writes, disk
# errors, limits, signals. The exit status is correct; the file of -o is complete or unchanged, and
# no other file is left. Only some n are tested here; `make faults` tests each one.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
CC=${CC:-cc}
loading_ones
$CC -O1 -shared -fPIC -o faults.so "$here/programs/faults.c" -ldl 2>said || skip_all "the library cannot be made: $(head -n 1 said)"
LD_PRELOAD=./faults.so fg-merge -V >/dev/null 2>said && [ ! -s said ] || skip_all 'no library can be put before the programs'

perf_script 60 >perf.txt
printf 'a;b 3\na;c;d 5\nmain;x 1\n' >one.folded
printf 'a;b 4\na;c;d 5\nmain;y 2\n' >two.folded
gzip -c one.folded >one.gz

# A row for each command; OUT is the argument of its -o.
cat >commands <<'END'
fg-collapse -q -o OUT perf.txt
fg-collapse -q -o OUT one.gz
fg-merge -q -o OUT one.folded two.folded
fg-merge -q -m -o OUT one.folded two.folded
fg-diff -q -o OUT one.folded two.folded
fg-filter -q -o OUT --root-at a one.folded
fg-render -q -o OUT one.folded
fg-render -q -T tree -o OUT one.folded
END
[ -n "${FAULTS-}" ] || if rates; then FAULTS=all; else FAULTS=some; fi
[ $FAULTS = some ] || RATES=1
samples=12
[ "$FAULTS" = all ] && samples=1000000

# counted: the number of calls in the last run with FAULT_COUNT=calls
counted() { [ ! -s calls ] && echo 0 || od -An -td8 calls | tr -d ' '; }

# judge NAME STATUS: checks d/out, which was `old` before, against ./want, and the exit status.
judge() {
	others=$(ls -A d | grep -vx out)
	[ -z "$others" ] || echo "$1: left $others"
	if [ "$2" = 0 ]; then
		cmp -s want d/out || echo "$1: exit 0, and the file is not the expected one"
	elif [ "$(cat d/out)" != old ] && ! cmp -s want d/out; then
		echo "$1: exit $2, and the file is neither complete nor as it was"
	fi
	case $2 in
	0 | 2) ;;
	134) # without memory, glibc 2.36's regcomp frees some twice, and ends the program
		grep -q '^free(): double free' said || echo "$1: exit $2: $(head -n 1 said)"
		;;
	*) echo "$1: exit $2: $(head -n 1 said)" ;;
	esac
}

rm -rf d && mkdir d
while read -r command; do
	echo old >d/out
	run=$(echo "$command" | sed 's|OUT|d/out|')
	$run 2>said || { cp said "$tmp/.said" && not_ok "$command"; continue; }
	cp d/out want
	for kind in malloc read write eintr; do
		rm -f calls
		FAULT=$kind FAULT_COUNT=calls LD_PRELOAD=./faults.so $run 2>said
		n=$(counted)
		step=$((n / samples + 1))
		i=1
		while [ $i -le "$n" ]; do
			echo old >d/out
			FAULT="$kind $i" LD_PRELOAD=./faults.so timeout 600 $run 2>said
			judge "$kind $i" $?
			i=$((i + step))
		done >bad
		head -n 20 bad >"$tmp/.said"
		[ "$n" -gt 0 ] || { skip "$command: $kind" 'no such call'; continue; }
		if [ -s bad ]; then not_ok "$command: $kind, of $n calls"; else ok "$command: $kind, of $n calls"; fi
	done
done <commands

# Errors of the n-th system call. The calls of glibc's loader, which come before set_tid_address, are
# not tested: without memory the loader itself gets a segmentation fault, with any program.
if command -v strace >/dev/null && strace -qq -o trace true 2>/dev/null; then
	while read -r command; do
		run=$(echo "$command" | sed 's|OUT|d/out|')
		echo old >d/out
		$run 2>said
		cp d/out want
		for fault in write:ENOSPC write:EIO write:EINTR linkat:EIO rename:EIO openat:EMFILE mmap:ENOMEM; do
			call=${fault%:*} error=${fault#*:}
			echo old >d/out
			strace -f -qq -e trace=$call,set_tid_address -o trace $run 2>said
			n=$(grep -c "$call(" trace)
			loader=$(sed '/set_tid_address(/q' trace | grep -c "$call(")
			i=$n # the last calls come first
			tried=0
			while [ $i -gt "$loader" ] && { [ "$FAULTS" = all ] || [ $tried -lt 3 ]; }; do
				echo old >d/out
				strace -f -qq -e trace=$call -e inject=$call:error=$error:when=$i -o trace timeout 600 $run 2>said
				got=$?
				[ $got = 127 ] || judge "$fault $i" $got
				i=$((i - 1)) tried=$((tried + 1))
			done >bad
			[ "$tried" -gt 0 ] || continue
			head -n 20 bad >"$tmp/.said"
			if [ -s bad ]; then not_ok "$command: $fault"; else ok "$command: $fault"; fi
		done
	done <commands
else
	skip 'errors of the kernel' 'no strace, or it may not trace' strace
fi

# Killed at random moments: the output file is unchanged or complete, and the status is that of the
# signal, or 0 with a complete file.
# judge_killed SIGNAL STATUS
judge_killed() {
	case $1-$2 in
	KILL-137 | TERM-143 | INT-130 | *-0) ;;
	*) echo "exit $2: $(head -n 1 said)" ;;
	esac
	others=$(ls -A d | grep -vx out)
	[ -z "$others" ] || echo "left $others"
	rm -f d/.fg.*
}
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "app;function_%d %d\n", i, i + 1 }' >long.folded
rounds=5 kills='KILL TERM INT'
rates || kills=
[ "$FAULTS" = all ] && rounds=100
for signal in $kills; do
	for program in fg-collapse fg-merge fg-filter fg-render 'fg-diff one.folded'; do
		$program -q -o want long.folded 2>said
		i=0
		while [ $i -lt $rounds ]; do
			echo old >d/out
			perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' $program -q -o d/out long.folded 2>said &
			sleep 0.$(printf '%02d' $((i * 97 % 40)))
			kill -$signal $! 2>/dev/null
			wait $! 2>/dev/null
			got=$?
			judge_killed $signal $got
			{ [ $got != 0 ] && [ "$(head -c 4 d/out)" = "$(printf 'old\n')" ]; } || cmp -s want d/out ||
			    echo "exit $got: neither complete nor as it was"
			i=$((i + 1))
		done >bad 2>&1
		cp bad "$tmp/.said"
		if [ -s bad ]; then not_ok "$program is killed at random moments: $signal"; else ok "$program is killed at random moments: $signal"; fi
	done
done

# Limits of file size, stack, memory, and descriptors with a thousand inputs.
mkdir many
for i in $(seq 1000); do echo "a;f$i $i" >many/$i; done
fg-merge -q many/* >want
for program in fg-merge fg-filter fg-collapse; do
	(ulimit -n 8 && exec $program -q many/*) >got 2>said
	same "RLIMIT_NOFILE 8: $program reads 1,000 inputs" want got
done
(ulimit -n 4 && exec fg-merge -q many/*) >got 2>said
# Without Landlock one descriptor less is in use, so that it works.
cp want many.want
check 'RLIMIT_NOFILE 4: an error, or complete' \
    sh -c 'cmp -s many.want got || [ "$(head -n 1 said)" = "fg-merge: many/1: Too many open files" ]'
fg-merge -q long.folded >want
(ulimit -s 64 && exec fg-merge -q long.folded) >got 2>said
same 'RLIMIT_STACK 64 KB: fg-merge' want got
for command in 'fg-collapse -q long.folded' 'fg-diff -q one.folded two.folded' 'fg-filter -q long.folded' 'fg-render long.folded' 'fg-record -q --ptrace -o r true'; do
	(ulimit -s 64 && exec $command) >got 2>"$tmp/.said"
	check "RLIMIT_STACK 64 KB: $command" test $? -le 125
done
echo old >d/out
(ulimit -f 8 && exec fg-merge -q -o d/out long.folded) 2>said
got=$?
check "RLIMIT_FSIZE: an error, and the file is as it was" test $got != 0 -a "$(cat d/out)" = old -a "$(ls -A d)" = out
echo old >d/out
(ulimit -v 60000 && exec fg-render -q -o d/out long.folded) 2>said
got=$?
check "RLIMIT_AS: complete, or an error and the file is as it was" \
    sh -c '[ $1 = 0 ] || { [ $1 = 2 ] && [ "$(cat d/out)" = old ]; }' - $got

# An input that is truncated or extended during reading is never a crash: an error, or the bytes
# that were there.
! rates || for how in shrinks grows; do
	for i in 1 2 3; do
		cp long.folded changing
		fg-merge -q changing >got 2>said &
		if [ $how = shrinks ]; then : >changing; else head -c 100000 long.folded >>changing; fi
		wait $!
		got=$?
		[ $got = 0 ] || [ $got = 2 ] || echo "exit $got"
	done >bad
	cp bad "$tmp/.said"
	if [ -s bad ]; then not_ok "an input that $how while it is read"; else ok "an input that $how while it is read"; fi
done
# fg-record: it or the process that it forked to name functions gets no memory. Nothing that it
# started is left, and the file is a profile of this command or as it was.
if may_sample; then
	cat >work.c <<-'END'
		#include <time.h>
		static volatile unsigned n;
		int main(int argc, char **argv) { while (clock() < argc * argc * CLOCKS_PER_SEC / 100) for (int i = 0; i < 10000; i++) n += i; return argv == 0; }
	END
	work=w$$ # a name that no other process has
	$CC -O1 -o $work work.c
	# judge_record NAME: checks d/out, which was `old` before, and $got, the exit status.
	judge_record() {
		case $got in
		0 | 125) ;;
		127) grep -qE 'shared libraries|TLS data' said || echo "$1: exit 127: $(head -n 1 said)" ;;
		*) echo "$1: exit $got: $(head -n 1 said)" ;;
		esac
		others=$(ls -A d | grep -vx out)
		[ -z "$others" ] || echo "$1: left $others"
		if [ "$(cat d/out)" != old ]; then
			{ fg-merge d/out && grep -q '^# label:' d/out; } >got 2>&1 || echo "$1: exit $got, a damaged file"
		elif [ $got = 0 ]; then
			echo "$1: exit 0, and no file"
		fi
	}

	# fails NAME KIND MOST COMMAND...: at most MOST of the calls of that kind fail, one in each run.
	fails() {
		name=$1 kind=$2 most=$3
		shift 3
		rm -f calls
		FAULT_PROGRAM=fg-record FAULT=$kind FAULT_COUNT=calls LD_PRELOAD=./faults.so "$@" 2>said
		n=$(counted)
		step=$((n / most + 1))
		i=1
		while [ $i -le "$n" ]; do
			echo old >d/out
			FAULT_PROGRAM=fg-record FAULT="$kind $i" LD_PRELOAD=./faults.so timeout 600 "$@" 2>said
			got=$?
			judge_record "$kind $i"
			i=$((i + step))
		done >bad
		await_work >>bad
		[ "$n" -gt 0 ] || echo 'no such call' >>bad
		head -n 20 bad >"$tmp/.said"
		if [ -s bad ]; then not_ok "$name: $kind, of $n calls"; else ok "$name: $kind, of $n calls"; fi
	}
	await_work() {
		wait_for eval "! pgrep -x $work >left"
		sed 's/^/it runs still: /' left
	}
	fails 'fg-record COMMAND' malloc $((samples * 2)) fg-record -q -F 1000 -o d/out -- ./$work
	for kind in read write eintr; do
		fails 'fg-record COMMAND' $kind $samples fg-record -q -F 1000 -o d/out -- ./$work
	done

	# Without memory for its buffer, stdio reads single bytes, and the kernel's numbers have one read(2).
	for i in 0 $(seq 25 45); do
		FAULT_PROGRAM=fg-record FAULT="malloc $i" LD_PRELOAD=./faults.so fg-record -q -F 1000 -o rated -- ./$work 2>said &&
		    grep '^# period' rated
	done | sort -u >periods
	output 'the rate is the same, whichever allocation fails' 1 sh -c 'wc -l <periods'

	# Killed at random moments: the command ends, by the signal or as usual, and the file has a
	# complete header, perhaps without samples.
	for signal in $kills; do
		i=0
		while [ $i -lt $rounds ]; do
			echo old >d/out
			perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' fg-record -q -F 1000 -o d/out -- ./$work 1 2 3 2>said &
			sleep 0.$(printf '%03d' $((i * 197 % 600)))
			kill -$signal $! 2>/dev/null
			wait $! 2>/dev/null
			got=$?
			await_work
			judge_killed $signal $got
			if [ "$(cat d/out)" = old ]; then
				[ $got != 0 ] || echo "exit 0, and no file"
			elif ! grep -q '^# label:' d/out || { grep -q '^[^#]' d/out && ! fg-merge -q d/out >got 2>&1; }; then
				echo "exit $got: a damaged file"
			fi
			i=$((i + 1))
		done >bad 2>&1
		head -n 20 bad >"$tmp/.said"
		if [ -s bad ]; then not_ok "fg-record is killed at random moments: $signal"; else ok "fg-record is killed at random moments: $signal"; fi
	done

	# With the process that opens files, which root's fg-record -a has: all its calls are in the
	# thousands, so that `make faults` tests a thousand of each kind.
	perl -e '1 while 1' & # something to sample
	busy=$!
	few=$samples
	[ "$few" -le 1000 ] || few=1000
	set -- fg-record -q -a -F 99 -d 0.2 -o d/out
	if [ "$(id -u)" = 0 ]; then
		for kind in malloc read eintr; do fails 'fg-record -a' $kind $few "$@"; done
	else
		skip 'fg-record -a' 'needs root'
	fi
	if [ "$(id -u)" = 0 ] && command -v strace >/dev/null && strace -qq -o trace true 2>/dev/null; then
		for fault in openat:EMFILE perf_event_open:EMFILE ioctl:EIO mmap:ENOMEM socketpair:EMFILE clone:EAGAIN \
		    memfd_create:EMFILE recvmsg:EINTR sendmsg:EMFILE sendfile:ENOSPC linkat:EIO landlock_restrict_self:E2BIG \
		    write:EIO write:EAGAIN; do
			call=${fault%:*} error=${fault#*:}
			times='1 4 40'
			[ $call != write ] || times='1 2 3 4' # strace counts the calls of each thread
			[ "$FAULTS" = some ] || times='1 2 3 4 5 6 8 10 15 20 30 40 60 100 200 400'
			for i in $times; do
				echo old >d/out
				strace -f -qq -e trace=$call -e inject=$call:error=$error:when=$i -o trace timeout 600 "$@" 2>said
				got=$?
				grep -q INJECTED trace || break
				# The dynamic linker does not survive its own calls without memory.
				[ $call != mmap ] || [ $got != 139 ] || [ $i != 1 ] || continue
				judge_record "$i"
			done >bad
			head -n 20 bad >"$tmp/.said"
			if [ -s bad ]; then not_ok "fg-record -a: $fault"; else ok "fg-record -a: $fault"; fi
		done
	else
		skip 'fg-record -a: errors of the kernel' 'needs root and strace'
	fi
	kill $busy
else
	skip 'fg-record' 'this machine refuses perf_event_open'
fi

done_testing
