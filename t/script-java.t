#!/bin/sh
# Java methods have the names and lines of the JVM's own stack traces: compiled, inlined and
# interpreted methods. Stacks of a running program, whose methods are compiled, deoptimized and
# unloaded, are possible ones.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

java -version 2>&1 | grep -q 'version "17\.' || skip_all "no Java 17"
javac -d . "$data/Lockstep.java" "$data/Free.java" "$data/Osr.java" 2>/dev/null || skip_all "no Java compiler"

KEEP=Lockstep
export KEEP
for mode in -XX:+TieredCompilation -Xint -XX:TieredStopAtLevel=1; do
	lockstep "Java $mode" 350 java -XX:+UnlockDiagnosticVMOptions -XX:+ShowHiddenFrames \
	    -XX:+UseSerialGC $mode -cp . Lockstep 1
done
THREAD=java
export THREAD
free_running Java 1500 java -cp . Free
free_running "Java, main compiled while it runs" 500 java -cp . Osr
check "Java: at most 25 of these stacks end before the thread's first function" \
    awk '/^stops/ { bad = $9 > 25 } END { exit bad }' read
done_testing
