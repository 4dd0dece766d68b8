/*
 * ring: fills rings in memory files and reads them through the reader thread. Prints the first
 * property of the records that does not hold, or the number of records checked.
 */
#include "fg-record/watching/ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fg-record/watching/ringreader.h"

#define RINGS 2
#define SIZE ((size_t)256 * 1024) /* bytes of a ring */
#define RECORDS 4000
#define LARGE 60000 /* bytes of a record, at most */
#define BURST 200 /* records */

struct written {
	struct perf_event_mmap_page *page;
	unsigned char *bytes;
};

struct checked {
	uint64_t time; /* time of the last record */
	uint64_t n;
	bool unordered, wrong;
};

static void
die(const char *what)
{
	perror(what);
	exit(1);
}

static struct written
add(struct rings *rs)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const int fd = memfd_create("ring", MFD_CLOEXEC);
	struct written w;

	if (fd < 0 || ftruncate(fd, (off_t)(page + SIZE)) != 0)
		die("memfd_create");
	w.page = mmap(NULL, page + SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (w.page == MAP_FAILED || !ring_add(rs, fd))
		die("mmap");
	w.bytes = (unsigned char *)w.page + page;
	rs->poll[rs->n - 1].fd = -1; /* a file is always readable */
	return w;
}

/*
 * Writes a record as the kernel does: PERF_RECORD_LOST with `time` in its trailer and in `lost`,
 * and zeros between. False if the ring has no space.
 */
static bool
put(const struct written *w, uint64_t time, size_t size)
{
	static uint64_t record[LARGE / 8 + 1];
	struct perf_event_header h = {.type = PERF_RECORD_LOST, .size = (uint16_t)size};
	uint64_t head = w->page->data_head;

	if (head + size - __atomic_load_n(&w->page->data_tail, __ATOMIC_ACQUIRE) > SIZE)
		return false;
	memset(record, 0, size);
	memcpy(record, &h, sizeof h);
	record[2] = record[size / 8 - 1] = time; /* after the header: id, lost */
	for (size_t i = 0; i < size; i++)
		w->bytes[(head + i) & (SIZE - 1)] = ((unsigned char *)record)[i];
	__atomic_store_n(&w->page->data_head, head + size, __ATOMIC_RELEASE);
	return true;
}

static void
check(void *arg, const struct perfevent *e)
{
	struct checked *c = arg;

	c->unordered |= e->time < c->time;
	c->wrong |= e->type != PERF_RECORD_LOST || e->lost != e->time;
	c->time = e->time;
	c->n++;
}

static void
looked(void *arg, uint64_t fill, uint64_t late)
{
	(void)arg, (void)fill, (void)late;
}

static void
result(const struct checked *c, uint64_t expected, const struct rings *rs)
{
	if (c->unordered)
		puts("not in the order of time");
	else if (c->wrong || rs->malformed != 0)
		puts("not the bytes that were written");
	else if (c->n != expected)
		printf("%llu records of %llu\n", (unsigned long long)c->n,
		    (unsigned long long)expected);
	else
		puts("every record once, in the order of time");
}

/* Records of many sizes while the consumer reads. */
static void
stream(struct rings *rs, const struct written *w, struct checked *c)
{
	uint64_t time = 0;

	while (time < RECORDS) {
		const size_t size = 32 + time * 7919 % (LARGE / 8 - 8) * 8;

		if (put(&w[time % 3 == 0], time + 1, size))
			time++;
		else
			ring_drain(rs, time, check, c);
	}
	ring_end_reader(rs);
	ring_drain(rs, UINT64_MAX, check, c);
	result(c, RECORDS, rs);
}

/* True if the reader's memory of the first ring has no space for the ring's records. */
static bool
is_full(const struct rings *rs)
{
	const struct ring *r = &rs->ring[0];

	return r->page->data_head - __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE) > r->size;
}

/*
 * The consumer is so late that the memory queue of the first ring is full, and the ring too; then
 * the second ring gets a later record.
 */
static void
full(struct rings *rs, const struct written *w, struct checked *c)
{
	uint64_t time = 0;

	for (;;)
		if (put(&w[0], time + 1, LARGE))
			time++;
		else if (is_full(rs))
			break;
		else
			usleep(1000);
	put(&w[1], ++time, 32);
	do
		ring_drain(rs, time, check, c);
	while (rs->unfinished);
	ring_drain(rs, UINT64_MAX, check, c);
	result(c, time, rs);
}

/* Bytes of the reader's memory for the first ring that have pages. */
static size_t
resident(const struct rings *rs)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE), n = rs->ring[0].size / page;
	unsigned char *in = calloc(n, 1);
	size_t pages = 0;

	if (in == NULL || mincore(rs->ring[0].data, rs->ring[0].size, in) != 0)
		pages = n;
	for (size_t i = 0; pages < n && i < n; i++)
		pages += in[i] & 1;
	free(in);
	return pages * page;
}

/* A burst of records, then a few at a time, until memory that is not used is free again. */
static void
calm(struct rings *rs, const struct written *w, struct checked *c)
{
	uint64_t time = 0;
	size_t before;

	while (time < BURST)
		if (put(&w[0], time + 1, LARGE))
			time++;
		else
			usleep(1000);
	before = resident(rs);
	for (unsigned i = 0; i < 60000 && (i < 100 || resident(rs) > 4 * 1024 * 1024); i++) {
		while (!put(&w[0], time + 1, LARGE))
			usleep(1000);
		ring_drain(rs, time++, check, c); /* one record always stays */
		usleep(1000);
	}
	if (before < (BURST - 10) * LARGE)
		printf("%zu bytes in memory after the burst\n", before);
	if (resident(rs) > 4 * 1024 * 1024)
		printf("%zu bytes in memory at the end\n", resident(rs));
	ring_drain(rs, UINT64_MAX, check, c);
	result(c, time, rs);
}

/* Writes a record of 32 bytes whose header claims `size`. False if the ring has no space. */
static bool
put_malformed(const struct written *w, uint64_t time, uint16_t size)
{
	const struct perf_event_header h = {.type = PERF_RECORD_LOST, .size = size};

	if (!put(w, time, 32))
		return false;
	memcpy(w->bytes + ((w->page->data_head - 32) & (SIZE - 1)), &h, sizeof h);
	return true;
}

/* A ring without a reader that is full of malformed records gets space again. */
static void
alone(struct rings *rs, const struct written *w, struct checked *c)
{
	while (put_malformed(&w[0], 1, 0))
		continue;
	ring_drain(rs, UINT64_MAX, check, c);
	put(&w[0], 1, 32);
	ring_drain(rs, UINT64_MAX, check, c);
	rs->malformed = 0;
	result(c, 1, rs);
}

/*
 * Malformed records in the reader's memory, and later ones in the ring. Each kind hides the records
 * that were copied with it, and no others. A signal ends a consumer that does not end itself.
 */
static void
malformed(struct rings *rs, const struct written *w, struct checked *c)
{
	static const uint16_t sizes[] = {0, 4, 12, 40, UINT16_MAX - 7};
	const struct ring *r = &rs->ring[0];
	const size_t n = sizeof sizes / sizeof *sizes;
	uint64_t time = 0;

	alarm(60);
	for (size_t i = 0; i < n; i++) {
		put(&w[0], ++time, LARGE);
		put(&w[0], ++time, LARGE);
		put_malformed(&w[0], time, sizes[i]);
		while (__atomic_load_n(&r->copied, __ATOMIC_ACQUIRE) != w[0].page->data_head)
			usleep(1000);
		put(&w[0], ++time, 32);
		put_malformed(&w[0], time, sizes[i]);
		ring_drain(rs, UINT64_MAX, check, c);
	}
	if (rs->malformed != 2 * n)
		printf("%llu malformed records\n", (unsigned long long)rs->malformed);
	rs->malformed = 0;
	result(c, time, rs);
}

int
main(int argc, char **argv)
{
	struct rings rs = {
	    .size = SIZE, .format = {.sample_type = PERF_SAMPLE_TIME, .sample_id_all = true}};
	struct written w[RINGS];
	struct checked c = {0};

	for (size_t i = 0; i < RINGS; i++)
		w[i] = add(&rs);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* they need terabytes */
	if (argc > 1 && strcmp(argv[1], "full") == 0) /* memory of 8 MB for each ring, not 64 */
		setrlimit(RLIMIT_AS, &(struct rlimit){128 << 20, 128 << 20});
#endif
	if (argc > 1 && strcmp(argv[1], "alone") == 0) {
		alone(&rs, w, &c);
		ring_close(&rs);
		return 0;
	}
	ring_read_ahead(&rs, looked, NULL);
	if (rs.reader == NULL) {
		puts("no reader");
		return 1;
	}
	if (argc > 1 && strcmp(argv[1], "full") == 0)
		full(&rs, w, &c);
	else if (argc > 1 && strcmp(argv[1], "calm") == 0)
		calm(&rs, w, &c);
	else if (argc > 1 && strcmp(argv[1], "malformed") == 0)
		malformed(&rs, w, &c);
	else
		stream(&rs, w, &c);
	ring_close(&rs);
	return 0;
}
