#!/bin/sh
# Frames of the interpreters of other Debian suites, in roots made by t/roots, equal those that the
# program itself reports. STACKS= and STOPS= are the numbers of stacks that are compared.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

ROOTS=${ROOTS:-/var/tmp/fg-roots}
stacks=${STACKS:-250}
stops=${STOPS:-500}
[ "$(id -u)" = 0 ] || skip_all "chroot needs root"
some=
for root in "$ROOTS"/bullseye "$ROOTS"/trixie "$ROOTS"/sid; do
	[ -d "$root/t" ] || continue
	some=1
	cp "$data"/*.* "$root/t/"
	mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
done
[ -n "$some" ] || skip_all "no roots (t/roots makes them)"

# in_root ROOT PROGRAM: the root has this program.
in_root() { [ -x "$ROOTS/$1/usr/bin/$2" ]; }
# compiled ROOT SOURCE FLAGS...: the library callback.so of a source, with the root's headers.
compiled() {
	to=$ROOTS/$1/t/callback.so from=$data/$2
	shift 2
	${CC:-cc} -w -O1 -g -shared -fPIC "$@" -o "$to" "$from" 2>/dev/null
}

for at in bullseye:7.4 trixie:8.4 sid:8.4 sid:8.5 sid:8.6; do
	suite=${at%:*} v=${at#*:}
	in_root $suite php$v || continue
	include=$(ls -d "$ROOTS/$suite"/usr/include/php/*/ "$ROOTS/.dev/$suite"/usr/include/php/*/ 2>/dev/null |
	    while read -r d; do
		grep -q "PHP_VERSION \"$v\." "$d/main/php_version.h" && echo "$d" && break
	    done)
	compiled $suite callback-php.c -I"$include" -I"$include/main" -I"$include/TSRM" -I"$include/Zend" ||
	    { skip "PHP $v of $suite" "no headers"; continue; }
	for mode in plain fiber; do
		[ $v$mode != 7.4fiber ] || continue
		lockstep "PHP $v of $suite, $mode" "$stacks" chroot "$ROOTS/$suite" \
		    php$v -n -dextension=/t/callback.so /t/lockstep.php $mode 1
	done
	free_running "PHP $v of $suite" "$stops" chroot "$ROOTS/$suite" php$v -n /t/free.php
done

for suite in bullseye trixie sid; do
	in_root $suite perl || continue
	flags=$(perl -MExtUtils::Embed -e ccopts 2>/dev/null | sed 's/-I[^ ]*//g')
	# shellcheck disable=SC2086
	compiled $suite callback-perl.c $flags -I"$(ls -d "$ROOTS/$suite"/usr/lib/*/perl/5.*/CORE | head -1)" ||
	    { skip "Perl of $suite" "no headers"; continue; }
	for mode in plain thread; do
		lockstep "Perl of $suite, $mode" "$stacks" chroot "$ROOTS/$suite" \
		    perl /t/lockstep.pl $mode 1 /t/callback.so
	done
	free_running "Perl of $suite" "$stops" chroot "$ROOTS/$suite" perl /t/free.pl
done

for at in bullseye:2.7 trixie:3.3 sid:3.4; do
	suite=${at%:*} v=${at#*:}
	in_root $suite ruby$v || continue
	include=$(ls -d "$ROOTS/$suite/usr/include/ruby-$v.0" "$ROOTS/.dev/$suite/usr/include/ruby-$v.0" 2>/dev/null | head -1)
	compiled $suite callback-ruby.c -I"$include" -I"$(dirname "$include")/x86_64-linux-gnu/ruby-$v.0" ||
	    { skip "Ruby $v of $suite" "no headers"; continue; }
	[ $v != 3.4 ] || export RESCUED=1
	for mode in plain thread fiber; do
		lockstep "Ruby $v of $suite, $mode" "$stacks" chroot "$ROOTS/$suite" ruby$v /t/lockstep.rb $mode 1 /t
	done
	free_running "Ruby $v of $suite" "$stops" chroot "$ROOTS/$suite" ruby$v /t/free.rb
done

for at in bullseye:3.9 trixie:3.13 sid:3.14 sid:3.15; do
	suite=${at%:*} v=${at#*:}
	in_root $suite python$v || continue
	compiled $suite callback.c
	for mode in plain thread async; do
		lockstep "Python $v of $suite, $mode" "$stacks" chroot "$ROOTS/$suite" \
		    python$v /t/lockstep.py $mode 1 /t/callback.so
	done
	free_running "Python $v of $suite" "$stops" chroot "$ROOTS/$suite" python$v /t/free.py
done

for at in bullseye:11 trixie:21 trixie:25 sid:8 sid:26 sid:27 sid:28; do
	suite=${at%:*} v=${at#*:}
	java=/usr/lib/jvm/java-$v-openjdk-amd64/bin/java
	[ $v != 8 ] || java=/usr/lib/jvm/java-8-openjdk-amd64/jre/bin/java
	[ -x "$ROOTS/$suite$java" ] || continue
	javac --release 8 -d "$ROOTS/$suite/t" "$data/Lockstep.java" "$data/Free.java" 2>/dev/null ||
	    { skip "Java $v of $suite" "no javac" openjdk-17-jdk-headless; continue; }
	for mode in -XX:+TieredCompilation -Xint -XX:TieredStopAtLevel=1; do
		KEEP=Lockstep lockstep "Java $v of $suite, $mode" "$stacks" chroot "$ROOTS/$suite" $java \
		    -XX:+UnlockDiagnosticVMOptions -XX:+ShowHiddenFrames -XX:+UseSerialGC $mode -cp /t Lockstep 1
	done
	THREAD=java free_running "Java $v of $suite" "$stops" chroot "$ROOTS/$suite" $java -cp /t Free
	THREAD=java stepped "Java $v of $suite" 60 chroot "$ROOTS/$suite" $java -cp /t Free
done

suite=trixie v=27
include=$ROOTS/$suite/usr/lib/erlang/usr/include
if ! in_root $suite erl; then
	:
elif compiled $suite callback-erlang.c -I"$include" &&
    chroot "$ROOTS/$suite" env -C /t erlc lockstep.erl free.erl; then
	set -- chroot "$ROOTS/$suite" env -C /t erl -noinput +S 1
	lockstep "Erlang $v of $suite" "$stacks" "$@" -run lockstep main 1
	for traced in returns time; do
		lockstep "Erlang $v of $suite, $traced of calls traced" "$stacks" "$@" -run lockstep main 1 $traced
	done
	THREAD=erts_sched_1 free_running "Erlang $v of $suite" "$stops" "$@" -run free main
else
	skip "Erlang $v of $suite" "no headers or no compiler of Erlang" erlang-dev
fi

for at in bullseye:5.1 bullseye:5.2 bullseye:5.3 bullseye:5.4 trixie:5.1 trixie:5.2 trixie:5.3 trixie:5.4 sid:5.1 sid:5.2 sid:5.3 sid:5.4; do
	suite=${at%:*} v=${at#*:}
	in_root $suite lua$v || continue
	compiled $suite callback-lua.c -I"$ROOTS/$suite/usr/include/lua$v" \
	    -idirafter "$ROOTS/$suite/usr/include/$(uname -m)-linux-gnu" ||
	    { skip "Lua $v of $suite" "no headers"; continue; }
	for mode in plain coroutine; do
		LUA_CPATH="/t/?.so" lockstep "Lua $v of $suite, $mode" "$stacks" \
		    chroot "$ROOTS/$suite" lua$v /t/lockstep.lua $mode 1
	done
	free_running "Lua $v of $suite" "$stops" chroot "$ROOTS/$suite" lua$v /t/free.lua
	[ $v = 5.4 ] || stepped "Lua $v of $suite" 60 chroot "$ROOTS/$suite" lua$v /t/calls.lua
done

for suite in trixie sid; do
	in_root $suite luajit || continue
	compiled $suite callback-lua.c -I"$ROOTS/$suite/usr/include/luajit-2.1" ||
	    { skip "LuaJIT of $suite" "no headers"; continue; }
	LUA_CPATH="/t/?.so" lockstep "LuaJIT of $suite" "$stacks" chroot "$ROOTS/$suite" luajit /t/lockstep.lua plain 1
	free_running "LuaJIT of $suite" "$stops" chroot "$ROOTS/$suite" luajit /t/free.lua
done
done_testing
