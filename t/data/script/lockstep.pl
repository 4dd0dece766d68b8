# As lockstep.py. Arguments: plain or thread; seed; the library of callback-perl.c.
use strict; use warnings; no warnings 'recursion'; use DynaLoader; use List::Util 'first'; use Config; $| = 1;
our $gettid = $Config{archname} =~ /^aarch64/ ? 178 : 186;
our @path; my ($mode, $seed, $library) = @ARGV; srand($seed); our $want = 0;
my $handle = DynaLoader::dl_load_file($library) or die;
DynaLoader::dl_install_xsub("Callback::boot", DynaLoader::dl_find_symbol($handle, "boot_Callback"))->();
package O { use overload '+' => sub { main::go($_[1]); 1 }; sub new { bless {}, shift } }
package D { sub new { bless {}, shift } sub DESTROY { if ($main::want > 0) { my $w = $main::want; $main::want = 0; main::go($w) } } }
package T { sub TIESCALAR { bless {}, shift } sub FETCH { my $w = $main::want; $main::want = 0; main::go($w) if $w > 0; 1 } }
package main;
sub leaf {
	my @names; my $i = 0; my $line = __LINE__ + 2;
	while (my @c = caller($i++)) { push @names, "$c[3]:$line"; $line = $c[2] }
	push @names, "main:$line" unless $mode eq 'thread'; print(syscall($gettid) . "\t" . join(";", @path) . "\t" . join(";", reverse @names) . "\n"); sysread(STDIN, my $x, 1);
}
sub cc { my ($n, $f, $d) = @_; push @path, $n; no strict 'refs'; &{"main::$n"}($f, $d); pop @path }
sub s0 { push @path, "s0"; go($_[0]); pop @path }
sub s1 { push @path, "s1"; go($_[0]); pop @path }
sub s2 { push @path, "s2"; go($_[0]); pop @path }
sub s3 { my ($d) = @_; push @path, "s3"; go($d); pop @path }
sub once { my $w = $want; $want = 0; go($w) if $w > 0; 0 } # called by the last op of a block
sub go { my $d = shift; return leaf() if $d <= 0; $d--; my $k = int rand(19);
 if ($k == 0) { s0($d) } elsif ($k == 1) { s1($d) } elsif ($k == 2) { s2($d) } elsif ($k == 3) { main->can('s3')->($d) } elsif ($k == 4) { cc("c0", \&s0, $d) } elsif ($k == 5) { cc("c1", sub { s1($d) }, $d) } elsif ($k == 6) { cc("c2", \&s2, $d) } elsif ($k == 7) { cc("c3", "main::s3", $d) } elsif ($k == 8) { eval { s0($d); 1 } } elsif ($k == 9) { eval 's1($d); 1' } elsif ($k == 10) { my $o = 1; my @x = sort { if ($o) { $o = 0; s2($d) } $a <=> $b } (2, 1) } elsif ($k == 11) { my $o = O->new; my $r = $o + $d } elsif ($k == 12) { my $o = D->new; $want = $d; undef $o; $want = 0 } elsif ($k == 13) { tie my $t, 'T'; $want = $d; my $v = $t; $want = 0 } elsif ($k == 14) { my @r = map { s1($d) } (1) } elsif ($k == 15) { (my $s = "a") =~ s/a/s0($d);1/e } elsif ($k == 16) { $want = $d; my @x = sort { once() } (2, 1) } elsif ($k == 17) { $want = $d; "a" =~ /a(?{ once() })/ } elsif ($k == 18) { $want = $d; my $x = first { once() } (2, 1) }
}
if ($mode eq "thread") { require threads; for (;;) { threads->create(sub { for (1 .. 25) { @path = (); go(int rand 15) } })->join } }
for (;;) { @path = (); go(int rand 15) }
