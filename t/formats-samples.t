#!/bin/sh
# Each sample of t/data/formats: detected format and expected output, from a file, compressed
# through a pipe, and with DOS line ends; no crash if truncated.
# tier: quick
. "$(dirname "$0")/formats-lib.sh"

# Whether this build lacks a library; only then may a sample be refused for that reason.
without=$(fg-collapse --version | grep -c ': not built in')

# Makes of each sample: compressed/, unless it is; cut.1/ and cut.2/, two thirds and a half of it;
# and of text dos/, with DOS line ends.
mkdir compressed cut.1 cut.2 dos
perl -MCompress::Zlib=memGzip -e 'local $/;
	sub put { my $to = shift; open my $f, ">:raw", $to or die "$to: $!"; print $f @_; close $f or die "$to: $!" }
	for my $sample (@ARGV) {
		open my $f, "<:raw", $sample or die "$sample: $!";
		my $s = <$f>;
		my ($name, $size) = ($sample =~ s{.*/formats/}{}r =~ tr{/}{,}r, length $s);
		put("compressed/$name", substr($s, 0, 4) =~ m{^\(.?/}s ? $s : memGzip($s));
		put("cut.1/$name", substr $s, 0, int($size * 2 / 3));
		put("cut.2/$name", substr $s, 0, int($size / 2));
		put("dos/$name", $s =~ s/[^\n]\K\z/\r/r =~ s/\n/\r\n/gr) if $s !~ /[\0-\10\16-\37\177-\377\r]/;
	}' "$here"/data/formats/*/*

for sample in "$here"/data/formats/*/*; do
	case $sample in *.folded | */options) continue ;; esac
	name=${sample#"$here"/data/formats/}
	format=${name%%/*}
	options=
	[ ! -e "$here/data/formats/$format/options" ] || options=$(cat "$here/data/formats/$format/options")
	: >"$tmp/.said"
	fg-collapse -v $options "$sample" >got 2>said
	if [ "$without" != 0 ] && grep -q 'was built without' said; then
		skip "$name" 'built without its library'
		continue
	fi
	grep -q ": format $format\$" said || cat said >>"$tmp/.said"
	diff -u "$sample.folded" got >>"$tmp/.said"
	made=$format,${name#*/}
	cat "compressed/$made" | fg-collapse -q $options >piped 2>>"$tmp/.said"
	cmp got piped >>"$tmp/.said" 2>&1
	# Text with DOS line ends has the same stacks.
	if [ -e "dos/$made" ]; then
		cat "dos/$made" | fg-collapse -q $options >unixed 2>said
		cmp got unixed >>"$tmp/.said" 2>&1 || cat said >>"$tmp/.said"
	fi
	for part in 1 2; do
		cat "cut.$part/$made" | fg-collapse -q $options >cut 2>said
		got=$?
		[ $got = 0 ] || [ $got = 2 ] || { echo "truncated: exit status $got" && cat said; } >>"$tmp/.said"
	done
	if [ -s "$tmp/.said" ]; then not_ok "$name"; else ok "$name"; fi
done
done_testing
