#!/bin/sh
# fg-record --heap of C++, Rust, Go, Python, Ruby and PHP: the estimates of many recordings against
# the true bytes below each function, as t/heap-truth.t. RUNS recordings for each of MEANS;
# LANGUAGES selects some.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
runs=${RUNS:-100}
export GOCACHE="$tmp/go" GO111MODULE=off XDEBUG_MODE=off

# truth LANGUAGE COMMAND...
truth() {
	language=$1
	shift
	for mean in ${MEANS:-65536 524288}; do
		"$@" "$mean" >true 2>/dev/null
		: >lost
		for run in $(seq "$runs"); do
			fg-record -q --heap="$mean" -o got.folded "$@" "$mean" >/dev/null 2>&1
			grep -q ' lost=0 \|event=heap.* threads=' got.folded && ! grep -q ' lost=[1-9]' got.folded ||
				{ echo "$run" >>lost; continue; }
			fg-filter --no-annotate got.folded | awk -v run="$run" -v columns="$(sed -n '2s/^# columns: //p' got.folded)" '
				NR == FNR { name[$1]; next }
				/^#/ { next }
				{ n = split($0, w, " "); known = columns ~ /peak/ ? 4 : 3; s = $0
				  for (i = 0; i < known; i++) sub(/ [0-9]+$/, "", s)
				  m = split(s, frame, ";")
				  for (f in name) for (i = 1; i <= m; i++) {
					g = frame[i]; sub(/(_\[.\])+$/, "", g); sub(/ \(.*/, "", g); sub(/.*[.#:]/, "", g)
					if (g != f) continue
					a[f] += w[n - known + 1]; b[f] += w[n - known + 2]; l[f] += w[n - known + 3]; break } }
				END { for (f in name) { print run, f, "allocated", a[f] + 0; print run, f, "allocations", b[f] + 0; print run, f, "live", l[f] + 0 } }' true -
		done >got
		awk -v language="$language" -v mean="$mean" 'NR == FNR { true[$1, $2] = $3; variance[$1, $2] = $4; next }
			{ if (!($1 in seen)) { seen[$1]; runs++ } sum[$2, $3] += $4
			  v = variance[$2, $3]; if (v == 0 || true[$2, $3] ^ 2 / v < 10) next
			  z = ($4 - true[$2, $3]) / sqrt(v); if (z < 0) z = -z
			  n++; three += z > 3; five += z > 5; if (z > most) most = z }
			END {
				for (k in true) if (variance[k] > 0) {
					m = sum[k] / runs; z = (m - true[k]) / sqrt(variance[k] / runs)
					split(k, w, SUBSEP)
					printf "%s %s: true %.0f, mean of the runs %.0f, %.1f standard errors\n", w[1], w[2], true[k], m, z
					if (z < 0) z = -z; if (z > bias) bias = z }
				printf "%s, mean %d, %d runs: %d figures, %d beyond 3 standard errors, %d beyond 5, largest %.1f; bias %.1f\n", language, mean, runs, n, three, five, most, bias
				print bias > "bias"; print three / (n ? n : 1), five + 0, runs + 0 > "tails" }' true got >report
		sed 's/^/# /' report
		[ ! -s lost ] || echo "# $(wc -l <lost) of $runs recordings lost records"
		check "$language, --heap=$mean: at least 99 % of the figures are within 3 standard errors" \
		    awk '{ exit $1 > 0.01 || $3 == 0 }' tails
		check "$language, --heap=$mean: the means of all runs have no bias (within 3.5 of their standard errors)" \
		    awk '{ exit $1 > 3.5 }' bias
	done
}

cp "$here"/programs/heaptruth.* .
for language in ${LANGUAGES:-cc rs go py rb php}; do
	case $language in
	cc) ${CXX:-c++} -O2 -g -o cpp heaptruth.cc && truth C++ ./cpp ;;
	rs) rustc -O -g -o rust heaptruth.rs && truth Rust ./rust ;;
	go) go build -o golang heaptruth.go && truth Go ./golang ;;
	py) truth Python python3 heaptruth.py ;;
	rb) truth Ruby ruby heaptruth.rb ;;
	php) truth PHP php heaptruth.php ;;
	esac || not_ok "$language: it did not compile"
done
done_testing
