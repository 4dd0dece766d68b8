/*
 * ring: merges mapped perf_event rings by time. Without a reader, a record is decoded and consumed
 * in place; then its space is released. With one, the next record of each ring is copied out of the
 * kernel's part, which releases its space at once, unless the reader was faster. Neither takes a
 * lock: a copy counts if `copied` is still the same after it.
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

/* Releases the next record. */
static void
release(const struct rings *rs, struct ring *r)
{
	__atomic_store_n(&r->tail, r->end_of_next, __ATOMIC_RELEASE);
	r->has_next = false;
	if (rs->reader == NULL)
		ring_reader_release(r, r->tail);
}

/*
 * Takes n bytes at the tail, which were copied, from the kernel's part. False if the reader has
 * copied them as well: the kernel may have overwritten them before we were done.
 */
static bool
claim(struct ring *r, size_t n)
{
	uint64_t position = r->tail;

	if (!__atomic_compare_exchange_n(
		&r->copied, &position, position + n, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return false;
	__atomic_store_n(&r->tail, position + n, __ATOMIC_RELEASE);
	ring_reader_release(r, position + n);
	return true;
}

/* Copies n bytes from an index of a ring of `size` bytes. */
static const void *
join(struct ring *r, const unsigned char *data, size_t size, size_t at, size_t n)
{
	const size_t first = n < size - at ? n : size - at;

	memcpy(r->joined, data + at, first);
	memcpy((unsigned char *)r->joined + first, data, n - first);
	return r->joined;
}

/* Decodes the record at the tail; false if the ring is empty. */
static bool
look(struct rings *rs, struct ring *r)
{
	while (!r->has_next) {
		const uint64_t copied =
		    rs->reader != NULL ? __atomic_load_n(&r->copied, __ATOMIC_ACQUIRE) : r->head;
		const bool stays = r->tail < copied;
		const unsigned char *data = stays ? r->data : r->kernel;
		const size_t size = stays ? r->size : rs->size;
		const size_t at = (r->tail - (stays ? r->base : 0)) & (size - 1);
		const struct perf_event_header *h = (const void *)(data + at);
		size_t n = (stays && copied < r->head ? copied : r->head) - r->tail;
		size_t bytes;
		bool is_record;

		if (n == 0)
			return false;
		bytes = __atomic_load_n(&h->size, __ATOMIC_RELAXED);
		is_record = bytes >= sizeof *h && bytes % 8 == 0 && bytes <= n;
		n = is_record ? bytes : n; /* no record before that end can be located */
		if (is_record && (!stays || n > size - at))
			h = join(r, data, size, at, n);
		if (!stays && !claim(r, n))
			continue;
		r->end_of_next = stays ? r->tail + n : r->tail;
		r->has_next = is_record && perfevent_decode(&rs->format, h, &r->next);
		if (!r->has_next) {
			rs->malformed++;
			release(rs, r);
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

void
ring_drain(struct rings *rs, uint64_t until, ring_consumer *take, void *arg)
{
	const uint64_t begin = record_now();

	rs->unfinished = false;
	for (size_t i = 0; i < rs->n; i++)
		rs->ring[i].head = __atomic_load_n(&rs->ring[i].page->data_head, __ATOMIC_ACQUIRE);
	for (unsigned n = 1;; n++) {
		struct ring *first = NULL;

		for (size_t i = 0; i < rs->n; i++) {
			struct ring *r = &rs->ring[i];

			if (look(rs, r) && (first == NULL || r->next.time < first->next.time))
				first = r;
		}
		if (first == NULL || first->next.time > until)
			return;
		if (n % 64 == 0 && until != UINT64_MAX && record_now() - begin > DRAIN_LONG) {
			rs->unfinished = true;
			return;
		}
		rs->taking = (size_t)(first - rs->ring);
		take(arg, &first->next);
		release(rs, first);
	}
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

		if (rs->poll[i].fd >= 0 || r->has_next ||
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
