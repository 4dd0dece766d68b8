#!/bin/sh
# fg-record(1): the page is clean, names every option, and its examples run.
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
page=$here/../man/fg-record.1

if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$page" >lint 2>&1
	check "mandoc finds no fault" test ! -s lint
else
	skip "mandoc finds no fault" "mandoc is not installed"
fi
fg-record --help | sed -n 's/^ .*--\([a-z][a-z-]*\).*/\1/p' >options
check "the help names options" test -s options
missing=$(while read -r o; do grep -q -- "Fl .*-$o" "$page" || echo "$o"; done <options)
check "every option is in the page: $missing" test -z "$missing"
sed -n 's/^\.It Fl.*[ ,]-\([a-z][a-z-]*\).*/\1/p' "$page" >named
same "in the order of the help" options named

may_sample && [ "$(id -u)" = 0 ] || skip_all "not root, or this machine refuses perf_event_open"
build shapes -g || skip_all "no C compiler"
printf '#!/bin/sh\nexec ./shapes sleepy 30\n' >work
chmod +x work
cp shapes server
./server threads 60000 &
server=$!
awk '/^\.Sh/ { on = /EXAMPLES/ } /^\.Bd/ { lit = on; next } /^\.Ed/ { lit = 0 } lit' "$page" |
	sed -n 's/^\$ //p' >examples
check "the page has examples" test "$(wc -l <examples)" -ge 4
while read -r line; do
	status "$line" 0 sh -c "$line"
done <examples
kill $server
check "the examples left pictures" grep -q '</svg>' work.svg waits.svg server.svg chart.svg
done_testing
