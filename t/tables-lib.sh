# tables-lib.sh: profiles of a fleet, for the tests of share/recipes/*.sql. Sourced after lib.sh.

# Profiles of two versions on three hosts. Values are multiples of 0.2, so that no sum lies
# halfway between two whole numbers.
awk 'BEGIN {
	srand(11)
	for (p = 0; p < 12; p++) {
		file = "p" p ".folded"
		printf "# label: host=web%d start=2026-11-23T%02d:00:00Z version=4.%d 0\n", p % 3, p, p % 2 + 2 >file
		for (i = 0; i < 300; i++)
			printf "app;main;f%d;g%d;f%d%s %.1f\n", rand() * 5, rand() * 9, rand() * 5,
				rand() < .3 ? ";lib:a b" : "", (1 + int(rand() * 490)) / 5 >file
		close(file)
	}
}'

# modules NAME: the directory of npm's modules that has NAME, if node is there; $2: another one
modules() {
	command -v node >/dev/null || return 0
	for r in "${2-}" "$(npm root -g 2>/dev/null)"; do
		if [ -d "$r/$1" ]; then
			echo "$r"
			return
		fi
	done
}
# functions FILE: function, self and total of folded stacks
functions() {
	perl -e 'while (<>) { next if /^#/; chomp; s/ (\S+)$// or die; $v = $1; @f = split /;/;
		$self{$f[-1]} += $v; my %s; $total{$_} += $v for grep { !$s{$_}++ } @f }
		printf "%s\t%.1f\t%.1f\n", $_, $self{$_} // 0, $total{$_} for sort keys %total' "$@"
}
