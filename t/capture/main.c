/*
 * capture: records a run of fg-record into a directory, or replays it.
 *
 *	capture record FOLDER [fg-record's arguments]
 *	capture replay [-v] FOLDER [other arguments]	-v: prints calls without an answer
 *	capture edit EDITS FOLDER	a replay of answers changed by a file (edit.c)
 *
 * The directory has the arguments (command, one a line), the calls with their answers (calls.gz,
 * bytes.gz), the standard output and error of fg-record (stacks, notes), and
 * its exit status, if that is not 0.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli.h"
#include "capture.h"

enum capture_mode capture_mode;
struct capture_shared *capture_shared;
bool capture_in_main;

/* The leak checker traces the program, which its sandbox refuses. */
const char *__asan_default_options(void);
const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

void
capture_die(const char *fmt, ...)
{
	va_list args;

	capture_mode = CAPTURE_OFF;
	va_start(args, fmt);
	fputs("capture: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
	_exit(98);
}

void *
real_function(const char *name)
{
	void *f = dlsym(RTLD_NEXT, name);

	if (f == NULL)
		capture_die("no function %s", name);
	return f;
}

long
real_syscall(long number, ...)
{
	static long (*call)(long, ...);
	long a[6];
	va_list args;

	va_start(args, number);
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (call == NULL)
		*(void **)&call = real_function("syscall");
	return call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

const char *
key_of(const char *fmt, ...)
{
	static char key[8192];
	va_list args;

	va_start(args, fmt);
	vsnprintf(key, sizeof key, fmt, args);
	va_end(args);
	return key;
}

static FILE *
file_in(const char *folder, const char *name, const char *mode)
{
	char *path;
	FILE *f;

	if (asprintf(&path, "%s/%s", folder, name) < 0 || (f = fopen(path, mode)) == NULL)
		capture_die("%s/%s: %s", folder, name, strerror(errno));
	free(path);
	return f;
}

/* Sets an environment that does not depend on the user. */
static void
set_environment(void)
{
	clearenv();
	setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
	setenv("LC_ALL", "C", 1);
	setenv("TZ", "UTC0", 1);
}

static void
begin(enum capture_mode mode)
{
	capture_shared = mmap(NULL, sizeof *capture_shared, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	capture_in_main = true;
	object_open();
	capture_mode = mode;
	file_open();
	set_environment();
}

/* Runs fg-record in a child with its output in files of the directory, then makes the capture. */
static int
record(const char *folder, int argc, char **argv)
{
	FILE *command, *out, *error;
	int status = 0;
	pid_t pid;

	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		capture_die("%s: %s", folder, strerror(errno));
	command = file_in(folder, "command", "we");
	for (int i = 1; i < argc; i++)
		if (strchr(argv[i], '\n') != NULL || fprintf(command, "%s\n", argv[i]) < 0)
			capture_die("%s: not a line", argv[i]);
	fclose(command);
	log_open(folder);
	out = file_in(folder, "stacks", "we");
	error = file_in(folder, "notes", "we");
	pid = fork();
	if (pid == 0) {
		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(error), STDERR_FILENO);
		begin(CAPTURE_RECORD);
		exit(__real_main(argc, argv));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		capture_die("fork: %s", strerror(errno));
	log_pack(folder);
	archive_open(folder);
	if (shrink(folder, argc, argv) != 0)
		capture_die("%s: the replay differs from the recording", folder);
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	if (status != 0) {
		FILE *f = file_in(folder, "status", "we");

		fprintf(f, "%d\n", status);
		fclose(f);
	}
	return status;
}

int
capture_replay(int argc, char **argv)
{
	begin(CAPTURE_REPLAY);
	return __real_main(argc, argv);
}

static char **
read_command(const char *folder, int *argc)
{
	FILE *f = file_in(folder, "command", "re");
	char **argv = cli_alloc(256, sizeof *argv), *line = NULL;
	size_t size = 0;
	ssize_t n;

	argv[0] = strdup("fg-record");
	*argc = 1;
	while (*argc < 255 && (n = getline(&line, &size, f)) > 0)
		argv[(*argc)++] = strndup(line, (size_t)n - 1);
	free(line);
	fclose(f);
	return argv;
}

int
__wrap_main(int argc, char **argv)
{
	const char *folder, *edits = NULL;

	if (argc >= 3 && strcmp(argv[1], "record") == 0) {
		folder = argv[2];
		argv[2] = strdup("fg-record");
		return record(folder, argc - 2, argv + 2);
	}
	if (argc == 4 && strcmp(argv[1], "edit") == 0)
		edits = argv[2];
	archive_verbose = argc >= 4 && strcmp(argv[2], "-v") == 0;
	if (edits == NULL && (argc < 3 || strcmp(argv[1], "replay") != 0))
		capture_die("usage: capture record|replay FOLDER [arguments]");
	if (edits != NULL || archive_verbose) {
		argc--;
		argv++;
	}
	folder = argv[2];
	argv += 2;
	argc -= 2;
	argv[0] = strdup("fg-record");
	if (argc == 1)
		argv = read_command(folder, &argc);
	archive_open(folder);
	if (edits != NULL)
		archive_edit(edits);
	return capture_replay(argc, argv);
}
