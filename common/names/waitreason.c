/*
 * waitreason: tables of function name prefixes, of Linux 4.14 to 6.15, since compilers append
 * .isra.0 and others. The first match wins, so a longer prefix precedes a shorter one.
 */
#include "names/waitreason.h"

#include <string.h>

#include "base/text.h"

static const struct {
	const char *key, *words;
} reasons[WAIT_REASONS] = {
    [WAIT_UNKNOWN] = {"unknown", "for reasons that the stacks do not show"},
    [WAIT_CHILD] = {"child", "for child processes"},
    [WAIT_PIPE] = {"pipe", "on pipes"},
    [WAIT_SOCKET] = {"socket", "on sockets"},
    [WAIT_EVENT] = {"event", "for events (poll, epoll)"},
    [WAIT_DISK] = {"disk", "for disks"},
    [WAIT_LOCK] = {"lock", "for locks or conditions"},
    [WAIT_TIMER] = {"timer", "for timers"},
    [WAIT_FAULT] = {"page-fault", "for page faults"},
    [WAIT_THROTTLE] = {"io-throttle", "because its writes are throttled"},
    [WAIT_CPU] = {"cpu", "for a CPU"},
    [WAIT_TERMINAL] = {"terminal", "for a terminal"},
    [WAIT_SIGNAL] = {"signal", "for signals"},
    [WAIT_WORK] = {"work", "for work (kernel and worker threads)"},
};

static const struct row {
	const char *begin;
	enum wait_reason why;
	bool vague;
} kernel_rows[] = {
    {"do_wait", WAIT_CHILD, false},
    {"kernel_wait", WAIT_CHILD, false},
    {"wait_for_vfork_done", WAIT_CHILD, false},
    {"pipe_", WAIT_PIPE, false},
    {"anon_pipe_", WAIT_PIPE, false},
    {"fifo_open", WAIT_PIPE, false},
    {"wait_for_partner", WAIT_PIPE, false},
    {"sk_wait", WAIT_SOCKET, false},
    {"sk_stream_wait", WAIT_SOCKET, false},
    {"__skb_wait", WAIT_SOCKET, false},
    {"__skb_recv", WAIT_SOCKET, false},
    {"skb_recv", WAIT_SOCKET, false},
    {"sock_", WAIT_SOCKET, false},
    {"__sock_", WAIT_SOCKET, false},
    {"____sys_recvmsg", WAIT_SOCKET, false},
    {"____sys_sendmsg", WAIT_SOCKET, false},
    {"tcp_", WAIT_SOCKET, false},
    {"udp_", WAIT_SOCKET, false},
    {"inet_", WAIT_SOCKET, false},
    {"unix_", WAIT_SOCKET, false},
    {"netlink_", WAIT_SOCKET, false},
    {"do_epoll_", WAIT_EVENT, false},
    {"ep_poll", WAIT_EVENT, false},
    {"do_sys_poll", WAIT_EVENT, false},
    {"do_poll", WAIT_EVENT, false},
    {"poll_schedule_timeout", WAIT_EVENT, false},
    {"do_select", WAIT_EVENT, false},
    {"core_sys_select", WAIT_EVENT, false},
    {"eventfd_", WAIT_EVENT, false},
    {"inotify_read", WAIT_EVENT, false},
    {"io_cqring_wait", WAIT_EVENT, false},
    {"read_events", WAIT_EVENT, false},
    {"balance_dirty_pages", WAIT_THROTTLE, false},
    {"io_throttle", WAIT_THROTTLE, false},
    {"blkcg_", WAIT_THROTTLE, false},
    {"__blkcg_", WAIT_THROTTLE, false},
    {"rq_qos_wait", WAIT_THROTTLE, false},
    {"wbt_wait", WAIT_THROTTLE, false},
    {"mem_cgroup_handle_over_high", WAIT_THROTTLE, false},
    {"futex_", WAIT_LOCK, false},
    {"do_futex", WAIT_LOCK, false},
    {"__futex_", WAIT_LOCK, false},
    {"rwsem_down", WAIT_LOCK, false},
    {"__rwsem_down", WAIT_LOCK, false},
    {"down_read", WAIT_LOCK, false},
    {"down_write", WAIT_LOCK, false},
    {"__mutex_lock", WAIT_LOCK, false},
    {"mutex_lock", WAIT_LOCK, false},
    {"rt_mutex_", WAIT_LOCK, false},
    {"__rt_mutex_", WAIT_LOCK, false},
    {"percpu_down", WAIT_LOCK, false},
    {"percpu_rwsem", WAIT_LOCK, false},
    {"do_semtimedop", WAIT_LOCK, false},
    {"__do_semtimedop", WAIT_LOCK, false},
    {"flock_lock", WAIT_LOCK, false},
    {"fcntl_setlk", WAIT_LOCK, false},
    {"posix_lock_inode", WAIT_LOCK, false},
    {"do_nanosleep", WAIT_TIMER, false},
    {"hrtimer_nanosleep", WAIT_TIMER, false},
    {"common_nsleep", WAIT_TIMER, false},
    {"timerfd_read", WAIT_TIMER, false},
    {"msleep", WAIT_TIMER, false},
    {"handle_mm_fault", WAIT_FAULT, false},
    {"__handle_mm_fault", WAIT_FAULT, false},
    {"do_user_addr_fault", WAIT_FAULT, false},
    {"do_page_fault", WAIT_FAULT, false},
    {"exc_page_fault", WAIT_FAULT, false},
    {"handle_userfault", WAIT_FAULT, false},
    {"n_tty_", WAIT_TERMINAL, false},
    {"tty_", WAIT_TERMINAL, false},
    {"do_sigtimedwait", WAIT_SIGNAL, false},
    {"sigsuspend", WAIT_SIGNAL, false},
    {"do_signal_stop", WAIT_SIGNAL, false},
    {"ptrace_stop", WAIT_SIGNAL, false},
    {"signalfd_", WAIT_SIGNAL, false},
    {"worker_thread", WAIT_WORK, false},
    {"io_wq_worker", WAIT_WORK, false},
    {"io_wqe_worker", WAIT_WORK, false},
    {"smpboot_thread_fn", WAIT_WORK, false},
    {"rcu_gp_", WAIT_WORK, false},
    {"rescuer_thread", WAIT_WORK, false},
    {"kswapd", WAIT_WORK, false},
    {"kthread", WAIT_WORK, true},
    {"io_schedule", WAIT_DISK, true},
    {"folio_wait", WAIT_DISK, true},
    {"__folio_lock", WAIT_DISK, true},
    {"wait_on_page", WAIT_DISK, true},
    {"wait_on_buffer", WAIT_DISK, true},
    {"__wait_on_buffer", WAIT_DISK, true},
    {"submit_bio_wait", WAIT_DISK, true},
    {"blk_", WAIT_DISK, true},
    {"blkdev_", WAIT_DISK, true},
    {"jbd2_", WAIT_DISK, true},
    {"ext4_", WAIT_DISK, true},
    {"xfs_", WAIT_DISK, true},
    {"btrfs_", WAIT_DISK, true},
    {"nfs_", WAIT_DISK, true},
    {"filemap_", WAIT_DISK, true},
    {"__filemap_", WAIT_DISK, true},
    {"iomap_", WAIT_DISK, true},
    {"vfs_fsync", WAIT_DISK, true},
    {"do_fsync", WAIT_DISK, true},
    {"preempt_schedule", WAIT_CPU, true},
    {"__cond_resched", WAIT_CPU, true},
    {"_cond_resched", WAIT_CPU, true},
    {"exit_to_user_mode", WAIT_CPU, true},
    {"irqentry_exit", WAIT_CPU, true},
    {"prepare_exit_to_usermode", WAIT_CPU, true},
    {"exit_to_usermode_loop", WAIT_CPU, true},
    {"do_sched_yield", WAIT_CPU, false},
};

/* Functions of the C library, without leading underscores, and system calls. */
static const struct row library_rows[] = {
    {"wait4", WAIT_CHILD, false},
    {"waitpid", WAIT_CHILD, false},
    {"waitid", WAIT_CHILD, false},
    {"libc_wait4", WAIT_CHILD, false},
    {"vfork", WAIT_CHILD, false}, /* the parent waits for exec or exit */
    {"spawni", WAIT_CHILD, false},
    {"spawnix", WAIT_CHILD, false},
    {"posix_spawn", WAIT_CHILD, false},
    {"recv", WAIT_SOCKET, false},
    {"recvfrom", WAIT_SOCKET, false},
    {"recvmsg", WAIT_SOCKET, false},
    {"libc_recv", WAIT_SOCKET, false},
    {"accept", WAIT_SOCKET, false},
    {"accept4", WAIT_SOCKET, false},
    {"libc_accept", WAIT_SOCKET, false},
    {"connect", WAIT_SOCKET, false},
    {"poll", WAIT_EVENT, false},
    {"libc_poll", WAIT_EVENT, false},
    {"ppoll", WAIT_EVENT, false},
    {"select", WAIT_EVENT, false},
    {"epoll_wait", WAIT_EVENT, false},
    {"epoll_pwait", WAIT_EVENT, false},
    {"fsync", WAIT_DISK, false},
    {"fdatasync", WAIT_DISK, false},
    {"pthread_mutex_lock", WAIT_LOCK, false},
    {"pthread_cond_wait", WAIT_LOCK, false},
    {"pthread_cond_timedwait", WAIT_LOCK, false},
    {"pthread_rwlock_rdlock", WAIT_LOCK, false},
    {"pthread_rwlock_wrlock", WAIT_LOCK, false},
    {"pthread_join", WAIT_LOCK, false},
    {"sem_wait", WAIT_LOCK, false},
    {"new_sem_wait", WAIT_LOCK, false},
    {"lll_lock_wait", WAIT_LOCK, false},
    {"futex_abstimed_wait_common", WAIT_LOCK, false},
    {"nanosleep", WAIT_TIMER, false},
    {"clock_nanosleep", WAIT_TIMER, false},
    {"usleep", WAIT_TIMER, false},
    {"sleep", WAIT_TIMER, false},
    {"futex", WAIT_LOCK, false},
    {"futex_wait", WAIT_LOCK, false},
    {"flock", WAIT_LOCK, false},
    {"semop", WAIT_LOCK, false},
    {"semtimedop", WAIT_LOCK, false},
    {"pselect6", WAIT_EVENT, false},
    {"epoll_wait_old", WAIT_EVENT, false},
    {"io_getevents", WAIT_EVENT, false},
    {"io_uring_enter", WAIT_EVENT, false},
    {"sched_yield", WAIT_CPU, false},
    {"rt_sigsuspend", WAIT_SIGNAL, false},
    {"rt_sigtimedwait", WAIT_SIGNAL, false},
    {"sigsuspend", WAIT_SIGNAL, false},
    {"sigtimedwait", WAIT_SIGNAL, false},
    {"pause", WAIT_SIGNAL, false},
};

const char *
wait_reason_words(enum wait_reason why)
{
	return reasons[why].words;
}

const char *
wait_reason_key(enum wait_reason why)
{
	return reasons[why].key;
}

/* Length of the prefix before a system call's name in its kernel function; 0: not a system call. */
static size_t
system_call(const char *function, size_t len)
{
	static const char *const begin[] = {"__x64_sys_", "__ia32_sys_", "__arm64_sys_",
	    "__se_sys_", "__do_sys_", "ksys_", "sys_", "SyS_", "syscall:"};

	for (size_t i = 0; i < sizeof begin / sizeof begin[0]; i++)
		if (text_starts(function, len, begin[i]))
			return strlen(begin[i]);
	return 0;
}

enum wait_reason
wait_reason_of(const char *function, size_t len, bool kernel, bool *vague)
{
	size_t call = kernel ? system_call(function, len) : 0;

	*vague = false;
	if (kernel && call == 0) {
		for (size_t i = 0; i < sizeof kernel_rows / sizeof kernel_rows[0]; i++)
			if (text_starts(function, len, kernel_rows[i].begin)) {
				*vague = kernel_rows[i].vague;
				return kernel_rows[i].why;
			}
		return WAIT_UNKNOWN;
	}
	function += call;
	len -= call;
	if (memchr(function, '@', len) != NULL)
		len = (size_t)((const char *)memchr(function, '@', len) - function);
	for (;;) { /* glibc's own aliases: __GI___wait4 */
		size_t skip = text_starts(function, len, "_")	  ? 1
			      : text_starts(function, len, "GI_") ? 3
								  : 0;

		if (skip == 0)
			break;
		function += skip;
		len -= skip;
	}
	for (size_t i = 0; i < sizeof library_rows / sizeof library_rows[0]; i++)
		if (text_is(function, len, library_rows[i].begin))
			return library_rows[i].why;
	return WAIT_UNKNOWN;
}

bool
wait_reason_is_scheduler(const char *function, size_t len)
{
	static const char *const begin[] = {"schedule", "__schedule", "io_schedule",
	    "preempt_schedule", "finish_task_switch", "__switch_to"};

	for (size_t i = 0; i < sizeof begin / sizeof begin[0]; i++)
		if (text_starts(function, len, begin[i]))
			return true;
	return false;
}
