/*
 * outputname: numbers a name until the file may be written.
 */
#include "fg-record/asking/outputname.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/clock.h"
#include "fg-record/telling/retention.h"

#define FILES_MAX 10000
#define MILLISECOND 1000000 /* ns */
#define NAME_LENGTH 100

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* Copies name without the characters that need quotes in a shell. */
static void
clean(char *to, size_t size, const char *name)
{
	size_t n = 0;

	for (; *name != '\0' && n < size - 1; name++)
		to[n++] =
		    isalnum((unsigned char)*name) || strchr("._+-", *name) != NULL ? *name : '_';
	to[n] = '\0';
	if (to[0] == '-' || to[0] == '.')
		to[0] = '_';
}

char *
outputname(const char *subject, bool is_path)
{
	char name[NAME_LENGTH], *path;

	clean(name, sizeof name, is_path ? last_part(subject) : subject);
	if (name[0] == '\0')
		snprintf(name, sizeof name, "profile");
	for (int i = 1; i <= FILES_MAX; i++) {
		if (i == 1 ? asprintf(&path, "%s.folded", name) < 0
			   : asprintf(&path, "%s.%d.folded", name, i) < 0)
			cli_die("out of memory");
		if (access(path, F_OK) != 0 || retention_is_ours(path))
			return path;
		free(path);
	}
	cli_die(
	    "%s.folded: this and %d numbered files exist; give a name with -o", name, FILES_MAX);
}

void
outputname_check(const char *path)
{
	static const struct {
		const char *end, *output;
	} formats[] = {{".svg", ""}, {".html", ""}, {".md", "-T markdown "}, {".json", "-T json "},
	    {".pb.gz", "-T pprof "}, {".pprof", "-T pprof "},
	    {".speedscope.json", "-T speedscope "}};
	const char *output = NULL;

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		size_t n = strlen(formats[i].end), length = strlen(path);

		if (length > n && strcmp(path + length - n, formats[i].end) == 0)
			output = formats[i].output;
	}
	if (output != NULL)
		cli_usage(
		    "-o %s: fg-record writes folded stacks; use fg-record ... | fg-render %s-o %s",
		    path, output, path);
}

char *
outputname_interval(const char *pattern, const struct timespec *begin)
{
	const char *t = strstr(pattern, "%T");
	char when[32], *path;
	struct tm tm;

	strftime(when, sizeof when, "%Y%m%dT%H%M%S", gmtime_r(&begin->tv_sec, &tm));
	if (asprintf(&path, "%.*s%s.%03ldZ%s", (int)(t - pattern), pattern, when,
		begin->tv_nsec / MILLISECOND, t + 2) < 0)
		cli_die("out of memory");
	return path;
}

bool
outputname_exists(const char *path)
{
	return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

char *
outputname_new_interval(const char *pattern, const struct timespec *begin)
{
	struct timespec at = *begin;

	for (int i = 0; i < FILES_MAX; i++) {
		char *path = outputname_interval(pattern, &at);

		if (!outputname_exists(path))
			return path;
		free(path);
		at.tv_nsec += MILLISECOND;
		if (at.tv_nsec >= (long)SECOND_NS) {
			at.tv_sec++;
			at.tv_nsec -= (long)SECOND_NS;
		}
	}
	errno = EEXIST;
	return NULL;
}

bool
outputname_is_stdout(const char *path)
{
	return path == NULL || strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
	       strcmp(path, "/proc/self/fd/1") == 0 || strcmp(path, "/dev/fd/1") == 0;
}
