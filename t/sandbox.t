#!/bin/sh
# Each filter knows all its files before it reads the first byte: with a fake sandbox
# (t/sandboxed.c) nothing but these is opened after the one call, whatever the options.
# tier: quick
. "$(dirname "$0")/lib.sh"
fakes=$UNIT/../sandboxed
# The leak checker stops all threads from one that the fake would have to stop: they wait for ever.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
[ -x "$fakes/fg-merge" ] || skip_all 'the sandboxed programs are not built'
fakes=$(cd "$fakes" && pwd)
printf 'app;f 1\n' >in
"$fakes/fg-merge" in >out 2>said
[ $? != 98 ] || skip_all "$(cat said)"

printf 'app;f 3\napp;g 2\n' >a
printf 'app;f 5\napp;ü 2\n' >b
gzip -c <b >b.gz
{ printf '\377\376'; iconv -f UTF-8 -t UTF-16LE <b; } >b.16
awk 'BEGIN { for (i = 0; i < 30000; i++) printf "app 1/1 %d.5: 7 cycles:\n\t%x f%d (/x)\n\t20 main (/x)\n\n", i, i, i % 100 }' >perf
mkdir d
ln -s d/target link

# fake PROGRAM ARGUMENT...: as without a sandbox, output and all.
fake() {
	rm -rf d/* want.d
	name=$*
	program=$1
	shift
	"$BIN/$program" "$@" >want 2>want.said
	cp -r d want.d
	rm -rf d/*
	"$fakes/$program" "$@" >got 2>said
	got=$?
	if grep -q '^sandbox: ' said; then
		cp said .said
		not_ok "$name"
	elif diff want got >.said && diff want.said said >.said && diff -r want.d d >.said; then
		ok "$name"
	else
		not_ok "$name"
	fi
}

# Of an unknown format it may read all programs; these have none.
FG_FORGET=/
export FG_FORGET
fake fg-collapse perf a b.gz b.16
fake fg-collapse -j 4 perf perf
fake fg-collapse -j 4 --time-order -o d/out perf
fake fg-collapse -f folded ./a
fake fg-collapse a missing
unset FG_FORGET
cat >heap <<END
heap profile: 1: 4096 [ 1: 4096] @ heapprofile
1: 4096 [ 1: 4096] @ 0x401234 0x402345

MAPPED_LIBRARIES:
00400000-00500000 r-xp 00000000 08:01 1 $(command -v "$BIN/fg-merge")
END
fake fg-collapse heap
fake fg-collapse -f heap -o d/out heap
fake fg-filter --keep f a b.gz
fake fg-filter --hide '^f' --rename 's/g/h/' -o d/out a b.16
fake fg-filter --time-order -o d/out a
fake fg-merge a b.gz
fake fg-merge -o d/new a b
fake fg-merge -o "$tmp/d/new" "$tmp/a" ../"${tmp##*/}"/b
fake fg-merge -o link a b
fake fg-merge -o /dev/null a
fake fg-merge -m --prefix=z --weight z=2 a b.16
files=
for i in $(seq 150); do
	cp a a$i
	files="$files a$i"
done
fake fg-merge -m $files
TMPDIR=$tmp/tmp
export TMPDIR
mkdir tmp
fake fg-merge -m $files
fake fg-merge --sorted-lines a b
fake fg-merge --sorted-lines b.16 $files
printf 'a\0b\0' >list
fake fg-merge --files0-from=list
unset TMPDIR
fake fg-diff a b.gz
fake fg-diff --report --fail-above 5% -o d/out a b a -- b b.16 a
fake fg-render a
fake fg-render -o d/x.svg --title t a b.16
fake fg-render -T top a
fake fg-render -T tree a
printf 'f\ttitle=a note\n' >attributes
fake fg-render --nameattr attributes a
fake fg-render --encoding ISO-8859-2 a
fake fg-render --cp=d/map a
cp a palette
printf 'f->rgb(1,2,3)\n' >palette.map
fake fg-render --cp -o d/x.svg a
fake fg-render --flamechart a
cat >browser <<'END'
#!/bin/sh
exit 0
END
chmod +x browser
BROWSER=$tmp/browser
export BROWSER
fake fg-render --open -o d/x.svg a

# That the fake would notice.
for try in 'fg-collapse -f folded b a=a' 'fg-collapse heap=/' 'fg-filter --keep f a=a' 'fg-merge a b.gz=b.gz' 'fg-merge a -o d/out=d/out' \
    'fg-merge -m a b=b' 'fg-diff a b=b' 'fg-render --nameattr attributes a=attributes' \
    'fg-render --cp=d/map a=d/map'; do
	command=${try%=*} forgotten=${try##*=}
	FG_FORGET=$forgotten "$fakes"/$command >got 2>said
	check "$command without $forgotten in its table" test $? = 99
done
FG_FORGET=/tmp "$fakes/fg-merge" -m $files >got 2>said
check 'fg-merge -m without its folder' test $? = 99
done_testing
