/*
 * signals: those that end a recording, read as input rather than handled.
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#include "fg-record/command.h"

struct signals {
	int fd; /* readable when one has come; signalfd(2) */
	sigset_t old; /* the mask that the command gets */
	bool end; /* SIGINT, SIGTERM or SIGHUP has come */
};

/* From now on SIGINT, SIGTERM, SIGHUP and SIGCHLD come as input; SIGPIPE is ignored. */
void signals_take(struct signals *s);

/*
 * Read what has come. One that ends the recording is passed on to a command that
 * has not got it itself, as it has a Ctrl-C of the terminal.
 */
void signals_read(struct signals *s, const struct command *c);

/* From now on they have their default action: a second Ctrl-C gives up. */
void signals_give_back(struct signals *s);

#endif
