/*
 * cli: options and --help from one table; messages with the program's name in front.
 */
#include "base/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/sandbox.h"
#include "base/text.h"
#include "base/value.h"

#define PAGE 4096u /* bytes */
#define POPULATED (64u << 10) /* bytes; smaller blocks have few page faults */
#define HUGE_BLOCK (4u << 20) /* bytes; smaller blocks have few page faults */
#define WIPE "\r\033[K" /* clears the cursor's line */

bool cli_quiet, cli_verbose;
int cli_error_status = CLI_ERROR;

static const struct cli *program;
static const char *program_name = "fg";
static char *letters; /* short options for getopt_long */
static struct option *long_options;
static bool progress_shown, progress_stopped;
static bool on_terminal; /* stderr is a terminal */
/* guards stderr, progress_shown and progress_stopped */
static pthread_mutex_t speaking = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t leaving = PTHREAD_MUTEX_INITIALIZER; /* held by the exiting thread */
static _Thread_local void (*wait_preceding)(void *); /* cli_speak_after; NULL: do not wait */
static _Thread_local void *preceding;

static const struct cli_option common_options[] = {
    {'q', "quiet", NULL, "print no notes and no progress"},
    {'v', "verbose", NULL, "say more"},
    {'h', "help", NULL, "print this help"},
    {'V', "version", NULL, "print the version and the optional libraries"},
    {0},
};

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

static void
add_options(const struct cli_option *o, size_t *nletters, size_t *nlong)
{
	for (; o->key != 0; o++) {
		bool optional = o->arg != NULL && o->arg[0] == '[';

		if (o->key < CLI_LONG) {
			letters[(*nletters)++] = (char)o->key;
			if (o->arg != NULL)
				letters[(*nletters)++] = ':';
			if (optional)
				letters[(*nletters)++] = ':';
		}
		if (o->name != NULL)
			long_options[(*nlong)++] = (struct option){
			    o->name,
			    o->arg == NULL ? no_argument
			    : optional	   ? optional_argument
					   : required_argument,
			    NULL,
			    o->key,
			};
	}
}

/*
 * Opens descriptors 0, 1 and 2 if closed, so that no other file gets their number and our
 * messages. Except for messages, they fail like closed ones: they are open for the other
 * direction.
 */
static void
open_standard(void)
{
	static const int mode[] = {O_WRONLY, O_RDONLY, O_WRONLY};

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", mode[fd]) < 0)
			exit(cli_error_status);
}

void
cli_rows(struct cli_option *table, char (*name)[CLI_NAME], const void *rows, size_t size, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		table[i] = *(const struct cli_option *)((const char *)rows + i * size);
		if (table[i].key == 0)
			table[i].key = CLI_LONG + (int)i;
		snprintf(name[i], sizeof name[i], "--%s", table[i].name);
	}
}

void
cli_start(const struct cli *cli, char **argv)
{
	const char *slash = argv[0] == NULL ? NULL : strrchr(argv[0], '/');
	size_t n = 0, nletters = 0, nlong = 0;

	open_standard();
	interrupt_start();
	on_terminal = isatty(STDERR_FILENO);
	program = cli;
	if (argv[0] != NULL)
		program_name = slash != NULL ? slash + 1 : argv[0];
	while (cli->options[n].key != 0)
		n++;
	n += sizeof common_options / sizeof common_options[0];
	letters = cli_alloc(3 * n + 3, 1);
	long_options = cli_alloc(n + 1, sizeof *long_options);
	if (cli->posix)
		letters[nletters++] = '+';
	letters[nletters++] = ':';
	add_options(cli->options, &nletters, &nlong);
	add_options(common_options, &nletters, &nlong);
}

static void
help_options(const struct cli_option *o)
{
	for (; o->key != 0; o++) {
		char left[80];
		int n = 0;

		if (o->key < CLI_LONG)
			n += snprintf(
			    left, sizeof left, "  -%c%s", o->key, o->name != NULL ? ", " : "");
		else
			n += snprintf(left, sizeof left, "      ");
		if (o->name != NULL)
			n += snprintf(left + n, sizeof left - n, "--%s", o->name);
		if (o->arg != NULL && o->arg[0] == '[')
			snprintf(left + n, sizeof left - n, "[=%s", o->arg + 1);
		else if (o->arg != NULL)
			snprintf(
			    left + n, sizeof left - n, "%s%s", o->name != NULL ? "=" : " ", o->arg);
		if (strlen(left) < 28)
			printf("%-28s  %s\n", left, o->help);
		else
			printf("%s\n%-28s  %s\n", left, "", o->help);
	}
}

void
cli_exit_flushed(void)
{
	/* An earlier failed write left its errno, and nothing to flush. */
	if (fflush(stdout) != 0 || ferror(stdout))
		cli_die("stdout: %s", strerror(errno));
	exit(CLI_DONE);
}

static void
help(void)
{
	printf("usage: %s %s\n%s\n\n", program_name, program->synopsis, program->purpose);
	help_options(program->options);
	help_options(common_options);
	cli_exit_flushed();
}

/* Optional libraries, and the features that need them. */
static const struct library {
	const char *what, *name;
	bool built_in;
} libraries[] = {
#ifdef HAVE_LIBIBERTY
    {"demangling", "libiberty", true},
#else
    {"demangling", "libiberty", false},
#endif
#ifdef HAVE_ZYDIS
    {"unwinding without call frame information", "Zydis", true},
#else
    {"unwinding without call frame information", "Zydis", false},
#endif
#ifdef HAVE_ZSTD
    {"zstd input", "libzstd", true},
#else
    {"zstd input", "libzstd", false},
#endif
#ifdef HAVE_LZMA
    {"xz input", "liblzma", true},
#else
    {"xz input", "liblzma", false},
#endif
#ifdef HAVE_YAJL
    {"JSON profiles", "yajl", true},
#else
    {"JSON profiles", "yajl", false},
#endif
#ifdef HAVE_EXPAT
    {"XML profiles", "expat", true},
#else
    {"XML profiles", "expat", false},
#endif
#ifdef HAVE_LIBDEFLATE
    {"fast compression", "libdeflate", true},
#else
    {"fast compression", "libdeflate", false},
#endif
#ifdef HAVE_PROTOBUF
    {"pprof and OTLP", "protobuf-c", true},
#else
    {"pprof and OTLP", "protobuf-c", false},
#endif
#ifdef HAVE_NCURSESW
    {"interactive terminal", "ncursesw", true},
#else
    {"interactive terminal", "ncursesw", false},
#endif
};

static void
version(void)
{
	printf("%s %s\n", program_name, FG_VERSION);
	for (const struct library *l = libraries;
	     l < libraries + sizeof libraries / sizeof libraries[0]; l++)
		printf(l->built_in ? "%s: %s\n" : "%s: not built in (%s)\n", l->what, l->name);
	printf("sandbox: %s\n", sandbox_built_in != NULL ? sandbox_built_in : "not built in");
	cli_exit_flushed();
}

static void __attribute__((noreturn)) unknown(const char *option)
{
	const char *hint = program->hint != NULL ? program->hint(option) : NULL;

	if (hint != NULL)
		cli_usage("unknown option %s: %s", option, hint);
	cli_usage(
	    option[1] == '-' ? "unknown or ambiguous option %s" : "unknown option %s", option);
}

int
cli_next(int argc, char **argv, char **arg)
{
	for (;;) {
		int key;

		opterr = 0;
		key = getopt_long(argc, argv, letters, long_options, NULL);
		*arg = optarg;
		switch (key) {
		case 'h': help(); break;
		case 'V': version(); break;
		case 'q': cli_quiet = true; break;
		case 'v': cli_verbose = true; break;
		case ':': cli_usage("%s needs an argument", argv[optind - 1]);
		case '?':
			/* Inside a group of short options argv may still be the previous word. */
			if (optopt > 0 && optopt < CLI_LONG &&
			    (optopt == ':' || optopt == '+' || strchr(letters, optopt) == NULL))
				unknown((char[]){'-', (char)optopt, '\0'});
			if (optopt != 0)
				cli_usage("%s does not take an argument", argv[optind - 1]);
			unknown(argv[optind - 1]);
		default: return key;
		}
	}
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

/*
 * Requests huge pages for a large block: filling it takes less time than its page faults, one for
 * every 4 KiB. The range has all of the first and the last page, so that a mapped block remains one
 * mapping for mremap(2). Where pages are larger, madvise(2) refuses, which costs nothing.
 */
static void *
with_huge_pages(void *p, size_t size)
{
	const size_t before = (uintptr_t)p % PAGE;

	if (size >= HUGE_BLOCK) /* the kernel rounds the end up to a page */
		(void)madvise((char *)p - before, before + size, MADV_HUGEPAGE);
	return p;
}

void
cli_populate(void *p, size_t size)
{
#ifdef MADV_POPULATE_WRITE /* since Linux 5.14 */
	const size_t before = (uintptr_t)p % PAGE;

	if (size >= POPULATED)
		(void)madvise(
		    (char *)p - before, (before + size) & ~((size_t)PAGE - 1), MADV_POPULATE_WRITE);
#else
	(void)p;
	(void)size;
#endif
}

void *
cli_pages(size_t size)
{
	const size_t huge = (size_t)2 << 20, all = size & ~(huge - 1);
	void *p;

	if (posix_memalign(&p, all != 0 ? huge : sizeof(uint64_t), size) != 0)
		return NULL;
	if (all != 0)
		(void)madvise(p, all, MADV_HUGEPAGE);
	cli_populate((char *)p + all, size - all);
	return p;
}

void *
cli_alloc(size_t n, size_t size)
{
	void *p = calloc(n != 0 ? n : 1, size);

	if (p == NULL)
		cli_die("out of memory");
	return with_huge_pages(p, n * size);
}

void *
cli_alloc_ready(size_t n, size_t size)
{
	void *p = cli_alloc(n, size);

	cli_populate(p, n * size);
	return p;
}

void *
cli_realloc(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n != 0 ? n : 1, size);
	if (p == NULL)
		cli_die("out of memory");
	return with_huge_pages(p, n * size);
}

char *
cli_strdup(const char *s)
{
	char *copy = strdup(s);

	if (copy == NULL)
		cli_die("out of memory");
	return copy;
}
