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

# Outputs of each sample: got/, from its file; piped/, compressed; unixed/, with DOS line ends.
# said/ has the messages of -v, bad/ the errors found, messages/ all others, printed with the errors.
mkdir got piped unixed said bad messages
read_sample() {
	fg-collapse -v $options "$sample" >"got/$made" 2>"said/$made"
	if [ "$without" != 0 ] && grep -q 'was built without' "said/$made"; then
		return
	fi
	echo "$format $made $sample" >&3
	cat "compressed/$made" | fg-collapse -q $options >"piped/$made" 2>"bad/$made"
	# Text with DOS line ends has the same stacks.
	[ ! -e "dos/$made" ] || fg-collapse -q $options <"dos/$made" >"unixed/$made"
	for part in 1 2; do
		fg-collapse -q $options <"cut.$part/$made" >cut
		status=$?
		case $status in 0 | 2) ;; *) echo "truncated: exit status $status" >>"bad/$made" ;; esac
	done
} 2>"messages/$made"
for sample in "$here"/data/formats/*/*; do
	case $sample in *.folded | */options) continue ;; esac
	name=${sample#"$here"/data/formats/}
	format=${name%%/*}
	made=$format,${name#*/}
	options=
	[ ! -e "${sample%/*}/options" ] || read -r options <"${sample%/*}/options"
	read_sample
done 3>samples

# Compares the outputs of all samples; writes differences to bad/.
perl -e 'use strict; local $/;
	sub all { my $name = shift; open my $f, "<:raw", $name or return undef; return scalar <$f> // "" }
	for (split /\n/, <STDIN>) {
		my ($format, $made, $sample) = split / /, $_, 3;
		my ($got, $said, $want) = (all("got/$made"), all("said/$made"), all("$sample.folded"));
		open my $bad, ">>", "bad/$made" or die "bad/$made: $!";
		print $bad "no format $format in the messages:\n$said" if $said !~ /: format \Q$format\E$/m;
		print $bad $want // "$sample.folded: no such file\n", "is expected, not\n", $got if $got ne ($want // "none");
		for (["compressed through a pipe", "piped/$made"], -e "dos/$made" ? ["DOS line ends", "unixed/$made"] : ()) {
			print $bad "$_->[0]: other output than of the file:\n", all($_->[1]) if all($_->[1]) ne $got;
		}
		print $bad all("messages/$made") if tell $bad > 0;
	}' <samples || exit 1

for sample in "$here"/data/formats/*/*; do
	case $sample in *.folded | */options) continue ;; esac
	name=${sample#"$here"/data/formats/}
	made=${name%%/*},${name#*/}
	if [ ! -e "bad/$made" ]; then
		skip "$name" 'built without its library'
	elif [ -s "bad/$made" ]; then
		cp "bad/$made" "$tmp/.said"
		not_ok "$name"
	else
		ok "$name"
	fi
done
done_testing
