#!/usr/bin/perl
# circles.pl [DIRECTORY]: each circle of includes between the modules of common/ and cmd/, as
# `a -> b -> a'. A module is a .c file and its .h file together.
use strict;
use warnings;

chdir($ARGV[0] // '.') or die "$ARGV[0]: $!\n";
my %includes;
for my $file (split /\n/, `find common cmd -name '*.[ch]'`) {
	my ($module) = $file =~ m{^[^/]+/(.*)\.[ch]$};
	open my $in, '<', $file or die "$file: $!\n";
	while (<$in>) {
		next unless /^\s*#\s*include "(.*)\.[ch]"/ && $1 ne $module;
		$includes{$module}{$1} = 1 if -e "common/$1.h" || -e "cmd/$1.h" || -e "common/$1.c" || -e "cmd/$1.c";
	}
}

# The shortest way from a module back to itself, unless it leads through one that was done before.
my %done;
for my $from (sort keys %includes) {
	my %before = ($from => undef);
	my @next = ($from);
	while (defined(my $at = shift @next)) {
		if ($includes{$at}{$from}) {
			my @way = ($from);
			for (; $at ne $from; $at = $before{$at}) { unshift @way, $at; }
			print join(' -> ', $from, @way), "\n";
			last;
		}
		for (sort keys %{$includes{$at} // {}}) {
			next if exists $before{$_} || $done{$_};
			$before{$_} = $at;
			push @next, $_;
		}
	}
	$done{$from} = 1;
}
