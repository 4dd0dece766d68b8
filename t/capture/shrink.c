/*
 * shrink: tries to replay without halves, quarters and so on of the pages of files. Pages that were
 * read to unwind stay, unless those of a file are very many (tables of symbols, in which the
 * reader of a runtime looks).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli.h"
#include "capture.h"

#define LONGEST 60 /* seconds of a replay */
#define KEPT 48 /* pages of a file that stay because they were read to unwind */

static struct answer **page; /* that may be removed */
static size_t npage;
static char **arguments;
static int narguments;
static char *expected[2]; /* standard output and error */

static char *
read_all(int fd)
{
	struct stat st;
	char *text;

	if (fd < 0 || fstat(fd, &st) != 0)
		capture_die("cannot read what was written: %s", strerror(errno));
	text = cli_alloc((size_t)st.st_size + 1, 1);
	if (pread(fd, text, (size_t)st.st_size, 0) != st.st_size)
		capture_die("cannot read what was written");
	return text;
}

/* True if a replay has the output of the recording. */
static bool
is_same(void)
{
	int out[2] = {memfd_create("stacks", MFD_CLOEXEC), memfd_create("notes", MFD_CLOEXEC)};
	const pid_t pid = fork();
	bool same = true;

	if (pid == 0) {
		alarm(LONGEST);
		dup2(out[0], STDOUT_FILENO);
		dup2(out[1], STDERR_FILENO);
		exit(capture_replay(narguments, arguments));
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		capture_die("fork: %s", strerror(errno));
	for (int i = 0; i < 2; i++) {
		char *got = read_all(out[i]);

		same = same && strcmp(got, expected[i]) == 0;
		free(got);
		close(out[i]);
	}
	return same;
}

static void
hide(size_t from, size_t to, bool hidden)
{
	for (size_t i = from; i < to; i++)
		page[i]->hidden = hidden;
}

static void
try(size_t from, size_t to)
{
	const size_t middle = (from + to) / 2;

	if (from == to)
		return;
	hide(from, to, true);
	if (is_same())
		return;
	hide(from, to, false);
	if (to - from > 1) {
		try(from, middle);
		try(middle, to);
	}
}

/* Lists the pages that may be removed. */
static void
list_pages(struct answer *all, size_t n)
{
	static unsigned unwound[10000];
	unsigned file;

	page = cli_alloc(n + 1, sizeof *page);
	for (size_t i = 0; i < n; i++)
		if (sscanf(all[i].key, "page %4u", &file) == 1)
			unwound[file] += all[i].result != 0;
	for (size_t i = 0; i < n; i++)
		if (sscanf(all[i].key, "page %4u", &file) == 1 &&
		    (all[i].result == 0 || unwound[file] > KEPT))
			page[npage++] = &all[i];
}

static int
by_order(const void *a, const void *b)
{
	const struct answer *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

int
shrink(const char *folder, int argc, char **argv)
{
	static const char *const name[] = {"stacks", "notes"};
	struct answer *all, *left;
	size_t n, nleft = 0;

	arguments = argv;
	narguments = argc;
	for (int i = 0; i < 2; i++) {
		char *path;

		if (asprintf(&path, "%s/%s", folder, name[i]) < 0)
			capture_die("out of memory");
		expected[i] = read_all(open(path, O_RDONLY | O_CLOEXEC));
		free(path);
	}
	all = archive_all(&n);
	if (!is_same())
		return 1;
	list_pages(all, n);
	try(0, npage);
	left = cli_alloc(n + 1, sizeof *left);
	for (size_t i = 0; i < n; i++)
		if (!all[i].hidden)
			left[nleft++] = all[i];
	qsort(left, nleft, sizeof *left, by_order);
	for (size_t i = 0; i < nleft; i++)
		left[i].order = i;
	pack(folder, left, nleft);
	free(left);
	return 0;
}
