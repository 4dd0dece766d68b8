#!/bin/sh
# share/ci/compare, end to end: a git repository with branches is built, profiled and compared.
# tier: full
. "$(dirname "$0")/lib.sh"

compare=$here/../share/ci/compare
command -v git >/dev/null || skip_all 'git is not installed' git
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

# A script in place of fg-record writes the profile that the benchmark prints, so that only
# share/ci/compare is tested.
mkdir tools project
cat >tools/fg-record <<'END'
#!/bin/sh
while [ "$1" != -- ]; do
	[ "$1" = -o ] && out=$2
	shift
done
shift
run=${out##*.}
RUN=${run#0} "$@" >"$out"
END
chmod +x tools/fg-record
PATH=$tmp/tools:$PATH
cd project || exit 1
mkdir .fg

# bench PARSE SORT: two benchmarks whose functions cost PARSE and SORT.
bench() {
	cat >parse.sh <<END
n=\$((RUN * 37 % 101))
echo "app;main;parse \$(($1 + n))"
echo "app;main;rest \$((50000 + 3 * n))"
echo "app;main;other \$((30000 - 2 * n))"
END
	cat >sort.sh <<END
n=\$((RUN * 53 % 97))
echo "app;main;sort \$(($2 + n))"
echo "app;main;rest \$((40000 + 2 * n))"
echo "app;main;other \$((35000 - n))"
END
	printf '# the benchmarks\nparse sh parse.sh\nsort  sh sort.sh # in place\n' >.fg/benchmarks
	printf 'all:\n\ttouch built\n' >Makefile
	git add -A .
	git commit -q -m "parse $1, sort $2"
}
git init -q .
git symbolic-ref HEAD refs/heads/main
bench 20000 25000
git checkout -q -b same
git commit -q --allow-empty -m 'same'
status 'compare passes if nothing changed' 0 sh "$compare" BASE=main RUNS=6 OUT=../out
check 'comment: PASS if nothing changed' grep -q '^\*\*PASS\*\*' ../out/comment.md
output 'each benchmark has a row' 2 grep -c '^| `[a-z]*` | PASS | [+-][0-9.]* %' ../out/comment.md
check 'OUT has a picture' grep -q '<svg' ../out/parse/diff.svg
check 'OUT has a report in JSON' grep -q '"verdict":"PASS"' ../out/sort/report.json
output 'the trees are removed' '1' sh -c 'git worktree list | wc -l | tr -d " "'

git checkout -q -b slower main
bench 30000 25000
status 'a benchmark that became slower is exit status 1' 1 sh "$compare" BASE=main RUNS=6 OUT=../out ARTIFACTS=https://ci/1
cp ../out/comment.md ../comment.md
check 'the comment begins with a mark for later updates' grep -q '^<!-- fg compare -->$' ../out/comment.md
check 'comment: the number of slower benchmarks' grep -q '^\*\*FAIL\*\*: 1 of 2 benchmarks became slower by more than 3%\.$' ../out/comment.md
check 'comment: the slower function with values and interval' grep -Eq \
	'^- `parse`: [0-9,]+ → [0-9,]+ \(\+[0-9.]+ %; \+[0-9.]+ to \+[0-9.]+ %\), \+[0-9.]+ % of base.s total$' ../out/comment.md
check 'a row for each benchmark, with links' grep -q '^| `parse` | FAIL | .* | \[picture\](https://ci/1/parse/diff.svg) |$' ../out/comment.md
check 'a row for the benchmark that did not change: PASS' grep -q '^| `sort` | PASS ' ../out/comment.md
check 'at most 1,500 characters before the details' test "$(sed '/^<details>/q' ../out/comment.md | wc -m)" -le 1500
output 'all details are closed' "$(grep -c '^<details>' ../out/comment.md)" grep -c '^</details>' ../out/comment.md

# The change is accepted by a line in the repository.
printf 'parse total # the new grammar\n' >.fg/accept
git add -A .
git commit -q -m 'accept another function'
status 'a line about another function does not accept a change' 1 sh "$compare" BASE=main RUNS=6 OUT=../out
printf '# why\nparse parse # the new grammar\n' >.fg/accept
git add -A .
git commit -q -m 'accept'
status 'an accepted change passes' 0 sh "$compare" BASE=main RUNS=6 OUT=../out
check 'comment: an accepted change is marked as accepted' grep -q '^| `parse` | FAIL, accepted ' ../out/comment.md
git checkout -q -b slower-still
bench 45000 25000
status 'a line that base has already does not accept the next one' 1 sh "$compare" BASE=slower RUNS=6 OUT=../out

# The history of the main branch.
git checkout -q main
for i in 1 2 3 4; do
	git commit -q --allow-empty -m "main $i"
	GIT_COMMITTER_DATE="2026-01-0${i}T00:00:00Z" git commit -q --amend --no-edit --allow-empty
	sh "$compare" BASE=HEAD~1 RUNS=2 FAIL_ABOVE=90% OUT=../out SAVE=../history >/dev/null 2>&1
done
output 'runs of the main branch are saved, by time and commit' 8 sh -c 'ls ../history/parse | wc -l | tr -d " "'
output 'ls sorts the saved runs by time' "$(ls ../history/parse)" sh -c 'ls ../history/parse | sort'
status 'a baseline is used' 0 sh "$compare" BASE=HEAD~1 RUNS=3 OUT=../out BASELINE=../history
check 'report: the number of baseline runs' grep -q 'by 8 earlier ones (--baseline)' ../out/comment.md

# Errors.
git checkout -q -b broken main
echo 'exit 1' >parse.sh
git commit -q -a -m broken
status 'a benchmark that fails is exit status 2' 2 sh "$compare" BASE=main RUNS=3 OUT=../out
check 'comment: a failed benchmark cannot be judged, and has no figure' grep -q '^| `parse` | CANNOT TELL |  | ' ../out/comment.md
check 'comment: the run that failed' grep -q '^\*\*CANNOT TELL\*\*: run 001 of head failed (exit status 1): ' ../out/comment.md
output 'report.json: the run that failed' '{"verdict":"CANNOT TELL","reason":"run 001 of head failed (exit status 1)"}' \
	cat ../out/parse/report.json
git checkout -q -b flaky main
echo '[ $RUN -ne 3 ] || exit 7' >>parse.sh
git commit -q -a -m flaky
status 'a failed run of six is exit status 2' 2 sh "$compare" BASE=main RUNS=6 OUT=../out
check 'comment: which run of six failed' grep -q '^\*\*CANNOT TELL\*\*: run 003 of head failed (exit status 7): ' ../out/comment.md
check 'comment: the other benchmark is judged' grep -q '^| `sort` | PASS | ' ../out/comment.md
git checkout -q -b unbuilt main
printf 'all:\n\tfalse\n' >Makefile
git commit -q -a -m unbuilt
status 'a commit that does not build is exit status 2' 2 sh "$compare" BASE=main OUT=../out
check 'a commit that does not build has a comment' grep -q 'head (.*) does not build' ../out/comment.md
output 'a commit that does not build: no work tree is left' '1' sh -c 'git worktree list | wc -l | tr -d " "'
status 'an unknown setting' 2 sh "$compare" BAZ=1
status 'an unknown mode' 2 sh "$compare" MODE=guess
status 'a base that is not there' 2 sh "$compare" BASE=nowhere
git checkout -q -b more main
printf 'parse sh parse.sh\nsort sh sort.sh\nnews sh sort.sh\n' >.fg/benchmarks
git commit -q -a -m more
status 'a new benchmark beside others has no effect' 0 sh "$compare" BASE=main RUNS=6 OUT=../out
check 'comment: a new benchmark is marked as new' grep -q '^| `news` | new ' ../out/comment.md

# Benchmarks that head lacks.
git checkout -q -b fewer main
printf 'parse sh parse.sh\n' >.fg/benchmarks
git commit -q -a -m fewer
status 'a removed benchmark is exit status 2' 2 sh "$compare" BASE=main RUNS=6 OUT=../out
check 'comment: a removed benchmark has a row' grep -q '^| `sort` | removed ' ../out/comment.md
check 'comment: a removed benchmark is the reason' grep -q '^\*\*CANNOT TELL\*\*: benchmarks were removed: 1' ../out/comment.md
echo sort >.fg/accept
git add -A .
git commit -q -m 'accept the removal'
status 'a removed benchmark can be accepted' 0 sh "$compare" BASE=main RUNS=6 OUT=../out
git checkout -q -b renamed main
printf 'other sh sort.sh\n' >.fg/benchmarks
printf 'parse\nsort\n' >.fg/accept
git add -A .
git commit -q -m renamed
status 'nothing compared is exit status 2' 2 sh "$compare" BASE=main RUNS=6 OUT=../out

# A merge commit, as CI checks out a pull request: the base is its first parent.
git checkout -q -b docs main
git commit -q --allow-empty -m docs
git checkout -q -b moved main
bench 30000 25000
git merge -q --no-ff -m merge docs
status 'HEAD is a merge commit: what its first parent changed does not count' 0 sh "$compare" RUNS=6 OUT=../out

# Names that are patterns, HTML and Markdown; the same name twice.
git checkout -q -b hostile main
printf '* sh parse.sh\n<img> sh parse.sh\n![x](y) sh parse.sh\n@team sh sort.sh\n@team sh sort.sh\na|b sh sort.sh # c#\n' >.fg/benchmarks
git commit -q -a -m hostile
git commit -q --allow-empty -m same
status 'hostile names are names' 0 sh "$compare" BASE=HEAD~1 RUNS=6 OUT=../out
output 'each hostile name has one row' 5 grep -c '^| .* | PASS |' ../out/comment.md
output 'no hostile name is Markdown or HTML' '' sh -c 'grep -n "<img>\|!\[x\](y)\|@team\|a|b" ../out/comment.md | grep -v "\`"'

# Branches and files with names that a shell or git could take for something else; a fork.
git checkout -q -b 'x;$(touch${IFS}pwned)-|`touch${IFS}pwned`&<b>' main
mkdir -p 'a b' ./-q
touch "a b/\$(touch pwned)" './-q/--fail-above' "$(printf 'new\nline')" '*' ':(top)x'
git add -A .
git commit -q -m hostile
status 'branches and files with hostile names' 0 sh "$compare" BASE=main RUNS=6 OUT=../out
status 'a base with a hostile name' 0 sh "$compare" BASE='x;$(touch${IFS}pwned)-|`touch${IFS}pwned`&<b>' HEAD=main RUNS=6 OUT=../out
status 'a base that looks like an option' 2 sh "$compare" BASE=--all OUT=../out
output 'no name was run' '' sh -c 'find .. -name pwned'
git clone -q . ../fork
cd ../fork || exit 1
git checkout -q -b change origin/main
bench 30000 25000
status 'a fork: the base is the merge base with origin/main' 1 sh "$compare" RUNS=6 OUT=../out
cd ../project || exit 1

# A job that is cancelled, and minutes.
git checkout -q -b slow main
printf 'slow sleep 2\n' >.fg/benchmarks
git add -A .
git commit -q -m slow
git commit -q --allow-empty -m same
sh "$compare" BASE=HEAD~1 OUT=../out >/dev/null 2>&1 &
job=$!
wait_for test -e ../out/slow/base.001.log
kill -TERM $job
wait $job
output 'a cancelled job is exit status 2' 2 echo $?
output 'a cancelled job leaves no work tree' 1 sh -c 'git worktree list | wc -l | tr -d " "'
sh "$compare" BASE=HEAD~1 OUT=../out BUDGET=0.01 >/dev/null 2>../said
output 'a budget that is too small is exit status 2' 2 echo $?
check 'the minutes are estimated before they are spent' grep -q '^compare: about [0-9.]* minutes for 5 runs a side, BUDGET=0.01$' ../said
check 'a budget that is too small: the comment has the minutes' \
	grep -q '^\*\*CANNOT TELL\*\*: about [0-9.]* minutes are needed, and BUDGET=0.01: ' ../out/comment.md
check 'a budget that is too small: nothing was recorded' test ! -e ../out/slow/base.001
status 'a budget in words is refused' 2 sh "$compare" BASE=HEAD~1 OUT=../out BUDGET=five
git checkout -q same
sh "$compare" BASE=main RUNS=6 OUT=../out BUDGET=60 >/dev/null 2>../said
output 'a budget that is large enough' 0 echo $?
check 'a budget that is large enough: no run is left out' test -s ../out/parse/head.006

# Many benchmarks.
git checkout -q -b many main
awk 'BEGIN { for (i = 1; i <= 60; i++) print "bench" i, "sh parse.sh" }' >.fg/benchmarks
git commit -q -a -m many
git commit -q --allow-empty -m same
status 'sixty benchmarks are compared' 0 sh "$compare" BASE=HEAD~1 RUNS=2 FAIL_ABOVE=90% OUT=../out
check 'the comment has at most 60,000 bytes' test "$(wc -c <../out/comment.md)" -le 60000
output 'sixty benchmarks have sixty rows' 60 grep -c '^| `bench' ../out/comment.md
for f in ../out/*/report.json; do head -c 1 "$f"; done | grep -q '[^{]' && not_ok 'each report.json is JSON' || ok 'each report.json is JSON'

# With callgrind: exact instruction counts, so one run a side is enough.
if command -v valgrind >/dev/null && command -v setarch >/dev/null && command -v "${CC:-cc}" >/dev/null; then
	git checkout -q -b counted main
	source() {
		cat >bench.c <<END
static int __attribute__((noinline)) work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i % 7; return s; }
static int __attribute__((noinline)) rest(int n) { int s = 0; for (int i = 0; i < n; i++) s += i % 5; return s; }
volatile int sink;
int main(void) { sink = work($1) + rest(300000); return 0; }
END
		printf 'all:\n\t%s -g -O1 -o bench bench.c\n' "${CC:-cc}" >Makefile
		printf 'bench ./bench\n' >.fg/benchmarks
		git add -A .
		git commit -q -m "work $1"
	}
	source 100000
	git checkout -q -b counted-same
	git commit -q --allow-empty -m same
	status 'MODE=callgrind: nothing changed' 0 sh "$compare" BASE=counted MODE=callgrind FAIL_ABOVE=0.1% OUT=../out
	# BASELINE has the exact profile of base.
	sh "$compare" BASE=counted HEAD=counted MODE=callgrind OUT=../out SAVE=../exact >/dev/null 2>&1
	output 'MODE=callgrind: SAVE has the profile of the commit' 1 sh -c "ls ../exact/.exact/bench/\$(git rev-parse counted).* | wc -l | tr -d ' '"
	status 'MODE=callgrind: base from the history' 0 sh "$compare" BASE=counted MODE=callgrind FAIL_ABOVE=0.1% OUT=../out BASELINE=../exact
	check 'MODE=callgrind: base from the history is not built' test ! -e ../out/build.base.log
	check 'comment: base is from the history' grep -q 'estimated cycles (callgrind), base from the history' ../out/comment.md
	status 'MODE=callgrind: with another build base is measured again' 0 sh "$compare" BASE=counted MODE=callgrind \
		BUILD='make -s' FAIL_ABOVE=0.1% OUT=../out BASELINE=../exact
	check 'MODE=callgrind: with another build base is built' test -e ../out/build.base.log
	# Benchmarks of any names that abort in head.
	git checkout -q -b ten counted
	perl -e 'srand 42; print join("", map { (qw(ba do ke li mu no ra si tu ve wo za))[rand 12] } 1 .. 4), $_, " x\n" for 1 .. 10' |
		sed 's/ .*/ .\/bench/' >.fg/benchmarks
	git add -A .
	git commit -q -m ten
	git checkout -q -b ten-abort
	sed -i.old 's/return 0;/__builtin_abort();/' bench.c
	git commit -q -a -m abort
	status 'MODE=callgrind: ten benchmarks that abort in head' 2 sh "$compare" BASE=ten MODE=callgrind OUT=../out
	output 'MODE=callgrind: none that aborts is judged' 10 grep -c '^| `[a-z]*[0-9]*` | CANNOT TELL |  |' ../out/comment.md
	git checkout -q -f -b ten-removed ten
	sed -i.old 's/^\([a-z]*\)\([0-9]*\) /\2\1 /' .fg/benchmarks
	git commit -q -a -m renamed
	status 'ten benchmarks that were renamed' 2 sh "$compare" BASE=ten RUNS=1 OUT=../out
	output 'ten benchmarks that were renamed: ten rows' 10 grep -c '^| `[a-z]*[0-9]*` | removed ' ../out/comment.md
	git checkout -q -f counted-same
	git checkout -q -b counted-slower
	source 104000
	status 'MODE=callgrind: 4 % of one function is seen' 1 sh "$compare" BASE=counted MODE=callgrind FAIL_ABOVE=0.1% OUT=../out
	status 'MODE=callgrind: and with base from the history' 1 sh "$compare" BASE=counted MODE=callgrind FAIL_ABOVE=0.1% OUT=../out BASELINE=../exact
	check 'MODE=callgrind: comment: the changed function' grep -q '^- `work`: ' ../out/comment.md
	check 'costs are estimated cycles' grep -q 'estimated cycles (callgrind)' ../out/comment.md
else
	skip 'MODE=callgrind' 'valgrind, setarch or a compiler is missing' valgrind
fi
done_testing
