# Sourced by the tests of fg-collapse's formats.
#
#   text NAME OPTIONS EXPECTED <PROFILE   fg-collapse's stacks are EXPECTED
#   folded NAME OPTIONS EXPECTED          the stacks of ./in, with header lines
#   spoiled FILE                          copies truncated at every byte, and changed at every byte
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

# spoiled FILE: copies truncated at every byte, in cut/, and with every byte changed, in changed/.
spoiled() {
	rm -rf cut changed
	mkdir cut changed
	perl -e 'local $/; open my $f, "<:raw", $ARGV[0] or die; my $s = <$f>;
		for my $at (0 .. length($s) - 1) {
			my $c = $s;
			substr($c, $at, 1) = chr(255 - ord substr $s, $at, 1);
			for (["cut", substr $s, 0, $at], ["changed", $c]) {
				open my $out, ">:raw", sprintf "%s/%05d", $_->[0], $at or die;
				print $out $_->[1];
			}
		}' "$1"
}
