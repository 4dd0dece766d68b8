#!/bin/sh
# fg-render -T markdown: 20 common causes, planted in a recorded profile; the first three lines
# name at least 18 of them. The causes were chosen independently of fg-render's rules.
# tier: quick
. "$(dirname "$0")/lib.sh"

demo=$here/data/demo.folded # 432 samples of a compiler run, as background
planted=0 named=0

# With off=1 the background is off-CPU time: the same stacks, each blocked in its leaf.
background() {
	sed '/^#/d' "$demo" | if [ -n "${off-}" ]; then
		sed 's/ \([0-9]*\)$/;do_syscall_64_[k];do_wait_[k];schedule_[k] \1/'
	else
		cat
	fi
}
# cause NAME PATTERN: one of the first three lines matches; the planted stacks are on standard
# input.
cause() {
	planted=$((planted + 1))
	{
		background
		cat
	} >profile
	fg-render -T markdown profile 2>&1 | head -n 3 >three
	if grep -qE -- "$2" three; then
		named=$((named + 1))
		echo "# named: $1"
	else
		echo "# NOT named: $1, wanted $2"
		sed 's/^/# /' three | cut -c 1-300
	fi
}
# The stack $2 below each of $1 callers, 3 samples per caller.
from_many() {
	for caller in $(seq "$1"); do echo "server;main;handler_$caller;$2 $3"; done
}

cause 'a regular expression that backtracks' 'internal_match' <<'END'
server;main;serve;check_rules;pcre2_match_8;internal_match;internal_match;internal_match;internal_match 150
END
from_many 12 'operator new_[l];malloc_[l];_int_malloc_[l]' 15 >in
cause 'allocation from many places' '_int_malloc' <in
cause 'a contended spin lock' 'native_queued_spin_lock_slowpath' <<'END'
server;worker;update_counter;do_syscall_64_[k];futex_wake_[k];_raw_spin_lock_[k];native_queued_spin_lock_slowpath_[k] 170
END
cause 'zeroing of fresh memory' 'clear_page_erms' <<'END'
server;main;load;grow_arena;memset_[l];asm_exc_page_fault_[k];handle_mm_fault_[k];clear_page_erms_[k] 140
END
cause 'mappings made and removed in a loop' 'zap_pte_range' <<'END'
server;main;read_chunk;munmap_[l];do_syscall_64_[k];unmap_region_[k];zap_pte_range_[k] 130
END
from_many 10 'log_debug;vsnprintf_[l];__vfprintf_internal_[l]' 14 >in
cause 'formatting of debug messages' '__vfprintf_internal|log_debug' <in
cause 'a tokenizer in Python' 'next_token \(lexer\.py\)' <<'END'
python3;_PyEval_EvalFrameDefault_[l];main (/srv/app/run.py:9)_[p];next_token (/srv/app/lexer.py:41)_[p] 160
END
cause 'garbage collection in Java' 'G1ParScanThreadState::trim_queue' <<'END'
java;GC Thread#0;start_thread_[l];GangWorker::run;G1ParScanThreadState::trim_queue_to_threshold 190
END
cause 'parsing of JSON in Node.js' 'JsonParser' <<'END'
node;handle /srv/app/server.js:12:3_[j];Builtins_JsonParse;v8::internal::JsonParser<unsigned char>::ParseJsonValue 150
END
cause 'a TLS handshake' 'bn_sqr8x_reduction|bn_mul_mont' <<'END'
nginx;ngx_ssl_handshake;SSL_do_handshake_[l];rsa_ossl_private_encrypt_[l];libcrypto.so.3`bn_sqr8x_reduction_[l] 180
END
cause 'compression' 'deflate_slow' <<'END'
server;main;send_reply;gzip_body;libz.so.1`deflate_[l];libz.so.1`deflate_slow_[l] 150
END
cause 'a comparator' 'compare_records' <<'END'
report;main;print_table;qsort_r_[l];msort_with_tmp_[l];compare_records 90
report;main;print_table;qsort_r_[l];msort_with_tmp_[l];msort_with_tmp_[l];compare_records 80
END
cause 'a lookup in a list' '__strcmp_avx2|dict_find' <<'END'
server;main;parse_headers;dict_find;__strcmp_avx2_[l] 150
END
cause 'a crypto library without symbols' 'libcrypto\.so\.3.*no symbols.*libssl3-dbgsym' <<'END'
sshd;main;packet_send;[libcrypto.so.3];[libcrypto.so.3] 200
END
off=1
cause 'a commit that waits for the disk' 'commit_transaction' <<'END'
db;worker;commit_transaction;fdatasync_[l];do_syscall_64_[k];ext4_sync_file_[k];jbd2_log_wait_commit_[k];schedule_[k] 300
END
cause 'a connection pool that is too small' 'get_connection' <<'END'
web;start_thread_[l];handle_request;get_connection;pthread_cond_wait_[l];do_syscall_64_[k];futex_wait_queue_[k];schedule_[k] 350
END
cause 'a loop that sleeps and polls' 'wait_until_ready' <<'END'
agent;main;wait_until_ready;usleep_[l];do_syscall_64_[k];hrtimer_nanosleep_[k];do_nanosleep_[k];schedule_[k] 320
END
cause 'a slow name server' 'resolve_host' <<'END'
web;main;fetch;resolve_host;getaddrinfo_[l];__poll_[l];do_syscall_64_[k];do_sys_poll_[k];schedule_hrtimeout_range_[k];schedule_[k] 310
END
off=
background() {
	echo '# columns: base head 0 0'
	[ -z "${heap-}" ] || echo '# unit: bytes 0'
	sed -e '/^#/d' -e 's/ \([0-9]*\)$/ \100 \100/' "$demo"
}
heap=1
cause 'a heap that grows' 'session_new' <<'END'
server;main;accept_client;session_new 2000 26000
END
heap=
cause 'a feature that is new' 'audit_trail' <<'END'
server;main;handle_request;audit_trail 0 9000
END
check "20 causes" test $planted = 20
check "at least 18 of 20 are named: $named" test $named -ge 18
done_testing
