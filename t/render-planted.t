#!/bin/sh
# fg-render -T markdown: of 20 profiles with one planted cause each, the first three lines name it.
# tier: quick
. "$(dirname "$0")/lib.sh"

# Realistic noise: a few hundred stacks of a program, its libraries and the kernel.
cat >noise.pl <<'END'
my ($seed, $columns, $leaf) = @ARGV;
srand $seed;
for (1 .. 300) {
	my @f = map { 'fn' . int rand 60 } 0 .. 1 + int rand 8;
	push @f, (qw(memcpy_[l] malloc_[l] hash_find sys_read_[k] vector_push_[i]))[rand 5] if rand() < 0.5;
	my $v = 1 + int rand 60;
	my $w = $columns == 2 ? ' ' . int($v + (rand() - 0.5) * 2 * sqrt $v) : '';
	print join(';', 'app', 'main', @f, $leaf ? ($leaf) : ()), " $v$w\n";
}
END
noise() { perl noise.pl "$@"; }

planted=0
cause() { # NAME, what the first four lines say, the profile is in `in`
	planted=$((planted + 1))
	fg-render -T markdown in >whole 2>&1
	head -n 4 whole >four
	check "$1" grep -qF -- "$2" four
	sed 's/^/# /' four | cut -c 1-300
}

{ noise 1 1; echo 'app;main;fn1;deep;hot_loop 4000'; } >in
cause 'a hot loop' '`hot_loop`'
{ noise 2 1; for i in 1 2 3 4 5 6 7 8 9; do echo "app;main;fn$i;json_escape 500"; done; } >in
cause 'a function that is hot from many places' '`json_escape`'
{ noise 3 1; echo 'app;main;fn1;run_query (db.c:88)_[i] 5000'; } >in
cause 'an inlined function' '`run_query`'
{ noise 4 1; echo 'app;main;fn1;memcpy_[l] 6000'; } >in
cause 'copying in a library' '`memcpy`'
{ noise 5 1; echo 'app;main;fn1;sys_write_[k];copy_user_[k] 6000'; } >in
cause 'copying in the kernel' '`copy_user`'
{ noise 6 1; echo 'app;main;handler (/srv/app/order.py:12)_[p] 6000'; } >in
cause 'a script function' '`handler (order.py)`'
{ noise 7 1; echo 'app;main;fn3;std::map<int, std::basic_string<char> >::find(int const&) 6000'; } >in
cause 'a C++ template' '::find'
{ noise 8 1; echo 'app;main;fn1;[cc1plus];[cc1plus] 6000'; } >in
cause 'a module without symbols' '`[cc1plus]`, which has no symbols'
{ noise 9 1; echo 'app;main;fn1;[libc.so.6] 6000'; } >in
cause 'a C library without symbols' 'libc6-dbg'
{ noise 10 1; echo 'app;main;fn1;[perf-12.map] 6000'; } >in
cause 'code of a runtime without a perf map' 'perf map'

off='schedule_[k]'
{ noise 11 1 $off; echo "make;main;start_jobs;do_syscall_64_[k];kernel_wait4_[k];do_wait_[k];$off 60000"; } >in
cause 'waiting for children' 'for child processes (in `start_jobs`)'
{ noise 12 1 $off; echo "app;main;read_header;read_[l];do_syscall_64_[k];pipe_read_[k];$off 60000"; } >in
cause 'waiting for a pipe' 'on pipes (in `read_header`)'
{ noise 13 1 $off; echo "app;main;fetch;recv_[l];tcp_recvmsg_[k];sk_wait_data_[k];$off 60000"; } >in
cause 'waiting for a socket' 'on sockets (in `fetch`)'
{ noise 14 1 $off; echo "app;main;log_sync;fsync_[l];ext4_sync_file_[k];io_schedule_[k];$off 60000"; } >in
cause 'waiting for a disk' 'for disks (in `log_sync`)'
{ noise 15 1 $off; echo "app;main;take_table;pthread_mutex_lock_[l];futex_wait_queue_[k];$off;unlock_[w];writer_[w] 60000"; } >in
cause 'waiting for a lock, and who wakes' 'for locks or conditions (in `take_table`, woken by `writer`)'
{ noise 16 1 $off; echo "app;main;touch_pages;exc_page_fault_[k];handle_mm_fault_[k];io_schedule_[k];$off 60000"; } >in
cause 'waiting for page faults' 'for page faults (in `touch_pages`)'

{ echo '# unit: bytes 0'; noise 17 1; echo 'app;main;fn1;cache_insert 600000'; } >in
cause 'a heap' 'self memory: `cache_insert`'
{ echo '# columns: base head 0 0'; noise 18 2; echo 'app;main;fn1;validate 40 4000'; } >in
cause 'a regression' 'Slower: `validate`'
{ echo '# columns: base head 0 0'; noise 19 2; echo 'app;main;fn1;old_parser 4000 20'; } >in
cause 'an improvement' 'Faster: `old_parser`'
{ echo '# columns: base head 0 0'; noise 20 1 | awk '{ v = $NF; sub(/ [0-9]+$/, ""); print $0, v * 10, v * 13 }'; } >in
cause 'a head that is longer in total' 'Head is 30 % longer in total'
check '20 causes' test $planted = 20

# No function is named for two random halves of one profile.
named=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	{ echo '# columns: base head 0 0'; noise $seed 1 | perl -ne 'BEGIN { srand '$seed' } my ($s, $v) = /^(.*) (\d+)$/;
		my $b = 0; for (1 .. $v) { $b++ if rand() < 0.5 } print "$s $b ", $v - $b, "\n"'; } |
		fg-render -T markdown | grep -qE '^- (Slower|Faster): ' && named=$((named + 1))
done
check "20 random halves: $named reported functions" test $named = 0
done_testing
