#!/bin/sh
# Erlang functions have the names and lines of the language's own backtrace, below C functions on
# normal and dirty schedulers; also while another process loads other code for them. fg-record -a
# reads the functions on a CPU without a stop, and none that was loaded after the sample.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"
. "$here/record-lib.sh"

erl -noinput -eval 'halt(case erlang:system_info(otp_release) of "25" -> 0; _ -> 1 end).' 2>/dev/null ||
	skip_all "no Erlang/OTP 25" erlang-base
erlc "$data/lockstep.erl" "$data/free.erl" >/dev/null 2>&1 || skip_all "no Erlang compiler" erlang-base
${CC:-cc} -O1 -g -shared -fPIC -I/usr/lib/erlang/usr/include -o callback.so \
    "$data/callback-erlang.c" 2>/dev/null || skip_all "no headers of Erlang (erlang-dev)" erlang-dev

lockstep Erlang 500 erl -noinput +S 1 -run lockstep main 1
for traced in returns time; do
	lockstep "Erlang, $traced of calls traced" 150 erl -noinput +S 1 -run lockstep main 1 $traced
done
THREAD=1_scheduler
export THREAD
free_running Erlang 1500 erl -noinput +S 1 -run free main

# wide FILE COMMAND...: records all CPUs while the command uses 2 s of CPU time. The rings have space
# for whole stack copies of all other programs too, and the recorder reads them in time.
rates || done_testing # what follows is about running programs; captures have them, too
wide() {
	to=$1
	shift
	"$@" >/dev/null 2>&1 &
	running=$!
	until_ran $running 100
	$prompt fg-record -v -a -F 997 -m 64 -o all 2>said &
	recorder=$!
	recording $recorder
	until_ran $running 200
	kill -TERM $recorder
	wait $recorder
	kill $running
	wait $running 2>/dev/null
	grep '^1_scheduler' all >"$to"
}
fg-record -q -a -d 0.1 -o all 2>/dev/null || {
	skip "fg-record -a" "no permission to record all CPUs"
	done_testing
	exit
}
erlc "$data/busy.erl" >/dev/null 2>&1
wide stacks erl -noinput +S 1 -run busy main 600000
check "-a: samples on a CPU have the functions up to the outermost" grep -q 'busy:main/1 .*busy:\(spin\|sort\)' stacks
rated "-a: a third of the samples on a CPU has the functions up to the outermost" \
    awk '/busy:main\/1 .*busy:(spin|sort)/ { n += $NF } { all += $NF } END { exit !(all > 50 && n > all / 3) }' stacks
check "-a: the summary states the share" grep -q 'of samples of erlang .* have script frames' said
# A busy machine reads few samples before the code is loaded that follows them: load less often then.
: >found
for pause in 5 20 40 80 160 320; do
	wide stacks erl -noinput +S 1 -run free main $pause
	cat stacks >>found
	[ $pause = 5 ] || [ "$(grep -c ';m[0-9]*:f' found)" -lt 30 ] || break
done
check "-a: no impossible stack while code is loaded" awk '{
		k = split($0, f, ";")
		last = -1
		for (i = 1; i <= k; i++) {
			if (f[i] !~ /^m[0-9]+:/)
				continue
			split(f[i], part, "[:/]")
			m = substr(part[1], 2) + 0
			n = substr(part[2], 2) + 0
			if (part[2] !~ /^f/ || m != n || (last < 0 ? n : n - last != 1 && n - last != 2 && last != 13))
				impossible++
			last = n
		}
		some += last >= 0
	}
	END { print some + 0, impossible + 0; exit impossible || some < 20 }' found
done_testing
