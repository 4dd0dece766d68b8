#include "fg-render/terminal/tty.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/cli.h"

/* State that the signal handler restores. Set before the terminal is changed. */
static struct termios saved;
static int saved_fd = -1;
static char restore[256];

static void
put_back(int sig)
{
	if (saved_fd >= 0) {
		tcsetattr(saved_fd, TCSANOW, &saved);
		if (write(saved_fd, restore, strlen(restore)) < 0)
			_exit(CLI_ERROR);
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

static void
catch_signals(bool on)
{
	static const int fatal[] = {
	    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE};

	for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) {
		struct sigaction act = {.sa_handler = on ? put_back : SIG_DFL};

		sigaction(fatal[i], &act, NULL);
	}
}

bool
tty_save(int fd)
{
	return tcgetattr(fd, &saved) == 0;
}

void
tty_guard(int fd, const char *undo)
{
	snprintf(restore, sizeof restore, "%s", undo);
	saved_fd = fd;
	catch_signals(true);
}

bool
tty_guarded(void)
{
	return saved_fd >= 0;
}

void
tty_release(void)
{
	saved_fd = -1;
	catch_signals(false);
}

static void
restore_at_exit(void)
{
	if (saved_fd >= 0)
		tcsetattr(saved_fd, TCSANOW, &saved);
}

int
tty_open(void)
{
	int fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	struct termios keys;

	if (fd < 0)
		return -1;
	if (!tty_save(fd)) {
		close(fd);
		return -1;
	}
	tty_guard(fd, "");
	atexit(restore_at_exit);
	keys = saved;
	keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(fd, TCSANOW, &keys);
	return fd;
}

void
tty_close(int fd)
{
	if (fd < 0)
		return;
	restore_at_exit();
	tty_release();
	close(fd);
}
