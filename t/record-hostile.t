#!/bin/sh
# fg-record: broken and malicious programs and files.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
build shapes -g

# Debug information without its names, as when the dwz file of a package is missing.
if command -v objcopy >/dev/null; then
	objcopy --remove-section .debug_str --remove-section .debug_line_str shapes nameless
	status "inlined calls without names are left out" 0 \
		fg-record -q --skip-after main --lines -o nameless.folded ./nameless busy 200
	has "debug information without names: functions have their names" '^main' nameless.folded
	lacks "[nameless] frames do not occur" '\[nameless\]' nameless.folded
else
	skip "debug information without names" "no objcopy" binutils
fi

# The dwz file is a FIFO, whose reader would wait for a writer.
cp shapes dwz1
cp shapes dwz2
if dwz -m shared.dwz dwz1 dwz2 2>/dev/null; then
	fg-record -q --skip-after main --lines -o shared.folded ./dwz1 busy 200
	mostly "names out of dwz's file" 80 '^main.*;middle .*_\[i\];inner .*_\[i\];burn' shared.folded
	rm shared.dwz
	mkfifo shared.dwz
	status "a FIFO as debug file is not opened" 0 \
		timeout -s KILL 600 fg-record -q --skip-after main --lines -o shared.folded ./dwz1 busy 200
	mostly "a FIFO as debug file: functions have their names" 80 '^main;.*burn' shared.folded
else
	skip "debug information shared by dwz" "no dwz" dwz
fi

# The path of a running program has become a FIFO. The program's own file is read, and the FIFO is
# not opened: opening a device may have effects, and opening this FIFO would let its writer
# continue.
cp shapes piped
./piped busy 60000 &
pid=$!
started $pid piped
rm piped
mkfifo piped
(: >piped; : >opened) &
writer=$!
status "a FIFO in place of the running program is not opened" 0 \
	timeout -s KILL 600 fg-record -q -d 0.5 -p $pid -o piped.folded
until_samples 60 piped.folded -d 0.5 -p $pid
check "a FIFO in place of the running program has no reader" test ! -e opened
mostly "a FIFO in place of the running program: functions have their names" 80 'main;outer;middle_\[i\];inner_\[i\];burn' piped.folded
kill $pid $writer
wait 2>/dev/null

# If the symbolizing process crashes, the recorded stacks are written without names.
cat >fall.c <<'EOT'
#include <stdlib.h>
int dwfl_module_getsymtab(void *m);
int dwfl_module_getsymtab(void *m)
{
	(void)m;
	abort();
}
EOT
if $CC -shared -fPIC -o fall.so fall.c 2>/dev/null && LD_PRELOAD=./fall.so fg-record -V >/dev/null 2>&1; then
	LD_PRELOAD=$tmp/fall.so
	export LD_PRELOAD
	status "names that end their process do not end the recording" 7 \
		fg-record -o bare.folded ./shapes busy 200 7
	cp .said said
	fg-record -o bare.%T.folded --interval 0.3 sh -c 'while [ $(ls bare.2*.folded | wc -l) -lt 2 ]; do ./shapes busy 100; done' 2>/dev/null
	unset LD_PRELOAD
	has "a failed symbolizer is reported" 'symbolization failed' said
	mostly "a failed symbolizer: frames have the names of their modules" 90 '^shapes;\[shapes\];.*\[shapes\]' bare.folded
	cat bare.2*.folded >bares.folded
	mostly "a failed symbolizer with --interval: frames have module names" 90 '^shapes;\[shapes\];.*\[shapes\]' bares.folded
	check "a failed symbolizer with --interval: several files are written" sh -c 'test "$(ls bare.2*.folded | wc -l)" -ge 2'

	# One file that crashes its reader costs only the names of its own functions.
	cat >one.c <<'EOT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
const char *dwfl_module_info(void *, void *, void *, void *, void *, void *, void *, void *);
int dwfl_module_getsymtab(void *m);
int dwfl_module_getsymtab(void *m)
{
	const char *name = dwfl_module_info(m, 0, 0, 0, 0, 0, 0, 0);
	int (*real)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "dwfl_module_getsymtab");

	if (name != NULL && strstr(name, "hostile") != NULL)
		abort();
	return real(m);
}
EOT
	$CC -shared -fPIC -o one.so one.c -ldl
	cp shapes hostile
	LD_PRELOAD=$tmp/one.so fg-record -F 499 -o one.folded sh -c './hostile busy 300; ./shapes busy 300' 2>said
	has "a file that crashes its reader: a message names it" 'hostile: symbolization failed' said
	has "a file that crashes its reader: the header names it" '^# label: .*symbols=partial.* unread=hostile' one.folded
	mostly "a file that crashes its reader: its frames have its name" 40 '^hostile;\[hostile\];.*\[hostile\]' one.folded
	mostly "a file that crashes its reader: other functions have their names" 40 '^shapes;.*main;outer' one.folded
	fg-record -q -o full.folded ./shapes busy 100 2>/dev/null
	has "all files are read: the header states it" '^# label: .*symbols=full' full.folded
	sed 's/symbols=partial/symbols=modules/' one.folded >nameless.folded
	status "fg-diff refuses a profile without names" 2 fg-diff nameless.folded nameless.folded
	status "fg-diff --no-labels compares a profile without names" 0 fg-diff --no-labels nameless.folded nameless.folded
	sed 's/unread=hostile/unread=other/' one.folded >other.folded
	fg-diff one.folded other.folded 2>said >/dev/null
	has "fg-diff warns of names on one side only" 'functions of hostile have names on one side only' said

	# A file whose reader gets no more memory.
	cat >none.c <<'EOT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
extern void *__libc_malloc(unsigned long), *__libc_calloc(unsigned long, unsigned long),
    *__libc_realloc(void *, unsigned long);
const char *dwfl_module_info(void *, void *, void *, void *, void *, void *, void *, void *);
int dwfl_module_getsymtab(void *m);
static int none;
void *malloc(unsigned long n) { return none ? 0 : __libc_malloc(n); }
void *calloc(unsigned long n, unsigned long size) { return none ? 0 : __libc_calloc(n, size); }
void *realloc(void *p, unsigned long n) { return none ? 0 : __libc_realloc(p, n); }
void *reallocarray(void *p, unsigned long n, unsigned long size) { return realloc(p, n * size); }
int dwfl_module_getsymtab(void *m)
{
	const char *name = dwfl_module_info(m, 0, 0, 0, 0, 0, 0, 0);
	int (*real)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "dwfl_module_getsymtab");
	int n = real(m);

	none = name != NULL && strstr(name, "hostile") != NULL;
	return n;
}
EOT
	$CC -shared -fPIC -o none.so none.c -ldl
	LD_PRELOAD=$tmp/none.so fg-record -F 499 -o none.folded sh -c './hostile busy 300; ./shapes busy 300' 2>said
	has "a file whose reader runs out of memory: a message names it" 'hostile: symbolization failed' said
	has "a file whose reader runs out of memory: the header names it" '^# label: .*symbols=partial.* unread=hostile' none.folded
	mostly "a file whose reader runs out of memory: other functions have their names" 40 '^shapes;.*main;outer' none.folded

	# A file whose reader takes memory, then time: with 600 MB for fg-record it may use half.
	cat >take.c <<'EOT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
const char *dwfl_module_info(void *, void *, void *, void *, void *, void *, void *, void *);
int dwfl_module_getsymtab(void *m);
int dwfl_module_getsymtab(void *m)
{
	const char *name = dwfl_module_info(m, 0, 0, 0, 0, 0, 0, 0);
	int (*real)(void *) = (int (*)(void *))dlsym(RTLD_NEXT, "dwfl_module_getsymtab");
	char *block;

	while (name != NULL && strstr(name, "hostile") != NULL)
		if ((block = malloc(1 << 20)) != NULL)
			memset(block, 1, 1 << 20);
	return real(m);
}
EOT
	$CC -O0 -shared -fPIC -o take.so take.c -ldl
	LD_PRELOAD=$tmp/take.so timeout -s KILL 600 prlimit --data=600000000 \
		fg-record -F 499 -o take.folded sh -c './hostile busy 300; ./shapes busy 300' 2>said
	has "a file whose reader takes all memory and does not end: a message names it and the limit" 'hostile: symbolization took [0-9]* MB of memory' said
	has "a file whose reader takes all memory and does not end: the header names it" '^# label: .*symbols=partial.* unread=hostile' take.folded
	mostly "a file whose reader takes all memory and does not end: other functions have their names" 40 '^shapes;.*main;outer' take.folded

	# A process with more hostile files than there are attempts costs no other process its names.
	cat >many.c <<'EOT'
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
int main(void)
{
	char name[64];

	for (int i = 0; i < 80; i++) {
		void (*work)(clock_t);

		snprintf(name, sizeof name, "./hostile%d.so", i);
		*(void **)&work = dlsym(dlopen(name, RTLD_NOW), "work");
		work(clock() + CLOCKS_PER_SEC / 100);
	}
	return 0;
}
EOT
	cat >work.c <<'EOT'
#include <time.h>
void work(clock_t end);
void work(clock_t end)
{
	while (clock() < end)
		continue;
}
EOT
	$CC -O1 -g -o many many.c -ldl
	$CC -O1 -shared -fPIC -o hostile0.so work.c
	i=1
	while [ $i -lt 80 ]; do cp hostile0.so hostile$i.so && i=$((i + 1)); done
	LD_PRELOAD=$tmp/one.so fg-record -F 1999 -o many.folded sh -c './many; ./shapes busy 300' 2>said
	mostly "80 files of one process that crash their reader: other functions have their names" 20 '^shapes;.*main;outer' many.folded
	has "80 files of one process that crash their reader: the header has the names as *" '^# label: .*symbols=partial.* unread=\*' many.folded
	has "80 files of one process that crash their reader: a library that others have too has its names" '^shapes;_start;__libc_start_main' many.folded
	has "80 files of one process that crash their reader: a message" 'frames of [0-9]* other files that only processes with .*/hostile[0-9]*.so have' said
	rm hostile?*.so

	# A reader that a file has taken over writes arbitrary bytes to the memory shared with fg-record.
	cat >fill.c <<'EOT'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int dwfl_module_getsymtab(void *m);
int dwfl_module_getsymtab(void *m)
{
	char line[512];
	unsigned long from, to;
	FILE *f = fopen("/proc/self/maps", "r");

	(void)m;
	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (strstr(line, "rw-s") != NULL && strstr(line, "/dev/zero") != NULL &&
		    sscanf(line, "%lx-%lx", &from, &to) == 2)
			memset((void *)from, FILL, to - from);
	abort();
}
EOT
	for fill in 255 127 1; do
		$CC -shared -fPIC -DFILL=$fill -o fill.so fill.c
		LD_PRELOAD=$tmp/fill.so fg-record -v -o filled.folded ./shapes busy 100 7 2>said
		output "a reader that was taken over and fills the shared memory with $fill: fg-record ends as usual" 7 echo $?
	done

	# A file whose reader hangs: fg-record ends after half a minute; checked below.
	sed 's/abort()/pause(); return 0/; s/stdlib/unistd/' fall.c >stand.c
	$CC -shared -fPIC -o stand.so stand.c
	{
		LD_PRELOAD=$tmp/stand.so timeout -s KILL 1800 fg-record -o stand.folded ./shapes busy 200 7 2>stand.said
		echo $? >stand.status
	} &
	stand=$!
else
	skip "names that end their process" "no library can be put before fg-record's"
fi

# A library that vanished before the recording, and that its user may not open by other ways.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	cat >lib.c <<'EOT'
static volatile unsigned long n;
void run(void);
void run(void)
{
	for (;;)
		n++;
}
EOT
	mkdir vanished
	chmod 755 .
	chmod 777 vanished
	$CC -O1 -g -shared -fPIC -o vanished/libgone.so lib.c
	printf 'void run(void);\nint main(void) { run(); }\n' | $CC -O1 -g -o vanished/use -x c - -x none vanished/libgone.so
	setpriv --reuid=65534 --regid=65534 --clear-groups vanished/use 2>/dev/null &
	pid=$!
	gone_or_mapped() { grep -q libgone /proc/$pid/maps || ! kill -0 $pid; }
	wait_for gone_or_mapped
	if kill -0 $pid 2>/dev/null; then
		rm vanished/libgone.so
		setpriv --reuid=65534 --regid=65534 --clear-groups \
			fg-record -p $pid -d 1 -o vanished/gone.folded 2>said
		has "a library that vanished: the header names it" '^# label: .*symbols=partial.* unread=libgone.so' vanished/gone.folded
		has "a library that vanished: the summary names it" 'libgone.so, which cannot be read' said
	else
		skip "a library that vanished" 'another user cannot run the program'
	fi
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
else
	skip "a library that vanished" 'needs root and setpriv'
fi

# Short-lived programs.
cat >churn.sh <<'EOT'
i=0
while [ $i -lt "$1" ]; do
	i=$((i + 1))
	cp shapes churn$i
	./churn$i busy 20
	${2-rm -f} churn$i
done
EOT
(ulimit -n 96 && fg-record -q -o churn.folded sh churn.sh 120 :)
mostly "120 short-lived programs are named, with few descriptors" 90 '^churn[0-9]+;(.*burn|_start_\[l|(__GI___)?execve)|^(sh|cp|rm);' churn.folded
$prompt fg-record -q -a --interval 0.2 -o churn.%T.folded &
pid=$!
sh churn.sh 60
maps_few() { [ "$(grep -c /churn /proc/$pid/maps)" -le 20 ]; }
check "--interval frees modules of ended processes" wait_for maps_few
kill $pid
wait $pid
cat churn.2*.folded >churns.folded
# A late recorder loses samples of the machine.
rated "--interval: modules are freed when their samples have been written" sh -c \
	'test "$(grep -o "^churn[0-9]*" churns.folded | sort -u | wc -l)" -ge 20'

# --keep removes only files that fg-record wrote.
mkdir kept elsewhere
mark='# recorded: by fg-record 0'
old=p.20200101T000000.000Z.folded
for name in $old p.20200102T000000.000Z.folded q.20200101T000000.000Z.folded p.2020.folded \
	p.20200101T000000.000Z.svg; do
	printf '%s\na 1\n' "$mark" >kept/$name
done
echo 'a 1' >kept/p.20200103T000000.000Z.folded
printf '%s\na 1\n' "$mark" >elsewhere/one
ln -s ../elsewhere/one kept/p.20200104T000000.000Z.folded
mkdir kept/p.20200105T000000.000Z.folded
mkfifo kept/p.20200106T000000.000Z.folded
printf '%s\na 1\n' "$mark" >kept/p.20200107T000000.000Z.folded
[ "$(id -u)" != 0 ] || chown 65534 kept/p.20200107T000000.000Z.folded
# Until there are two new files; the second replaces the oldest.
fg-record -q --interval 0.2 --keep 2 -o 'kept/p.%T.folded' sh -c \
	'while [ -e kept/p.20200102T000000.000Z.folded ] || [ $(ls kept | grep -c "^p.20[^2]\|^p.202[1-9]") -lt 2 ]; do ./shapes busy 100; done' 
ls kept >names
lacks "--keep removes the oldest, of earlier runs too" '^p.2020010[12]T.*folded' names
if [ "$(id -u)" = 0 ]; then
	output "--keep leaves the newest files" 2 sh -c 'ls kept | grep -c "^p.20[^2]\|^p.202[1-9]"'
	has "--keep leaves files of another user" '^p.20200107T' names
fi
has "--keep leaves files with another name" '^q.20200101T' names
has "--keep leaves files without a full time" '^p.2020.folded' names
has "--keep leaves files with another suffix" '^p.20200101T000000.000Z.svg' names
has "--keep leaves files of other programs" '^p.20200103T' names
has "--keep leaves links" '^p.20200104T' names
check "--keep leaves the target of a link" test -f elsewhere/one
has "--keep leaves directories" '^p.20200105T' names
has "--keep leaves FIFOs" '^p.20200106T' names
# Files that were written before the clock was set back: the new ones are kept all the same.
mkdir later
for day in 1 2 3; do printf '%s\na 1\n' "$mark" >later/p.2099010${day}T000000.000Z.folded; done
fg-record -q --interval 0.2 --keep 2 -o 'later/p.%T.folded' sh -c \
	'while [ $(ls later | grep -cv "^p.2099") -lt 2 ]; do ./shapes busy 100; done'
output "--keep after the clock was set back: the files of this recording are left" 2 sh -c 'ls later | grep -cv "^p.2099"'
# A clock that stands still names all files by one millisecond.
cat >still.c <<'EOF'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *t)
{
	if (clock != CLOCK_REALTIME)
		return (int)syscall(SYS_clock_gettime, clock, t);
	*t = (struct timespec){.tv_sec = 1796000000, .tv_nsec = 999500000};
	return 0;
}
EOF
if $CC -shared -fPIC -o still.so still.c && LD_PRELOAD=./still.so fg-record -V >/dev/null 2>&1; then
	mkdir still
	echo 'mine' >still/p.20261130T005321.000Z.folded
	ln -s nowhere still/p.20261130T005321.002Z.folded
	LD_PRELOAD=$PWD/still.so fg-record -q --interval 0.2 -o 'still/p.%T.folded' env -u LD_PRELOAD sh -c \
		'i=0; while [ $i -lt 30 ] && [ $(ls still | wc -l) -lt 5 ]; do ./shapes busy 100; i=$((i + 1)); done'
	output "--interval: a name that exists is not used again" "20.999Z
21.000Z
21.001Z
21.002Z
21.003Z" sh -c 'ls still | sed -n "1,5s/.*T0053\(.*\).folded/\1/p"'
	output "--interval: the other program's file is as it was" mine cat still/p.20261130T005321.000Z.folded
	output "--interval: the file is not written through a link" nowhere readlink still/p.20261130T005321.002Z.folded
else
	skip "--interval: a name that exists is not used again" "no library can be put before fg-record's"
fi
check "--interval: files have the recorded header" sh -c 'for f in kept/p.2*; do
	[ ! -f "$f" ] || head -1 "$f"; done | grep -q "^# recorded: by fg-record 0$"'
fg-record -q --interval 0.2 -o 'few.%T.folded' \
	sh -c 'i=0; while [ $i -lt 30 ]; do /bin/true; i=$((i + 1)); done; ./shapes busy 600'
for f in few.*; do sed -n 's/^# label:.*threads=\([0-9]*\).*/\1/p' "$f"; done >threads
cp threads "$tmp/.said"
rated "--interval: the threads of earlier intervals are not counted again" \
	awk '{ sum += $1; last = $1 } END { exit sum < 31 || last > 15 }' threads
check "fg-filter omits the recorded header" sh -c '! fg-filter kept/q.* | grep recorded'
status "--keep needs the time in the last part" 125 \
	fg-record --interval 1 --keep 2 -o 'dir.%T/file' true
status "--keep needs --interval" 125 fg-record --keep 2 -o 'file.%T' true

# A program without a path (memfd) is not JIT code.
cat >memfd.c <<'EOT'
#include <sys/mman.h>
#include <fcntl.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv)
{
	static char bytes[65536];
	int from = open(argv[1], O_RDONLY), fd = memfd_create("hidden", MFD_CLOEXEC);
	ssize_t n;
	while ((n = read(from, bytes, sizeof bytes)) > 0)
		if (write(fd, bytes, (size_t)n) != n)
			return 1;
	fexecve(fd, argv + 1, environ);
	return argc;
}
EOT
$CC -D_GNU_SOURCE -o memfd memfd.c
fg-record -q -o memfd.folded ./memfd ./shapes busy 200
mostly "a program in a memfd has its names" 80 'main;outer;middle_\[i\];inner_\[i\];burn' memfd.folded
lacks "a program in a memfd is not JIT code" '_\[j\]' memfd.folded

# Incomplete stacks are counted, and reported with a hint.
cat >deep.c <<'EOT'
static volatile int counter;
__attribute__((noinline)) static int down(int n)
{
	if (n > 0)
		return down(n - 1) + 1;
	for (int i = 0; i < 100000000; i++)
		counter++;
	return 1;
}
int main(void)
{
	return down(300) == 0;
}
EOT
$CC -O1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -o deep deep.c
fg-record --call-graph fp -o o.folded ./deep 2>err
has "--call-graph fp: the kernel's limit is reported" 'perf_event_max_stack=' err
cat >clock.c <<'EOT'
#include <time.h>
int main(void)
{
	struct timespec t;
	for (long end = 0; end == 0 || t.tv_sec * 1000 + t.tv_nsec / 1000000 < end;) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		if (end == 0)
			end = t.tv_sec * 1000 + t.tv_nsec / 1000000 + 300;
	}
	return 0;
}
EOT
$CC -O2 -g -o clock clock.c
fg-record -o o.folded ./clock 2>err
lacks "a stripped vdso is not reported" 'vdso' err
if [ "$(uname -m)" = x86_64 ] && fg-record --version | grep -q ": Zydis$"; then
	bare="-O2 -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables"
	# shellcheck disable=SC2086
	$CC $bare -o bare "$here/programs/shapes.c" -pthread -ldl
	fg-record -o o.folded ./bare busy 300 2>err
	mostly "code without call frame information is followed by its returns" 80 \
		';(__libc_start_main|main)[_;]' o.folded
	! rates || lacks "code without call frame information: no warning" 'stacks? ends? before' err
	cat >endless.c <<'EOT'
#include <stdlib.h>
static volatile int counter;
__attribute__((noinline)) static void work(void)
{
	for (int i = 0; i < 1000000; i++)
		counter++;
	if (counter >= 300000000)
		exit(0);
}
__attribute__((noinline)) static void serve(void)
{
	for (;;)
		work();
}
int main(void)
{
	serve();
}
EOT
	# shellcheck disable=SC2086
	$CC $bare -o endless endless.c
	fg-record -o o.folded ./endless 2>err
	! rates || lacks "a function that does not return: no warning" 'stacks? ends? before' err
	strip endless
	fg-record -o o.folded ./endless 2>err
	! rates || lacks "a stripped function that does not return: no warning" 'stacks? ends? before' err

	# A call inside of a function whose call frame information does not change there: where it
	# expects the return address is a zero, the sign of a thread's first function.
	cat >inner.s <<'EOT'
	.text
	.globl host
	.type host, @function
host:
	.cfi_startproc
	sub $72, %rsp
	.cfi_def_cfa_offset 80
	movq $0, 64(%rsp)
	call 1f
	add $72, %rsp
	ret
1:	mov $1000000, %ecx
2:	dec %ecx
	jnz 2b
	ret
	.cfi_endproc
	.size host, . - host
	.section .note.GNU-stack, "", @progbits
EOT
	cat >inner.c <<'EOT'
void host(void);
int main(void)
{
	for (int i = 0; i < 1000; i++)
		host();
	return 0;
}
EOT
	$CC -O1 -g -o inner inner.c inner.s
	fg-record --no-header -o o.folded ./inner
	mostly "a call that call frame information leaves out: its caller is found" 80 \
		';main;host;host' o.folded
else
	skip "code without call frame information" "this build has no Zydis" libzydis-dev
fi
if [ -n "${stand-}" ]; then
	wait $stand
	check "a stalled symbolizer does not hold up the recording" test "$(cat stand.status)" = 7
	has "a stalled symbolizer is reported" 'symbolization made no progress for 30 s' stand.said
	mostly "a stalled symbolizer: frames have the names of their modules" 90 '^shapes;\[shapes\];.*\[shapes\]' stand.folded
fi
done_testing
