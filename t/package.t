#!/bin/sh
# The Debian package: builds, passes lintian, installs, draws the demo, and leaves no file when
# removed. The packages of RPM and Arch Linux build.
# tier: soak
. "$(dirname "$0")/lib.sh"
for tool in git dpkg-buildpackage dh lintian; do
	command -v $tool >/dev/null || skip_all "there is no $tool" "$tool"
done
check 'make deb' make -C "$here/.." deb O="$tmp/build"
set -- "$tmp"/build/deb/fg-tools_*.deb
check 'there is a package' test -s "$1"
status 'lintian has no error and no warning' 0 lintian --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog --fail-on error,warning "$1"
dpkg-deb -c "$1" | awk '{ print $1, $6 }' >files
status 'nothing can be written by others' 1 grep -q '^-.......w' files
if [ "$(id -u)" = 0 ] && ! dpkg -s fg-tools >/dev/null 2>&1; then
	check 'the package can be installed' dpkg -i "$1"
	dpkg -L fg-tools | while read -r f; do [ -d "$f" ] || echo "$f"; done >installed
	check 'an installed program runs' test "$(echo 'a;b 3' | /usr/bin/fg-merge)" = 'a;b 3'
	check 'the demo' sh -c 'BIN=/usr/bin sh "$0" && test -s demo.svg' "$here/../share/demo"
	check 'the package can be removed' dpkg -P fg-tools
	while read -r f; do [ ! -e "$f" ] || echo "$f"; done <installed >left
	same 'no file of it is left' /dev/null left
else
	skip 'installing it' 'not root, or it is installed here'
fi
# programs NAME: the list of files of a package, in ./list, has all programs and the library.
programs() {
	for f in fg-collapse fg-diff fg-filter fg-merge fg-record fg-render cargo-fg; do
		grep -qx "/*usr/bin/$f" list || echo "$f"
	done >missing
	grep -qx '/*usr/lib/fg/libfgheap.so' list || echo libfgheap.so >>missing
	same "$1: all programs are in it" /dev/null missing
}
if command -v rpmbuild >/dev/null; then
	check 'make rpm' make -C "$here/.." rpm O="$tmp/build" RPMFLAGS=--nodeps
	rpm -qlp "$tmp"/build/rpm/RPMS/*/fg-tools-*.rpm >list
	programs 'make rpm'
else
	skip 'make rpm' 'there is no rpmbuild' rpm
fi
if command -v makepkg >/dev/null && command -v pacman >/dev/null && [ "$(id -u)" = 0 ]; then
	make -C "$here/.." dist >/dev/null
	mkdir arch && cp "$here"/../fg-*.tar.gz "$here/../share/packages/PKGBUILD" arch && chown -R nobody arch && chmod 755 .
	check 'makepkg' sh -c 'cd arch && HOME=$PWD setpriv --reuid 65534 --regid 65534 --clear-groups makepkg -f -d'
	tar -tf arch/fg-tools-*.pkg.* >list
	programs makepkg
else
	skip 'makepkg' 'not root, or there is no makepkg' makepkg
fi
done_testing
