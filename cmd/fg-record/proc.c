/*
 * proc: numbers of processes and threads in, lines of their files in /proc read.
 */
#include "proc.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

struct ids
proc_threads(int pid)
{
	struct ids ids = {0};
	char path[32];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	d = opendir(path);
	if (d == NULL)
		return ids;
	while ((e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			ids_add(&ids, atoi(e->d_name));
	closedir(d);
	return ids;
}

int
proc_pid(int tid)
{
	char path[32], line[128];
	int pid = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", tid);
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	while (pid == 0 && fgets(line, sizeof line, f) != NULL)
		sscanf(line, "Tgid: %d", &pid);
	fclose(f);
	return pid;
}

char
proc_state(int id)
{
	char path[32], line[512];
	const char *end;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/stat", id);
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	line[fread(line, 1, sizeof line - 1, f)] = '\0';
	fclose(f);
	end = strrchr(line, ')'); /* of the comm, which may hold anything */
	return end != NULL && end[1] == ' ' ? end[2] : 0;
}

long
proc_sysctl(const char *name, long otherwise)
{
	char path[96];
	long n;
	FILE *f;

	snprintf(path, sizeof path, "/proc/sys/kernel/%s", name);
	f = fopen(path, "re");
	if (f == NULL)
		return otherwise;
	if (fscanf(f, "%ld", &n) != 1)
		n = otherwise;
	fclose(f);
	return n;
}

uint64_t
proc_delay(int tid)
{
	char path[32];
	uint64_t ran, delay;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/schedstat", tid);
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	if (fscanf(f, "%" SCNu64 " %" SCNu64, &ran, &delay) != 2)
		delay = 0;
	fclose(f);
	return delay;
}

FILE *
proc_tracepoint(const char *name)
{
	static const char *const roots[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	int error = ENOENT;

	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		char path[256];
		FILE *f;

		snprintf(path, sizeof path, "%s/events/%s", roots[i], name);
		f = fopen(path, "re");
		if (f != NULL)
			return f;
		if (errno == EACCES)
			error = EACCES;
	}
	errno = error;
	return NULL;
}

bool
proc_has_program(int pid)
{
	char path[32];
	FILE *f;
	bool has;

	snprintf(path, sizeof path, "/proc/%d/statm", pid);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	has = fgetc(f) != '0';
	fclose(f);
	return has;
}
