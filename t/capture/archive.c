/*
 * archive: the answers of a capture, sorted by key and order, with a cursor for each key.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/vec.h"
#include "capture.h"

struct cursor {
	size_t next; /* index of the first answer not taken yet */
};

static struct answer *answer; /* by key, then order */
static struct cursor *cursor; /* of the first answer of each key */
static size_t nanswer;
static struct answer *barrier; /* by order */
static size_t nbarrier, next_barrier;

bool archive_verbose;

static unsigned char *
read_gz(const char *folder, const char *name, size_t *n)
{
	char *path;
	unsigned char *all = NULL;
	size_t cap = 0;
	gzFile f;
	int got;

	if (asprintf(&path, "%s/%s", folder, name) < 0 || (f = gzopen(path, "rb")) == NULL)
		capture_die("%s/%s: %s", folder, name, strerror(errno));
	*n = 0;
	do {
		if (cap - *n < 65536)
			vec_fit(all, cap, cap + 131072);
		got = gzread(f, all + *n, (unsigned)(cap - *n - 1));
		*n += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	if (gzclose(f) != Z_OK || got < 0)
		capture_die("%s: damaged", path);
	all[*n] = '\0';
	free(path);
	return all;
}

static int
by_key(const void *a, const void *b)
{
	const struct answer *x = a, *y = b;
	const int c = strcmp(x->key, y->key);

	return c != 0 ? c : x->order < y->order ? -1 : x->order > y->order;
}

static bool
is_barrier(const char *key)
{
	return strcmp(key, "wait") == 0 || strcmp(key, "flush") == 0 || strcmp(key, "stop") == 0;
}

static void
add_line(char *line, size_t *cap)
{
	struct answer a = {.order = nanswer};
	long long result;
	unsigned long blob;
	int used = 0;

	if (sscanf(line, "%u %lld %d %lu %n", &a.step, &result, &a.error, &blob, &used) != 4)
		capture_die("calls.gz: damaged: %s", line);
	a.result = result;
	a.n = blob;
	a.key = line + used;
	if (nanswer == *cap)
		vec_fit(answer, *cap, nanswer + 1);
	answer[nanswer++] = a;
}

void
archive_open(const char *folder)
{
	size_t ncalls, nbytes, cap = 0, nblob = 0, at = 0, *start;
	char *calls = (char *)read_gz(folder, "calls.gz", &ncalls), *line, *rest = calls;
	unsigned char *bytes = read_gz(folder, "bytes.gz", &nbytes);

	start = cli_alloc(ncalls + 2, sizeof *start); /* more than there are lines */
	while ((line = strsep(&rest, "\n")) != NULL && *line != '\0')
		if (*line == '=') {
			start[nblob++] = at;
			at += strtoul(line + 1, NULL, 10);
		} else {
			add_line(line, &cap);
		}
	start[nblob] = at;
	if (at != nbytes)
		capture_die("bytes.gz: damaged");
	barrier = cli_alloc(nanswer + 1, sizeof *barrier);
	cursor = cli_alloc(nanswer + 1, sizeof *cursor);
	for (size_t i = 0; i < nanswer; i++) {
		const size_t blob = answer[i].n;

		if (blob > nblob)
			capture_die("calls.gz: damaged");
		answer[i].bytes = blob > 0 ? bytes + start[blob - 1] : bytes;
		answer[i].n = blob > 0 ? start[blob] - start[blob - 1] : 0;
		if (is_barrier(answer[i].key))
			barrier[nbarrier++] = answer[i];
	}
	qsort(answer, nanswer, sizeof *answer, by_key);
	free(start);
}

struct answer *
archive_all(size_t *n)
{
	*n = nanswer;
	return answer;
}

/* Index of the first answer whose key is not below this one. */
static size_t
lower(const char *key)
{
	size_t low = 0, high = nanswer;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (strcmp(answer[middle].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
note_missing(const char *key)
{
	if (archive_verbose)
		fprintf(stderr, "capture: step %u: not in the archive: %s\n", capture_shared->step,
		    key);
}

const struct answer *
archive_state(const char *key)
{
	const size_t first = lower(key);
	struct cursor *c = &cursor[first];
	const uint32_t now = capture_shared->step;
	size_t i = first + c->next;

	if (first == nanswer || strcmp(answer[first].key, key) != 0) {
		note_missing(key);
		return NULL;
	}
	/* Answers of earlier steps that were not taken, but the last one. */
	while (i + 1 < nanswer && answer[i].step < now && answer[i + 1].step <= now &&
	       strcmp(answer[i + 1].key, key) == 0)
		i++;
	if (i < nanswer && strcmp(answer[i].key, key) == 0 &&
	    (answer[i].step <= now || i == first)) {
		c->next = i + 1 - first;
		return &answer[i];
	}
	return &answer[i - 1];
}

const struct answer *
archive_event(const char *key)
{
	const size_t first = lower(key), i = first + cursor[first].next;

	if (i >= nanswer || strcmp(answer[i].key, key) != 0 ||
	    answer[i].step > capture_shared->step)
		return NULL;
	cursor[first].next++;
	return &answer[i];
}

size_t
archive_range(const char *prefix, const struct answer **first)
{
	const size_t low = lower(prefix), length = strlen(prefix);
	size_t i = low;

	while (i < nanswer && strncmp(answer[i].key, prefix, length) == 0)
		i++;
	*first = answer + low;
	return i - low;
}

const char *
archive_open_key(const char *name)
{
	const char *const mark[] = {capture_in_main ? "" : "+", capture_in_main ? "+" : ""};
	const char *key = NULL;

	for (size_t i = 0; i < 2; i++) {
		size_t first;

		key = key_of("open%s %s", mark[i], name);
		first = lower(key);
		if (first < nanswer && strcmp(answer[first].key, key) == 0)
			break;
	}
	return key;
}

const struct answer *
archive_barrier(char kind)
{
	size_t i = next_barrier;

	while (kind == 'w' && i < nbarrier && barrier[i].key[0] != 'w')
		i++;
	if (i == nbarrier || barrier[i].key[0] != kind)
		return NULL;
	next_barrier = i + 1;
	return &barrier[i];
}

uint64_t
archive_until(void)
{
	return next_barrier < nbarrier ? barrier[next_barrier].order : UINT64_MAX;
}

int64_t
recall(const char *key, void *to, size_t n, int error)
{
	const struct answer *a = archive_state(key);

	if (a == NULL) {
		errno = error;
		return -1;
	}
	if (a->result < 0)
		errno = a->error;
	if (n > 0 && a->n > 0)
		memcpy(to, a->bytes, a->n < n ? a->n : n);
	return a->result;
}
