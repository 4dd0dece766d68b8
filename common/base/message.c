/*
 * message: lines on stderr, with the program's name in front.
 */
#include "base/message.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "kernel/compat.h"

#define WIPE "\r\033[K" /* clears the cursor's line */

bool cli_quiet, cli_verbose;
int cli_error_status = CLI_ERROR;

static const char *program_name = "fg";
static bool progress_shown, progress_stopped;
static bool on_terminal; /* stderr is a terminal */
/* guards stderr, progress_shown and progress_stopped */
static pthread_mutex_t speaking = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t leaving = PTHREAD_MUTEX_INITIALIZER; /* held by the exiting thread */
static _Thread_local void (*wait_preceding)(void *); /* cli_speak_after; NULL: do not wait */
static _Thread_local void *preceding;

void
message_start(const char *name)
{
	on_terminal = isatty(STDERR_FILENO);
	program_name = name;
}

/*
 * Prints a line to stderr in one write, so that lines of several threads and programs do not
 * mix. Clears the progress line first, and escapes control characters from input. `end` is
 * trusted.
 */
static void
say(const char *fmt, va_list ap, const char *end)
{
	char text[8192], line[sizeof text + 256];
	size_t len, n = 0, taken;
	int want = vsnprintf(text, sizeof text, fmt, ap);

	if (want < 0)
		want = 0;
	len = (size_t)want < sizeof text ? (size_t)want : sizeof text - 1;
	n = (size_t)snprintf(line, 128, "%s%.64s: ", progress_shown ? WIPE : "", program_name);
	for (size_t i = 0; i < len && n < sizeof text; i += taken)
		n += text_shown(line + n, text + i, len - i, &taken);
	n += (size_t)snprintf(
	    line + n, 128, "%s%s", n >= sizeof text || len < (size_t)want ? "..." : "", end);
	for (size_t at = 0; at < n;) {
		ssize_t done = write(STDERR_FILENO, line + at, n - at);

		if (done < 0 && errno != EINTR)
			break;
		at += done > 0 ? (size_t)done : 0;
	}
}

void
cli_speak_after(void (*wait)(void *), void *work)
{
	wait_preceding = wait;
	preceding = work;
}

void
cli_wait_turn(void)
{
	if (wait_preceding != NULL)
		wait_preceding(preceding);
	wait_preceding = NULL;
}

static void
message(const char *fmt, va_list ap, const char *end)
{
	cli_wait_turn();
	pthread_mutex_lock(&speaking);
	say(fmt, ap, end);
	progress_shown = false;
	pthread_mutex_unlock(&speaking);
}

void
cli_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(fmt, ap, "\n");
	va_end(ap);
}

void
cli_note(const char *fmt, ...)
{
	va_list ap;

	if (cli_quiet)
		return;
	va_start(ap, fmt);
	message(fmt, ap, "\n");
	va_end(ap);
}

/* Lets one thread report the fatal error and call exit(3); other failing threads block here. */
static void
leave(void)
{
	cli_wait_turn();
	pthread_mutex_lock(&leaving);
}

void
cli_exit_error(void)
{
	leave();
	exit(cli_error_status);
}

void
cli_die(const char *fmt, ...)
{
	va_list ap;

	leave();
	va_start(ap, fmt);
	message(fmt, ap, "\n");
	va_end(ap);
	exit(cli_error_status);
}

void
cli_usage(const char *fmt, ...)
{
	char hint[100];
	va_list ap;

	leave();
	snprintf(hint, sizeof hint, "\nTry '%.64s --help'.\n", program_name);
	va_start(ap, fmt);
	message(fmt, ap, hint);
	va_end(ap);
	exit(cli_error_status);
}

void
cli_exit_flushed(void)
{
	/* An earlier failed write left its errno, and nothing to flush. */
	if (fflush(stdout) != 0 || ferror(stdout))
		cli_die("stdout: %s", strerror(errno));
	exit(CLI_DONE);
}

/* True when a progress line is due: after the first second, then five times a second. */
static bool
progress_due(void)
{
	static uint64_t first, last;
	uint64_t now = clock_ns(CLOCK_MONOTONIC_COARSE);

	if (first == 0)
		first = now;
	if (now - first < SECOND_NS || (progress_shown && now - last < SECOND_NS / 5))
		return false;
	last = now;
	return true;
}

void
cli_progress(const char *fmt, ...)
{
	va_list ap;

	if (cli_quiet || !on_terminal)
		return;
	pthread_mutex_lock(&speaking);
	if (!progress_stopped && progress_due()) {
		va_start(ap, fmt);
		progress_shown = true;
		say(fmt, ap, "");
		va_end(ap);
	}
	pthread_mutex_unlock(&speaking);
}

void
cli_progress_end(void)
{
	pthread_mutex_lock(&speaking);
	if (progress_shown)
		(void)!write(STDERR_FILENO, WIPE, sizeof WIPE - 1);
	progress_shown = false;
	pthread_mutex_unlock(&speaking);
}

void
cli_progress_stop(void)
{
	cli_progress_end();
	pthread_mutex_lock(&speaking);
	progress_stopped = true;
	pthread_mutex_unlock(&speaking);
}
