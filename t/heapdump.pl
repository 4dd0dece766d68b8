# A heap dump of Java as fg-collapse reads it. Arguments: bytes of an ID (8), and a variant:
# late: a class follows its objects; segments: one for each part; heads: objects one after the
# other, as JDK 23 has them without compressed references and class pointers; aligned: 64 arrays more,
# so that each object is at a multiple of 32 bytes.
use strict;
use warnings;

my ($size, $variant) = (@ARGV, 8, '')[0, 1];
$variant = '' if $variant =~ /^8$/;
sub id { $size == 8 ? pack 'Q>', $_[0] : pack 'N', $_[0] }
my ($out, @part, %string, $strings) = ('');
sub record { $out .= pack('CNN', $_[0], 0, length $_[1]) . $_[1] }
sub string { my ($s) = @_; return $string{$s} //= do { record(1, id(++$strings) . $s); $strings } }

# class ID NAME SUPER [STATICS] [FIELDS]: names, types and values
my $serial = 0;
sub class {
	my ($id, $name, $super, $statics, $fields) = @_;
	record(2, pack('N', ++$serial) . id($id) . pack('N', 0) . id(string($name)));
	my $s = pack 'n', @$statics / 3;
	for (my $i = 0; $i < @$statics; $i += 3) {
		$s .= id(string($statics->[$i])) . pack('C', $statics->[$i + 1]) . ($statics->[$i + 1] == 2 ? id($statics->[$i + 2]) : pack 'N', $statics->[$i + 2]);
	}
	my $f = pack 'n', @$fields / 2;
	$f .= id(string($fields->[2 * $_])) . pack 'C', $fields->[2 * $_ + 1] for 0 .. @$fields / 2 - 1;
	return pack('C', 0x20) . id($id) . pack('N', 0) . id($super) . id(0) x 5 . pack('N', 0) . pack('n', 0) . $s . $f;
}
sub object { my ($id, $class, $fields) = @_; return pack('C', 0x21) . id($id) . pack('N', 0) . id($class) . pack('N', length $fields) . $fields }
sub objects { my ($id, $class, @ids) = @_; return pack('C', 0x22) . id($id) . pack('NN', 0, scalar @ids) . id($class) . join '', map { id($_) } @ids }
sub bytes { my ($id, $n) = @_; return pack('C', 0x23) . id($id) . pack('NN', 0, $n) . pack('C', 8) . 'x' x $n }

$out = "JAVA PROFILE 1.0.2\0" . pack 'NNN', $size, 0, 0;
my @classes = (
	class(0x10, 'java/lang/Object', 0, [], []),
	class(0x20, 'app/Cache', 0x10, [entries => 2, 0x1000], [size => 10]),
	class(0x30, 'app/Entry', 0x10, [], [key => 2, value => 2, hash => 10]),
	class(0x40, '[Lapp/Entry;', 0x10, [], []),
	class(0x50, 'java/lang/ref/Reference', 0x10, [], [referent => 2, next => 2]),
	class(0x60, 'java/lang/ref/WeakReference', 0x50, [], []),
	class(0x70, 'java/lang/Thread', 0x10, [], [name => 2]),
	class(0x80, 'app/Special', 0x30, [], [more => 2]),
);
my $late = $variant eq 'late' ? pop @classes : '';
push @part, @classes;
# Two entries of the cache, which share a key; the second is of a subclass, whose fields are first.
push @part, objects(0x1000, 0x40, 0x1020, 0x1040, 0);
push @part, object(0x1020, 0x30, id(0x1100) . id(0x1200) . pack 'N', 7);
push @part, object(0x1040, 0x80, id(0x1300) . id(0x1100) . id(0) . pack 'N', 8);
push @part, bytes(0x1100, 100), bytes(0x1200, 1000), bytes(0x1300, 2000);
# A weak reference alone keeps nothing; nobody has the last array.
push @part, object(0x2000, 0x60, id(0x2100) . id(0)), bytes(0x2100, 5000), bytes(0x2200, 300);
# A thread with a local, which is its own.
push @part, object(0x3000, 0x70, id(0)), bytes(0x3100, 4000);
push @part, $late if $late;
if ($variant eq 'heads') {
	@part = (@classes, bytes(0x4000, 4), bytes(0x4018, 4), object(0x4030, 0x30, id(0) x 2 . pack 'N', 9), bytes(0x4058, 12), bytes(0x4078, 1));
	push @part, map { pack('C', 1) . id($_) . id(0) } 0x4000, 0x4018, 0x4030, 0x4058, 0x4078;
}
push @part, map { (bytes($_, 4), pack('C', 1) . id($_) . id(0)) } map { 0x5000 + 32 * $_ } 0 .. 63 if $variant eq 'aligned';
push @part, pack('C', 5) . id($_) for 0x10, 0x20;
push @part, pack('C', 1) . id(0x2000) . id(0), pack('C', 8) . id(0x3000) . pack('NN', 1, 0), pack('C', 3) . id(0x3100) . pack 'NN', 1, 0;
record(28, $_) for $variant eq 'segments' ? @part : join '', @part;
record(44, '');
binmode STDOUT;
print $out;
