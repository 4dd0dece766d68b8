# Sourced by the tests of fg-collapse's formats.
#
#   text NAME OPTIONS EXPECTED <PROFILE   the stacks that fg-collapse makes of it
#   spoiled FILE                          it truncated at every byte, with every byte changed
. "$(dirname "$0")/lib.sh"

# text NAME OPTIONS EXPECTED: the profile on standard input; messages go to ./said.
text() {
	cat >in
	printf '%s\n' "$3" >want
	[ -n "$3" ] || : >want
	eval "fg-collapse -q $2 in" 2>said | sed '/^# /d' >got
	same "$1" want got
}

# spoiled FILE: it cut off at every byte, in cut/, and with every byte changed, in changed/.
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
