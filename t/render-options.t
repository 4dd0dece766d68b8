#!/bin/sh
# fg-render: the effect of each option, and errors for invalid ones.
# tier: quick
. "$(dirname "$0")/lib.sh"
printf '# unit: ns 0\na 3\n' >nanoseconds.small
printf '# unit: bytes 0\na 4\n' >bytes.small
cat >in <<'END'
main;alpha 60
main;beta_[k] 30
main;beta_[k];gamma 10
END
printf 'a;b 3 5\na;c 9 1\n' >two
(printf '# columns: base head\n# compared: exact\n' && cat two) >exact
printf '# columns: instruction cache memory system\na;b 1 2 3 4\n' >four

# The SVG without the viewer, whose text could match any pattern; checks its end.
picture() {
	fg-render "$@" 2>"$tmp/.said" | sed -e '/^<script>/,/<\/script>$/d' >out.svg
	tail -n 1 out.svg | grep -q '^</svg>$' || echo 'not whole' >out.svg
}

# draws NAME PATTERN OPTIONS...: the SVG has a line that matches.
draws() {
	name=$1 pattern=$2
	shift 2
	picture "$@"
	check "$name" grep -q -e "$pattern" out.svg
}

lacks() {
	name=$1 pattern=$2
	shift 2
	picture "$@"
	check "$name" test "$(grep -c -e "$pattern" -e '^not whole' out.svg)" = 0
}

draws '--title' '<title id="fg-title">A &amp; B</title>' --title 'A & B' in
draws 'the title of an icicle' '>Icicle Graph<' --inverted in
draws '-i is --inverted' '>Icicle Graph<' -i in
draws 'the title of a chart' '>Flame Chart<' --flamechart in
draws 'an empty title is the default' '>Flame Graph<' --title '' in
draws '--subtitle' '>below &lt;it&gt;<' --subtitle 'below <it>' in
draws '--notes' '>noted<' --notes noted in
draws '--countname' '>100 calls<' --countname calls in
draws '--countname ns' '>100 ns<' --countname ns in
draws '--unit is --countname' '>100 calls<' --unit calls in
printf '# unit: ns 0\n%s\n' 'main;a 17339400000' >nanoseconds
draws 'the unit of the input' '>17.3 s<' nanoseconds
draws '--countname overrides the header'\''s unit' '>17,339,400,000 ticks<' --countname ticks nanoseconds
draws 'the viewer has the unit of the input' '"units":\["ns"\]' nanoseconds
printf '# unit: samples 0\n# period: 1000000 ns 0\n%s\n' 'main;a 17339' >counted
draws 'samples whose period is known' '>17.3 s, 17,339 samples<' counted
draws 'the viewer has the time of samples whose period is known' '"figure":"17.3 s, 17,339 samples"' counted
printf '# unit: ns 0\n# period: 1000000 ns 0\n%s\n' 'main;a 17339000000' >weighed
draws 'time whose samples are known' '>17.3 s, 17,339 samples<' weighed
printf '# columns: base head 0 0\n# unit: ns 0 0\n%s\n' 'a 1200000000 1500000000' >times
draws 'units of two columns' '>base 1.2 s → head 1.5 s (+25.00 %)<' times
printf '# columns: calls size 0 0\n# unit: calls bytes 0 0\n%s\n' 'a 3 2048' >units
draws 'units of the column that is picked' '>2 KiB<' --column size units
printf '# unit: a\033[31mb 0\n%s\n' 'a 3' >escape
fg-render -T top escape >out
check 'a unit cannot reach the terminal' test "$(grep -c "$(printf '\033')" out)" = 0
draws '--unit: files of different units are drawn' '>7 x<' --unit x nanoseconds.small bytes.small
draws 'values above 2^53 are exact' '>18,014,398,509,481,985 samples<' - <<'END'
a 9007199254740992
b 9007199254740993
END
draws '--factor' '>1,000 samples<' --factor 10 in
draws '--factor and a unit of bytes' '>97.7 KiB<' --factor 1000 --countname bytes in
draws '--factor and a unit of time' '>1.67 min<\|>100 s<' --factor 1000 --countname ms in
draws '--total' '"total":"200"' --total 200 in
draws '--total leaves space for the difference' 'M0-2h2358' --total 200 in
draws '--total below the sum is left out' '"total":"100"' --total 50 in
fg-render --total 50 in >/dev/null 2>said
check 'a small --total is reported' grep -q 'total is less than the sum' said
draws '--nametype' '"nametype":"Sub:"' --nametype Sub: in
draws '--width' 'viewBox="0 0 900 [0-9.]*" width="900"' --width 900 in
draws '--image-width' 'width="900"' --image-width 900 in
draws 'fluid width' 'width="100%"' in
draws '--height' 'scale(0.25 16)' --height 16 in
draws 'a larger font has larger rows' 'scale(0.25 36)' --fontsize 24 in
draws 'low rows have a small font' 'font-size="8"' --height 10 in
draws '--fonttype' "font-family=\"'Courier New',ui-monospace" --fonttype 'Courier New' in
lacks '--fonttype cannot leave its string' 'x";}' --fonttype 'x";}</style>' in
draws '--fontsize' 'font-size="10"' --fontsize 10 in
draws '--fontwidth' '>alp…<' --fontwidth 10 --width 990 in
draws '--truncate-text-right' '>std::vector&lt;i…<' --truncate-text-right --width 130 - <<'END'
std::vector<int>::push_back 1
END
draws 'otherwise the middle goes' '>vector&lt;…&gt;::push_back<' --width 190 - <<'END'
std::vector<int, std::allocator<int>>::push_back(int const&) 1
END
lacks '--minwidth in pixels' '>gamma<' --no-javascript --minwidth 200 in
lacks '--minwidth in percent' '>gamma<' --no-javascript --minwidth 20% in
draws '--min-width 0.1' '>gamma<' --min-width 0.1 in
fg-render --no-javascript in >out.svg
check '--no-javascript' test "$(grep -c '<script' out.svg)" = 0
lacks '--no-javascript has no columns' '<metadata' --no-javascript in
draws '--search-color' '"searchColor":"#00ff00"' --search-color '#00ff00' in
draws '--bgcolors by name' 'stop-color="#e0e0ff"' --bgcolors blue in
draws '--bgcolors by colour' 'stop-color="#123456"' --bgcolors '#123456' in
lacks 'no background by default' 'linearGradient' in
draws '--encoding' '>été<' --encoding latin1 - <<END
$(printf '\351t\351 1')
END

draws '--uicolor' 'fill="#00ff00" font-size="16.8" font-weight="bold"' --uicolor '#00ff00' in
draws '--uicolor in the viewer' '"uiColor":"#00ff00"' --uicolor '#00ff00' in
draws '--stroke-color' '<g stroke="#00ff00" stroke-width="2" transform="scale(0.25)">' --stroke-color '#00ff00' in
lacks '--stroke-color none' 'stroke-width="2"' --stroke-color none in
fg-render in >1.svg
fg-render --pretty-xml --nthreads 4 in >2.svg
same '--pretty-xml and --nthreads change nothing' 1.svg 2.svg
draws '-c is --colors' '"mode":"mem"' -c mem in
printf 'start;main;a 1\nstart;main;b;main;c 2\nother 4\n' >starts
output '--skip-after begins there and keeps the rest' '[100%] all (7 samples)
├── [57%] other (4 samples)
└── [43%] main (3 samples)
    ├── [29%] c (2 samples)
    └── [14%] a (1 sample)' fg-render -T tree --skip-after main starts
output '--skip-after twice' '[100%] all (7 samples)
├── [57%] other (4 samples)
├── [29%] b;main;c (2 samples)
└── [14%] main (1 sample)
    └── [14%] a (1 sample)' sh -c 'sed s/^start.// starts | fg-render -T tree --skip-after b --skip-after nosuch'

printf 'b 10\na;x;y;z;w 20\nc 70\n' >order
for try in 'name abc' 'weight cab' 'input bac'; do
	set -- $try
	picture --no-javascript --chains keep --order $1 order
	check "--order $1" test "$(sed -n 's/^<text x="\([0-9.]*\)" y="-23".*>\([abc]\)<.*/\1 \2/p' out.svg |
		sort -n | sed 's/.* //' | tr -d '\n')" = $2
done
draws 'the viewer knows the order' '"order":"weight"' --order weight order
fg-render --order weight -T tree order >1
fg-render -T tree order >2
same 'a tree is by weight anyway' 2 1
draws '--chains fold' '>4 frames: x … w<\|>5 frames: a … w<' --no-javascript --chains fold --width 600 order
check '--chains fold: folded frames are not drawn twice' test "$(grep -c '>[axyzw]<' out.svg)" = 0
lacks '--chains keep' 'frames:' --chains keep order
awk 'BEGIN { for (i = 0; i < 1200; i++) s = s "f" i ";"; print s "x 1" }' >thousand
draws 'the number of frames of a run has commas' '>1,201 frames: f0 … x<' --no-javascript --chains fold thousand
awk 'BEGIN { for (i = 0; i < 60; i++) printf "f%d;", i; print "x 99"; print "f0;y 1" }' >tall
cat >runtime <<'END'
p;_start;main_[l];run_[l];eval_[l];f (w.py:1)_[p];g (w.py:2)_[p];read_[l];sys_read_[k];vfs_read_[k] 400
p;_start;main_[l];run_[l];eval_[l];f (w.py:1)_[p];h (w.py:3)_[p] 396
p;_start;main_[l];run_[l];other_[l] 4
END
for how in '-T flame' --no-javascript; do
	fg-render $how runtime >out
	check "own code is not folded ($how)" grep -q '^ *│f─\|>f</text>' out
	check "the interpreter and the kernel are one row each ($how)" \
	    test "$(grep -o '[0-9]* frames: [a-z_0-9]* … [a-z_]*' out | sort | paste -sd ,)" = \
	    '3 frames: read … vfs_read,5 frames: p … eval'
done
# Start-up code and kernel entries of recordings of each language.
folds() {
	fg-render --no-javascript "$here/data/captures/$1/stacks" >out
	output "$1: the folded rows" "$2" sh -c 'grep -o "[0-9]* frames: [^<]*" out | sed "s/&lt;/</g; s/&gt;/>/g" | sort'
}
folds cxx '3 frames: _start … libc.so.6+0x271d0'
folds rust '3 frames: <…>::fold … core::iter::adapters::map::map_fold::{{closure}}
3 frames: _start … libc.so.6+0x271d0'
folds java-21 '3 frames: java.util.TimSort.mergeForceCollapse … java.util.TimSort.mergeHi
9 frames: java … StubRoutines (initial stubs)'
folds node '16 frames: node … Builtins_JSEntryTrampoline
6 frames: (anonymous) (run_main_module:1) … Module._compile'
folds kernel '6 frames: read … read_zero'
folds go ''
draws '--chains keep draws the interpreter' '>main<' --no-javascript --chains keep runtime
draws 'a tall picture has its chains folded' '>60 frames: f1 … x<\|>59 frames: f1 … x<' --no-javascript tall
lacks 'a tall picture with a viewer has no folded rows' 'frames:' tall
lacks '--chains keep in a tall picture' 'frames:' --chains keep tall
lacks 'a low picture has no folded rows' 'frames:' order
awk 'BEGIN { for (i = 0; i < 60; i++) { s = s "f" i ";"; if (i > 30) print s "x 1"; else print s "x 1000" } }' >tower
draws 'a thin tower is left out' 'more levels are not drawn here' tower
lacks '--max-depth draws all of a thin tower' 'more levels are' --max-depth 1000 --chains keep tower
draws '--max-depth limits levels' '>[0-9][0-9] more levels are not drawn here<' --max-depth 3 --chains keep tower
awk 'BEGIN { for (i = 1000; i < 2000; i++) print "m;f" i " 1"; print "m;g 2000"; print "n 1000" }' >others
draws 'neighbours that are too narrow are one block' '>1,000 others, 25 %<' others
draws 'the block of narrow frames has its own colour' '<path class="rest" stroke="#e3e6ea" d="M0-3h' others
draws 'the block of narrow frames may be narrow itself' '>1,000<' --width 300 others
lacks 'frames that are wide enough are no others' 'others' --minwidth 0.1 others

for p in hot mem io red green blue yellow purple aqua orange wakeup chain java js perl python rust; do
	draws "palette $p" "\"palette\":\"$p\"" --colors $p in
	check "palette $p has a background and its classes" grep -q 'linearGradient' out.svg
done
draws '--palette is --colors' '"mode":"mem"' --palette mem in
draws '--color is --colors' '"mode":"function"' --color function in
draws 'annotations choose origin' '"mode":"origin"' in
draws 'a module chooses origin' '"mode":"origin"' - <<'END'
libc`read 1
END
draws 'no annotation and no module choose function' '"mode":"function"' - <<'END'
read 1
END
draws 'two columns choose differential' '"mode":"differential"' two
draws 'columns of a bottleneck choose bottleneck' '"mode":"bottleneck"' four
printf '# columns: cache-misses instructions branches cycles\na;b 1 2 3 4\n' >counts
draws 'four others do not' '"mode":"function"' counts
printf '# columns: system memory cache instruction\na;b 1 2 3 4\n' >mixed
draws 'the four columns in another order are not a bottleneck' '"mode":"function"' mixed
printf '# columns: cpu waiting blocked\n%s\n' 'a;i 9 1 0' 'a;c 1 9 1' 'a;m 0 1 9' >times
draws 'times choose wait' '"mode":"wait"' times
draws 'as wide as all' '"widths":"sum"' times
draws 'the part that is largest' 'class="t2"' times
draws 'times by another colour are as wide' '"widths":"sum"' --colors function times
printf '# columns: before after\n%s\n' 'a;i 9 1' >others
draws 'two columns of other names are not a differential' '"mode":"function"' others
lacks '--column draws one column' '"columns":' --column 2 two
draws '--column by name' '"total":"6"' --column head two
draws '--columns names the columns' '"columns":\["before","after"\]' --columns before,after two
draws 'less in the second column is faster' '▼ c' exact
draws '--negate' '▲ c' --negate exact
draws '--colordiffusion' 'class="w15"' --colordiffusion in
draws '--random needs no palette' '"palette":"hot"' --random in
fg-render --random --colors red in >1.svg
fg-render --random --colors red in >2.svg
same '--random: equal colours for equal input' 1.svg 2.svg
fg-render --hash in >1.svg
fg-render --deterministic in >2.svg
same '--hash and --deterministic are the default' 1.svg 2.svg

# Java, JavaScript and other languages, detected by name.
hue() {
	printf '%s 1\n' "$2" | fg-render --no-javascript --colors "$1" - |
	    sed -n 's/^<path class="p\([0-9]*\)" stroke="[^"]*" d="M0-2h.*/\1/p' | awk '{ print int($1 / 16) }'
}
for try in 'java f_[j] 4' 'java f_[i] 8' 'java f_[k] 9' 'java a::b 6' 'java org/x 4' 'java read 3' \
    'js f/x.js_[j] 4' 'js f_[j] 8' 'js f_[k] 9' 'js a::b 6' 'js read 3' 'perl f_[k] 9' \
    'perl Perl_pp 4' 'perl read 3' 'rust core::f 9' 'rust my::f 8' 'rust <std::vec::Vec<mine::T>>::insert 9' 'rust <mine::T>::insert 8' 'rust f 6' \
    'python /site-packages/x 8' 'python <built-in_x> 6' 'python my.py 3' 'chain f_[w] 8' \
    'chain f 5' 'wakeup f 8' 'hot - 10' 'mem f 1' 'io f 2'; do
	set -- $try
	check "$1: $2" test "$(hue "$1" "$2")" = "$3"
done

# The palette map of --cp.
printf 'alpha->rgb(1,2,3)\nzeta->rgb(4,5,6)\n' >palette.map
draws '--cp uses the file' 'stroke="#010203"' --cp in
check '--cp keeps colours that are not drawn' grep -q '^zeta->rgb(4,5,6)$' palette.map
check '--cp adds new colours' grep -q '^main->rgb([0-9]*,[0-9]*,[0-9]*)$' palette.map
cp palette.map before
fg-render --cp in | sed '/^<script>/,/<\/script>$/d' >2.svg
same '--cp changes nothing the second time' before palette.map
same '--cp: the second picture is the same' out.svg 2.svg
fg-render --cp=other.map --colors mem in >/dev/null
check '--cp=FILE' grep -q '^alpha->rgb(0,' other.map
printf '\nalpha->rgb(1,2,3)\n \n\n' >blank.map
draws '--cp takes blank lines' 'stroke="#010203"' --cp=blank.map in
echo junk >bad.map
status 'a broken palette map' 2 fg-render --cp=bad.map in

# Attributes.
printf 'alpha\thref=https://example.org/?a&b\ttitle=the "first"\tid=x1\tclass=hot\tonclick=alert(1)\n' >attr
printf 'gamma\thref=javascript:alert(1)\ttitle=t\n' >>attr
draws '--nameattr links' '<a id="x1" class="hot" href="https://example.org/?a&amp;b" target="_top">' \
	--nameattr attr in
check '--nameattr: title' grep -q '<title>the &quot;first&quot;</title>' out.svg
check '--nameattr: the script gets the attributes' grep -q '"href":"https://example.org/?a\\u0026b"' out.svg
printf 'alpha\tid=fg-options\nbeta_[k]\tid=fg\ngamma\tid=__proto__\n' >ids
fg-render --nameattr ids in >out.svg 2>said
check 'ids cannot be ours' test "$(grep -o 'id="fg-options"' out.svg | wc -l)" = 1 -a "$(grep -o 'id="fg"' out.svg | wc -l)" = 1
check '--nameattr: reserved ids are reported' test "$(grep -c 'is reserved for the picture' said)" = 2
check '--nameattr: ids that are not reserved are taken' grep -q 'id="__proto__"' out.svg
check 'no handler comes in' test "$(grep -c 'onclick\|alert' out.svg)" = 0
fg-render --nameattr attr in 2>said >/dev/null
check '--nameattr: ignored attributes are reported' test "$(grep -c 'ignored' said)" = 2
for bad in 'data:text/html,x' ' javascript:x' 'JavaScript:x' 'java	script:x' 'vbscript:x'; do
	printf 'alpha\thref=%s\n' "$bad" >attr
	fg-render -q --nameattr attr in >out.svg 2>/dev/null
	check "href $bad stays out" test "$(grep -c '<a ' out.svg)" = 0
done
for good in 'x.html' '/x:y' '?a:b' '#c' 'HTTP://x' 'mailto:a@b'; do
	printf 'alpha\thref=%s\n' "$good" >attr
	draws "href $good comes in" '<a ' --nameattr attr in
done

# --open starts the browser with the file.
cat >browser <<'END'
#!/bin/sh
echo "$@" >opened.new && mv opened.new opened
END
chmod +x browser
BROWSER="./browser --new" fg-render --open -o 'a b.svg' in
wait_for [ -e opened ]
output '--open' '--new a b.svg' cat opened

fg-render -v in 2>said >/dev/null
output '-v: counts of the input' 'fg-render: 3 stacks, 4 frames, 4 names' cat said
draws 'a long title is cut' '>tttttttttt[t]*…<' --width 200 \
	--title tttttttttttttttttttttttttttttttttttttttttttttt in
draws 'a count name that is no UTF-8' '>100 ��<' --countname "$(printf '\360\377')" in

# Invalid options are errors.
wrong() {
	name=$1
	shift
	fg-render "$@" >out 2>err
	got=$?
	check "$name" test "$got" = 2 -a ! -s out -a -s err
}
wrong 'an unknown option' --nosuch in
wrong 'an unknown palette' --colors nosuch in
wrong 'a missing file' nosuch
wrong 'a missing attribute file' --nameattr nosuch in
wrong 'an attribute file without tabs' --nameattr in in
for o in width height fontsize fontwidth factor minwidth total; do
	wrong "--$o with a word" --$o big in
	wrong "--$o with less than nothing" --$o -3 in
done
wrong '--width nan' --width nan in
wrong '--fontsize nan' --fontsize nan in
wrong '--minwidth over 100 %' --minwidth 101% in
wrong 'an unknown background' --bgcolors nosuch in
wrong 'a search colour that is none' --search-color 'red" onload="x' in
wrong 'an interface colour that is none' --uicolor red in
wrong 'an outline that is none' --stroke-color red in
wrong '--nthreads 0' --nthreads 0 in
wrong 'files of different units' nanoseconds.small bytes.small
wrong 'an unknown encoding' --encoding nosuch in
wrong 'an unknown report' -T nosuch in
wrong '--max-depth of a list' -T top --max-depth 3 in
wrong 'an unknown order' --order big in
wrong 'an unknown way with chains' --chains no in
wrong '--order weight of a chart' --order weight --flamechart in
wrong '--min-percent without a report' --min-percent 3 in
wrong '--open without a file' --open in
wrong 'a column that is not there' --column nosuch two
wrong 'a list of columns with one name twice' --columns a,a two
wrong 'differential of one column' --colors differential in
wrong 'bottleneck of two columns' --colors bottleneck two
wrong 'bottleneck of four others' --colors bottleneck counts
check '--colors bottleneck: the message names the columns' grep -q 'columns instruction, cache, memory and system' err
wrong 'wait of two columns' --colors wait two
wrong '--random with a mode' --random --colors origin in
wrong '--base that nothing has' --base nosuch in
{ yes 'c;d 3' | head -n 20; echo 'a;b'; } >malformed
wrong '--strict' --strict malformed
check '--strict: the message has the line' grep -q 'malformed:21:' err
status 'a malformed line: the rest is drawn' 0 fg-render malformed

fg-render -T nothing in 2>&1 | sed -n 's/.*(expected \(.*\)).*/\1/p' | sed 's/,//g; s/ or / /' >outputs
check '-T with an unknown word: the message has the outputs' grep -q '^svg top .* d3$' outputs
for output in $(sed 's/svg//' outputs); do
	check "-T $output is in the manual" grep -Eq "^\.(It )?(Fl T )?Cm (.* )?$output( |\$)" "$here/../man/fg-render.1"
done
done_testing
