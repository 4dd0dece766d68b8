/*
 * target: one reader as a fuzz target of libFuzzer, for t/fuzz/readers.
 *
 * FUZZ_ARGS in the environment is the reader's command line, split at blanks, in which @ stands
 * for the path of the input. Each input has a process of its own, since readers exit on an error
 * and store state: it, and processes that it forks, add their coverage counters to those in shared
 * memory when they exit. A server forks it that was forked before libFuzzer's tables exist, since
 * fork(2) copies their page tables. A signal, a sanitizer's report, also of a forked process, an
 * exit status above 2 or LIMIT seconds of CPU time are findings; fg-record's own status 125 and
 * those of its command are none.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LIMIT 20 /* seconds */
#define ARGS_MAX 32
#define SANITIZED 99 /* exit status after a report (t/fuzz/readers) */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
int fuzz_main(int argc, char **argv); /* main of the program, renamed */

/* The compiler's counters of executed edges (-fsanitize-coverage=inline-8bit-counters). */
extern uint8_t __start___sancov_cntrs[], __stop___sancov_cntrs[];

static uint8_t *shared;
static size_t ncounters;
static int input, messages, to_server, from_server;

/* Replaces the C library's function. */
void
_exit(int status)
{
	for (size_t i = 0; shared != NULL && i < ncounters; i++)
		shared[i] |= __start___sancov_cntrs[i];
	for (;;)
		syscall(SYS_exit_group, status);
}

/* Ends before libFuzzer's own function, which reports each exit as a finding. */
static void
end(int status, void *arg)
{
	(void)arg;
	_exit(status);
}

/* The reader of one input, in a process forked for it. */
static void
read_input(void)
{
	const struct rlimit cpu = {LIMIT, LIMIT}, core = {0, 0};
	char path[32], *line = strdup(getenv("FUZZ_ARGS")), *args[ARGS_MAX + 1];
	int n = 0, nothing = open("/dev/null", O_RDWR);

	setrlimit(RLIMIT_CPU, &cpu);
	setrlimit(RLIMIT_CORE, &core);
	dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	dup2(messages, STDERR_FILENO);
	for (int i = 0; i < NSIG; i++) /* libFuzzer's handlers */
		signal(i, SIG_DFL);
	snprintf(path, sizeof path, "/proc/self/fd/%d", input);
	for (char *word; n < ARGS_MAX && (word = strsep(&line, " ")) != NULL;)
		args[n++] = strcmp(word, "@") == 0 ? path : word;
	args[n] = NULL;
	on_exit(end, NULL); /* runs after the functions of the program */
	exit(fuzz_main(n, args));
}

/* Forks a process for each byte from `from`, and writes its wait status. */
static void
serve(int from, int to)
{
	char byte;
	int status;

	while (read(from, &byte, 1) == 1) {
		pid_t pid = fork();

		if (pid == 0)
			read_input();
		if (pid < 0 || waitpid(pid, &status, 0) != pid ||
		    write(to, &status, sizeof status) != (ssize_t)sizeof status)
			break;
	}
	_exit(0);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int there[2], back[2];
	pid_t server;

	(void)argc;
	(void)argv;
	ncounters = (size_t)(__stop___sancov_cntrs - __start___sancov_cntrs);
	shared = mmap(NULL, ncounters, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	input = memfd_create("input", 0);
	messages = memfd_create("messages", 0);
	if (shared == MAP_FAILED || input < 0 || messages < 0 || getenv("FUZZ_ARGS") == NULL)
		abort();
	if (pipe(there) != 0 || pipe(back) != 0 || (server = fork()) < 0)
		abort();
	to_server = there[1];
	from_server = back[0];
	if (server == 0) {
		close(there[1]);
		close(back[0]);
		serve(there[0], back[1]);
	}
	close(there[0]);
	close(back[1]);
	return 0;
}

static void
report(int status)
{
	char text[4096];
	ssize_t n;

	lseek(messages, 0, SEEK_SET);
	while ((n = read(messages, text, sizeof text)) > 0)
		if (write(STDERR_FILENO, text, (size_t)n) < 0)
			break;
	fprintf(stderr, "target: wait status 0x%x\n", status);
	abort();
}

/* True after a report of a process that the reader forked. */
static bool
is_reported(void)
{
	char text[4096];
	struct stat st;
	ssize_t n;

	if (fstat(messages, &st) != 0 || st.st_size == 0)
		return false;
	n = pread(messages, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	return strstr(text, "Sanitizer") != NULL || strstr(text, "runtime error: ") != NULL;
}

static bool
is_finding(int status)
{
	if (!WIFEXITED(status) || WEXITSTATUS(status) == SANITIZED || is_reported())
		return true;
	return WEXITSTATUS(status) > 2 && strncmp(getenv("FUZZ_ARGS"), "capture ", 8) != 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int status;
	ssize_t n;

	if (ftruncate(input, 0) != 0 || ftruncate(messages, 0) != 0 ||
	    pwrite(input, data, size, 0) != (ssize_t)size)
		abort();
	lseek(input, 0, SEEK_SET);
	lseek(messages, 0, SEEK_SET);
	memset(shared, 0, ncounters);
	if (write(to_server, "", 1) != 1)
		abort();
	while ((n = read(from_server, &status, sizeof status)) < 0 && errno == EINTR)
		continue; /* libFuzzer's timer */
	if (n != (ssize_t)sizeof status)
		abort();
	if (is_finding(status))
		report(status);
	memcpy(__start___sancov_cntrs, shared, ncounters);
	return 0;
}
