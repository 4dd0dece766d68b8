#!/bin/sh
# Java methods have the names and lines of the JVM's own stack traces: compiled, inlined and
# interpreted methods.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

java -version 2>&1 | grep -q 'version "17\.' || skip_all "no Java 17"
javac -d . "$data/Lockstep.java" 2>/dev/null || skip_all "no Java compiler"

KEEP=Lockstep
export KEEP
for mode in -XX:+TieredCompilation -Xint -XX:TieredStopAtLevel=1; do
	lockstep "Java $mode" 350 java -XX:+UnlockDiagnosticVMOptions -XX:+ShowHiddenFrames \
	    -XX:+UseSerialGC $mode -cp . Lockstep 1
done
done_testing
