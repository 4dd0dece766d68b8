#!/bin/sh
# root writes DIRECTORY/x by -o while another user replaces x again and again (programs/exchange.c).
# His file and his FIFO get no byte. In a sticky directory, a file of root that his link leads to gets
# none either. ROUNDS (300): runs of the program.
# tier: soak
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || skip_all 'needs root and setpriv'
${CC:-cc} -O1 -o exchange "$here/programs/exchange.c" || skip_all 'no C compiler' gcc
echo 'a;b 1' >in
chmod 755 .

# raced NAME MODE: the directory has that mode.
raced() {
	rm -rf shared secret
	mkdir shared
	chmod "$2" shared
	chgrp 65534 shared
	echo old >secret
	setpriv --reuid=65534 --regid=65534 --clear-groups ./exchange shared >said 2>&1 &
	attacker=$!
	wait_for grep -q ready said
	written=0 refused=0 i=0
	while [ $i -lt "${ROUNDS:-300}" ]; do
		# A FIFO without the attacker's descriptor would block.
		timeout 600 fg-merge -o shared/x in 2>err && written=$((written + 1)) || refused=$((refused + 1))
		i=$((i + 1))
		rm -f shared/x
	done
	kill $attacker
	wait $attacker
	echo "# $1: $written written, $refused refused"
	output "$1: the other user's files got nothing" 'ready
safe' cat said
	check "$1: files were written and refused" test $written -gt 0 -a $refused -gt 0
}
raced 'a sticky directory of all' 1777
output 'a sticky directory of all: the file that he links to is as it was' old cat secret
raced 'a directory of a group' 775
done_testing
