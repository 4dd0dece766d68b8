/*
 * ringreader: the thread waits until a ring is a quarter full, and wakes the consumer. It copies
 * the records only if the consumer is late by some milliseconds or by more than a third of a ring.
 * Without a lock: the consumer may be off the CPU for long at any moment.
 */
#include "fg-record/watching/ringreader.h"

#include <pthread.h>
#include <sched.h>
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
/*
 * Milliseconds between passes over rings that are not a quarter full; and while the consumer is
 * late, or once a thread has ended, whose descriptor reports nothing.
 */
#define LOOKS 100
#define LOOKS_OFTEN 5
#define TURN 100000 /* minimum, ns */
#define MS UINT64_C(1000000)
#define PASSES 16 /* passes without use of a ring's memory after which most of it is freed */
#define HUGE ((size_t)2 << 20) /* bytes of a transparent huge page */

/* State of a ring at the last pass. */
struct seen {
	uint64_t head; /* position: end of the kernel's records at the last pass */
	bool late; /* a quarter was unread at the last pass, from position `copied` on */
	uint64_t copied;
	size_t touched; /* bytes from the start of its memory that have pages */
	unsigned passes; /* since the memory was used */
};

struct ring_reader {
	struct rings *rings;
	pthread_t thread;
	bool crowded; /* the memory of a ring is three quarters full */
	ring_looked *looked;
	void *arg; /* argument of looked */
	bool stop; /* the thread ends; atomic */
	int fills; /* eventfd(2): wakes the consumer */
	int wake; /* eventfd(2): wakes the thread to end */
	struct pollfd *fds; /* of the thread: the rings and wake */
	struct seen *seen; /* by ring */
	bool ended; /* the thread has ended */
};

static uint64_t
min3(uint64_t a, uint64_t b, uint64_t c)
{
	a = a < b ? a : b;
	return a < c ? a : c;
}

void
ring_reader_release(struct ring *r, uint64_t position)
{
	uint64_t tail = __atomic_load_n(&r->page->data_tail, __ATOMIC_RELAXED);

	while (tail < position && !__atomic_compare_exchange_n(&r->page->data_tail, &tail, position,
				      true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		continue;
}

/* Copies the unread records of the kernel into memory, if it has space for all. */
static void
copy(struct rings *rs, struct ring *r, struct seen *s)
{
	/* The tail is at or before `copied`, whatever the consumer does between the two. */
	const uint64_t tail = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
	uint64_t copied = __atomic_load_n(&r->copied, __ATOMIC_ACQUIRE);

	if (s->head - copied > r->size - (copied - tail))
		return;
	if (tail == copied) /* empty: use the same memory again, which is mapped and cached */
		r->base = copied;
	for (uint64_t position = copied; position < s->head;) {
		const size_t from = position & (rs->size - 1);
		const size_t to = (position - r->base) & (r->size - 1);
		const size_t n = min3(s->head - position, rs->size - from, r->size - to);

		memcpy(r->data + to, r->kernel + from, n);
		position += n;
		s->touched = to + n > s->touched ? to + n : s->touched;
	}
	s->passes = 0;
	/* If the consumer has taken some of them itself, the others count. */
	while (copied < s->head && !__atomic_compare_exchange_n(&r->copied, &copied, s->head, false,
				       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		continue;
	ring_reader_release(r, s->head);
}

/* Frees most pages of the memory, if it is empty and has not been used for PASSES passes. */
static void
free_pages(struct ring *r, struct seen *s)
{
	if (s->touched <= HUGE || ++s->passes < PASSES ||
	    __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE) <
		__atomic_load_n(&r->copied, __ATOMIC_ACQUIRE))
		return;
	madvise(r->data + HUGE, r->size - HUGE, MADV_DONTNEED);
	s->touched = HUGE;
}

/* Copies the records of a ring if the consumer is late; returns how many bytes are new in it. */
static uint64_t
pass(struct rings *rs, struct ring *r, struct seen *s)
{
	const uint64_t before = s->head;
	const uint64_t copied = __atomic_load_n(&r->copied, __ATOMIC_ACQUIRE);
	const bool was_late = s->late && s->copied == copied;
	uint64_t fill;

	s->head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	fill = s->head - copied;
	s->late = fill >= rs->size / 4;
	s->copied = copied;
	if (fill >= rs->size / 8 * 3 || (s->late && was_late))
		copy(rs, r, s);
	else
		free_pages(r, s);
	return s->head - before;
}

/* A pass over all rings; returns the number of new bytes of the one that has most. */
static uint64_t
pass_all(struct ring_reader *d, bool *late)
{
	uint64_t most = 0;

	d->crowded = *late = false;
	for (size_t i = 0; i < d->rings->n; i++) {
		struct ring *r = &d->rings->ring[i];
		const uint64_t n = pass(d->rings, r, &d->seen[i]);

		most = n > most ? n : most;
		*late |= d->seen[i].late;
		d->crowded |= __atomic_load_n(&r->copied, __ATOMIC_ACQUIRE) -
				  __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE) >
			      r->size / 4 * 3;
	}
	return most;
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
	bool late = false;

	wake_early();
	memcpy(fds, d->rings->poll, n * sizeof *fds);
	fds[n] = (struct pollfd){.fd = d->wake, .events = POLLIN};
	for (;;) {
		const int wait = late ? LOOKS_OFTEN : looks;
		const uint64_t due = record_now() + (uint64_t)wait * MS;
		const int ready = poll(fds, n + 1, wait);
		const uint64_t now = record_now();
		uint64_t added;

		for (size_t i = 0; i < n && ready > 0; i++)
			if ((fds[i].revents & (POLLHUP | POLLERR)) != 0) {
				fds[i].fd = -1; /* although other threads may still write to it */
				looks = LOOKS_OFTEN;
			}
		if (__atomic_load_n(&d->stop, __ATOMIC_ACQUIRE))
			break;
		added = pass_all(d, &late);
		if (late)
			eventfd_write(d->fills, 1);
		/* If poll timed out late, other programs used the CPU. */
		d->looked(d->arg, d->crowded ? d->rings->size : added,
		    ready == 0 && now > due ? now - due : 0);
	}
	return NULL;
}

int
ring_reader_fd(const struct rings *rs)
{
	return rs->reader != NULL ? rs->reader->fills : -1;
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
		r->has_next = false; /* it is decoded again */
	}
	return true;
}

static void
free_reader(struct ring_reader *d)
{
	const int fds[] = {d->fills, d->wake};

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(d->fds);
	free(d->seen);
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
	d->seen = cli_alloc(rs->n, sizeof *d->seen);
	for (size_t i = 0; i < rs->n; i++)
		d->seen[i].head = rs->ring[i].tail;
	d->fills = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	d->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (d->fills < 0 || d->wake < 0 || !get_memory(rs)) {
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
