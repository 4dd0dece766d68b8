#!/bin/sh
# Script frame readers on damaged memory: changed bytes, words and pointers at every place that
# they read. Names may be wrong then, but nothing crashes, hangs or takes long: 950 system calls take
# about 1 ms. make check builds the readers with sanitizers.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

damaged() {
	command -v "$1" >/dev/null || { skip "$1" "not installed" "$1"; return; }
	timeout 600 "$UNIT/script" -d 3000 "$@" >read 2>&1
	check "$*: 3,000 stacks of damaged memory" grep -q "^damaged stacks 3[0-9]*;" read
	check "$*: the interpreter is read" grep -Eq '^[a-z]+: [1-9][0-9]* of 3[0-9]{3}' read
	check "$*: at most 950 system calls read a stack" awk '/^damaged/ { exit !($12 <= 950) }' read
	sed 's/^/# /' read | head -5 | cut -c1-200
}

damaged python3 "$data/free.py"
damaged ruby "$data/free.rb"
if ruby --yjit -e 'exit RubyVM::YJIT.enabled?' 2>/dev/null; then
	damaged ruby --yjit "$data/free.rb"
else
	skip "ruby --yjit: 3,000 stacks of damaged memory" "no YJIT" ruby
fi
damaged php -n "$data/free.php"
damaged perl "$data/free.pl"
damaged lua5.4 "$data/free.lua"
damaged luajit "$data/free.lua"
damaged node "$data/busy.js" 60000
if erlc "$data/free.erl" >/dev/null 2>&1; then
	THREAD=1_scheduler
	export THREAD
	damaged erl -noinput +S 1 -run free main
else
	skip "erl: 3,000 stacks of damaged memory" "no Erlang" erlang-base
fi
if ghc -v0 -O1 -outputdir o -o chain "$data/chain.hs" 2>/dev/null; then
	damaged ./chain 1 100 100000
else
	skip "chain: 3,000 stacks of damaged memory" "no GHC" ghc
fi
done_testing
