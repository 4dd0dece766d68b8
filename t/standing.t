#!/bin/sh
# When fg-record parses with its own rights, and when without: a table of users, capabilities and
# namespaces.
# tier: quick
. "$(dirname "$0")/lib.sh"
[ -x "$UNIT/standing" ] || skip_all 'the unit programs are not built'
"$UNIT/standing" >said
check 'the program ran to its end' test $? = 0
relay said
done_testing
