/*
 * command: the program that fg-record starts and waits for.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct command {
	char **argv;
	pid_t pid;
	int go; /* closed or written to: stop or run */
	int error; /* errno of a failed exec comes here */
	bool ended;
	int status; /* of wait(2), once it has ended */
};

/*
 * Start the command up to its exec, with the signal mask given. Its stdout becomes
 * our stderr when ours carries the folded text. Trouble is a message and exit 125.
 */
void command_start(struct command *c, char **argv, bool stdout_to_stderr, const sigset_t *mask);

/*
 * Let it run; false after a message when it cannot be executed. While it is on its way
 * meanwhile(arg), unless that is NULL, is called time and again.
 */
bool command_go(struct command *c, void (*meanwhile)(void *arg), void *arg);

/* See whether it has ended by now; does not wait. */
void command_look(struct command *c);

void command_wait(struct command *c);

/* Whether it is a program that runs with another's rights, which an ordinary user cannot watch. */
bool command_is_privileged(const struct command *c);

/* The exit status that fg-record passes on. */
int command_exit_status(const struct command *c);

#endif
