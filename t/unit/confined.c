/*
 * confined: enters the sandbox and tries a forbidden action, for t/sandbox.t.
 *
 *	confined [-r FILE] [-b DIRECTORY] [-w FILE] [-i DIRECTORY] [-en2] ACTION [ARGUMENT]
 *
 * The options are rows of the sandbox's table (-e: SANDBOX_RECORDER, -n: SANDBOX_NETWORK; -2: enter
 * it, and begin the table of a second time). Prints "done", or the error's name.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/perf_event.h>
#include <linux/sched.h>

#include "base/output.h"
#include "base/sandbox.h"

static const char *argument;

static int
open_file(void)
{
	return open(argument, O_RDONLY);
}

static int
list(void)
{
	return open(argument, O_RDONLY | O_DIRECTORY);
}

static int
create(void)
{
	return open(argument, O_WRONLY | O_CREAT | O_EXCL, 0600);
}

static int
truncate_file(void)
{
	return truncate(argument, 0);
}

static int
remove_file(void)
{
	return unlink(argument);
}

static int
make_directory(void)
{
	return mkdir(argument, 0700);
}

static int
make_link(void)
{
	return symlink("/", argument);
}

static int
change_mode(void)
{
	return chmod(argument, 0777);
}

/* A file of one's own needs no right to write for that. */
static int
change_mode_of_open(void)
{
	int fd = open(argument, O_RDONLY);

	return fd < 0 ? -1 : fchmod(fd, 0600);
}

/* A descriptor opened for reading only suffices to give away a file, with the capability. */
static int
change_owner_of_open(void)
{
	int fd = open(argument, O_RDONLY);

	return fd < 0 ? -1 : fchown(fd, 65534, 65534);
}

/* A new program of root that runs as root for everyone. */
static int
create_special(void)
{
	return open(argument, O_WRONLY | O_CREAT | O_EXCL, 04755);
}

static int
create_nameless_special(void)
{
	return open(argument, O_WRONLY | O_TMPFILE, 04755);
}

/* Descriptor 9 is one of the parent process. */
static int
write_inherited(void)
{
	return (int)write(9, "x", 1);
}

static int
move(void)
{
	char to[4096];

	snprintf(to, sizeof to, "%s.moved", argument);
	return rename(argument, to);
}

/* Writes a file with the functions for -o, which print an error and end the program. */
static int
replace(void)
{
	struct output *o = output_open(argument);

	output_text(o, "new");
	output_close(o);
	return 0;
}

static int
connect_tcp(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return fd < 0 ? -1 : connect(fd, (struct sockaddr *)&to, sizeof to);
}

static int
connect_unix(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static int
execute(void)
{
	return execl("/bin/true", "true", (char *)NULL);
}

static int
make_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid;
}

static int
make_namespace(void)
{
	long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);

	if (pid == 0)
		_exit(0);
	return (int)pid;
}

static int
open_event(void)
{
	struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
	    .size = sizeof a,
	    .config = PERF_COUNT_SW_DUMMY,
	    .exclude_kernel = 1};

	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

/* Succeeds without capabilities, but for IPC_LOCK; needs /proc. */
static int
have_none(void)
{
	char line[128];
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long long bits = ~0ULL;

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		sscanf(line, "CapPrm: %llx", &bits);
	errno = EPERM;
	return (bits & ~(1ULL << CAP_IPC_LOCK)) == 0 ? 0 : -1;
}

static int
trace(void)
{
	return (int)ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

static int
read_memory(void)
{
	char byte;
	struct iovec here = {&byte, 1}, there = {(void *)&argument, 1};

	return (int)process_vm_readv(getppid(), &here, 1, &there, 1, 0);
}

static int
signal_parent(void)
{
	return kill(getppid(), 0);
}

/* Input would send it SIGIO, or the signal set. */
static int
own_descriptor(void)
{
	return fcntl(0, F_SETOWN, getppid());
}

static int
set_signal(void)
{
	return fcntl(0, F_SETSIG, SIGTERM);
}

static int
set_asynchronous(void)
{
	return fcntl(0, F_SETFL, O_ASYNC);
}

/* The commands of fcntl(2) that the C library uses. */
static int
duplicate(void)
{
	int fd = fcntl(0, F_DUPFD_CLOEXEC, 10);

	return fd < 0 || fcntl(fd, F_GETFD) != FD_CLOEXEC || fcntl(fd, F_SETFD, 0) != 0
		   ? -1
		   : fcntl(fd, F_GETFL);
}

static int
load_bpf(void)
{
	return (int)syscall(SYS_bpf, 5, NULL, 0);
}

static int
push_input(void)
{
	return (int)syscall(SYS_ioctl, 0, 0x5412 /* TIOCSTI */, "x");
}

static int
signal_self(void)
{
	signal(SIGUSR1, SIG_IGN);
	return raise(SIGUSR1);
}

static void *
nothing(void *arg)
{
	return arg;
}

static int
make_thread(void)
{
	pthread_t t;

	errno = pthread_create(&t, NULL, nothing, NULL);
	return errno != 0 ? -1 : pthread_join(t, NULL);
}

static const struct {
	const char *name;
	int (*run)(void);
} actions[] = {{"open", open_file}, {"list", list}, {"create", create}, {"truncate", truncate_file},
    {"remove", remove_file}, {"mkdir", make_directory}, {"symlink", make_link},
    {"chmod", change_mode}, {"fchmod", change_mode_of_open}, {"fchown", change_owner_of_open},
    {"special", create_special}, {"nameless", create_nameless_special},
    {"inherited", write_inherited}, {"rename", move}, {"replace", replace}, {"tcp", connect_tcp},
    {"unix", connect_unix}, {"exec", execute}, {"fork", make_process}, {"ptrace", trace},
    {"vm_readv", read_memory}, {"namespace", make_namespace}, {"event", open_event},
    {"powerless", have_none}, {"kill", signal_parent}, {"bpf", load_bpf}, {"tiocsti", push_input},
    {"raise", signal_self}, {"thread", make_thread}, {"setown", own_descriptor},
    {"setsig", set_signal}, {"async", set_asynchronous}, {"dup", duplicate}};

static const char *
error_name(int error)
{
	switch (error) {
	case EACCES: return "EACCES";
	case EPERM: return "EPERM";
	case ENOSYS: return "ENOSYS";
	case EBADF: return "EBADF";
	case ECONNREFUSED: return "ECONNREFUSED";
	default: return strerror(error);
	}
}

int
main(int argc, char **argv)
{
	struct sandbox s = {0};
	int option;

	while ((option = getopt(argc, argv, "r:b:w:i:en2")) != -1) {
		if (option == '2') {
			sandbox_enter(&s);
			continue;
		}
		sandbox_add(&s,
		    option == 'r'   ? SANDBOX_READ
		    : option == 'b' ? SANDBOX_READ_BELOW
		    : option == 'w' ? SANDBOX_WRITE
		    : option == 'i' ? SANDBOX_WRITE_IN
		    : option == 'e' ? SANDBOX_RECORDER
				    : SANDBOX_NETWORK,
		    option == 'n' || option == 'e' ? NULL : optarg);
	}
	if (optind >= argc)
		return 2;
	argument = argv[optind + 1];
	sandbox_enter(&s);
	for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
		if (strcmp(actions[i].name, argv[optind]) == 0) {
			puts(actions[i].run() >= 0 ? "done" : error_name(errno));
			return 0;
		}
	return 2;
}
