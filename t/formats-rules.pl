#!/usr/bin/perl
# formats-rules.pl RULE...: folded to folded, the rules applied to the frames of every
# stack, equal stacks added up, sorted, headers gone. Each rule brings a reference and
# our own output together and says why they differ.
use strict;
use warnings;

sub brackets { # s without the bracketed list at its end, if that is one of arguments
	my ($s) = @_;
	return $s unless $s =~ /\)( const)?$/ && $s !~ /^\(anonymous namespace\)$/;
	my $t = $s =~ s/ const$//r;
	my ($depth, $i) = (0, length $t);
	while ($i-- > 0) {
		my $c = substr $t, $i, 1;
		$depth++ if $c eq ')';
		last if $c eq '(' && --$depth == 0;
	}
	my $name = substr $t, 0, $i;
	return $i <= 0 || $name =~ /(operator|[ .:])$/ || substr($t, $i) =~ /^\(anonymous/ ? $s : $name;
}

my %rule = (
	# We cut lists of arguments off every name.
	arguments => sub { map { brackets($_) } @_ },
	# eu-stack -m: stackcollapse-elfutils.pl keeps the module behind the name.
	dash => sub { map { s|^- .*/(.*)|[$1]|r =~ s/ - .*//r } @_ },
	# faulthandler: we write Python's functions as py-spy does.
	python => sub { map { /^(.*):(.*?):(.*?)$/ && !/\)$/ ? "$3 ($1" . ($2 eq '???' ? '' : ":$2") . ')' : $_ } @_ },
	# Threads are at the root as every comm is: with _ for a space.
	underscore => sub { my $root = shift; ($root =~ tr/ /_/r, @_) },
	# jstack without names: stackcollapse-jstack.pl leaves out threads without frames.
	frameless => sub { @_ == 1 && $_[0] eq '[unknown]' ? () : @_ },
	# It has no name for a class without a package when packages are shortened.
	classless => sub { map { /^[^.]*(\/0x[0-9a-f]+)?\.[^.]*$/ ? '' : $_ } @_ },
	# stackcollapse-faulthandler.pl drops frames without a line.
	lineless => sub { grep { /:\d+(:|\)$)/ } @_ },
	trimmed => sub { map { s/\s+$//r } @_ },
);

my (@rules, %sum) = ();
for (@ARGV) {
	die "no rule $_\n" unless $rule{$_};
	push @rules, $rule{$_};
}
while (<STDIN>) {
	chomp;
	next if /^# / || /^\s*$/;
	my ($stack, $value) = /^(.*) ([0-9.]+)$/ or die "not folded: $_\n";
	my @frames = split /;/, $stack, -1;
	@frames = $_->(@frames) for @rules;
	$sum{join ';', @frames} += $value if @frames;
}
print "$_ $sum{$_}\n" for sort keys %sum;
