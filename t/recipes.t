#!/bin/sh
# share/recipes: profiles of many machines on common engines; each engine's result has the same
# bytes as one process. RECIPES=full uses 2 GB of perf script and 1,000 hosts.
# tier: full
. "$(dirname "$0")/lib.sh"

recipes=$here/../share/recipes
samples=20000 hosts=150
[ "${RECIPES-}" = full ] && samples=6000000 hosts=1000
export HOME="$tmp" PARALLEL_HOME="$tmp/parallel"

perf_script $samples >perf.txt
fg-collapse -q -e cycles perf.txt >one

# Profiles of hosts in three compressions; one profile is empty
mkdir hosts
awk -v n=$hosts 'BEGIN {
	srand(5)
	n1 = split("-rf|$(touch PWNED)|`touch PWNED`|a;touch PWNED;|a\n-b|a\"b\047c|{}|%s*?[x]\\", name, "|")
	for (h = 0; h < n; h++) {
		file = sprintf("hosts/%s %d.folded", h in name ? name[h] : "host", h)
		printf "# unit: ns 0\n# period: 10101010 ns 0\n" >file
		for (i = 0; h != 7 && i < 400; i++)
			printf "app;main;f%d;g%d;h%d %d\n", rand() * 9, rand() * 30, rand() * 40, 1 + rand() * 1e9 >file
		close(file)
	}
}'
for f in hosts/*; do
	fg-merge --allow-empty -o "$f" "$f"
done
fg-merge hosts/* >all
i=0
for f in hosts/*; do
	i=$((i + 1))
	case $((i % 4)) in
	1) gzip "$f" ;;
	2) xz "$f" 2>/dev/null || : ;;
	3) zstd -q --rm "$f" 2>/dev/null || : ;;
	esac
done

if command -v parallel >/dev/null; then
	PARALLEL=--will-cite BLOCK=$((samples * 15)) "$recipes/parallel-collapse" cycles perf.txt >got 2>said </dev/null
	same 'GNU parallel folds a perf script' one got
	check 'parallel-collapse: no message' test ! -s said
	PARALLEL=--will-cite "$recipes/parallel-merge" hosts >got 2>said </dev/null
	same "parallel-merge merges $hosts compressed profiles" all got
	check 'parallel-merge: no message' test ! -s said
	mkdir ./-d
	cp "hosts/"*rf* hosts/*touch* ./-d
	cp perf.txt "./-\$(touch PWNED) '\"x;.txt"
	PARALLEL=--will-cite "$recipes/parallel-merge" -d >got 2>said </dev/null
	fg-merge ./-d/* >want
	same 'parallel-merge: special characters in file names' want got
	PARALLEL=--will-cite BLOCK=$((samples * 15)) "$recipes/parallel-collapse" cycles "-\$(touch PWNED) '\"x;.txt" >got 2>said </dev/null
	same 'GNU parallel folds a file of any name' one got
	mkdir broken
	for f in hosts/*1.folded.gz; do
		head -c 100 "$f" >"broken/${f##*/}"
		break
	done
	PARALLEL=--will-cite "$recipes/parallel-merge" hosts broken >got 2>said </dev/null
	check 'GNU parallel: a truncated file is exit 1' test $? = 1
	same 'GNU parallel: the sum is that of the others' all got
	check 'GNU parallel: the truncated file is listed' grep -q 'truncated; the file is skipped' said
	check 'GNU parallel: missing files are counted' grep -q '1 files are missing from the sum' said
	mkdir killed
	printf '#!/bin/sh\n[ -e "%s" ] || { : >"%s"; kill -9 $$; }\nexec "%s" "$@"\n' \
		"$tmp/killed/once" "$tmp/killed/once" "$(command -v fg-merge)" >killed/fg-merge
	chmod +x killed/fg-merge
	PATH=$tmp/killed:$PATH PARALLEL=--will-cite "$recipes/parallel-merge" hosts >got 2>said </dev/null
	check 'GNU parallel: after a killed worker exit 2 and an empty output' test $? = 2 -a ! -s got -a -e killed/once
	mkdir bad
	printf 'b 1\na 1\n' >bad/1.folded
	status 'a file in no order fails it' 2 env PARALLEL=--will-cite "$recipes/parallel-merge" hosts bad </dev/null
else
	skip 'GNU parallel' 'there is no parallel' parallel
fi

# Perf script files of hosts, one of them empty
mkdir scripts
awk -v RS= '{ print $0 "\n" >("scripts/host" NR % 5 ".perf") }' perf.txt
: >scripts/quiet.perf

# The steps of Hadoop Streaming with its three commands: map each input; partition the output by a
# hash of the keys, which end at the first TAB, and sort it by key; combine each piece; merge the
# pieces of a partition in key order; reduce.
mkdir straw
cat >straw/hadoop <<'END'
#!/bin/sh
[ "$1" = jar ] || exit 2
shift 2
while [ $# -gt 0 ]; do
	case $1 in
	-D) case $2 in *reduces=*) reduces=${2#*=} ;; esac ;;
	-files) for f in $(echo "$2" | tr ',' ' '); do
		case $f in *'#'*) cp "${f%#*}" "${f#*#}" ;; *) cp "$f" . ;; esac
	done ;;
	-mapper) map=$2 ;;
	-combiner) combine=$2 ;;
	-reducer) reduce=$2 ;;
	-input) in=$2 ;;
	-output) out=$2 ;;
	*) exit 2 ;;
	esac
	case $2 in -*) exit 2 ;; esac
	shift 2
done
mkdir "$out" spill
m=0
for f in "$in"/*; do
	m=$((m + 1))
	sh -c "$map" <"$f" >mapped || exit 1
	REDUCES=$reduces MAP=$m perl -ne 'chomp; ($key) = split /\t/, $_, 2; $hash = 0;
		$hash = ($hash * 31 + $_) % 1000003 for unpack "C*", $key;
		open $part, ">>", "spill/" . $hash % $ENV{REDUCES} . ".$ENV{MAP}" or die;
		print $part "$_\n"; close $part' mapped || exit 1
done
for p in $(seq 0 $((reduces - 1))); do
	for f in spill/$p.*; do
		[ -e "$f" ] || continue
		LC_ALL=C sort -s -t "$(printf '\t')" -k1,1 "$f" | sh -c "$combine" >"$f.combined" || exit 1
	done
	cat spill/$p.*.combined 2>/dev/null | LC_ALL=C sort -s -t "$(printf '\t')" -k1,1 | sh -c "$reduce" >"$out/part-$p" || exit 1
done
END
chmod +x straw/hadoop
if perl -e 1 2>/dev/null; then
	mkdir hadoop
	(cd hadoop && PATH="$tmp/straw:$PATH" REDUCES=7 "$recipes/hadoop-fold" cycles "$tmp/scripts" out)
	cat hadoop/out/part-* | fg-merge >got
	same 'Hadoop Streaming' one got
	check 'Hadoop Streaming writes seven parts' test "$(ls hadoop/out | wc -l)" = 7
	cat hadoop/out/part-* | grep -v '^# ' | cut -f1 | sort | uniq -d >twice
	: >nothing
	same 'each stack is in one part' nothing twice
	perf_script 40 >few.txt
	fg-collapse -q -e cycles few.txt >few
	newline='a
b'
	number=0
	for given in 'a b' "a'b" 'a"b' 'a;b' 'a$(touch PWNED)b' 'a`touch PWNED`b' "$newline" 'a&b|c>d' -rf --help -input; do
		number=$((number + 1))
		mkdir -p "hadoop/$number/./$given"
		cp few.txt "hadoop/$number/./$given/./$given"
		(cd hadoop/$number && PATH="$tmp/straw:$PATH" REDUCES=1 "$recipes/hadoop-fold" cycles "$given" "$given.out")
		cat "hadoop/$number/./$given.out/part-0" | fg-merge >got
		same "hadoop-fold: hostile name $number is data" few got
		check "hadoop-fold: no command of name $number was run" test ! -e hadoop/$number/PWNED
	done
	for given in 'a,b' 'a*' 'a?' 'a[b' 'a]' 'a{b' 'a}' 'a\z' '${user.name}' '"a' 'a"' ''; do
		PATH="$tmp/straw:$PATH" "$recipes/hadoop-fold" cycles "$given" none >said 2>&1
		check "hadoop-fold: input '$given' is refused" test $? = 2
		check "hadoop-fold: the message has input '$given'" grep -qF "bad input '$given'" said
		PATH="$tmp/straw:$PATH" "$recipes/hadoop-fold" cycles hosts "$given" >said 2>&1
		check "hadoop-fold: output '$given' is refused" test $? = 2
		check "hadoop-fold: the message has output '$given'" grep -qF "bad output '$given'" said
	done
	for event in "x'; touch PWNED; '" '$(touch PWNED)' '`touch PWNED`' 'cycles -o PWNED' -h; do
		rm -rf hadoop/events
		mkdir -p hadoop/events/in
		cp few.txt hadoop/events/in
		(cd hadoop/events && PATH="$tmp/straw:$PATH" REDUCES=1 "$recipes/hadoop-fold" "$event" in out) >said 2>&1
		check "hadoop-fold: event \"$event\" is the name of an event" test ! -e hadoop/events/PWNED -a \
			-e hadoop/events/out/part-0 -a "$(grep -vc '^# ' hadoop/events/out/part-0)" = 0
	done
else
	skip 'Hadoop Streaming' 'there is no perl' perl
fi

if command -v python3 >/dev/null; then
	mkdir plain
	for f in hosts/*; do
		fg-merge -q --allow-empty -o "plain/${f##*/}" "$f"
	done
	PYTHONPATH=$here/data/pyspark python3 "$recipes/spark-merge.py" 'plain/*' spark 2>said
	cat spark/part-* | fg-merge >got
	same "Spark's pipe" all got
	check "Spark's pipe writes eight parts" test "$(ls spark | wc -l)" = 8
else
	skip "Spark's pipe" 'there is no python3' python3
fi

# The tasks of Slurm, run one by one without Slurm: a worker is killed, a file is truncated.
# tasks: prints whether tasks 1 and 2, and then the sum, succeeded
tasks() {
	for SLURM_ARRAY_TASK_ID in 1 2; do
		export SLURM_ARRAY_TASK_ID
		"$recipes/slurm-map" "$tmp/tasks" && echo done || echo failed
	done
	"$recipes/slurm-reduce" "$tmp/tasks" && echo sum || echo 'no sum'
} 2>/dev/null
mkdir tasks collapse
grep -v '^# ' one >plain.one
grep -v '^# ' all >plain.all
fg-merge plain.one plain.all plain.all >want
printf '%s\0' "$tmp/plain.one" "$tmp/plain.all" "$tmp/plain.all" >tasks/inputs
echo 2 | tee tasks/chunk >tasks/pieces
: >tasks/event
printf '#!/bin/sh\n[ -e "%s" ] || { : >"%s"; kill -9 $$; }\nexec "%s" "$@"\n' \
	"$tmp/collapse/once" "$tmp/collapse/once" "$(command -v fg-collapse)" >collapse/fg-collapse
chmod +x collapse/fg-collapse
PATH=$tmp/collapse:$PATH tasks >got
printf '%s\n' failed done 'no sum' >states
same 'Slurm tasks: a killed worker fails its task and the sum' states got
check 'Slurm tasks: no file with a sum exists' test -e collapse/once -a ! -e tasks/all.folded
output 'Slurm tasks: the piece is listed' 1 cat tasks/missing
tasks >got
printf '%s\n' done done sum >states
same 'Slurm tasks: done again, all succeed' states got
same 'Slurm tasks: then the sum is exact' want tasks/all.folded
rm tasks/piece.* tasks/all.folded
head -c "$(($(wc -c <plain.one) - 1))" plain.one >cut.one
printf '%s\0' "$tmp/plain.all" "$tmp/plain.all" "$tmp/cut.one" >tasks/inputs
tasks >got
printf '%s\n' done failed 'no sum' >states
same 'Slurm tasks: a file without its last newline is truncated' states got
rm tasks/pieces
status 'Slurm tasks: a missing WORK/pieces is exit 2' 2 "$recipes/slurm-reduce" tasks
if command -v parallel >/dev/null; then
	rm collapse/once
	PATH=$tmp/collapse:$PATH PARALLEL=--will-cite BLOCK=$((samples * 15)) "$recipes/parallel-collapse" \
		cycles perf.txt >got 2>said </dev/null
	check 'parallel-collapse: after a killed worker exit 2 and an empty output' test $? = 2 -a ! -s got -a -e collapse/once
fi

# A Slurm cluster of only this machine, for the duration of this test
slurm() {
	host=$(hostname -s)
	mkdir -p slurm/state slurm/spool || return 1
	cat >slurm.conf <<-END
		ClusterName=fg
		SlurmctldHost=$host(127.0.0.1)
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		SlurmctldPort=$((20000 + $$ % 20000))
		SlurmdPort=$((40000 + $$ % 20000))
		AuthType=auth/none
		CredType=cred/none
		StateSaveLocation=$tmp/slurm/state
		SlurmdSpoolDir=$tmp/slurm/spool
		SlurmctldPidFile=$tmp/slurm/ctld.pid
		SlurmdPidFile=$tmp/slurm/d.pid
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
		SwitchType=switch/none
		MpiDefault=none
		AccountingStorageType=accounting_storage/none
		JobAcctGatherType=jobacct_gather/none
		JobCompType=jobcomp/none
		NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
		PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
	END
	export SLURM_CONF="$tmp/slurm.conf"
	slurmctld -D >slurm/ctld.log 2>&1 &
	ctld=$!
	slurmd -D -N "$host" >slurm/d.log 2>&1 &
	slurmd=$!
	trap 'kill $slurmd $ctld 2>/dev/null; wait; cd /; rm -rf "$tmp"' EXIT
	wait_for idle_or_ended
	idle
}
idle() { timeout 300 sinfo -h 2>/dev/null | grep -q idle; }
idle_or_ended() { idle || ! kill -0 $ctld || ! kill -0 $slurmd; }

# waited JOB: waits until JOB has ended
waited() {
	wait_for has_ended "$1"
}
has_ended() {
	case $(scontrol show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p') in
	COMPLETED|FAILED|CANCELLED|'') return 0 ;;
	esac
	return 1
}

PATH=$PATH:/usr/sbin
if ! command -v slurmctld >/dev/null || ! command -v slurmd >/dev/null; then
	skip 'Slurm' 'there is no slurmctld or no slurmd' slurm-wlm
elif ! slurm; then
	skip 'Slurm' "it does not start here: $(tail -n 1 slurm/ctld.log slurm/d.log | tr '\n' ' ')"
else
	job=$(CHUNK=40 "$recipes/slurm-submit" fleet hosts/*)
	waited "$job"
	same "slurm: a job array merges $hosts compressed profiles" all fleet/all.folded
	job=$(EVENT=cycles CHUNK=3 "$recipes/slurm-submit" scripts.d scripts/*)
	waited "$job"
	same 'Slurm folds scripts, one of them empty' one scripts.d/all.folded
	gzip -c all | head -c 1000 >garbage
	job=$(CHUNK=1 "$recipes/slurm-submit" failing plain/*1.folded* garbage plain/host*2.folded*)
	waited "$job"
	check 'Slurm: a truncated file is not passed over' test ! -e failing/all.folded
	output 'slurm: a truncated file is listed as missing' "$(ls plain/*1.folded* | wc -l | awk '{ print $1 + 1 }')" cat failing/missing
	fg-merge plain/*1.folded* plain/host*2.folded* >want
	same 'slurm: the pieces beside a truncated file are merged' want failing/part.folded
	set -- plain/*3.folded*
	cp "$1" garbage
	job=$(cd failing && sbatch --parsable --array="$(cat missing)" -o log.again "$recipes/slurm-map" "$tmp/failing")
	waited "$job"
	job=$(sbatch --parsable -o failing/log "$recipes/slurm-reduce" "$tmp/failing")
	waited "$job"
	fg-merge plain/*1.folded* plain/host*2.folded* garbage >want
	same 'slurm: the merge is complete after a second run of the piece' want failing/all.folded
	# Slurm kills a worker in the middle of its input, first by scancel, then with its node.
	# The input is a pipe that stays open while it has a reader.
	# halfway WORK: submits the job of WORK; returns when its first two tasks have written
	# their pieces and the third has read half of the pipe
	halfway() {
		rm -f pipe opened
		mkfifo pipe
		timeout 1800 sh -c 'trap "" PIPE; exec 9>pipe; head -n 200 plain.all >&9; : >opened
			while echo >&9; do sleep 0.2; done' 2>/dev/null &
		writer=$!
		reduce=$(SBATCH_NO_REQUEUE=1 CHUNK=1 "$recipes/slurm-submit" "$1" plain.one plain.all pipe)
		array=$(scontrol show job "$reduce" | sed -n 's/.*Dependency=afterany:\([0-9]*\).*/\1/p')
		wait_for eval "[ -e opened ] && [ -e $1/piece.1 ] && [ -e $1/piece.2 ]"
	}
	# again WORK: once the killed worker and its job are gone, its task runs again with the
	# complete input
	again() {
		waited "$reduce"
		wait $writer
		ls "$1" | grep -e '^piece.3' -e '^all' >there
		same "Slurm, $1: neither the piece nor the sum exists" nothing there
		output "Slurm, $1: the task is listed" 3 cat "$1/missing"
		rm pipe
		cp plain.all pipe
		job=$(cd "$1" && sbatch --parsable --array="$(cat missing)" -o log.again "$recipes/slurm-map" "$tmp/$1")
		waited "$job"
		job=$(sbatch --parsable -o "$1/log" "$recipes/slurm-reduce" "$tmp/$1")
		waited "$job"
		same "Slurm, $1: the sum is exact after another run of the task" want "$1/all.folded"
	}
	: >nothing
	fg-merge plain.one plain.all plain.all >want
	check 'Slurm: a worker has read a half of its input' halfway cancelled
	check 'Slurm: scancel ends it' scancel "${array}_3"
	again cancelled
	check 'Slurm: another worker has read a half of its input' halfway node-failed
	check 'Slurm: its node fails' scontrol update nodename="$host" state=down reason=test
	check 'Slurm: the node is back' scontrol update nodename="$host" state=resume
	again node-failed
fi
check 'no file name was executed' test ! -e PWNED
# cargo-fg passes names on unchanged; cargo and fg-record are stub scripts here.
mkdir cargo
cat >cargo/cargo <<'END'
#!/bin/sh
printf '<%s>\n' "$@" >"$CARGO_ARGUMENTS"
exec $CARGO_TARGET_ANY_RUNNER app
END
cat >cargo/record <<'END'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
echo 'main;f 1' >"$2"
END
chmod +x cargo/cargo cargo/record
export CARGO="$tmp/cargo/cargo" FG_RECORD="$tmp/cargo/record" CARGO_ARGUMENTS="$tmp/cargo/arguments"
mkdir cargo/out
newline='a
b'
number=0
for name in 'a b' "a'b" 'a"b' 'a;b' 'a$(touch PWNED)b' 'a`touch PWNED`b' "$newline" -rf --help; do
	number=$((number + 1))
	(cd cargo/out && "$recipes/cargo-fg" fg --target any --manifest-path "$name" --title "$name" -o "$name.svg" \
		--folded "$name") >said 2>&1
	check "cargo-fg: hostile name $number is data" sh -c '[ -s "cargo/out/./$1" ] && [ -s "cargo/out/./$1.svg" ] &&
		[ ! -e cargo/out/PWNED ] && tr "\n" " " <cargo/arguments | grep -qF -- "<$(printf %s "$1" | tr "\n" " ")>"' - "$name"
done
status 'cargo-fg: a command in a profile name is refused' 2 sh -c \
	'cd cargo/out && "$1" fg --target any --profile "x}\$(touch PWNED)"' - "$recipes/cargo-fg"
check 'cargo-fg: no command of a name was run' test ! -e cargo/out/PWNED
output 'cargo-fg: an empty value is an argument' '<>' sh -c \
	'cd cargo/out && "$1" fg --target any --manifest-path "" >/dev/null 2>&1; grep -x "<>" "$CARGO_ARGUMENTS"' - "$recipes/cargo-fg"
unset CARGO FG_RECORD CARGO_ARGUMENTS

done_testing
