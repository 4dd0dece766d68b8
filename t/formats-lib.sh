# Sourced by the tests of fg-collapse's formats.
#
#   text NAME OPTIONS EXPECTED <PROFILE   fg-collapse's stacks are EXPECTED
#   folded NAME OPTIONS EXPECTED          the stacks of ./in, with header lines
#   spoiled FILE [STEP]                   copies truncated and changed at every byte, or every STEP bytes
#   unharmed FORMAT COMPLETE FILE...      the files on which fg-collapse fails other than with an error
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

# unharmed FORMAT COMPLETE FILE...: prints each file for which fg-collapse ends with another exit
# status than 0 and 2, with its last messages. A process reads the complete file and up to 100
# others after it, so that files without stacks are accepted. If one of them ends the process, it
# is read by a process of its own, as are those after it up to the first accepted one; after another
# exit status all 100 are. Each process has 5 s of CPU time and 1 GB of address space; a build with
# sanitizers, whose programs reserve more, has no limit of memory.
unharmed() (
	if (ulimit -v 1000000 && exec fg-collapse -V) >/dev/null 2>&1; then ulimit -v 1000000; fi
	ulimit -t 60
	exec perl -e '
		my ($format, $complete, @files) = @ARGV;
		my @messages;
		# The exit status of fg-collapse for these files.
		sub status {
			my $pid = fork // die;
			if ($pid == 0) {
				open STDOUT, ">/dev/null" or die;
				open STDERR, ">messages" or die;
				exec "fg-collapse", "-q", "-j", "1", "-f", $format, @_ or exit 127;
			}
			waitpid $pid, 0;
			open my $f, "<", "messages" or die;
			@messages = <$f>;
			return $? & 127 ? 128 + ($? & 127) : $? >> 8;
		}
		# The index of the file whose error ended the process, or undef.
		sub ended {
			my $status = shift;
			my ($file) = $status == 2 && @messages ? $messages[-1] =~ /^fg-collapse: ([^:]*):/ : ();
			return defined $file ? (grep { $_[$_] eq $file } 0 .. $#_)[0] : undef;
		}
		# Reads one file; true if it is an error.
		my $harmed = 0;
		sub alone {
			my $status = status($_[0]);
			if (! -e $_[0] || ($status != 0 && $status != 2)) {
				$harmed++;
				print "$_[0]: exit status $status\n", @messages > 3 ? @messages[-3 .. -1] : @messages;
			}
			return defined ended($status, $_[0]);
		}
		my $error = alone($complete);
		while (@files) {
			if ($error) {
				$error = alone(shift @files);
				next;
			}
			my @some = @files[0 .. ($#files < 99 ? $#files : 99)];
			my $status = status($complete, @some);
			my $end = ended($status, @some);
			if (defined $end) {
				splice @files, 0, $end;
				$error = 1;
				next;
			}
			splice @files, 0, scalar @some;
			next if $status == 0;
			my ($before, @all) = ($harmed, @messages);
			alone($_) for @some;
			$status == 2 || $harmed > $before ||
				print "$complete, $some[0] to $some[-1]: exit status $status\n", @all;
		}' "$@"
)

# damaged NAME FORMAT [STEP]: the copies of ./in from spoiled.
damaged() {
	spoiled in "${3-1}"
	unharmed "$2" in cut/* changed/* >harmed
	same "$1" /dev/null harmed
	rm -rf cut changed
}
