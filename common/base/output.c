/*
 * output: writes to stdout, in place, to a nameless file (O_TMPFILE), which the kernel removes
 * if the process is killed, or else to a temporary file beside the target.
 */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/interrupt.h"
#include "base/vec.h"

/* Nameless files for the next output_open of these paths. */
static struct {
	char *path;
	int fd; /* -1: in use */
} prepared[4];

/* The temporary file of this process, for exits and signals; only one output at a time. */
static char *unfinished;

static void
remove_unfinished(void)
{
	if (unfinished != NULL)
		unlink(unfinished);
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

/* A temporary name in the directory of path. */
static char *
temp_beside(const char *path)
{
	const char *slash = strrchr(path, '/');
	int dir = slash != NULL ? (int)(slash - path + 1) : 0;
	char *name;

	if (asprintf(&name, "%.*s.fg.XXXXXX", dir, path) < 0)
		cli_die("out of memory");
	return name;
}

static void
open_in_place(struct output *o, const char *path, int flags)
{
	o->fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0666);
	if (o->fd < 0)
		fail(o);
}

/*
 * Creates a temporary file from a template, to be removed if the program exits early or a
 * signal ends it; blocks signals in between.
 */
static int
make_temp(char *template)
{
	static const int fatal[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};
	static bool registered;
	sigset_t ours, before;
	int fd;

	if (!registered) {
		registered = true;
		atexit(remove_unfinished);
		for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) {
			struct sigaction now;

			if (fatal[i] == SIGINT && interrupt_then(remove_and_die))
				continue;
			if (sigaction(fatal[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
				signal(fatal[i], remove_and_die);
		}
	}
	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
		sigaddset(&ours, fatal[i]);
	sigprocmask(SIG_BLOCK, &ours, &before);
	fd = mkostemp(template, O_CLOEXEC);
	if (fd >= 0)
		unfinished = template;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return fd;
}

/* Opens a nameless file in the directory of path; -1 where the file system does not support it. */
static int
open_nameless(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir;
	int fd = -1;

	if (asprintf(&dir, "%.*s.", slash != NULL ? (int)(slash - path + 1) : 0, path) < 0)
		cli_die("out of memory");
	if (access("/proc/self/fd", X_OK) == 0) /* needed later to link it */
		fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	free(dir);
	return fd;
}

/*
 * Gives the file its target's name; returns 0, or -1 and errno. linkat cannot replace a file:
 * then links it to a temporary name and renames it at once, with signals blocked.
 */
static int
put_in_place(struct output *o)
{
	char from[sizeof "/proc/self/fd/" + 10];
	sigset_t all, before;
	int result = -1;

	if (o->temp != NULL)
		return rename(o->temp, o->target);
	snprintf(from, sizeof from, "/proc/self/fd/%d", o->fd);
	if (linkat(AT_FDCWD, from, AT_FDCWD, o->target, AT_SYMLINK_FOLLOW) == 0)
		return 0;
	if (errno != EEXIST)
		return -1;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	for (int i = 0; i < 100 && result != 0 && errno == EEXIST; i++) {
		char *temp = temp_beside(o->target);

		snprintf(temp + strlen(temp) - 6, 7, "%06x",
		    ((unsigned)getpid() * 100 + (unsigned)i) & 0xffffff);
		if (linkat(AT_FDCWD, from, AT_FDCWD, temp, AT_SYMLINK_FOLLOW) == 0) {
			result = rename(temp, o->target);
			if (result != 0) {
				int error = errno;

				unlink(temp);
				errno = error == EEXIST ? EISDIR : error;
			}
		}
		free(temp);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return result;
}

/* The nameless file that output_prepare made for a path, or -1. */
static int
take_prepared(const char *path)
{
	for (size_t i = 0; i < sizeof prepared / sizeof prepared[0]; i++)
		if (prepared[i].path != NULL && prepared[i].fd >= 0 &&
		    strcmp(prepared[i].path, path) == 0) {
			const int fd = prepared[i].fd;

			prepared[i].fd = -1;
			return fd;
		}
	return -1;
}

/* Opens a new or regular file's replacement, with the mode that it has or would get. */
static void
open_replacing(struct output *o, const char *path, const struct stat *old)
{
	mode_t mode;
	char *target = NULL;

	if (old != NULL) {
		target = realpath(path, NULL);
		if (access(path, W_OK) != 0)
			target = NULL;
	} else {
		target = cli_strdup(path);
	}
	if (target == NULL)
		fail(o);
	if (old != NULL) {
		mode = old->st_mode & 07777;
	} else {
		mode_t mask = umask(0);

		umask(mask);
		mode = 0666 & ~mask;
	}
	/* Linking a nameless file of another owner needs capabilities. */
	if (old == NULL || old->st_uid == geteuid()) {
		o->fd = take_prepared(path);
		if (o->fd < 0)
			o->fd = open_nameless(target);
	}
	if (o->fd < 0) {
		o->temp = temp_beside(target);
		o->fd = make_temp(o->temp);
	}
	if (o->fd < 0 && old != NULL && (errno == EACCES || errno == EPERM || errno == EROFS)) {
		/* The directory is not writable, but the file is. */
		free(o->temp);
		free(target);
		o->temp = NULL;
		open_in_place(o, path, O_TRUNC);
		return;
	}
	if (o->fd < 0)
		fail(o);
	o->target = target;
	if (fchmod(o->fd, mode) != 0)
		fail(o);
	if (old != NULL && fchown(o->fd, old->st_uid, old->st_gid) != 0 && geteuid() == 0)
		fail(o);
}

struct output *
output_fd(int fd, const char *name)
{
	struct output *o = cli_alloc(1, sizeof *o);

	o->size = OUTPUT_BUFFER;
	o->buf = cli_alloc(o->size, 1);
	o->path = cli_strdup(name);
	o->fd = fd;
	return o;
}

/*
 * The descriptor of this process that a path names: /dev/stdout, /dev/fd/3, /proc/self/fd/3 and
 * links to them; -1 for none. Its file may have other writers, or another offset: it must not
 * be reopened, nor replaced.
 */
static int
own_descriptor(const char *path)
{
	char at[PATH_MAX], link[PATH_MAX], own[32];
	int fd = -1;

	if (strlcpy(at, path, sizeof at) >= sizeof at)
		return -1;
	snprintf(own, sizeof own, "/proc/%d/fd", (int)getpid());
	for (int links = 0; links < 40 && fd < 0; links++) {
		char *slash = strrchr(at, '/'), *dir;
		const char *name = slash != NULL ? slash + 1 : at;
		size_t len = (size_t)(name - at);
		ssize_t n;

		n = readlink(at, link, sizeof link - 1);
		if (slash != NULL)
			*slash = '\0';
		dir = realpath(slash == NULL ? "." : slash == at ? "/" : at, NULL);
		if (slash != NULL)
			*slash = '/';
		if (dir == NULL)
			return -1;
		if (strcmp(dir, own) == 0 && name[0] != '\0' &&
		    name[strspn(name, "0123456789")] == '\0')
			fd = (int)strtol(name, NULL, 10);
		free(dir);
		if (n < 0)
			break;
		link[n] = '\0';
		if (link[0] == '/')
			len = 0;
		if (len + (size_t)n >= sizeof at)
			return -1;
		memcpy(at + len, link, (size_t)n + 1);
	}
	return fd;
}

bool
output_prepare(const char *path)
{
	char *target = NULL;
	struct stat st;
	size_t i = 0;
	int fd = -1;

	while (i < sizeof prepared / sizeof prepared[0] && prepared[i].path != NULL)
		if (strcmp(prepared[i++].path, path) == 0)
			return true;
	if (i == sizeof prepared / sizeof prepared[0] || own_descriptor(path) >= 0)
		return false;
	if (stat(path, &st) != 0)
		fd = errno == ENOENT && lstat(path, &st) != 0 ? open_nameless(path) : -1;
	else if (S_ISREG(st.st_mode) && st.st_uid == geteuid() && access(path, W_OK) == 0 &&
		 (target = realpath(path, NULL)) != NULL)
		fd = open_nameless(target);
	free(target);
	if (fd < 0)
		return false;
	prepared[i].path = cli_strdup(path);
	prepared[i].fd = fd;
	return true;
}

struct output *
output_open(const char *path)
{
	struct output *o;
	struct stat st;
	int own;

	if (path == NULL || strcmp(path, "-") == 0)
		return output_fd(STDOUT_FILENO, "stdout");
	o = output_fd(-1, path);
	own = own_descriptor(path);
	if (own >= 0) {
		o->fd = fcntl(own, F_DUPFD_CLOEXEC, 0);
		if (o->fd < 0)
			fail(o);
	} else if (stat(path, &st) == 0) {
		if (S_ISREG(st.st_mode))
			open_replacing(o, path, &st);
		else
			open_in_place(o, path, 0);
	} else if (errno != ENOENT) {
		fail(o);
	} else if (lstat(path, &st) == 0) {
		open_in_place(o, path, O_CREAT); /* a link to a missing file */
	} else {
		open_replacing(o, path, NULL);
	}
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
output_text(struct output *o, const char *s)
{
	output_write(o, s, strlen(s));
}

void
output_count(struct output *o, uint64_t n)
{
	char digits[20], *s = digits + sizeof digits;

	do
		*--s = (char)('0' + n % 10);
	while ((n /= 10) != 0);
	output_write(o, s, (size_t)(digits + sizeof digits - s));
}

void
output_value(struct output *o, value v)
{
	char text[VALUE_CHARS];

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
	if (o->temp != NULL)
		unfinished = NULL;
	if (streamed == o)
		streamed = NULL;
	free(o->path);
	free(o->temp);
	free(o->target);
	free(o->buf);
	free(o);
}

void
output_leave(struct output *o)
{
	close(o->fd);
	release(o);
}

void
output_close(struct output *o)
{
	o->lines = false;
	output_flush(o);
	if (o->temp == NULL && o->target != NULL && put_in_place(o) != 0)
		fail(o);
	if (close(o->fd) != 0 || (o->temp != NULL && put_in_place(o) != 0))
		fail(o);
	release(o);
}
