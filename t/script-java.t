#!/bin/sh
# Java methods have the names and lines of the JVM's own stack traces: compiled, inlined and
# interpreted methods. Stacks of a running program, whose methods are compiled, deoptimized and
# unloaded, are possible ones. Callers of virtual threads that are not on the stack are unknown.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

versions=
for java in "$(command -v java)" /usr/lib/jvm/*/bin/java; do
	version=$("$java" -version 2>&1 | sed -n 's/.* version "\(1\.\)*\([0-9]*\)[.".-].*/\2/p')
	case $version in
	8 | 1[1-9] | 2[0-8]) ;;
	*) continue ;;
	esac
	case " $versions " in
	*" $version "*) continue ;;
	esac
	javac=$(dirname "$(readlink -f "$java")")/javac
	mkdir -p "$version"
	"$javac" -d "$version" "$data/Lockstep.java" "$data/Free.java" "$data/Osr.java" 2>/dev/null ||
		continue
	versions="$versions $version"
	ln -s "$java" "java$version"
done
[ -n "$versions" ] || skip_all "no Java 8 or 11 to 28 with its compiler" openjdk-17-jdk-headless

check "code of adapters, and of starts and ends of methods, shows their frames" "$UNIT/adapter"

for version in $versions; do
	KEEP=Lockstep
	export KEEP
	for mode in -XX:+TieredCompilation -Xint -XX:TieredStopAtLevel=1; do
		lockstep "Java $version $mode" 350 "./java$version" -XX:+UnlockDiagnosticVMOptions \
		    -XX:+ShowHiddenFrames -XX:+UseSerialGC $mode -cp "$version" Lockstep 1
	done
	THREAD=java$version
	export THREAD
	free_running "Java $version" 1500 "./java$version" -cp "$version" Free
	stepped "Java $version" 30 "./java$version" -cp "$version" Free
	free_running "Java $version, main compiled while it runs" 500 "./java$version" -cp "$version" Osr
	rated "Java $version: at most 25 stacks of a running program end before the thread's first function" \
	    awk '/^stops/ { bad = $9 > 25 } END { exit bad }' read
done

rates || done_testing
case $versions in
*25*)
	"$(dirname "$(readlink -f java25)")/javac" -d 25 "$data/Yield.java"
	./java25 -cp 25 Yield &
	: >stacks
	for i in $(seq 100); do
		sleep 0.2
		"$UNIT/script" -p $! 2>/dev/null | grep 'Yield\.spin' >>stacks
		[ "$(wc -l <stacks)" -lt 20 ] || break
	done
	kill $!
	check "Java 25: callers that a virtual thread has in the heap are unknown, not left out" awk '
		{ n++; wrong += gsub(/;Yield\.down /, "") != 41 && !/;\? / }
		END { print wrong, n; exit !(n >= 20 && wrong == 0) }' stacks
	;;
*) skip "Java 25: a virtual thread" "no Java 25" openjdk-17-jdk-headless ;;
esac
done_testing
