/*
 * command: the program that fg-record starts and waits for.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct command {
	char **argv;
	pid_t pid;
	int go; /* pipe to the child: a byte starts the command, closing ends it */
	int error; /* pipe from the child: errno of a failed exec */
	bool ended;
	int status; /* as of wait(2), once ended */
	uint64_t used; /* its CPU time and that of its children, in ns, once ended */
};

/*
 * Forks the command, which waits before its exec, with the given signal mask. If
 * stdout_to_stderr, its stdout is our stderr, since our stdout carries the folded text. Exits
 * 125 on errors.
 */
void command_start(struct command *c, char **argv, bool stdout_to_stderr, const sigset_t *mask);

/*
 * Starts the command; false, after a message, if it cannot be executed. Calls meanwhile(arg),
 * unless it is NULL, repeatedly until the exec.
 */
bool command_go(struct command *c, void (*meanwhile)(void *arg), void *arg);

/* Stores whether the command has ended; does not block. */
void command_look(struct command *c);

void command_wait(struct command *c);

/* True if the command is setuid or setgid to another user: an ordinary user cannot profile it. */
bool command_is_privileged(const struct command *c);

/* The path of the file that execvp(3) would execute, for free(3); NULL: none. */
char *command_path(const char *name);

/* The exit status that fg-record passes on: the command's, or 128 + its signal. */
int command_exit_status(const struct command *c);

#endif
