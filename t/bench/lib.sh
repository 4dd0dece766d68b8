# Sourced by the benchmarks: where the programs and inputs are, and a table of CPU times.
# BIN has the programs, BASE_BIN those of an earlier commit BASE, BENCH_CACHE the inputs. With
# QUICK, each row has fewer runs and some have smaller inputs; with ROW, an extended regular
# expression for names, only those rows are there.
export LC_ALL=C
here=$(cd "$(dirname "$0")/.." && pwd)
cache=${BENCH_CACHE:-$here/../build/bench}
shared=$here/../../shared
# flamegraph.pl of Debian's libdevel-nytprof-perl is not on PATH.
PATH=${BIN:-$here/../bin}:$PATH:/usr/share/perl5/Devel/NYTProf
quick=${QUICK:-}
runs=${RUNS:-${quick:+3}}
runs=${runs:-7}
mkdir -p "$cache" || exit 1
if [ ! -d "$shared/bench" ]; then
	echo 'no ../shared/bench here: nothing to measure on' >&2
	exit 0
fi
cd "$cache" || exit 1
[ -x cpu ] && [ -z "$(find "$here/bench/cpu.c" -newer cpu)" ] ||
	${CC:-cc} -O2 -D_GNU_SOURCE -o cpu "$here/bench/cpu.c" || exit 1

# input NAME...: decompresses files of ../shared/bench into the cache
input() {
	for f; do
		[ -s "$f" ] || xz -dc "$shared/bench/$f.xz" >"$f" || exit 1
	done
}

# grown N: makes growN.folded, 5,000 N stacks of wide random trees, all different
grown() {
	[ -s "grow$1.folded" ] || perl -e 'my ($n, $x) = (shift, 1);
		for my $i (1 .. 5000 * $n) {
			my $s = "app;main";
			for (1 .. 6) { $x = ($x * 69069 + 362437) % 4294967296; $s .= ";level_$_\::function_" . ($x >> 16) % 60 }
			printf "%s %d\n", $s, 1 + $i % 9;
		}' "$1" >"grow$1.folded"
}

# wanted NAME: whether ROW selects this row
wanted() {
	[ -z "${ROW:-}" ] || printf '%s\n' "$1" | grep -Eqe "$ROW"
}

# cut COMMAND: the command with a part of each large input: callgrind takes fifty times as long
cut() {
	cutting=
	for w in $1; do
		if [ -f "$w" ] && [ "$(wc -c <"$w")" -gt 5000000 ]; then
			# Records of perf script end with an empty line.
			if [ ! -s "cut-$w" ] && head -c 4000000 "$w" | grep -q '^$'; then
				head -c 4000000 "$w" | tac | sed '1,/^$/d' | tac >"cut-$w"
			elif [ ! -s "cut-$w" ]; then
				head -c 4000000 "$w" | sed '$d' >"cut-$w"
			fi
			w=cut-$w
		fi
		cutting="$cutting $w"
	done
	echo "${cutting# }"
}

# instructions COMMAND: thousands of instructions of user code, by callgrind
instructions() {
	# shellcheck disable=SC2046
	FG_SANDBOX=off valgrind --tool=callgrind --callgrind-out-file=/dev/null $(cut "$1") 2>&1 >/dev/null |
		sed -n 's/.* Collected : \([0-9]*\)$/\1/p' | awk '{ printf "%.0f", $1 / 1000 }'
}

# count NAME COMMAND: with COUNT, stores the instructions of a row beside those of its best in
# t/bench/best, and prints it if it has become worse
count() {
	case $2 in
	*'|'*) return ;;
	esac
	counted=$(instructions "$2")
	[ -n "$counted" ] || return
	awk -F '\t' -v name="$1" -v now="$counted" -v all="$cache/counted" '
		$2 == name { best = $1 }
		END {
			printf "%s\t%s\t%s\n", now, name, best >>all
			if (best > 0 && now > 1.02 * best)
				printf "worse: %s: %.1f million instructions, %.1f at best (%.3f)\n",
				    name, now / 1000, best / 1000, now / best
		}' "$here/bench/best"
}

# counted NAME: million instructions, and their ratio to the best
counted() {
	[ -s counted ] && awk -F '\t' -v name="$1" '$2 == name {
		printf "%.1f %s", $1 / 1000, ($3 > 0 ? sprintf("%.2f", $1 / $3) : "-") }' counted
}

# table NAME: the heading of the rows that follow, printed before the first one
table() {
	heading=$1
}

print_heading() {
	[ -z "$heading" ] ||
		printf '\n%-44s %9s %6s %8s %9s %6s %7s\n' "$heading" 'CPU ms' MB "${BASE_BIN:+/ base}" Minstr '/ best' ratio
	heading=
}

# row NAME GOAL FIRST COMMAND [PEER]...: CPU time and memory of COMMAND; the ratio of its time to
# the same command of BASE; its instructions, for a part of large inputs, and their ratio to the
# best ever; the ratio of times to FIRST, and the goal for it; and for each installed peer, its
# time as a multiple. With COUNT, see there.
row() {
	name=$1 goal=$2 first=$3 ours=$4 peers=
	wanted "$name" || return 0
	if [ -n "${COUNT:-}" ]; then
		count "$name" "$ours"
		return
	fi
	print_heading
	shift 4
	for peer; do
		shift
		if command -v "${peer%% *}" >/dev/null; then
			peers="$peers ${peer%% *}"
			set -- "$@" "$peer"
		else
			peers="$peers -${peer%% *}"
		fi
	done
	[ -z "${BASE_BIN:-}" ] ||
		set -- "$(echo " $ours" | sed "s, fg-, $BASE_BIN/fg-,g; s/^ //")" "$@"
	./cpu "$runs" "$first" "$ours" "$@" | awk -v name="$name" -v goal="$goal" \
		-v first="$first" -v base="${BASE_BIN:-}" -v peers="$peers" -v counted="$(counted "$name")" '
		{ ms[NR] = $1; mb[NR] = $2 }
		END {
			if (ms[1] == "-" || ms[2] == "-") {
				printf "%-44s failed\n", name
				exit
			}
			split(counted, c, " ")
			printf "%-44s %9.2f %6d ", name, ms[2], mb[2]
			at = base != "" ? 4 : 3
			printf "%8s ", base == "" || ms[3] == "-" ? "" : sprintf("%.2f", ms[2] / ms[3])
			printf "%9s %6s %7.2f of %s", c[1], c[2], ms[2] / ms[1], first
			if (goal != "")
				printf ", goal %s", goal
			n = split(peers, peer, " ")
			for (i = 1; i <= n; i++)
				if (sub(/^-/, "", peer[i])) {
					printf "; %s is not installed", peer[i]
				} else {
					printf ms[at] == "-" ? "; %s failed" : "; %s takes %.1f x", peer[i], ms[at] / ms[2]
					at++
				}
			print ""
		}'
}
