#!/bin/sh
# Runs the README's two commands in a fresh Debian that has only make and git, to find a missing
# installation step.
# tier: soak
. "$(dirname "$0")/lib.sh"
PATH=$PATH:/usr/sbin:/sbin
command -v debootstrap >/dev/null || skip_all 'there is no debootstrap' debootstrap
[ "$(id -u)" = 0 ] || skip_all 'not root'
git -C "$here/.." rev-parse HEAD >/dev/null 2>&1 || skip_all 'no clone'

release=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\{0,1\}\(http[^ ]*\) .*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1)
debootstrap --variant=minbase --include=make,git,ca-certificates "$release" root "$mirror" >said 2>&1 ||
	skip_all "debootstrap cannot fetch a system: $(tail -n 1 said)" debootstrap
finish() {
	umount root/proc root/sys/kernel/tracing root/sys root/dev 2>/dev/null
	cd / && rm -rf --one-file-system "$tmp"
}
trap finish EXIT
cp -r /etc/apt/apt.conf.d/. root/etc/apt/apt.conf.d/ 2>/dev/null
cp /etc/resolv.conf root/etc/ 2>/dev/null
mount -t proc proc root/proc && mount --rbind /sys root/sys && mount --rbind /dev root/dev && mount --make-rslave root/sys && mount --make-rslave root/dev
git clone -q --no-hardlinks "$here/.." root/fg
in_root() { # in an environment of its own; only a proxy is passed on
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root http_proxy="${http_proxy-}" https_proxy="${https_proxy-}" \
	    chroot root sh -c "cd /fg && $1" >"$tmp/log" 2>&1
	got=$?
	[ $got = 0 ] || tail -n 30 "$tmp/log" >"$tmp/.said"
	return $got
}
if in_root 'make deps demo'; then ok 'make deps demo'; else not_ok 'make deps demo'; fi
check 'a bare root: the demo writes demo.svg' grep -q '</svg>' root/fg/demo.svg
if in_root 'make deps test'; then ok 'make deps test'; else not_ok 'make deps test'; fi
umount -R root/dev root/sys 2>/dev/null
umount root/proc 2>/dev/null
done_testing
