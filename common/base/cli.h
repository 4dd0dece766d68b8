/*
 * cli: usage, version, errors, notes, progress line and exit statuses, common to all programs.
 */
#ifndef CLI_H
#define CLI_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FG_VERSION "0.1"

/* Exit statuses of the filters. */
enum {
	CLI_DONE = 0,
	CLI_NO = 1, /* negative answer: a gate failed, no output */
	CLI_ERROR = 2, /* usage, I/O, or nothing usable in the input */
};

/* First key of long options without a letter. */
#define CLI_LONG 256

/*
 * One option of a program. The table ends with an all-zero entry; its order is that of --help
 * and of the manual. cli_next adds -h, -V, -q and -v.
 */
struct cli_option {
	int key; /* its letter, or a number >= CLI_LONG */
	const char *name; /* long name without dashes, or NULL */
	const char *arg; /* NULL: no argument; "N": required; "[N]": optional, --name=N or -xN */
	const char *help; /* one line for --help */
};

#define CLI_NAME 24 /* bytes of "--name" with its NUL, at most */

/*
 * Makes the table of a program whose options are n rows of `size` bytes, each of which begins with
 * a struct cli_option. A key of 0 becomes a unique number. name gets each option with its dashes,
 * for messages.
 */
void cli_rows(
    struct cli_option *table, char (*name)[CLI_NAME], const void *rows, size_t size, size_t n);

/* --help rows of options that several programs have. */
#define CLI_HELP_OUTPUT "write to FILE instead of stdout"
#define CLI_HELP_STRICT "treat a malformed line as an error"
#define CLI_HELP_NO_HEADER "omit the header lines: columns, unit, period"
#define CLI_HELP_NO_LABELS "omit the label lines"
#define CLI_HELP_NO_ANNOTATIONS "omit suffixes of frames: _[k] _[j] _[i] _[l] _[w] _[p]"
#define CLI_HELP_NO_ANNOTATE "alias for --no-annotations --no-header"
#define CLI_HELP_UNIT "set the unit of all values, overriding the inputs"
#define CLI_HELP_FILES0_FROM "read the file names, each ended by NUL, from LIST"
#define CLI_HELP_COLUMN "use only this column (a name or a number)"
#define CLI_HELP_COLUMNS "name the value columns (base,head), if no header does"
#define CLI_HELP_SKIP_AFTER "make the last NAME of a stack its root"

struct cli {
	const char *synopsis; /* "[options] [file ...]" */
	const char *purpose; /* one line */
	const struct cli_option *options;
	bool posix; /* stop at the first operand, for programs that run a command */
	/* Hint for an unknown option, given with its dashes; NULL: none. */
	const char *(*hint)(const char *option);
};

/* Set by -q and -v; cli_note is silent with -q. */
extern bool cli_quiet, cli_verbose;

/* Exit status of errors; default CLI_ERROR. For programs that pass on another program's status. */
extern int cli_error_status;

/*
 * First call of main: stores the program's name for messages; opens descriptors 0, 1 and 2 if
 * closed.
 */
void cli_start(const struct cli *cli, char **argv);

/*
 * Returns the next option's key, with its argument in *arg (or NULL); -1 after the last, when
 * optind is the first operand. Handles help, version, -q and -v; exits with 2 on a wrong
 * option.
 */
int cli_next(int argc, char **argv, char **arg);

/*
 * Print "fg-render: message" to stderr, as one line even if quoted input has several (text_shown).
 * Thread-safe. cli_die exits with 2; cli_usage also points to --help.
 */
void cli_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void cli_die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));
void cli_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Exits like cli_die, without a message. */
void cli_exit_error(void) __attribute__((noreturn));
/* Flushes stdout; exits with 0, or with 2 when it cannot be written. */
void cli_exit_flushed(void) __attribute__((noreturn));

/* A warning; silent with -q. */
void cli_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * The calling thread's next message, or its exit after an error, first calls wait(work), which
 * returns when all earlier work is complete, so that the order of messages does not depend on
 * speed. With wait NULL, messages do not wait any more.
 */
void cli_speak_after(void (*wait)(void *), void *work);
/* Waits as the calling thread's next message would: later ones need not. */
void cli_wait_turn(void);

/*
 * Prints a progress line to stderr, at most five times a second: only on a terminal, after the
 * first second and without -q. The next message and cli_progress_end clear it.
 */
void cli_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void cli_progress_end(void);

/* Clears the progress line and prints none from now on: the program draws on the terminal. */
void cli_progress_stop(void);

/* malloc and others; they exit with 2 when out of memory, and check array sizes for overflow. */
void *cli_alloc(size_t n, size_t size); /* zeroed */
/*
 * Requests all pages of memory that is written next: one call takes less time than a page fault
 * for each. If only a part of an array may be written, populate it in steps.
 */
void cli_populate(void *p, size_t size);
void *cli_alloc_ready(size_t n, size_t size); /* zeroed, populated */
/*
 * Memory for free(3) whose `size` bytes are all written next, in huge pages as far as possible;
 * NULL if there is not enough.
 */
void *cli_pages(size_t size);

void *cli_realloc(void *p, size_t n, size_t size);
char *cli_strdup(const char *s);

#endif
