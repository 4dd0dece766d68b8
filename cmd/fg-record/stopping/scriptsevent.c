/*
 * scriptsevent: opens the events by stops, and maps the ring of the first one.
 */
#include "fg-record/stopping/scriptsevent.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fg-record/record.h"
#include "fg-record/stopping/stops.h"

#define RING_PAGES 2 /* pages of records, beside the header page */
#define RING_PAGES_MANY 32 /* with several tracepoints, which occur in one system call */

/* Bytes of the records in a thread's ring, a power of two. */
static size_t
ring_space(const struct scripts_events *s)
{
	return (size_t)sysconf(_SC_PAGESIZE) *
	       (s->tracepoints->n > 1 ? RING_PAGES_MANY : RING_PAGES);
}

static size_t
ring_size(const struct scripts_events *s)
{
	return (size_t)sysconf(_SC_PAGESIZE) + ring_space(s);
}

void
scriptsevent_forget(struct scripts_thread *t)
{
	for (size_t i = 0; i < TRACEPOINTS_MAX; i++)
		t->since[i] = UINT64_MAX;
}

/*
 * Opens and enables the events of the tracepoints after the first one. Opening takes long: until an
 * event is enabled, samples of the other event count.
 */
static void
open_others(const struct scripts_events *s, struct scripts_thread *t)
{
	struct perf_event_attr a = s->attr;

	for (size_t i = 1; i < s->tracepoints->n; i++) {
		int fd, number;

		a.config = s->tracepoints->list[i].id;
		fd = stops_event(&a, t->tid, t->signal, &number);
		if (fd < 0)
			continue;
		ids_add(&t->others, fd);
		ids_add(&t->numbers, number);
		ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, t->fd);
		t->since[i] = record_now();
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	}
}

bool
scriptsevent_open(const struct scripts_events *s, struct scripts_thread *t, int signal)
{
	void *ring;
	int number;

	t->signal = signal;
	t->fd = signal == 0 ? -1 : stops_event(&s->attr, t->tid, t->signal, &number);
	if (t->fd < 0)
		return false;
	ids_add(&t->numbers, number);
	ring = mmap(NULL, ring_size(s), PROT_READ | PROT_WRITE, MAP_SHARED, t->fd, 0);
	t->ring = ring == MAP_FAILED ? NULL : ring;
	t->until = UINT64_MAX;
	scriptsevent_forget(t);
	t->since[0] = record_now();
	ioctl(t->fd, PERF_EVENT_IOC_ENABLE, 0);
	open_others(s, t);
	return true;
}

bool
scriptsevent_is(const struct scripts_thread *t, int number)
{
	return ids_have(&t->numbers, number);
}

void
scriptsevent_close(const struct scripts_events *s, struct scripts_thread *t)
{
	if (t->ring != NULL)
		munmap(t->ring, ring_size(s));
	if (t->fd >= 0)
		close(t->fd);
	for (size_t i = 0; i < t->others.n; i++)
		close(t->others.id[i]);
	free(t->others.id);
	free(t->numbers.id);
	t->others = t->numbers = (struct ids){0};
	t->ring = NULL;
	t->fd = -1;
	t->until = record_now();
	t->unproven = false;
}

const struct perf_event_header *
scriptsevent_record(const struct scripts_events *s, const struct scripts_thread *t, uint64_t at,
    unsigned char *copy, size_t size)
{
	const size_t n = ring_space(s);
	const unsigned char *data = t->ring + sysconf(_SC_PAGESIZE);
	struct perf_event_header h = {0};

	for (size_t i = 0; i < sizeof h; i++)
		((unsigned char *)&h)[i] = data[(at + i) % n];
	if (h.size < sizeof h || h.size > size)
		return NULL;
	for (size_t i = 0; i < h.size; i++)
		copy[i] = data[(at + i) % n];
	return (const struct perf_event_header *)copy;
}

uint64_t
scriptsevent_pending(const struct scripts_events *s, const struct scripts_thread *t)
{
	const struct perf_event_mmap_page *head = (const void *)t->ring;
	static _Alignas(8) unsigned char copy[UINT16_MAX + 1];
	const struct perf_event_header *h;
	uint64_t n = 0, end;

	if (t->ring == NULL)
		return 0;
	end = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
	for (uint64_t at = head->data_tail; at < end; at += h->size, n++)
		if ((h = scriptsevent_record(s, t, at, copy, sizeof copy)) == NULL)
			break;
	return n;
}
