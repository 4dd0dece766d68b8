#!/bin/sh
# Frames of PHP scripts equal those that the program itself reports, merged with native frames in
# the right order.
# tier: full
. "$(dirname "$0")/lib.sh"
. "$here/script-lib.sh"

php -n -r 'exit(PHP_MAJOR_VERSION == 8 && PHP_MINOR_VERSION == 2 && !PHP_ZTS ? 0 : 1);' 2>/dev/null ||
	skip_all "no PHP 8.2"
headers=$(php-config --includes 2>/dev/null)
# shellcheck disable=SC2086
${CC:-cc} -w -O1 -g -shared -fPIC $headers -o callback.so "$data/callback-php.c" 2>/dev/null ||
	skip_all "no headers of PHP (php-dev)"

for mode in plain fiber; do
	lockstep "PHP, $mode" 500 php -n "-dextension=$PWD/callback.so" "$data/lockstep.php" $mode 1
done
if php -m 2>/dev/null | grep -q Xdebug; then
	lockstep "PHP with Xdebug" 300 \
	    php -dxdebug.mode=develop "-dextension=$PWD/callback.so" "$data/lockstep.php" plain 2
else
	skip "PHP with Xdebug" "no Xdebug"
fi
free_running PHP 1500 php -n "$data/free.php"

# shellcheck disable=SC2086
${CC:-cc} -w $headers -o offsets "$data/offsets-php.c" && offsets_are php.c
done_testing
