/*
 * touch: maps pages by reading them.
 */
#include "fg-record/watching/touch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "access/opener.h"
#include "base/clock.h"
#include "fg-record/record.h"

#define PAGE UINT64_C(4096)
#define HUGE (UINT64_C(2) << 20) /* bytes of a transparent huge page */
#define PAGES_MAX 256 /* per call: the deep copies of one sample */
#define TIMES_MAX 16 /* per second and thread */

/*
 * True if the kernel may use huge pages without a request. Then a read in an empty range of 2
 * MiB may map the huge zero page, and a later write there costs the target 2 MiB.
 */
static bool
has_huge_pages(void)
{
	static int has = -1;

	if (has < 0) {
		FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "re");
		char line[64] = "";

		has = f != NULL && fgets(line, sizeof line, f) != NULL &&
		      strstr(line, "[always]") != NULL;
		if (f != NULL)
			fclose(f);
	}
	return has;
}

/* True if the line of /proc/PID/maps is a mapping that contains sp and may be touched. */
static bool
is_stack(const char *line, uint64_t sp, uint64_t *start, uint64_t *end)
{
	char permissions[5], name[8] = "";
	uint64_t inode;

	return sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*x:%*x %" SCNu64 " %7s", start, end,
		   permissions, &inode, name) >= 4 &&
	       sp >= *start && sp < *end && strncmp(permissions, "rw", 2) == 0 &&
	       permissions[3] == 'p' && inode == 0 && name[0] != '/';
}

static void
find_mapping(struct touch_thread *it, int pid, uint64_t sp)
{
	char line[512];
	uint64_t start, end;
	FILE *f;

	it->start = it->end = 0;
	f = opener_stream(pid, OPENER_MAPS);
	if (f == NULL)
		return;
	while (it->end == 0 && fgets(line, sizeof line, f) != NULL)
		if (is_stack(line, sp, &start, &end)) {
			it->start = start;
			it->end = end;
		}
	fclose(f);
}

/* True if a read there cannot map the huge zero page: none in use, or its range has pages. */
static bool
is_near(const struct touch_thread *it, uint64_t sp, uint64_t from, uint64_t address)
{
	const uint64_t range = address / HUGE;

	return !has_huge_pages() || range == sp / HUGE || range == (from - 1) / HUGE ||
	       range == (it->end - 1) / HUGE;
}

/* Reads one byte of each page; stops at a page that cannot be read. */
static void
read_pages(struct touch_thread *it, uint64_t sp, uint64_t from, uint64_t to)
{
	struct iovec there[PAGES_MAX], here[PAGES_MAX];
	unsigned char byte;
	size_t n = 0;

	for (uint64_t at = from; at < to && n < PAGES_MAX; at += PAGE)
		if (is_near(it, sp, from, at)) {
			here[n] = (struct iovec){&byte, 1};
			there[n++] = (struct iovec){(void *)(uintptr_t)at, 1};
		}
	if (n > 0 && opener_memory(it->tid, here, there, n) < 0)
		it->refused = errno == EPERM;
}

void
touch_stack(struct touch *t, int pid, int tid, uint64_t sp, uint64_t from, uint64_t to)
{
	struct touch_thread *it = &t->thread[(unsigned)tid % TOUCH_THREADS];
	const uint64_t now = record_now();

	if (it->tid != tid)
		*it = (struct touch_thread){.tid = tid};
	if (it->refused || from < sp)
		return;
	if (it->second != now / SECOND_NS) {
		it->second = now / SECOND_NS;
		it->n = 0;
	}
	if (it->n >= TIMES_MAX)
		return;
	/* The mapping may have grown, or been replaced. */
	if (sp < it->start || from >= it->end || now - it->time > SECOND_NS) {
		it->n++;
		find_mapping(it, pid, sp);
	}
	to = to < it->end ? to : it->end;
	if (from >= to || (from >= it->low && to <= it->high && now - it->time < SECOND_NS))
		return;
	it->n++;
	read_pages(it, sp, from, to);
	t->refused |= it->refused;
	it->low = from;
	it->high = to;
	it->time = t->last = now;
}
