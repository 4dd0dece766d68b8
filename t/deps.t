#!/bin/sh
# .ci/deps: packages it would install and when, with stubs in place of package managers.
# tier: quick
. "$(dirname "$0")/lib.sh"

deps=$here/../.ci/deps
LOG=$tmp/log
mkdir bin
for tool in sh cat tr cut grep sed; do
	ln -s "$(command -v $tool)" bin/
done
straw_tool() {
	printf '#!/bin/sh\necho "%s $*" >>"$LOG"\n%s\n' "$1" "$2" >"bin/$1"
	chmod +x "bin/$1"
}
straw_tool apt-get ''
straw_tool sudo 'exec "$@"'

# straw UID COMMAND...: runs a command as that user, with only the stubs in PATH
straw() {
	printf '#!/bin/sh\necho %s\n' "$1" >bin/id
	chmod +x bin/id
	shift
	: >"$LOG"
	env -i PATH="$tmp/bin" LOG="$LOG" "$@"
}

status 'root: installs' 0 straw 0 sh "$deps" demo
check "apt's lists are fetched before packages are installed" grep -qx 'apt-get update' "$LOG"
check 'apt installs the packages that building needs' grep -q 'install -y .*gcc .*libdw-dev libelf-dev libbsd-dev libxxhash-dev' "$LOG"
status 'the demo needs no tool of the tests' 1 grep -qE 'chromium|nodejs|perl' "$LOG"
straw 0 sh "$deps" quick >/dev/null
check 'quick tests need perl' grep -q 'install .* perl' "$LOG"
status 'quick tests need no perf, browser or JDK' 1 grep -qE 'linux-perf|chromium|firefox|jdk' "$LOG"
straw 0 sh "$deps" test >/dev/null
check 'make test needs perf' grep -q 'install .* linux-perf' "$LOG"
status 'make test needs no browser, JDK or Slurm' 1 grep -qE 'chromium|firefox|jdk|slurm' "$LOG"
straw 0 sh "$deps" test-all >/dev/null
check 'make test-all needs browsers, a JDK, linters' \
	sh -c 'for p in chromium firefox-esr openjdk shellcheck; do grep -q "install .* $p" "$0" || exit 1; done' "$LOG"
straw_tool npm ''
straw 0 sh "$deps" test-all >/dev/null
check 'make test-all needs speedscope and one version of axe-core from npm' grep -q '^npm install -g .* speedscope axe-core@[0-9.]*$' "$LOG"
straw 0 sh "$deps" test >/dev/null
status 'make test needs nothing from npm' 1 grep -q '^npm' "$LOG"
straw_tool npm 'exit 1'
status 'npm fails: no error' 0 straw 0 sh "$deps" test-all
rm bin/npm
straw_tool apt-get 'case " $* " in *" firefox-esr "*) echo "E: Unable to locate package firefox-esr" >&2; exit 100 ;; esac'
status 'a package of the tests is unknown: no error' 0 straw 0 sh "$deps" test-all
straw 0 sh "$deps" test-all >said 2>&1
check 'an unknown package is reported' grep -qx 'not installed, the tests that need them will skip: firefox-esr' said
check 'packages beside an unknown one are installed' grep -qx 'apt-get install -y --no-install-recommends chromium' "$LOG"
straw_tool apt-get 'case " $* " in *" libdw-dev "*) exit 100 ;; esac'
status 'a package of the build is unknown: an error' 1 straw 0 sh "$deps" test-all
straw_tool apt-get ''
status 'not root: packages are installed with sudo' 0 straw 1000 sh "$deps"
check 'not root: the command is sudo apt-get install' grep -q '^sudo apt-get install' "$LOG"
rm bin/sudo
status 'neither root nor sudo: exit 1' 1 straw 1000 sh "$deps"
straw 1000 sh "$deps" >said 2>&1
check 'neither root nor sudo: the message has the command' grep -q 'as root, type:  apt-get update && apt-get install -y' said
status 'neither root nor sudo: nothing is installed' 1 test -s "$LOG"
status '--check: stops' 1 straw 0 sh "$deps" --check build
status '--check: nothing is installed' 1 test -s "$LOG"
rm bin/apt-get
straw_tool dnf ''
straw 0 sh "$deps" >/dev/null
check 'dnf has names of its own' grep -q '^dnf install -y .*elfutils-devel' "$LOG"
rm bin/dnf
straw_tool zypper ''
straw 0 sh "$deps" >/dev/null
check 'zypper has names of its own' grep -q '^zypper --non-interactive install .*libdw-devel' "$LOG"
rm bin/zypper
straw_tool pkg ''
straw 0 sh "$deps" >/dev/null
check 'pkg installs the libraries of the filters' grep -q '^pkg install -y .*xxhash' "$LOG"
status 'pkg: no package of the kernel or of glibc' 1 grep -qE 'libdw|libbsd|linux| - ' "$LOG"
rm bin/pkg
straw_tool brew ''
straw_tool sudo 'exec "$@"'
straw 1000 sh "$deps" >/dev/null
check 'brew installs without sudo' grep -q '^brew install .*xxhash' "$LOG"
status 'brew: sudo is not called' 1 grep -q '^sudo' "$LOG"
rm bin/brew bin/sudo
status 'no package manager: stops' 1 straw 0 sh "$deps"
straw 0 sh "$deps" >said 2>&1
check 'no package manager: the message' grep -q 'no apt, dnf, apk, pacman, zypper, pkg or brew' said

if sh "$deps" --check optional >/dev/null 2>&1; then
	output 'a no-op where all is there' '' sh "$deps" build
else
	skip 'a no-op where all is there' 'something is missing here'
fi
done_testing
