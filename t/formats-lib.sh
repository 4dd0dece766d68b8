# Sourced by the tests of fg-collapse's formats.
#
#   text NAME OPTIONS EXPECTED <PROFILE   fg-collapse's stacks are EXPECTED
#   folded NAME OPTIONS EXPECTED          the stacks of ./in, with header lines
#   spoiled FILE [STEP]                   copies truncated and changed at every byte, or every STEP bytes
#   unharmed FORMAT FILE...               the files on which fg-collapse fails other than with an error
#   damaged NAME FORMAT [STEP]            ok when fg-collapse reads all spoiled copies of ./in, or rejects them
. "$(dirname "$0")/lib.sh"

# With SAMPLES=DIRECTORY, copies ./in to DIRECTORY/FORMAT/NAME, unless that exists, ./in is large,
# or it needs options. t/data/formats/update uses this.
keep_sample() {
	[ -n "${SAMPLES-}" ] && [ "$(wc -c <in)" -le 24000 ] || return 0
	fg-collapse -v in >sample.folded 2>sample.said || return 0
	grep -q '^[^#]' sample.folded && ! grep -q 'left out$' sample.said || return 0
	format=$(sed -n 's/^fg-collapse: in: format //p' sample.said | head -n 1)
	as=$(printf '%s' "$1" | tr 'A-Z' 'a-z' | sed "s/^${format}[: ]*//; s/^[^:]*: //" | tr -cs 'a-z0-9' - | sed 's/^-//' | sed 's/^\(.\{1,34\}\)-.*/\1/; s/-$//')
	mkdir -p "$SAMPLES/$format"
	for other in "$SAMPLES/$format"/*; do
		cmp -s in "$other" && return
	done
	[ ! -e "$SAMPLES/$format/${as:-plain}" ] || as=$as-$(ls "$SAMPLES/$format" | wc -l)
	cp in "$SAMPLES/$format/${as:-plain}"
}

# text NAME OPTIONS EXPECTED: the profile on standard input; messages go to ./said.
text() {
	cat >in
	keep_sample "$1"
	printf '%s\n' "$3" >want
	[ -n "$3" ] || : >want
	eval "fg-collapse -q $2 in" 2>said | sed '/^# /d' >got
	same "$1" want got
}

# folded NAME OPTIONS EXPECTED: the profile ./in, with header lines; messages go to ./said.
folded() {
	keep_sample "$1"
	printf '%s\n' "$3" >want
	[ -n "$3" ] || : >want
	eval "fg-collapse -q $2 in" >got 2>said
	same "$1" want got
}

# spoiled FILE [STEP]: copies truncated at every byte, in cut/, and with every byte changed, in
# changed/; with STEP, at one byte of each STEP bytes.
spoiled() {
	rm -rf cut changed
	mkdir cut changed
	perl -e 'local $/; open my $f, "<:raw", $ARGV[0] or die; my $s = <$f>;
		for (my $at = 0; $at < length $s; $at += $ARGV[1]) {
			my $c = $s;
			substr($c, $at, 1) = chr(255 - ord substr $s, $at, 1);
			for (["cut", substr $s, 0, $at], ["changed", $c]) {
				open my $out, ">:raw", sprintf "%s/%05d", $_->[0], $at or die;
				print $out $_->[1];
			}
		}' "$1" "${2-1}"
}

# unharmed FORMAT FILE...: prints each file for which fg-collapse ends with another exit status than
# 0 and 2, with its last messages. Each file has 5 s of CPU time and 1 GB of address space; a build
# with sanitizers, whose programs reserve more, has no limit of memory. One process reads one file,
# since a file without stacks is an error, which ends fg-collapse.
unharmed() {
	format=$1 limit=unlimited
	shift
	if (ulimit -v 1000000 && exec fg-collapse -V) >/dev/null 2>&1; then limit=1000000; fi
	for f; do
		[ -e "$f" ] || echo "$f: does not exist"
		(ulimit -v $limit && limited 5 fg-collapse -q -j 1 -f "$format" "$f") >/dev/null 2>messages
		code=$?
		[ $code = 0 ] || [ $code = 2 ] || { echo "$f: exit status $code" && tail -n 3 messages; }
	done
}

# damaged NAME FORMAT [STEP]: the copies of ./in from spoiled.
damaged() {
	spoiled in "${3-1}"
	unharmed "$2" cut/* changed/* >harmed
	same "$1" /dev/null harmed
	rm -rf cut changed
}
