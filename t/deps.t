#!/bin/sh
# .ci/deps: what it would install and when, with package managers of straw.
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

# straw UID COMMAND...: run with nothing but the straw tools, as that user
straw() {
	printf '#!/bin/sh\necho %s\n' "$1" >bin/id
	chmod +x bin/id
	shift
	: >"$LOG"
	env -i PATH="$tmp/bin" LOG="$LOG" "$@"
}

status 'root: installs' 0 straw 0 sh "$deps" demo
check 'the lists are fetched first' grep -qx 'apt-get update' "$LOG"
check 'by name, what building needs' grep -q 'install -y .*gcc .*libdw-dev libelf-dev libbsd-dev libxxhash-dev' "$LOG"
status 'the demo needs no browser' 1 grep -qE 'chromium|nodejs|perl' "$LOG"
straw 0 sh "$deps" test >/dev/null
check 'the tests do' grep -q 'install .*perl .*nodejs chromium' "$LOG"
straw_tool npm ''
straw 0 sh "$deps" test >/dev/null
check 'and what npm alone has' grep -q '^npm install -g .*speedscope$' "$LOG"
straw 0 sh "$deps" demo >/dev/null
status 'of which the demo needs nothing' 1 grep -q '^npm' "$LOG"
straw_tool npm 'exit 1'
status 'npm that has nothing is no failure' 0 straw 0 sh "$deps" test
rm bin/npm
status 'not root: installs' 0 straw 1000 sh "$deps"
check 'with sudo' grep -q '^sudo apt-get install' "$LOG"
rm bin/sudo
status 'not root, no sudo: stops' 1 straw 1000 sh "$deps"
straw 1000 sh "$deps" >said 2>&1
check 'and says the exact command' grep -q 'as root, type:  apt-get update && apt-get install -y' said
status 'and installs nothing' 1 test -s "$LOG"
status '--check: stops' 1 straw 0 sh "$deps" --check build
status 'and installs nothing' 1 test -s "$LOG"
rm bin/apt-get
straw_tool dnf ''
straw 0 sh "$deps" >/dev/null
check 'dnf has names of its own' grep -q '^dnf install -y .*elfutils-devel' "$LOG"
rm bin/dnf
status 'no package manager: stops' 1 straw 0 sh "$deps"
straw 0 sh "$deps" >said 2>&1
check 'and says so' grep -q 'no apt, dnf, apk or pacman' said

if sh "$deps" --check build >/dev/null 2>&1; then
	output 'a no-op where all is there' '' sh "$deps" build
else
	skip 'a no-op where all is there' 'something is missing here'
fi
done_testing
