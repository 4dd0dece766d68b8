/* heapshared: each call becomes a PERF_RECORD_SAMPLE in the format of the rings. */
#include "fg-record/watching/heapshared.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/clock.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-record/watching/ring.h"
#include "trace/heapabi.h"

#define FAR SECOND_NS /* ns: beyond the clock of the recorder */

/* A complete slot, in time order. */
struct ready {
	uint64_t time;
	uint32_t index;
	bool call; /* otherwise the end of a block */
};

struct heapshared {
	struct heapabi_shared *memory;
	size_t ring; /* index of its ring */
	struct ready *ready;
	size_t nready, cap;
	struct heapabi_call copy; /* of the slot that is read: its writer may still change it */
	uint64_t lost; /* of the memory, at the last heapshared_lost */
};

struct heapshared *
heapshared_new(void)
{
	struct heapshared *h = cli_alloc(1, sizeof *h);
	const int fd = memfd_create("fg-record --heap", MFD_CLOEXEC);
	char path[64];

	h->memory = fd < 0 || ftruncate(fd, sizeof *h->memory) != 0
			? MAP_FAILED
			: mmap(NULL, sizeof *h->memory, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (h->memory == MAP_FAILED)
		cli_die("--heap: no memory to share with the command: %s", strerror(errno));
	snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), fd);
	if (setenv(HEAPABI_SHARED, path, 1) != 0)
		cli_die("out of memory");
	return h;
}

void
heapshared_open(struct heapshared *h, struct rings *rs)
{
	h->ring = rs->n;
	if (!ring_add_own(rs))
		cli_die("out of memory");
}

static int
by_time(const void *a, const void *b)
{
	const struct ready *x = a, *y = b;

	return x->time != y->time ? (x->time > y->time) - (x->time < y->time)
				  : x->call < y->call; /* a block begins before it ends */
}

static void
add(struct heapshared *h, uint32_t index, bool call, uint64_t time)
{
	vec_fit(h->ready, h->cap, h->nready + 1);
	h->ready[h->nready++] = (struct ready){time, index, call};
}

/*
 * True if a slot is complete and older than `until`, the time at which they are read: all that its
 * thread has written before it is complete, too. Times far beyond that are not of this clock.
 */
static bool
is_ready(const uint32_t *state, const uint64_t *time, uint64_t until)
{
	return __atomic_load_n(state, __ATOMIC_ACQUIRE) == HEAPABI_READY &&
	       (*time < until || *time - until > FAR);
}

/* A sample without its header, in the order of perf_event_open(2). */
struct sample {
	uint64_t *at, *end;
};

static void
put(struct sample *s, uint64_t n)
{
	if (s->at < s->end)
		*s->at++ = n;
}

/* The sample of h->copy at the function `ip`; its size in bytes. */
static size_t
encode(const struct heapshared *h, const struct perfevent_format *f, uint64_t ip, uint64_t *to,
    size_t n)
{
	const struct heapabi_call *c = &h->copy;
	struct sample s = {to + 1, to + n};
	const size_t words = (c->nstack + 7) / 8;
	struct perf_event_header head = {.type = PERF_RECORD_SAMPLE, .misc = PERF_RECORD_MISC_USER};

	put(&s, ip);
	put(&s, c->pid | (uint64_t)c->tid << 32);
	put(&s, c->time);
	put(&s, 1); /* its period */
	put(&s, 0); /* no call chain */
	put(&s, PERF_SAMPLE_REGS_ABI_64);
	for (unsigned i = 0; i < 64; i++)
		if (f->regs_user >> i & 1)
			put(&s, i < HEAPABI_REGISTERS ? c->reg[i] : 0);
	put(&s, words * 8);
	if (words > 0) {
		memcpy(s.at, c->stack, words * 8);
		s.at += words;
		put(&s, c->nstack);
	}
	head.size = (uint16_t)((size_t)(s.at - to) * sizeof *to);
	memcpy(to, &head, sizeof head);
	return head.size;
}

/* Copies a slot; false if its writer is wrong. */
static bool
copy_slot(struct heapshared *h, const struct ready *r)
{
	static const unsigned char argument[] = {CPU_ARGUMENT_REGISTERS};
	struct heapabi_call *c = &h->copy;
	const struct heapabi_end *e = &h->memory->end[r->index];

	if (r->call)
		memcpy(c, &h->memory->call[r->index], sizeof *c);
	else
		*c = (struct heapabi_call){.pid = e->pid, .tid = e->tid, .pointer = e->pointer};
	c->time = r->time;
	c->reg[argument[0]] = c->pointer;
	c->reg[argument[1]] = c->size;
	c->reg[argument[2]] = c->mean;
	c->reg[argument[3]] = c->flags;
	return c->nstack <= sizeof c->stack && (int32_t)c->pid > 0 && (int32_t)c->tid > 0;
}

bool
heapshared_fill(struct heapshared *h, struct rings *rs)
{
	struct heapabi_shared *m = h->memory;
	const uint64_t until = clock_ns(CLOCK_MONOTONIC);
	uint64_t record[(sizeof h->copy + 1024) / 8];

	__atomic_store_n(&m->full, 0, __ATOMIC_RELAXED);
	h->nready = 0;
	for (uint32_t i = 0; i < HEAPABI_ENDS; i++)
		if (is_ready(&m->end[i].state, &m->end[i].time, until))
			add(h, i, false, m->end[i].time);
	for (uint32_t i = 0; i < HEAPABI_CALLS; i++)
		if (is_ready(&m->call[i].state, &m->call[i].time, until))
			add(h, i, true, m->call[i].time);
	sort_items(h->ready, h->nready, sizeof *h->ready, by_time);
	for (size_t i = 0; i < h->nready; i++) {
		const struct ready *r = &h->ready[i];
		size_t n;

		if (!copy_slot(h, r)) {
			rs->malformed++;
		} else {
			n = encode(h, &rs->format, r->call ? HEAPABI_ALLOC : HEAPABI_FREE, record,
			    sizeof record / sizeof *record);
			if (!ring_put(&rs->ring[h->ring], rs->size, record, n))
				return false;
		}
		__atomic_store_n(r->call ? &m->call[r->index].state : &m->end[r->index].state,
		    HEAPABI_FREE_SLOT, __ATOMIC_RELEASE);
	}
	/* Slots whose pages exist are used again. */
	__atomic_store_n(&m->next_call, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&m->next_end, 0, __ATOMIC_RELAXED);
	return true;
}

uint64_t
heapshared_lost(struct heapshared *h)
{
	const uint64_t lost = __atomic_load_n(&h->memory->lost, __ATOMIC_RELAXED);
	const uint64_t n = lost - h->lost;

	h->lost = lost;
	return n;
}
