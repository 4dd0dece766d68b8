#!/bin/sh
# fg-diff(1)'s recipe for continuous integration, on a small project.
# tier: full soak
. "$(dirname "$0")/lib.sh"

# Runs the first script after "A gate". A script in place of fg-record stores the profile that the
# project's bench prints, so that only the recipe is tested.
awk '/^\.Ss A gate/ { on = 1 } /^\.Bd/ && on { lit = 1; next } /^\.Ed/ { if (lit) exit } lit' \
	"$here/../man/fg-diff.1" | sed 's/\\e/\\/g' >gate.sh
command -v git >/dev/null || skip_all 'git is not installed' git
mkdir tools project
cat >tools/fg-record <<'END'
#!/bin/sh
while [ "$1" != -- ]; do
	[ "$1" = -o ] && out=$2
	shift
done
"$2" $$ >"$out"
END
chmod +x tools/fg-record
PATH=$tmp/tools:$PATH
cd project || exit 1
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
bench() {
	cat >bench.sh <<END
#!/bin/sh
echo "main;work \$(($1 + \$1 % 100))"
echo "main;rest \$((50000 + \$1 % 70))"
END
	printf 'bench: bench.sh\n\tcp bench.sh bench\n\tchmod +x bench\n' >Makefile
	git add bench.sh Makefile
	git commit -q -m "$1"
}
{
	git init -q .
	bench 40000
	git branch -M main
} >/dev/null 2>&1
export MAIN=main
git checkout -q -b same
status 'the recipe: nothing changed' 0 sh ../gate.sh
check 'the recipe: the work tree of the main branch is removed' test ! -e base
git checkout -q -b slower
bench 60000 >/dev/null
rm -f bench
status 'the recipe: slower' 1 sh ../gate.sh
check 'the comment names the function' grep -q '^| `work` .* real |$' profile/comment.md
check 'the picture is there' grep -q 'change since main' profile/diff.svg
check 'stacks have marks' grep -q '^main;work .* 0$' profile/diff.folded

# The recipe with the real fg-record, and a program in which one function does the same or ten
# times the work. A machine that refuses perf events is not a fault of the recipe.
cd "$tmp" || exit 1
rm -rf tools project
mkdir project
cd project || exit 1
work() {
	cat >bench.c <<END
#define WORK __attribute__((noinline, noclone)) static void
WORK parse(int n) { for (volatile int i = 0; i < n; i++) continue; }
WORK sort(int n) { for (volatile int i = 0; i < n; i++) continue; }
WORK write_out(int n) { for (volatile int i = 0; i < n; i++) continue; }
WORK hash(int n) { for (volatile int i = 0; i < n; i++) continue; }
WORK pack(int n) { for (volatile int i = 0; i < n; i++) continue; }
WORK sum(int n) { for (volatile int i = 0; i < n; i++) continue; }
static void rest(int n) { sort(n), write_out(n), hash(n), pack(n), sum(n); }
int main(void) { for (int i = 0; i < 300; i++) parse($1), rest(300000); }
END
	printf 'bench: bench.c\n\t$(CC) -O1 -g -o bench bench.c\n' >Makefile
	git add bench.c Makefile
	git commit -q -m "$1"
}
{
	git init -q .
	work 300000
	git branch -M main
	git checkout -q -b slower
	work 3000000
} >/dev/null 2>&1
make -s bench >../why 2>&1
if ! rates; then
	:
elif fg-record -q -o ../first -- ./bench >/dev/null 2>../why && [ -s ../first ]; then
	rm -f bench
	status 'the recipe with fg-record: slower' 1 env RUNS=5 sh ../gate.sh
	output 'the recipe with fg-record: the answer is FAIL' '**FAIL**' sh -c 'head -1 profile/comment.md | cut -d: -f1'
	check 'the recipe with fg-record: the table names the function' grep -q '^| `parse` .* real |$' profile/comment.md
else
	skip 'the recipe with fg-record' "this machine refuses to be profiled: $(head -1 ../why)"
fi

# With callgrind instructions are counted, so one run a side is enough.
if command -v valgrind >/dev/null; then
	awk '/^If no machine is quiet enough, count/ { on = 1 } /^\.Bd/ && on { lit = 1; next }
		/^\.Ed/ { if (lit) exit } lit' "$here/../man/fg-diff.1" >../loop
	awk '/^i=1$/ { while ((getline line < "../loop") > 0) print line; skip = 1 }
		!skip { print } /^done$/ { skip = 0 }' ../gate.sh >../count.sh
	check 'the recipe with callgrind has its loop' grep -q 'tool=callgrind' ../count.sh
	counted() {
		sed -i 's/i < [0-9]*; i++) .*$/i < 10; i++) parse('"$1"'), sort(4000), write_out(3000); }/' bench.c
		git add bench.c
		git commit -q -m "counted $1"
	}
	{
		git checkout -q main
		counted 3000
		git checkout -q -b counted-same
		git commit -q --allow-empty -m same
	} >/dev/null 2>&1
	status 'the recipe with callgrind: nothing changed' 0 sh ../count.sh
	cp profile/comment.md ../same.md
	check 'the recipe with callgrind: the comment says PASS' grep -q '^\*\*PASS\*\*' ../same.md
	check 'the recipe with callgrind: values are exact, one run is enough' grep -q 'values are exact' ../same.md
	{
		git checkout -q -b counted-slower
		counted 4500
	} >/dev/null 2>&1
	rm -f bench
	status 'the recipe with callgrind: half more in one function' 1 sh ../count.sh
	output 'the recipe with callgrind: the answer is FAIL' '**FAIL**' sh -c 'head -1 profile/comment.md | cut -d: -f1'
	check 'the recipe with callgrind: the table names the function' grep -q '^| `parse` .* real |$' profile/comment.md
	{
		git checkout -q -b counted-faster
		counted 2700
	} >/dev/null 2>&1
	rm -f bench
	status 'the recipe with callgrind: fewer instructions pass' 0 sh ../count.sh
else
	skip 'the recipe with callgrind' 'there is no valgrind' valgrind
fi
cd "$tmp" || exit 1
done_testing
