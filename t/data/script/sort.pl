# Runs without an end: sort calls a sub and a block from C.
sub byname { my $z = $a; $z <=> $b }
sub f1 {
	my @x = map { rand } 1 .. 500;
	my @y = sort byname @x;
	my @z = sort { my $c = $a; $c <=> $b } @x;
	return @y + @z;
}
sub f0 { f1() }
for (;;) { f0() }
