/*
 * signals: reads the signals that end a recording from a descriptor.
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#include "fg-record/asking/command.h"

struct signals {
	int fd; /* signalfd(2): readable when a signal is pending */
	sigset_t old; /* the original mask, for the command */
	bool end; /* SIGINT, SIGTERM or SIGHUP has come */
	bool interrupted; /* SIGINT has come */
	bool terminated; /* SIGTERM or SIGHUP has come */
};

/* Directs the signals that end a recording, and SIGCHLD, to s->fd; ignores SIGPIPE. */
void signals_direct(struct signals *s);

/*
 * Reads pending signals. Forwards one that ends the recording to the command, unless the command
 * has got it itself, as with Ctrl-C on the terminal.
 */
void signals_read(struct signals *s, const struct command *c);

/*
 * Restores the default actions: a second Ctrl-C ends fg-record. The first one may still be pending,
 * or may follow from the process in the terminal's session, if it ended the command: it counts as
 * read. If SIGTERM or SIGHUP ended the
 * recording, both stay blocked until the file is written: timeout(1) sends its signal twice, to
 * its child and to its process group.
 */
void signals_give_back(struct signals *s, const struct command *c);

/* True if SIGINT has come until now, the second one excluded. */
bool signals_interrupted(const struct signals *s);

#endif
