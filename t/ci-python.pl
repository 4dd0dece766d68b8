# ci-python.pl SEED ROUNDS: makes a repository in the current directory: a benchmark in Python whose
# pull request (branch pr) replaces str.find by a regular expression. Prints the name of the
# function. Other seeds have other names, files and amounts of work.
use strict;
use warnings;

my ($seed, $rounds) = @ARGV;
srand $seed;
my @syllable = qw(ba do ke li mu no ra si tu ve wo za);
my %used;

sub word {
	for (;;) {
		my $w = join '', map { $syllable[rand @syllable] } 1 .. 2 + rand 2;
		return $w unless $used{$w}++;
	}
}
my ($file, $find, $prepare, $other, $text, $all, $run) = map { word() } 1 .. 7;
my @words = map { word() } 1 .. 4 + int rand 3;
my ($other_work, $lines) = (40 + int rand 40, 30 + int rand 20);
my $quoted = join ', ', map { "\"$_ \"" } @words;
my $regex = join '|', map { substr($_, 0, 2) . "(?:" . substr($_, 2) . ") " } @words;
my %body = (
	main => "    found = []\n    for word in WORDS:\n        at = lower.find(word)\n        while at >= 0:\n" .
		"            found.append(at)\n            at = lower.find(word, at + 1)\n    return found\n",
	pr => "    return PATTERN.findall(lower)\n");
my %head = (main => '', pr => "PATTERN = re.compile(\"$regex\", re.I)\n# how it is found\n");

mkdir '.fg';
system 'git init -q . && git symbolic-ref HEAD refs/heads/main' and die;
for my $branch ('main', 'pr') {
	open my $to, '>', "$file.py" or die;
	print $to <<"PY";
import re
import sys

WORDS = [$quoted]
$head{$branch}
def $find(lower):
$body{$branch}
def $prepare(body):
    lines = [line.strip() for line in body.split("\\n")]
    return $find("\\n".join(lines))

def $other(n):
    return sum(i * i for i in range(n))

def $text(n):
    return "".join(str(i) for i in range(n))

def $all(body):
    issues = $prepare(body)
    $other($other_work)
    $text($other_work)
    return issues

def $run(rounds):
    body = "some text\\nthis $words[0] #12 and $words[1] #3\\n" * $lines
    for _ in range(rounds):
        $all(body)

$run(int(sys.argv[1]))
PY
	close $to;
	open $to, '>', '.fg/benchmarks' or die;
	print $to "$file ", $ENV{PYTHON} || 'python3', " $file.py $rounds\n";
	close $to;
	open $to, '>', 'Makefile' or die;
	print $to "all:\n";
	close $to;
	system "git add -A . && git commit -q -m $branch" and die;
	system 'git checkout -q -b pr' and die if $branch eq 'main';
}
print "$find\n";
