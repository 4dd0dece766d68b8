#!/bin/sh
# Frames of PHP scripts equal those that the program itself reports, merged with native frames in
# the right order.
# tier: full soak
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"
. "$here/record-lib.sh"

php -n -r 'exit(PHP_VERSION_ID >= 80100 && PHP_VERSION_ID < 80700 && !PHP_ZTS ? 0 : 1);' 2>/dev/null ||
	skip_all "no PHP 8.1 to 8.6 without threads" php-cli
headers=$(php-config --includes 2>/dev/null)
# shellcheck disable=SC2086
${CC:-cc} -w -O1 -g -shared -fPIC $headers -o callback.so "$data/callback-php.c" 2>/dev/null ||
	skip_all "no headers of PHP (php-dev)" php-dev

for mode in plain fiber; do
	lockstep "PHP, $mode" 500 php -n "-dextension=$PWD/callback.so" "$data/lockstep.php" $mode 1
done
if php -m 2>/dev/null | grep -q Xdebug; then
	lockstep "PHP with Xdebug" 300 \
	    php -dxdebug.mode=develop "-dextension=$PWD/callback.so" "$data/lockstep.php" plain 2
	cat >small.php <<'END'
<?php
function small($x) { return $x + 1; }
function many() { for ($s = 0; $s < 200000;) $s = small($s); return $s; }
for ($i = 0; $i < 12; $i++) many();
END
	fg-record -q -F 997 -o small.folded -- php -dxdebug.mode=develop small.php
	# Xdebug's function, which calls execute_ex, has work of its own before and after it.
	has "PHP with Xdebug: its function is the caller" ';xdebug_execute_ex_\[l\];small \([^;]*small.php:2\)_\[p\]' small.folded
	rated "PHP with Xdebug: its work is part of the function that it is for" awk '
		/;small \(/ { all += $NF }
		/;xdebug_execute_ex_\[l\];small \([^;]*small.php:2\)_\[p\](;| )/ { right += $NF }
		/;small \([^;]*;/ { work += $NF }
		END { print right, all, work; exit !(all > 20 && right > all * .9 && work > 0) }' small.folded
else
	skip "PHP with Xdebug" "no Xdebug" 'php-cli php-xdebug'
	skip "PHP with Xdebug: its work" "no Xdebug" 'php-cli php-xdebug'
fi
free_running PHP 1500 php -n "$data/free.php"

jit="-dzend_extension=opcache.so -dopcache.enable_cli=1 -dopcache.jit_buffer_size=64M"
hot="-dopcache.jit_hot_loop=1 -dopcache.jit_hot_func=1 -dopcache.jit_hot_return=1 -dopcache.jit_hot_side_exit=1"
# shellcheck disable=SC2086
if php -n $jit -dopcache.jit=function -r 'exit(opcache_get_status()["jit"]["on"] ? 0 : 1);' 2>/dev/null; then
	for mode in function tracing "tracing, all hot"; do
		flags="$jit -dopcache.jit=${mode%,*}"
		[ "$mode" = "${mode%,*}" ] || flags="$flags $hot"
		lockstep "PHP with JIT, $mode" 300 \
		    php -n $flags "-dextension=$PWD/callback.so" "$data/lockstep.php" fiber 1
		free_running "PHP with JIT, $mode" 500 php -n $flags "$data/hot.php"
		rated "PHP with JIT, $mode: stacks of a running program reach the thread's first function" \
		    awk '/^stops/ { bad = $9 > 25 } END { exit bad }' read
	done
else
	skip "PHP with its JIT: stacks are those of the program" "no opcache"
fi

# shellcheck disable=SC2086
offsets_are php $headers

# A page of PHP-FPM, by a worker that runs already, of another user if we are root.
fpm=/usr/sbin/php-fpm8.2
if [ -x "$fpm" ]; then
	cat >page.php <<'END'
<?php
class Page {
	function spin($n) { $s = 0; for ($i = 0; $i < $n; $i++) $s = ($s * 3 + $i) & 0xffff; return $s; }
	function render() { while (!file_exists(__DIR__ . '/stop')) { clearstatcache(); $this->spin(200000); } return "done"; }
}
echo (new Page)->render();
END
	user=$(id -un)
	[ "$(id -u)" != 0 ] || user=nobody
	chmod 755 .
	printf '[global]\nerror_log = %s\ndaemonize = no\n[www]\nlisten = %s\npm = static\npm.max_children = 1\nuser = %s\n' \
	    "$PWD/log" "$PWD/socket" "$user" >fpm.conf
	"$fpm" -n -y fpm.conf >/dev/null 2>&1 &
	server=$!
	wait_for eval "[ -S socket ] || ! kill -0 $server"
	perl "$data/fastcgi.pl" "$PWD/socket" "$PWD/page.php" >answer &
	client=$!
	# Half a second of CPU time, and the page ends after the recording.
	worker=$(pgrep -P $server)
	until_ran "$worker" 20
	record_running "$worker" 50 -q -F 499 -o page.folded
	: >stop
	wait $client
	kill $server
	check "PHP-FPM: the page is right" grep -q 'done$' answer
	has "PHP-FPM, also of another user: functions of a running page" 'Page::render .*_\[p\];Page::spin ' page.folded
	mostly "PHP-FPM: functions of a running page" 80 'Page::render \(.*page.php:4\)_\[p\];Page::spin \(.*page.php:3\)' page.folded
else
	skip "PHP-FPM" "php8.2-fpm is not installed" php-fpm
fi
done_testing
