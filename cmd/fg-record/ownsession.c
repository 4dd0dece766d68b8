/*
 * ownsession: fork(2), sigwaitinfo(2), setsid(2).
 */
#include "fg-record/ownsession.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli.h"
#include "fg-record/asking/proc.h"
#include "fg-record/ending.h"
#include "fg-record/record.h"
#include "fg-record/watching/ringreader.h"

static pid_t front; /* the process that the user started; 0: this one */
static pid_t home; /* its session */
static bool entered;

/* Ends as the recorder did. */
static void __attribute__((noreturn)) end_as(int status)
{
	if (WIFSIGNALED(status)) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0}); /* the recorder has dumped its core */
		ending_raise(WTERMSIG(status));
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : RECORD_TROUBLE);
}

/* Ctrl-Z. The recorder has no terminal and would ignore SIGTSTP. */
static void
stop_both(pid_t recorder)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	kill(recorder, SIGSTOP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* stops here */
	sigprocmask(SIG_BLOCK, &set, NULL);
	kill(recorder, SIGCONT);
}

static void __attribute__((noreturn)) stand_in(pid_t recorder, const sigset_t *set)
{
	siginfo_t info;
	int status;

	/* Readers of pipes see their end when the recorder closes them. */
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	for (;;) {
		const int sig = sigwaitinfo(set, &info);

		if (sig == SIGCHLD) {
			if (waitpid(recorder, &status, WNOHANG) == recorder)
				end_as(status);
		} else if (sig == SIGTSTP) {
			stop_both(recorder);
		} else if (sig > 0) {
			const union sigval terminal = {.sival_int = info.si_code == SI_KERNEL};

			if (sigqueue(recorder, sig, terminal) != 0) /* RLIMIT_SIGPENDING */
				kill(recorder, sig);
		}
	}
}

void
ownsession_split(void)
{
	const pid_t self = getpid();
	struct sigaction stop;
	void (*child)(int);
	sigset_t set, old;
	pid_t pid;

	if (proc_sysctl("sched_autogroup_enabled", 0) != 1 || ring_reader_may_be_first())
		return;
	ending_signals(&set);
	sigaddset(&set, SIGCHLD);
	if (sigaction(SIGTSTP, NULL, &stop) == 0 && stop.sa_handler != SIG_IGN)
		sigaddset(&set, SIGTSTP);
	child = signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &set, &old);
	pid = fork();
	if (pid > 0)
		stand_in(pid, &set);
	if (pid == 0) {
		front = self;
		home = getsid(0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != self)
			_exit(RECORD_TROUBLE);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (child != SIG_ERR)
		signal(SIGCHLD, child);
}

void
ownsession_enter(void)
{
	if (front != 0)
		entered = setsid() != -1;
}

bool
ownsession_is_entered(void)
{
	return entered;
}

bool
ownsession_from_terminal(const struct signalfd_siginfo *info, pid_t session)
{
	if (front != 0)
		return info->ssi_code == SI_QUEUE && (pid_t)info->ssi_pid == front &&
		       info->ssi_int == 1 && session == home;
	return info->ssi_code == SI_KERNEL && session == getsid(0);
}
