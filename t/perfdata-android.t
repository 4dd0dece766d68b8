#!/bin/sh
# perf.data of Android's simpleperf: functions and names of events that the file itself stores.
# tier: quick
. "$(dirname "$0")/perfdata-lib.sh"

# Functions for the descriptions: entries of the sections FILE (128) and FILE2 (132), and META_INFO.
cat >simpleperf.pl <<'END'
sub file1 {
	my ($path, $type, $min, $offset, @symbols) = @_;
	my $s = "$path\0" . u32($type) . u64($min) . u32(@symbols / 3);
	while (my ($at, $length, $name) = splice @symbols, 0, 3) {
		$s .= u64($at) . u32($length) . "$name\0";
	}
	$s .= u32(1) . u64(0x28) if $type == 3;
	$s .= u64($offset) if $type == 2 && defined $offset;
	return u32(length $s) . $s;
}
sub varint { my $n = shift; my $s = ''; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } $s . chr $n }
sub number { varint($_[0] << 3) . varint($_[1]) }
sub bytes { varint($_[0] << 3 | 2) . varint(length $_[1]) . $_[1] }
sub file2 {
	my ($path, $type, $min, $offset, @symbols) = @_;
	my $s = bytes(1, $path) . number(2, $type) . number(3, $min);
	while (my ($at, $length, $name) = splice @symbols, 0, 3) {
		$s .= bytes(4, number(1, $at) . number(2, $length) . bytes(3, $name));
	}
	$s .= bytes(5, number(1, 0x28)) if $type == 3;
	$s .= bytes(6, defined $offset ? number(1, $offset) : '') if $type == 2;
	return u32(length $s) . $s;
}
sub files {
	my ($file) = @_;
	return join '', $file->('/system/lib64/libx.so', 2, 0x21000, 0x1000, 0x21010, 0x20, '_ZN1x4workEv', 0x21030, 0x20, 'read'),
	    $file->('/apex/linker64', 2, 0x1000, 0x1000, 0x1010, 0x10, '__dl__Z4openv'),
	    $file->('/system/framework/core.jar', 3, 0, undef, 0x6a0, 0x20, 'java.lang.Thread.run'),
	    $file->('data.data_jit_app_cache:10-90', 2, 0, 0, 0x9c900000, 0x100, 'int com.app.Work.step(java.lang.String, int)'),
	    $file->('[kernel.kallsyms]', 0, 0, undef, 0xffffffff81000000, 0x40, 'do_work'),
	    $file->('/lib/modules/wlan.ko', 1, 0, undef, 0x10, 0x40, 'wlan_send');
}
END
# A call chain of simpleperf has addresses of calls: also the first byte of a function.
cat >records.pl <<'END'
comm(100, 'app');
kernel_map();
mmap2(100, 0x7000000000, 0x2000, '/system/lib64/libx.so', offset => 0x1000);
mmap2(100, 0x7100000000, 0x2000, '/apex/linker64', offset => 0x1000);
mmap2(100, 0x7200000000, 0x2000, '/system/framework/core.jar', prot => u32(1, 2));
mmap2(100, 0x7300000000, 0x2000, '/system/framework/other.jar', prot => u32(1, 2));
mmap2(100, 0x9c900000, 0x100, 'data.data_jit_app_cache:10-90', offset => 0x10, prot => u32(0x4000, 0));
sample(pid => 100, chain => ['kernel', 0xffffffff81000020, 0xffffffff81000000, 'user', 0x7000000030,
    0x7000000010, 0x9c900000, 0x72000006a0, 0x7100000010]);
sample(pid => 100, chain => ['user', 0x7000001000, 0x7300000010]);
END
describe() {
	cat simpleperf.pl
	echo "file(desc => 0); event('cycles', type => 0, config => 0, period => 1);"
	echo "$1"
	cat records.pl
}
stacks='app;[linker]open;java.lang.Thread.run;com.app.Work.step;x::work;read;do_work;do_work 1
app;[unknown];[libx.so] 1'
describe "feature(132, files(\\&file2));" >file2.d
made 'simpleperf: FILE2' "$stacks" <file2.d
describe "feature(128, files(\\&file1));" >file1.d
made 'simpleperf: FILE' "$stacks" <file1.d
fg-collapse -q --no-header in.data | grep -o 'com.app.Work.step[^;]*\|x::work[^;]*\|do_work [0-9]*\|do_work[^; ]*' | tr '\n' ' ' >got
printf 'com.app.Work.step_[j] x::work_[l] do_work_[k] do_work_[k] ' >want
same 'simpleperf: kinds of frames' want got

# Before 2019, FILE did not have the offset of the lowest address: a mapping starts at that address.
describe "feature(128, file1('/system/lib64/libx.so', 2, 0x5000, undef, 0x5010, 0x10, 'old'));" >old.d
make_data <old.d >in.data
fg-collapse -q --no-header --no-annotate in.data | grep -o 'old' >got
echo old >want
same 'simpleperf: FILE without an offset' want got

describe "feature(128, files(\\&file1)); feature(129, join '', map { \"\$_\\0\" } 'clockid', 'monotonic', 'event_type_info', \"cpu-cycles,0,0\\nsched:sched_switch,2,91\");" >meta.d
make_data <meta.d >in.data
fg-collapse --header in.data >got 2>&1
check 'simpleperf: META_INFO names the event' grep -q 'cpu-cycles' got

# A section that ends within an entry is reported, and the files before it are used.
describe "feature(128, substr files(\\&file1), 0, 150);" >cut.d
make_data <cut.d >in.data
fg-collapse --no-header --no-annotate in.data >got 2>errors
check 'simpleperf: a truncated FILE is reported' grep -q 'a malformed feature' errors
check 'simpleperf: files before the end are used' grep -q 'x::work;read' got
describe "feature(128, files(\\&file1) . u32(0xffffffff));" >long.d
make_data <long.d >in.data
fg-collapse --no-header --no-annotate in.data >got 2>errors
check 'simpleperf: an entry longer than the section is reported' grep -q 'a malformed feature' errors

# Each byte of the sections is changed and the file ends at each: no crash.
for version in file1 file2; do
	make_data <"$version.d" >whole.data
	size=$(wc -c <whole.data)
	bad=0 at=$((size - 600))
	while [ "$at" -lt "$size" ]; do
		head -c "$at" whole.data >in.data
		timeout 600 fg-collapse -q in.data >/dev/null 2>&1
		[ $? -lt 100 ] || bad=$((bad + 1))
		{ cat in.data; printf '\377'; tail -c +$((at + 2)) whole.data; } >changed.data
		timeout 600 fg-collapse -q changed.data >/dev/null 2>&1
		[ $? -lt 100 ] || bad=$((bad + 1))
		at=$((at + 17))
	done
	check "simpleperf: $version, changed and truncated: no crash" test "$bad" -eq 0
done
done_testing
