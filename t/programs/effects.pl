# What x86 instructions do to the stack and where they lead, read from the text of
# `objdump -d -w -M intel --no-show-raw-insn`, in the form that t/unit/codeframe -d prints.
use strict;
use warnings;

my $gpr = qr/r(?:[abcd]x|[sd]i|[bs]p|\d+)/;
my $place = qr/QWORD PTR (?:ss:)?\[(r[bs]p)([+-]0x[0-9a-f]+)?\]/;

sub offset { my ($s) = @_; return '+0' unless $s; my $n = hex substr $s, 1; (substr($s, 0, 1) eq '-' ? '-' : '+') . $n }

# A number of 64 bits as a signed one.
sub signed { no warnings 'portable'; my $n = hex $_[0]; return unpack 'q', pack 'Q', $n }

sub effect {
	my ($name, $operands) = @_;
	my ($to, $from) = split /,/, $operands, 2;
	return "none" if $name =~ /^(cmp|test|nop|bt|comis|ucomis)/;
	return 'lose' if $name =~ /^(push|pop)/ && $operands =~ /^([abcd]x|[sd]i|[bs]p|r\d+w|WORD.*)$/;
	return "push " . ($operands =~ /^$gpr$/ ? $operands : 'other') if $name =~ /^push/;
	return $operands eq 'rsp' ? 'lose' : "pop " . ($operands =~ /^$gpr$/ ? $operands : 'other')
	    if $name =~ /^pop(f|fq)?$/;
	return 'leave' if $name eq 'leave';
	return 'lose' if $name eq 'enter';
	if ($name eq 'mov') {
		return "move $to $from+0" if "$to,$from" =~ /^(rsp,rbp|rsp,rsp|rbp,rsp)$/;
		return "load $to $1" . offset($2) if $to =~ /^$gpr$/ && $to ne 'rsp' && $from =~ /^$place$/;
		return "store $from $1" . offset($2) if $from =~ /^$gpr$/ && $to =~ /^$place$/;
	}
	return "move $to $1" . offset($2)
	    if $name eq 'lea' && "$to,$from" =~ /^(?:rsp,\[(?=r[bs]p)|rbp,\[(?=rsp))(r[bs]p)([+-]0x[0-9a-f]+)?\]$/;
	return sprintf "move rsp rsp%+d", $name eq 'add' ? signed($from) : -signed($from)
	    if $name =~ /^(add|sub)$/ && $to eq 'rsp' && $from =~ /^0x/;
	return 'lose' if defined $to && $to =~ /^(rsp|esp|sp|spl)$/;
	return 'lose' if $name =~ /^(xchg|xadd)$/ && $from =~ /^(rsp|esp|sp|spl)$/;
	return 'none';
}

sub flow {
	my ($name, $operands) = @_;
	my ($target) = $operands =~ /^([0-9a-f]+)\b/;
	return 'call' if $name eq 'call';
	return 'return' if $name eq 'ret';
	return 'stop' if $name =~ /^(hlt|ud[012][ab]?|int3|iretq?|sysretq?|sysexitq?|retfq?)$/;
	return 'next' if $name eq 'xbegin';
	return defined $target ? "jump $target" : $operands =~ /\[rip/ ? 'return' : 'stop' if $name eq 'jmp';
	return "branch $target" if $name =~ /^(j|loop)/;
	return 'next';
}

while (<STDIN>) {
	my ($at, $text) = /^\s*([0-9a-f]+):\s+(.*?)\s*$/ or next;
	$text =~ s/\s*[<#].*//;
	1 while $text =~ s/^(bnd|notrack|lock|rep|repz|repnz|data16|cs|ds|es|ss|fs|gs|xacquire|xrelease|rex(\.\w+)?)\s+(?=\S)//;
	my ($name, $operands) = split ' ', $text, 2;
	$operands //= '';
	print "$at ", flow($name, $operands), ' ', effect($name, $operands), "\n";
}
