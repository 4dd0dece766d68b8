/*
 * A fake of base/sandbox for t/sandbox.t: linked into a program in the place of
 * sandbox_enter, it makes the kernel stop the program at each call that opens, makes,
 * renames or removes a file, or runs another, and looks the path up in the table. What
 * is not in it ends the program with 99 and its name.
 *
 * FG_FORGET=PATH in the environment leaves a file out of the table, which shows that
 * this works. Needs no rights: seccomp(2) with a signal.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/sandbox.h"

#define PASS 0x66676673 /* in the sixth argument of a call that was looked at: none has one */

void __wrap_sandbox_enter(struct sandbox *s);

static struct {
	const char *path, *real; /* NULL for none */
	enum sandbox_use use;
} * table;
static size_t ntable;
static pid_t entered; /* the program itself, not what it runs */

static const int calls[] = {
#ifdef SYS_open
    SYS_open,
    SYS_creat,
    SYS_rename,
    SYS_unlink,
    SYS_link,
    SYS_mkdir,
#endif
    SYS_openat,
    SYS_openat2,
    SYS_renameat,
    SYS_renameat2,
    SYS_unlinkat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mkdirat,
    SYS_truncate,
    SYS_execve,
    SYS_execveat,
    SYS_connect,
};

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#define ARG(c, i) \
	((long)(c)->uc_mcontext.gregs[(int[]){REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8}[i]])
#define RESULT(c) ((c)->uc_mcontext.gregs[REG_RAX])
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#define ARG(c, i) ((long)(c)->uc_mcontext.regs[i])
#define RESULT(c) ((c)->uc_mcontext.regs[0])
#endif

static void
say(const char *s)
{
	(void)!write(STDERR_FILENO, s, strlen(s));
}

static void
stop(const char *what)
{
	say("sandbox: ");
	say(what);
	say("\n");
	_exit(99);
}

/* Whether path lies in the folder, which is what comes before the last slash of a file's. */
static bool
is_in(const char *path, const char *folder, bool of_file, bool below)
{
	size_t len = strlen(folder);
	const char *slash = of_file ? strrchr(folder, '/') : NULL;

	while (len > 0 && folder[len - 1] == '/')
		len--;
	if (of_file)
		len = slash != NULL ? (size_t)(slash - folder) : 0;
	if (of_file && slash == NULL && path[0] == '/')
		return false;
	if (strncmp(path, folder, len) != 0 || (len > 0 && path[len] != '/' && path[len] != '\0'))
		return false;
	path += len + (path[len] == '/');
	return strstr(path, "..") == NULL && (below || strchr(path, '/') == NULL);
}

static bool
is_allowed(const char *path, bool writes)
{
	static const char *const libc[] = {
	    "/sys/devices/system/cpu/", "/proc/meminfo", "/proc/stat"};

	/* The C library looks for processors and memory there, and can do without. */
	for (size_t i = 0; !writes && i < sizeof libc / sizeof libc[0]; i++)
		if (strncmp(path, libc[i], strlen(libc[i])) == 0)
			return true;
#ifdef __SANITIZE_ADDRESS__
	if (strncmp(path, "/proc/", 6) == 0)
		return true;
#endif
	for (size_t i = 0; i < ntable; i++) {
		const char *name[] = {table[i].path, table[i].real};

		for (size_t k = 0; k < 2; k++) {
			const char *to = name[k];

			if (to == NULL)
				continue;
			switch (table[i].use) {
			case SANDBOX_READ:
				if (!writes && strcmp(path, to) == 0)
					return true;
				break;
			case SANDBOX_WRITE:
				if (writes && is_in(path, to, true, false))
					return true;
				break;
			case SANDBOX_READ_BELOW:
				if (!writes && is_in(path, to, false, true))
					return true;
				break;
			case SANDBOX_WRITE_IN:
				if (is_in(path, to, false, false))
					return true;
				break;
			case SANDBOX_RUN: break;
			}
		}
	}
	return false;
}

/* Which arguments of a call are paths: the first two, or after descriptors. */
static void
check(int call, const ucontext_t *c)
{
	bool writes = true;
	int path = 0, second = -1;

	for (size_t i = 0; i < ntable; i++)
		if (table[i].use == SANDBOX_RUN && (call == SYS_execve || getpid() != entered))
			return;
	switch (call) {
	case SYS_openat:
		path = 1;
		writes = (ARG(c, 2) & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0;
		break;
	case SYS_unlinkat:
	case SYS_mkdirat: path = 1; break;
	case SYS_renameat:
	case SYS_renameat2:
	case SYS_linkat:
		path = 1;
		second = 3;
		break;
#ifdef SYS_open
	case SYS_open: writes = (ARG(c, 1) & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) != 0; break;
	case SYS_rename:
	case SYS_link: second = 1; break;
	case SYS_creat:
	case SYS_unlink:
	case SYS_mkdir:
#endif
	case SYS_truncate:
	case SYS_execve: break;
	default: stop("a call that no filter should make");
	}
	for (int i = path; i >= 0; i = i == second ? -1 : second) {
		const char *name = (const char *)ARG(c, i);

		if (!is_allowed(name, writes))
			stop(name);
	}
}

static void
on_call(int sig, siginfo_t *info, void *context)
{
	ucontext_t *c = context;
	long got;

	(void)sig;
	check(info->si_syscall, c);
	got = syscall(
	    info->si_syscall, ARG(c, 0), ARG(c, 1), ARG(c, 2), ARG(c, 3), ARG(c, 4), (long)PASS);
	RESULT(c) = got < 0 ? -errno : got;
}

static void
remember(const struct sandbox_file *file)
{
	const char *forget = getenv("FG_FORGET");

	if (forget != NULL && file->path != NULL && strcmp(forget, file->path) == 0)
		return;
	if (file->path != NULL) {
		table[ntable].path = strdup(file->path);
		table[ntable].real = realpath(file->path, NULL);
	}
	table[ntable++].use = file->use;
}

void
__wrap_sandbox_enter(struct sandbox *s)
{
	enum { CALLS = sizeof calls / sizeof calls[0] };
	struct sock_filter code[CALLS + 8];
	struct sock_fprog program = {0, code};
	struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
	unsigned short n = 0;

	entered = getpid();
	table = calloc(s->n + 1, sizeof *table);
	for (size_t i = 0; i < s->n; i++)
		remember(&s->file[i]);
	free(s->file);
	*s = (struct sandbox){0};

	code[n++] = (struct sock_filter)BPF_STMT(
	    BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[5]));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PASS, CALLS + 3, 0);
	code[n++] = (struct sock_filter)BPF_STMT(
	    BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 0, CALLS + 1);
	code[n++] = (struct sock_filter)BPF_STMT(
	    BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (unsigned i = 0; i < CALLS; i++)
		code[n++] = (struct sock_filter)BPF_JUMP(
		    BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], (uint8_t)(CALLS - i), 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
	program.len = n;
	if (sigaction(SIGSYS, &action, NULL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
		say("no seccomp here\n");
		_exit(98);
	}
}
