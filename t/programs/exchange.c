/*
 * exchange DIRECTORY: attacks a program that writes DIRECTORY/x. Until SIGTERM, as fast as it can,
 * it makes x a file of its own, a FIFO of its own, a link to that file, and a link to
 * DIRECTORY/../secret, and removes x. Then it prints "safe" if its file and its FIFO were not
 * written to, else what they have.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void
end(int signal_number)
{
	(void)signal_number;
	ended = 1;
}

int
main(int argc, char **argv)
{
	char bytes[64] = "";
	int file, fifo;

	if (argc != 2 || chdir(argv[1]) != 0)
		return 2;
	umask(0);
	signal(SIGTERM, end);
	if (mkdir("own", 0755) != 0 ||
	    (file = open("own/file", O_RDWR | O_CREAT | O_EXCL, 0666)) < 0 ||
	    write(file, "old", 3) != 3 || mkfifo("own/fifo", 0666) != 0)
		return 2;
	fifo = open("own/fifo", O_RDWR | O_NONBLOCK);
	puts("ready");
	fflush(stdout);
	for (unsigned i = 0; !ended; i++) {
		int made;

		switch (i % 5) {
		case 0: made = link("own/file", "y"); break;
		case 1: made = link("own/fifo", "y"); break;
		case 2: made = symlink("own/file", "y"); break;
		case 3: made = symlink("../secret", "y"); break;
		default: made = unlink("x"); break;
		}
		/* Fails while x is a file of the attacked user, in a sticky directory. */
		if (made == 0 && i % 5 != 4 && rename("y", "x") != 0)
			made = -1;
		unlink("y");
	}
	if (pread(file, bytes, sizeof bytes - 1, 0) != 3 || strcmp(bytes, "old") != 0)
		printf("the file has '%s'\n", bytes);
	else if (read(fifo, bytes, sizeof bytes - 1) > 0)
		printf("the FIFO has '%s'\n", bytes);
	else
		puts("safe");
	return 0;
}
