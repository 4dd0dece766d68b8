#!/bin/sh
# fg-record --check: a line for each right, and its agreement with a recording.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

status '--check: exit status 0 without a target' 0 fg-record --check
fg-record --check >table
for what in 'perf events' 'hardware cycles' 'kernel frames' 'all CPUs' 'rings of 16 MB' 'deep stacks (BPF)' \
	'scripts by BPF' breakpoints ptrace 'processes of others' 'kernel symbols' tracefs; do
	printf '%-20s \n' "$what"
done >names
check '--check has a line for each right, which says yes, or no with its cost' awk '
	NR == FNR { name[++n] = substr($0, 1, 21); next }
	FNR > 1 && FNR <= n + 1 && (substr($0, 1, 21) != name[FNR - 1] || substr($0, 22) !~ /^(yes$|no: .)/) { bad = 1 }
	END { exit bad || FNR < n + 1 }' names table
says() { grep -q "^$1  *$2" table; } # WHAT yes|no
if may_sample; then
	check '--check: perf events, as a recording has them' says 'perf events' yes
else
	check '--check: no perf events, as in a recording' says 'perf events' no
fi
fg-record -q -a -d 0.1 -o all.folded 2>err && word=yes || word=no
check '--check: all CPUs, as -a does' says 'all CPUs' $word
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups true 2>/dev/null; then
	cp "$BIN/fg-record" . && chmod 755 . fg-record
	setpriv --reuid 65534 --regid 65534 --clear-groups ./fg-record --check >table
	check "--check of another user: no processes of others, and the command" \
		grep -q '^processes of others  no: .*; try sudo fg-record' table
	setpriv --reuid 65534 --regid 65534 --clear-groups ./fg-record -a -d 0.1 2>err >out
	check 'an error for want of a right names --check' grep -q 'fg-record --check lists all rights' err
fi
# Each message of the sources that proposes sudo, but for limits and hints of lost records, which are
# no rights: its statement and whether that has the hint.
cat >rights.pl <<'END_OF_SCRIPT'
my $limit = qr/max_stack|max_sample_rate|max_percent|THREADS_MANY|hint_for|%s%s|the program's own|seen\)|"--ring-size 64"/;
for my $file (@ARGV) {
	local $/;
	open my $in, '<', $file or die;
	my $text = <$in>;
	$text =~ s{/\*.*?\*/}{}gs;
	for (split /;\s*\n/, $text) {
		next unless /"[^"]*\bsudo\b/ or /"no permission to/;
		next if /$limit/;
		my ($said) = /"([^"]*(?:\bsudo\b|no permission)[^"]*)/;
		my $listed = $said =~ /^  / && $text =~ /cli_warn\(CHECK_HINT\);\n}/; # the list ends with it
		print /CHECK_HINT/ || $listed ? "hint" : "none: $file", " $said\n";
	}
}
END_OF_SCRIPT
find "$here/../cmd/fg-record" -name '*.c' ! -name check.c | sort | xargs perl rights.pl >messages
output 'each message for want of a right names --check' '' grep '^none' messages
check 'messages for want of a right are found' test "$(grep -c '^hint' messages)" -ge 12

if [ -x /usr/bin/python3 ]; then
	/usr/bin/python3 -c 'import time; time.sleep(600)' &
	pid=$!
	trap 'kill $pid; cd /; rm -rf "$tmp"' EXIT
	listed() { fg-record --check | grep -q '^runtime python  *[0-9]* process'; }
	check '--check lists the runtime of a running program' wait_for listed
fi
done_testing
