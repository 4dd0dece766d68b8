/*
 * proc: reads and parses files below /proc/PID.
 */
#include "fg-record/asking/proc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/clock.h"

#define LINE 512 /* bytes */

/* The numbers that name entries of a directory; false, and errno, if it cannot be read. */
static bool
read_ids(const char *path, struct ids *ids)
{
	struct dirent *e;
	DIR *d = opendir(path);

	*ids = (struct ids){0};
	if (d == NULL)
		return false;
	while ((e = readdir(d)) != NULL)
		if (isdigit((unsigned char)e->d_name[0]))
			ids_add(ids, atoi(e->d_name));
	closedir(d);
	return true;
}

struct ids
proc_threads(int pid)
{
	struct ids ids;
	char path[32];

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	read_ids(path, &ids);
	return ids;
}

struct ids
proc_processes(void)
{
	struct ids ids;

	if (!read_ids("/proc", &ids))
		cli_die("/proc: %s", strerror(errno));
	return ids;
}

/* Opens a file of a process or thread; NULL if that has ended. */
static FILE *
open_of(int id, const char *file)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/%d/%s", id, file);
	return fopen(path, "re");
}

struct ids
proc_children(int pid)
{
	struct ids threads = proc_threads(pid), children = {0};
	int child;

	for (size_t i = 0; i < threads.n; i++) {
		char path[64];
		FILE *f;

		snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, threads.id[i]);
		f = fopen(path, "re");
		if (f == NULL)
			continue;
		while (fscanf(f, "%d", &child) == 1)
			ids_add(&children, child);
		fclose(f);
	}
	free(threads.id);
	return children;
}

/* The number after `word` in a thread's status file; 0 if the thread has ended. */
static int
read_status(int tid, const char *word)
{
	char line[128];
	size_t length = strlen(word);
	int n = 0;
	FILE *f = open_of(tid, "status");

	if (f == NULL)
		return 0;
	while (fgets(line, sizeof line, f) != NULL)
		if (strncmp(line, word, length) == 0) {
			n = atoi(line + length);
			break;
		}
	fclose(f);
	return n;
}

int
proc_pid(int tid)
{
	return read_status(tid, "Tgid:");
}

int
proc_parent(int pid)
{
	return read_status(pid, "PPid:");
}

void
proc_comm(int tid, char comm[PROC_COMM])
{
	FILE *f = open_of(tid, "comm");

	comm[0] = '\0';
	if (f == NULL)
		return;
	if (fgets(comm, PROC_COMM, f) != NULL)
		comm[strcspn(comm, "\n")] = '\0';
	fclose(f);
}

void
proc_command(int pid, char *line, size_t size)
{
	FILE *f = open_of(pid, "cmdline");
	size_t n = f != NULL ? fread(line, 1, size - 1, f) : 0;

	if (f != NULL)
		fclose(f);
	if (n == 0) {
		char comm[PROC_COMM];

		proc_comm(pid, comm);
		n = (size_t)snprintf(line, size, "%s", comm);
	}
	while (n > 0 && line[n - 1] == '\0')
		n--;
	line[n] = '\0';
	for (size_t i = 0; i < n; i++)
		if (line[i] < ' ' || line[i] > '~')
			line[i] = line[i] == '\0' ? ' ' : '?';
}

int
proc_tracer(int tid)
{
	return read_status(tid, "TracerPid:");
}

bool
proc_is_hidden(void)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t size = 0;
	bool hidden = false;

	while (f != NULL && getline(&line, &size, f) > 0)
		hidden |= strstr(line, " /proc ") != NULL && strstr(line, "hidepid=") != NULL;
	free(line);
	if (f != NULL)
		fclose(f);
	return hidden;
}

/* The fields of a stat file from the state on, field 3; NULL if the process or thread has ended. */
static const char *
read_stat(int id, char line[LINE])
{
	const char *end;
	FILE *f = open_of(id, "stat");

	if (f == NULL)
		return NULL;
	line[fread(line, 1, LINE - 1, f)] = '\0';
	fclose(f);
	end = strrchr(line, ')'); /* of the comm, which may contain any character */
	return end != NULL && end[1] == ' ' ? end + 2 : NULL;
}

char
proc_state(int id)
{
	char line[LINE];
	const char *at = read_stat(id, line);

	return at != NULL ? *at : 0;
}

/* A field of the stat file, as numbered in proc_pid_stat(5); NULL if the process has ended. */
static const char *
read_stat_field(int pid, int number, char line[LINE])
{
	const char *at = read_stat(pid, line);

	for (int field = 3; field < number && at != NULL; field++)
		if ((at = strchr(at, ' ')) != NULL)
			at++;
	return at;
}

bool
proc_start(int pid, unsigned long long *ticks)
{
	char line[LINE];
	const char *at = read_stat_field(pid, 22, line);

	return at != NULL && sscanf(at, "%llu", ticks) == 1;
}

bool
proc_charged(int pid, uint64_t *ns)
{
	const uint64_t tick = SECOND_NS / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t user, system;
	char line[LINE];
	const char *at;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0)
		return false;
	*ns = clock_ns(clock);
	at = read_stat_field(pid, 16, line);
	if (at == NULL || sscanf(at, "%" SCNu64 " %" SCNu64, &user, &system) != 2)
		return false;
	*ns += (user + system) * tick;
	return true;
}

/* With one read(2): the kernel gives nothing at a later offset, and stdio without memory reads
 * bytes. */
long
proc_sysctl(const char *name, long otherwise)
{
	char path[96], text[32], *end;
	ssize_t n;
	long value;
	int fd;

	snprintf(path, sizeof path, "/proc/sys/kernel/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return otherwise;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	value = strtol(text, &end, 10);
	return end != text && *end == '\n' ? value : otherwise; /* else it is not all of it */
}

/* The first two numbers of schedstat; false if they cannot be read. */
static bool
read_schedstat(int tid, uint64_t *ran, uint64_t *delay)
{
	FILE *f = open_of(tid, "schedstat");
	bool ok;

	if (f == NULL)
		return false;
	ok = fscanf(f, "%" SCNu64 " %" SCNu64, ran, delay) == 2;
	fclose(f);
	return ok;
}

uint64_t
proc_delay(int tid)
{
	uint64_t ran, delay;

	return read_schedstat(tid, &ran, &delay) ? delay : 0;
}

uint64_t
proc_ran(int tid)
{
	uint64_t ran, delay;

	return read_schedstat(tid, &ran, &delay) ? ran : 0;
}

static const char *const tracefs[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

bool
proc_has_tracefs(void)
{
	for (size_t i = 0; i < sizeof tracefs / sizeof *tracefs; i++) {
		char path[64];

		snprintf(path, sizeof path, "%s/events", tracefs[i]);
		if (access(path, F_OK) == 0)
			return true;
	}
	return false;
}

struct text
proc_tracepoint_format(const char *name)
{
	const int system = (int)strcspn(name, ":");
	struct text format = {0};
	int error = ENOENT;

	for (size_t i = 0; i < sizeof tracefs / sizeof *tracefs && format.len == 0; i++) {
		char path[256], part[1024];
		size_t n;
		FILE *f;

		snprintf(path, sizeof path, "%s/events/%.*s/%s/format", tracefs[i], system, name,
		    name + system + (name[system] == ':'));
		f = fopen(path, "re");
		if (f == NULL) {
			if (errno == EACCES)
				error = EACCES;
			continue;
		}
		while ((n = fread(part, 1, sizeof part, f)) > 0)
			text_add(&format, part, n);
		fclose(f);
	}
	errno = error;
	return format;
}

void
proc_tracepoints(const char *pattern, glob_t *paths)
{
	const int system = (int)strcspn(pattern, ":");

	*paths = (glob_t){0};
	for (size_t i = 0; i < sizeof tracefs / sizeof *tracefs && paths->gl_pathc == 0; i++) {
		char path[256];

		snprintf(path, sizeof path, "%s/events/%.*s/%s/format", tracefs[i], system, pattern,
		    pattern + system + (pattern[system] == ':'));
		glob(path, 0, NULL, paths);
	}
}

bool
proc_has_program(int pid)
{
	FILE *f = open_of(pid, "statm");
	bool has;

	if (f == NULL)
		return false;
	has = fgetc(f) != '0';
	fclose(f);
	return has;
}

bool
proc_any_alive(const struct ids *ids)
{
	for (size_t i = 0; i < ids->n; i++) {
		char state = proc_state(ids->id[i]);

		if (state != 0 && state != 'Z' && state != 'X')
			return true;
	}
	return false;
}
