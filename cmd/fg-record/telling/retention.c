/*
 * retention: lists the files of the directory that match the name around %T and are ours, and
 * removes the oldest.
 */
#include "fg-record/telling/retention.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"

#define MARK "# recorded: by fg-record 0"

/* The last part of a pattern: the text before and after the time. */
struct shape {
	const char *before, *after;
	size_t nbefore, nafter;
};

struct found {
	char **name;
	size_t n, cap;
};

void
retention_mark(struct output *o, unsigned columns)
{
	output_text(o, MARK);
	for (unsigned c = 1; c < columns; c++)
		output_text(o, " 0");
	output_char(o, '\n');
}

static bool
is_time(const char *s)
{
	static const char form[] = "00000000T000000.000Z";

	for (size_t i = 0; i < RETENTION_TIME; i++)
		if (form[i] == '0' ? !isdigit((unsigned char)s[i]) : s[i] != form[i])
			return false;
	return true;
}

static bool
has_shape(const char *name, const struct shape *s)
{
	return strlen(name) == s->nbefore + RETENTION_TIME + s->nafter &&
	       memcmp(name, s->before, s->nbefore) == 0 && is_time(name + s->nbefore) &&
	       strcmp(name + s->nbefore + RETENTION_TIME, s->after) == 0;
}

/* True if the file has our header line and owner. Follows no symbolic link and never blocks. */
static bool
is_ours(int dir, const char *name)
{
	char line[sizeof MARK - 1];
	struct stat st;
	bool ours;
	int fd;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
		return false;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ours = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	       read(fd, line, sizeof line) == (ssize_t)sizeof line &&
	       memcmp(line, MARK, sizeof line) == 0;
	close(fd);
	return ours;
}

bool
retention_is_ours(const char *path)
{
	return is_ours(AT_FDCWD, path);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Removes all files but the newest n, at most `most` of them; returns their number. */
static size_t
remove_oldest(const char *pattern, size_t n, size_t most)
{
	const char *slash = strrchr(pattern, '/'), *last = slash != NULL ? slash + 1 : pattern;
	const char *time = strstr(last, "%T");
	struct shape s = {last, time + 2, (size_t)(time - last), strlen(time + 2)};
	char *directory = slash == NULL	     ? cli_strdup(".")
			  : slash == pattern ? cli_strdup("/")
					     : strndup(pattern, (size_t)(slash - pattern));
	DIR *d = directory != NULL ? opendir(directory) : NULL;
	struct found f = {0};
	struct dirent *e;
	size_t removed = 0;

	if (d == NULL)
		cli_warn("%s: %s", directory != NULL ? directory : pattern, strerror(errno));
	while (d != NULL && (e = readdir(d)) != NULL)
		if (has_shape(e->d_name, &s) && is_ours(dirfd(d), e->d_name)) {
			vec_fit(f.name, f.cap, f.n + 1);
			f.name[f.n++] = cli_strdup(e->d_name);
		}
	if (f.n > 0)
		sort_items(f.name, f.n, sizeof *f.name, by_name); /* names sort by time */
	for (size_t i = 0; i < f.n; i++) {
		if (i + n < f.n && i < most) {
			if (unlinkat(dirfd(d), f.name[i], 0) == 0)
				removed++;
			else if (errno != ENOENT)
				cli_warn("%s: %s", f.name[i], strerror(errno));
		}
		free(f.name[i]);
	}
	free(f.name);
	free(directory);
	if (d != NULL)
		closedir(d);
	return removed;
}

void
retention_newest(const char *pattern, size_t n)
{
	remove_oldest(pattern, n, SIZE_MAX);
}

bool
retention_make_room(const char *pattern)
{
	return remove_oldest(pattern, 1, 1) > 0;
}
