#!/bin/sh
# fg-record --heap: the estimates of many recordings against the true bytes of each function: no
# bias, and errors as large as sampling makes them. RUNS recordings for each mean distance.
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"
runs=${RUNS:-100}

$CC -O2 -g -o heaptruth "$here/programs/heaptruth.c" -lm || skip_all 'no C compiler'
fg-record -q --heap -o try.folded ./heaptruth >/dev/null 2>said || skip_all "no heap profile: $(head -1 said)"

for mean in ${MEANS:-1000 65536 524288 16777216}; do
	./heaptruth $mean >truth
	for run in $(seq "$runs"); do
		fg-record -q --heap=$mean -o got.folded ./heaptruth >/dev/null 2>&1 || exit 1
		# Full ring buffers are reported; such a recording has no estimates to be judged.
		grep -q ' lost=0 ' got.folded || { echo "$run" >>lost; continue; }
		fg-filter --no-annotate got.folded | awk -v run="$run" '/^#/ { next } {
			s = $0; for (i = 0; i < 4; i++) sub(/ [0-9]+$/, "", s); sub(/.*;/, "", s)
			a[s] += $(NF - 3); b[s] += $(NF - 2); l[s] += $(NF - 1) }
			END { for (s in a) { print run, s, "allocated", a[s]; print run, s, "allocations", b[s]; print run, s, "live", l[s] } }'
	done >got
	# z: the error of a figure in standard errors. Estimates of less than ten samples have a
	# skewed distribution, for which 3 and 5 standard errors mean nothing.
	awk -v mean=$mean 'NR == FNR { true[$1, $2] = $3; variance[$1, $2] = $4; next }
		{ if (!($1 in seen)) { seen[$1] = 1; runs++ } }
		($2, $3) in true { sum[$2, $3] += $4; square[$2, $3] += $4 * $4
			v = variance[$2, $3]; if (v == 0 || true[$2, $3] ^ 2 / v < 10) next
			z = ($4 - true[$2, $3]) / sqrt(v); if (z < 0) z = -z
			n++; three += z > 3; five += z > 5; if (z > most) most = z }
		END {
			printf "mean %d: %d figures, %d beyond 3 standard errors, %d beyond 5, largest %.1f\n", mean, n, three, five, most
			for (k in true) if (variance[k] > 0) {
				m = sum[k] / runs; se = sqrt(variance[k] / runs); z = (m - true[k]) / se
				split(k, w, SUBSEP)
				printf "%s %s: true %.0f, mean of the runs %.0f, %.1f standard errors\n", w[1], w[2], true[k], m, z
				if (z < 0) z = -z; if (z > bias) bias = z }
			print "bias", bias > "bias"; print three / (n ? n : 1), five + 0 > "tails" }' truth got >report
	sed 's/^/# /' report
	[ ! -s lost ] || echo "# $(wc -l <lost) of $runs recordings lost records to full ring buffers"
	rm -f lost
	check "--heap=$mean: at least 99 % of the figures are within 3 standard errors" awk '{ exit $1 > 0.01 }' tails
	check "--heap=$mean: the means of all runs have no bias (within 3.5 of their standard errors)" awk '{ exit $2 > 3.5 }' bias
done
done_testing
