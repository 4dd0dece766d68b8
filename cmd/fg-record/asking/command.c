/*
 * command: fork(2), a child that waits before its exec, and its exit status.
 */
#include "fg-record/asking/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-record/asking/limits.h"
#include "fg-record/record.h"

#define MEANWHILE 1 /* ms between calls of the callback */

/* Resets our signal handlers: the child must not run them before its exec. */
static void
drop_handlers(void)
{
	for (int sig = 1; sig < NSIG; sig++) {
		struct sigaction now;

		if (sigaction(sig, NULL, &now) == 0 && now.sa_handler != SIG_DFL &&
		    now.sa_handler != SIG_IGN)
			signal(sig, SIG_DFL);
	}
}

/* The child: waits for the start byte on `go`, then executes the command. */
static void __attribute__((noreturn))
run(char **argv, int go, int error, bool stdout_to_stderr, const sigset_t *mask)
{
	char word;
	ssize_t n;

	drop_handlers();
	if (stdout_to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	do
		n = read(go, &word, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(RECORD_TROUBLE);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	limits_give_back();
	execvp(argv[0], argv);
	if (write(error, &errno, sizeof errno) < 0)
		_exit(RECORD_TROUBLE);
	_exit(RECORD_CANNOT_RUN);
}

void
command_start(struct command *c, char **argv, bool stdout_to_stderr, const sigset_t *mask)
{
	int go[2], error[2];

	*c = (struct command){.argv = argv};
	if (pipe2(go, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0)
		cli_die("pipe: %s", strerror(errno));
	c->pid = fork();
	if (c->pid < 0)
		cli_die("fork: %s", strerror(errno));
	if (c->pid == 0) {
		/* If fg-record fails, the child reads the end of file and exits. */
		close(go[1]);
		run(argv, go[0], error[1], stdout_to_stderr, mask);
	}
	close(go[0]);
	close(error[1]);
	c->go = go[1];
	c->error = error[0];
}

bool
command_go(struct command *c, void (*meanwhile)(void *arg), void *arg)
{
	struct pollfd fd = {.fd = c->error, .events = POLLIN};
	int error = 0;
	ssize_t n;

	while ((n = write(c->go, "", 1)) < 0 && errno == EINTR)
		continue;
	if (n != 1)
		cli_die("%s: %s", c->argv[0], strerror(errno));
	close(c->go);
	while (meanwhile != NULL && poll(&fd, 1, MEANWHILE) == 0)
		meanwhile(arg);
	do
		n = read(c->error, &error, sizeof error);
	while (n < 0 && errno == EINTR);
	close(c->error);
	if (n != sizeof error)
		return true;
	command_wait(c);
	c->status = (error == ENOENT ? RECORD_NOT_FOUND : RECORD_CANNOT_RUN) << 8;
	cli_warn("%s: %s", c->argv[0], strerror(error));
	return false;
}

static uint64_t
ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

/* wait4(2) of the command; false if it did not end. */
static bool
look(struct command *c, int flags)
{
	struct rusage u;

	if (wait4(c->pid, &c->status, flags, &u) != c->pid)
		return false;
	c->ended = true;
	c->used = ns_of(&u.ru_utime) + ns_of(&u.ru_stime);
	return true;
}

void
command_look(struct command *c)
{
	if (!c->ended)
		look(c, WNOHANG);
}

void
command_wait(struct command *c)
{
	while (!c->ended && (look(c, 0) || errno == EINTR))
		continue;
}

int
command_exit_status(const struct command *c)
{
	if (WIFSIGNALED(c->status))
		return RECORD_SIGNAL + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}

char *
command_path(const char *name)
{
	const char *path = getenv("PATH");
	char *list, *rest, *directory, *full = NULL;
	struct stat st;

	if (strchr(name, '/') != NULL)
		return cli_strdup(name);
	rest = list = cli_strdup(path != NULL ? path : "/bin:/usr/bin");
	while (full == NULL && (directory = strsep(&rest, ":")) != NULL) {
		if (asprintf(&full, "%s/%s", directory[0] != '\0' ? directory : ".", name) < 0)
			cli_die("out of memory");
		if (stat(full, &st) == 0 && S_ISREG(st.st_mode) && access(full, X_OK) == 0)
			break;
		free(full);
		full = NULL;
	}
	free(list);
	return full;
}

bool
command_is_privileged(const struct command *c)
{
	char *path = command_path(c->argv[0]);
	struct stat st;
	bool found = path != NULL && stat(path, &st) == 0;

	free(path);
	return found && (((st.st_mode & S_ISUID) != 0 && st.st_uid != geteuid()) ||
			    ((st.st_mode & S_ISGID) != 0 && st.st_gid != getegid()));
}
