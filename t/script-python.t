#!/bin/sh
# Frames of Python scripts equal those that the program itself reports, merged with native frames
# in the right order.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

# Installed versions from 3.6 on, also those of pyenv; the first is tested for longer.
pythons=
for p in /usr/bin/python3 "$(command -v python3)" "$HOME"/.pyenv/versions/3.*/bin/python3; do
	"$p" -c 'import sys; sys.exit(not (3, 6) <= sys.version_info < (3, 16))' 2>/dev/null &&
		pythons="$pythons $p"
done
[ -n "$pythons" ] || skip_all "no Python 3.6 to 3.15" python3
${CC:-cc} -O1 -g -shared -fPIC -o callback.so "$data/callback.c" || skip_all "no C compiler" gcc

stacks=350 stops=1500
for python in $pythons; do
	version=$("$python" -c 'import sys; print("Python %d.%d" % sys.version_info[:2])')
	modes="plain thread async"
	[ "$version" = "Python 3.6" ] && modes="plain thread" # without asyncio.run
	for mode in $modes; do
		lockstep "$version, $mode" $stacks "$python" "$data/lockstep.py" $mode 1 "$PWD/callback.so"
	done
	free_running "$version" $stops "$python" "$data/free.py"
	if "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 16))'; then
		free_running "$version, two interpreters" 500 "$python" "$data/subinterpreter.py"
	fi
	stacks=100 stops=500
done

# A table of another version is not used: 3.11 as 3.12, and 3.12 as 3.11.
for python in $pythons; do
	other=$("$python" -c 'import sys; print({11: 12, 12: 11}.get(sys.version_info[1], ""))')
	[ -n "$other" ] || continue
	"$UNIT/script" -f 40 "$python" "$data/otherversion.py" "$other" >read 2>&1
	check "$python as 3.$other: offsets that do not fit the process are found out" \
	    grep -q "^python: 0 of 40: the offsets of python 3.$other.* do not fit this process" read
done
python=${pythons# }
python=${python%% *}

# The offset table equals the installed headers.
minor=$("$python" -c 'import sys; print(sys.version_info[1])')
include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
if [ "$minor" -ge 11 ]; then
	offsets_are python -I"$include" -I"$include/internal"
else
	skip "the table of Python 3.$minor" "this version has its own"
fi
done_testing
