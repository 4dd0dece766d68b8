/*
 * output: writes to stdout, in place, to a nameless file (O_TMPFILE), which the kernel removes
 * if the process is killed, or else to a temporary file beside the target.
 */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/text.h"
#include "base/interrupt.h"
#include "base/vec.h"

#define DIRECT 4096 /* bytes from which output_direct() does not copy */
#define UNFINISHED_MAX 8

static void release(struct output *o);

/* The temporary files of this process, for exits and signals. */
static struct {
	int dir;
	char *name; /* NULL: no entry */
} unfinished[UNFINISHED_MAX];

/* Outputs for the next output_open of their paths; NULL: in use. */
static struct output **prepared;
static char **prepared_path;
static size_t nprepared, cap_prepared, cap_prepared_path;

static void
remove_unfinished(void)
{
	for (size_t i = 0; i < UNFINISHED_MAX; i++)
		if (unfinished[i].name != NULL)
			unlinkat(unfinished[i].dir, unfinished[i].name, 0);
}

static void
forget_temp(const struct output *o)
{
	for (size_t i = 0; i < UNFINISHED_MAX; i++)
		if (o->temp != NULL && unfinished[i].name == o->temp)
			unfinished[i].name = NULL;
}

static void
remove_and_die(int sig)
{
	remove_unfinished();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void
fail(struct output *o)
{
	if (errno == EPIPE) /* SIGPIPE is ignored: the reader has ended, no message */
		cli_exit_error();
	cli_die("%s: %s", o->path, strerror(errno));
}

/* A temporary name for another file of the same directory. */
static char *
temp_name(unsigned n)
{
	char *name;

	if (asprintf(&name, ".fg.%06x", n & 0xffffff) < 0)
		cli_die("out of memory");
	return name;
}

/* True if a file of that directory may be of any user: for root also if only a group may make
 * files. */
static bool
is_shared(const struct stat *dir)
{
	return (dir->st_mode & (geteuid() == 0 ? S_IWGRP | S_IWOTH : S_IWOTH)) != 0;
}

/*
 * True if a file may be the trap of an attacker, to get the contents: another user made it in a
 * directory where others may make files. The owner of the directory may have any file there.
 */
static bool
is_trap(const struct fileplace *at, const struct stat *old)
{
	struct stat dir;

	return old->st_uid != geteuid() && fstat(at->dir, &dir) == 0 && is_shared(&dir) &&
	       old->st_uid != dir.st_uid;
}

/*
 * Opens the old file, truncated if it is a regular one; false and errno if it cannot, or if the
 * name has another file now. A symbolic link is one of /proc, or has come since: then its directory
 * is shared.
 */
static bool
open_in_place(struct output *o, const struct stat *old)
{
	const bool link = S_ISLNK(old->st_mode);
	struct stat st;

	if (link && (fstat(o->place.dir, &st) != 0 || is_shared(&st))) {
		errno = EACCES;
		return false;
	}
	o->fd = openat(o->place.dir, o->place.name, O_WRONLY | O_CLOEXEC | (link ? 0 : O_NOFOLLOW));
	if (o->fd < 0)
		return false;
	errno = EACCES;
	if (fstat(o->fd, &st) == 0 &&
	    (link || (st.st_dev == old->st_dev && st.st_ino == old->st_ino)) &&
	    (!S_ISREG(st.st_mode) || ftruncate(o->fd, 0) == 0))
		return true;
	close(o->fd);
	o->fd = -1;
	return false;
}

/* Has signals that end the program remove temporary files first. */
static void
remove_at_exit(const int *fatal, size_t n)
{
	static bool registered;

	if (registered)
		return;
	registered = true;
	atexit(remove_unfinished);
	for (size_t i = 0; i < n; i++) {
		struct sigaction now;

		if (fatal[i] == SIGINT && interrupt_then(remove_and_die))
			continue;
		if (sigaction(fatal[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			signal(fatal[i], remove_and_die);
	}
}

/*
 * Creates a temporary file in the directory of o, to be removed if the program exits early or a
 * signal ends it; blocks signals in between.
 */
static bool
open_temp(struct output *o, mode_t mode)
{
	static const int fatal[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
	sigset_t ours, before;
	size_t free_entry = 0;

	while (free_entry < UNFINISHED_MAX && unfinished[free_entry].name != NULL)
		free_entry++;
	errno = EMFILE;
	if (free_entry == UNFINISHED_MAX)
		return false;
	remove_at_exit(fatal, sizeof fatal / sizeof fatal[0]);
	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
		sigaddset(&ours, fatal[i]);
	sigprocmask(SIG_BLOCK, &ours, &before);
	errno = EEXIST;
	for (int i = 0; i < 100 && o->fd < 0 && errno == EEXIST; i++) {
		uint32_t random = 0;
		char *name;

		if (!compat_random(&random, sizeof random))
			random = (uint32_t)getpid() * 100 + (uint32_t)i;
		name = temp_name(random);
		o->fd = openat(
		    o->place.dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (o->fd >= 0) {
			o->temp = unfinished[free_entry].name = name;
			unfinished[free_entry].dir = o->place.dir;
		} else {
			free(name);
		}
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return o->fd >= 0;
}

/*
 * Gives the file its target's name; returns 0, or -1 and errno. linkat cannot replace a file:
 * then links it to a temporary name and renames it at once, with signals blocked.
 */
static int
put_in_place(struct output *o)
{
	const int dir = o->place.dir;
	char from[sizeof COMPAT_DESCRIPTORS "/" + 10];
	sigset_t all, before;
	int result = -1;

	if (o->temp != NULL)
		return renameat(dir, o->temp, dir, o->target);
	snprintf(from, sizeof from, COMPAT_DESCRIPTORS "/%d", o->fd);
	if (linkat(AT_FDCWD, from, dir, o->target, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (errno != EEXIST)
		return -1;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	for (int i = 0; i < 100 && result != 0 && errno == EEXIST; i++) {
		char *temp = temp_name((unsigned)getpid() * 100 + (unsigned)i);

		if (linkat(AT_FDCWD, from, dir, temp, AT_SYMLINK_FOLLOW) == 0) {
			result = renameat(dir, temp, dir, o->target);
			if (result != 0) {
				int error = errno;

				unlinkat(dir, temp, 0);
				errno = error == EEXIST ? EISDIR : error;
			}
		}
		free(temp);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return result;
}

/* Gives a new file the mode and owner of the old one; false and errno if it cannot. */
static bool
make_alike(int fd, const struct stat *old)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return false;
	if ((st.st_mode & 0777) != (old->st_mode & 0777) && fchmod(fd, old->st_mode & 0777) != 0)
		return false;
	return (st.st_uid == old->st_uid && st.st_gid == old->st_gid) ||
	       fchown(fd, old->st_uid, old->st_gid) == 0 || geteuid() != 0;
}

/* Removes the file that was opened. */
static void
discard(struct output *o)
{
	if (o->temp != NULL) {
		forget_temp(o);
		unlinkat(o->place.dir, o->temp, 0);
		free(o->temp);
	}
	if (o->fd >= 0)
		close(o->fd);
	o->fd = -1;
	o->temp = o->target = NULL;
}

/*
 * Opens a new or regular file's replacement, with the mode that it has or would get. False and
 * errno on failure.
 */
static bool
open_replacing(struct output *o, const struct stat *old)
{
	const mode_t mode = old != NULL ? old->st_mode & 0777 : 0666;
	mode_t mask = 0;

	if (old != NULL && faccessat(o->place.dir, o->place.name, W_OK, 0) != 0)
		return false;
	if (old != NULL)
		mask = umask(0);
	/* Linking a nameless file of another owner needs capabilities; all do /proc, later. */
	if ((old == NULL || old->st_uid == geteuid()) && access(COMPAT_DESCRIPTORS, X_OK) == 0)
		o->fd = compat_nameless(o->place.dir, ".", O_WRONLY, mode);
	if (o->fd < 0)
		open_temp(o, mode);
	if (old != NULL)
		umask(mask);
	if (o->fd < 0 && old != NULL && (errno == EACCES || errno == EPERM || errno == EROFS))
		/* The directory is not writable, but the file is. */
		return open_in_place(o, old);
	if (o->fd < 0)
		return false;
	o->target = o->place.name;
	if (old == NULL || make_alike(o->fd, old))
		return true;
	/* Inside the sandbox a file cannot be given to another user. */
	discard(o);
	return open_in_place(o, old);
}

struct output *
output_fd(int fd, const char *name)
{
	struct output *o = cli_alloc(1, sizeof *o);

	o->size = OUTPUT_BUFFER;
	o->buf = cli_realloc(NULL, o->size, 1);
	o->path = cli_strdup(name);
	o->fd = fd;
	o->place = (struct fileplace){-1, NULL, -1};
	return o;
}

/* The kinds of files that output_open distinguishes. */
enum kind { KIND_FAILED, KIND_OWN, KIND_NEW, KIND_REGULAR, KIND_OTHER };

static enum kind
find(struct output *o, struct stat *st)
{
	if (!fileplace_find(&o->place, o->path))
		return KIND_FAILED;
	if (o->place.own >= 0)
		return KIND_OWN;
	if (fstatat(o->place.dir, o->place.name, st, AT_SYMLINK_NOFOLLOW) == 0)
		return S_ISREG(st->st_mode) ? KIND_REGULAR : KIND_OTHER;
	return errno == ENOENT ? KIND_NEW : KIND_OTHER;
}

/* Refuses a file that would give its contents to another user. */
static void
refuse_trap(const struct output *o, const struct stat *old)
{
	if (is_trap(&o->place, old))
		cli_die(
		    "%s: it belongs to another user, in a directory where others may make files; "
		    "remove it first, or use another name",
		    o->path);
}

static struct output *
use_prepared(const char *path)
{
	for (size_t i = 0; i < nprepared; i++)
		if (prepared[i] != NULL && strcmp(prepared_path[i], path) == 0) {
			struct output *o = prepared[i];

			prepared[i] = NULL;
			return o;
		}
	return NULL;
}

int
output_prepare(const char *path)
{
	struct output *o;
	struct stat st;
	enum kind kind;

	for (size_t i = 0; i < nprepared; i++)
		if (strcmp(prepared_path[i], path) == 0)
			return prepared[i] != NULL ? prepared[i]->place.dir : -1;
	o = output_fd(-1, path);
	kind = find(o, &st);
	if (kind == KIND_REGULAR)
		refuse_trap(o, &st);
	if ((kind != KIND_NEW && kind != KIND_REGULAR) ||
	    !open_replacing(o, kind == KIND_REGULAR ? &st : NULL) || o->target == NULL) {
		discard(o);
		release(o);
		return -1;
	}
	vec_fit(prepared, cap_prepared, nprepared + 1);
	vec_fit(prepared_path, cap_prepared_path, nprepared + 1);
	prepared[nprepared] = o;
	prepared_path[nprepared++] = cli_strdup(path);
	return o->place.dir;
}

struct output *
output_try(const char *path)
{
	struct output *o;
	struct stat st = {0};
	bool opened = false;

	if (path == NULL || strcmp(path, "-") == 0)
		return output_fd(STDOUT_FILENO, "stdout");
	o = use_prepared(path);
	if (o != NULL)
		return o;
	o = output_fd(-1, path);
	switch (find(o, &st)) {
	case KIND_FAILED: break;
	case KIND_OWN:
		o->fd = fcntl(o->place.own, F_DUPFD_CLOEXEC, 0);
		opened = o->fd >= 0;
		break;
	case KIND_NEW: opened = open_replacing(o, NULL); break;
	case KIND_REGULAR:
		refuse_trap(o, &st);
		opened = open_replacing(o, &st);
		break;
	case KIND_OTHER:
		if (!S_ISDIR(st.st_mode) && !S_ISLNK(st.st_mode))
			refuse_trap(o, &st);
		opened = open_in_place(o, &st);
		break;
	}
	if (!opened) {
		const int error = errno;

		discard(o);
		release(o);
		errno = error;
		return NULL;
	}
	return o;
}

struct output *
output_open(const char *path)
{
	struct output *o = output_try(path);

	if (o == NULL)
		cli_die("%s: %s", path, strerror(errno));
	return o;
}

static void
write_all(struct output *o, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(o->fd, data, len);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			fail(o);
		}
		data += n;
		len -= (size_t)n;
		o->begun = true;
	}
}

/* The output of output_lines, for use at exit. */
static struct output *streamed;

/* At exit: writes the complete lines in the buffer. The cause of the exit is already reported. */
static void
flush_lines(void)
{
	const char *end;
	size_t at = 0, len;

	if (streamed == NULL || streamed->temp != NULL)
		return;
	end = memrchr(streamed->buf, '\n', streamed->n);
	len = end != NULL ? (size_t)(end + 1 - streamed->buf) : 0;
	while (at < len) {
		ssize_t n = write(streamed->fd, streamed->buf + at, len - at);

		if (n < 0 && errno != EINTR)
			return;
		at += n > 0 ? (size_t)n : 0;
	}
}

void
output_lines(struct output *o)
{
	static bool registered;

	if (!registered && atexit(flush_lines) != 0)
		cli_die("out of memory");
	registered = true;
	o->lines = true;
	streamed = o;
}

/* Writes the complete lines, and ensures space for len more bytes of an incomplete one. */
static void
write_lines(struct output *o, size_t len)
{
	const char *end = memrchr(o->buf, '\n', o->n);

	if (end != NULL) {
		size_t whole = (size_t)(end + 1 - o->buf), rest = o->n - whole;

		o->n = 0; /* prevents a second write after an error */
		write_all(o, o->buf, whole);
		memmove(o->buf, o->buf + whole, rest);
		o->n = rest;
	}
	vec_fit(o->buf, o->size, o->n + len);
}

void
output_flush(struct output *o)
{
	size_t n = o->n;

	if (o->lines) {
		write_lines(o, 1);
		return;
	}
	o->n = 0;
	write_all(o, o->buf, n);
}

void
output_write(struct output *o, const void *data, size_t len)
{
	if (len > o->size - o->n) {
		if (o->lines) {
			write_lines(o, len);
		} else {
			output_flush(o);
			if (len >= o->size) {
				write_all(o, data, len);
				return;
			}
		}
	}
	if (len > 0)
		memcpy(o->buf + o->n, data, len);
	o->n += len;
}

void
output_direct(struct output *o, const void *data, size_t len)
{
	if (o->lines || len < DIRECT) {
		output_write(o, data, len);
	} else {
		output_flush(o);
		write_all(o, data, len);
	}
}

void
output_text(struct output *o, const char *s)
{
	output_write(o, s, strlen(s));
}

/* Like text_digits, two digits at once: many formats are mostly numbers. */
static char *
digits_before(char *end, uint64_t n)
{
	static const char pairs[] = "0001020304050607080910111213141516171819"
				    "2021222324252627282930313233343536373839"
				    "4041424344454647484950515253545556575859"
				    "6061626364656667686970717273747576777879"
				    "8081828384858687888990919293949596979899";

	for (; n >= 10; n /= 100) {
		const char *pair = pairs + 2 * (n % 100);

		*--end = pair[1];
		*--end = pair[0];
	}
	if (n > 0)
		*--end = (char)('0' + n);
	return end;
}

void
output_count(struct output *o, uint64_t n)
{
	char digits[2 * TEXT_DIGITS], *end = digits + TEXT_DIGITS, *s;

	if (n < 10) {
		output_char(o, (char)('0' + n));
		return;
	}
	s = digits_before(end, n);
	if (o->size - o->n < TEXT_DIGITS) {
		output_write(o, s, (size_t)(end - s));
		return;
	}
	memcpy(o->buf + o->n, s, TEXT_DIGITS); /* the rest is overwritten later */
	o->n += (size_t)(end - s);
}

void
output_value(struct output *o, value v)
{
	char text[VALUE_CHARS];
	uint64_t rest, n = value_whole(v, &rest);

	if (rest == 0 && n < UINT64_MAX)
		output_count(o, n);
	else
		output_write(o, text, value_format(v, text));
}

void
output_printf(struct output *o, const char *fmt, ...)
{
	char text[512], *longer = text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof text) {
		longer = cli_alloc((size_t)n + 1, 1);
		va_start(ap, fmt);
		vsnprintf(longer, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	if (n > 0)
		output_write(o, longer, (size_t)n);
	if (longer != text)
		free(longer);
}

static void
release(struct output *o)
{
	forget_temp(o);
	if (streamed == o)
		streamed = NULL;
	fileplace_free(&o->place);
	free(o->path);
	free(o->temp);
	free(o->buf);
	free(o);
}

void
output_leave(struct output *o)
{
	close(o->fd);
	release(o);
}

/* True if the names of the directory are on the disk, or cannot be. */
static bool
sync_names(const struct output *o)
{
	const int dir = openat(o->place.dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const bool done = dir < 0 || fsync(dir) == 0 || errno != EIO;

	if (dir >= 0)
		close(dir);
	return done;
}

void
output_rewind(struct output *o)
{
	if ((o->target != NULL || o->is_new) &&
	    (ftruncate(o->fd, 0) != 0 || lseek(o->fd, 0, SEEK_SET) != 0))
		fail(o);
}

static bool
sync_bytes(struct output *o)
{
	output_flush(o);
	o->synced = true;
	return fsync(o->fd) == 0 || errno == EINVAL || errno == EROFS; /* pipes, devices */
}

/* Closes the file, whose bytes were written, and puts it in place. False and errno on failure. */
static bool
finish(struct output *o)
{
	const int fd = o->fd;

	if (o->temp == NULL && o->target != NULL && put_in_place(o) != 0)
		return false;
	o->fd = -1;
	if (close(fd) != 0 || (o->temp != NULL && put_in_place(o) != 0))
		return false;
	return !o->synced || o->target == NULL || sync_names(o);
}

void
output_close(struct output *o)
{
	o->lines = false;
	output_flush(o);
	if (!finish(o))
		fail(o);
	release(o);
}

void
output_discard(struct output *o)
{
	discard(o);
	release(o);
}

bool
output_try_close(struct output *o)
{
	const bool placed = sync_bytes(o) && finish(o);
	const int error = errno;

	if (placed)
		release(o);
	else
		output_discard(o);
	errno = error;
	return placed;
}
