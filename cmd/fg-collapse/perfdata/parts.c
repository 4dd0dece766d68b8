/*
 * parts: merges the files of a recording by the times of their records, with a heap of the
 * next record of each file.
 */
#include "fg-collapse/perfdata/parts.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/vec.h"

#define PREFIX "data."

/* Number of a data.N file; UINT64_MAX if the name is another. */
static uint64_t
number_of(const char *name)
{
	const size_t n = strlen(PREFIX);
	uint64_t number = 0;

	if (strncmp(name, PREFIX, n) != 0 || name[n] == '\0' || strlen(name + n) > 9)
		return UINT64_MAX;
	for (const char *s = name + n; *s != '\0'; s++) {
		if (*s < '0' || *s > '9')
			return UINT64_MAX;
		number = number * 10 + (uint64_t)(*s - '0');
	}
	return number;
}

static int
by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Numbers of the data.N files in a directory, sorted; the caller frees them. */
static uint64_t *
list_numbers(const char *directory, size_t *n)
{
	uint64_t *number = NULL;
	size_t cap = 0;
	struct dirent *e;
	DIR *d = opendir(directory);

	*n = 0;
	if (d == NULL)
		return NULL;
	while ((e = readdir(d)) != NULL) {
		vec_fit(number, cap, *n + 1);
		number[*n] = number_of(e->d_name);
		*n += number[*n] != UINT64_MAX;
	}
	closedir(d);
	if (*n > 0)
		sort_items(number, *n, sizeof *number, by_number);
	return number;
}

/* The directory of an input, allocated, and the length of its name in front of the file's. */
static char *
directory_of(const char *input, int *length)
{
	const char *slash = strrchr(input, '/');
	char *directory;

	*length = slash == NULL ? 0 : (int)(slash - input) + 1;
	directory = *length == 0 ? cli_strdup(".") : strndup(input, (size_t)*length);
	if (directory == NULL)
		cli_die("out of memory");
	return directory;
}

/* The path of a file beside the input, allocated. */
static char *
path_of(const char *input, int length, uint64_t number)
{
	char *path;

	if (asprintf(&path, "%.*s" PREFIX "%llu", length, input, (unsigned long long)number) < 0)
		cli_die("out of memory");
	return path;
}

void
parts_sandbox(struct sandbox *s, const char *input)
{
	char *directory;
	uint64_t *number;
	size_t n;
	int length;

	if (strcmp(str_base(str_of(input)).s, "data") != 0)
		return;
	directory = directory_of(input, &length);
	number = list_numbers(directory, &n);
	sandbox_take(s, SANDBOX_READ, directory);
	for (size_t i = 0; i < n; i++)
		sandbox_take(s, SANDBOX_READ, path_of(input, length, number[i]));
	free(number);
}

static void
open_others(struct parts *p, struct reader *r, struct recordqueue *relay)
{
	const char *input = lines_name(r->lines);
	int length;
	char *directory = directory_of(input, &length);
	uint64_t *number;
	size_t n;

	number = list_numbers(directory, &n);
	free(directory);
	if (n == 0 || strcmp(input, "stdin") == 0)
		cli_die(
		    "%s: a file of perf record --threads, whose samples are in the files data.N "
		    "beside it; give the directory",
		    input);
	p->part = cli_realloc(p->part, n + 1, sizeof *p->part);
	for (size_t i = 0; i < n; i++) {
		struct part *part = &p->part[p->n++];

		if (number[i] != i && (i == 0 || number[i] != number[i - 1] + 1))
			cli_warn("%.*s" PREFIX "%llu is missing", length, input,
			    i == 0 ? 0ULL : (unsigned long long)number[i - 1] + 1);
		*part = (struct part){0};
		part->name = path_of(input, length, number[i]);
		part->source = source_open(part->name);
		recordstream_init(
		    &part->stream, part->source, (uint32_t)p->n - 1, relay, p->swapped);
	}
	free(number);
}

void
parts_open(struct parts *p, struct reader *r, struct recordqueue *relay, struct attrs *attrs,
    bool swapped, uint64_t at, uint64_t limit, bool directory)
{
	*p = (struct parts){.attrs = attrs, .swapped = swapped};
	p->part = cli_alloc(1, sizeof *p->part);
	p->n = 1;
	p->part->name = (char *)lines_name(r->lines);
	recordstream_init(&p->part->stream, lines_source(r->lines), 0, relay, swapped);
	if (limit > 0)
		recordstream_limit(&p->part->stream, at, limit);
	if (directory)
		open_others(p, r, relay);
	p->heap = cli_alloc(p->n, sizeof *p->heap);
}

void
parts_close(struct parts *p, bool strict)
{
	for (size_t i = 0; i < p->n; i++) {
		recordstream_free(&p->part[i].stream);
		if (i == 0)
			continue;
		source_finish(p->part[i].source, strict);
		source_close(p->part[i].source);
		free(p->part[i].name);
	}
	free(p->part);
	free(p->heap);
}

/* Reads the next record of a part and its time; false at the end. */
static bool
advance(struct parts *p, struct part *part)
{
	struct attr *a;

	if (!recordstream_next(&part->stream, &part->head))
		return false;
	if (part->head.h->type < RECORD_USER &&
	    (a = attrs_of(p->attrs, part->head.h, p->swapped)) != NULL)
		attrs_time(a, part->head.h, p->swapped, &part->time);
	return true;
}

/* True if the part at x of the heap has the older record; of one time, the part opened first. */
static bool
older(const struct parts *p, size_t x, size_t y)
{
	uint64_t a = p->part[p->heap[x]].time, b = p->part[p->heap[y]].time;

	return a != b ? a < b : p->heap[x] < p->heap[y];
}

/* Moves the entry at `at` down to its place in the heap. */
static void
sift(struct parts *p, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < p->nheap; at = child) {
		uint32_t swap = p->heap[at];

		if (child + 1 < p->nheap && older(p, child + 1, child))
			child++;
		if (!older(p, child, at))
			return;
		p->heap[at] = p->heap[child];
		p->heap[child] = swap;
	}
}

static void
begin(struct parts *p)
{
	p->begun = true;
	for (size_t i = 0; i < p->n; i++)
		if (advance(p, &p->part[i]))
			p->heap[p->nheap++] = (uint32_t)i;
	for (size_t i = p->nheap; i-- > 0;)
		sift(p, i);
}

struct part *
parts_next(struct parts *p, struct record *record)
{
	struct part *part;

	if (p->n == 1)
		return recordstream_next(&p->part->stream, record) ? p->part : NULL;
	if (!p->begun) {
		begin(p);
	} else if (p->nheap > 0) {
		if (!advance(p, &p->part[p->heap[0]]))
			p->heap[0] = p->heap[--p->nheap];
		sift(p, 0);
	}
	if (p->nheap == 0)
		return NULL;
	part = &p->part[p->heap[0]];
	*record = part->head;
	return part;
}
