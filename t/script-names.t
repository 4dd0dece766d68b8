#!/bin/sh
# fg-diff of a profile of fg-record against one of the language's own profiler: each function with a
# twentieth of the time there has the same name here (stackprof, Xdebug, JFR, cpuprofile, NYTProf).
# tier: soak
. "$(dirname "$0")/lib.sh"
. "$here/record-lib.sh"

may_sample || skip_all "this machine refuses perf_event_open"
from=$here/data/everyday
cat >app.php <<'END_PHP'
<?php
namespace shop;
class Cart {
	private $n = 0;
	function add($k) { for ($i = 0; $i < $k; $i++) $this->n += $i % 7; return $this; }
	static function of($k) { $c = new self; return $c->add($k)->add($k); }
}
function sums($k) { return array_sum(array_map('abs', range(1, $k))); }
for ($j = 0; $j < 4; $j++) { Cart::of(4000000); for ($i = 0; $i < 8; $i++) sums(300000); }
END_PHP
cat >app.pl <<'END_PERL'
package Shop; sub inner { my $i = 0; $i++ while $i < 15_000_000; $i } sub outer { inner() + 1 }
package main; Shop::outer();
END_PERL

# names LANGUAGE TOOL FRAMES: FRAMES of the tool are its own functions, or stand for no function.
# Reads ./own and ./ours.
names() {
	title="$1: functions have the names that $2 gives them"
	[ -s own ] || { skip "$title" "no $2"; return; }
	fg-filter -q --no-header --lang "$1" -o head ours
	grep -v '^#' own | fg-filter -q --hide "$3" -o base
	fg-diff -q -n --unit samples --report=tsv --top 0 base head >rows 2>.said
	if awk -F'\t' '$1 == "whole" { all = $2 }
		$1 == "total" && $2 >= all / 20 { n++; if ($3 == 0) { print $10; bad = 1 } }
		END { print n + 0 " functions"; exit bad || n < 2 }' rows >missing; then
		ok "$title"
	else
		cat missing >>.said
		not_ok "$title"
	fi
	sed 's/^/# /' missing
	rm -f own ours
}

if ruby -e 'exit RUBY_VERSION.start_with?("3.1.")' 2>/dev/null; then
	ruby -r stackprof -e 'StackProf.run(raw: true, out: "dump") { load "'"$from"'/everyday.rb" }' json >/dev/null 2>&1 &&
		stackprof --json dump | fg-collapse -q -o own
	fg-record -q -F 997 -o ours -- ruby "$from/everyday.rb" json >/dev/null
fi
names ruby stackprof '^\(|^StackProf\.run|^Kernel#load|^(block in )?<main>|^<top'
if php -n -r 'exit(PHP_VERSION_ID < 80200 || PHP_VERSION_ID >= 80300 || PHP_ZTS ? 1 : 0);' 2>/dev/null; then
	php -n -d zend_extension=xdebug -d xdebug.mode=profile -d xdebug.output_dir=. -d xdebug.use_compression=0 \
	    -d xdebug.profiler_output_name=callgrind app.php >/dev/null 2>&1 && fg-collapse -q -o own callgrind
	fg-record -q -F 997 -o ours -- php -n app.php
fi
names php Xdebug '^$'
if java -version 2>&1 | grep -q 'version "17[.]' && javac -d . "$from/Everyday.java" 2>/dev/null; then
	java -XX:StartFlightRecording:filename=own.jfr,settings=profile -cp . Everyday json >/dev/null 2>&1 &&
		fg-collapse -q -o own own.jfr
	fg-record -q -F 997 -o ours -- java -cp . Everyday json >/dev/null 2>&1
fi
names java JFR '^$'
if node -e 'process.exit([18, 20].includes(+process.versions.node.split(".")[0]) ? 0 : 1)' 2>/dev/null; then
	node --cpu-prof --cpu-prof-name=cpuprofile "$from/everyday.js" json >/dev/null && fg-collapse -q -o own cpuprofile
	fg-record -q -F 997 -o ours -- node "$from/everyday.js" json >/dev/null
fi
names node 'node --cpu-prof' '^\((garbage collector|program|idle|root)\)'
if perl -e 'use Config; exit !("$^V" =~ /^v5\.36\./ && $Config{useithreads})'; then
	perl -d:NYTProf app.pl 2>/dev/null && nytprofcalls nytprof.out 2>/dev/null | fg-collapse -q -o own
	fg-record -q -F 997 -o ours -- perl app.pl
fi
names perl NYTProf '^$'
done_testing
