/*
 * signals: signalfd(2).
 */
#include "fg-record/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/cli.h"
#include "fg-record/ending.h"
#include "fg-record/ownsession.h"
#include "fg-record/record.h"
#include "fg-record/asking/rights.h"

void
signals_direct(struct signals *s)
{
	sigset_t set;

	*s = (struct signals){.fd = -1};
	ending_signals(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &s->old);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* beyond ulimit -f, write(2) fails with EFBIG */
	s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd < 0)
		cli_die("signalfd: %s", strerror(errno));
}

/* True if the command got the signal as well: from the terminal, in whose session it is. */
static bool
command_has(const struct command *c, const struct signalfd_siginfo *info)
{
	return ownsession_from_terminal(info, getsid(c->pid));
}

void
signals_read(struct signals *s, const struct command *c)
{
	struct signalfd_siginfo info[4]; /* more than can be pending */
	ssize_t n = read(s->fd, info, sizeof info);

	for (size_t i = 0; n > 0 && i < (size_t)n / sizeof *info; i++) {
		if (info[i].ssi_signo == SIGCHLD)
			continue;
		s->end = true;
		s->interrupted |= info[i].ssi_signo == SIGINT;
		s->terminated |= info[i].ssi_signo != SIGINT;
		if (c != NULL && !c->ended && !command_has(c, &info[i]))
			rights_kill(c->pid, (int)info[i].ssi_signo);
	}
}

/* A Ctrl-C that ended the command, and comes here later than the command's end. */
static volatile sig_atomic_t late;
static struct sigaction before_late;

static void
note_late(int sig)
{
	late = 1;
	sigaction(sig, &before_late, NULL);
}

void
signals_give_back(struct signals *s, const struct command *c)
{
	const struct sigaction once = {.sa_handler = note_late, .sa_flags = SA_RESTART};
	sigset_t set = s->old;

	signals_read(s, c);
	if (c != NULL && !s->interrupted && command_exit_status(c) == RECORD_SIGNAL + SIGINT)
		sigaction(SIGINT, &once, &before_late);
	if (s->terminated) {
		sigaddset(&set, SIGTERM);
		sigaddset(&set, SIGHUP);
	}
	sigprocmask(SIG_SETMASK, &set, NULL);
	close(s->fd);
}

bool
signals_interrupted(const struct signals *s)
{
	return s->interrupted || late;
}
