#!/usr/bin/perl
# ci-rights.pl FILE...: reads workflows of GitHub; prints a line for each right that the code of a pull
# request could use. That code runs in a workflow of the event pull_request: its job has no right to
# write and no token. The workflow that writes follows it, and has none of its code.
use strict;
use warnings;

# The values of all keys of that name: the rest of the line and the lines with a larger indent.
sub values_of {
	my ($text, $key) = @_;
	my @values;

	push @values, $2 while $text =~ /^([ -]*)\Q$key\E:([^\n]*\n(?:(?=\1 )[^\n]*\n|\n)*)/mg;
	return @values;
}

my ($builds, $comments, %follows) = ('', '');
for my $file (@ARGV) {
	open my $f, '<', $file or die "$file: $!\n";
	my $text = join '', grep { !/^ *#/ } <$f>;
	my ($name) = $text =~ /^name: *(.*)$/m or die "$file: no name\n";
	my ($on) = values_of($text, 'on');
	my @events = $on =~ /^  (\w+):/mg;
	my @checkouts = $text =~ /^ +- (?:name: [^\n]*\n +)?uses: actions\/checkout.*\n(?:        .*\n)*/mg;
	my $writes = join('', values_of($text, 'permissions')) =~ /\bwrite(-all)?\b/;
	my $wrong = sub { print "$file: ", @_, "\n" };

	die "$file: no events\n" if !@events;
	$wrong->('no permissions, so that those of the project hold') if $text !~ /^permissions:/m;
	$wrong->('pull_request_target runs with the rights of the project') if grep { $_ eq 'pull_request_target' } @events;
	if (grep { $_ eq 'pull_request' } @events) {
		$builds = $name;
		$wrong->('a job that runs code of a pull request may write') if $writes;
		$wrong->('a checkout leaves its token in .git/config') if grep { !/^ +persist-credentials: false$/m } @checkouts;
		$wrong->('code of a pull request gets a token') if $text =~ /github\.token|secrets\.|GITHUB_TOKEN/;
	} elsif ($writes) {
		$comments = $name;
		$follows{$_} = 1 for map { split /[ ,]+/ } $on =~ /workflows: *\[(.*)\]/;
		$wrong->("with the right to write it is started by $_") for grep { $_ ne 'workflow_run' } @events;
		$wrong->('with the right to write it checks code out') if @checkouts;
	}
	# GitHub replaces ${{ }} before the shell reads the line, and a branch may have any name.
	for my $run (values_of($text, 'run')) {
		$wrong->("a script has a part that others choose: $1") if $run =~ /\$\{\{ *(github\.(?:event|head_ref)\S*)/;
	}
}
print "no workflow builds pull requests\n" if $builds eq '';
print "no workflow posts the comment\n" if $comments eq '';
print "'$comments' does not follow '$builds'\n" if $builds ne '' && $comments ne '' && !$follows{$builds};
