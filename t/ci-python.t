#!/bin/sh
# share/ci/compare with MODE=callgrind names functions of Python, by pyframes.
# tier: full
. "$(dirname "$0")/lib.sh"

ci=$here/../share/ci
for program in git valgrind setarch cc; do
	command -v $program >/dev/null || skip_all "$program is not installed" $program
done
python=''
for program in /usr/bin/python3 python3; do
	$program -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null && python=${python:-$program}
done
[ -n "$python" ] || skip_all 'Python 3.9 or later is not installed' python3
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

# The module, without callgrind.
mkdir alone
sh "$ci/pyframes" build "$tmp/alone" || skip_all 'the module of pyframes cannot be built'
cat >alone.py <<'END'
import os
import threading

def leaf(n):
    return n if n < 2 else leaf(n - 1)

def numbers():
    try:
        yield leaf(3)
    except ValueError:
        yield 2

def raises():
    raise KeyError("no such key")

made = numbers()
print(next(made), made.throw(ValueError()))
try:
    raises()
except KeyError as error:
    print(error)
thread = threading.Thread(target=leaf, args=(2,))
thread.start()
thread.join()
if os.fork() == 0:
    raises_later = [leaf(i) for i in range(3)]
    os._exit(0)
os.wait()
END
output 'pyframes: the output of a program is the same' "1 2
'no such key'" env PYTHONPATH="$tmp/alone" FG_PYFRAMES="$tmp/names" $python alone.py
cat names.* >names
check 'pyframes: a name has its file and line' grep -q 'leaf (.*alone.py:4)$' names
check 'pyframes: each stack is one of its caller' awk '
	{ name[$1] = $3; parent[$1] = $2 } $3 == "leaf" && name[$2] == "leaf" { deep++ } $2 >= $1 { exit bad = 1 }
	END { exit bad || !deep }' names.*
output 'pyframes: a forked process has a file of its own' 2 sh -c 'ls names.* | wc -l | tr -d " "'
mkdir site
echo 'print("site")' >site/sitecustomize.py
output "pyframes: the program's own sitecustomize is imported" site \
	env PYTHONPATH="$tmp/alone:$tmp/site" FG_PYFRAMES="$tmp/names" $python -c pass

# Costs of callgrind: self, calls, a recursion's suffix, ends of lines that are zeros.
cat >costs <<'END'
cmd: /usr/bin/python3 x.py
events: Ir Dr I1mr ILmr
fn=(1) main
0 50
cfn=(2) pyframe_1
calls=1 0
0 400 1 2

fn=(2)
0 10 0 1
cfn=(3) eval
calls=1 0
0 380 0 1 1
fn=(3)
0 100
cfn=(4) pyframe_2
calls=2 0
0 200
fn=(4) pyframe_2'2
+3 5
cfn=(3)
calls=2 0
* 195

totals: 1000 0 1
END
printf '%s\n' '1 0 outer (a.py:1)' '2 1 inner (a.py:3)' >costs.names
output 'pyframes: the cost of native code is that of the function that called it' 'python3 500
python3;outer (a.py:1)_[p] 310
python3;outer (a.py:1)_[p];inner (a.py:3)_[p] 200' sh "$ci/pyframes" fold costs costs.names

# A pull request that replaces str.find by a regular expression.
for seed in ${SEEDS:-1}; do
	mkdir repository.$seed
	slow=$(cd repository.$seed && PYTHON=$python perl "$here/ci-python.pl" $seed 40)
	(cd repository.$seed && sh "$ci/compare" BASE=main MODE=callgrind OUT=../out.$seed >../said 2>&1)
	output "seed $seed, callgrind: the first line names the function and its change" 1 \
		sh -c "grep '^- ' out.$seed/comment.md | head -1 | grep -c '^- total of .$slow. +.* its change is +[0-9.]* %'"
	check "seed $seed: the comment has no directory of this machine" sh -c "! grep -q '$tmp' out.$seed/comment.md"
	[ -n "${SEEDS:-}" ] || continue
	(cd repository.$seed && sed -i 's/ 40$/ 4000/' .fg/benchmarks && git commit -q -a -m more && git branch -f more main &&
		git checkout -q more && sed -i 's/ 40$/ 4000/' .fg/benchmarks && git commit -q -a -m more && git checkout -q pr &&
		sh "$ci/compare" BASE=more MODE=record RUNS=5 OUT=../record.$seed >../said 2>&1)
	output "seed $seed, record: the first line names the function, its change and the interval" 1 \
		sh -c "grep '^- ' record.$seed/comment.md | head -1 | grep -c '^- total of .$slow. +.* its change is +[0-9.]* % (+[0-9].* to '"
done
done_testing
