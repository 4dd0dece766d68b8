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

struct file {
	char *name;
	const char *age; /* the name by which it is sorted */
	size_t turn; /* of those that the recording wrote, from 1 */
};

struct found {
	struct file *file;
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

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct file *)a)->name, ((const struct file *)b)->name);
}

static int
by_age(const void *a, const void *b)
{
	const struct file *f = a, *g = b;
	const int order = strcmp(f->age, g->age);

	return order != 0 ? order : (f->turn > g->turn) - (f->turn < g->turn);
}

/* Sorts the files by age. Forgets those of r that are no longer there. */
static void
sort_by_age(struct retention *r, struct found *f, const char *present)
{
	const char *least = present; /* of later files */
	size_t left = r->n;

	if (f->n == 0)
		return;
	sort_items(f->file, f->n, sizeof *f->file, by_name);
	for (size_t i = 0; i < f->n; i++)
		f->file[i].age = strcmp(f->file[i].name, present) > 0 ? "" : f->file[i].name;
	for (size_t i = r->n; i-- > 0;) {
		const struct file key = {.name = r->written[i]};
		struct file *file = bsearch(&key, f->file, f->n, sizeof key, by_name);

		if (file == NULL || file->turn != 0) {
			free(r->written[i]);
			continue;
		}
		file->turn = i + 1;
		if (strcmp(file->name, least) < 0)
			least = file->name;
		file->age = least;
		r->written[--left] = r->written[i];
	}
	r->n -= left;
	memmove(r->written, r->written + left, r->n * sizeof *r->written);
	sort_items(f->file, f->n, sizeof *f->file, by_age);
}

/* Removes all files but the newest n, at most `most` of them; returns their number. */
static size_t
remove_oldest(struct retention *r, const char *pattern, const char *present, size_t n, size_t most)
{
	const char *last = last_part(pattern), *time = strstr(last, "%T");
	struct shape s = {last, time + 2, (size_t)(time - last), strlen(time + 2)};
	char *directory = last == pattern	? cli_strdup(".")
			  : last == pattern + 1 ? cli_strdup("/")
						: strndup(pattern, (size_t)(last - 1 - pattern));
	DIR *d = directory != NULL ? opendir(directory) : NULL;
	struct found f = {0};
	struct dirent *e;
	size_t removed = 0;

	if (d == NULL)
		cli_warn("%s: %s", directory != NULL ? directory : pattern, strerror(errno));
	while (d != NULL && (e = readdir(d)) != NULL)
		if (has_shape(e->d_name, &s) && is_ours(dirfd(d), e->d_name)) {
			vec_fit(f.file, f.cap, f.n + 1);
			f.file[f.n++] = (struct file){.name = cli_strdup(e->d_name)};
		}
	sort_by_age(r, &f, last_part(present));
	for (size_t i = 0; i + n < f.n && i < most; i++) {
		if (unlinkat(dirfd(d), f.file[i].name, 0) == 0)
			removed++;
		else if (errno != ENOENT)
			cli_warn("%s: %s", f.file[i].name, strerror(errno));
	}
	for (size_t i = 0; i < f.n; i++)
		free(f.file[i].name);
	free(f.file);
	free(directory);
	if (d != NULL)
		closedir(d);
	return removed;
}

void
retention_written(struct retention *r, const char *path)
{
	vec_fit(r->written, r->cap, r->n + 1);
	r->written[r->n++] = cli_strdup(last_part(path));
}

void
retention_newest(struct retention *r, const char *pattern, const char *present, size_t n)
{
	remove_oldest(r, pattern, present, n, SIZE_MAX);
}

bool
retention_make_room(struct retention *r, const char *pattern, const char *present)
{
	return remove_oldest(r, pattern, present, 1, 1) > 0;
}
