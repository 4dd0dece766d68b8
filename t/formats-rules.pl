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
	# The same of callgrind's f(int)'2.
	copies => sub { map { /^(.*)('\d+)$/ ? brackets($1) . $2 : brackets($_) } @_ },
	# A function that is unknown is its module; the reference has its address, or ???.
	unnamed => sub { map { /^(0x[0-9A-Fa-f]+|\?\?\?|\[0x0: \?\?\?\]|\[unknown\]|\[[^ ]*\.so[.0-9]*\])$/ ? '?' : $_ } @_ },
	# The reference keeps addresses and sources of some frames.
	places => sub { map { s/^0x[0-9a-f]+: //r =~ s/ \([^()]*:\d+:\d+\)$//r } @_ },
	# heaptrack_print writes the file behind a name, no arguments of templates,
	filed => sub { map { s/ \([^()]+\)$//r } @_ },
	templates => sub { map { s/(<(?:[^<>]++|(?1))*>)/<>/gr } grep { $_ ne '' } @_ },
	# most often nothing above main, nothing of operator new,
	above => sub { grep { !/^(_start|__libc_start_(main_impl|call_main))$/ } @_ },
	allocator => sub { pop if $_[-1] =~ /^operator new/; @_ },
	# and what is inlined above what it is inlined into.
	unordered => sub { sort @_ },
	# It takes the first block, given back after another, for temporary.
	first => sub { "@_" =~ /_dl_init/ ? () : @_ },
	# We drop the versions of symbols.
	versions => sub { map { s/\@\@?GLIBC(XX)?_[\w.]+//r } @_ },
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
	# inferno takes the offset off the leaf although it was asked to keep offsets.
	leaf => sub { my $leaf = pop; (@_, $leaf =~ s/\+0x[0-9a-f]+$//r) },
	# stackcollapse-bpftrace.pl keeps bpftrace's offsets, and forgets empty stacks.
	offsets => sub { map { s/\+\d+$//r } @_ },
	nothing => sub { "@_" eq '[unknown]' ? () : @_ },
	# bcc: the reference keeps the task as it was printed; with --pid it is ours.
	task => sub {
		my $root = shift;
		($root =~ s/^-\s+(.*) \((\d+)\)$/$1-$2/r =~ s/^(.*) \[(\d+)\]$/$1-$2/r, @_)
	},
	# wakeuptime: the reference keeps the words before the names and the addresses.
	wakeup => sub {
		my $root = shift;
		map { s/^(waker|target):\s+//r } $root, @_
	},
	# inferno writes a module without its ending.
	ending => sub { map { s/^(\w+)\.dylib`/$1`/r } @_ },
	# inferno leaves out samples of which the leaf is known to wait.
	idle => sub { $_[-1] =~ /^(.*`)?(__psynch_cvwait|__select|__semwait_signal|__ulock_wait|__wait4|__workq_kernreturn|kevent|mach_msg_trap|read|semaphore_wait_trap)$/ ? () : @_ },
	# pmcstat: what callers leave of a function's samples has no caller that is known.
	callerless => sub { $_[0] =~ /^(amd64_syscall|fork_exit)$/ ? @_ : () },
	# VTune does not know the module of Total: it is no module.
	total => sub { map { s/^\[Unknown\]`Total$/Total/r } @_ },
	# simpleperf writes the address of a function that it does not know.
	addresses => sub { map { /\[\+[0-9a-f]+\]$|^\[[^\]]*\]$/ ? '?' : $_ } @_ },
	# A ; in a name is :.
	semicolon => sub { my @f; /^step$/ ? ($f[-1] .= ":$_") : push @f, $_ for @_; @f },
	# inferno leaves the underscore that Rust's old scheme puts before an escape.
	escape => sub { map { s/(::|`|^)_(?=[<{])/$1/gr } @_ },
	# inferno keeps the last of equal stacks instead of adding them up: these.
	repeated => sub { "@_[-2, -1]" =~ /cvt_r \S*__open$/ ? () : @_ },
	# inferno's times are whole milliseconds, stackcollapse-xdebug.php's are floats.
	rounded => sub { @_ },
	# inferno and others write stacks of nothing.
	nil => sub { @_ },
	# speedscope's words for a frame without a name.
	nameless => sub { map { /^\((unknown|unnamed)\)$/ ? '[unknown]' : $_ } @_ },
	# It adds the arguments of a trace's event to its name.
	details => sub { map { s/ \{.*\}$//r } @_ },
	# It says of V8's functions without a name where they are,
	anonymous => sub { map { /^\(anonymous[ )]/ ? '(anonymous)' : $_ } @_ },
	# puts what is not JavaScript on top of the sample before, leaves out waiting,
	placed => sub { $_[-1] =~ /^\((program|garbage collector)\)$/ ? $_[-1] : @_ },
	waiting => sub { $_[-1] eq '(idle)' ? () : @_ },
	# ends with the last sample, which here lasts until the end of the profile,
	last => sub { "@_" =~ /^\((program|anonymous)\)$|emit\.value dispatchEvent$|^800492 a 467222 y / ? () : @_ },
	# and shows the sample of a node that the file has not as the one after it.
	lost => sub { "@_" =~ /^(\[unknown\]|\(anonymous\))$| h R$/ ? () : @_ },
	# Of Firefox's profiles it shows pages' JavaScript alone, told here by --srcline.
	javascript => sub {
		return @_ unless grep { / \(.*\)$|^(XRE_|ns|js::|Startup|\[)/ } @_;
		map { s/ \(.*//r } grep { / \(/ && !/ \((resource|self-hosted)/ } @_
	},
	# inferno has an address without a name as Instruments writes it.
	hexadecimal => sub { map { s/^\[.* <([0-9a-f]+)>\]$/0x$1/r } @_ },
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
	next if $value == 0 && grep { $_ eq 'nil' } @ARGV;
	for (@rules) {
		@frames = $_->(@frames) if @frames;
	}
	$sum{join ';', @frames} += $value if @frames;
}
if (grep { $_ eq 'rounded' } @ARGV) {
	$_ = sprintf '%.0f', $_ for values %sum;
}
print "$_ $sum{$_}\n" for sort keys %sum;
