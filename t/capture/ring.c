/*
 * ring: perf events, their rings, and waiting. fg-record sees a copy of each ring, to which records
 * are added only after a wait, a stop of a thread or the disabling of an event, so that a replay
 * adds the same ones at the same point.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/cli.h"
#include "capture.h"

#define RINGS 4096
#define OVER 1000 /* waits after the last one */
#define PAGE ((size_t)4096)
#define COMM_TEXT 16 /* offset in a record, of the name of a thread */
#define MMAP2_TEXT 72 /* of the path of a file */

struct ring {
	char name[232];
	struct perf_event_mmap_page *kernel; /* NULL in a replay */
	struct perf_event_mmap_page *seen; /* by fg-record; NULL: unmapped */
	size_t size; /* of records */
	uint64_t order; /* replay: answers before it were added */
};

static struct ring rings[RINGS];
static size_t nring;

int
ring_event(const struct perf_event_attr *a, pid_t pid, int cpu, int group, unsigned long flags)
{
	static struct { /* number of events with the same key */
		char key[160];
		unsigned n;
	} count[4096];
	char key[160], name[200];
	size_t i = 0;
	int fd;

	snprintf(key, sizeof key, "event %u.%llx %llx stack %u pid %d cpu %d", a->type,
	    (unsigned long long)a->config, (unsigned long long)a->sample_type, a->sample_stack_user,
	    pid, cpu);
	if (capture_mode == CAPTURE_REPLAY) {
		fd = (int)recall(key, NULL, 0, ENOENT);
		if (fd < 0)
			return -1;
	} else {
		fd = (int)keep(key, SYS(perf_event_open, a, pid, cpu, group, flags), NULL, 0);
	}
	if (fd < 0)
		return fd;
	while (count[i].n > 0 && strcmp(count[i].key, key) != 0)
		if (++i == 4096)
			capture_die("too many events");
	strcpy(count[i].key, key);
	snprintf(name, sizeof name, "%s #%u", key, count[i].n++);
	if (capture_mode == CAPTURE_RECORD)
		return object_new(fd, OBJECT_EVENT, 0, name);
	object_new(i = (size_t)object_token(), OBJECT_EVENT, 0, name);
	object_of((int)i)->number = fd;
	return (int)i;
}

void *
ring_map(int fd, const struct object *o, size_t size)
{
	struct ring *r = &rings[nring];
	const char *key = key_of("mmap %s", o->name);
	void *kernel = MAP_FAILED;
	size_t again = 0;

	if (nring == RINGS)
		capture_die("too many rings");
	if (capture_mode == CAPTURE_RECORD) {
		kernel = (void *)SYS(mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		log_add(key, kernel == MAP_FAILED ? -1 : 0, NULL, 0);
	}
	if (capture_mode == CAPTURE_RECORD ? kernel == MAP_FAILED
					   : recall(key, NULL, 0, EINVAL) < 0)
		return MAP_FAILED;
	memset(r, 0, sizeof *r);
	strcpy(r->name, o->name);
	r->size = size - PAGE;
	r->kernel = capture_mode == CAPTURE_RECORD ? kernel : NULL;
	r->seen = (void *)SYS(
	    mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; i < nring; i++) /* of the same event, mapped before */
		again += strcmp(rings[i].name, r->name) == 0;
	r->order = again > 0 ? archive_until() : 0;
	r->seen->data_offset = PAGE;
	r->seen->data_size = r->size;
	nring++;
	return r->seen;
}

bool
ring_unmap(void *at)
{
	for (size_t i = nring; i-- > 0;)
		if (rings[i].seen == at) {
			if (rings[i].kernel != NULL)
				SYS(munmap, rings[i].kernel, rings[i].size + PAGE);
			SYS(munmap, at, rings[i].size + PAGE);
			rings[i].seen = NULL;
			return true;
		}
	return false;
}

/* Copies n bytes out of a ring or into it. */
static void
copy(struct ring *r, struct perf_event_mmap_page *page, uint64_t at, unsigned char *bytes, size_t n,
    bool in)
{
	unsigned char *data = (unsigned char *)page + PAGE;

	for (size_t done = 0, part; done < n; done += part) {
		const size_t from = (at + done) & (r->size - 1);

		part = n - done < r->size - from ? n - done : r->size - from;
		memcpy(in ? data + from : bytes + done, in ? bytes + done : data + from, part);
	}
}

/* Bytes of complete records from `at` on, at most `space`. */
static size_t
whole_records(struct ring *r, uint64_t at, uint64_t head, size_t space)
{
	size_t n = 0;

	while (at + n < head) {
		struct perf_event_header h;

		copy(r, r->kernel, at + n, (unsigned char *)&h, sizeof h, false);
		if (h.size < sizeof h || n + h.size > space)
			break;
		n += h.size;
	}
	return n;
}

static void
add_records(struct ring *r, const unsigned char *bytes, size_t n)
{
	copy(r, r->seen, r->seen->data_head, (unsigned char *)(uintptr_t)bytes, n, true);
	__atomic_store_n(&r->seen->data_head, r->seen->data_head + n, __ATOMIC_RELEASE);
}

static size_t
space_in(const struct ring *r)
{
	return r->size - (size_t)(r->seen->data_head - r->seen->data_tail);
}

/* Overwrites a text of a record. */
static void
hide(unsigned char *record, size_t from, size_t size)
{
	for (; from < size && record[from] != '\0'; from++)
		record[from] = 'x';
}

/*
 * Hides names, paths and stacks of processes with pid 0 or -1. They are outside of the PID
 * namespace in a recording of all CPUs.
 */
static void
hide_outside(const struct ring *r, unsigned char *bytes, size_t n)
{
	unsigned long long type;
	struct perf_event_header h;
	unsigned stack;
	uint32_t pid;

	if (strstr(r->name, " pid -1 ") == NULL ||
	    sscanf(r->name, "event %*u.%*x %llx stack %u", &type, &stack) != 2)
		return;
	for (size_t at = 0; at < n; at += h.size) {
		unsigned char *record = bytes + at;
		size_t where = sizeof h;

		memcpy(&h, record, sizeof h);
		if (h.type == PERF_RECORD_SAMPLE)
			where += 8 * (size_t)((type & PERF_SAMPLE_IDENTIFIER) != 0) +
				 8 * (size_t)((type & PERF_SAMPLE_IP) != 0);
		memcpy(&pid, record + where, sizeof pid);
		if (pid != 0 && pid != UINT32_MAX)
			continue;
		if (h.type == PERF_RECORD_COMM)
			hide(record, COMM_TEXT, h.size);
		else if (h.type == PERF_RECORD_MMAP2)
			hide(record, MMAP2_TEXT, h.size);
		else if (h.type == PERF_RECORD_SAMPLE && stack > 0 && h.size > stack + 64)
			memset(record + h.size - 8 - stack, 0, stack); /* before its used size */
	}
}

static void
record_ring(struct ring *r)
{
	const uint64_t head = __atomic_load_n(&r->kernel->data_head, __ATOMIC_ACQUIRE);
	const uint64_t from = r->seen->data_head;
	const size_t n = whole_records(r, from, head, space_in(r));
	unsigned char *bytes;

	if (n > 0) {
		bytes = cli_realloc(NULL, n, 1);
		copy(r, r->kernel, from, bytes, n, false);
		hide_outside(r, bytes, n);
		add_records(r, bytes, n);
		log_add(key_of("ring %s", r->name), 0, bytes, n);
		free(bytes);
	}
	__atomic_store_n(&r->kernel->data_tail, r->seen->data_tail, __ATOMIC_RELEASE);
}

static void
replay_ring(struct ring *r)
{
	char key[300];
	const struct answer *a;
	size_t n;

	snprintf(key, sizeof key, "ring %s", r->name);
	n = archive_range(key, &a);
	for (size_t i = 0; i < n; i++) {
		if (a[i].order < r->order || strcmp(a[i].key, key) != 0)
			continue;
		if (a[i].order >= archive_until() || a[i].n > space_in(r))
			return;
		add_records(r, a[i].bytes, a[i].n);
		r->order = a[i].order + 1;
	}
}

void
ring_sync(void)
{
	for (size_t i = 0; i < nring && capture_in_main; i++)
		if (rings[i].seen != NULL)
			(capture_mode == CAPTURE_RECORD ? record_ring : replay_ring)(&rings[i]);
}

/* ---- Waiting ---- */

/* Descriptors that are ready, as text: their names and events. */
static size_t
ready(const struct pollfd *fds, nfds_t n, char *to, size_t size)
{
	size_t length = 0;

	to[0] = '\0';
	for (nfds_t i = 0; i < n; i++)
		if (fds[i].fd >= 0 && fds[i].revents != 0 && object_of(fds[i].fd) != NULL)
			length += (size_t)snprintf(to + length, size - length, "%d %s\n",
			    fds[i].revents, object_of(fds[i].fd)->name);
	if (length >= size)
		capture_die("too many descriptors are ready");
	return length;
}

static int
replay_ready(struct pollfd *fds, nfds_t n, const struct answer *a)
{
	char *text = a == NULL ? cli_alloc(1, 1) : strndup((const char *)a->bytes, a->n),
	     *rest = text;
	char *line;
	int count = 0;

	for (nfds_t i = 0; i < n; i++) {
		const struct object *o = fds[i].fd >= 0 ? object_of(fds[i].fd) : NULL;

		fds[i].revents = a == NULL && o != NULL && o->kind == OBJECT_SIGNALS ? POLLIN : 0;
	}
	while ((line = strsep(&rest, "\n")) != NULL && *line != '\0') {
		char *name;
		const short events = (short)strtol(line, &name, 10);

		for (nfds_t i = 0; i < n; i++)
			if (fds[i].fd >= 0 && object_of(fds[i].fd) != NULL &&
			    strcmp(object_of(fds[i].fd)->name, name + 1) == 0) {
				fds[i].revents = events;
				count++;
			}
	}
	free(text);
	return count;
}

/* True for a wait with a recorded end. */
static bool
is_recorded(const struct pollfd *fds, nfds_t n)
{
	if (capture_mode == CAPTURE_OFF || !capture_in_main)
		return false;
	for (nfds_t i = 0; i < n; i++)
		if (fds[i].fd >= 0 && object_of(fds[i].fd) != NULL)
			return true;
	return n == 0;
}

/* Counts a wait that has ended. */
static void
end_wait(void)
{
	capture_shared->step++;
	ring_sync();
}

/*
 * The next wait of the recording; NULL after the last one: then fg-record gets SIGTERM, and time
 * increases. A replay that does not end is an error.
 */
static const struct answer *
replay_wait(void)
{
	const struct answer *a = archive_barrier('w');

	end_wait();
	if (a != NULL)
		return a;
	if (++capture_shared->over > OVER)
		capture_die("fg-record does not end");
	memory_interrupt();
	return NULL;
}

int
ppoll(struct pollfd *fds, nfds_t n, const struct timespec *most, const sigset_t *mask)
{
	struct timespec rest = {0};
	char text[65536];
	size_t length;
	int result;

	if (most != NULL)
		rest = *most;
	if (!is_recorded(fds, n)) {
		/* How often fg-record looks for the end of a child does not depend on its speed. */
		if (capture_mode == CAPTURE_REPLAY && capture_in_main)
			most = NULL;
		return (int)SYS(ppoll, fds, n, most != NULL ? &rest : NULL, mask, _NSIG / 8);
	}
	if (capture_mode == CAPTURE_REPLAY) {
		return replay_ready(fds, n, replay_wait());
	}
	result = (int)SYS(ppoll, fds, n, most != NULL ? &rest : NULL, mask, _NSIG / 8);
	length = ready(fds, result > 0 ? n : 0, text, sizeof text);
	log_add("wait", result, text, length);
	end_wait();
	return result;
}

int
poll(struct pollfd *fds, nfds_t n, int ms)
{
	const struct timespec most = {ms / 1000, ms % 1000 * 1000000L};

	return ppoll(fds, n, ms < 0 ? NULL : &most, NULL);
}

int
usleep(useconds_t us)
{
	const struct timespec most = {us / 1000000, us % 1000000 * 1000L};

	ppoll(NULL, 0, &most, NULL);
	return 0;
}

int
sigtimedwait(
    const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict most)
{
	siginfo_t got = {0};
	const struct answer *a;
	int result;

	if (capture_mode == CAPTURE_OFF || !capture_in_main)
		return (int)SYS(rt_sigtimedwait, set, info, most, _NSIG / 8);
	if (capture_mode == CAPTURE_REPLAY) {
		a = replay_wait();
		if (a != NULL && a->result > 0 && a->n == sizeof got) {
			memcpy(info, a->bytes, sizeof got);
			return (int)a->result;
		}
		errno = EAGAIN;
		return -1;
	}
	result = (int)SYS(rt_sigtimedwait, set, &got, most, _NSIG / 8);
	log_add("wait", result, &got, result > 0 ? sizeof got : 0);
	end_wait();
	*info = got;
	return result;
}

/* ---- Control of events ---- */

int
ioctl(int fd, unsigned long request, ...)
{
	const struct object *o = object_of(fd);
	va_list args;
	void *arg;
	long result;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (capture_mode == CAPTURE_OFF || o == NULL || o->kind != OBJECT_EVENT)
		return (int)SYS(ioctl, fd, request, arg);
	if (capture_mode == CAPTURE_REPLAY) {
		if (request == PERF_EVENT_IOC_DISABLE && archive_barrier('f') != NULL)
			ring_sync();
		return (int)recall(key_of("ioctl %lx %s", request, o->name), NULL, 0, EINVAL);
	}
	result = SYS(ioctl, fd, request, arg);
	log_add(key_of("ioctl %lx %s", request, o->name), result, NULL, 0);
	if (request == PERF_EVENT_IOC_DISABLE) {
		log_add("flush", 0, NULL, 0);
		ring_sync();
	}
	return (int)result;
}

int
fcntl(int fd, int command, ...)
{
	const struct object *o = object_of(fd);
	va_list args;
	void *arg;
	int result;

	va_start(args, command);
	arg = va_arg(args, void *);
	va_end(args);
	if (capture_mode == CAPTURE_REPLAY && o != NULL && o->kind == OBJECT_EVENT &&
	    command != F_GETFD && command != F_DUPFD_CLOEXEC)
		return 0;
	result = (int)SYS(fcntl, fd, command, arg);
	if (result >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC))
		object_set(result, object_index(fd));
	return result;
}

int
signalfd(int fd, const sigset_t *set, int flags)
{
	static unsigned n;
	const int got = (int)SYS(signalfd4, fd, set, _NSIG / 8, flags);
	char name[32];

	if (capture_mode == CAPTURE_OFF)
		return got;
	snprintf(name, sizeof name, "signals #%u", n++);
	return object_new(got, OBJECT_SIGNALS, 0, name);
}
