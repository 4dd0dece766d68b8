/*
 * ringreader: the thread waits until a ring is a quarter full or the consumer requests a pass. Only
 * the thread copies, without a lock: the consumer may be off the CPU for long at any moment.
 * The requests are in memory, and the descriptors only wake: without one that fails, the other
 * side learns of a request or of copied records when its poll(2) times out.
 */
#include "fg-record/watching/ringreader.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cli.h"
#include "access/opener.h"
#include "fg-record/record.h"
#include "fg-record/asking/request.h"

/* bytes of memory for each ring, at most; or two rings, if they are larger */
#define AHEAD ((size_t)64 * 1024 * 1024)
#define AHEAD_TOTAL ((size_t)512 * 1024 * 1024)
#define LOOKS 100 /* ms between passes over rings that are not a quarter full */
#define LOOKS_OFTEN 5 /* the same once a descriptor reports nothing: its thread has ended */
#define TURN 100000 /* minimum, ns */
#define MS UINT64_C(1000000)
#define PASSES 64 /* requested passes between two releases of memory: some seconds */
#define HUGE ((size_t)2 << 20) /* bytes of a transparent huge page */

/* Use of a ring's memory. */
struct use {
	size_t most; /* bytes from its start that were used, since `passes` was 0 */
	size_t touched; /* bytes from its start that may have pages */
	unsigned passes; /* number of requested passes */
};

struct ring_reader {
	struct rings *rings;
	pthread_t thread;
	bool crowded; /* the memory of a ring is three quarters full */
	ring_looked *looked;
	void *arg; /* argument of looked */
	uint64_t requested; /* number of passes that the consumer requested; atomic */
	bool stop; /* the thread ends; atomic */
	int copied; /* eventfd(2): wakes the consumer */
	int wake; /* eventfd(2): wakes the thread */
	struct pollfd *fds; /* of the thread: the rings and wake */
	struct use *use; /* by ring */
	sem_t done; /* posted after a requested pass */
	bool ended; /* the thread has ended: the consumer copies the records */
};

static uint64_t
min3(uint64_t a, uint64_t b, uint64_t c)
{
	a = a < b ? a : b;
	return a < c ? a : c;
}

/* Copies the records of a ring; returns how many bytes it had. */
static uint64_t
copy(struct rings *rs, struct ring *r)
{
	const uint64_t head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	const uint64_t tail = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
	const uint64_t fill = head - r->copied;
	uint64_t position = r->copied;

	__atomic_store_n(&r->full, fill > r->size - (r->copied - tail), __ATOMIC_RELAXED);
	if (r->full)
		return fill;
	if (tail == r->copied) /* empty: use the same memory again, which is mapped and cached */
		r->base = r->copied;
	while (position < head) {
		const size_t from = position & (rs->size - 1);
		const size_t to = (position - r->base) & (r->size - 1);
		const size_t n = min3(head - position, rs->size - from, r->size - to);

		memcpy(r->data + to, r->kernel + from, n);
		position += n;
	}
	__atomic_store_n(&r->page->data_tail, head, __ATOMIC_RELEASE);
	__atomic_store_n(&r->copied, head, __ATOMIC_RELEASE);
	return fill;
}

/* Copies the records of all rings; returns the bytes in the fullest one. */
static uint64_t
copy_all(struct ring_reader *d)
{
	uint64_t most = 0;

	d->crowded = false;
	for (size_t i = 0; i < d->rings->n; i++) {
		struct ring *r = &d->rings->ring[i];
		const uint64_t n = copy(d->rings, r);
		const uint64_t used = r->copied - r->base;

		most = n > most ? n : most;
		d->crowded |=
		    r->copied - __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE) > r->size / 4 * 3;
		if (used > d->use[i].most)
			d->use[i].most = used < r->size ? used : r->size;
	}
	return most;
}

/*
 * Moves the unread records of a ring to the start of its memory, which stays in the CPU's cache.
 * Frees the pages that were not used for PASSES requested passes. The consumer waits for it.
 */
static void
compact(struct ring *r, struct use *u)
{
	const size_t from = (r->tail - r->base) & (r->size - 1), n = r->copied - r->tail;
	size_t needed;

	if (n <= from && n <= r->size - from) {
		memcpy(r->data, r->data + from, n);
		r->base = r->tail;
		r->size_of_next = 0; /* its record has moved */
	}
	if (++u->passes < PASSES)
		return;
	u->touched = u->most > u->touched ? u->most : u->touched;
	needed = (u->most + HUGE - 1) / HUGE * HUGE;
	if (u->touched > needed) {
		madvise(r->data + needed, r->size - needed, MADV_DONTNEED);
		u->touched = needed;
	}
	*u = (struct use){.touched = u->touched};
}

/* struct sched_attr, which not all C libraries have. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

bool
ring_reader_first(int tid)
{
	const struct attributes first = {.size = sizeof first, .policy = SCHED_FIFO, .priority = 1};

	return syscall(SYS_sched_setattr, tid, &first, 0) == 0;
}

bool
ring_reader_may_be_first(void)
{
	struct attributes now;

	if (syscall(SYS_sched_getattr, 0, &now, sizeof now, 0) != 0 || now.policy != SCHED_OTHER)
		return true;
	return ring_reader_first(0) && syscall(SYS_sched_setattr, 0, &now, 0) == 0;
}

/* Gives this thread real-time priority, or requests it. */
static bool
run_first(void)
{
	const int tid = (int)syscall(SYS_gettid);

	return opener_is_linked()
		   ? opener_ask(
			 &(struct openlink_message){.kind = RIGHTS_FIRST, .id = tid}, -1, NULL)
		   : ring_reader_first(tid);
}

/*
 * Gets a CPU soon after it is woken: by real-time priority, like perf record -r, where that is
 * allowed. Nice values do not count against other sessions or control groups. Else by short turns
 * (Linux 6.12), which need no rights and give no more CPU time.
 */
static void
wake_early(void)
{
	const struct attributes turns = {
	    .size = sizeof turns, .nice = getpriority(PRIO_PROCESS, 0), .runtime = TURN};

	/* Not sched_getscheduler(3), which musl refuses. Another policy is the user's choice. */
	if (syscall(SYS_sched_getscheduler, 0) == SCHED_OTHER && !run_first())
		syscall(SYS_sched_setattr, 0, &turns, 0);
}

static void *
read_rings(void *arg)
{
	struct ring_reader *d = arg;
	const size_t n = d->rings->n;
	struct pollfd *fds = d->fds;
	int looks = LOOKS;
	uint64_t done = 0; /* number of requested passes */

	wake_early();
	memcpy(fds, d->rings->poll, n * sizeof *fds);
	fds[n] = (struct pollfd){.fd = d->wake, .events = POLLIN};
	for (;;) {
		const uint64_t due = record_now() + (uint64_t)looks * MS;
		const int ready = poll(fds, n + 1, looks);
		const uint64_t now = record_now();
		uint64_t fill;
		eventfd_t woken;
		bool requested;

		for (size_t i = 0; i < n && ready > 0; i++)
			if ((fds[i].revents & (POLLHUP | POLLERR)) != 0) {
				fds[i].fd = -1; /* although other threads may still write to it */
				looks = LOOKS_OFTEN;
			}
		if (ready > 0 && fds[n].revents != 0)
			eventfd_read(d->wake, &woken); /* before the requests are read */
		if (__atomic_load_n(&d->stop, __ATOMIC_ACQUIRE))
			break;
		requested = __atomic_load_n(&d->requested, __ATOMIC_ACQUIRE) != done;
		fill = copy_all(d);
		for (size_t i = 0; i < n && requested; i++)
			compact(&d->rings->ring[i], &d->use[i]);
		done += requested; /* one at a time: the consumer waits for it */
		if (requested)
			sem_post(&d->done);
		else if (fill >= d->rings->size / 4)
			eventfd_write(d->copied, 1);
		/* If poll timed out late, other programs used the CPU. */
		d->looked(d->arg, d->crowded ? d->rings->size : fill,
		    ready == 0 && now > due ? now - due : 0);
	}
	return NULL;
}

void
ring_reader_copy(struct rings *rs)
{
	struct ring_reader *d = rs->reader;

	if (d != NULL && d->ended)
		copy_all(d);
	if (d == NULL || d->ended)
		return;
	__atomic_add_fetch(&d->requested, 1, __ATOMIC_RELEASE);
	eventfd_write(d->wake, 1);
	while (sem_wait(&d->done) != 0 && errno == EINTR)
		continue;
}

int
ring_reader_fd(const struct rings *rs)
{
	return rs->reader != NULL ? rs->reader->copied : -1;
}

/* Frees the memory of the first n rings, which are read in place again. */
static void
free_memory(struct rings *rs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct ring *r = &rs->ring[i];

		munmap(r->data, r->size);
		r->data = (unsigned char *)(uintptr_t)r->kernel;
		r->size = rs->size;
		r->base = 0;
	}
}

/* Bytes of memory for all rings, at most; an eighth of what `ulimit -v` allows. */
static size_t
most_memory(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur / 8 > AHEAD_TOTAL)
		return AHEAD_TOTAL;
	return (size_t)limit.rlim_cur / 8;
}

/* Memory for each ring; false if there is none. It is not shared with processes forked later. */
static bool
get_memory(struct rings *rs)
{
	const size_t most = most_memory() / rs->n;
	size_t size = 2 * rs->size > AHEAD ? 2 * rs->size : AHEAD;

	while (size > most)
		size /= 2;
	if (size < 2 * rs->size)
		return false;
	for (size_t i = 0; i < rs->n; i++) {
		struct ring *r = &rs->ring[i];
		void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		if (memory == MAP_FAILED) {
			free_memory(rs, i);
			return false;
		}
		madvise(memory, size, MADV_DONTFORK);
		madvise(memory, size, MADV_HUGEPAGE); /* 4 KiB faults take as long as copying */
		r->data = memory;
		r->size = size;
		r->base = r->copied = r->tail;
		r->size_of_next = 0; /* its record is in the ring */
	}
	return true;
}

static void
free_reader(struct ring_reader *d)
{
	const int fds[] = {d->copied, d->wake};

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	sem_destroy(&d->done);
	free(d->fds);
	free(d->use);
	free(d);
}

void
ring_read_ahead(struct rings *rs, ring_looked *looked, void *arg)
{
	struct ring_reader *d = cli_alloc(1, sizeof *d);

	d->rings = rs;
	d->looked = looked;
	d->arg = arg;
	d->fds = cli_alloc(rs->n + 1, sizeof *d->fds);
	d->use = cli_alloc(rs->n, sizeof *d->use);
	sem_init(&d->done, 0, 0);
	d->copied = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	d->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (d->copied < 0 || d->wake < 0 || !get_memory(rs)) {
		free_reader(d);
		return;
	}
	rs->reader = d;
	if (pthread_create(&d->thread, NULL, read_rings, d) == 0)
		return;
	free_memory(rs, rs->n);
	free_reader(d);
	rs->reader = NULL;
}

void
ring_end_reader(struct rings *rs)
{
	struct ring_reader *d = rs->reader;

	if (d == NULL || d->ended)
		return;
	__atomic_store_n(&d->stop, true, __ATOMIC_RELEASE);
	eventfd_write(d->wake, 1);
	pthread_join(d->thread, NULL);
	d->ended = true;
}

void
ring_reader_free(struct rings *rs)
{
	if (rs->reader == NULL)
		return;
	ring_end_reader(rs);
	free_memory(rs, rs->n);
	free_reader(rs->reader);
	rs->reader = NULL;
}
