#!/usr/bin/perl
# record-kill.pl PROGRAM ROUNDS SEED [WAY...]: kills fg-record's processes by SIGKILL at random moments.
#
# PROGRAM prints "right" and ends with status 7 after half a second of CPU time. It is recorded in
# each way, and each part of fg-record is killed ROUNDS times. Prints a line for each part and way:
# the number of kills, and of rounds that ended as they must; the others on standard error.
use strict;
use warnings;
use POSIX qw(WIFEXITED WEXITSTATUS WIFSIGNALED);
use Time::HiRes qw(sleep time);

my ($program, $rounds, $seed, @only) = @ARGV;
# Another user's process is recorded with an opener.
my @other = $> == 0 ? ('setpriv', '--reuid=65534', '--regid=65534', '--clear-groups') : ();
my %way = (
	'command' => ['--'], '-p' => ['-p'], '--wall' => ['--wall', '-p'], '--off-cpu' => ['--off-cpu', '-p'],
	'--ptrace' => ['--ptrace', '-p'], '--heap' => ['--heap=4096', '--'], '--deep-stacks' => ['--deep-stacks', '-p'],
	'-a' => ['-a'], '--interval' => ['--interval', '0.2', '-p'],
);
my @part = ('front', 'recorder', 'fg-opener', 'fg-tracer', 'symbolizer');
srand $seed;
$| = 1;

# True if a process leads a session.
sub leads {
	my ($pid) = @_;

	open my $f, '<', "/proc/$pid/stat" or return 0;
	return (split ' ', (<$f> // '') =~ s/.*\)//r)[3] == $pid;
}

# Processes below a process, [pid, name] each.
sub below {
	my ($pid) = @_;
	my @found;

	for my $list (glob "/proc/$pid/task/*/children") {
		open my $f, '<', $list or next;
		for my $child (split ' ', <$f> // '') {
			open my $c, '<', "/proc/$child/comm" or next;
			chomp(my $name = <$c> // '');
			push @found, [$child, $name], below($child);
		}
	}
	return @found;
}

# True if fg-record continues in a child that leads a session: the other one forwards signals.
sub is_split {
	my $recorder = start('/dev/null', '/dev/null', 'fg-record', '-o', 'out.folded', 'sleep', 3);
	my $split = 0;

	for (my $i = 0; $i < 300 && !$split; $i++) {
		$split = grep { $_->[1] eq 'fg-record' && leads($_->[0]) } below($recorder);
		sleep 0.01;
	}
	waitpid $recorder, 0;
	unlink 'out.folded';
	return $split;
}

# The process that has the part, if there is one now.
sub find {
	my ($first, $part, $split) = @_;
	my @below = below($first);
	my ($recorder) = $split ? map { $_->[0] } grep { leads($_->[0]) } @below : $first;

	return $first if $part eq 'front' && $split;
	return $recorder // 0 if $part eq 'recorder';
	return 0 if $part eq 'front' || !$recorder;
	return (map { $_->[0] } grep { $_->[1] eq ($part eq 'symbolizer' ? 'fg-record' : $part) } below($recorder))[0] // 0;
}

sub start {
	my ($out, $err, @command) = @_;
	my $pid = fork // die;

	return $pid if $pid;
	open STDOUT, '>', $out or die;
	open STDERR, '>', $err or die;
	exec @command or die;
}

# What is wrong with a file that is in place; nothing if it is complete or refused.
sub judge_file {
	my ($file) = @_;
	my $sum = qx(fg-merge -q '$file' 2>merge.said);

	return "$file has no end, but is read" if $? == 0 && $sum ne '' && $sum !~ /^# end: /m;
	return () if $? == 0 || -s 'merge.said';
	return "fg-merge $file: status $?";
}

sub said {
	open my $f, '<', 'said' or return '';
	return join ' | ', map { chomp; $_ } <$f>;
}

sub one_round {
	my ($way, $part, $split) = @_;
	my @wrong;
	my @how = @{$way{$way}};
	my $commanded = $how[-1] eq '--';
	my $target = $commanded ? 0 : start('printed', '/dev/null', @other, $program);
	my @output = $way eq '--interval' ? ('-o', 'out.%T.folded') : ('-o', 'out.folded');
	my $recorder = start($commanded ? 'printed' : '/dev/null', 'said', 'fg-record', @output, @how,
		$commanded ? $program : $way eq '-a' ? () : $target);
	my $until = time + rand 1.1;
	my ($victim, $started, $name, $asked) = (0, !$commanded, $program =~ s{.*/}{}r, 0);

	# The symbolizer lives for some milliseconds: it is killed as soon as it is seen. Before the
	# program there is a child of the same name that becomes the program.
	while (time < $until || $part eq 'symbolizer') {
		$started ||= grep { $_->[1] eq $name } below($recorder);
		$victim = find($recorder, 'symbolizer', $split) if $started && $part eq 'symbolizer';
		last if $victim || waitpid($recorder, POSIX::WNOHANG()) != 0;
		# A second SIGINT would end it at once.
		$asked ||= kill 'INT', $recorder if $way eq '-a' && $part eq 'symbolizer' && time > $until;
		sleep 0.001 * (1 + rand 3);
	}
	my $ended = kill(0, $recorder) ? undef : $?;
	my @others = grep { $_->[1] =~ /^fg-/ } below($recorder);
	$victim ||= find($recorder, $part, $split) if !defined $ended;
	my $killed = $victim && kill 'KILL', $victim;

	kill 'INT', $recorder if $way eq '-a' && !$asked;
	if (!defined $ended) {
		my $give_up = time + 60;

		while (waitpid($recorder, POSIX::WNOHANG()) == 0) {
			if (time > $give_up) {
				push @wrong, 'fg-record does not end';
				kill 'KILL', $recorder;
				waitpid $recorder, 0;
				last;
			}
			sleep 0.005;
		}
		$ended = $?;
	}
	# A command outlives its recorder: it has ended when its output is complete.
	for (my $i = 0; $commanded && $i < 12000 && -z 'printed'; $i++) {
		sleep 0.01;
	}
	if ($target) {
		waitpid $target, 0;
		push @wrong, "the program's status is $?" if $? != 7 << 8;
	}
	open my $f, '<', 'printed' or die;
	my $printed = <$f> // '';
	push @wrong, "the program printed '$printed'"
		if $printed ne "right\n" && !($commanded && $part =~ /recorder|front/ && $printed eq '');
	for (my $i = 0; $i < 2000 && grep({ kill 0, $_->[0] } @others); $i++) {
		sleep 0.01;
	}
	push @wrong, map { "$_->[1] is left" } grep { kill 0, $_->[0] } @others;
	if ($killed && $part !~ /recorder|front/) {
		push @wrong, "fg-record died of signal " . ($ended & 127) if WIFSIGNALED($ended);
		push @wrong, 'fg-record failed without a word' if $ended >> 8 && !-s 'said' && !$commanded;
	}
	my @files = glob 'out.*';
	push @wrong, map { judge_file($_) } @files;
	push @wrong, 'status 0 without a profile: ' . said()
		if $part !~ /recorder|front/ && $ended == 0 && !@files && $way ne '--interval';
	push @wrong, map { "$_ is left" } grep { !/^(out\.|printed$|said$|merge\.said$)/ } glob '.[!.]* *';
	unlink @files;
	return ($killed, @wrong);
}

my $split = is_split();
for my $way (@only ? @only : sort keys %way) {
	for my $part (@part) {
		my ($kills, $right) = (0, 0);

		for (1 .. $rounds) {
			my ($killed, @wrong) = one_round($way, $part, $split);

			$kills++ if $killed;
			$right++ if !@wrong;
			print STDERR "$way, $part: ", join('; ', @wrong), "\n" if @wrong;
			last if $_ == 3 && $kills == 0; # this way has no such process
		}
		print "$way\t$part\t$kills\t$right\n" if $kills;
	}
}
