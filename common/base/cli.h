/*
 * cli: what every program says in the same words: usage, version, errors,
 * notes, the progress line and the exit statuses.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FG_VERSION "0.1"

/* Exit statuses of the filters. */
enum {
	CLI_DONE = 0,
	CLI_NO = 1, /* the answer is no: a gate tripped, nothing was kept */
	CLI_ERROR = 2, /* usage, I/O, or nothing usable in the input */
};

/* Keys of long options that have no letter begin here. */
#define CLI_LONG 256

/*
 * One option of a program. The table ends with an all-zero entry and is the
 * order of --help and of the manual. -h, -V, -q and -v are added by cli_next.
 */
struct cli_option {
	int key; /* its letter, or a number from CLI_LONG up */
	const char *name; /* long name without dashes, or NULL */
	const char
	    *arg; /* NULL: takes none; "N": takes one; "[N]": may take one, --name=N or -xN */
	const char *help; /* one line for --help, which names an alias without one too */
};

/* What --help says of the options that several programs have. */
#define CLI_HELP_OUTPUT "write to FILE instead of stdout"
#define CLI_HELP_STRICT "a malformed line is an error"
#define CLI_HELP_NO_HEADER "leave out the header lines: columns, unit, period"
#define CLI_HELP_NO_LABELS "leave out the label lines"
#define CLI_HELP_NO_ANNOTATIONS "no suffixes of frames: _[k] _[j] _[i] _[l] _[w] _[p]"
#define CLI_HELP_NO_ANNOTATE "alias for --no-annotations --no-header"
#define CLI_HELP_COLUMN "this column alone (a name or a number)"
#define CLI_HELP_COLUMNS "the value columns, as base,head, where no header names them"
#define CLI_HELP_SKIP_AFTER "make the last NAME of a stack its root"

struct cli {
	const char *synopsis; /* "[options] [file ...]" */
	const char *purpose; /* one line */
	const struct cli_option *options;
	bool posix; /* stop at the first operand, for programs that run a command */
	/* What to do instead of an unknown option (given with its dashes); NULL if unknown. */
	const char *(*hint)(const char *option);
};

/* Set by -q and -v; cli_note is silent with -q. */
extern bool cli_quiet, cli_verbose;

/* The exit status of trouble, for a program whose statuses are another's: CLI_ERROR. */
extern int cli_error_status;

/* First call of main: keeps the program's name for all messages; sees that 0, 1 and 2 are open. */
void cli_start(const struct cli *cli, char **argv);

/*
 * The next option's key, with its argument in *arg (NULL when it has none), or
 * -1 after the last; then optind is the first operand. Help, version, -q and -v
 * are dealt with here; a wrong option is an error and exit 2.
 */
int cli_next(int argc, char **argv, char **arg);

/*
 * "fg-render: message" on stderr, one line whatever was quoted in it (text_shown). May
 * be called by several threads. cli_die exits with 2, cli_usage names --help as well.
 */
void cli_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void cli_die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
void cli_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Exit as after trouble that there is nothing to say of. */
void cli_exit_error(void) __attribute__((noreturn));
/* All was said on stdout: exit with 0, or with 2 when it could not be written. */
void cli_exit_flushed(void) __attribute__((noreturn));

/* A warning that -q silences. */
void cli_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A whole number within [min, max] for option opt, or exit 2 with a message that names it. */
long long cli_number(const char *opt, const char *arg, long long min, long long max);

/* Bytes, as 4096, 500M or 4G (powers of 1024), more than 0, or exit 2. */
uint64_t cli_size(const char *opt, const char *arg);

/* A time in ns: seconds (`1.5`), or with s, ms, us or ns behind it; or exit 2. */
uint64_t cli_time(const char *opt, const char *arg);

/* A finite decimal within [min, max] for option opt, or exit 2. */
double cli_decimal(const char *opt, const char *arg, double min, double max);

/*
 * Progress on stderr, at most five times a second, only on a terminal, only
 * after the first second and not with -q. The line is wiped by the next message
 * and by cli_progress_end.
 */
void cli_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void cli_progress_end(void);

/* malloc and friends that exit with 2 when there is no memory; array sizes are checked. */
void *cli_alloc(size_t n, size_t size); /* zeroed */
void *cli_realloc(void *p, size_t n, size_t size);
char *cli_strdup(const char *s);

#endif
