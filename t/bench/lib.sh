# Sourced by the benchmarks: where the programs and inputs are, and a table of CPU times.
# BIN has the programs, BASE_BIN those of an earlier commit BASE, BENCH_CACHE the inputs. With
# QUICK, each row has fewer runs and some have smaller inputs.
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

# table NAME: the heading of rows
table() {
	printf '\n%-44s %9s %6s %8s %7s\n' "$1" 'CPU ms' MB "${BASE_BIN:+/ base}" ratio
}

# row NAME WANTED FIRST COMMAND [PEER]...: CPU time and memory of COMMAND; the ratio of its time to
# the same command of BASE; the ratio to FIRST, and the wanted one; and for each installed peer,
# its time as a multiple
row() {
	name=$1 wanted=$2 first=$3 ours=$4 peers=
	shift 4
	for peer; do
		shift
		if command -v "${peer%% *}" >/dev/null; then
			peers="$peers ${peer%% *}"
			set -- "$@" "$peer"
		fi
	done
	[ -z "${BASE_BIN:-}" ] ||
		set -- "$(echo " $ours" | sed "s, fg-, $BASE_BIN/fg-,g; s/^ //")" "$@"
	./cpu "$runs" "$first" "$ours" "$@" | awk -v name="$name" -v wanted="$wanted" \
		-v first="${first%% *}" -v base="${BASE_BIN:-}" -v peers="$peers" '
		{ ms[NR] = $1; mb[NR] = $2 }
		END {
			if (ms[1] == "-" || ms[2] == "-") {
				printf "%-44s failed\n", name
				exit
			}
			printf "%-44s %9.1f %6d ", name, ms[2], mb[2]
			next_one = base != "" ? 4 : 3
			printf "%8s ", base == "" || ms[3] == "-" ? "" : sprintf("%.2f", ms[2] / ms[3])
			printf "%7.2f of %s", ms[2] / ms[1], first
			if (wanted != "")
				printf ", %s wanted", wanted
			n = split(peers, peer, " ")
			for (i = 1; i <= n; i++) {
				t = ms[next_one + i - 1]
				printf t == "-" ? "; %s failed" : "; %s takes %.1f x", peer[i], t / ms[2]
			}
			print ""
		}'
}
