#!/bin/sh
# tier: full
# fg-record -p NAME, --every, --with-children, --cgroup: which processes they find and record.
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "perf_event_open is refused here"

cat >spin.c <<'END'
#include <signal.h>
#include <unistd.h>
__attribute__((noinline)) void spin_here(void) { for (volatile long i = 0; i < 1000; i++) continue; }
static void quit(int s) { (void)s; _exit(0); }
int main(void) { signal(SIGTERM, quit); alarm(1800); for (;;) spin_here(); }
END
cat >parent.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) { if (fork() == 0) execv(argv[argc - 1], argv + argc - 1); wait(0); return 0; }
END
prog=fgfind$$
$CC -O1 -o $prog spin.c
$CC -O1 -o ${prog}p parent.c
$CC -O1 -o a_program_with_a_name_of_over_15_bytes spin.c
run() {
	"$@" &
	pids="${pids-} $!"
	last=$!
}
trap 'kill $pids 2>/dev/null; cd /; rm -rf "$tmp"' EXIT

status "-p NAME: no such process is an error" 125 fg-record -p $prog -d 0.1
fg-record -p $prog -d 0.1 2>err
has "-p NAME: the message of an unknown name" \
	"^fg-record: --pid $prog: no process has this command or script name$" err
run ./$prog
first=$last
started $last $prog
status "-p NAME: one process of this name is recorded" 0 fg-record -q -p $prog -d 0.1 -o one
until_samples 1 one -p $prog -d 0.5
has "-p NAME: its function is in the profile" "^$prog;.*;spin_here" one
run ./$prog
second=$last
started $last $prog
status "-p NAME: two processes of one name are an error" 125 fg-record -p $prog -d 0.1
fg-record -p $prog -d 0.1 2>err
has "-p NAME: the message lists both processes, with their command lines" \
	"2 processes have this name: .*$second \\(./$prog\\)" err

# A server with its workers: a process and its children of the same name.
cat >family.c <<-'EOT'
	#include <unistd.h>
	__attribute__((noinline)) static void serve(void) { for (volatile long i = 0;; i++); }
	int main(void) { if (fork() == 0 || fork() == 0) serve(); pause(); return 0; }
EOT
$CC -O1 -o "family-$$" family.c 2>/dev/null
"./family-$$" &
family=$!
started $family "family-$$"
workers() { [ "$(pgrep -cP $family)" = 2 ]; }
wait_for workers
pids="$pids $family $(pgrep -P $family)"
status "-p NAME: a process and its children are recorded" 0 fg-record -q -p "family-$$" -d 0.1 -o served
status "-p NAME: a process and its children beside another of the name are an error" 125 sh -c \
	'./"$0" & other=$!; until [ "$(pgrep -cP $other)" = 2 ]; do sleep 0.1; done
	fg-record -p "$0" -d 0.1; said=$?; pkill -P $other; kill $other; exit $said' "family-$$"

# A script by its name, as an interpreter's command line has it; the interpreter is a copy of the
# program under an interpreter's name.
cp $prog lua
run ./lua -r module /srv/find-this.lua 1234567890123456789012345678901234567890123456789012345 end
script=$last
started $script lua
status "-p SCRIPT: one process that runs it is recorded" 0 fg-record -q -p find-this.lua -d 0.1 -o script
run ./lua find-this.lua
started $last lua
fg-record -p find-this.lua -d 0.1 2>err
has "-p SCRIPT: two are listed, with complete command lines" \
	"2 processes have this name: .*$script \(./lua -r module /srv/find-this.lua 1234567890123456789012345678901234567890123456789012345 end\)" err
for other in module 12345 lua-script; do
	status "-p SCRIPT: an argument of the script is not its name: $other" 125 fg-record -p $other -d 0.1
done
status "-p NAME --every: both are recorded" 0 fg-record -q -p $prog --every -d 0.1 -o both
# The recording lasts until both have had a CPU for a fifth of a second.
fg-record -q --show-pid -p $prog --every -o both &
recorder=$!
recording $recorder
for pid in $first $second; do
	until_ran $pid 20
done
kill -TERM $recorder
wait $recorder
check "-p NAME --every: samples of both processes" \
	sh -c "[ \$(grep -o '^$prog-[0-9]*' both | sort -u | wc -l) = 2 ]"
run ./a_program_with_a_name_of_over_15_bytes
executes() { [ "$(readlink /proc/"$1"/exe)" = "$tmp/$2" ]; }
wait_for executes $last a_program_with_a_name_of_over_15_bytes
status "-p NAME: a name longer than a comm is that of the executable" 0 \
	fg-record -q -p a_program_with_a_name_of_over_15_bytes -d 0.2 -o long
status "-p NUMBER,NAME: both kinds in one list" 0 \
	fg-record -q -p $second,a_program_with_a_name_of_over_15_bytes -d 0.2 -o list
status "--every without a name is refused" 125 fg-record --every -p 1 -d 0.1
status "--with-children of a command is refused" 125 fg-record --with-children -- true
status "-p with an empty name is refused" 125 fg-record -p 1,,2 -d 0.1
kill $pids
pids=

run ./${prog}p ./$prog
parent=$last
wait_for pgrep -P $parent -x $prog
child=$(pgrep -P $parent)
pids="$pids $child"
fg-record -p $parent -d 0.3 -o none 2>err
has "-p of a parent whose children work: the note names them" "but they have children: $child \(./$prog\)" err
status "-p --with-children records the existing children" 0 fg-record -q -p $parent --with-children -d 0.1 -o children
until_samples 1 children -p $parent --with-children -d 0.5
has "-p --with-children: the child's function is in the profile" "^$prog;.*;spin_here" children

group=
status "--cgroup \"\" is an error, not all processes" 125 fg-record --cgroup "" -d 0.1
for root in /sys/fs/cgroup /sys/fs/cgroup/unified; do
	[ -e $root/cgroup.procs ] && mkdir $root/fg-test-$$ 2>/dev/null && group=$root/fg-test-$$ && break
done
if [ "$group" ]; then
	mkdir $group/below
	trap 'kill $pids 2>/dev/null; wait_for rmdir $group/below; rmdir $group; cd /; rm -rf "$tmp"' EXIT
	status "--cgroup of an empty group is an error" 125 fg-record --cgroup fg-test-$$ -d 0.1
	if echo $child >$group/below/cgroup.procs 2>/dev/null; then
		for form in $group fg-test-$$ below; do
			[ $form = below ] && form=fg-test-$$/below
			status "--cgroup ${form##*-$$}: a group is found" 0 fg-record -q --cgroup $form -d 0.1 -o group
			until_samples 1 group --cgroup $form -d 0.3
			has "--cgroup ${form##*-$$}: its process is recorded" "^$prog;.*;spin_here" group
		done
	else
		skip "--cgroup" "a process cannot be moved into a control group here"
	fi
else
	skip "--cgroup" "no control group can be made here"
fi
status "--cgroup of a group that does not exist is an error" 125 fg-record --cgroup no-such-group-$$ -d 0.1
done_testing
