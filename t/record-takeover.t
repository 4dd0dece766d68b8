#!/bin/sh
# While all threads are sampled at stops for their interpreter, the inherited events are off; a new
# process, or one that had waited, is sampled all the same.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

needs_python_scripts

# Samples whose stacks match, as seconds of CPU time at 997 Hz.
seconds() { # PATTERN FILE
	awk -v p="$1" '!/^# / && $0 ~ p { n += $NF } END { print n / 997 }' "$2"
}
near() { # TITLE WANTED GOT: equal but for 5 % and 0.05 s
	check "$1" awk -v w="$2" -v g="$3" \
	    'BEGIN { d = w - g; exit !(w > 0.05 && (d < 0 ? -d : d) < 0.05 * w + 0.05) }'
	echo "# wanted $2 got $3"
}

awk=$(readlink -f "$(command -v awk)")
fg-record -q -F 997 -o forks.folded "$python" "$data/forks.py" "$awk" 40000000 >used
read -r own child program <used
# The samples of a forked child have native frames only before fg-record seizes it.
near "a program and the child of its fork have the samples of their CPU time" \
	"$(awk -v o="$own" -v c="$child" 'BEGIN { print o + c }')" \
	"$(seconds "^${python##*/}[^;]*;" forks.folded)"
check "most samples of the child have its functions" awk -v c="$child" \
    -v g="$(seconds 'in_child' forks.folded)" 'BEGIN { exit !(g > 0.5 * c) }'
near "the child of an exec has the samples of its CPU time" "$program" \
	"$(seconds "^${awk##*/};" forks.folded)"

# A shell that runs after it has waited for an interpreter.
cat >waits.sh <<'END'
"$1" "$2" 0.6
i=0
while [ $i -lt 800000 ]; do i=$((i + 1)); done
times >shell
END
fg-record -q -F 997 -o waits.folded sh waits.sh "$python" "$data/busy.py"
near "a shell has the samples of its CPU time, before and after an interpreter" \
	"$(sed -n '1s/[ms]/ /gp' shell | awk '{ print $2 + $4 }')" "$(seconds '^sh;' waits.folded)"

# A server that starts a thread for each request: pthread_create blocks all signals in the new
# thread at first. Before fg-record traces the process, samples have native frames only; samples
# of the first part of a thread's first millisecond do not exist.
cat >requests.py <<'END'
import sys, threading, time
def request():
    end = time.thread_time() + 0.01
    while time.thread_time() < end:
        sum(range(50))
for _ in range(200):
    thread = threading.Thread(target=request)
    thread.start()
    thread.join()
print(time.process_time())
END
fg-record -q -F 997 -o requests.folded "$python" requests.py >used
check "threads of 10 ms have their functions" awk -v all="$(seconds . requests.folded)" \
    -v g="$(seconds 'request .*requests.py' requests.folded)" 'BEGIN { print g, all; exit !(g > 0.75 * all) }'
check "no sample of a thread that has ended counts twice" awk -v all="$(seconds . requests.folded)" \
    '{ print $1, all; exit !(all < 1.02 * $1 + 0.05) }' used
# The thread's own choice, for good: it is sampled without its functions.
cat >blocks.py <<'END'
import signal, threading, time
def burn(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(50))
burn(0.3)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
thread = threading.Thread(target=burn, args=[0.5])
thread.start()
signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals())
thread.join()
print(time.process_time())
END
fg-record -q -F 997 -o blocks.folded "$python" blocks.py >used
near "a new thread that blocks all signals has the samples of its CPU time" "$(cat used)" \
	"$(seconds . blocks.folded)"

if command -v strace >/dev/null; then
	"$python" "$data/busy.py" 600 &
	pid=$!
	until_ran $pid 30
	timeout 600 strace -r -e trace=ioctl -o calls fg-record -q -F 997 -d 0.8 -o busy.folded -p $pid
	kill $pid
	wait $pid 2>/dev/null
	check "the inherited events are switched off while it runs" awk '
	    /IOC_DISABLE/ { off++ }
	    off > 0 && $1 > 0.2 { exit found = 1 }
	    END { exit !found }' calls
	sed 's/^/# /' calls | grep 'ABLE'
else
	skip "the inherited events are switched off while it runs" "no strace" strace
fi
done_testing
