#!/bin/sh
# fg-render on malicious or unusable input: the SVG is well formed, no name is interpreted as
# markup, and input that cannot be drawn is an error.
# tier: quick
. "$(dirname "$0")/lib.sh"

wellformed() {
	if command -v xmllint >/dev/null; then
		check "$1: well formed" xmllint --noout "$2"
	else
		skip "$1: well formed" 'xmllint is not installed' libxml2-utils
	fi
}

# The number of script elements that a parser finds in a file: those in CDATA sections do not
# count.
scripts() {
	perl -0777 -pe 's/<!\[CDATA\[.*?\]\]>//gs' "$1" | grep -c '<script'
}

cat >hostile <<'END'
</title><script>alert(1)</script>;]]></style><script>alert(2)</script> 5
]]>;]]]]>;x]]><script>alert(3)</script> 4
"onload="alert(4);' onload='alert(5);&lt;script&gt;;&amp 3
--><!--;<?xml?>;<!DOCTYPE x [<!ENTITY a "b">]>;%a; 2
javascript:alert(6);${x};`x`;\u003cscript>;</svg> 2
END
printf 'nul\001\002\010\013\033[31m;\177;\302\205;\t tab 3\n' >>hostile
printf '\377\376;\300\200;\355\240\200;\364\220\200\200;\357\277\276;\357\277\277;\342\202 2\n' >>hostile
printf '\342\200\256rtl;\342\200\213zero;e\314\201;\346\227\245\346\234\254;\360\237\231\202;\r 2\n' >>hostile
for o in '' --no-javascript --inverted --flamechart --reverse '--colors java' '--colors function' --cp \
    --colordiffusion '-T top' '-T tree' '-T flame' '-T markdown' '--order weight' '--chains fold'; do
	# shellcheck disable=SC2086 # an option and its argument
	status "drawn with '$o'" 0 fg-render $o -o out hostile
	case $o in
	-T*) continue ;;
	--no-javascript) n=0 ;;
	*) n=1 ;;
	esac
	wellformed "$o" out
	check "no script of theirs with '$o'" test "$(scripts out)" = $n
done
fg-render hostile >out
check 'bytes that are no UTF-8 are replaced' grep -q '�' out
check 'no control character is left' test "$(tr -d '\n\t\040-\176\200-\377' <out | wc -c)" = 0
if command -v xmllint >/dev/null; then
	xmllint --xpath 'count(//*[local-name()="script"])' out >count
	output 'one script element for a parser' 1 cat count
	xmllint --xpath '//@*[starts-with(name(), "on")]' out >handlers 2>/dev/null
	check 'no handler for a parser' test ! -s handlers
fi

# Hostile text in options.
evil='</title></desc>"'"'"'><script>alert(1)</script>]]>&'
fg-render --title "$evil" --subtitle "$evil" --notes "$evil" --countname "$evil" --nametype "$evil" \
	--fonttype "$evil" hostile >out
wellformed 'options' out
check 'one script element with any option' test "$(scripts out)" = 1
printf 'x\thref=x"onload="alert(1)\ttitle=%s\tclass=%s\tid=%s\n' "$evil" "$evil" "$evil" >attr
echo 'x 1' | fg-render --nameattr attr - >out
wellformed 'attributes' out
check 'one script element with any attribute' test "$(scripts out)" = 1
printf '# columns: ba"<se he]]>ad\na 1 2\n' | fg-render >out
wellformed 'column names' out

# Sizes.
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%sf%d", i ? ";" : "", i; print " 7" }' >deep
status '5,000 levels' 0 fg-render --chains keep -o out deep
wellformed '5,000 levels' out
check '5,000 levels: all are drawn' test "$(sed '/id="fg-panel"/,/^<\/g>/d' out | grep -c '>f[0-9]*<')" = 5000
status '5,000 levels in one row' 0 fg-render --chains fold -o out deep
check '5,000 levels in one row have their number' grep -q '>5,000 frames: f0 … f4999<' out
status '5,000 levels in the terminal' 0 fg-render -T flame --chains keep -o out deep
check '5,000 levels in the terminal: all are drawn' test "$(wc -l <out)" = 5002
status '5,000 levels as a chart' 0 fg-render --flamechart -o out deep
status '5,000 levels as a list' 0 fg-render -T top -o out deep
check '-T tree: all 5,000 levels are listed' test "$(wc -l <out)" = 5001
awk 'BEGIN { for (i = 0; i < 10000000; i++) printf "n"; print " 1"; print "a 1" }' >long
status 'a 10 MB line' 0 fg-render -o out long
wellformed 'a 10 MB line' out
awk 'BEGIN {
	for (i = 0; i < 1000000; i++) printf "<"
	print " 1"
	for (i = 0; i < 1000000; i++) printf "a::"
	print "b 1"
	for (i = 0; i < 1000000; i++) printf "_[k] (a:1)"
	print " 1" }' >brackets
status 'names of brackets, paths and annotations without end' 0 fg-render -o out brackets
awk 'BEGIN { for (i = 0; i < 50000; i++) print "root;f" i " 1" }' >wide
status '50,000 siblings' 0 fg-render -o out wide
printf 'a 300000000000000000000000\n' >large
fg-render -T top large >/dev/null
check 'a value beyond 64 bits has a report' test $? = 0
status 'a value beyond 64 bits cannot be drawn: exit status 2' 2 fg-render -o out.large large
check 'a value beyond 64 bits: no file is left' test ! -e out.large
status 'a value beyond 64 bits with --no-javascript' 0 fg-render --no-javascript large

# No input.
: >empty
status 'an empty file' 2 fg-render empty
printf '\n\n# only a comment\n' >blank
status 'an input without stacks is exit status 2' 2 fg-render blank
printf 'a 0\nb 0\n' >zero
status 'stacks of value 0 are exit status 2' 2 fg-render zero
head -c 200000 "$(command -v fg-render)" >binary
fg-render binary >out 2>err
got=$?
check 'a binary file does not crash it' test "$got" = 0 -o "$got" = 2
check 'a binary file: at most three messages' test "$(wc -l <err)" -le 3
status 'a directory as input: exit status 2' 2 fg-render .

# Output errors.
if [ -c /dev/full ]; then
	status 'a full disk' 2 sh -c 'fg-render deep >/dev/full'
	status 'a full disk with -o' 2 fg-render -o /dev/full deep
fi
status '-o in a missing directory: exit status 2' 2 fg-render -o nosuch/out.svg deep
echo precious >kept.svg
fg-render -o kept.svg --strict binary 2>/dev/null
output 'a failure leaves the old file' precious cat kept.svg
(fg-render wide; echo $? >rc) | head -c 10 >/dev/null
output 'a closed pipe ends it by SIGPIPE' 141 cat rc
done_testing
