#!/bin/sh
# fg-render(1): the page is clean, names every option, and its examples print what it says.
. "$(dirname "$0")/lib.sh"
page=$here/../man/fg-render.1

if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$page" >lint 2>&1
	check 'mandoc finds no fault' test ! -s lint
else
	skip 'mandoc finds no fault' 'mandoc is not installed'
fi

fg-render --help >help
sed -n 's/^ .*--\([a-z][a-z-]*\).*/\1/p' help | sort -u >options
check 'the help names options' test -s options
missing=$(while read -r o; do grep -q -- "Fl .*-$(echo "$o" | sed 's/-/[-]/g')" "$page" || echo "$o"; done <options)
check "every option is in the page: $missing" test -z "$missing"

cat >profile.folded <<'END'
server;handle_request;parse_query 15
server;handle_request;serialize_response 3
server;handle_request;serialize_response;serialize_row 21
END
printf 'a;b 3 4\na;c 2 1\n' >two.folded
awk '/^\.Sh/ { on = /EXAMPLES/ } /^\.Bd/ { lit = on; next } /^\.Ed/ { lit = 0 } lit' "$page" >examples
n=$(grep -c '^\$ ' examples)
check 'the page has examples' test "$n" -ge 5
i=0
while [ "$i" -lt "$n" ]; do
	i=$((i + 1))
	awk -v i="$i" '/^\$ / { n++; if (n == i) print substr($0, 3) }' examples >command
	awk -v i="$i" '/^\$ / { n++; next } n == i' examples >expected
	status "example $i runs" 0 sh command
	sh command >got 2>&1
	same "example $i prints what the page says" expected got
done
check 'the examples left pictures' grep -q '</svg>' profile.svg make.svg callers.svg diff.svg
done_testing
