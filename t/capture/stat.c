/*
 * stat: directories, and properties of files by name.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cli.h"
#include "capture.h"

#define LIST UINT64_C(0x7473696c20656874) /* no directory stream of the C library begins so */

struct list {
	uint64_t mark;
	char *names, *next; /* a NUL after each */
	size_t n;
	struct dirent entry;
};

static struct list *
new_list(const void *names, size_t n)
{
	struct list *l = cli_alloc(1, sizeof *l);

	*l = (struct list){.mark = LIST, .n = n};
	l->names = l->next = cli_realloc(NULL, n + 1, 1);
	memcpy(l->names, names, n);
	return l;
}

DIR *
opendir(const char *path)
{
	char buffer[PATH_MAX], key[PATH_MAX + 8], *names = NULL;
	const char *name = file_name(AT_FDCWD, path, buffer);
	size_t n = 0;
	struct dirent *e;
	struct list *l;
	DIR *d;

	if (capture_mode == CAPTURE_OFF || name == NULL)
		return REAL(opendir)(path);
	snprintf(key, sizeof key, "list %s", name);
	if (capture_mode == CAPTURE_REPLAY) {
		const struct answer *a = archive_state(key);

		errno = a == NULL ? ENOENT : a->error;
		return a == NULL || a->result < 0 ? NULL : (DIR *)(void *)new_list(a->bytes, a->n);
	}
	d = REAL(opendir)(path);
	while (d != NULL && (e = REAL(readdir)(d)) != NULL) {
		const size_t length = strlen(e->d_name) + 1;

		names = cli_realloc(names, n + length, 1);
		memcpy(names + n, e->d_name, length);
		n += length;
	}
	log_add(key, d == NULL ? -1 : 0, names, n);
	if (d != NULL)
		REAL(closedir)(d);
	l = d == NULL ? NULL : new_list(names, n);
	free(names);
	return (DIR *)(void *)l;
}

struct dirent *
readdir(DIR *d)
{
	struct list *l = (struct list *)(void *)d;

	if (l->mark != LIST)
		return REAL(readdir)(d);
	if (l->next >= l->names + l->n)
		return NULL;
	snprintf(l->entry.d_name, sizeof l->entry.d_name, "%s", l->next);
	l->next += strlen(l->next) + 1;
	return &l->entry;
}

int
closedir(DIR *d)
{
	struct list *l = (struct list *)(void *)d;

	if (l->mark != LIST)
		return REAL(closedir)(d);
	free(l->names);
	free(l);
	return 0;
}

static int
stat_any(int directory, const char *path, struct stat *st, int flags)
{
	char buffer[PATH_MAX], key[PATH_MAX + 8];
	const char *name = path[0] == '\0' ? NULL : file_name(directory, path, buffer);
	long result;

	if (capture_mode == CAPTURE_OFF || name == NULL)
		return (int)SYS(newfstatat, directory, path, st, flags);
	snprintf(key, sizeof key, "stat %s", name);
	if (capture_mode == CAPTURE_REPLAY)
		return (int)recall(key, st, sizeof *st, ENOENT);
	result = SYS(newfstatat, directory, path, st, flags);
	return (int)keep(key, result, st, result == 0 ? sizeof *st : 0);
}

int
fstatat(int directory, const char *path, struct stat *st, int flags)
{
	return stat_any(directory, path, st, flags);
}

int
stat(const char *path, struct stat *st)
{
	return stat_any(AT_FDCWD, path, st, 0);
}

int
lstat(const char *path, struct stat *st)
{
	return stat_any(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

int
fstat(int fd, struct stat *st)
{
	const struct object *o = object_of(fd);

	if (capture_mode != CAPTURE_OFF && o != NULL && o->kind == OBJECT_FILE)
		return file_stat(fd, o, st);
	if (capture_mode == CAPTURE_REPLAY && o != NULL && o->kind == OBJECT_DIRECTORY) {
		return recall(archive_open_key(o->name), st, sizeof *st, EBADF) < 0 ? -1 : 0;
	}
	return (int)SYS(newfstatat, fd, "", st, AT_EMPTY_PATH);
}

int
access(const char *path, int mode)
{
	char buffer[PATH_MAX];
	const char *name = file_name(AT_FDCWD, path, buffer), *key;

	if (capture_mode == CAPTURE_OFF || name == NULL)
		return (int)SYS(faccessat, AT_FDCWD, path, mode);
	key = key_of("access %d %s", mode, name);
	if (capture_mode == CAPTURE_REPLAY)
		return (int)recall(key, NULL, 0, ENOENT);
	return (int)keep(key, SYS(faccessat, AT_FDCWD, path, mode), NULL, 0);
}

ssize_t
readlink(const char *path, char *to, size_t size)
{
	char buffer[PATH_MAX];
	const char *name = file_name(AT_FDCWD, path, buffer), *key;
	ssize_t n;

	if (capture_mode == CAPTURE_OFF || name == NULL)
		return SYS(readlinkat, AT_FDCWD, path, to, size);
	key = key_of("link %s", name);
	if (capture_mode == CAPTURE_REPLAY)
		return recall(key, to, size, ENOENT);
	n = SYS(readlinkat, AT_FDCWD, path, to, size);
	return keep(key, n, to, n > 0 ? (size_t)n : 0);
}

char *
realpath(const char *restrict path, char *restrict to)
{
	char buffer[PATH_MAX], real[PATH_MAX] = "";
	const char *name = file_name(AT_FDCWD, path, buffer), *key;
	char *found;

	if (capture_mode == CAPTURE_OFF || name == NULL)
		return REAL(realpath)(path, to);
	key = key_of("real %s", name);
	if (capture_mode == CAPTURE_REPLAY) {
		if (recall(key, real, sizeof real - 1, ENOENT) < 0)
			return NULL;
	} else {
		found = REAL(realpath)(path, real);
		log_add(key, found == NULL ? -1 : 0, real, found == NULL ? 0 : strlen(real) + 1);
		if (found == NULL)
			return NULL;
	}
	return to == NULL ? strdup(real) : strcpy(to, real);
}
char *
canonicalize_file_name(const char *path)
{
	return realpath(path, NULL);
}

int
glob(const char *restrict pattern, int flags, int (*failed)(const char *, int), glob_t *restrict g)
{
	char names[65536];
	const char *key = key_of("glob %s", pattern);
	size_t n = 0;
	int result;

	if (capture_mode == CAPTURE_OFF)
		return REAL(glob)(pattern, flags, failed, g);
	if (capture_mode == CAPTURE_RECORD) {
		result = REAL(glob)(pattern, flags, failed, g);
		for (size_t i = 0; result == 0 && i < g->gl_pathc; i++)
			n +=
			    (size_t)snprintf(names + n, sizeof names - n, "%s", g->gl_pathv[i]) + 1;
		if (n > sizeof names)
			capture_die("%s: too many files", pattern);
		return (int)keep(key_of("glob %s", pattern), result, names, n);
	}
	const struct answer *a = archive_state(key);

	*g = (glob_t){0};
	if (a == NULL || a->result != 0)
		return GLOB_NOMATCH;
	g->gl_pathv = cli_alloc(a->n + 1, sizeof *g->gl_pathv);
	for (size_t at = 0; at < a->n; at += strlen((const char *)a->bytes + at) + 1)
		g->gl_pathv[g->gl_pathc++] = strdup((const char *)a->bytes + at);
	return 0;
}
