/*
 * call: clocks, properties of the machine and the user, and system calls by number.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"

/* ---- Clocks ---- */

int
clock_gettime(clockid_t clock, struct timespec *t)
{
	static int64_t last;
	const int64_t over = capture_shared == NULL ? 0 : capture_shared->over * INT64_C(10000000);
	const struct answer *a;
	long result;

	if (capture_mode == CAPTURE_OFF || (capture_mode == CAPTURE_RECORD && !capture_in_main))
		return (int)SYS(clock_gettime, clock, t);
	if (capture_mode == CAPTURE_RECORD) {
		result = SYS(clock_gettime, clock, t);
		log_add(key_of("clock %d", clock),
		    result < 0 ? -1 : t->tv_sec * INT64_C(1000000000) + t->tv_nsec, NULL, 0);
		return (int)result;
	}
	a = archive_state(key_of("clock %d", clock));
	if (a == NULL || a->result < 0) {
		errno = a == NULL ? EINVAL : a->error;
		return -1;
	}
	if (clock == CLOCK_MONOTONIC) /* increases even after the last answer */
		last = a->result + over > last ? a->result + over : last + 1000;
	t->tv_sec = (clock == CLOCK_MONOTONIC ? last : a->result) / 1000000000;
	t->tv_nsec = (clock == CLOCK_MONOTONIC ? last : a->result) % 1000000000;
	return 0;
}

time_t
time(time_t *to)
{
	struct timespec t = {0};

	clock_gettime(CLOCK_REALTIME, &t);
	if (to != NULL)
		*to = t.tv_sec;
	return t.tv_sec;
}

int
clock_getcpuclockid(pid_t pid, clockid_t *clock)
{
	/* The kernel's number for the CPU clock of a process (linux/posix-timers_types.h). */
	const clockid_t id = (clockid_t)(~(unsigned)pid << 3 | 2);
	struct timespec t;

	if (capture_mode == CAPTURE_OFF)
		return REAL(clock_getcpuclockid)(pid, clock);
	if (clock_gettime(id, &t) != 0)
		return ESRCH;
	*clock = id;
	return 0;
}

int
timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer)
{
	if (capture_mode != CAPTURE_REPLAY)
		return REAL(timer_create)(clock, event, timer);
	*timer = NULL;
	return 0;
}

int
timer_settime(timer_t timer, int flags, const struct itimerspec *restrict when,
    struct itimerspec *restrict before)
{
	return capture_mode != CAPTURE_REPLAY ? REAL(timer_settime)(timer, flags, when, before) : 0;
}

int
timer_delete(timer_t timer)
{
	return capture_mode != CAPTURE_REPLAY ? REAL(timer_delete)(timer) : 0;
}

/* ---- The machine and the user ---- */

/* Records or replays a number. */
#define NUMBER(key, call)                                                  \
	(capture_mode == CAPTURE_OFF	     ? (call)                      \
	    : capture_mode == CAPTURE_REPLAY ? recall(key, NULL, 0, EPERM) \
					     : keep(key, call, NULL, 0))

pid_t
getpid(void)
{
	if (!capture_in_main)
		return (pid_t)SYS(getpid);
	return (pid_t)NUMBER("getpid", SYS(getpid));
}

uid_t
geteuid(void)
{
	return (uid_t)NUMBER("geteuid", SYS(geteuid));
}

uid_t
getuid(void)
{
	return (uid_t)NUMBER("getuid", SYS(getuid));
}

pid_t
getsid(pid_t pid)
{
	return (pid_t)NUMBER(key_of("getsid %d", pid), SYS(getsid, pid));
}

int
isatty(int fd)
{
	return capture_mode == CAPTURE_OFF ? REAL(isatty)(fd) : 0;
}

int
setpriority(__priority_which_t which, id_t who, int value)
{
	if (!capture_in_main)
		return capture_mode == CAPTURE_REPLAY ? 0
						      : (int)SYS(setpriority, which, who, value);
	return (int)NUMBER(key_of("setpriority %d", value), SYS(setpriority, which, who, value));
}

int
getpriority(__priority_which_t which, id_t who)
{
	return capture_mode == CAPTURE_OFF ? REAL(getpriority)(which, who) : 0;
}

int
getrlimit(__rlimit_resource_t which, struct rlimit *limit)
{
	const char *key = key_of("getrlimit %d", (int)which);
	long result;

	/* The stack is our own. */
	if (capture_mode == CAPTURE_OFF || which == RLIMIT_STACK)
		return (int)SYS(prlimit64, 0, which, NULL, limit);
	if (capture_mode == CAPTURE_REPLAY)
		return (int)recall(key, limit, sizeof *limit, EINVAL);
	result = SYS(prlimit64, 0, which, NULL, limit);
	return (int)keep(key, result, limit, sizeof *limit);
}

long
sysconf(int name)
{
	if (name != _SC_NPROCESSORS_CONF && name != _SC_NPROCESSORS_ONLN)
		return REAL(sysconf)(name);
	return NUMBER(key_of("sysconf %d", name), REAL(sysconf)(name));
}

int
uname(struct utsname *u)
{
	long result;

	if (capture_mode == CAPTURE_REPLAY)
		return (int)recall("uname", u, sizeof *u, EFAULT);
	result = SYS(uname, u);
	return capture_mode == CAPTURE_OFF ? (int)result : (int)keep("uname", result, u, sizeof *u);
}

unsigned long
getauxval(unsigned long type)
{
	const struct answer *a;
	const char *image;
	Elf64_Ehdr h;

	if (capture_mode == CAPTURE_OFF || type != AT_SYSINFO_EHDR)
		return REAL(getauxval)(type);
	if (capture_mode == CAPTURE_REPLAY) {
		a = archive_state("vdso");
		return a != NULL ? (uintptr_t)a->bytes : 0;
	}
	image = (const char *)(uintptr_t)REAL(getauxval)(type);
	memcpy(&h, image, sizeof h);
	log_add("vdso", 0, image, h.e_shoff + (size_t)h.e_shnum * h.e_shentsize);
	return (uintptr_t)image;
}

/* Without libdebuginfod, which takes longer to load than a replay takes. */
void *
dlopen(const char *file, int mode)
{
	if (capture_mode != CAPTURE_OFF && file != NULL && strstr(file, "libdebuginfod") != NULL)
		return NULL;
	return REAL(dlopen)(file, mode);
}

/* Threads would make the order of calls a matter of chance; fg-record works without. */
int
pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
    void *(*run)(void *), void *restrict arg)
{
	return capture_mode == CAPTURE_OFF ? REAL(pthread_create)(thread, attr, run, arg) : EAGAIN;
}

/* ---- System calls by number ---- */

static long
bpf(int command, void *arg, unsigned size)
{
	const char *key = key_of("bpf %d", command);
	int64_t result;

	if (capture_mode == CAPTURE_RECORD)
		return keep(key, SYS(bpf, command, arg, size), NULL, 0);
	result = recall(key, NULL, 0, EPERM);
	return result >= 0 && (command == BPF_MAP_CREATE || command == BPF_PROG_LOAD ||
				  command == BPF_BTF_LOAD)
		   ? object_token()
		   : (long)result;
}

static long
statx_any(int fd, const char *path, int flags, unsigned mask, void *to)
{
	const struct object *o = object_of(fd);
	const char *key = key_of("statx %s", path[0] == '\0' && o != NULL ? o->name : path);
	long result;

	if (capture_mode == CAPTURE_REPLAY)
		return (long)recall(key, to, 256, ENOENT); /* the size of struct statx */
	result = SYS(statx, fd, path, flags, mask, to);
	return keep(key, result, to, result == 0 ? 256 : 0);
}

long
syscall(long number, ...)
{
	long a[6];
	va_list args;

	va_start(args, number);
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (capture_mode != CAPTURE_OFF)
		switch (number) {
		case SYS_perf_event_open:
			return ring_event((const struct perf_event_attr *)a[0], (pid_t)a[1],
			    (int)a[2], (int)a[3], (unsigned long)a[4]);
		case SYS_bpf: return bpf((int)a[0], (void *)a[1], (unsigned)a[2]);
		case SYS_statx:
			return statx_any(
			    (int)a[0], (const char *)a[1], (int)a[2], (unsigned)a[3], (void *)a[4]);
		case SYS_close_range: /* leaves our own */
			if ((unsigned)a[1] >= CAPTURE_DESCRIPTORS)
				a[1] = CAPTURE_DESCRIPTORS - 1;
			break;
		case SYS_sched_getattr:
		case SYS_sched_setattr:
		case SYS_sched_getscheduler: errno = ENOSYS; return -1;
		default: break;
		}
	return real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
