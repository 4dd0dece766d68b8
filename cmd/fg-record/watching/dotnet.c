/*
 * dotnet: a message is a header of 20 bytes and a payload: its name with a NUL, its size with the
 * header, the set and the number of a command, and two zero bytes. An answer has the set 255, and
 * the number 0 if the command was carried out.
 *
 * The socket is named by the process in its own PID namespace and by its start, in clock ticks.
 */
#include "fg-record/watching/dotnet.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "access/innerid.h"
#include "base/cli.h"
#include "fg-record/asking/proc.h"

#define NAME "DOTNET_IPC_V1"
#define SET_PROCESS 4
#define SET_ANSWER 255
#define ENABLE_MAP 5
#define DISABLE_MAP 6
#define PERF_MAP 3 /* of PerfMapType: without a jitdump */
#define TRIES 100 /* requests to a runtime without a socket */

struct message {
	char name[14];
	uint16_t size;
	uint8_t set, number;
	uint16_t zero;
	uint32_t payload;
};

_Static_assert(sizeof(struct message) == 24, "no padding");

struct dotnet_request {
	struct dotnet_request *next;
	int pid;
	int fd; /* connection; -1: none */
	unsigned tries;
	enum { NOT_ASKED, WAITING, WRITES, REFUSED } state;
	struct sockaddr_un socket;
};

/*
 * The directory of temporary files of a process: TMPDIR of its environment, else /tmp, as paths
 * from its own root.
 */
static void
read_directory(int pid, char to[PATH_MAX])
{
	static const char key[] = "TMPDIR=";
	char path[64];
	size_t size = 0;
	char *variable = NULL;
	FILE *f;

	snprintf(to, PATH_MAX, "/tmp");
	snprintf(path, sizeof path, "/proc/%d/environ", pid);
	if ((f = fopen(path, "re")) == NULL)
		return;
	while (getdelim(&variable, &size, '\0', f) > 0)
		if (strncmp(variable, key, sizeof key - 1) == 0 && variable[sizeof key - 1] == '/')
			snprintf(to, PATH_MAX, "%s", variable + sizeof key - 1);
	free(variable);
	fclose(f);
}

/* True if a process writes a perf map already. */
static bool
has_map(int pid, int inside)
{
	char path[96];

	snprintf(path, sizeof path, "/proc/%d/root/tmp/perf-%d.map", pid, inside);
	return access(path, F_OK) == 0;
}

/* True if the other end of a connection is that process, of this user. */
static bool
is_own(int fd, int pid)
{
	struct ucred peer;
	socklen_t size = sizeof peer;

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == pid &&
	       peer.uid == geteuid();
}

/* Sends a command on a new connection, which it returns; -1: there is no such process. */
static int
send_command(const struct sockaddr_un *to, int pid, uint8_t number, uint32_t payload)
{
	const struct message m = {NAME,
	    number == ENABLE_MAP ? sizeof m : (uint16_t)offsetof(struct message, payload),
	    SET_PROCESS, number, 0, payload};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)to, sizeof *to) == 0 &&
	    is_own(fd, pid) && send(fd, &m, m.size, MSG_NOSIGNAL) == (ssize_t)m.size)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Asks a process; it stays NOT_ASKED while its runtime has no socket. */
static void
ask(struct dotnet_request *a)
{
	const int pid = a->pid, inside = inner_id(pid, NULL);
	char directory[PATH_MAX];
	unsigned long long start;
	int n;

	a->state = REFUSED;
	if (inside == 0 || !proc_start(pid, &start) || has_map(pid, inside))
		return;
	read_directory(pid, directory);
	a->socket.sun_family = AF_UNIX;
	n = snprintf(a->socket.sun_path, sizeof a->socket.sun_path,
	    "/proc/%d/root%s/dotnet-diagnostic-%d-%llu-socket", pid, directory, inside, start);
	if (n < 0 || (size_t)n >= sizeof a->socket.sun_path)
		return;
	a->fd = send_command(&a->socket, pid, ENABLE_MAP, PERF_MAP);
	if (a->fd >= 0)
		a->state = WAITING;
	else if (++a->tries < TRIES)
		a->state = NOT_ASKED;
}

/* Reads an answer, if there is one. */
static void
hear(struct dotnet_request *a)
{
	struct message m = {0};
	ssize_t n = recv(a->fd, &m, sizeof m, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	close(a->fd);
	a->fd = -1;
	a->state = n >= (ssize_t)offsetof(struct message, payload) &&
			   memcmp(m.name, NAME, sizeof NAME) == 0 && m.set == SET_ANSWER &&
			   m.number == 0
		       ? WRITES
		       : REFUSED;
	if (cli_verbose)
		cli_note("process %d %s", a->pid,
		    a->state == WRITES ? "writes its perf map on request"
				       : "refused to write a perf map: .NET can from 8 on");
}

/* Frees a request. */
static void
drop(struct dotnet_request *a)
{
	if (a->fd >= 0)
		close(a->fd);
	free(a);
}

/* The place of the request to a process; *place is NULL if it has none. */
static struct dotnet_request **
place_of(struct dotnet *d, int pid)
{
	struct dotnet_request **place = &d->first;

	while (*place != NULL && (*place)->pid != pid)
		place = &(*place)->next;
	return place;
}

/* Adds a request to a process that has the runtime, unless it has one. */
static void
add(struct dotnet *d, int pid)
{
	struct dotnet_request **place = place_of(d, pid);

	if (*place != NULL)
		return;
	*place = cli_alloc(1, sizeof **place);
	**place = (struct dotnet_request){.pid = pid, .fd = -1};
}

/* Forgets the request to a process. */
static void
forget(struct dotnet *d, int pid)
{
	struct dotnet_request **place = place_of(d, pid), *a = *place;

	if (a == NULL)
		return;
	*place = a->next;
	drop(a);
}

static bool
is_runtime(const char *name)
{
	return strcmp(name, "libcoreclr.so") == 0;
}

void
dotnet_begin(struct dotnet *d, struct processes *ps)
{
	for (struct process *p = NULL; (p = processes_next(ps, p)) != NULL;)
		for (struct process_map *m = maps_from(&p->maps, 0); m != NULL;
		     m = maps_from(&p->maps, m->end))
			if (is_runtime(m->module->name)) {
				add(d, p->pid);
				break;
			}
}

void
dotnet_see(struct dotnet *d, const struct perfevent *e)
{
	switch (e->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (is_runtime(str_base(str_of(e->mmap.path)).s))
			add(d, (int)e->pid);
		break;
	case PERF_RECORD_COMM:
		if (e->misc & PERF_RECORD_MISC_COMM_EXEC)
			forget(d, (int)e->pid);
		break;
	case PERF_RECORD_EXIT:
		if (e->pid == e->tid)
			forget(d, (int)e->pid);
		break;
	}
}

void
dotnet_step(struct dotnet *d)
{
	for (struct dotnet_request *a = d->first; a != NULL; a = a->next)
		if (a->state == WAITING)
			hear(a);
		else if (a->state == NOT_ASKED)
			ask(a);
}

void
dotnet_end(struct dotnet *d)
{
	while (d->first != NULL) {
		struct dotnet_request *a = d->first;
		int fd = a->state != WRITES ? -1 : send_command(&a->socket, a->pid, DISABLE_MAP, 0);

		if (fd >= 0)
			close(fd);
		d->first = a->next;
		drop(a);
	}
}
