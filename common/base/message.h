/*
 * message: errors, notes, the progress line and the exit statuses, common to all programs.
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>

/* Exit statuses of the filters. */
enum {
	CLI_DONE = 0,
	CLI_NO = 1, /* negative answer: a gate failed, no output */
	CLI_ERROR = 2, /* usage, I/O, or nothing usable in the input */
};

/* Set by -q and -v; cli_note is silent with -q. */
extern bool cli_quiet, cli_verbose;

/* Exit status of errors; default CLI_ERROR. For programs that pass on another program's status. */
extern int cli_error_status;

/* Stores the program's name for messages. */
void message_start(const char *name);

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

#endif
