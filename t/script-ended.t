#!/bin/sh
# A sample of a program that ended before its interpreter's memory was read: the reason for native
# frames is that it had ended, not a version that was not read.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

ended='the process had ended before its memory was read$'
if perl -MConfig -e 'exit !($] >= 5.036 && $] < 5.037 && $Config{useithreads})' 2>/dev/null; then
	"$UNIT/script" -k perl -e '$| = 1; print "x\n"; sleep 60' >reasons
	sed 's/^/# /' reasons
	check "Perl: the reason for a process without frames is that it had ended" grep -q "^perl: 0 of 1: $ended" reasons
else
	skip "Perl: the reason for a process without frames is that it had ended" "no Perl 5.36 with ithreads" perl
fi
python=/usr/bin/python3
if "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
	"$UNIT/script" -k "$python" -c 'import time; print(flush=True); time.sleep(60)' >reasons
	sed 's/^/# /' reasons
	check "Python: it had ended, and no version is stated" grep -q "^python: 0 of 1: $ended" reasons
else
	skip "Python: it had ended" "no Python 3.11 to 3.13" python3
fi
done_testing
