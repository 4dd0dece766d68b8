/*
 * find: reads /proc once for names and parents; walks the cgroup file systems (cgroup2 first,
 * then the v1 hierarchies, where a service's groups have the same path).
 */
#include "fg-record/asking/find.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "fg-record/asking/proc.h"
#include "names/language.h"

#define LISTED 16 /* maximum processes in a message */
#define COMMAND_SHOWN 256 /* bytes of a command line in it */
#define CONTAINER_ID 12 /* minimum hex digits: what `docker ps` prints */
#define CGROUP_DEPTH 16
#define GENERATIONS 64 /* of parents, at most */

/*
 * Mount points: of cgroup2, with or without v1 hierarchies, and of the v1 hierarchies with
 * processes.
 */
static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified",
    "/sys/fs/cgroup/systemd", "/sys/fs/cgroup/pids", "/sys/fs/cgroup/memory", "/sys/fs/cgroup/cpu",
    "/sys/fs/cgroup/cpu,cpuacct", "/sys/fs/cgroup/freezer"};

static bool
has_name(int pid, const char *name)
{
	char comm[PROC_COMM], path[32], exe[4096];
	ssize_t n;

	proc_comm(pid, comm);
	if (strcmp(comm, name) == 0)
		return true;
	snprintf(path, sizeof path, "/proc/%d/exe", pid);
	n = readlink(path, exe, sizeof exe - 1);
	if (n <= 0)
		return false;
	exe[n] = '\0';
	return strcmp(strrchr(exe, '/') != NULL ? strrchr(exe, '/') + 1 : exe, name) == 0;
}

/*
 * True if the process runs a script of that name, by its command line: the first argument of an
 * interpreter that is neither an option nor an option's value, or that of -m.
 */
static bool
has_script(int pid, const char *name)
{
	char line[4096], path[32], *end, *word;
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
	f = fopen(path, "re");
	if (f == NULL)
		return false;
	n = fread(line, 1, sizeof line - 1, f);
	fclose(f);
	line[n] = '\0';
	end = line + n;
	if (!language_has_process(str_base(str_of(line))))
		return false;
	for (word = line + strlen(line) + 1; word < end; word += strlen(word) + 1) {
		bool takes_value = word[0] == '-' && word[1] != '\0' && word[2] == '\0' &&
				   strchr("XWIr", word[1]) != NULL;

		if (takes_value)
			word += strlen(word) + 1; /* python -X dev, ruby -I lib, node -r module */
		else if (word[0] != '-')
			return str_equal(str_base(str_of(word)), str_of(name));
		else if (strcmp(word, "-c") == 0 || strcmp(word, "-e") == 0)
			return false;
		if (word >= end)
			break;
	}
	return false;
}

char *
find_list(const struct ids *ids, char *text, size_t size)
{
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < ids->n && i < LISTED && n < size; i++) {
		char line[COMMAND_SHOWN];

		proc_command(ids->id[i], line, sizeof line);
		n += (size_t)snprintf(
		    text + n, size - n, "%s%d (%s)", i > 0 ? ", " : "", ids->id[i], line);
	}
	if (ids->n > LISTED && n < size)
		snprintf(text + n, size - n, ", ... (%zu in all)", ids->n);
	return text;
}

/* True if a process is one of the others' child, or a child of such a child. */
static bool
descends(const struct ids *ids, int pid)
{
	for (int n = 0; n < GENERATIONS && (pid = proc_parent(pid)) > 0; n++)
		if (ids_have(ids, pid))
			return true;
	return false;
}

/* True if all are one process and its children: a server with its workers. */
static bool
is_family(const struct ids *ids)
{
	size_t first = 0;

	for (size_t i = 0; i < ids->n; i++)
		first += !descends(ids, ids->id[i]);
	return first == 1;
}

void
find_name(struct ids *ids, const char *name, bool every)
{
	struct ids all = proc_processes(), found = {0};
	char list[LISTED * (COMMAND_SHOWN + 16)];

	for (size_t i = 0; i < all.n; i++)
		if (all.id[i] != getpid() &&
		    (has_name(all.id[i], name) || has_script(all.id[i], name)) &&
		    proc_has_program(all.id[i]))
			ids_add(&found, all.id[i]);
	if (found.n == 0)
		cli_die("--pid %s: no process has this command or script name", name);
	if (found.n > 1 && !every && !is_family(&found))
		cli_die("--pid %s: %zu processes have this name: %s; give a PID, or --every "
			"to record all of them",
		    name, found.n, find_list(&found, list, sizeof list));
	for (size_t i = 0; i < found.n; i++)
		ids_add_new(ids, found.id[i]);
	free(found.id);
	free(all.id);
}

void
find_children(struct ids *ids)
{
	struct ids all = proc_processes();
	int *parent = cli_alloc(all.n, sizeof *parent);
	bool more = true;

	for (size_t i = 0; i < all.n; i++)
		parent[i] = proc_parent(all.id[i]);
	while (more) { /* one pass per generation */
		more = false;
		for (size_t i = 0; i < all.n; i++)
			if (all.id[i] != getpid() && ids_have(ids, parent[i]) &&
			    !ids_have(ids, all.id[i])) {
				ids_add(ids, all.id[i]);
				more = true;
			}
	}
	free(parent);
	free(all.id);
}

static bool
is_group(const char *path)
{
	char file[4096 + 16];

	snprintf(file, sizeof file, "%s/cgroup.procs", path);
	return access(file, R_OK) == 0;
}

/* True if a group's directory has the name that the user gave. */
static bool
is_called(const char *directory, const char *name)
{
	size_t n = strlen(name);
	const char *id = directory;

	if (strcmp(directory, name) == 0)
		return true;
	if (strncmp(directory, name, n) == 0 &&
	    (strcmp(directory + n, ".service") == 0 || strcmp(directory + n, ".scope") == 0))
		return true;
	if (n < CONTAINER_ID || strspn(name, "0123456789abcdef") != n)
		return false;
	/* docker-ID.scope, cri-containerd-ID.scope, libpod-ID.scope, or only ID */
	if (strrchr(directory, '-') != NULL)
		id = strrchr(directory, '-') + 1;
	return strncmp(id, name, n) == 0;
}

/* Takes a directory; returns false to leave out the directories below it. */
typedef bool take_directory(void *of, const char *path, int level);

/* Gives path, and the directories below it on its file system. level: their depth, 0 for path. */
static void
each_directory(const char *path, int level, dev_t device, take_directory *take, void *of)
{
	char below[4096];
	struct dirent *e;
	struct stat st;
	DIR *d;

	if (lstat(path, &st) != 0 || !S_ISDIR(st.st_mode) || (level > 0 && st.st_dev != device) ||
	    !take(of, path, level) || (d = opendir(path)) == NULL)
		return;
	while ((e = readdir(d)) != NULL)
		if ((e->d_type == DT_DIR || e->d_type == DT_UNKNOWN) &&
		    strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
		    snprintf(below, sizeof below, "%s/%s", path, e->d_name) < (int)sizeof below)
			each_directory(below, level + 1, st.st_dev, take, of);
	closedir(d);
}

struct wanted {
	const char *name;
	char *found;
};

static bool
find_called(void *of, const char *path, int level)
{
	struct wanted *w = of;
	const char *directory = strrchr(path, '/') + 1;

	if (level == 0 || !is_called(directory, w->name) || !is_group(path))
		return level < CGROUP_DEPTH;
	if (w->found != NULL)
		cli_die("--cgroup %s: several groups have this name: %s, %s; give the path",
		    w->name, w->found, path);
	w->found = cli_strdup(path);
	return false;
}

/*
 * The only group below root with that name. NULL if there is none; exits 125 if there are
 * several.
 */
static char *
search(const char *root, const char *name)
{
	struct wanted w = {.name = name};

	each_directory(root, 0, 0, find_called, &w);
	return w.found;
}

static char *
group_path(const char *group)
{
	char path[4096], *found;

	if (group[0] == '/' && is_group(group))
		return cli_strdup(group);
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		snprintf(path, sizeof path, "%s/%s", roots[i], group);
		if (is_group(path))
			return cli_strdup(path);
	}
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
		if (is_group(roots[i]) && (found = search(roots[i], group)) != NULL)
			return found;
	cli_die("--cgroup %s: no such control group (systemd-cgls lists them)", group);
}

static bool
add_group(void *of, const char *path, int level)
{
	struct ids *ids = of;
	char file[4096 + 16];
	FILE *f;
	int pid;

	(void)level;
	snprintf(file, sizeof file, "%s/cgroup.procs", path);
	f = fopen(file, "re");
	if (f == NULL)
		return true;
	while (fscanf(f, "%d", &pid) == 1)
		if (pid > 0 && pid != getpid())
			ids_add_new(ids, pid);
	fclose(f);
	return true;
}

void
find_cgroup(struct ids *ids, const char *group)
{
	char *path = group_path(group);
	size_t before = ids->n;

	each_directory(path, 0, 0, add_group, ids);
	if (ids->n == before)
		cli_die("--cgroup %s: no process is in %s", group, path);
	free(path);
}
