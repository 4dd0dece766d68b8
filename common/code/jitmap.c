/*
 * jitmap: a process's generated code by address and time. This file reads the perf
 * map, lines of "start size name" in hexadecimal (the kernel's tools/perf/
 * Documentation/jit-interface.txt), again when it grew. The process that is observed
 * writes it: nothing in it is trusted.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "code/jitdump.h"
#include "code/jitmap.h"

#define PERF_MAP_MAX ((off_t)1 << 30) /* bytes; no runtime comes near */
#define DUMPS 16 /* a process maps one, or one after each fork */
#define VISITS 4096 /* pieces looked at for one address, all overlapping */

/* Code in order of addresses, as a balanced tree: the middle of a stretch is its root. */
struct piece {
	uint64_t start, end;
	uint64_t last; /* the largest end in the stretch of which it is the root */
	uint32_t code;
};

struct jitmap {
	int pid;
	int tmp; /* the process's own /tmp, or -1 */
	int number; /* the process's, in its own namespace */
	int map; /* the perf map; -1: not there yet */
	off_t done; /* bytes of it that were read */
	char end[64]; /* the last of them */
	struct jitdump *dump[DUMPS];
	size_t ndump;
	struct jitmap_code *code; /* as it was read: what comes later takes the place of earlier */
	size_t ncode, size_code;
	struct intmap latest; /* by start: number in code, plus one */
	struct piece *piece; /* all of code when npiece == ncode */
	size_t npiece;
};

int
jitmap_open_regular(int folder, const char *path)
{
	int fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The last number of the NSpid line is the one that the process itself knows. */
static int
number_in_namespace(int pid)
{
	char path[64], line[256];
	int number = pid;
	FILE *status;

	snprintf(path, sizeof path, "/proc/%d/status", pid);
	status = fopen(path, "re");
	if (status == NULL)
		return pid;
	while (fgets(line, sizeof line, status) != NULL)
		if (strncmp(line, "NSpid:", 6) == 0) {
			const char *last = strrchr(line, '\t');

			if (last != NULL)
				number = atoi(last + 1);
			break;
		}
	fclose(status);
	return number;
}

struct jitmap *
jitmap_new(int pid)
{
	struct jitmap *j = cli_alloc(1, sizeof *j);
	struct stat its, our;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/root/tmp", pid);
	j->pid = pid;
	j->tmp = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	/* Usually it is ours, and no descriptor need be kept for each process. */
	if (j->tmp >= 0 && fstat(j->tmp, &its) == 0 && stat("/tmp", &our) == 0 &&
	    its.st_dev == our.st_dev && its.st_ino == our.st_ino) {
		close(j->tmp);
		j->tmp = -1;
	}
	j->number = number_in_namespace(pid);
	j->map = -1;
	return j;
}

void
jitmap_dump(struct jitmap *j, const char *path)
{
	struct jitdump *d;

	if (j->ndump < DUMPS && (d = jitdump_open(j->pid, path)) != NULL)
		j->dump[j->ndump++] = d;
}

size_t
jitmap_count(const struct jitmap *j)
{
	return j->ncode;
}

struct jitmap_code *
jitmap_add(struct jitmap *j, uint64_t start, uint64_t length, uint64_t time, const char *name)
{
	struct jitmap_code *code;

	if (length == 0 || start + length < start || j->ncode == UINT32_MAX)
		return NULL;
	if (j->ncode == j->size_code) {
		j->size_code = j->size_code == 0 ? 256 : 2 * j->size_code;
		j->code = cli_realloc(j->code, j->size_code, sizeof *j->code);
	}
	code = &j->code[j->ncode++];
	*code =
	    (struct jitmap_code){.start = start, .end = start + length, .time = time, .name = name};
	*intmap_at(&j->latest, start) = (void *)(uintptr_t)j->ncode;
	return code;
}

const struct jitmap_code *
jitmap_latest(const struct jitmap *j, uint64_t start)
{
	const uintptr_t number = (uintptr_t)intmap_get(&j->latest, start);

	return number > 0 ? &j->code[number - 1] : NULL;
}

static bool
hexadecimal(const char **p, uint64_t *v)
{
	const char *s = *p;

	if (s[0] == '0' && (s[1] | 0x20) == 'x')
		s += 2;
	if (!isxdigit((unsigned char)*s))
		return false;
	for (*v = 0; isxdigit((unsigned char)*s); s++)
		*v = *v << 4 | (uint64_t)(*s <= '9' ? *s - '0' : (*s | 0x20) - 'a' + 10);
	if (*s != ' ' && *s != '\t')
		return false;
	while (*s == ' ' || *s == '\t')
		s++;
	*p = s;
	return true;
}

/* Whole lines of text, which is kept for their names. Others are passed over. */
static void
parse_map(struct jitmap *j, char *text, const char *end)
{
	for (char *newline; text < end; text = newline + 1) {
		const char *p = text;
		uint64_t start, length;

		newline = memchr(text, '\n', (size_t)(end - text));
		*newline = '\0';
		if (newline > text && newline[-1] == '\r')
			newline[-1] = '\0';
		if (hexadecimal(&p, &start) && hexadecimal(&p, &length) && *p != '\0')
			jitmap_add(j, start, length, 0, p);
	}
}

/* In the process's own /tmp, or else in ours, by either of its numbers. */
static int
open_map(const struct jitmap *j)
{
	char path[64];
	int fd = -1;

	if (j->tmp >= 0) {
		snprintf(path, sizeof path, "perf-%d.map", j->number);
		fd = jitmap_open_regular(j->tmp, path);
	}
	if (fd < 0) {
		snprintf(path, sizeof path, "/tmp/perf-%d.map", j->pid);
		fd = jitmap_open_regular(AT_FDCWD, path);
	}
	/* Another pid namespace, but the same /tmp. */
	if (fd < 0 && j->tmp < 0 && j->number != j->pid) {
		snprintf(path, sizeof path, "/tmp/perf-%d.map", j->number);
		fd = jitmap_open_regular(AT_FDCWD, path);
	}
	return fd;
}

/* Whether what was read of the map last still stands there. */
static bool
is_continued(const struct jitmap *j)
{
	const size_t n = (size_t)j->done < sizeof j->end ? (size_t)j->done : sizeof j->end;
	char now[sizeof j->end];

	if (pread(j->map, now, n, j->done - (off_t)n) != (ssize_t)n)
		return false;
	return memcmp(now, j->end + sizeof j->end - n, n) == 0;
}

static void
read_map(struct jitmap *j)
{
	struct stat st;
	char *text;
	ssize_t got;
	size_t n;

	if (j->map < 0)
		j->map = open_map(j);
	if (j->map < 0 || fstat(j->map, &st) != 0)
		return;
	/* Java writes its whole map anew each time it is asked to: another file, or over the old.
	 */
	if (st.st_nlink == 0 && j->done >= st.st_size) {
		int again = open_map(j);

		if (again >= 0) {
			close(j->map);
			j->map = again;
			j->done = 0;
			if (fstat(j->map, &st) != 0)
				return;
		}
	}
	if (st.st_size < j->done || (st.st_size > j->done && !is_continued(j)))
		j->done = 0;
	if (st.st_size <= j->done || st.st_size > PERF_MAP_MAX)
		return;
	text = cli_alloc((size_t)(st.st_size - j->done) + 1, 1);
	got = pread(j->map, text, (size_t)(st.st_size - j->done), j->done);
	/* The last line may be half written. */
	while (got > 0 && text[got - 1] != '\n')
		got--;
	if (got <= 0) {
		free(text);
		return;
	}
	j->done += got;
	n = (size_t)got < sizeof j->end ? (size_t)got : sizeof j->end;
	memmove(j->end, j->end + n, sizeof j->end - n);
	memcpy(j->end + sizeof j->end - n, text + got - n, n);
	parse_map(j, text, text + got);
}

/* Set the largest end of each stretch of sorted pieces; returns that of [low, high). */
static uint64_t
set_last(struct piece *piece, size_t low, size_t high)
{
	const size_t middle = low + (high - low) / 2;
	uint64_t last, below;

	if (low == high)
		return 0;
	last = piece[middle].end;
	below = set_last(piece, low, middle);
	last = below > last ? below : last;
	below = set_last(piece, middle + 1, high);
	last = below > last ? below : last;
	piece[middle].last = last;
	return last;
}

static int
compare_pieces(const void *va, const void *vb)
{
	const struct piece *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->code > b->code) - (a->code < b->code);
}

static void
sort_pieces(struct jitmap *j)
{
	j->npiece = j->ncode;
	j->piece = cli_realloc(j->piece, j->npiece, sizeof *j->piece);
	for (size_t i = 0; i < j->ncode; i++)
		j->piece[i] = (struct piece){j->code[i].start, j->code[i].end, 0, (uint32_t)i};
	qsort(j->piece, j->npiece, sizeof *j->piece, compare_pieces);
	set_last(j->piece, 0, j->npiece);
}

struct query {
	uint64_t address, time;
	const struct jitmap_code *best;
	unsigned visits;
};

/* Whether b is to name the time of the query rather than a. */
static bool
is_better(const struct jitmap_code *a, const struct jitmap_code *b, uint64_t time)
{
	if (a == NULL)
		return true;
	if (time != 0) {
		/* Code that is yet to come only where there was none before. */
		const bool late_a = a->time > time, late_b = b->time > time;

		if (late_a != late_b)
			return late_a;
		if (a->time != b->time)
			return late_a ? b->time < a->time : b->time > a->time;
	}
	return b > a;
}

static void
search(const struct jitmap *j, struct query *q, size_t low, size_t high)
{
	const size_t middle = low + (high - low) / 2;
	const struct piece *p = &j->piece[middle];

	if (low == high || p->last <= q->address || q->visits == VISITS)
		return;
	search(j, q, low, middle);
	if (p->start > q->address)
		return;
	if (q->address < p->end) {
		q->visits++;
		if (is_better(q->best, &j->code[p->code], q->time))
			q->best = &j->code[p->code];
	}
	search(j, q, middle + 1, high);
}

const struct jitmap_code *
jitmap_find(struct jitmap *j, uint64_t address, uint64_t time)
{
	struct query q = {address, time, NULL, 0};

	read_map(j);
	for (size_t i = 0; i < j->ndump; i++)
		jitdump_read(j->dump[i], j);
	if (j->npiece != j->ncode)
		sort_pieces(j);
	search(j, &q, 0, j->npiece);
	return q.best;
}
