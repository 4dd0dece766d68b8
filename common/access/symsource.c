/*
 * symsource: opens files by their recorded identity. For a living process the paths lead
 * through /proc; for a recording only to the directories that were named with it.
 */
#include "access/symsource.h"

#include <fcntl.h>
#include <libelf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#include "base/cli.h"
#include "kernel/syscalls.h"
#include "access/innerid.h"
#include "access/opener.h"

#define PATH 4096
#define YOUNG 3600 /* seconds: new programs are often rebuilt */
#define YOUNG_MAX (64 << 20) /* bytes */

const struct symsource symsource_live = {.live = true};

static char *__attribute__((format(printf, 1, 2))) join(const char *fmt, ...)
{
	va_list args;
	char *s;

	va_start(args, fmt);
	if (vasprintf(&s, fmt, args) < 0)
		cli_die("out of memory");
	va_end(args);
	return s;
}

/* The kernel's path of an O_PATH descriptor. */
static bool
real_path(int fd, char path[PATH])
{
	char self[32];
	ssize_t n;

	snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
	n = readlink(self, path, PATH - 1);
	if (n <= 0)
		return false;
	path[n] = '\0';
	return true;
}

static bool
is_below(const char *path, const char *directory)
{
	size_t n = strlen(directory);

	while (n > 0 && directory[n - 1] == '/')
		n--;
	return strncmp(path, directory, n) == 0 && path[n] == '/';
}

#define LINKS_MAX 40 /* as the kernel's */

/*
 * Opens path as if root, a descriptor, were the root directory: neither .. nor a symbolic link
 * leaves it. Like openat2(2) with RESOLVE_IN_ROOT, whose flags a filter of system calls cannot
 * examine. Returns -1 if the path does not exist.
 */
static int
open_in_root(int root, const char *path)
{
	char done[PATH] = "", rest[PATH], link[PATH];
	unsigned links = 0;
	int fd = fcntl(root, F_DUPFD_CLOEXEC, 0);

	if (snprintf(rest, sizeof rest, "%s", path) >= (int)sizeof rest)
		goto fail;
	while (fd >= 0 && rest[strspn(rest, "/")] != '\0') {
		const char *name = rest + strspn(rest, "/");
		size_t length = strcspn(name, "/"), n = strlen(done);
		struct stat st;

		if (length == 2 && memcmp(name, "..", 2) == 0)
			*(strrchr(done, '/') != NULL ? strrchr(done, '/') : done) = '\0';
		else if (length != 1 || *name != '.') {
			if (n + length + 2 > sizeof done)
				goto fail;
			snprintf(done + n, sizeof done - n, "%s%.*s", n > 0 ? "/" : "", (int)length,
			    name);
		}
		close(fd);
		fd = openat(root, *done != '\0' ? done : ".", O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 || fstat(fd, &st) < 0)
			goto fail;
		if (!S_ISLNK(st.st_mode)) {
			memmove(rest, name + length, strlen(name + length) + 1);
			continue;
		}
		ssize_t got = readlinkat(fd, "", link, sizeof link - 1);
		if (got <= 0 || (size_t)got + strlen(name + length) >= sizeof link ||
		    ++links > LINKS_MAX)
			goto fail;
		strcpy(link + got, name + length);
		done[*link == '/' ? 0 : n] = '\0';
		strcpy(rest, link);
	}
	return fd;
fail:
	if (fd >= 0)
		close(fd);
	return -1;
}

/*
 * Opens a recorded path below a directory; neither .. nor a symbolic link can leave it. Refuses
 * virtual file systems (/proc, /sys, /dev), which have no files of a recording.
 */
static int
open_below(const char *root, const char *path)
{
	int directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC), fd;
	char top[PATH], real[PATH];

	if (directory < 0)
		return -1;
	fd = open_in_root(directory, path);
	if (fd >= 0 &&
	    (!real_path(directory, top) || !real_path(fd, real) || !is_below(real, top) ||
		is_below(real, "/proc") || is_below(real, "/sys") || is_below(real, "/dev"))) {
		close(fd);
		fd = -1;
	}
	close(directory);
	return opener_file_of(fd);
}

/* Confidence that a file is the mapped one, in ascending order. */
enum match {
	MATCH_NO,
	MATCH_INODE, /* another device: on btrfs and overlayfs stat(2) and maps differ */
	MATCH_UNVERIFIED, /* no identity to compare */
	MATCH_YES,
};

static bool
same_build_id(int fd, const struct module_id *id)
{
	const void *bytes;
	ssize_t n;
	bool same;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf == NULL)
		return false;
	n = dwelf_elf_gnu_build_id(elf, &bytes);
	/* perf before 5.10 stored 20 bytes for any build ID, padded with zeros. */
	same = n > 0 && n <= id->build_id_size && memcmp(bytes, id->build_id, (size_t)n) == 0;
	for (ssize_t i = n; same && i < id->build_id_size; i++)
		same = id->build_id[i] == 0;
	elf_end(elf);
	return same;
}

/* Compares an open file with a mapping of a living process. */
static enum match
compare_living(int fd, const struct module_id *id)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return MATCH_NO;
	if (id->build_id_size > 0)
		return same_build_id(fd, id) ? MATCH_YES : MATCH_NO;
	if (id->inode == 0)
		return MATCH_UNVERIFIED;
	if (st.st_ino != id->inode)
		return MATCH_NO;
	return st.st_dev == makedev(id->major, id->minor) ? MATCH_YES : MATCH_INODE;
}

static struct symsource_file
open_living(const char *path, const struct module_id *id, struct module_reach *reach)
{
	static const char standard[] = ":.debug:/usr/lib/debug";
	struct symsource_file found = {.fd = -1};
	enum match best = MATCH_NO;
	char *way[4] = {NULL, NULL, NULL, NULL};
	const int pid = reach->pid;

	if (path[0] == '/')
		way[0] = cli_strdup(path);
	if (pid > 0) {
		if (path[0] == '/' && reach->root != NULL)
			way[1] = join("%s%s", reach->root->path, path);
		else if (path[0] == '/')
			way[1] = join("/proc/%d/root%s", pid, path);
		if (reach->end != 0)
			way[2] = join("/proc/%d/map_files/%jx-%jx", pid, (uintmax_t)reach->start,
			    (uintmax_t)reach->end);
		if (id->inode != 0)
			way[3] = join("/proc/%d/exe", pid);
	}
	for (size_t i = 0; i < 4 && best < MATCH_UNVERIFIED; i++) {
		enum match match;
		int fd;

		if (way[i] == NULL || (fd = opener_file(AT_FDCWD, way[i], true)) < 0)
			continue;
		match = compare_living(fd, id);
		/* map_files leads to the mapped file itself. */
		if (i == 2 && match == MATCH_INODE)
			match = MATCH_YES;
		if (match <= best) {
			close(fd);
			continue;
		}
		if (found.fd >= 0)
			close(found.fd);
		found.fd = fd;
		best = match;
		free(found.path);
		free(found.debug);
		if (i > 0 && reach->root == NULL)
			reach->root = nsdir_open_root(pid);
		found.path = i == 1 && reach->root != NULL ? join("%s%s", reach->root->path, path)
							   : cli_strdup(i < 2 ? way[i] : path);
		/* This system's directories, then those below the process's root directory. */
		found.debug = i > 0 && reach->root != NULL
				  ? join("%s:%s/usr/lib/debug", standard, reach->root->path)
				  : cli_strdup(standard);
	}
	for (size_t i = 0; i < 4; i++)
		free(way[i]);
	found.verified = best == MATCH_YES;
	return found;
}

/* Opens a file in perf's build ID cache: ab/cdef.../NAME, or ab/cdef... itself by old versions. */
static int
open_by_build_id(const struct symsource *o, const struct module_id *id, const char *name)
{
	char hex[2 * MODULE_BUILD_ID_MAX + 1], path[PATH];
	int fd;

	if (o->buildids == NULL || id->build_id_size < 2)
		return -1;
	for (unsigned i = 0; i < id->build_id_size; i++)
		snprintf(hex + 2 * i, 3, "%02x", id->build_id[i]);
	snprintf(path, sizeof path, ".build-id/%.2s/%s/%s", hex, hex + 2, name);
	fd = open_below(o->buildids, path);
	if (fd < 0) {
		snprintf(path, sizeof path, ".build-id/%.2s/%s", hex, hex + 2);
		fd = open_below(o->buildids, path);
	}
	if (fd >= 0 && !same_build_id(fd, id)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/*
 * True for files by perf inject --jit, which are newer than the recording: their name has the
 * pid.
 */
static bool
is_jitted(const char *path, int pid)
{
	const char *slash = strrchr(path, '/');
	char name[32];

	snprintf(name, sizeof name, "/jitted-%d-", pid);
	return slash != NULL && strncmp(slash, name, strlen(name)) == 0;
}

static struct symsource_file
open_recorded(const struct symsource *o, const char *path, const struct module_id *id, int pid)
{
	struct symsource_file found = {.fd = open_by_build_id(o, id, "elf")};
	const char *root = o->root == NULL || strcmp(o->root, "/") == 0 ? "" : o->root;
	struct stat st;

	found.verified = found.fd >= 0;
	if (found.fd < 0 && o->root != NULL && path[0] == '/') {
		found.fd = open_below(o->root, path);
		if (found.fd >= 0 && id->build_id_size > 0)
			found.verified = same_build_id(found.fd, id);
		/* A file without a known build ID counts if it is older than the recording. */
		if (found.fd >= 0 && !found.verified &&
		    (id->build_id_size > 0 || fstat(found.fd, &st) != 0 ||
			(!is_jitted(path, pid) &&
			    (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec >=
				o->recorded))) {
			close(found.fd);
			found.fd = -1;
			found.other_build = true;
		}
	}
	if (found.fd < 0)
		return found;
	found.path = join("%s%s", root, path);
	found.debug = o->root == NULL ? cli_strdup("") : join(":.debug:%s/usr/lib/debug", root);
	return found;
}

struct symsource_file
symsource_open(const struct symsource *o, const char *path, const struct module_id *id,
    struct module_reach *reach)
{
	return o->live ? open_living(path, id, reach) : open_recorded(o, path, id, reach->pid);
}

struct symsource_version
symsource_version(int fd, const char *path)
{
	struct stat st;

	if (fd >= 0 ? fstat(fd, &st) != 0 : path == NULL || stat(path, &st) != 0)
		return (struct symsource_version){0};
	return (struct symsource_version){st.st_mtim, st.st_size};
}

int
symsource_copy_young(int fd)
{
	struct stat st;
	off_t from = 0;
	ssize_t n = 1;
	int copy;

	if (fstat(fd, &st) != 0 || st.st_size > YOUNG_MAX || time(NULL) - st.st_mtime > YOUNG)
		return fd;
	copy = memfd_create("young", MFD_CLOEXEC);
	while (copy >= 0 && from < st.st_size && n > 0)
		n = sendfile(copy, fd, &from, (size_t)(st.st_size - from));
	if (copy >= 0 && from < st.st_size) {
		close(copy);
		return fd;
	}
	if (copy < 0)
		return fd;
	close(fd);
	return copy;
}

/* Copies our vdso, which is in no file, to a memfd. Its image ends with the section headers. */
static int
own_vdso(void)
{
	const char *image = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	Elf64_Ehdr header;
	size_t size;
	int fd;

	if (image == NULL)
		return -1;
	memcpy(&header, image, sizeof header);
	if (header.e_ident[EI_CLASS] != ELFCLASS64)
		return -1;
	size = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
	fd = memfd_create("[vdso]", MFD_CLOEXEC);
	if (fd >= 0 && write(fd, image, size) != (ssize_t)size) {
		close(fd);
		return -1;
	}
	return fd;
}

int
symsource_open_vdso(const struct symsource *o, const struct module_id *id)
{
	return o->live ? own_vdso() : open_by_build_id(o, id, "vdso");
}

int
symsource_open_kallsyms(const struct symsource *o)
{
	if (o->live || (o->kallsyms == NULL && o->own_kernel))
		return opener_text(0, OPENER_KALLSYMS);
	return o->kallsyms == NULL ? -1 : opener_file(AT_FDCWD, o->kallsyms, true);
}

int
symsource_open_vmlinux(const struct symsource *o)
{
	int fd = -1;

	if (!o->live && o->vmlinux != NULL)
		fd = opener_file(AT_FDCWD, o->vmlinux, true);
	if (fd >= 0 && o->kernel.build_id_size > 0 && !same_build_id(fd, &o->kernel)) {
		cli_warn("%s: not the recorded kernel: its build ID differs", o->vmlinux);
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Reads a living process's user and its pid in its own namespace. */
static void
read_status(struct symsource_process *p)
{
	char path[32], line[256];
	unsigned user;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/status", p->pid);
	f = fopen(path, "re");
	if (f == NULL)
		return;
	while (fgets(line, sizeof line, f) != NULL) {
		const int number = inner_id_of(line, NULL);

		if (sscanf(line, "Uid: %*u %u", &user) == 1) {
			p->known = true;
			p->user = user;
		} else if (number != 0) {
			p->number = number;
		}
	}
	fclose(f);
}

void
symsource_process_open(struct symsource_process *p, const struct symsource *o, int pid)
{
	struct stat its, our;

	*p = (struct symsource_process){.origin = o, .pid = pid, .number = pid};
	if (!o->live)
		return;
	read_status(p);
	p->tmp = nsdir_open(pid, "/tmp", O_NOFOLLOW);
	/* Usually it is our /tmp: saves a descriptor. */
	if (p->tmp != NULL && fstat(p->tmp->fd, &its) == 0 && stat("/tmp", &our) == 0 &&
	    its.st_dev == our.st_dev && its.st_ino == our.st_ino) {
		nsdir_release(p->tmp);
		p->tmp = NULL;
	}
	if (p->tmp != NULL) /* the sandbox looks for a rule of it too */
		p->root = nsdir_open_root(pid);
}

void
symsource_process_close(struct symsource_process *p)
{
	nsdir_release(p->tmp);
	nsdir_release(p->root);
	p->tmp = p->root = NULL;
}

/* Passes a file only if root or the process's user owns it: other users must not name its code. */
static int
owned(const struct symsource_process *p, int fd)
{
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 &&
	    (st.st_uid == 0 || st.st_uid == (p->known ? p->user : geteuid())))
		return fd;
	close(fd);
	return -1;
}

/*
 * Like owned, for a recording of this boot, whose process may still run. The owner of /proc/PID is
 * the process's user, or root; its files need not be readable.
 */
static int
owned_recorded(const struct symsource_process *p, int fd)
{
	struct symsource_process now = *p;
	char path[32];
	struct stat st;

	snprintf(path, sizeof path, "/proc/%d", p->pid);
	if (stat(path, &st) == 0) {
		now.known = true;
		now.user = st.st_uid;
	}
	return owned(&now, fd);
}

static int
open_recorded_map(const struct symsource_process *p, const char *name)
{
	int directory, fd;

	if (p->origin->maps == NULL)
		return -1;
	directory = open(p->origin->maps, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (directory < 0)
		return -1;
	fd = opener_file(directory, name, false);
	close(directory);
	return fd;
}

/* Passes a file only if it was written since the recording started. */
static int
since(const struct symsource_process *p, int fd)
{
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 &&
	    (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec >= p->origin->recorded)
		return fd;
	close(fd);
	return -1;
}

int
symsource_open_map(const struct symsource_process *p)
{
	char path[64];
	int fd = -1;

	if (!p->origin->live) {
		snprintf(path, sizeof path, "/tmp/perf-%d.map", p->pid);
		fd = open_recorded_map(p, strrchr(path, '/') + 1);
		if (fd < 0 && p->origin->own_maps)
			fd = since(p, owned_recorded(p, opener_file(AT_FDCWD, path, false)));
		return fd;
	}
	if (p->tmp != NULL) {
		snprintf(path, sizeof path, "perf-%d.map", p->number);
		fd = owned(p, opener_file(p->tmp->fd, path, false));
	}
	if (fd < 0) {
		snprintf(path, sizeof path, "/tmp/perf-%d.map", p->pid);
		fd = owned(p, opener_file(AT_FDCWD, path, false));
	}
	/* Another pid namespace, but the same /tmp. */
	if (fd < 0 && p->tmp == NULL && p->number != p->pid) {
		snprintf(path, sizeof path, "/tmp/perf-%d.map", p->number);
		fd = owned(p, opener_file(AT_FDCWD, path, false));
	}
	return fd;
}

int
symsource_open_jitdump(const struct symsource_process *p, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *inside;
	int fd;

	if (!p->origin->live) {
		fd = open_recorded_map(p, slash != NULL ? slash + 1 : path);
		if (fd < 0 && p->origin->own_maps)
			fd = since(p, owned_recorded(p, open_below("/", path)));
		return fd;
	}
	inside = join("/proc/%d/root%s", p->pid, path);
	fd = owned(p, opener_file(AT_FDCWD, inside, false));
	free(inside);
	return fd >= 0 ? fd : owned(p, opener_file(AT_FDCWD, path, false));
}
