#!/bin/sh
# Thread dumps of the corpus: each thread of each dump is a sample.
# tier: full
. "$(dirname "$0")/corpus-lib.sh"

# stackcollapse-gdb.pl ends a name at its first space, so only totals are compared there.
formats <<'EOF'
gdb/gdb-1.txt | | total 20
gdb/gdb-args.txt | | total 4
eu-stack/eu-stack-1.txt | --no-annotate | eu-stack-1.txt.folded | arguments versions
eu-stack/eu-stack-mis.txt | --no-annotate | eu-stack-mis.txt.folded | dash arguments
eu-stack/eu-stack-stripped.txt | --no-annotate | eu-stack-stripped.txt.folded | arguments versions
jstack/jstack-1.txt | --state RUNNABLE --normalize-comm | jstack-1.txt.folded | underscore
jstack/jstack-1.txt | --state RUNNABLE --no-comm | jstack-1.txt.no-tname.folded | frameless
jstack/jstack-1.txt | --state runnable --normalize-comm --shorten-pkgs | jstack-1.txt.shorten.folded | underscore classless
jstack/jstack-1.txt | --state RUNNABLE | jstack-1.txt.tid.folded | underscore
jstack/jstack-le.txt | --include-runnable --no-include-tid | jstack-le.txt.folded | underscore
jstack/jstack-le.txt | --include-runnable --no-include-tname | jstack-le.txt.no-tname.folded | frameless
jstack/jstack-le.txt | --state RUNNABLE --normalize-comm --shorten-pkgs | jstack-le.txt.shorten.folded | underscore classless
jstack/jstack-le.txt | --include-runnable --include-tid | jstack-le.txt.tid.folded | underscore
go-dump/goroutine-debug2.txt | | goroutine-debug2.txt.folded |
go-dump/stack-all.txt | | stack-all.txt.folded |
faulthandler/faulthandler-3.11.2.txt | | faulthandler-3.11.2.txt.folded | lineless python
py-spy-dump/pyspy-a.txt | | pyspy-a.txt.folded |
EOF
done_testing
