#!/bin/sh
# cargo fg with the command lines of cargo-flamegraph's README and usage: what cargo, fg-record and
# fg-render get. cargo and fg-record are stub scripts here; t/runners.t has the real ones.
# tier: quick
. "$(dirname "$0")/lib.sh"

cat >cargo <<'END'
#!/bin/sh
if [ "$1" = metadata ]; then
	cat <<'JSON'
{"packages":[{"name":"crate_name","version":"0.1.0","targets":[{"kind":["lib"],"crate_types":["lib"],"name":"crate_name","src_path":"/y/src/lib.rs"}]},{"name":"shop-core","version":"0.1.0","targets":[{"kind":["lib"],"crate_types":["lib"],"name":"shop_core","src_path":"/x/src/lib.rs"},{"kind":["bin"],"crate_types":["bin"],"name":"till","src_path":"/x/src/main.rs"}]}]}
JSON
	exit
fi
echo "cargo $*" >>"$LOG"
env | grep '^CARGO_PROFILE_' | LC_ALL=C sort >"$LOG.profile"
while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done
[ $# -eq 0 ] || shift
$CARGO_TARGET_ANY_RUNNER app "$@"
exit "${FAIL:-0}"
END
cat >record <<'END'
#!/bin/sh
[ "$1" = --version ] && echo 'fg-record stub' && exit
options=
while [ "$1" != -o ]; do options="$options $1"; shift; done
echo 'main;run;f 1' >"$2"
shift 2
echo "record$options $*" >>"$LOG"
END
printf '#!/bin/sh\necho "root: $1" >>"$LOG"\nexec "$@"\n' >root
chmod +x cargo record root
export CARGO="$tmp/cargo" FG_RECORD="$tmp/record" LOG="$tmp/log"

# fg COMMAND LINE: prints the command lines of cargo and of fg-record
fg() {
	: >log
	eval "\"\$here/../share/recipes/cargo-fg\" fg --target any $1" >said 2>&1
	echo "exit $?" >>log
	sed 's/ --target any//; s/  */ /g; s/ $//' log
}
# The command line | what cargo gets | fg-record's options
run_lines() {
	while IFS='|' read -r line cargo options; do
		program=app
		case $cargo in *' -- '?*) program="app ${cargo##* -- }" ;; esac
		output "cargo fg $line" "cargo $cargo
record$options -- $program
exit 0" fg "$line"
	done
}
# All command lines of the README.
run_lines <<'END'
|run --release --|
--dev|run --|
--bin=stress2|run --release --bin stress2 --|
-- my-command --my-arg my-value -m -f|run --release -- my-command --my-arg my-value -m -f|
-c "record -e branch-misses -c 100 --call-graph lbr -g"|run --release --| -e branch-misses -c 100 --call-graph lbr
--bench some_benchmark --features some_features -- --bench|bench --features some_features --bench some_benchmark --|
--example some_example --features some_features|run --release --features some_features --example some_example --|
--unit-test -- test::in::package::with::single::crate|test --release --lib -- test::in::package::with::single::crate|
--unit-test crate_name -- test::in::package::with::multiple:crate|test --release --lib --package crate_name -- test::in::package::with::multiple:crate|
--unit-test --dev test::may::omit::separator::if::unit::test::flag::not::last::flag|test --lib -- test::may::omit::separator::if::unit::test::flag::not::last::flag|
--test test_name|test --release --test test_name --|
END
# The options of its usage, and other command lines.
run_lines <<'END'
-b stress2|run --release --bin stress2 --|
-bstress2 -F99|run --release --bin stress2 --| -F 99
-p shop -r|run --release --package shop --|
--unit-test shop-core -- a::b|test --release --lib --package shop-core -- a::b|
--unit-test shop_core -- a::b|test --release --lib --package shop-core -- a::b|
--unit-test till|test --release --bin till --|
--unit-test shop-core --unit-test-kind bin|test --release --bin shop-core --|
--unit-test --unit-test-kind=bin|test --release --bins --|
--unit-test --unit-test-kind lib|test --release --lib --|
--unit-test --dev -- tests::x|test --lib -- tests::x|
--unit-bench|bench --lib --|
-z 3 --compression-level -z1 -z|run --release --|
-c "perf record -F 997 -g"|run --release --| -F 997
-F 4999 --no-inline|run --release --| -F 4999 --no-inline
--bench b -- --profile-time 5|bench --bench b -- --profile-time 5|
--bench b -- --bench --profile-time 5 x|bench --bench b -- --profile-time 5 x|
-- --bench|run --release -- --bench|
--no-default-features --manifest-path x/Cargo.toml|run --release --no-default-features --manifest-path x/Cargo.toml --|
--profile perf -i --reverse --deterministic|run --profile perf --|
--palette rust --min-width 0.1 --image-width 900 --notes 'a b' --flamechart|run --release --| --time-order
--title t --subtitle s --skip-after f --post-process cat --open|run --release --|
--ignore-status -v|run --release --|
END
echo 'main;f 1' >p
for palette in hot mem io red green blue aqua yellow purple orange wakeup java perl js rust; do
	output "cargo fg --palette $palette" 'exit 0' sh -c 'fg-render --colors "$1" -o /dev/null p; echo "exit $?"' - "$palette"
done
output 'cargo fg --root= records by that command' "cargo run --release --
root: $tmp/record
record -- app
exit 0" fg '--root=./root'
check 'cargo fg: Cargo.toml cannot strip the program' grep -qx CARGO_PROFILE_RELEASE_STRIP=none log.profile
check 'cargo fg: the program has debug information' grep -qx CARGO_PROFILE_RELEASE_DEBUG=1 log.profile
export CARGO_PROFILE_RELEASE_STRIP=symbols
fg '' >/dev/null
unset CARGO_PROFILE_RELEASE_STRIP
check 'cargo fg: CARGO_PROFILE_RELEASE_STRIP of the environment counts' \
	grep -qx CARGO_PROFILE_RELEASE_STRIP=symbols log.profile
output 'cargo fg --post-process filters the stacks' 'main;f 1' sh -c \
	'"$1" fg --target any --folded out --post-process "sed s/run.//" 2>/dev/null; cat out' - "$here/../share/recipes/cargo-fg"
printf '#!/bin/sh\necho "$*" | sed "s# [^ ]*folded##"\n' >render
chmod +x render
output 'cargo fg passes options of the picture on' \
	'-o x.svg --skip-after run --inverted --minwidth 0.1% --colors rust' sh -c \
	'FG_RENDER=./render "$1" fg --target any -o x.svg --skip-after run -i --min-width 0.1 --palette rust 2>/dev/null' \
	- "$here/../share/recipes/cargo-fg"
export FAIL=3
output "cargo fg has the program's status" 'exit 3' sh -c '"$1" fg --target any >/dev/null 2>&1; echo "exit $?"' - "$here/../share/recipes/cargo-fg"
output 'cargo fg --ignore-status exits 0' 'exit 0' sh -c '"$1" fg --target any --ignore-status >/dev/null 2>&1; echo "exit $?"' - "$here/../share/recipes/cargo-fg"
output 'cargo fg -V is the version of fg-record' 'fg-record stub' "$here/../share/recipes/cargo-fg" fg -V
unset FAIL
printf 'perf 1 [0] 1.0: 1 cycles:\n\t10 f (/x)\n\t20 main (/x)\n\n' >perf.txt
output 'cargo fg --perfdata reads a recording, and starts nothing' 'exit 0' fg '--perfdata perf.txt'
done_testing
