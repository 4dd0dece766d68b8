#!/bin/sh
# C++ functions, also inlined ones, lambdas and templates, have the same names in fg-record's
# profile and in that of gperftools, of one run of a program.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/names-lib.sh"
cxx=${CXX:-g++}
"$cxx" -std=c++17 -O2 -g -o shop "$here/data/pairs/shop.cc" 2>said || skip_all "no C++ compiler" g++
CPUPROFILE=$tmp/try.prof LD_PRELOAD=libprofiler.so.0 ./shop 1 >/dev/null 2>&1
[ -s try.prof ] || skip_all "no libprofiler of gperftools" google-perftools
fg-record -q -F 499 -o record.folded env CPUPROFILE="$tmp/cpu.prof" CPUPROFILE_FREQUENCY=250 LD_PRELOAD=libprofiler.so.0 ./shop 20 >said 2>&1
[ -s record.folded ] && [ -s cpu.prof ] || skip_all "this machine refuses to record: $(head -n 1 said)"

# Of the program's own stacks: gperftools sees no kernel, and its own code is fg-record's only.
fg-collapse -q --no-header --no-annotate cpu.prof >one
fg-collapse -q --no-header record.folded | perl -ne '
	s/^(.*) (\S+)$/join(";", grep { !m{_\[k\]$} } split m{;}, $1) . " $2"/e;
	next if !/;main[_;]/ || /libprofiler|ProfileHandler|CpuProfiler/;
	s/^[^;]*;//; s/_\[[a-z]\](?=[; ])//g; print' >two
both 'a profile of gperftools' "fg-record's"
done_testing
