/*
 * opener: makes requests to a process that opens files for this one, for t/opener.t. Prints one
 * line for each check: "ok" or "not ok", and its name.
 *
 *	opener PERF_MAP TEXT CORE LINK
 *
 * PERF_MAP is a file with the name of a perf map, TEXT another file, CORE a core dump, and LINK a
 * symbolic link to TEXT with the name of a perf map; all are private to this user.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "access/opener.h"
#include "access/openserver.h"
#include "fg-record/asking/request.h"

static char secret[8] = "before";

static void
check(const char *name, bool ok)
{
	printf("%s %s\n", ok ? "ok" : "not ok", name);
}

/* The program's own request: opens /dev/zero, continues a process, or fails with that number. */
static int
own(void *arg, const struct openlink_message *m, int passed, int *reply)
{
	(void)arg;
	(void)passed;
	if (m->id == 0)
		*reply = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	return m->id < 0 ? kill(-m->id, SIGCONT) : m->id;
}

/* The process that no request is granted for. */
static pid_t stranger;

static bool
covers(void *arg, int id)
{
	(void)arg;
	return id != stranger;
}

static void
close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

static void
check_files(const char *map, const char *text, const char *core, const char *link)
{
	char path[64];
	int fd;

	fd = opener_file(AT_FDCWD, "/proc/self/exe", true);
	check("a program", fd >= 0);
	close_if_open(fd);
	snprintf(path, sizeof path, "/proc/%d/exe", getppid());
	fd = opener_file(AT_FDCWD, path, true);
	check("the program of another process", fd >= 0);
	close_if_open(fd);
	fd = opener_file(AT_FDCWD, map, false);
	check("a perf map", fd >= 0);
	check("a perf map is not opened for writing",
	    fd >= 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY);
	close_if_open(fd);
	fd = opener_file(AT_FDCWD, text, true);
	check("a file that is not a perf map is not opened", fd < 0 && errno == EACCES);
	fd = opener_file(AT_FDCWD, core, true);
	check("a core dump is not opened", fd < 0 && errno == EACCES);
	fd = opener_file(AT_FDCWD, link, true);
	check("a link with the name of a perf map is not followed", fd < 0 && errno == EACCES);
	fd = opener_file(AT_FDCWD, "/proc/self/fd/9999/x", true);
	check("no file below a closed descriptor", fd < 0);
}

/* A descriptor by the opener, for one of O_PATH, which stands for a file that a recording names. */
static int
by_descriptor(const char *path)
{
	return opener_file_of(open(path, O_PATH | O_CLOEXEC));
}

/* The opener of a filter, whose sandbox lets it read no file; in a process of its own. */
static void
check_filter(const char *map, const char *text, const char *core)
{
	struct sandbox s = {0};
	int fd;

	check("a filter's opener starts", openserver_start());
	sandbox_enter(&s);
	check("a filter cannot open a program itself", open("/proc/self/exe", O_RDONLY) < 0);
	fd = opener_file(AT_FDCWD, "/proc/self/exe", true);
	check("a program, by a filter's opener", fd >= 0);
	close_if_open(fd);
	fd = by_descriptor("/proc/self/exe");
	check("a program by its descriptor", fd >= 0);
	close_if_open(fd);
	check("no text by its descriptor", by_descriptor(text) < 0 && errno == EACCES);
	check("no core dump by its descriptor", by_descriptor(core) < 0 && errno == EACCES);
	check("no perf map by its descriptor", by_descriptor(map) < 0 && errno == EACCES);
	fd = opener_file(AT_FDCWD, map, false);
	check("a perf map, by a filter's opener", fd >= 0);
	close_if_open(fd);
	check("no text, by a filter's opener",
	    opener_file(AT_FDCWD, text, true) < 0 && errno == EACCES);
	fd = opener_text(0, OPENER_KALLSYMS);
	check("the kernel's symbols, by a filter's opener", fd >= 0);
	close_if_open(fd);
	check("no maps of a process", opener_text(getpid(), OPENER_MAPS) < 0 && errno == EACCES);
	check(
	    "no directory of a process", opener_directory(getpid(), "", 0) < 0 && errno == EACCES);
	check("a filter's opener ends", (openserver_end(), waitpid(-1, NULL, 0) < 0));
	check("no program without it", opener_file(AT_FDCWD, "/proc/self/exe", true) < 0);
}

static void
check_process(pid_t child)
{
	char bytes[sizeof secret], line[256] = "";
	struct iovec here = {bytes, 6}, there = {secret, 6};
	struct openlink_message m = {.kind = OPENLINK_DIRECTORY, .id = child};
	FILE *f;
	int fd;

	check("memory",
	    opener_memory(child, &here, &there, 1) == 6 && memcmp(bytes, "child", 6) == 0);
	there.iov_base = (void *)(uintptr_t)4096;
	check("unmapped memory", opener_memory(child, &here, &there, 1) == -1);
	f = opener_stream(child, OPENER_MAPS);
	check(
	    "maps", f != NULL && fgets(line, sizeof line, f) != NULL && strchr(line, '-') != NULL);
	if (f != NULL)
		fclose(f);
	f = opener_stream(child, OPENER_SYSCALL);
	check("the system call, whose text the kernel shows only to the opener",
	    f != NULL && fgets(line, sizeof line, f) != NULL && strstr(line, " 0x") != NULL);
	if (f != NULL)
		fclose(f);
	fd = opener_directory(child, "", 0);
	check("the root directory", fd >= 0 && (fcntl(fd, F_GETFL) & O_PATH) != 0);
	close_if_open(fd);
	openlink_put_text(&m, "/etc");
	check("a directory that is not a root is not opened",
	    !opener_ask(&m, -1, &fd) && errno == EACCES && fd < 0);
	m.kind = OPENLINK_TEXT;
	m.flag = 99;
	check("a text other than those of /proc is not read",
	    !opener_ask(&m, -1, &fd) && errno == EINVAL);
	m.kind = OPENLINK_OWN;
	m.id = ENOSPC;
	check("an error of an own request", !opener_ask(&m, -1, &fd) && errno == ENOSPC && fd < 0);
	m.id = 0;
	check("the descriptor of an own request", opener_ask(&m, -1, &fd) && fd >= 0);
	close_if_open(fd);
}

static void
check_stranger(void)
{
	struct perf_event_attr a = {
	    .type = PERF_TYPE_SOFTWARE, .size = sizeof a, .config = PERF_COUNT_SW_DUMMY};
	char byte;
	struct iovec here = {&byte, 1}, there = {secret, 1};

	check("a stranger: no memory",
	    opener_memory(stranger, &here, &there, 1) == -1 && errno == EACCES);
	check("a stranger: no text of /proc",
	    opener_text(stranger, OPENER_MAPS) < 0 && errno == EACCES);
	check("a stranger: no directory", opener_directory(stranger, "", 0) < 0 && errno == EACCES);
	check("a stranger: no event", opener_event(&a, stranger, -1) < 0 && errno == EACCES);
}

/* The number of open descriptors. */
static int
count_open(void)
{
	int n = 0;

	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* A malformed message with two descriptors, perhaps of an attacker. */
static void
check_two_descriptors(void)
{
	struct openlink_message m = {.kind = OPENLINK_OWN}, got;
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = {0};
	struct iovec iov = {&m, offsetof(struct openlink_message, bytes)};
	struct msghdr h = {.msg_iov = &iov,
	    .msg_iovlen = 1,
	    .msg_control = control.bytes,
	    .msg_controllen = sizeof control.bytes};
	const int two[2] = {0, 1};
	int ends[2], fd, before;
	bool is_message;

	if (!openlink_pair(ends))
		exit(2);
	h.msg_control = control.bytes;
	control.align = (struct cmsghdr){
	    .cmsg_len = CMSG_LEN(sizeof two), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(&control.align), two, sizeof two);
	before = count_open();
	is_message = sendmsg(ends[0], &h, 0) < 0 || openlink_receive(ends[1], &got, &fd);
	check("two descriptors are no message", !is_message && fd < 0);
	check("two descriptors of a message are closed", count_open() == before);
	close(ends[0]);
	close(ends[1]);
}

/* A message whose descriptor does not fit below the limit of this process. */
static void
check_no_descriptor_left(void)
{
	struct openlink_message m = {.kind = OPENLINK_OWN}, got;
	struct rlimit before, none;
	int ends[2], fd;
	bool is_message;

	if (!openlink_pair(ends) || getrlimit(RLIMIT_NOFILE, &before) != 0)
		exit(2);
	none = before;
	none.rlim_cur = 0;
	openlink_send(ends[0], &m, 0);
	setrlimit(RLIMIT_NOFILE, &none);
	is_message = openlink_receive(ends[1], &got, &fd);
	setrlimit(RLIMIT_NOFILE, &before);
	check("without a descriptor left, the message has the error",
	    is_message && fd < 0 && got.error == EMFILE);
	openlink_send(ends[0], &m, 0);
	check("the request after one without a descriptor has its descriptor",
	    openlink_receive(ends[1], &got, &fd) && fd >= 0 && got.error == 0);
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

static void
check_scope(pid_t child)
{
	struct request_scope s = {0}, others = {0}, all = {.all = true};
	struct standing like = standing_of(0), none = {0};

	ids_add(&s.pids, getpid());
	s.standing = &none; /* of a process that has ended since */
	check("a recording covers a child", request_covers(&s, child));
	check("a recording does not cover its parent", !request_covers(&s, getppid()));
	check("a recording does not cover a process that does not exist",
	    !request_covers(&s, INT_MAX));
	ids_add(&others.pids, getpid());
	others.pids.id[0] = INT_MAX;
	others.standing = &like;
	check("a recording covers a process with the rights of a listed one",
	    request_covers(&others, child));
	like.namespace[STANDING_MOUNT]++;
	check("a recording does not cover the same user in another mount namespace",
	    !request_covers(&others, child));
	like = standing_of(0);
	like.user[0]++;
	check("a recording does not cover another user", !request_covers(&others, child));
	check("a recording with -a covers all processes", request_covers(&all, getppid()));
	s = (struct request_scope){0};
	request_cover(&s, child);
	request_cover(&s, child);
	check("a listed process and its rights", s.pids.n == 1 && s.pids.id[0] == child &&
						     s.standing[0].known &&
						     s.standing[0].user[0] == getuid());
}

static bool
are_equal(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Replaces a start of an interval that is not between the last one and the present time. */
static void
check_begin(void)
{
	struct timespec last = {1000, 0}, begin = {1000, 2000000}, now;

	request_begin(&begin, &last);
	check("the start of an interval", are_equal(begin, (struct timespec){1000, 2000000}));
	check("the start of an interval is stored", are_equal(begin, last));
	clock_gettime(CLOCK_REALTIME, &now);
	request_begin(&begin, &last);
	check("the start of an interval is not taken twice", begin.tv_sec >= now.tv_sec);
	begin = last = (struct timespec){1000, 2000000};
	begin.tv_sec = 999;
	request_begin(&begin, &last);
	check("an earlier start of an interval is refused", begin.tv_sec >= now.tv_sec);
	last = (struct timespec){1000, 0};
	begin = (struct timespec){1000, 1000000000};
	request_begin(&begin, &last);
	check("a start with impossible nanoseconds is refused", begin.tv_sec >= now.tv_sec);
	last = (struct timespec){1000, 0};
	begin = (struct timespec){INT64_MAX, 0};
	request_begin(&begin, &last);
	check("a start in a year that gmtime(3) does not have is refused",
	    begin.tv_sec >= now.tv_sec && begin.tv_sec < INT32_MAX);
}

static void
check_kill(pid_t child)
{
	int status = 0;

	check("a signal to a process of another parent is refused",
	    request_kill(getppid(), child, SIGKILL) == ESRCH &&
		waitpid(child, &status, WNOHANG) == 0);
	check("a signal to a child", request_kill(getpid(), child, 0) == 0);
}

/* The kernel would permit them; the opener refuses them first. */
static void
check_events(void)
{
	struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
	    .size = sizeof a,
	    .config = PERF_COUNT_SW_DUMMY,
	    .remove_on_exec = 1,
	    .sigtrap = 1};

	check("an event that signals its process is refused",
	    opener_event(&a, 0, -1) < 0 && errno == EACCES);
	a = (struct perf_event_attr){.type = PERF_TYPE_RAW + 1, .size = sizeof a};
	check("a breakpoint or probe is refused", opener_event(&a, 0, -1) < 0 && errno == EACCES);
}

/* A child process has a link of its own, which works while the parent's is in use. */
static bool
child_can_ask(void)
{
	int end = opener_link(), status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		int fd;

		opener_through(end);
		fd = opener_file(AT_FDCWD, "/proc/self/exe", true);
		_exit(fd >= 0 && opener_event(&(struct perf_event_attr){.size = 1}, 0, -1) < 0 ? 0
											       : 1);
	}
	close(end);
	waitpid(pid, &status, 0);
	return status == 0;
}

/* Forks the server; returns its pid, and through the link from now on. */
static pid_t
start(void)
{
	int ends[2];
	pid_t pid;

	if (!openlink_pair(ends) || (pid = fork()) < 0)
		exit(2);
	if (pid == 0) {
		opener_through(-1);
		close(ends[1]);
		openserver_run(ends[0], covers, own, NULL);
		exit(0);
	}
	close(ends[0]);
	opener_through(ends[1]);
	return pid;
}

int
main(int argc, char **argv)
{
	int status = -1;
	struct sandbox s = {0};
	pid_t child, server;

	if (argc != 5)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	child = fork();
	if (child == 0) {
		memcpy(secret, "child", 6);
		raise(SIGSTOP);
		_exit(0);
	}
	waitpid(child, NULL, WUNTRACED);
	stranger = getppid();
	if ((server = fork()) == 0) {
		check_filter(argv[1], argv[2], argv[3]);
		_exit(0);
	}
	check("the checks of a filter ran to their end",
	    waitpid(server, &status, 0) == server && status == 0);
	check_two_descriptors();
	check_no_descriptor_left();
	check_scope(child);
	check_begin();
	check_kill(child);
	server = start();
	sandbox_add(&s, SANDBOX_RECORDER, NULL);
	sandbox_add(&s, SANDBOX_READ_BELOW, "/proc");
	sandbox_enter(&s);
	check_files(argv[1], argv[2], argv[3], argv[4]);
	check_events();
	check_process(child);
	check_stranger();
	check("a link for a child process", child_can_ask());
	check("a signal by the opener",
	    opener_ask(&(struct openlink_message){.kind = OPENLINK_OWN, .id = -child}, -1, NULL) &&
		waitpid(child, &status, 0) == child && status == 0);
	opener_through(-1);
	check("the opener ends with the last link",
	    waitpid(server, &status, 0) == server && status == 0);
	return 0;
}
