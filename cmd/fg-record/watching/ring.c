/*
 * ring: merges mapped perf_event rings by time. A record is decoded and consumed in place, in the
 * ring or in the reader's copy of it; then its space is released. The copy continues the
 * positions of the ring.
 */
#include "fg-record/watching/ring.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/vec.h"
#include "access/opener.h"
#include "fg-record/record.h"
#include "fg-record/watching/ringreader.h"

#define RING_MIN ((size_t)64 * 1024)
#define RING_MAX ((size_t)16 * 1024 * 1024) /* a quarter of a second at 997 Hz */
#define RING_TOTAL ((size_t)256 * 1024 * 1024)

#define DRAIN_LONG UINT64_C(200000000) /* ns */

static size_t
power_of_two(size_t n)
{
	size_t p = RING_MIN;

	while (p * 2 <= n)
		p *= 2;
	return p;
}

/* Maps the ring of an event; NULL and errno if that is refused. */
static void *
map_ring(int fd, size_t size)
{
	void *map = mmap(
	    NULL, (size_t)sysconf(_SC_PAGESIZE) + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return map == MAP_FAILED ? NULL : map;
}

static void
unmap_ring(void *map, size_t size)
{
	munmap(map, (size_t)sysconf(_SC_PAGESIZE) + size);
}

/* True if n rings of that size may be mapped at once; tests it with events that count nothing. */
static bool
may_map(size_t n, size_t size)
{
	struct perf_event_attr none = {.type = PERF_TYPE_SOFTWARE,
	    .size = sizeof none,
	    .config = PERF_COUNT_SW_DUMMY,
	    .disabled = 1,
	    .exclude_kernel = 1};
	void *map = NULL;
	bool may;
	int fd;

	if (n == 0)
		return true;
	fd = opener_event(&none, 0, -1);
	may = fd >= 0 && (map = map_ring(fd, size)) != NULL && may_map(n - 1, size);
	if (map != NULL)
		unmap_ring(map, size);
	if (fd >= 0)
		close(fd);
	return may;
}

size_t
ring_size(size_t wanted, size_t n)
{
	size_t share = RING_TOTAL / n;
	size_t size = power_of_two(wanted != 0 ? wanted : share < RING_MAX ? share : RING_MAX);

	while (size > RING_MIN && !may_map(n, size))
		size /= 2;
	return size;
}

/* Adds a ring at a mapping, which may be absent. */
static bool
add_mapped(struct rings *rs, int fd, void *map)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct ring r = {.fd = fd, .page = map};

	if (map == NULL)
		return false;
	r.kernel = (const unsigned char *)r.page + page;
	r.data = (unsigned char *)r.page + page;
	r.size = rs->size;
	r.joined = cli_alloc(UINT16_MAX / 8 + 1, 8);
	vec_fit(rs->ring, rs->cap, rs->n + 1);
	vec_fit(rs->poll, rs->cappoll, rs->n + 1);
	rs->poll[rs->n] = (struct pollfd){.fd = fd, .events = POLLIN};
	rs->ring[rs->n++] = r;
	return true;
}

bool
ring_add(struct rings *rs, int fd)
{
	return add_mapped(rs, fd, map_ring(fd, rs->size));
}

bool
ring_add_own(struct rings *rs)
{
	void *map = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE) + rs->size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return add_mapped(rs, eventfd(0, EFD_CLOEXEC), map != MAP_FAILED ? map : NULL);
}

bool
ring_put(struct ring *r, size_t size, const void *record, size_t n)
{
	const uint64_t head = r->page->data_head;
	const uint64_t tail = __atomic_load_n(&r->page->data_tail, __ATOMIC_ACQUIRE);
	unsigned char *to = (unsigned char *)(uintptr_t)r->kernel;
	const size_t from = head & (size - 1), first = n < size - from ? n : size - from;

	if (n > size - (head - tail))
		return false;
	memcpy(to + from, record, first);
	memcpy(to, (const unsigned char *)record + first, n - first);
	__atomic_store_n(&r->page->data_head, head + n, __ATOMIC_RELEASE);
	return true;
}

/* Index of a position in r->data. */
static size_t
at(const struct ring *r, uint64_t position)
{
	return (position - r->base) & (r->size - 1);
}

/* Releases the space before a position. */
static void
release(struct ring *r, uint64_t position)
{
	__atomic_store_n(&r->tail, position, __ATOMIC_RELEASE);
	r->size_of_next = 0;
}

/* Decodes the record at the tail; false if the ring is empty. */
static bool
look(struct rings *rs, struct ring *r)
{
	while (r->size_of_next == 0) {
		const struct perf_event_header *h;
		uint64_t space;

		if (r->tail == r->head)
			return false;
		h = (const void *)(r->data + at(r, r->tail));
		space = r->size - at(r, r->tail);
		if (h->size < sizeof *h || h->size > r->head - r->tail) {
			rs->malformed++; /* no later record can be located */
			release(r, r->head);
			return false;
		}
		r->size_of_next = h->size;
		if (h->size > space) {
			memcpy(r->joined, h, space);
			memcpy(
			    (unsigned char *)r->joined + space, r->data, r->size_of_next - space);
			h = (const void *)r->joined;
		}
		if (!perfevent_decode(&rs->format, h, &r->next)) {
			rs->malformed++;
			release(r, r->tail + r->size_of_next);
		}
	}
	return true;
}

uint64_t
ring_fill(const struct rings *rs)
{
	uint64_t most = 0;

	for (size_t i = 0; i < rs->n; i++) {
		uint64_t n = __atomic_load_n(&rs->ring[i].page->data_head, __ATOMIC_ACQUIRE) -
			     rs->ring[i].tail;

		most = n > most ? n : most;
	}
	return most;
}

/* Finds the end of the records that are readable now. */
static void
read_head(const struct rings *rs, struct ring *r)
{
	if (rs->reader != NULL)
		r->head = __atomic_load_n(&r->copied, __ATOMIC_ACQUIRE);
	else
		r->head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	r->waits = rs->reader != NULL && __atomic_load_n(&r->full, __ATOMIC_RELAXED);
}

/* True if the kernel's part of a ring has records that were not copied. */
static bool
is_behind(const struct rings *rs)
{
	for (size_t i = 0; i < rs->n; i++)
		if (__atomic_load_n(&rs->ring[i].page->data_head, __ATOMIC_ACQUIRE) !=
		    __atomic_load_n(&rs->ring[i].copied, __ATOMIC_ACQUIRE))
			return true;
	return false;
}

/* Consumes the records that are readable now. */
static void
drain(struct rings *rs, uint64_t until, ring_consumer *take, void *arg)
{
	const uint64_t begin = record_now();

	rs->unfinished = false;
	if (is_behind(rs))
		ring_reader_copy(rs);
	for (size_t i = 0; i < rs->n; i++)
		read_head(rs, &rs->ring[i]);
	for (unsigned n = 1;; n++) {
		struct ring *first = NULL;

		for (size_t i = 0; i < rs->n; i++) {
			struct ring *r = &rs->ring[i];

			if (!look(rs, r)) {
				if (r->waits) { /* its next record may be older than the others */
					rs->unfinished = true;
					return;
				}
			} else if (first == NULL || r->next.time < first->next.time) {
				first = r;
			}
		}
		if (first == NULL || first->next.time > until)
			return;
		if (n % 64 == 0 && until != UINT64_MAX && record_now() - begin > DRAIN_LONG) {
			rs->unfinished = true;
			return;
		}
		rs->taking = (size_t)(first - rs->ring);
		take(arg, &first->next);
		release(first, first->tail + first->size_of_next);
		if (rs->reader == NULL)
			__atomic_store_n(&first->page->data_tail, first->tail, __ATOMIC_RELEASE);
	}
}

void
ring_drain(struct rings *rs, uint64_t until, ring_consumer *take, void *arg)
{
	do
		drain(rs, until, take, arg);
	while (until == UINT64_MAX && rs->reader != NULL && is_behind(rs));
}

static void
close_ring(struct rings *rs, struct ring *r)
{
	unmap_ring(r->page, rs->size);
	free(r->joined);
	close(r->fd);
}

void
ring_close_hung(struct rings *rs)
{
	for (size_t i = rs->n; i-- > 0;) {
		struct ring *r = &rs->ring[i];

		if (rs->poll[i].fd >= 0 || r->size_of_next != 0 ||
		    __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE) != r->tail)
			continue;
		close_ring(rs, r);
		rs->n--;
		*r = rs->ring[rs->n];
		rs->poll[i] = rs->poll[rs->n];
	}
	rs->hung = false;
	for (size_t i = 0; i < rs->n; i++)
		rs->hung |= rs->poll[i].fd < 0;
}

void
ring_close(struct rings *rs)
{
	ring_reader_free(rs);
	for (size_t i = 0; i < rs->n; i++)
		close_ring(rs, &rs->ring[i]);
	free(rs->ring);
	free(rs->poll);
	rs->ring = NULL;
	rs->poll = NULL;
	rs->n = 0;
}
