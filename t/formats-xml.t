#!/bin/sh
# XML profiles.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"
fg-collapse --version | grep -q '^XML profiles: expat' || skip_all 'built without expat' libexpat1-dev

cat >in.xml <<'EOF'
<?xml version="1.0"?>
<trace-query-result><node><schema name="time-profile"/><row><sample-time id="1">1000</sample-time>
<thread id="2" fmt="Main Thread  0x8 (my app, pid: 7)"><tid id="3" fmt="0x8">8</tid><process id="4" fmt="my app (7)"><pid id="5" fmt="7">7</pid></process></thread>
<process ref="4"/><weight id="6" fmt="1 ms">1000000</weight><backtrace id="7"><frame id="8" name="f(int) &amp; more" addr="0x10"><binary id="9" name="app" path="/bin/app"/>
<source line="25"><path id="10">/src/f.c</path></source></frame><frame id="11" name="main" addr="0x20"><binary ref="9"/></frame></backtrace></row>
<row><sample-time id="12">3000000000</sample-time><thread ref="2"/><weight ref="6"/><tagged-backtrace id="13" fmt="f"><backtrace ref="7"/></tagged-backtrace></row>
<row><sample-time id="14">3000000001</sample-time><thread ref="2"/><weight id="15">5</weight><backtrace id="16"><frame id="17" name="0x99" addr="0x99"/><frame ref="11"/><frame id="22"/></backtrace></row>
<row><sample-time id="18">4000000001</sample-time><thread id="19" fmt="worker  0x9 (my app, pid: 7)"><tid id="20">9</tid><process ref="4"/></thread><cycle-weight id="21">70</cycle-weight><backtrace ref="16"/></row>
</node></trace-query-result>
EOF
text 'xctrace: parts that were there before' '--tid --srcline' 'my_app-7/8;[unknown];main;[unknown] 5
my_app-7/8;main;f(int) & more (/src/f.c:25) 2000000' <in.xml
text 'xctrace: another weight, threads and modules' '-e cycles --threads --module --addrs' 'worker;[unknown];app`main;[unknown <99>] 70' <in.xml
text 'xctrace: from and to' '--from=1s --to=2999999001ns --no-comm --samples' 'main;f(int) & more 1' <in.xml

# Truncated anywhere: the samples before the end are kept.
: >sums
len=$(wc -c <in.xml)
for n in $(seq 0 29 "$len"); do
	head -c "$n" in.xml >cut.xml
	limited 60 fg-collapse -q -f xctrace -e samples cut.xml >got 2>said
	status=$?
	sum=$(awk '!/^# / { s += $NF } END { print s + 0 }' got)
	echo "$status $sum" >>sums
done
sort -u sums >got
printf '%s\n' '0 1' '0 2' '0 3' '0 4' '2 0' >want
same 'xctrace: cut off anywhere' want got

# Joined documents: the result is their sum; ids are local to a document.
sum() {
	limited 60 fg-collapse -q -f xctrace -e samples --no-header "$@" 2>said
}
sed '1d; s/id="2"/id="102"/; s/fmt="worker /fmt="other /' in.xml >other.xml
sum in.xml other.xml >want
cat in.xml other.xml | sum >got
same 'xctrace: two documents in one input' want got
cat other.xml in.xml | sum >got
same 'xctrace: and with a declaration' want got
{ cat in.xml && printf '\357\273\277' && cat other.xml; } | sum >got
same 'xctrace: and with a byte order mark' want got
{ iconv -t UTF-16 other.xml && iconv -t UTF-16 other.xml; } | sum >got
sum other.xml other.xml >want
same 'xctrace: two documents in UTF-16, one after the other, are both read' want got
sed 's/<frame ref="99".>//' in.xml >good.xml
{ cat good.xml && printf '<!-- %040000d --><trace-query-result/> rubbish <row>' 0 && cat good.xml; } >joined.xml
sum good.xml good.xml >want
sum joined.xml >got
same 'xctrace: rubbish between two documents' want got
at=$(grep -obaF 'rubbish' joined.xml | cut -d: -f1)
check 'xctrace: junk between documents is reported with its offset' grep -q "joined.xml: byte $at: junk after document element; left out" said
sum --strict joined.xml >got
check 'xctrace: and refused with --strict' test $? = 2
{ cat in.xml && echo '<html><row/></html>'; } >got.xml
sum in.xml >want
sum got.xml >got
same 'xctrace: another outermost element is rubbish' want got
{ head -c 1500 in.xml && cat in.xml; } >broken.xml
{ head -c 1500 in.xml; } | sum - in.xml >want
sum broken.xml >got
same 'xctrace: a document after a broken one' want got
for before in 16380 16381 16382 16383 16384 32765 32767; do
	{ printf '<trace-query-result>%0*d</html>' $((before - 27)) 0 && cat in.xml; } | sum
done | sort | uniq -c >got
sum in.xml | sed 's/^/      7 /' >want
same 'xctrace: where two pieces meet' want got
awk 'BEGIN { for (i = 0; i < 200000; i++)
	print "<trace-query-result><row><weight>1</weight></row></trace-query-result>" }' | sum >got
echo '[unknown] 200000' >want
same 'xctrace: many small documents' want got
awk 'BEGIN { printf "<trace-query-result/>"; for (i = 0; i < 200000; i++) printf "<?xml" }' | sum
check 'xctrace: many that are none' grep -q 'no stacks in the input' said

awk 'BEGIN { printf "<trace-query-result>"; for (i = 0; i < 200000; i++) printf "<row>" }' >deep.xml
limited 60 fg-collapse deep.xml >got 2>said
check 'xctrace: nested too deeply' grep -q 'nested too deeply: the rest; left out' said
cat >bomb.xml <<'EOF'
<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
<!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;"><!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;">
<!ENTITY x SYSTEM "/etc/passwd">]><trace-query-result><row><weight>1</weight><backtrace><frame name="f" addr="0x1"/></backtrace>
<thread fmt="&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;"/></row></trace-query-result>
EOF
limited 60 fg-collapse -f xctrace bomb.xml >got 2>said
check 'xctrace: entities that blow up end the input' grep -q 'left out' said
# 50,000 entities that refer to each other: expat before 2.7 overflows its stack.
perl -e 'print q(<?xml version="1.0"?><!DOCTYPE t [<!ENTITY e0 "x">),
	(map { sprintf q(<!ENTITY e%d "&e%d;">), $_, $_ - 1 } 1 .. 50000),
	q(]><trace-query-result><node><row><thread fmt="&e50000;"/></row></node></trace-query-result>)' >entities
status 'XML with entities is refused' 2 fg-collapse -f xctrace entities
check 'XML with entities: the message names the reason' sh -c \
	'fg-collapse -f xctrace entities 2>&1 | grep -q "entities: .*declares an entity"'
# table ROW...: an export of xctrace with these rows and one before them.
table() {
	printf '%s\n' '<trace-query-result><node><schema name="cpu-profile"/>' '<row><sample-time id="1">1</sample-time>' \
	    '<process id="2" fmt="app (7)"><pid id="3">7</pid></process><cycle-weight id="4">5</cycle-weight>' \
	    '<backtrace id="5"><frame id="6" name="f" addr="0x1"/><frame id="7" name="main" addr="0x2"/></backtrace></row>' \
	    "$@" '</node></trace-query-result>' >in
	fg-collapse -v in 2>said | sed '/^#/d' >got
}
again='<row><sample-time ref="1"/><process ref="2"/><cycle-weight ref="4"/><backtrace'
table "$again id=\"8\"><frame ref=\"6\"/><frame ref=\"99\"/></backtrace></row>" "$again ref=\"8\"/></row>" "$again ref=\"5\"/></row>"
echo 'app;main;f 10' >want
same 'xctrace: stacks that refer to a missing frame are malformed as a whole' want got
check 'xctrace: a reference to a missing element is reported' grep -q 'in: byte .*: a row without a column or an element that it refers to; left out' said
check 'xctrace: each row of a malformed stack counts' grep -q ': 2 folded, 0 left out, 2 malformed' said
done_testing
