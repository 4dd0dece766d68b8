/*
 * sandbox: a Landlock ruleset from the table (Documentation/userspace-api/landlock.rst) and a
 * seccomp filter from a list of calls. This file generates the filter, a classic BPF program:
 * libseccomp needs 0.35 ms for the same one, half of a small run.
 */
#include "base/sandbox.h"

#include <assert.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/capability.h>

#include "base/cli.h"
#include "base/output.h"
#include "base/fileplace.h"
#include "base/vec.h"

#if __has_include(<linux/landlock.h>) && defined(SYS_landlock_create_ruleset)
#define HAVE_LANDLOCK
#endif
#if __has_include(<linux/seccomp.h>) && (defined(__x86_64__) || defined(__aarch64__))
#define HAVE_SECCOMP
#endif

#if defined(HAVE_LANDLOCK) && defined(HAVE_SECCOMP)
const char *const sandbox_built_in = "Landlock and seccomp";
#elif defined(HAVE_LANDLOCK)
const char *const sandbox_built_in = "Landlock";
#elif defined(HAVE_SECCOMP)
const char *const sandbox_built_in = "seccomp";
#else
const char *const sandbox_built_in = NULL;
#endif

void
sandbox_add(struct sandbox *s, enum sandbox_use use, const char *path)
{
	if (use != SANDBOX_NETWORK && use != SANDBOX_RECORDER &&
	    (path == NULL || strcmp(path, "-") == 0))
		return;
	vec_fit(s->file, s->cap, s->n + 1);
	s->file[s->n++] = (struct sandbox_file){use, path};
}

void
sandbox_inputs(struct sandbox *s, int argc, char **argv, int from)
{
	for (int i = from; i < argc; i++)
		sandbox_add(s, SANDBOX_READ, argv[i]);
}

#ifdef HAVE_LANDLOCK

#include <linux/landlock.h>

/* Constants of versions 2 to 6 of the interface, absent in older headers. */
#define REFER (UINT64_C(1) << 13)
#define TRUNCATE (UINT64_C(1) << 14)
#define FS_ALL(abi) ((UINT64_C(1) << ((abi) >= 3 ? 15 : (abi) == 2 ? 14 : 13)) - 1)
#define TCP_ALL UINT64_C(3) /* version 4: bind and connect */
#define SCOPE_ALL UINT64_C(3) /* version 6: abstract Unix sockets and signals */

struct ruleset {
	uint64_t fs, net, scoped;
};

#define READ LANDLOCK_ACCESS_FS_READ_FILE
#define LIST LANDLOCK_ACCESS_FS_READ_DIR
#define WRITE (LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE)
#define MAKE_DIR (LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR)
#define MAKE (LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE | REFER)

static void
add_rule(int ruleset, int fd, uint64_t access)
{
	struct landlock_path_beneath_attr rule = {.parent_fd = fd, .allowed_access = access};

	syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/* A path that cannot be opened has no rule: its own open fails later, and reports why. */
static void
allow(int ruleset, const char *path, uint64_t access, uint64_t handled)
{
	const int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		/* Otherwise the file is refused later, with another reason. */
		if (errno == EMFILE || errno == ENFILE)
			cli_die("%s: %s", path, strerror(errno));
		return;
	}
	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		access &= READ | WRITE;
	add_rule(ruleset, fd, access & handled);
	close(fd);
}

static void
allow_file(int ruleset, const struct sandbox_file *f, uint64_t handled)
{
	struct stat st;
	bool is_directory;
	int dir;

	switch (f->use) {
	case SANDBOX_READ:
		is_directory = stat(f->path, &st) == 0 && S_ISDIR(st.st_mode);
		allow(ruleset, f->path, is_directory ? LIST : READ, handled);
		break;
	case SANDBOX_WRITE:
		dir = output_prepare(f->path);
		if (dir >= 0)
			add_rule(ruleset, dir, MAKE & handled);
		else
			allow(ruleset, f->path, WRITE, handled); /* in place */
		break;
	case SANDBOX_READ_BELOW: allow(ruleset, f->path, READ | LIST, handled); break;
	case SANDBOX_WRITE_IN: allow(ruleset, f->path, MAKE | READ | WRITE, handled); break;
	case SANDBOX_NETWORK:
		if (f->path != NULL)
			allow(ruleset, f->path, MAKE | MAKE_DIR | READ | LIST | WRITE, handled);
		break;
	case SANDBOX_RECORDER: break;
	}
}

/*
 * Allows reading what dlopen(3) reads for lazy/library: the directories of the C library, of
 * locally built libraries and of LD_LIBRARY_PATH, and the index of libraries.
 */
static void
allow_libraries(int ruleset, uint64_t handled)
{
	const char *path = getenv("LD_LIBRARY_PATH");
	char at[PATH_MAX] = "/usr";
	Dl_info c;

	if (dladdr((void *)(uintptr_t)dlopen, &c) != 0 && c.dli_fname[0] == '/' &&
	    strlcat(at, c.dli_fname, sizeof at) < sizeof at) {
		*strrchr(at, '/') = '\0';
		allow(ruleset, at + strlen("/usr"), READ | LIST, handled);
		allow(ruleset, at, READ | LIST, handled);
	}
	allow(ruleset, "/usr/local/lib", READ | LIST, handled);
	allow(ruleset, "/etc/ld.so.cache", READ, handled);
	for (; path != NULL && *path != '\0'; path += strspn(path, ":;")) {
		size_t n = strcspn(path, ":;");

		if (n > 0 && n < sizeof at) {
			memcpy(at, path, n);
			at[n] = '\0';
			allow(ruleset, at, READ | LIST, handled);
		}
		path += n;
	}
}

static void
limit_files(const struct sandbox *s, bool network)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	struct ruleset r = {0};
	size_t size = sizeof r.fs;
	int ruleset;

	if (abi < 1)
		return;
	r.fs = FS_ALL(abi);
	if (abi >= 4) {
		r.net = network ? 0 : TCP_ALL;
		size = offsetof(struct ruleset, scoped);
	}
	if (abi >= 6) {
		r.scoped = SCOPE_ALL;
		size = sizeof r;
	}
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &r, size, 0);
	if (ruleset < 0)
		return;
	for (size_t i = 0; i < s->n; i++)
		allow_file(ruleset, &s->file[i], r.fs);
	allow_libraries(ruleset, r.fs);
	syscall(SYS_landlock_restrict_self, ruleset, 0);
	close(ruleset);
}

#else

static void
limit_files(const struct sandbox *s, bool network)
{
	(void)s;
	(void)network;
}

#endif

#ifdef HAVE_SECCOMP

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/seccomp.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#define X32 0x40000000 /* system call numbers of the x32 ABI start here */

/* Calls allowed with any arguments, also ones that only some kernels have. */
static const uint16_t calls[] = {
#ifdef SYS_open /* absent on AArch64 */
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_rename, SYS_renameat, SYS_unlink, SYS_link,
    SYS_dup2, SYS_pipe, SYS_poll, SYS_select, SYS_getdents, SYS_time, SYS_arch_prctl, SYS_alarm,
    SYS_pause,
#endif

    /* files: Landlock limits which ones */
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev,
    SYS_preadv2, SYS_pwritev2, SYS_lseek, SYS_close, SYS_close_range, SYS_dup, SYS_dup3, SYS_flock,
    SYS_fstat, SYS_newfstatat, SYS_statx, SYS_fstatfs, SYS_statfs, SYS_faccessat, SYS_faccessat2,
    SYS_readlinkat, SYS_getcwd, SYS_getdents64, SYS_ftruncate, SYS_fallocate, SYS_fadvise64,
    SYS_fsync, SYS_fdatasync, SYS_sync_file_range, SYS_copy_file_range, SYS_sendfile, SYS_splice,
    SYS_tee, SYS_pipe2, SYS_renameat2, SYS_unlinkat, SYS_linkat, SYS_umask, SYS_memfd_create,
    SYS_ppoll, SYS_pselect6, SYS_eventfd2, SYS_sendmsg, SYS_recvmsg,
    /* memory and threads */
    SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_msync, SYS_mincore,
    SYS_membarrier, SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_exit, SYS_exit_group, SYS_restart_syscall,
    /* the process itself */
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_getrlimit, SYS_setrlimit, SYS_getrusage, SYS_times, SYS_prctl, SYS_uname, SYS_sysinfo,
    SYS_getrandom, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending,
    SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep,
    SYS_nanosleep, SYS_gettimeofday, SYS_setitimer, SYS_getitimer,
    /* further restrictions */
    SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self, SYS_seccomp};

/* With SANDBOX_NETWORK: resolving a name, a connection, and files of a cache. */
static const uint16_t network_calls[] = {
#ifdef SYS_open
    SYS_mkdir, SYS_epoll_wait, SYS_utimes,
#endif

    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_sendto, SYS_recvfrom, SYS_sendmsg,
    SYS_recvmsg, SYS_sendmmsg, SYS_recvmmsg, SYS_shutdown, SYS_getsockopt, SYS_setsockopt,
    SYS_getsockname, SYS_getpeername, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
    SYS_mkdirat, SYS_utimensat};

/* With SANDBOX_RECORDER: child processes, and the turn of its threads. */
static const uint16_t recorder_calls[] = {
    SYS_wait4, SYS_waitid, SYS_getsid, SYS_sched_getscheduler, SYS_getpriority};

/*
 * With SANDBOX_RECORDER not even these, unless with SANDBOX_NETWORK: files are read only, even
 * without Landlock.
 */
static const uint16_t recorder_writes[] = {
#ifdef SYS_open
    SYS_rename, SYS_renameat, SYS_unlink, SYS_link,
#endif

    SYS_renameat2, SYS_unlinkat, SYS_linkat};

/* Calls that fail with EPERM: for ENOSYS, as by an old kernel, a library would try another way. */
static const uint16_t refused[] = {
#ifdef SYS_open
    SYS_fork, SYS_vfork, SYS_symlink, SYS_mkdir, SYS_mknod, SYS_open, SYS_creat, SYS_chmod,
    SYS_chown, SYS_lchown,
#endif

    SYS_execve, SYS_execveat, SYS_ptrace, SYS_socket, SYS_connect, SYS_kill, SYS_tkill, SYS_tgkill,
    SYS_mount, SYS_bpf, SYS_perf_event_open, SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_openat, SYS_fchmod, SYS_fchmodat, SYS_fchown, SYS_fchownat, SYS_io_uring_setup, SYS_ioctl,
    SYS_fcntl, SYS_clone, SYS_symlinkat, SYS_mkdirat, SYS_mknodat};

#define NR offsetof(struct seccomp_data, nr)
#define ARGUMENT(i) ((uint32_t)offsetof(struct seccomp_data, args[i])) /* lower 32 bits */
#define COUNT(a) (sizeof(a) / sizeof(a)[0])
#define LENGTH 512

struct program {
	struct sock_filter code[LENGTH];
	unsigned short n;
};

static void
add(struct program *p, uint16_t code, uint8_t if_true, uint8_t if_false, uint32_t k)
{
	p->code[p->n++] = (struct sock_filter){code, if_true, if_false, k};
}

static void
load(struct program *p, uint32_t from)
{
	add(p, BPF_LD | BPF_W | BPF_ABS, 0, 0, from);
}

#define NUMBERED 512 /* calls from here on fail with ENOSYS; above the numbers of all lists */

static void
set_answers(uint32_t *answer, const uint16_t *call, size_t n, uint32_t with)
{
	for (size_t i = 0; i < n; i++)
		answer[call[i]] = with;
}

/* Calls from this number to that of the next range have one answer. */
struct range {
	uint32_t from, answer;
};

/*
 * Adds a binary search for the range of the call. When the kernel installs a filter, it runs it
 * once for each system call, to learn which ones are always allowed: it needs 0.2 ms longer for a
 * filter that compares the number with one call after the other.
 */
static void
add_search(struct program *p, const struct range *range, size_t n)
{
	const size_t half = n / 2;

	if (n == 1) {
		add(p, BPF_RET | BPF_K, 0, 0, range->answer);
		return;
	}
	/* The lower half is 2 * half - 1 instructions long. */
	assert(half <= UINT8_MAX / 2);
	add(p, BPF_JMP | BPF_JGE | BPF_K, (uint8_t)(2 * half - 1), 0, range[half].from);
	add_search(p, range, half);
	add_search(p, range + half, n - half);
}

static void
add_answers(struct program *p, bool network, bool recorder)
{
	uint32_t answer[NUMBERED];
	struct range range[NUMBERED];
	size_t n = 0;

	for (size_t i = 0; i < NUMBERED; i++)
		answer[i] = SECCOMP_RET_ERRNO | ENOSYS;
	set_answers(answer, refused, COUNT(refused), SECCOMP_RET_ERRNO | EPERM);
	set_answers(answer, calls, COUNT(calls), SECCOMP_RET_ALLOW);
	if (network)
		set_answers(answer, network_calls, COUNT(network_calls), SECCOMP_RET_ALLOW);
	if (recorder) {
		set_answers(answer, recorder_calls, COUNT(recorder_calls), SECCOMP_RET_ALLOW);
		if (!network)
			set_answers(answer, recorder_writes, COUNT(recorder_writes),
			    SECCOMP_RET_ERRNO | EPERM);
	}
	for (uint32_t i = 0; i < NUMBERED; i++)
		if (n == 0 || answer[i] != range[n - 1].answer)
			range[n++] = (struct range){i, answer[i]};
	add_search(p, range, n);
}

/*
 * Allows a call if an argument equals one of the values (BPF_JEQ) or has one of their bits
 * (BPF_JSET).
 */
static void
allow_argument(struct program *p, uint32_t call, unsigned argument, uint16_t compare,
    const uint32_t *values, size_t n)
{
	add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, (uint8_t)(2 * n + 2), call);
	load(p, ARGUMENT(argument));
	for (size_t i = 0; i < n; i++) {
		add(p, BPF_JMP | compare | BPF_K, 0, 1, values[i]);
		add(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
	}
	load(p, NR);
}

/* Allows a call if an argument has none of these bits. */
static void
allow_without(struct program *p, uint32_t call, unsigned argument, uint32_t bits)
{
	add(p, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, call);
	load(p, ARGUMENT(argument));
	add(p, BPF_JMP | BPF_JSET | BPF_K, 1, 0, bits);
	add(p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
	load(p, NR);
}

/* Allows files to be opened for reading only. */
static void
allow_reading(struct program *p)
{
	const uint32_t writes = O_ACCMODE | O_CREAT | O_TRUNC;

#ifdef SYS_open
	allow_without(p, SYS_open, 1, writes);
#endif
	allow_without(p, SYS_openat, 2, writes);
}

#define SPECIAL 07000 /* set-user-ID, set-group-ID, sticky */

/*
 * Allows files to be opened and created, but not with special modes: root needs no capability to
 * make its own programs set-user-ID, and Landlock does not limit modes.
 */
static void
allow_opening(struct program *p)
{
	const uint32_t creates = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);

#ifdef SYS_open
	allow_without(p, SYS_open, 1, creates);
	allow_without(p, SYS_open, 2, SPECIAL);
	allow_without(p, SYS_creat, 1, SPECIAL);
#endif
	allow_without(p, SYS_openat, 2, creates);
	allow_without(p, SYS_openat, 3, SPECIAL);
}

/*
 * Allows debuginfod's cache to make its files private: another mode would open a file that is only
 * read, root's perhaps, to other users.
 */
static void
allow_private(struct program *p)
{
	const uint32_t others = SPECIAL | 077;

#ifdef SYS_open
	allow_without(p, SYS_chmod, 1, others);
#endif
	allow_without(p, SYS_fchmod, 1, others);
	allow_without(p, SYS_fchmodat, 2, others);
}

/* Allows the calls of a recorder that depend on an argument. */
static void
allow_recorder(struct program *p)
{
	static const uint32_t events[] = {PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE,
	    PERF_EVENT_IOC_SET_OUTPUT, PERF_EVENT_IOC_SET_BPF};
	/* The flags of fork(3); others would make a namespace, with all capabilities in it. */
	static const uint32_t child[] = {
	    SIGCHLD, SIGCHLD | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID};
	static const uint32_t self[] = {0};

	allow_argument(p, SYS_ioctl, 1, BPF_JEQ, events, COUNT(events));
	allow_argument(p, SYS_clone, 0, BPF_JEQ, child, COUNT(child));
	allow_argument(p, SYS_sched_setattr, 0, BPF_JEQ, self, COUNT(self));
	allow_argument(p, SYS_setpriority, 1, BPF_JEQ, self, COUNT(self));
}

static void
limit_calls(bool network, bool recorder)
{
	static const uint32_t terminal[] = {
	    TCGETS, TCSETS, TCSETSW, TCSETSF, TIOCGWINSZ, TIOCGPGRP, FIONREAD};
	/* Not F_SETOWN and F_SETSIG: a descriptor can send a signal to another process. */
	static const uint32_t descriptor[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC,
	    F_GETPIPE_SZ, F_SETPIPE_SZ, F_SETFL /* the last one: only sockets need it */};
	static const uint32_t thread[] = {CLONE_THREAD};
	const uint32_t self[] = {(uint32_t)getpid(), 0};
	struct program p = {.n = 0};
	struct sock_fprog program = {.filter = p.code};

	load(&p, offsetof(struct seccomp_data, arch));
	add(&p, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
	add(&p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS);
	load(&p, NR);
	add(&p, BPF_JMP | BPF_JGE | BPF_K, 0, 1, X32);
	add(&p, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS);
	/* clone3's flags are in memory; without it the C library uses clone. */
	allow_argument(&p, SYS_clone, 0, BPF_JSET, thread, COUNT(thread));
	allow_argument(&p, SYS_ioctl, 1, BPF_JEQ, terminal, COUNT(terminal));
	allow_argument(
	    &p, SYS_fcntl, 1, BPF_JEQ, descriptor, COUNT(descriptor) - (network ? 0 : 1));
	allow_argument(&p, SYS_tgkill, 0, BPF_JEQ, self, 1); /* raise(3) */
	allow_argument(&p, SYS_kill, 0, BPF_JEQ, self, 1);
	allow_argument(&p, SYS_prlimit64, 0, BPF_JEQ, self, COUNT(self)); /* getrlimit(2) */
	if (recorder)
		allow_recorder(&p);
	if (recorder && !network)
		allow_reading(&p);
	else
		allow_opening(&p);
	if (network && !recorder)
		allow_private(&p);
	add_answers(&p, network, recorder);
	program.len = p.n;
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#else

static void
limit_calls(bool network, bool recorder)
{
	(void)network;
	(void)recorder;
}

#endif

#define MAY(capability) (UINT64_C(1) << (capability))
/* Programs that other users keep private; the addresses in /proc/kallsyms. */
#define MAY_READ (MAY(CAP_DAC_READ_SEARCH) | MAY(CAP_SYSLOG))
/* -o in a directory, or in place of a file, of another user. */
#define MAY_WRITE (MAY_READ | MAY(CAP_DAC_OVERRIDE) | MAY(CAP_FOWNER))

/* A recorder's: none, or to map ring buffers where `ulimit -l` could not be raised. */
static uint64_t
recorder_capabilities(void)
{
	struct rlimit locked;

	return getrlimit(RLIMIT_MEMLOCK, &locked) == 0 && locked.rlim_cur == RLIM_INFINITY
		   ? 0
		   : MAY(CAP_IPC_LOCK);
}

static void
limit_capabilities(uint64_t keep)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &header, has) != 0)
		return;
	for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		has[i].permitted &= (uint32_t)(keep >> 32 * i);
		has[i].effective = has[i].permitted;
		has[i].inheritable = 0;
	}
	syscall(SYS_capset, &header, has);
}

/* True if a row names this descriptor, as /dev/fd/N. */
static bool
is_listed(const struct sandbox *s, int fd)
{
	for (size_t i = 0; i < s->n; i++) {
		struct fileplace at = {.own = -1};
		bool own;

		if (s->file[i].path == NULL || !fileplace_find(&at, s->file[i].path))
			continue;
		own = at.own == fd;
		fileplace_free(&at);
		if (own)
			return true;
	}
	return false;
}

/*
 * Closes the descriptors that the program that started this one left open, except standard ones
 * and those of the table: they may have more rights than the sandbox. Ours close on exec.
 */
static void
close_inherited(const struct sandbox *s)
{
	const struct dirent *e;
	DIR *d = opendir("/proc/self/fd");

	while (d != NULL && (e = readdir(d)) != NULL) {
		const int fd = atoi(e->d_name);

		if (fd > STDERR_FILENO && (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0 &&
		    !is_listed(s, fd))
			close(fd);
	}
	if (d != NULL)
		closedir(d);
}

bool
sandbox_is_off(void)
{
	const char *how = getenv("FG_SANDBOX");

	return how != NULL && strcmp(how, "off") == 0;
}

void
sandbox_enter(struct sandbox *s)
{
	static bool limited, networked; /* a second filter would be the same, but without network */
	const char *only = getenv("FG_SANDBOX");
	bool network = false, writes = false, recorder = false;

	for (size_t i = 0; i < s->n; i++) {
		enum sandbox_use use = s->file[i].use;

		network |= use == SANDBOX_NETWORK;
		recorder |= use == SANDBOX_RECORDER;
		writes |= use != SANDBOX_READ && use != SANDBOX_READ_BELOW;
		if (use == SANDBOX_WRITE)
			output_prepare(s->file[i].path);
	}
	if (!sandbox_is_off()) {
		if (!limited)
			close_inherited(s);
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		if (only == NULL || strcmp(only, "seccomp") != 0)
			limit_files(s, network);
		limit_capabilities(recorder ? recorder_capabilities()
				   : writes ? MAY_WRITE
					    : MAY_READ);
		if ((!limited || (networked && !network)) &&
		    (only == NULL || strcmp(only, "landlock") != 0))
			limit_calls(network, recorder);
		limited = !recorder;
		networked = network;
	}
	free(s->file);
	*s = (struct sandbox){0};
}
