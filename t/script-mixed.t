#!/bin/sh
# Several interpreters in one process, each loaded when it is first called, and in one process tree:
# the frames of each language are in the order in which the functions called each other.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

python=/usr/bin/python3
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null ||
	skip_all "no Python 3.11 to 3.13" python3
library() {
	ldconfig -p | awk -v name="$1" '$1 == name { print $NF; exit }'
}
lua=$(library liblua5.4.so.0)
perl=$(library libperl.so.5.36)
copy=$(library "lib$("$python" -c 'import sysconfig; print("python" + sysconfig.get_python_version())').so.1.0")
# shellcheck disable=SC2046 # options
[ -n "$perl" ] && ${CC:-cc} -w -O1 -g -shared -fPIC $(perl -MExtUtils::Embed -e ccopts 2>/dev/null) \
    -o mixed.so "$data/mixed-perl.c" "$perl" 2>/dev/null

mixed() { # TITLE LUA PERL PYTHON; an empty one is missing here
	title=$1
	shift
	for file; do
		[ -n "$file" ] || { skip "$title" "not installed" 'lua5.4 libperl-dev python3-dev'; return; }
	done
	KEEP=/ lockstep "$title" 350 "$python" "$data/lockstep-mixed.py" 1 "$@"
}
mine=$([ -e mixed.so ] && echo "$PWD/mixed.so")
mixed "Lua within Python" "$lua" - -
mixed "Perl within Python" - "$mine" -
mixed "a second Python within Python" - - "$copy"
mixed "Lua, Perl and a second Python within Python" "$lua" "$mine" "$copy"
if [ -n "$lua" ]; then
	free_running "Lua within Python" 1500 "$python" "$data/free-mixed.py" "$lua"
else
	skip "Lua within Python: no impossible stack" "not installed" lua5.4
fi

rates || done_testing # what follows is about running programs
. "$here/record-lib.sh"
fg-record -q -o o true 2>said || skip_all "this machine refuses perf events"
grep -q ptrace said && skip_all "this machine refuses perf events"

# A shell that starts programs in several languages.
cat >all.sh <<'END'
python3=$1 data=$2
"$python3" "$data/busy.py" 0.5
command -v node && node "$data/busy.js" 500
command -v ruby && ruby -e 'class K; def in_ruby; i = 0; i += 1 while i < 10_000_000; end; end; K.new.in_ruby'
command -v perl && perl -e 'sub in_perl { my $i = 0; $i++ while $i < 5_000_000; $i } in_perl()'
command -v lua5.4 && echo 'local function f() local s = 0; for i = 1, 50000000 do s = s + i end; return s end local x = f()' >in.lua && lua5.4 in.lua
command -v java && [ -e Busy.class ] && java -cp . Busy 1
exit 0
END
javac -d . "$data/Busy.java" 2>/dev/null
fg-record -q -F 499 -o all.folded sh all.sh "$python" "$data" >/dev/null 2>&1
in_tree() { # PROGRAM PATTERN
	if [ "$1" = java ] && ! java -version 2>&1 | grep -q 'version "17\.'; then
		skip "a child of a shell: $1" "no Java 17" openjdk-17-jdk-headless
	elif command -v "$1" >/dev/null; then
		has "a child of a shell: $1" "$2" all.folded
	else
		skip "a child of a shell: $1" "not installed" "$1"
	fi
}
in_tree python3 'main \([^;]*busy.py:[0-9]+\)_\[p\]'
in_tree node 'main \([^;]*busy.js:[0-9]+\)_\[j\]'
in_tree ruby 'K#in_ruby \(-e:1\)_\[p\]'
in_tree perl 'main::in_perl \(-e:1\)_\[p\]'
in_tree lua5.4 'in.lua:1 \([^;]*in.lua:1\)_\[p\]'
in_tree java 'Busy.main_\[j\]'

# Another interpreter in the same process, by exec; and children by fork without one.
if command -v perl >/dev/null; then
	fg-record -q -F 499 -o exec.folded perl -e \
	    'sub before { my $i = 0; $i++ while $i < 8_000_000 } before(); exec @ARGV' "$python" "$data/busy.py" 0.5
	has "exec of another interpreter: the one before" 'main::before \(-e:1\)_\[p\]' exec.folded
	has "exec of another interpreter: the new one" 'main \([^;]*busy.py:[0-9]+\)_\[p\]' exec.folded
	fg-record -q -F 499 -o fork.folded perl -e \
	    'sub work { my $i = 0; $i++ while $i < 8_000_000 } sub in_child { work() } if (fork) { wait } else { in_child() }'
	has "fork of Perl without exec" 'main::in_child \(-e:1\)_\[p\];main::work \(-e:1\)_\[p\]' fork.folded
else
	skip "exec of another interpreter" "no Perl" perl
fi
if command -v ruby >/dev/null; then
	fg-record -q -F 499 -o fork.folded ruby -e \
	    'def work; i = 0; i += 1 while i < 15_000_000; end; def in_child; work; end; Process.wait(fork { in_child })'
	has "fork of Ruby without exec" 'in_child \(-e:1\)_\[p\];(.*;)?[^;]*work \(-e:1\)_\[p\]' fork.folded
else
	skip "fork of Ruby without exec" "no Ruby" ruby
fi
done_testing
