/*
 * jitmap: reader of perf maps, lines of "start size name" in hexadecimal (the kernel's
 * tools/perf/Documentation/jit-interface.txt), which rereads a map that grew. The profiled
 * process writes it: untrusted input.
 */
#include "elf/jitmap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/clock.h"
#include "base/text.h"
#include "elf/jitdump.h"

#define PERF_MAP_MAX ((off_t)1 << 28) /* bytes; far above real maps */
#define RESTARTS_MAX 1 /* times that a rewritten map is read again from its start */
#define DUMPS 16 /* a process maps one, plus one per fork */

/* CPU time for changes after the first lookup, since a process may write all the time. */
#define CHANGES_FREE (SECOND_NS / 100)
#define CHANGES_SHARE 20 /* then 1 / 20 of the time since the first lookup */

struct jitmap {
	struct symsource_process process;
	int map; /* the perf map; -1: does not exist yet */
	off_t done; /* bytes read of the perf map */
	unsigned restarts; /* see restart */
	char end[64]; /* the last bytes read */
	struct jitdump *dump[DUMPS];
	size_t ndump;
	struct jitcode code;
	uint64_t first; /* ns: end of the first lookup; 0: none yet */
	uint64_t spent; /* ns of CPU time since then on changes */
};

struct jitmap *
jitmap_new(const struct symsource *o, int pid)
{
	struct jitmap *j = cli_alloc(1, sizeof *j);

	symsource_process_open(&j->process, o, pid);
	j->map = -1;
	return j;
}

void
jitmap_free(struct jitmap *j)
{
	symsource_process_close(&j->process);
	if (j->map >= 0)
		close(j->map);
	for (size_t i = 0; i < j->ndump; i++)
		jitdump_free(j->dump[i]);
	jitcode_clear(&j->code);
	free(j);
}

void
jitmap_dump(struct jitmap *j, const char *path)
{
	int fd = j->ndump < DUMPS ? symsource_open_jitdump(&j->process, path) : -1;

	if (fd < 0)
		return;
	j->dump[j->ndump++] = jitdump_new(fd);
	j->first = 0; /* the next lookup reads all of it */
}

size_t
jitmap_count(const struct jitmap *j)
{
	return j->code.n;
}

static bool
hexadecimal(const char **p, const char *end, uint64_t *v)
{
	const char *s = *p;
	size_t digits;

	if (s[0] == '0' && (s[1] | 0x20) == 'x')
		s += 2;
	digits = text_hex(s, (size_t)(end - s), v);
	s += digits;
	if (digits == 0 || (*s != ' ' && *s != '\t'))
		return false;
	while (*s == ' ' || *s == '\t')
		s++;
	*p = s;
	return true;
}

/* Parses complete lines; skips malformed ones. */
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
		if (hexadecimal(&p, newline, &start) && hexadecimal(&p, newline, &length) &&
		    *p != '\0')
			jitcode_add(&j->code, start, length, 0, str_of(p));
	}
}

/* True if the last bytes read are still in the file: it was appended to, not rewritten. */
static bool
is_continued(const struct jitmap *j)
{
	const size_t n = (size_t)j->done < sizeof j->end ? (size_t)j->done : sizeof j->end;
	char now[sizeof j->end];

	if (pread(j->map, now, n, j->done - (off_t)n) != (ssize_t)n)
		return false;
	return memcmp(now, j->end + sizeof j->end - n, n) == 0;
}

/*
 * Prepares to read a rewritten map from its start; false after RESTARTS_MAX times, since a process
 * may rewrite a large map all the time, and each lookup would read it. fg-record has a new process
 * that looks up, and thus a new count, in each interval.
 */
static bool
restart(struct jitmap *j)
{
	if (j->done != 0 && j->restarts++ >= RESTARTS_MAX)
		return false;
	j->done = 0;
	return true;
}

static void
read_map(struct jitmap *j)
{
	struct stat st;
	char *text;
	ssize_t got;
	size_t n;

	if (j->restarts > RESTARTS_MAX)
		return;
	if (j->map < 0)
		j->map = symsource_open_map(&j->process);
	if (j->map < 0 || fstat(j->map, &st) != 0)
		return;
	/* Java rewrites its whole map on each request, as a new file or in place. */
	if (st.st_nlink == 0 && j->done >= st.st_size) {
		int again = symsource_open_map(&j->process);

		if (again >= 0) {
			close(j->map);
			j->map = again;
			if (fstat(j->map, &st) != 0 || !restart(j))
				return;
		}
	}
	if ((st.st_size < j->done || (st.st_size > j->done && !is_continued(j))) && !restart(j))
		return;
	if (st.st_size <= j->done || st.st_size > PERF_MAP_MAX)
		return;
	text = cli_alloc((size_t)(st.st_size - j->done) + 1, 1);
	got = pread(j->map, text, (size_t)(st.st_size - j->done), j->done);
	/* The last line may be incomplete. */
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
	free(text);
}

static void
read_changes(struct jitmap *j)
{
	read_map(j);
	for (size_t i = 0; i < j->ndump; i++)
		jitdump_read(j->dump[i], &j->code);
	jitcode_sort(&j->code);
}

const struct jitcode_piece *
jitmap_find(struct jitmap *j, uint64_t address, uint64_t time)
{
	const uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (j->first == 0) {
		read_changes(j);
		j->first = clock_ns(CLOCK_MONOTONIC);
	} else if (j->spent < CHANGES_FREE + (now - j->first) / CHANGES_SHARE) {
		const uint64_t before = clock_ns(CLOCK_THREAD_CPUTIME_ID);

		read_changes(j);
		j->spent += clock_ns(CLOCK_THREAD_CPUTIME_ID) - before;
	}
	return jitcode_find(&j->code, address, time);
}
