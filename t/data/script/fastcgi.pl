# Requests a page of a FastCGI server: fastcgi.pl SOCKET FILE; prints its answer.
use strict; use warnings;
use Socket;
my ($at, $file) = @ARGV;
socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die "socket: $!\n";
connect($s, sockaddr_un($at)) or die "$at: $!\n";
sub record { my ($type, $data) = @_; return pack("CCnnCC", 1, $type, 1, length $data, 0, 0) . $data }
my %param = (SCRIPT_FILENAME => $file, REQUEST_METHOD => "GET", SCRIPT_NAME => "/page", QUERY_STRING => "");
my $params = join "", map { pack("CC", length, length $param{$_}) . $_ . $param{$_} } sort keys %param;
my $all = record(1, pack("nCx5", 1, 0)) . record(4, $params) . record(4, "") . record(5, "");
syswrite($s, $all) == length $all or die "write: $!\n";
my $answer = do { local $/; <$s> };
while (length $answer >= 8) {
	my ($version, $type, $id, $n, $padding) = unpack("CCnnC", $answer);
	print substr($answer, 8, $n) if $type == 6;
	$answer = substr($answer, 8 + $n + $padding);
}
