#!/bin/sh
# Ctrl-C in a terminal: a filter that reads a pipe completes its output, then ends by SIGINT.
# tier: quick
. "$(dirname "$0")/lib.sh"

command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1 ||
	skip_all 'there is no script(1) that gives a terminal' bsdutils

# The producer ends at the first SIGINT with a last line; with `stubborn`, once ./stop exists.
cat >producer <<'END'
#!/bin/sh
if [ "${1-}" = stubborn ]; then trap '' INT; else trap 'echo "main;late 2"; exit' INT; fi
echo 'main;early 1'
: >ready
while [ ! -e stop ]; do sleep 0.05; done
END
chmod +x producer

# reads: a filter in this directory has a handler for SIGINT
reads() {
	for p in /proc/[0-9]*; do
		case $(cat "$p/comm") in fg-*) ;; *) continue ;; esac
		[ "$(readlink "$p/cwd")" = "$PWD" ] || continue
		case $(sed -n 's/^SigCgt:.*\(.\)$/\1/p' "$p/status") in
		[2367abef]) return 0 ;;
		esac
	done
	return 1
}

cat >outer <<'END'
trap : INT
trap ': >done' EXIT
$1 ./job
END

# terminal SHELL N: run ./job in a terminal with SHELL, and type Ctrl-C, once or, with N above 1,
# until it ends: two that come before the first is handled are one signal.
terminal() {
	rm -f ready done stop inner
	{
		wait_for [ -e ready ]
		wait_for reads
		printf '\003'
		sleep 0.3
		[ "$2" = 1 ] || wait_for eval "[ -e done ] || { printf '\\003' >&3; sleep 0.3; false; }"
		wait_for [ -e done ]
	} 3>&1 | timeout 1200 script -qec "sh ./outer $1" /dev/null >typescript 2>&1
	: >stop
}

for filter in fg-merge 'fg-merge -m' 'fg-filter --time-order' fg-filter fg-collapse 'fg-diff -o picture -' 'fg-render -T top'; do
	case $filter in
	*diff*) printf 'main;early 1\n' >head; command="fg-diff --no-header - head" ;;
	*) command=$filter ;;
	esac
	printf 'main;early 1\nmain;late 2\n' | $command >want
	echo "trap : INT; ./producer | $command >got; echo \$? >inner" >job
	terminal sh 1
	same "$filter completes its output after SIGINT" want got
	output "$filter then ends by SIGINT" 130 cat inner
done

echo 'untouched' >out
echo 'trap : INT; ./producer | fg-merge -o out; echo $? >inner' >job
terminal sh 1
output '-o is complete after SIGINT' 'main;early 1
main;late 2' cat out

for shell in sh bash; do
	command -v $shell >/dev/null || continue
	rm -f runs
	echo 'for i in 1 2 3; do echo $i >>runs; ./producer | fg-merge >got; done' >job
	terminal $shell 1
	output "a loop of $shell stops" 1 cat runs
done

mkdir dir
echo 'untouched' >dir/out
echo 'trap : INT; { ./producer stubborn; } | { trap : INT; fg-merge -o dir/out; echo $? >inner; : >stop; }' >job
terminal sh 2
output 'a second SIGINT ends a filter at once' 130 cat inner
output 'a second SIGINT leaves the old file' untouched cat dir/out
output 'a second SIGINT leaves no temporary file' 'out' ls -A dir

# An ignored SIGINT stays ignored; without a pipe the default action applies.
cat >ignoring <<'END'
trap '' INT
{ echo 'main;early 1'; kill -INT $$; echo 'main;late 2'; } | { fg-merge; echo $?; }
END
output 'an ignored SIGINT stays ignored' 'main;early 1
main;late 2
0' sh ./ignoring
done_testing
