#!/bin/sh
# fg-record: complete stacks below large local arrays whose pages were never touched.
# tier: live
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
for size in 30000 200000; do
	$CC -O1 -g -fno-optimize-sibling-calls -DSIZE=$size -o array$size "$here/programs/bigarray.c" -pthread ||
		skip_all "no C compiler"
done
chmod 755 .
mkdir -m 777 out

# Of the samples in file $2 whose leaf is below the array, at least $1 percent have a caller.
complete() {
	awk '/with_array/ { all += $NF; if (/;caller_[ab];with_array/) whole += $NF }
		END { print whole + 0 " of " all + 0; exit !(all > 50 && 100 * whole >= '"$1"' * all) }' "$2"
}

fg-record -q --no-header -o main.folded ./array30000 2 2>err
check "an array of 30,000 bytes: callers in most samples" complete 80 main.folded
recorded=$(awk '/^RssAnon/ { print $2 }' err)
alone=$(./array30000 0.5 2>&1 | awk '{ print $2 }')
echo "$recorded KB recorded, $alone KB alone" >"$tmp/.said"
if [ "$recorded" -le $((alone + 16)) ]; then
	ok "which costs the program no memory"
else
	not_ok "which costs the program no memory"
fi
fg-record -q --no-header -o thread.folded ./array30000 2 thread 2>err
check "the same in a thread, whose stack is another mapping" complete 80 thread.folded
./array30000 30 2>/dev/null &
pid=$!
started $pid array30000
fg-record -q --no-header -o attached.folded -p $pid -d 2
check "and of a running process" complete 80 attached.folded
kill $pid
wait $pid 2>/dev/null
if setpriv --reuid 65534 --clear-groups true 2>/dev/null && [ "$(id -u)" = 0 ]; then
	setpriv --reuid 65534 --clear-groups fg-record -q --no-header -o out/user.folded ./array30000 2 2>err
	check "as an ordinary user" complete 80 out/user.folded
	setpriv --reuid 65534 --clear-groups fg-record -o out/deep.folded ./array200000 1 2>err
	has "where nothing copies deep stacks an array of 200,000 bytes is too large: that is said" \
		'% of stacks are deeper than the stack copy: try sudo fg-record --deep-stacks' err
else
	skip "an ordinary user" "not root, or no setpriv"
fi
if fg-record --deep-stacks -o o true 2>&1 | grep -q 'deep-stacks:'; then
	skip "an array of 200,000 bytes" "not root, or no BPF"
else
	fg-record -q --no-header -o deep.folded ./array200000 2 2>err
	check "an array of 200,000 bytes, with deep stacks" complete 80 deep.folded
fi

# perf's copies end there, and the summary of its file says why.
if perf record -q -e cpu-clock -F 997 --call-graph dwarf,65528 -o perf.data ./array30000 0.5 >/dev/null 2>&1; then
	fg-collapse perf.data 2>err >/dev/null
	has "perf.data: truncated at untouched pages" 'truncated at an untouched page' err
	lacks "not by too small copies" 'deeper than' err
else
	skip "perf.data: truncated at untouched pages" "no perf"
fi
done_testing
