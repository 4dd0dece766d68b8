/*
 * pack: writes a capture. Its bytes are sorted by key, so that versions of the same page or text
 * lie side by side and compress well; equal ones are stored once.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/cli.h"
#include "capture.h"

static int
by_key(const void *a, const void *b)
{
	const struct answer *x = *(struct answer *const *)a, *y = *(struct answer *const *)b;
	const int c = strcmp(x->key, y->key);

	return c != 0 ? c : x->order < y->order ? -1 : x->order > y->order;
}

/* True for events: a replay has each of these answers once. */
static bool
is_event(const char *key)
{
	static const char *const events[] = {
	    "wait", "flush", "stop", "waitpid", "ring ", "signal", "fork", "clock ", "event "};

	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		if (strncmp(key, events[i], strlen(events[i])) == 0)
			return true;
	return false;
}

static bool
same_bytes(const struct answer *a, const struct answer *b)
{
	return a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

static bool
same(const struct answer *a, const struct answer *b)
{
	return strcmp(a->key, b->key) == 0 && a->result == b->result && a->error == b->error &&
	       same_bytes(a, b);
}

/*
 * Numbers the bytes of all answers from 1 on, equal ones once; number is by order, 0 where there
 * are none. Returns one answer for each number.
 */
static struct answer **
number_bytes(struct answer **sorted, size_t n, size_t *number, size_t *count)
{
	const size_t size = 1 << 20;
	struct answer **slot = cli_alloc(size, sizeof *slot), **of = cli_alloc(n + 1, sizeof *of);

	*count = 0;
	for (size_t i = 0; i < n; i++) {
		struct answer *e = sorted[i];
		size_t at = crc32(0, e->bytes, (uInt)e->n) % size;

		if (e->n == 0)
			continue;
		while (slot[at] != NULL && !same_bytes(slot[at], e))
			at = (at + 1) % size;
		if (slot[at] == NULL) {
			slot[at] = e;
			of[*count] = e;
			number[e->order] = ++*count;
		}
		number[e->order] = number[slot[at]->order];
	}
	free(slot);
	return of;
}

static gzFile
create(const char *folder, const char *name)
{
	char *path;
	gzFile f;

	if (asprintf(&path, "%s/%s", folder, name) < 0 || (f = gzopen(path, "wb9")) == NULL)
		capture_die("%s/%s: %s", folder, name, strerror(errno));
	free(path);
	return f;
}

void
pack(const char *folder, struct answer *e, size_t n)
{
	struct answer **sorted = cli_realloc(NULL, (n + 1) * sizeof *sorted, 1), **of;
	bool *dropped = cli_alloc(n + 1, sizeof *dropped);
	size_t *number = cli_alloc(n + 1, sizeof *number), nsorted = 0, nof;
	gzFile calls = create(folder, "calls.gz"), bytes = create(folder, "bytes.gz");

	for (size_t i = 0; i < n; i++)
		sorted[i] = &e[i];
	qsort(sorted, n, sizeof *sorted, by_key);
	for (size_t i = 0; i < n; i++) {
		if (nsorted > 0 && !is_event(sorted[i]->key) &&
		    same(sorted[nsorted - 1], sorted[i]))
			dropped[sorted[i]->order] = true;
		else
			sorted[nsorted++] = sorted[i];
	}
	of = number_bytes(sorted, nsorted, number, &nof);
	for (size_t i = 0; i < n; i++)
		if (!dropped[e[i].order])
			gzprintf(calls, "%u %lld %d %zu %s\n", e[i].step, (long long)e[i].result,
			    e[i].error, number[e[i].order], e[i].key);
	for (size_t i = 0; i < nof; i++) {
		gzprintf(calls, "= %zu\n", of[i]->n);
		gzwrite(bytes, of[i]->bytes, (unsigned)of[i]->n);
	}
	if (gzclose(calls) != Z_OK || gzclose(bytes) != Z_OK)
		capture_die("%s: not written", folder);
	free(sorted);
	free(of);
	free(dropped);
	free(number);
}
