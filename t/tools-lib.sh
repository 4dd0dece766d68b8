# Sourced by the tests of fg-tools(7), "From a profiler to a picture": the commands of a tool, as
# in the manual, give a picture that contains a known function of the program.
. "$(dirname "$0")/lib.sh"
CC=${CC:-cc}

# Prints a row's commands: from `.\" test NAME PICTURE FUNCTION` to the end of the block.
commands() {
	awk -v name="$1" '$1 == ".\\\"" && $2 == "test" { on = $3 == name }
		on && /^\.Ed/ { exit } on && lit { print } on && /^\.Bd/ { lit = 1 }' \
	    "$here/../man/fg-tools.7" | sed 's/^\\&//; s/\\e/\\/g'
}

# True if process $1 has used a second of CPU time, or has ended: it is computing then.
at_work() {
	[ "$(awk '{ sub(/.*\) /, ""); print $12 + $13 }' /proc/"$1"/stat || echo 100)" -ge 100 ]
}

# shown NAME: runs the row's commands here. shown NAME COMMAND...: runs them while COMMAND runs.
shown() {
	name=$1
	shift
	set -- "$(sed -n "s/^\.\\\\\" test $name \([^ ]*\) .*/\1/p" "$here/../man/fg-tools.7")" \
	    "$(sed -n "s/^\.\\\\\" test $name [^ ]* //p" "$here/../man/fg-tools.7")" "$@"
	rm -f app.* "$1" folded
	cp -r kept/* .
	commands "$name" >run.sh
	picture=$1 function=$2
	shift 2
	running=
	if [ $# -gt 0 ]; then
		"$@" >/dev/null 2>&1 &
		running=$!
		wait_for at_work $running
	fi
	timeout 900 sh -e run.sh >said 2>&1 </dev/null
	got=$?
	[ -z "$running" ] || { kill $running 2>/dev/null; wait $running 2>/dev/null; }
	{ cat run.sh; echo "exit $got"; tail -n 20 said; head -n 9 folded; } >"$tmp/.said"
	if [ $got = 0 ] && grep -q -- "$function" folded && grep -q '</svg>' "$picture"; then ok "$name"; else not_ok "$name"; fi
}

have() {
	for tool in "$@"; do
		command -v "$tool" >/dev/null || return 1
	done
}

# fg-render, with a copy of its input in ./folded.
mkdir kept bin
cat >bin/fg-render <<END
#!/bin/sh
tee "$tmp/folded" | "$(command -v fg-render)" "\$@"
END
# pgrep, of the processes that this test has started.
if command -v pgrep >/dev/null; then
	cat >bin/pgrep <<-END
		#!/bin/sh
		exec "$(command -v pgrep)" -P $$ "\$@"
	END
fi
chmod +x bin/*
PATH=$tmp/bin:$PATH

json=$(fg-collapse --version | grep '^JSON profiles: yajl')

# row TOOLS NEEDED NAME [COMMAND...]
row() {
	tools=$1 needed=$2 row=$3
	shift 2
	if ! have $tools; then
		skip "$row" "no $tools" "$tools"
	elif [ "$needed" = - ]; then
		skip "$row" 'built without its library'
	else
		shown "$@"
	fi
}
