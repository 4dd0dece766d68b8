/*
 * module: what the kernel says of a mapping goes in, the file that was mapped comes
 * out, even when it was deleted or replaced or lies in a container.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>

#include "base/cli.h"
#include "base/hash.h"
#include "code/elffile.h"
#include "base/intmap.h"
#include "code/jitmap.h"
#include "code/module.h"

/*
 * Files that are open and were not looked into yet. Programs that are mapped but
 * never sampled would use up all descriptors, so the oldest are closed and found
 * again by their path should they be needed after all.
 */
#define WAITING 128

struct module_file {
	struct module *next; /* of the same base name */
	struct module_id id;
	struct module_reach reach;
	int fd; /* while it waits, else -1 */
	bool found; /* as the file that was mapped */
	bool loaded;
	char *opened; /* the path by which it was found */
	struct elffile elf;
};

static struct module **all;
static size_t nall, size_all;
static struct intmap files; /* by hash of the base name: struct module */
static struct intmap processes; /* by pid: struct module */
static struct module *waiting[WAITING];
static size_t nwaiting;

static struct module *
new_module(enum module_kind kind, const char *path, const char *name)
{
	struct module *m = cli_alloc(1, sizeof *m);

	if (nall == size_all) {
		size_all = size_all == 0 ? 64 : 2 * size_all;
		all = cli_realloc(all, size_all, sizeof *all);
	}
	m->kind = kind;
	m->number = (uint32_t)nall;
	m->path = path;
	m->name = name;
	all[nall++] = m;
	return m;
}

struct module *const *
module_all(size_t *n)
{
	*n = nall;
	return all;
}

/* How sure it is that a file is the mapped one. */
enum match {
	MATCH_NO,
	MATCH_INODE, /* on another device: btrfs and overlayfs tell stat(2) another than maps */
	MATCH_YES,
};

static bool
same_build_id(int fd, const struct module_id *id)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const void *bytes;
	ssize_t n;
	bool same;

	if (elf == NULL)
		return false;
	n = dwelf_elf_gnu_build_id(elf, &bytes);
	same = n == id->build_id_size && memcmp(bytes, id->build_id, (size_t)n) == 0;
	elf_end(elf);
	return same;
}

static enum match
compare(int fd, const struct module_id *id)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return MATCH_NO;
	if (id->build_id_size > 0)
		return same_build_id(fd, id) ? MATCH_YES : MATCH_NO;
	if (id->inode == 0)
		return MATCH_YES;
	if (st.st_ino != id->inode)
		return MATCH_NO;
	return st.st_dev == makedev(id->major, id->minor) ? MATCH_YES : MATCH_INODE;
}

/* Open the mapped file of m by any of the ways to it; -1 when there is none. */
static int
open_file(struct module *m)
{
	struct module_file *f = m->file;
	const int pid = f->reach.pid;
	char *way[4] = {NULL, NULL, NULL, NULL};
	int best = -1;

	if (m->path[0] == '/')
		way[0] = cli_strdup(m->path);
	if (pid > 0) {
		if (m->path[0] == '/' && asprintf(&way[1], "/proc/%d/root%s", pid, m->path) < 0)
			way[1] = NULL;
		if (f->reach.end != 0 &&
		    asprintf(&way[2], "/proc/%d/map_files/%jx-%jx", pid, (uintmax_t)f->reach.start,
			(uintmax_t)f->reach.end) < 0)
			way[2] = NULL;
		if (f->id.inode != 0 && asprintf(&way[3], "/proc/%d/exe", pid) < 0)
			way[3] = NULL;
	}
	for (size_t i = 0; i < 4; i++) {
		enum match match;
		int fd;

		if (way[i] == NULL)
			continue;
		/* Whatever a process calls a file, opening it must not wait. */
		fd = open(way[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (fd < 0)
			continue;
		match = compare(fd, &f->id);
		/* The kernel itself leads from a range to the file that is mapped there. */
		if (i == 2 && match == MATCH_INODE)
			match = MATCH_YES;
		if (match == MATCH_NO || (match == MATCH_INODE && best >= 0)) {
			close(fd);
			continue;
		}
		if (best >= 0)
			close(best);
		best = fd;
		free(f->opened);
		f->opened = cli_strdup(i < 2 ? way[i] : m->path);
		if (match == MATCH_YES)
			break;
	}
	for (size_t i = 0; i < 4; i++)
		free(way[i]);
	return best;
}

static struct elffile *
load(struct module *m)
{
	static struct elffile nothing;
	struct module_file *f = m->file;

	if (f == NULL)
		return &nothing;
	if (f->loaded)
		return &f->elf;
	f->loaded = true;
	if (f->found && f->fd < 0)
		f->fd = open_file(m);
	if (f->fd < 0 || !elffile_open(&f->elf, m->name, f->opened, f->fd))
		m->info = MODULE_MISSING;
	f->fd = -1;
	return &f->elf;
}

/* Keep fd until the module is looked into. */
static void
wait_for_use(struct module *m, int fd)
{
	struct module **place = &waiting[nwaiting++ % WAITING];

	if (*place != NULL && (*place)->file->fd >= 0) {
		close((*place)->file->fd);
		(*place)->file->fd = -1;
	}
	*place = m;
	m->file->fd = fd;
	m->file->found = true;
}

static bool
same_file(const struct module_id *a, const struct module_id *b)
{
	if (a->inode == 0 || b->inode == 0)
		return a->build_id_size == b->build_id_size &&
		       memcmp(a->build_id, b->build_id, a->build_id_size) == 0;
	/* /proc/PID/maps does not tell the generation, so 0 is like any. */
	return a->inode == b->inode && a->major == b->major && a->minor == b->minor &&
	       (a->generation == b->generation || a->generation == 0 || b->generation == 0);
}

static bool
is_elf(int fd)
{
	char magic[SELFMAG];

	return pread(fd, magic, SELFMAG, 0) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;
}

/* Memory that a process filled with code by itself. .NET maps a file twice for that. */
static bool
without_file(const char *path)
{
	static const char *const prefix[] = {"//anon", "/anon_hugepage", "/dev/zero", "/SYSV",
	    "anon_inode:", "[heap]", "[stack", "[anon", "/dev/shm/doublemapper"};

	if (path[0] == '\0')
		return true;
	for (size_t i = 0; i < sizeof prefix / sizeof prefix[0]; i++)
		if (strncmp(path, prefix[i], strlen(prefix[i])) == 0)
			return true;
	return false;
}

struct module *
module_open(const char *path, const struct module_id *id, const struct module_reach *reach)
{
	static const char deleted[] = " (deleted)";
	const bool memfd = strncmp(path, "/memfd:", 7) == 0;
	size_t length = strlen(path);
	const char *slash = memfd ? NULL : strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	struct module **first, *m;
	char *copy;
	int fd;

	if (strcmp(path, "[vdso]") == 0)
		return module_vdso();
	if (without_file(path))
		return module_jit(reach->pid);
	if (length > sizeof deleted - 1 &&
	    strcmp(path + length - (sizeof deleted - 1), deleted) == 0)
		length -= sizeof deleted - 1;

	first =
	    (struct module **)intmap_at(&files, hash_bytes(name, length - (size_t)(name - path)));
	for (m = *first; m != NULL; m = m->file->next)
		if (same_file(&m->file->id, id) &&
		    (id->inode != 0 ||
			(strncmp(m->path, path, length) == 0 && m->path[length] == '\0'))) {
			if (m->file->id.generation == 0)
				m->file->id.generation = id->generation;
			return m->kind == MODULE_JIT ? module_jit(reach->pid) : m;
		}

	copy = cli_alloc(length + 1, 1);
	memcpy(copy, path, length);
	m = new_module(MODULE_FILE, copy, copy + (name - path));
	m->file = cli_alloc(1, sizeof *m->file);
	m->file->next = *first;
	m->file->id = *id;
	m->file->reach = *reach;
	m->file->fd = -1;
	*first = m;
	fd = open_file(m);
	/* One may hold a library or generated code. */
	if (memfd && (fd < 0 || !is_elf(fd))) {
		if (fd >= 0)
			close(fd);
		m->kind = MODULE_JIT;
		return module_jit(reach->pid);
	}
	if (fd >= 0)
		wait_for_use(m, fd);
	return m;
}

struct module *
module_kernel(void)
{
	static struct module *kernel;

	if (kernel == NULL)
		kernel = new_module(MODULE_KERNEL, "[kernel.kallsyms]", "[kernel.kallsyms]");
	return kernel;
}

/* Its image ends with the section headers; no file holds it, so a memfd is made of it. */
static int
vdso_file(void)
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

struct module *
module_vdso(void)
{
	static struct module *vdso;

	if (vdso == NULL) {
		vdso = new_module(MODULE_VDSO, "[vdso]", "[vdso]");
		vdso->file = cli_alloc(1, sizeof *vdso->file);
		vdso->file->fd = vdso_file();
		vdso->file->opened = cli_strdup("[vdso]");
	}
	return vdso;
}

struct module *
module_jit(int pid)
{
	struct module **m = (struct module **)intmap_at(&processes, (uint64_t)(unsigned)pid);

	if (*m == NULL) {
		*m = new_module(MODULE_JIT, "[jit]", "[jit]");
		(*m)->pid = pid;
		(*m)->jit = jitmap_new(pid);
	}
	return *m;
}

uint64_t
module_vaddr(struct module *m, uint64_t file_offset)
{
	return elffile_vaddr(load(m), file_offset);
}

Elf *
module_elf(struct module *m)
{
	return load(m)->elf;
}

Dwfl_Module *
module_dwfl(struct module *m)
{
	return load(m)->main;
}

Dwarf *
module_dwarf(struct module *m)
{
	return elffile_dwarf(load(m));
}
