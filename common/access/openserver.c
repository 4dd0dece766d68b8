/* openserver: one request after the other, for a few clients. */
#include "access/openserver.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "base/text.h"
#include "kernel/syscalls.h"
#include "access/opener.h"

#define CLIENTS 8

struct server {
	struct pollfd client[CLIENTS];
	nfds_t n;
	openserver_covers *covers;
	openserver_request *own;
	void *arg;
};

/* The text in the message; NULL if it has no end. */
static const char *
text_of(const struct openlink_message *m)
{
	return memchr(m->bytes, '\0', m->n) != NULL ? m->bytes : NULL;
}

static bool
is_perf_map(const char *path)
{
	const char *name = str_base(str_of(path)).s;
	const size_t prefix = strlen("perf-");

	return strncmp(name, "perf-", prefix) == 0 &&
	       strcmp(name + prefix + strspn(name + prefix, "0123456789"), ".map") == 0;
}

/*
 * True for a file of code and its names, by its first bytes. No secrets have these, but for memory
 * in ELF form: core dumps and /proc/kcore.
 */
static bool
is_code(int fd)
{
	unsigned char head[EI_NIDENT + 2]; /* with e_type, in the byte order of the file */

	if (pread(fd, head, sizeof head, 0) != sizeof head)
		return false;
	return memcmp(head, ELFMAG, SELFMAG) == 0
		   ? head[EI_NIDENT] != ET_CORE && head[EI_NIDENT + 1] != ET_CORE
		   : memcmp(head, "JiTD", 4) == 0 || memcmp(head, "DTiJ", 4) == 0;
}

static int
file(const struct openlink_message *m, int directory)
{
	const char *path = text_of(m);
	int fd;

	if (path == NULL)
		return -1;
	if (*path == '\0' && directory >= 0)
		fd = opener_file_of(fcntl(directory, F_DUPFD_CLOEXEC, 0));
	else
		fd = opener_file(directory >= 0 ? directory : AT_FDCWD, path, m->flag != 0);
	if (fd < 0 || (m->flag == 0 && is_perf_map(path)) || is_code(fd))
		return fd;
	close(fd);
	errno = EACCES;
	return -1;
}

static int
directory(const struct openlink_message *m)
{
	const char *path = text_of(m);

	if (path == NULL || (path[0] != '\0' && strcmp(path, "/tmp") != 0)) {
		errno = EACCES;
		return -1;
	}
	return opener_directory(m->id, path, m->flag & O_NOFOLLOW);
}

/* Copies a file whose text the kernel shows only to a reader with rights; closes it. */
static int
copy(int from)
{
	int to = memfd_create("text", MFD_CLOEXEC);
	char text[4096];
	ssize_t n = 0;

	while (to >= 0 && (n = read(from, text, sizeof text)) > 0)
		if (write(to, text, (size_t)n) != n)
			n = -1;
	close(from);
	if (to >= 0 && (n < 0 || lseek(to, 0, SEEK_SET) != 0)) {
		close(to);
		return -1;
	}
	return to;
}

static int
open_text(const struct openlink_message *m)
{
	int fd;

	if (m->flag < 0 || m->flag > OPENER_KALLSYMS) {
		errno = EINVAL;
		return -1;
	}
	fd = opener_text(m->id, (enum opener_text)m->flag);
	return fd >= 0 && m->flag == OPENER_SYSCALL ? copy(fd) : fd;
}

static int
memory(const struct openlink_message *m)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/%d/mem", m->id);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/*
 * Only events that count and sample: sigtrap ends the process with a signal, and the types above
 * PERF_TYPE_RAW (uprobe, kprobe) write to code and memory.
 */
static int
event(const struct openlink_message *m)
{
	struct perf_event_attr a;

	if (m->n != sizeof a) {
		errno = EINVAL;
		return -1;
	}
	memcpy(&a, m->bytes, sizeof a);
	if (a.type > PERF_TYPE_RAW || a.sigtrap) {
		errno = EACCES;
		return -1;
	}
	return opener_event(&a, m->id, m->flag);
}

static int
new_link(struct server *s)
{
	int ends[2];

	if (s->n == CLIENTS) {
		errno = EMFILE;
		return -1;
	}
	if (!openlink_pair(ends))
		return -1;
	s->client[s->n++] = (struct pollfd){.fd = ends[0], .events = POLLIN};
	return ends[1];
}

/* True if a request is for no process, or for one that may be read. */
static bool
may_have(const struct server *s, const struct openlink_message *m)
{
	switch (m->kind) {
	case OPENLINK_TEXT:
		if (m->flag == OPENER_KALLSYMS)
			return true;
		break;
	case OPENLINK_DIRECTORY:
	case OPENLINK_MEMORY:
	case OPENLINK_EVENT: break;
	default: return true;
	}
	return s->covers(s->arg, m->id);
}

/* A descriptor for a request; -1 and errno on failure. */
static int
descriptor(struct server *s, const struct openlink_message *m, int passed)
{
	errno = EACCES;
	if (!may_have(s, m))
		return -1;
	errno = EINVAL;
	switch (m->kind) {
	case OPENLINK_FILE: return file(m, passed);
	case OPENLINK_DIRECTORY: return directory(m);
	case OPENLINK_TEXT: return open_text(m);
	case OPENLINK_MEMORY: return memory(m);
	case OPENLINK_EVENT: return event(m);
	case OPENLINK_LINK: return new_link(s);
	default: return -1;
	}
}

/* Answers one request; false if the client has closed its end. */
static bool
answer(struct server *s, int client)
{
	struct openlink_message m, reply = {0};
	int passed, fd = -1;
	bool sent;

	if (!openlink_receive(client, &m, &passed))
		return false;
	if (m.error != 0)
		errno = m.error;
	else if (m.kind >= OPENLINK_OWN)
		reply.error = s->own(s->arg, &m, passed, &fd);
	else
		fd = descriptor(s, &m, passed);
	if (m.error != 0 || (fd < 0 && m.kind < OPENLINK_OWN))
		reply.error = errno != 0 ? errno : ENOENT;
	sent = openlink_send(client, &reply, fd);
	if (fd >= 0)
		close(fd);
	if (passed >= 0)
		close(passed);
	return sent;
}

void
openserver_run(int end, openserver_covers *covers, openserver_request *own, void *arg)
{
	struct server s = {.client = {{.fd = end, .events = POLLIN}},
	    .n = 1,
	    .covers = covers,
	    .own = own,
	    .arg = arg};

	while (s.n > 0) {
		const nfds_t n = s.n;

		if (poll(s.client, n, -1) < 0 && errno != EINTR)
			return;
		for (nfds_t i = n; i-- > 0;)
			if (s.client[i].revents != 0 && !answer(&s, s.client[i].fd)) {
				close(s.client[i].fd);
				s.client[i] = s.client[--s.n];
			}
	}
}

void
openserver_keep(const int *kept, size_t n)
{
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int last = STDERR_FILENO;

	for (size_t i = 0; i < n; i++)
		last = kept[i] > last ? kept[i] : last;
	for (int fd = 0; fd <= last; fd++) {
		bool keep = fd == STDERR_FILENO;

		for (size_t i = 0; i < n; i++)
			keep |= kept[i] == fd;
		if (!keep && fd > STDERR_FILENO)
			close(fd);
		else if (!keep && null >= 0)
			dup2(null, fd);
	}
	syscall(SYS_close_range, last + 1, ~0U, 0);
}

/* An openserver_covers: no process. */
static bool
covers_none(void *arg, int id)
{
	(void)arg, (void)id;
	return false;
}

/* An openserver_request: there are none. */
static int
no_request(void *arg, const struct openlink_message *m, int passed, int *reply)
{
	(void)arg, (void)m, (void)passed, (void)reply;
	return EINVAL;
}

static pid_t server; /* 0: none */

bool
openserver_start(void)
{
	/* A filter completes its output after an interrupt, and needs files until then. */
	static const int ignored[] = {SIGINT, SIGHUP, SIGTERM, SIGQUIT};
	struct pollfd first = {.events = POLLIN};
	struct sandbox files = {0};
	int ends[2];

	if (!openlink_pair(ends))
		return false;
	server = fork();
	if (server == 0) {
		for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
			signal(ignored[i], SIG_IGN);
		prctl(PR_SET_NAME, "fg-opener");
		openserver_keep(ends, 1);
		first.fd = ends[0];
		/* Most inputs name no programs; the end comes without a request. */
		while (poll(&first, 1, -1) < 0 && errno == EINTR)
			continue;
		if (first.revents & POLLHUP)
			_exit(0);
		sandbox_add(&files, SANDBOX_READ_BELOW, "/");
		sandbox_enter(&files);
		openserver_run(ends[0], covers_none, no_request, NULL);
		_exit(0);
	}
	close(ends[0]);
	if (server > 0) {
		opener_through(ends[1]);
		return true;
	}
	close(ends[1]);
	server = 0;
	return false;
}

void
openserver_end(void)
{
	opener_through(-1);
	while (server > 0 && waitpid(server, NULL, 0) < 0 && errno == EINTR)
		continue;
	server = 0;
}
