/*
 * probe: enters the sandbox of a filter that reads the file given, and tries forbidden actions.
 * Prints the actions, and whether each was refused: by EPERM, EACCES or ENOSYS, while a call that
 * reaches the kernel's own checks has another error. No action would do harm if it were allowed.
 *
 * With PRELOADED it is an LD_PRELOAD library that tries them at the end of each process, inside its
 * real sandbox, and reports on standard error; PROBE names the file that the table does not have.
 * Lines begin with the process's name and ID.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef PRELOADED
#include "base/sandbox.h"
#endif

static const char *outside; /* a file that the table does not have */
static int lines = STDOUT_FILENO; /* a descriptor */
static char before[64]; /* each line */

static void
report(const char *kind, const char *name, long result)
{
	const bool refused = result == -1 && (errno == EPERM || errno == EACCES || errno == ENOSYS);

	dprintf(lines, "%s%s %s:%s\n", before, refused ? "refused" : "allowed", kind, name);
}

#define CALL(name, ...)             \
	{                           \
#name, SYS_##name,  \
		{                   \
			__VA_ARGS__ \
		}                   \
	}
#define OWN_ID (-2) /* replaced by the parent's process ID */
#ifndef SYS_fork /* AArch64 has clone(2) only */
#define SYS_fork SYS_clone
#endif

static const struct {
	const char *name;
	long number, argument[5];
} call[] = {CALL(execve, 1), CALL(execveat, -1, 1), CALL(fork), CALL(clone, SIGCHLD), CALL(clone3),
    CALL(socket, AF_INET, SOCK_STREAM), CALL(socket, AF_UNIX, SOCK_DGRAM),
    CALL(socket, AF_NETLINK, SOCK_RAW), CALL(socketpair, AF_UNIX, SOCK_DGRAM), CALL(connect, 0),
    CALL(bind, 0), CALL(listen, 0), CALL(accept, 0), CALL(accept4, 0),
    CALL(ptrace, PTRACE_ATTACH, -1), CALL(process_vm_readv, OWN_ID),
    CALL(process_vm_writev, OWN_ID), CALL(kill, OWN_ID), CALL(tkill, OWN_ID),
    CALL(rt_sigqueueinfo, OWN_ID), CALL(rt_tgsigqueueinfo, OWN_ID, OWN_ID),
    CALL(pidfd_open, OWN_ID), CALL(pidfd_send_signal, -1), CALL(pidfd_getfd, -1), CALL(mount),
    CALL(umount2), CALL(pivot_root), CALL(chroot, 1), CALL(setns, -1), CALL(unshare),
    CALL(init_module), CALL(finit_module, -1), CALL(delete_module), CALL(kexec_load, 0, 17),
    CALL(reboot), CALL(swapon), CALL(swapoff), CALL(acct, 1), CALL(settimeofday, 1),
    CALL(clock_settime, -1), CALL(clock_adjtime, -1), CALL(adjtimex), CALL(sethostname, 1, 1),
    CALL(setdomainname, 1, 1), CALL(syslog, -1), CALL(quotactl, -1), CALL(bpf, -1),
    CALL(perf_event_open), CALL(userfaultfd, -1), CALL(keyctl, -1), CALL(add_key),
    CALL(request_key), CALL(io_uring_setup), CALL(io_uring_enter, -1), CALL(io_uring_register, -1),
    CALL(fchmod, 0, 04755), CALL(fchmodat, -1, 1, 04755), CALL(fchown, 0, -1, -1),
    CALL(fchownat, -1, 1, -1, -1), CALL(setxattr), CALL(lsetxattr), CALL(fsetxattr, -1),
    CALL(removexattr), CALL(mknodat, -1, 1, S_IFCHR), CALL(personality, 0xffffffff),
    CALL(process_madvise, -1), CALL(move_pages, OWN_ID), CALL(migrate_pages, OWN_ID),
    CALL(name_to_handle_at, -1), CALL(open_by_handle_at, -1), CALL(fanotify_init, -1),
    CALL(fanotify_mark, -1), CALL(open_tree, -1), CALL(move_mount, -1), CALL(fsopen),
    CALL(fsconfig, -1), CALL(fsmount, -1), CALL(fspick, -1), CALL(kcmp, OWN_ID, OWN_ID),
    CALL(shmget), CALL(shmat, -1), CALL(msgget), CALL(semget), CALL(mq_open),
    CALL(prlimit64, OWN_ID), CALL(sched_setscheduler, OWN_ID), CALL(sched_setaffinity, OWN_ID),
    CALL(setpriority, 0, OWN_ID), CALL(ioprio_set, 1, OWN_ID), CALL(get_robust_list, OWN_ID)};

static void
try_calls(long parent)
{
	for (size_t i = 0; i < sizeof call / sizeof call[0]; i++) {
		long a[5], result;

		for (int k = 0; k < 5; k++)
			a[k] = call[i].argument[k] == OWN_ID ? parent : call[i].argument[k];
		errno = 0;
		result = syscall(call[i].number, a[0], a[1], a[2], a[3], a[4]);
		if (result == 0 && (call[i].number == SYS_fork || call[i].number == SYS_clone))
			_exit(0);
		report("call", call[i].name, result);
	}
}

/* Opens a file of the parent in /proc. */
static long
open_of_parent(const char *name, int flags)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), name);
	return open(path, flags);
}

static void
try_files(void)
{
	struct {
		unsigned long flags, mode, resolve;
	} how = {O_WRONLY, 0, 0};

	report("file", "read another file", open(outside, O_RDONLY));
	report("file", "write another file", open(outside, O_WRONLY));
	report("file", "openat2", syscall(SYS_openat2, AT_FDCWD, outside, &how, sizeof how));
	report("file", "create", open("probed", O_CREAT | O_WRONLY, 0600));
	report("file", "create without a name", open(".", O_TMPFILE | O_RDWR, 0600));
	report("file", "list the root directory", open("/", O_RDONLY | O_DIRECTORY));
	report("file", "link", link(outside, "linked"));
	report("file", "symbolic link", symlink(outside, "symbolic"));
	report("file", "FIFO", mkfifo("fifo", 0600));
	report("file", "directory", mkdir("directory", 0700));
	report("file", "rename", rename(outside, "renamed"));
	report("file", "truncate", truncate(outside, 0));
	report("file", "remove", unlink(outside));
	report("file", "own memory", open("/proc/self/mem", O_RDWR));
	report("file", "memory of the parent", open_of_parent("mem", O_RDONLY));
	report("file", "environment of the parent", open_of_parent("environ", O_RDONLY));
	report("file", "descriptor of the parent", open_of_parent("fd/0", O_RDONLY));
	report("file", "root directory of the parent", open_of_parent("root/etc/shadow", O_RDONLY));
	report("file", "/etc/shadow", open("/etc/shadow", O_RDONLY));
}

#ifdef PRELOADED

static void __attribute__((destructor)) try_all(void)
{
	char name[17] = "";

	if ((outside = getenv("PROBE")) == NULL)
		return;
	lines = STDERR_FILENO;
	prctl(PR_GET_NAME, name);
	snprintf(before, sizeof before, "%s %d ", name, (int)getpid());
	try_calls((long)getppid());
	try_files();
}

#else

int
main(int argc, char **argv)
{
	struct sandbox files = {0};

	if (argc != 3)
		return 1;
	outside = argv[2];
	sandbox_add(&files, SANDBOX_READ, argv[1]);
	sandbox_enter(&files);
	try_calls((long)getppid());
	try_files();
	return 0;
}

#endif
