#!/bin/sh
# share/systemd: the service is confined as far as fg-record permits, its ExecStart is the
# installed program, and its filter permits each system call that fg-record needs.
# tier: full
. "$(dirname "$0")/lib.sh"
command -v systemd-analyze >/dev/null || skip_all 'there is no systemd-analyze' systemd

mkdir -p prefix/bin etc
make -s -C "$here/.." BUILD=1 O="$tmp/none" B="$BIN" PROGRAMS= COMPLETIONS= PREFIX="$tmp/a prefix" install-service >said 2>&1
unit="$tmp/a prefix/share/fg/systemd/fg-record.service"
check 'the unit has the installed path' grep -q "^ExecStart=\"$tmp/a prefix/bin/fg-record\" " "$unit"
mkdir -p "$tmp/a prefix/bin" && cp "$BIN/fg-record" "$tmp/a prefix/bin/"
cp "$unit" etc/fg-record.service
SYSTEMD_UNIT_PATH=$tmp/etc: systemd-analyze --man=no verify "$tmp/etc/fg-record.service" >said 2>&1
output 'systemd-analyze verify has no complaint' '' grep fg-record said
if systemd-analyze security --help 2>/dev/null | grep -q -- --offline; then
	systemd-analyze --no-pager --offline=yes security "$tmp/etc/fg-record.service" >said 2>&1
	exposure=$(sed -n 's/.*Overall exposure level for .*: \([0-9.]*\) .*/\1/p' said)
	check "systemd-analyze security: exposure at most 2.0: $exposure" awk -v e="$exposure" 'BEGIN { exit !(e != "" && e <= 2.0) }'
else
	skip 'exposure' 'this systemd-analyze cannot look at a file'
fi
for open in PrivateTmp=no ProtectHome=read-only; do
	check "the unit allows $open, for recorded programs" grep -qx "$open" "$unit"
done
check 'the thread that empties the rings may have real-time priority' \
	sh -c 'grep -qx RestrictRealtime=no "$1" && grep -qx LimitRTPRIO=1 "$1"' - "$unit"
status 'processes of others can be seen' 1 grep -q '^ProtectProc=\(invisible\|ptraceable\|noaccess\)' "$unit"

# Each system call of a recording like the service's is in the filter.
members() { # the system calls of a group
	systemd-analyze --no-pager syscall-filter "$1" 2>/dev/null | sed '1d; s/^ *//; /^#/d; /^$/d' | while read -r call; do
		case $call in @*) members "$call" ;; *) echo "$call" ;; esac
	done
}
: >allowed
sed -n 's/^SystemCallFilter=//p' "$unit" | while read -r line; do
	case $line in '~'*) deny=yes line=${line#?} ;; *) deny= ;; esac
	for call in $line; do
		case $call in @*) members "$call" ;; *) echo "$call" ;; esac
	done | sort -u >these
	if [ -n "$deny" ]; then sort -u allowed | comm -23 - these >next; else sort -u allowed these >next; fi
	mv next allowed
done
members @default >>allowed
sort -u -o allowed allowed
if command -v strace >/dev/null && strace -f -qq -o trace fg-record -q -a -F 49 -d 1.5 --interval 1 --keep 2 -o 'p.%T.folded' 2>said && [ -s trace ]; then
	sed -n 's/^[0-9]* *\([a-z_0-9]*\)(.*/\1/p' trace | sort -u >made
	comm -23 made allowed | grep -v -e '^execve$' >beyond
	same 'fg-record makes no system call that the filter refuses' /dev/null beyond
else
	skip 'system calls' 'no strace, or no right to record' strace
fi
done_testing
