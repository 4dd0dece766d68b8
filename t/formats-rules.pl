#!/usr/bin/perl
# formats-rules.pl RULE...: reads and writes folded stacks. Applies the rules to the frames of
# every stack, adds up equal stacks, sorts, and removes header lines. Each rule removes one
# difference between a reference and our output; its comment says why they differ.
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

sub result { # s without the type before its name, after the last blank outside of brackets
	my ($s) = @_;
	my ($depth, $from) = (0, 0);
	return $s if $s =~ /operator |^\[|\]$/;
	for my $i (0 .. length($s) - 1) {
		my $c = substr $s, $i, 1;
		next if $c =~ /[<>]/ && substr($s, 0, $i) =~ /operator[<>-]?$/;
		$depth += $c =~ /[<(]/ ? 1 : $c =~ /[>)]/ ? -1 : 0;
		$from = $i + 1 if $c eq ' ' && $depth == 0;
	}
	return substr $s, $from;
}

my %rule = (
	# We remove argument lists from all names.
	arguments => sub { map { brackets($_) } @_ },
	# Argument lists, with callgrind's number of a recursion level after them: f(int)'2.
	copies => sub { map { /^(.*)('\d+)$/ ? brackets($1) . $2 : brackets($_) } @_ },
	# We write the module for an unknown function; the reference writes its address, or ???.
	unnamed => sub { map { /^(0x[0-9A-Fa-f]+|\?\?\?|\[0x0: \?\?\?\]|\[unknown\]|\[[^ ]*\.so[.0-9]*\])$/ ? '?' : $_ } @_ },
	# The reference keeps addresses and sources of some frames.
	places => sub { map { s/^0x[0-9a-f]+: //r =~ s/ \([^()]*:\d+:\d+\)$//r } @_ },
	# heaptrack_print appends the file to a name, omits template arguments,
	filed => sub { map { s/ \([^()]+\)$//r } @_ },
	templates => sub { map { s/(<(?:[^<>]++|(?1))*>)/<>/gr } grep { $_ ne '' } @_ },
	# usually omits the callers of main and the callees of operator new,
	above => sub { grep { !/^(_start|__libc_start_(main_impl|call_main))$/ } @_ },
	allocator => sub { pop if $_[-1] =~ /^operator new/; @_ },
	# and puts an inlined function above the function that it is inlined into.
	unordered => sub { sort @_ },
	# It counts the first block as temporary, although another one is freed before it.
	first => sub { "@_" =~ /_dl_init/ ? () : @_ },
	# We remove symbol versions.
	versions => sub { map { s/\@\@?GLIBC(XX)?_[\w.]+//r } @_ },
	# eu-stack -m: stackcollapse-elfutils.pl keeps the module after the name.
	dash => sub { map { s|^- .*/(.*)|[$1]|r =~ s/ - .*//r } @_ },
	# faulthandler: we write Python functions in py-spy's form.
	python => sub { map { /^(.*):(.*?):(.*?)$/ && !/\)$/ ? "$3 ($1" . ($2 eq '???' ? '' : ":$2") . ')' : $_ } @_ },
	# A thread at the root is written as a comm: with _ for a space.
	underscore => sub { my $root = shift; ($root =~ tr/ /_/r, @_) },
	# jstack without names: stackcollapse-jstack.pl omits threads without frames.
	frameless => sub { @_ == 1 && $_[0] eq '[unknown]' ? () : @_ },
	# With short package names, it writes no name for a class without a package.
	classless => sub { map { /^[^.]*(\/0x[0-9a-f]+)?\.[^.]*$/ ? '' : $_ } @_ },
	# stackcollapse-faulthandler.pl drops frames without a line.
	lineless => sub { grep { /:\d+(:|\)$)/ } @_ },
	# inferno removes the offset of the leaf, although the option is to keep offsets.
	leaf => sub { my $leaf = pop; (@_, $leaf =~ s/\+0x[0-9a-f]+$//r) },
	# stackcollapse-bpftrace.pl keeps bpftrace's offsets, and omits empty stacks.
	offsets => sub { map { s/\+\d+$//r } @_ },
	nothing => sub { "@_" eq '[unknown]' ? () : @_ },
	# bcc: the reference keeps the task as printed; only with --pid is it equal to ours.
	task => sub {
		my $root = shift;
		($root =~ s/^-\s+(.*) \((\d+)\)$/$1-$2/r =~ s/^(.*) \[(\d+)\]$/$1-$2/r, @_)
	},
	# wakeuptime: the reference keeps the labels before the names, and the addresses.
	wakeup => sub {
		my $root = shift;
		map { s/^(waker|target):\s+//r } $root, @_
	},
	# inferno writes a module without its extension.
	ending => sub { map { s/^(\w+)\.dylib`/$1`/r } @_ },
	# inferno omits samples whose leaf is a known waiting function.
	idle => sub { $_[-1] =~ /^(.*`)?(__psynch_cvwait|__select|__semwait_signal|__ulock_wait|__wait4|__workq_kernreturn|kevent|mach_msg_trap|read|semaphore_wait_trap)$/ ? () : @_ },
	# pmcstat: samples of a function that exceed the sum of its callers have an unknown caller.
	callerless => sub { $_[0] =~ /^(amd64_syscall|fork_exit)$/ ? @_ : () },
	# VTune does not know the module of Total: it is not a module.
	total => sub { map { s/^\[Unknown\]`Total$/Total/r } @_ },
	# simpleperf writes the address of an unknown function.
	addresses => sub { map { /\[\+[0-9a-f]+\]$|^\[[^\]]*\]$/ ? '?' : $_ } @_ },
	# simpleperf keeps the result types of templates, writes >> for > >, does not demangle a name,
	results => sub {
		map { result(s/> (?=>)/>/gr =~ s/^_ZN3glm3dotI.*/glm::dot<float, (glm::precision)0, glm::detail::tvec3>/r) } @_
	},
	# hides the frames of ART's interpreter and its stubs for native methods, and shows a method
	# once that moved from the interpreter into compiled code (on-stack replacement).
	art => sub {
		my ($comm, @frames) = map { s/^(.*) \(in (?:.*\/)?([^\/]+)\)$/$2`$1/r } @_;
		my ($moved, @kept) = (0);
		for (@frames) {
			if (/^libart\.so`|^\[libart\.so\]$|`art_jni_trampoline$/) {
				$moved ||= /osr_stub/;
				next;
			}
			my $name = s/^[^`]*`//r;
			push @kept, $name unless $moved && @kept && $name eq $kept[-1];
			$moved = 0;
		}
		($comm, @kept)
	},
	# A ; in a name is written as :.
	semicolon => sub { my @f; /^step$/ ? ($f[-1] .= ":$_") : push @f, $_ for @_; @f },
	# inferno keeps the underscore that Rust's legacy mangling puts before an escape.
	escape => sub { map { s/(::|`|^)_(?=[<{])/$1/gr } @_ },
	# inferno keeps only the last of equal stacks, instead of their sum: these stacks.
	repeated => sub { "@_[-2, -1]" =~ /cvt_r \S*__open$/ ? () : @_ },
	# inferno's times are whole milliseconds, stackcollapse-xdebug.php's are floats.
	rounded => sub { @_ },
	# inferno and others write stacks with the value 0.
	nil => sub { @_ },
	# speedscope's name of a frame without a name.
	nameless => sub { map { /^\((unknown|unnamed)\)$/ ? '[unknown]' : $_ } @_ },
	# It appends the arguments of a trace event to its name.
	details => sub { map { s/ \{.*\}$//r } @_ },
	# It adds the location to V8's functions without a name,
	anonymous => sub { map { /^\(anonymous[ )]/ ? '(anonymous)' : $_ } @_ },
	# puts frames that are not JavaScript on top of the previous sample, omits idle time,
	placed => sub { $_[-1] =~ /^\((program|garbage collector)\)$/ ? $_[-1] : @_ },
	waiting => sub { $_[-1] eq '(idle)' ? () : @_ },
	# ends at the last sample, which here lasts until the end of the profile,
	last => sub { "@_" =~ /^\((program|anonymous)\)$|emit\.value dispatchEvent$|^800492 a 467222 y / ? () : @_ },
	# and shows a sample of an unknown node as the next known one, a node of an unknown caller as a
	# root.
	lost => sub { "@_" =~ /^(\[unknown\]|\(anonymous\))$| h R$|^(800492 a|updateMatrixWorld)\b/ ? () : @_ },
	# It shows only JavaScript frames of Firefox's profiles; --srcline marks them here.
	javascript => sub {
		return @_ unless grep { / \(.*\)$|^(XRE_|ns|js::|Startup|\[)/ } @_;
		map { s/ \(.*//r } grep { / \(/ && !/ \((resource|self-hosted)/ } @_
	},
	# inferno keeps the address form of Instruments for frames without a name.
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
