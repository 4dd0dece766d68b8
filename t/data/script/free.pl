# As free.py: subs are made again and again under their names.
use strict; use warnings; no strict 'refs'; no warnings 'redefine';
sub f13 { $_[0] }
sub make { my $i = shift; my ($n, $m) = ($i + 1, $i + 2 < 13 ? $i + 2 : 13);
	eval "sub f$i { my \$x = 0; for my \$k (0 .. 2) { \$x += \$k } return rand() < .5 ? f$n(\$_[0]) : f$m(\$_[0]) } 1" or die $@ }
make($_) for reverse 0 .. 12;
for (;;) { main->can('f0')->(1) for 1 .. 20; make(int rand 13) }
