#!/bin/sh
# The sandbox: the permitted actions of a program, tested from inside; each filter gives the same
# result as without it.
# tier: quick
. "$(dirname "$0")/lib.sh"
# The leak checker would trace the program from another process, which the sandbox refuses.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
unset FG_SANDBOX
confined=$UNIT/confined
[ -x "$confined" ] || skip_all 'the unit programs are not built'
mkdir c
printf 'a\n' >c/a
printf 'b\n' >c/b
[ "$("$confined" exec)" != done ] || skip_all 'this kernel has no seccomp'
files=
[ "$("$confined" open c/a)" = EACCES ] && files=y

# refused ERROR ACTION [ARGUMENT]: the action fails with ERROR; $table has the options
table=
refused() {
	want=$1
	shift
	# shellcheck disable=SC2086 # a list of options
	output "refused with${table:+ $table}: $*" "$want" "$confined" $table "$@"
}
allowed() {
	# shellcheck disable=SC2086
	output "allowed with${table:+ $table}: $*" done "$confined" $table "$@"
}

for how in exec fork ptrace vm_readv kill setown setsig async bpf tiocsti tcp unix 'mkdir c/d' 'symlink c/l'; do
	# shellcheck disable=SC2086 # an action and its argument
	refused EPERM $how
done
refused EPERM chmod c/a
allowed raise
allowed thread
allowed dup
# The process of fg-record that parses data of other users' processes.
table='-e -b /proc'
for how in exec namespace ptrace vm_readv event kill setown setsig async bpf tiocsti tcp unix 'mkdir c/d' 'symlink c/l'; do
	# shellcheck disable=SC2086 # an action and its argument
	refused EPERM $how
done
for how in fork raise thread dup powerless; do
	allowed $how
done
# No writing to files by name, even without Landlock.
FG_SANDBOX=seccomp
export FG_SANDBOX
for how in 'create c/new' 'remove c/a' 'rename c/a' 'fchmod c/b' 'truncate c/a'; do
	# shellcheck disable=SC2086
	output "refused without Landlock: $how" refused sh -c \
		'case $("$@") in EPERM | ENOSYS) echo refused ;; esac' sh "$confined" -e $how
done
output 'allowed without Landlock: open c/a' done "$confined" -e open c/a
unset FG_SANDBOX
check 'a confined process left the files of other directories as they were' sh -c \
	'[ "$(cat c/a)" = a ] && [ "$(cat c/b)" = b ] && [ "$(ls c | tr "\n" " ")" = "a b " ]'
table=-n
output 'the network is allowed by its own row' ECONNREFUSED "$confined" -n tcp
refused EPERM exec
table='-n -2'
refused EPERM tcp
table=

if [ -n "$files" ]; then
	refused EACCES open c/a
	refused EACCES create c/new
	refused EACCES remove c/a
	refused EACCES rename c/a
	refused EACCES list c
	table='-r c/a'
	allowed open c/a
	refused EACCES open c/b
	refused EACCES create c/new
	status 'refused with -r c/a: replace c/a' 2 "$confined" -r c/a replace c/a
	table='-e -b c'
	allowed open c/b
	refused EACCES open /etc/passwd
	refused EPERM create c/new
	refused EPERM remove c/a
	refused EPERM fchmod c/b
	table='-b c'
	allowed open c/b
	allowed list c
	refused EPERM fchmod c/b
	refused EPERM fchown c/b
	refused EACCES open /etc/passwd
	refused EACCES create c/new
	table='-r c/b -w c/a'
	refused EPERM fchmod c/b
	refused EPERM fchown c/b
	refused EPERM special c/new
	refused EPERM nameless c
	table='-w c/a'
	allowed replace c/a
	refused EACCES open c/b
	refused ENOSYS truncate c/b
	refused EACCES create c/new
	refused EACCES create d.new
	refused EACCES open /etc/passwd
	ln -s c/a pointer
	table="-w pointer"
	allowed replace pointer
	check 'the file of a link was replaced' test -L pointer -a "$(cat c/a)" = new
	table='-i c'
	refused EPERM special c/new
	allowed create c/temporary
	allowed remove c/temporary
	refused EACCES create /tmp/fg.confined
	table=
else
	skip 'files' 'this kernel has no Landlock'
fi
# Descriptors that the parent process left open
: >left
output 'an inherited descriptor is closed' EBADF sh -c '"$0" inherited 9>left' "$confined"
mkfifo slow
fg-merge slow 9>left >merged 2>&1 &
merger=$!
exec 8>slow
check 'fg-merge closes an inherited descriptor before it reads' wait_for sh -c '[ -e "/proc/$1/fd/0" ] && [ ! -e "/proc/$1/fd/9" ]' sh $merger
echo 'a 1' >&8
exec 8>&-
wait $merger
check 'fg-merge reads on without it' grep -qx 'a 1' merged
output 'an inherited descriptor of the table stays open' done \
	sh -c '"$0" -r a -w /dev/fd/9 inherited 9>left' "$confined"
refused_without=$(FG_SANDBOX=seccomp "$confined" exec)
output 'FG_SANDBOX=seccomp leaves Landlock out' "EPERM done" \
	echo "$refused_without $(FG_SANDBOX=seccomp "$confined" open c/b)"
if [ -n "$files" ]; then
	output 'FG_SANDBOX=landlock leaves seccomp out' 'EACCES done' \
	    echo "$(FG_SANDBOX=landlock "$confined" open c/b) $(FG_SANDBOX=landlock "$confined" fork)"
else
	skip 'FG_SANDBOX=landlock' 'this kernel has no Landlock'
fi
output 'FG_SANDBOX=off leaves all out' done env FG_SANDBOX=off "$confined" fork
check '--version names the sandbox' sh -c 'fg-filter --version | grep -q "^sandbox: .*seccomp"'

confined() {
	state=$(awk '/^(NoNewPrivs|Seccomp):/ { printf "%s %s ", $1, $2 }' /proc/$pid/status)
	[ "$state" = 'NoNewPrivs: 1 Seccomp: 2 ' ]
}

# in_sandbox PROGRAM...: the kernel reports both parts of the sandbox while the program waits for
# input.
in_sandbox() {
	mkfifo fifo
	"$@" fifo >got 2>said &
	pid=$!
	exec 3>fifo
	wait_for confined
	capabilities=$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/$pid/status)
	echo 'a;b 1' >&3
	exec 3>&-
	wait $pid
	rm fifo
	output "in the sandbox before it reads: $*" 'NoNewPrivs: 1 Seccomp: 2' echo "${state% }"
	# CAP_DAC_READ_SEARCH is bit 2, CAP_SYSLOG bit 34; without root there are none.
	check "only capabilities to read files: $*" \
		sh -c 'case $1 in 000000000000000[04] | 000000040000000[04]) ;; *) exit 1 ;; esac' sh "$capabilities"
}
for p in fg-collapse fg-filter fg-merge 'fg-diff c/profile' 'fg-render -T top'; do
	printf 'a;b 1\n' >c/profile
	# shellcheck disable=SC2086
	in_sandbox $p
done

printf 'app;f 3\napp;g 2\n' >a
printf 'app;f 5\napp;ü 2\n' >b
gzip -c <b >b.gz
{ printf '\377\376'; iconv -f UTF-8 -t UTF-16LE <b; } >b.16
awk 'BEGIN { for (i = 0; i < 30000; i++) printf "app 1/1 %d.5: 7 cycles:\n\t%x f%d (/x)\n\t20 main (/x)\n\n", i, i, i % 100 }' >perf
mkdir d
ln -s d/target link

# alike PROGRAM ARGUMENT...: same exit status, output and messages with and without the sandbox.
alike() {
	rm -rf d/* want.d
	FG_SANDBOX=off "$@" >want 2>want.said
	want=$?
	cp -r d want.d
	rm -rf d/*
	"$@" >got 2>said
	got=$?
	if [ $got = $want ] && diff want got >.said && diff want.said said >.said &&
		diff -r want.d d >.said; then
		ok "$*"
	else
		not_ok "$*"
	fi
}

alike fg-collapse perf a b.gz b.16
alike fg-collapse -j 4 perf perf
alike fg-collapse -j 4 --time-order -o d/out perf
alike fg-collapse -f folded ./a
alike fg-collapse a missing
cat >heap <<END
heap profile: 1: 4096 [ 1: 4096] @ heapprofile
1: 4096 [ 1: 4096] @ 0x401234 0x402345

MAPPED_LIBRARIES:
00400000-00500000 r-xp 00000000 08:01 1 $BIN/fg-merge
END
alike fg-collapse heap
alike fg-collapse -f heap -o d/out heap
alike fg-filter --keep f a b.gz
alike fg-filter --hide '^f' --rename 's/g/h/' -o d/out a b.16
alike fg-filter --time-order -o d/out a
alike fg-merge a b.gz
alike fg-merge -o d/new a b
alike fg-merge -o "$tmp/d/new" "$tmp/a" ../"${tmp##*/}"/b
alike fg-merge -o link a b
alike fg-merge -o /dev/null a
alike fg-merge -m --prefix=z --weight z=2 a b.16
files=
for i in $(seq 150); do
	cp a a$i
	files="$files a$i"
done
alike fg-merge -m $files
TMPDIR=$tmp/tmp
export TMPDIR
mkdir tmp
alike fg-merge -m $files
alike fg-merge --sorted-lines a b
alike fg-merge --sorted-lines b.16 $files
printf 'a\0b\0' >list
alike fg-merge --files0-from=list
unset TMPDIR
alike fg-diff a b.gz
alike fg-diff --report --fail-above 5% -o d/out a b a -- b b.16 a
printf 'a;b 1\n' >third
alike sh -c 'fg-merge /dev/fd/7 /proc/self/fd/8 -o /dev/fd/9 7<a 8<third 9>d/out'
alike sh -c 'fg-filter --keep f /dev/stdin <a'
alike fg-render a
alike fg-render -o d/x.svg --title t a b.16
alike fg-render -T top a
alike fg-render -T tree a
printf 'f\ttitle=a note\n' >attributes
alike fg-render --nameattr attributes a
alike fg-render --encoding ISO-8859-2 a
alike fg-render --cp=d/map a
cp a palette
printf 'f->rgb(1,2,3)\n' >palette.map
alike fg-render --cp -o d/x.svg a
alike fg-render --flamechart a
# A recording that names a text as a program: no byte of it is read, not even by code that an input
# would bring into fg-collapse. A real program has its names, by the process that opens code.
command -v "${CC:-cc}" >/dev/null && ${CC:-cc} -shared -fPIC -o atend.so "$here/programs/atend.c" 2>said &&
    printf 'int work(int n) { return n + 1; }\nint main(void) { return work(0); }\n' >named.c &&
    ${CC:-cc} -O0 -g -o named named.c && LD_PRELOAD=./atend.so fg-merge -V >got 2>said && [ ! -s said ]
may_preload=$?
if [ -n "$files" ] && [ $may_preload = 0 ] && command -v perl >/dev/null; then
	echo secret >text
	mkdir maps
	at=$(nm named | awk '$3 == "work" { print "0x" $1 }')
	cat >hostile.d <<END
event('cycles', sample => 'ip tid time period');
comm(100, 'app');
mmap2(100, 0x10000000, 0x100000, '$tmp/named');
mmap2(100, 0x20000000, 0x100000, '$tmp/text');
mmap2(100, 0x30000000, 0x100000, '/etc/shadow');
mmap2(100, 0x40000000, 0x100000, '$tmp/maps/../text');
sample(pid => 100, ip => 0x10000000 + $at);
sample(pid => 100, ip => \$_ * 0x10000000 + 0x1000) for 2 .. 4;
END
	touch -d '1 hour ago' named text
	perl "$here/perfdata/make.pl" <hostile.d >perf.hostile
	ATEND=$tmp/text:/etc/passwd:$tmp/named LD_PRELOAD=./atend.so fg-collapse -q -f perf.data perf.hostile >got 2>said
	output 'code in fg-collapse that reads programs opens no other file' \
	    'atend: text refused
atend: passwd refused
atend: named refused' cat said
	output 'a program that the recording names has its function' 1 grep -c 'app;work' got
	ATEND=$tmp/text LD_PRELOAD=./atend.so FG_SANDBOX=off fg-collapse -q -f perf.data perf.hostile >want 2>said
	output 'the same code without the sandbox opens it' 'atend: text opened' cat said
	check 'the output is the same without the sandbox' cmp want got
	if command -v strace >/dev/null && strace -qq -o trace true 2>/dev/null; then
		strace -f -qq -y -o trace -e trace=read,pread64,mmap fg-collapse -q perf.hostile >got 2>said
		# The opener reads the first 18 bytes of each file.
		output 'no more than the type of a text or of /etc/shadow is read' '' \
		    sh -c 'grep -E "/(text|shadow)>" trace | grep -vE "pread64.*, 18, 0\) *= "'
	else
		skip 'reads of a text' 'strace is not installed' strace
	fi
else
	skip 'code in fg-collapse' 'there is no compiler, perl or Landlock' gcc
fi
# entered COUNT COMMAND...: the main process entered Landlock COUNT times before the command opened b for the last time.
entered() {
	want=$1
	shift
	strace -f -qq -o trace -e trace=landlock_restrict_self,openat "$@" >got 2>said
	output "the sandbox was entered $want times before b is read: $*" "$want" \
		awk 'NR == 1 { main = $1 } $1 == main && /landlock_restrict_self\(/ { n++ }
		    /openat\(.*"b"/ { at = n } END { print at }' trace
}
if [ -n "$files" ] && command -v strace >/dev/null && strace -qq -o trace true 2>/dev/null; then
	cp heap perf.heap
	gzip -k a
	entered 1 fg-collapse -q a b a
	entered 2 fg-collapse -q a.gz b a
	entered 1 fg-collapse -q b
	output 'the sandbox was entered once for a small text' 1 \
	    awk 'NR == 1 { main = $1 } $1 == main && /landlock_restrict_self\(/ { n++ } END { print n }' trace
	entered 1 fg-collapse -q b perf.heap
	entered 1 fg-collapse -q heap b
	entered 1 fg-collapse -q b b.gz
	entered 1 fg-collapse -q -f folded b
else
	skip 'the second limit of fg-collapse' 'this kernel has no Landlock, or there is no strace' strace
fi

# Formats whose inputs name programs; the opener is started before the format is known.
untaken() {
	for sample in "$here"/data/formats/perf.data/* "$here"/data/formats/gperftools/* \
	    "$here"/data/formats/heap/* "$here"/data/formats/pprof-legacy/*; do
		fg-collapse "$sample" 2>&1
	done | grep 'no programs are read'
}
output 'no input that names programs is taken for a small text without any' '' untaken

cat >browser <<'END'
#!/bin/sh
echo "$1" >>opened
END
chmod +x browser
BROWSER=$tmp/browser
export BROWSER
alike fg-render --open -o d/x.svg a

check 'the viewer was started with the picture' wait_for grep -qx d/x.svg opened
done_testing
