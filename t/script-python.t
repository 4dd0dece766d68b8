#!/bin/sh
# Frames of Python scripts equal those that the program itself reports, merged with native frames
# in the right order.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

python=
for p in /usr/bin/python3 python3; do
	[ -z "$python" ] && "$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null &&
		python=$p
done
[ -n "$python" ] || skip_all "no Python 3.11 or later"
${CC:-cc} -O1 -g -shared -fPIC -o callback.so "$data/callback.c" || skip_all "no C compiler"

for mode in plain thread async; do
	lockstep "Python, $mode" 350 "$python" "$data/lockstep.py" $mode 1 "$PWD/callback.so"
done
free_running Python 1500 "$python" "$data/free.py"

# The offset table equals the installed headers.
minor=$("$python" -c 'import sys; print(sys.version_info[1])')
include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
case $minor in
11 | 12)
	if ${CC:-cc} -I"$include" -I"$include/internal" -o offsets "$data/offsets-python.c" 2>/dev/null; then
		./offsets | tr -d ' \t\n' >derived
		tr -d ' \t\n' <"$here/../common/code/python.c" >table
		check "the table of Python 3.$minor is that of its headers" grep -qF -f derived table
	else
		skip "the table of Python 3.$minor" "no headers"
	fi ;;
*) skip "the table of Python 3.$minor" "this version has its own" ;;
esac
done_testing
