#!/bin/sh
# Erlang functions have the names and lines of the language's own backtrace, below C functions on
# normal and dirty schedulers; also while another process loads other code for them.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

erl -noinput -eval 'halt(case erlang:system_info(otp_release) of "25" -> 0; _ -> 1 end).' 2>/dev/null ||
	skip_all "no Erlang/OTP 25"
erlc "$data/lockstep.erl" "$data/free.erl" >/dev/null 2>&1 || skip_all "no Erlang compiler"
${CC:-cc} -O1 -g -shared -fPIC -I/usr/lib/erlang/usr/include -o callback.so \
    "$data/callback-erlang.c" 2>/dev/null || skip_all "no headers of Erlang (erlang-dev)"

lockstep Erlang 500 erl -noinput +S 1 -run lockstep main 1
THREAD=1_scheduler
export THREAD
free_running Erlang 1500 erl -noinput +S 1 -run free main
done_testing
