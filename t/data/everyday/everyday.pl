# As everyday.py: everyday.pl NAME [ROUNDS].
use strict;
use warnings;

package Web;

sub parse_request {
	my $text = shift;
	my ($head, $body) = split /\r\n\r\n/, $text, 2;
	my @lines = split /\r\n/, $head;
	my ($method, $path) = split / /, shift @lines;
	my %headers;
	for my $line (@lines) {
		my ($name, $value) = split /: /, $line, 2;
		$headers{lc $name} = $value;
	}
	return ($method, $path, \%headers, $body);
}

sub route {
	my ($method, $path, $routes) = @_;
	my @parts = grep { length } split m{/}, $path;
	for my $route (@$routes) {
		my ($verb, $pattern, $handler) = @$route;
		next if $verb ne $method || @$pattern != @parts;
		my $values = match($pattern, \@parts);
		return $handler->($values) if $values;
	}
	return (404, 'not found');
}

sub match {
	my ($pattern, $parts) = @_;
	my %values;
	for my $i (0 .. $#$pattern) {
		if ($pattern->[$i] =~ /^:(.*)/) {
			$values{$1} = $parts->[$i];
		} elsif ($pattern->[$i] ne $parts->[$i]) {
			return;
		}
	}
	return \%values;
}

sub show_user {
	my $id = $_[0]{id};
	my $total = 0;
	$total += ($id * $_) % 97 for 0 .. 120;
	return (200, "user $id has $total points");
}

sub list_items {
	my @rows;
	push @rows, sprintf '<li>%d</li>', $_ * 7 % 31 for 0 .. 30;
	return (200, join '', @rows);
}

sub respond {
	my ($status, $body) = @_;
	my $out = "HTTP/1.1 $status OK\r\n";
	my %headers = ('Content-Type' => 'text/html', 'Content-Length' => length $body);
	$out .= "$_: $headers{$_}\r\n" for sort keys %headers;
	return "$out\r\n$body";
}

sub run {
	my $rounds = shift;
	my @routes = (['GET', ['users', ':id'], \&show_user], ['GET', ['shop', ':name', 'items'], \&list_items]);
	my @texts = map { "GET $_ HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\n\r\n" } '/users/17', '/shop/a/items', '/none';
	my $n = 0;
	for (1 .. $rounds) {
		for my $text (@texts) {
			my ($method, $path) = parse_request($text);
			$n += length respond(route($method, $path, \@routes));
		}
	}
	return $n;
}

package Orders;

sub make_orders {
	my $n = shift;
	return [map { my $i = $_; { id => $i, items => [map { { sku => "a$_", n => $_ + 1, price => $_ * 1.5 } } 0 .. $i % 7] } } 0 .. $n];
}

sub encode {
	my $value = shift;
	return '{' . join(',', map { "\"$_\":" . encode($value->{$_}) } sort keys %$value) . '}' if ref $value eq 'HASH';
	return '[' . join(',', map { encode($_) } @$value) . ']' if ref $value eq 'ARRAY';
	return encode_scalar($value);
}

sub encode_scalar {
	my $value = shift;
	return $value if $value =~ /^-?[0-9.]+$/;
	$value =~ s/([\\"])/\\$1/g;
	return "\"$value\"";
}

sub totals {
	my $orders = shift;
	my %sums;
	for my $order (@$orders) {
		$sums{$_->{sku}} += $_->{n} * $_->{price} for @{$order->{items}};
	}
	return scalar keys %sums;
}

sub run {
	my $rounds = shift;
	require JSON::PP;
	my $json = JSON::PP->new;
	my $n = 0;
	for (1 .. $rounds) {
		my $orders = make_orders(20);
		$n += totals($json->decode(encode($orders))) + length $json->encode($orders);
	}
	return $n;
}

package Log;

sub make_log {
	return map { sprintf '10.0.%d.%d - user%d [01/Jan/2026:00:00:00] "GET /page/%d?q=%d" %d %d', $_ % 7, $_ % 250, $_ % 9, $_ % 40, $_, 200 + $_ % 3 * 100, $_ * 37 } 1 .. shift;
}

sub match_lines {
	my @found;
	for my $line (@_) {
		push @found, [$1, $2, $3, $4, $5, $6, $7] if $line =~ /(\S+) - (\w+) \[([^\]]+)\] "(\w+) (\S+)" (\d{3}) (\d+)/;
	}
	return @found;
}

sub hidden { '#' x length shift }

sub anonymize {
	my @lines = @_;
	s/(\d+)/hidden($1)/ge for @lines;
	return @lines;
}

sub by_status {
	my %counts;
	$counts{$_->[5]} += $_->[6] for @_;
	return scalar keys %counts;
}

sub run {
	my @lines = make_log(200);
	my $n = 0;
	for (1 .. shift) {
		$n += by_status(match_lines(@lines)) + anonymize(@lines);
	}
	return $n;
}

package Sort;

sub shuffled {
	my ($n, $seed, @out) = (shift, 7);
	for (1 .. $n) {
		$seed = ($seed * 1103515245 + 12345) & 0x7fffffff;
		push @out, [$seed % 1000, 'name' . $seed % 77];
	}
	return @out;
}

sub by_name { $a->[1] cmp $b->[1] || $b->[0] <=> $a->[0] }

sub insertion {
	my @rows = map { $_->[0] } @_;
	for my $i (1 .. $#rows) {
		my ($x, $j) = ($rows[$i], $i);
		while ($j > 0 && $rows[$j - 1] > $x) {
			$rows[$j] = $rows[$j - 1];
			$j--;
		}
		$rows[$j] = $x;
	}
	return @rows;
}

sub quicksort {
	return @_ if @_ < 2;
	my $pivot = $_[@_ / 2][0];
	return (quicksort(grep { $_->[0] < $pivot } @_), (grep { $_->[0] == $pivot } @_), quicksort(grep { $_->[0] > $pivot } @_));
}

sub run {
	my $n = 0;
	for (1 .. shift) {
		my @rows = shuffled(1000);
		my @sorted = sort by_name @rows;
		$n += quicksort(@rows) + @sorted + insertion(@rows[0 .. 150]);
	}
	return $n;
}

package Page;

sub escape {
	my ($value, $out) = (shift, '');
	my %entity = ('<' => '&lt;', '>' => '&gt;', '&' => '&amp;');
	$out .= $entity{$_} // $_ for split //, $value;
	return $out;
}

sub compile {
	my @parts = split /\{\{(.*?)\}\}/, shift;
	return map { my $part = $parts[$_]; $part =~ s/^\s+|\s+$//g; [$_ % 2, $part] } 0 .. $#parts;
}

sub fill {
	my ($parts, $values) = @_;
	my $out = '';
	$out .= $_->[0] ? escape($values->{$_->[1]}) : $_->[1] for @$parts;
	return $out;
}

sub run {
	my $n = 0;
	for (1 .. shift) {
		my @parts = compile('<td>{{name}}</td><td>{{ price }}</td><td>{{note}}</td>');
		$n += length fill(\@parts, {name => 'a<b', price => $_, note => 'x & y'}) for 1 .. 20;
	}
	return $n;
}

package Suite;

my %digit = (1000 => 'M', 900 => 'CM', 500 => 'D', 400 => 'CD', 100 => 'C', 90 => 'XC', 50 => 'L', 40 => 'XL', 10 => 'X', 9 => 'IX', 5 => 'V', 4 => 'IV', 1 => 'I');
my @values = sort { $b <=> $a } keys %digit;

sub roman {
	my ($n, $out) = (shift, '');
	for my $value (@values) {
		while ($n >= $value) {
			$out .= $digit{$value};
			$n -= $value;
		}
	}
	return $out;
}

sub distance {
	my @a = split //, shift;
	my @b = split //, shift;
	my @row = 0 .. @b;
	for my $i (1 .. @a) {
		my $last = $row[0];
		$row[0] = $i;
		for my $j (1 .. @b) {
			my $cost = $last + ($a[$i - 1] ne $b[$j - 1]);
			$last = $row[$j];
			$row[$j] = $row[$j - 1] + 1 if ++$row[$j] > $row[$j - 1] + 1;
			$row[$j] = $cost if $cost < $row[$j];
		}
	}
	return $row[-1];
}

sub run {
	require Test::More;
	open my $null, '>', '/dev/null' or die;
	my $test = Test::More->builder;
	$test->output($null);
	my $n = 0;
	for (1 .. shift) {
		Test::More::like(roman($_ * 7), qr/^[MDCLXVI]+$/, "roman $_") for 1 .. 20;
		Test::More::is(distance('flame graphs', 'frame graph'), 2, 'distance');
		$n++;
	}
	Test::More::done_testing();
	return $n;
}

package Table;

sub split_row {
	my ($line, $field, $quoted, @fields) = (shift, '', 0);
	for my $c (split //, $line) {
		if ($c eq '"') {
			$quoted = !$quoted;
		} elsif ($c eq ',' && !$quoted) {
			push @fields, $field;
			$field = '';
		} else {
			$field .= $c;
		}
	}
	return [@fields, $field];
}

sub fast_row {
	my ($line, @fields) = shift;
	push @fields, $1 // $2 while $line =~ /\G(?:"([^"]*)"|([^,]*))(?:,|$)/gc && length $&;
	return \@fields;
}

sub group {
	my %sums;
	$sums{"$_->[0] $_->[1]"} += $_->[2] for @_;
	return scalar keys %sums;
}

sub run {
	my @lines = map { "region" . $_ % 5 . "," . ($_ % 12 + 1) . "," . $_ * 3 % 101 . ",\"note, $_\"" } 1 .. 100;
	my $n = 0;
	$n += group(map { split_row($_) } @lines) + group(map { fast_row($_) } @lines) for 1 .. shift;
	return $n;
}

package Numbers;

sub product {
	my ($a, $b) = @_;
	my $n = @$a;
	my @out;
	for my $i (0 .. $n - 1) {
		for my $j (0 .. $n - 1) {
			my $sum = 0;
			$sum += $a->[$i][$_] * $b->[$_][$j] for 0 .. $n - 1;
			$out[$i][$j] = $sum;
		}
	}
	return \@out;
}

sub primes {
	my $n = shift;
	my @sieve = (1) x $n;
	for (my $i = 2; $i < $n; $i++) {
		next if !$sieve[$i];
		for (my $j = $i * $i; $j < $n; $j += $i) {
			$sieve[$j] = 0;
		}
	}
	return scalar grep { $_ } @sieve;
}

sub escapes {
	my ($x, $y) = @_;
	my ($a, $b) = (0, 0);
	for my $i (0 .. 39) {
		return $i if $a * $a + $b * $b > 4;
		($a, $b) = ($a * $a - $b * $b + $x, 2 * $a * $b + $y);
	}
	return 40;
}

sub run {
	my $m = [map { my $i = $_; [map { $i * $_ % 7 } 0 .. 19] } 0 .. 19];
	my $n = 0;
	for (1 .. shift) {
		$n += product($m, $m)->[3][4] + primes(3000);
		for my $x (0 .. 11) {
			$n += escapes($x / 6 - 1.5, $_ / 6 - 1) for 0 .. 11;
		}
	}
	return $n;
}

package Node;

sub new { my ($class, $key) = @_; return bless {key => $key}, $class }

sub insert {
	my ($self, $key) = @_;
	my $side = $key < $self->{key} ? 'left' : 'right';
	if ($self->{$side}) {
		$self->{$side}->insert($key);
	} else {
		$self->{$side} = Node->new($key);
	}
}

sub find {
	my ($self, $key) = @_;
	while ($self && $self->{key} != $key) {
		$self = $self->{$key < $self->{key} ? 'left' : 'right'};
	}
	return $self ? 1 : 0;
}

sub depth {
	my $self = shift;
	my ($l, $r) = map { $self->{$_} ? $self->{$_}->depth : 0 } 'left', 'right';
	return 1 + ($l > $r ? $l : $r);
}

sub run {
	my $n = 0;
	for (1 .. shift) {
		my $root = Node->new(500);
		$root->insert($_ * 617 % 1009) for 1 .. 300;
		$n += $root->find($_) for 1 .. 600;
		$n += $root->depth;
	}
	return $n;
}

package Words;

my (%data, @order);

sub get {
	my ($key, $make) = @_;
	if (!exists $data{$key}) {
		$data{$key} = $make->($key);
		push @order, $key;
		delete $data{shift @order} if @order > 40;
	}
	return $data{$key};
}

sub stem {
	my $word = shift;
	$word =~ s/(?:ing|ed|es|s)$//;
	my $hash = 0;
	$hash = ($hash * 31 + ord) & 0xffff for split //, $word;
	return [$word, $hash];
}

sub count_words {
	my %counts;
	for my $word (split ' ', lc shift) {
		$word =~ tr/.,;//d;
		$counts{get($word, \&stem)->[0]}++;
	}
	return \%counts;
}

sub top {
	my $counts = shift;
	return (sort { $counts->{$b} <=> $counts->{$a} || $a cmp $b } keys %$counts)[0 .. 9];
}

sub run {
	my $text = join ' ', map { my $i = $_; map { my $w = $_; map { "$w$_" . $i % 9 } '', 'ing', 'ed', 's.' } qw(walk record sample frame) } 0 .. 11;
	my $n = 0;
	$n += scalar(my @top = top(count_words($text))) for 1 .. shift;
	return $n;
}

package main;

my %programs = (web => [\&Web::run, 60000], json => [\&Orders::run, 490], regex => [\&Log::run, 960], sort => [\&Sort::run, 500],
	template => [\&Page::run, 19000], tests => [\&Suite::run, 1100], table => [\&Table::run, 2500], numbers => [\&Numbers::run, 900],
	tree => [\&Node::run, 1000], words => [\&Words::run, 2800]);
my ($program, $rounds) = @{$programs{$ARGV[0]}};
print $program->($ARGV[1] // $rounds), "\n";
