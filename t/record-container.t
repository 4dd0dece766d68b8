#!/bin/sh
# fg-record: a process with another root directory, on a file system that only its mount namespace
# has. The symbolizing process is sandboxed: it must not open files through /proc/PID/root.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
command -v readelf >/dev/null || skip_all "no readelf" binutils
$CC -O1 -g -static -Wl,--build-id -o whole "$here/programs/inside.c" 2>/dev/null ||
	skip_all "no static C library" libc6-dev
mkdir root
unshare -m mount -t tmpfs none root 2>/dev/null || skip_all "may not make a mount namespace"

id=$(readelf -n whole | sed -n 's/.*Build ID: //p')
debug=usr/lib/debug/.build-id/$(echo "$id" | cut -c1-2)
name=$(echo "$id" | cut -c3-).debug
objcopy --only-keep-debug whole whole.debug
objcopy --strip-all whole stripped

# contained pivot|chroot [ARGUMENT]: copies the root directory into the mount namespace, then runs
# the program in that root directory.
contained() {
	unshare -m sh -c 'mount -t tmpfs none root && mkdir -p "root/$2" root/tmp root/bin root/old &&
		cp whole.debug "root/$2/$3" && cp stripped root/bin/inside &&
		echo "10000000 1000 named_inside" >root/tmp/perf-$$.map || exit
		how=$1
		shift 3
		[ "$how" != pivot ] || { cd root && pivot_root . old && exec /bin/inside "$@"; }
		exec chroot root /bin/inside "$@"' sh "$1" "$debug" "$name" ${2+"$2"} &
	pid=$!
	started $pid inside
}

for how in pivot chroot; do
	contained $how
	until_samples 60 debug.folded -d 0.3 -p $pid
	mostly "a debug file below another root directory: $how" 90 'main;spin_inside' debug.folded

	# The process and its mount namespace end before its functions are symbolized.
	fg-record -q -p $pid -o ended.folded &
	recording $!
	until_ran $pid 20
	kill $pid
	wait 2>/dev/null
	mostly "a debug file of a process that ended: $how" 90 'main;spin_inside' ended.folded
done

case $(uname -m) in
x86_64 | aarch64)
	contained pivot jit
	until_samples 60 map.folded -d 0.3 -p $pid
	mostly "a perf map in the /tmp of another root directory" 90 'named_inside' map.folded
	kill $pid
	wait 2>/dev/null
	;;
*) skip "a perf map in the /tmp of another root directory" "no generated code for $(uname -m)" ;;
esac

done_testing
