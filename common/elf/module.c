/*
 * module: tables of modules by base name, process and kernel address range. Equal files share a
 * module in all processes.
 */
#include "elf/module.h"

#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "elf/elffile.h"
#include "elf/jitmap.h"
#include "elf/kallsyms.h"
#include "elf/storedsym.h"

/*
 * Open files that are not loaded yet. Programs that are mapped but never sampled would use up
 * all descriptors, so the oldest are closed; if needed later, their path finds them again.
 */
#define DESCRIPTORS 128 /* and at most an eighth of the process's limit */

#define PARTS 16384 /* of the kernel; far above real machines */

struct module_file {
	struct modules *modules;
	struct module *next; /* next with the same base name */
	struct module_id id;
	struct module_reach reach;
	int fd; /* open until loaded, else -1 */
	bool found; /* the mapped file was found */
	bool loaded;
	bool overwritten; /* the file's contents changed: they are another module's */
	struct symsource_version version; /* version when found; only for a living process */
	char *opened; /* path that was opened */
	char *debug; /* directories of its debug files */
	struct elffile elf;
};

struct modules {
	const struct symsource *origin;
	struct module **all;
	size_t n, cap;
	uint32_t made;
	struct intmap files; /* by hash of the base name: struct module */
	struct intmap processes; /* by pid: struct module */
	struct module *kernel, *vdso, *guest;
	struct kernel_part {
		uint64_t start, end;
		struct module *module;
	} * part; /* sorted by address, disjoint */
	size_t npart, cappart, last; /* last: index of the last match */
	struct intmap part_names; /* by hash: struct module */
	struct module *waiting[DESCRIPTORS], *loaded[DESCRIPTORS];
	size_t nwaiting, nloaded;
};

/* Limit of descriptors for waiting and for loaded files, each. */
static size_t
descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur / 8 >= DESCRIPTORS)
		return DESCRIPTORS;
	return limit.rlim_cur >= 16 ? limit.rlim_cur / 8 : 2;
}

struct modules *
modules_new(const struct symsource *o)
{
	struct modules *ms = cli_alloc(1, sizeof *ms);

	ms->origin = o;
	return ms;
}

const struct symsource *
modules_origin(const struct modules *ms)
{
	return ms->origin;
}

static struct module *
new_module(struct modules *ms, enum module_kind kind, const char *path, const char *name)
{
	struct module *m = cli_alloc(1, sizeof *m);

	vec_fit(ms->all, ms->cap, ms->n + 1);
	m->kind = kind;
	m->number = ms->made++;
	m->path = path;
	m->name = name;
	ms->all[ms->n++] = m;
	return m;
}

uint32_t
modules_made(const struct modules *ms)
{
	return ms->made;
}

struct module *
modules_at(const struct modules *ms, uint32_t number)
{
	for (size_t i = 0; i < ms->n; i++)
		if (ms->all[i]->number == number)
			return ms->all[i];
	return NULL;
}

/* Finds the file of m; false when there is none. */
static bool
find_file(struct modules *ms, struct module *m)
{
	struct module_file *f = m->file;
	struct symsource_file found = symsource_open(ms->origin, m->path, &f->id, &f->reach);

	free(f->opened);
	free(f->debug);
	f->fd = found.fd;
	f->opened = found.path;
	f->debug = found.debug;
	f->version = (struct symsource_version){0};
	if (found.fd >= 0 && ms->origin->live)
		f->version = symsource_version(found.fd, NULL);
	m->unverified = found.fd >= 0 && !found.verified;
	m->other_build = found.other_build;
	return found.fd >= 0;
}

/* True if a file changed since it was found. */
static bool
is_overwritten(struct module *m)
{
	struct module_file *f = m->file;
	struct symsource_version now;

	if (f->overwritten || f->version.written.tv_sec == 0)
		return f->overwritten;
	now = symsource_version(f->fd, f->opened);
	/* A deleted file was not overwritten. */
	f->overwritten =
	    now.written.tv_sec != 0 &&
	    (now.written.tv_sec != f->version.written.tv_sec ||
		now.written.tv_nsec != f->version.written.tv_nsec || now.size != f->version.size);
	return f->overwritten;
}

static struct elffile *
load(struct module *m)
{
	static struct elffile nothing;
	struct module_file *f = m->file;
	struct module **place;

	if (f == NULL)
		return &nothing;
	if (f->loaded)
		return &f->elf;
	f->loaded = true;
	if (is_overwritten(m)) {
		if (f->fd >= 0)
			close(f->fd);
		f->fd = -1;
	} else if (f->found && f->fd < 0) {
		find_file(f->modules, m);
	}
	/*
	 * The file could be overwritten before its symbols are read, at the end of the
	 * recording.
	 */
	if (f->fd >= 0 && f->version.written.tv_sec != 0)
		f->fd = symsource_copy_young(f->fd);
	if (f->fd < 0 || !elffile_open(&f->elf, m->name, f->opened, f->debug, f->fd))
		m->info = MODULE_MISSING;
	else if (!m->unverified)
		m->stored = NULL;
	f->elf.no_lines = f->modules->origin->no_lines;
	f->fd = -1;
	place = &f->modules->loaded[f->modules->nloaded++ % descriptors()];
	if (*place != NULL)
		elffile_close_descriptor(&(*place)->file->elf);
	*place = m;
	return &f->elf;
}

/* Leaves m's file open until the module is loaded. */
static void
wait_for_use(struct modules *ms, struct module *m)
{
	struct module **place = &ms->waiting[ms->nwaiting++ % descriptors()];

	if (*place != NULL && (*place)->file->fd >= 0) {
		close((*place)->file->fd);
		(*place)->file->fd = -1;
	}
	*place = m;
	m->file->found = true;
}

static bool
same_file(const struct module_id *a, const struct module_id *b)
{
	if (a->inode == 0 || b->inode == 0)
		return a->build_id_size == b->build_id_size &&
		       memcmp(a->build_id, b->build_id, a->build_id_size) == 0;
	/* /proc/PID/maps does not have the generation: 0 matches any. */
	return a->inode == b->inode && a->major == b->major && a->minor == b->minor &&
	       (a->generation == b->generation || a->generation == 0 || b->generation == 0);
}

static bool
is_elf(int fd)
{
	char magic[SELFMAG];

	return pread(fd, magic, SELFMAG, 0) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;
}

/* The list of modules with that base name. */
static struct module **
same_name(struct modules *ms, const char *name, size_t length)
{
	return (struct module **)intmap_at(&ms->files, hash_bytes(name, length));
}

/* True for paths of anonymous JIT memory. .NET maps a file twice for it. */
static bool
without_file(const char *path)
{
	static const char *const prefix[] = {
	    "//anon", "/anon_hugepage", "/dev/zero", "/SYSV", "/dev/shm/doublemapper"};

	if (path[0] != '/')
		return true;
	for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
		if (strncmp(path, prefix[i], strlen(prefix[i])) == 0)
			return true;
	return false;
}

struct module *
module_open(struct modules *ms, const char *path, const struct module_id *id,
    const struct module_reach *reach)
{
	static const char deleted[] = " (deleted)";
	const bool memfd = strncmp(path, "/memfd:", 7) == 0;
	size_t length = strlen(path);
	const char *slash = memfd ? NULL : strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	const struct storedsym_file *stored = storedsyms_find(ms->origin->stored, str_of(path));
	struct module **first, *m;
	char *copy;
	bool found;

	if (strcmp(path, "[vdso]") == 0)
		return module_vdso(ms, id);
	if (stored == NULL && without_file(path))
		return module_jit(ms, reach->pid);
	if (length > sizeof deleted - 1 &&
	    strcmp(path + length - (sizeof deleted - 1), deleted) == 0)
		length -= sizeof deleted - 1;

	first = same_name(ms, name, length - (size_t)(name - path));
	for (m = *first; m != NULL; m = m->file->next)
		if (same_file(&m->file->id, id) && !is_overwritten(m) &&
		    (id->inode != 0 ||
			(strncmp(m->path, path, length) == 0 && m->path[length] == '\0'))) {
			if (m->file->id.generation == 0)
				m->file->id.generation = id->generation;
			return m->kind == MODULE_JIT ? module_jit(ms, reach->pid) : m;
		}

	copy = cli_alloc(length + 1, 1);
	memcpy(copy, path, length);
	m = new_module(ms, MODULE_FILE, copy, copy + (name - path));
	m->file = cli_alloc(1, sizeof *m->file);
	m->file->modules = ms;
	m->file->next = *first;
	m->file->id = *id;
	m->file->reach = *reach;
	m->file->fd = -1;
	m->stored = stored;
	m->file->loaded = module_is_stored_jit(m); /* JIT code without a file */
	*first = m;
	/* Files of a recording are searched when needed: they do not disappear. */
	if (!ms->origin->live && !memfd) {
		m->file->found = true;
		return m;
	}
	found = find_file(ms, m);
	/* A memfd can hold a library or JIT code. */
	if (memfd && (!found || !is_elf(m->file->fd))) {
		if (found)
			close(m->file->fd);
		m->file->fd = -1;
		m->kind = MODULE_JIT;
		return module_jit(ms, reach->pid);
	}
	if (found)
		wait_for_use(ms, m);
	return m;
}

struct module *
module_kernel(struct modules *ms)
{
	if (ms->kernel == NULL) {
		ms->kernel =
		    new_module(ms, MODULE_KERNEL, "[kernel.kallsyms]", "[kernel.kallsyms]");
		ms->kernel->kallsyms = kallsyms_new(ms->origin);
		ms->kernel->stored = storedsyms_find(ms->origin->stored, str_of(STOREDSYM_KERNEL));
	}
	return ms->kernel;
}

bool
module_has_kernel(const struct modules *ms)
{
	return ms->kernel != NULL;
}

/* The first part that ends after an address. */
static size_t
part_search(const struct modules *ms, uint64_t address)
{
	size_t lo = 0, hi = ms->npart;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (ms->part[mid].end <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Removes the parts in a range, which are obsolete; returns the index for a new part there. */
static size_t
part_remove(struct modules *ms, uint64_t start, uint64_t end)
{
	size_t at = part_search(ms, start), to = at;

	while (to < ms->npart && ms->part[to].start < end)
		to++;
	if (to > at)
		memmove(&ms->part[at], &ms->part[to], (ms->npart - to) * sizeof *ms->part);
	ms->npart -= to - at;
	ms->last = at;
	return at;
}

static void
part_add(struct modules *ms, uint64_t start, uint64_t end, const char *name, bool function)
{
	struct module *kernel = module_kernel(ms), **m;
	size_t at;

	if (start >= end || ms->npart >= PARTS)
		return;
	at = part_remove(ms, start, end);
	m = (struct module **)intmap_at(&ms->part_names, hash_bytes(name, strlen(name)) + function);
	if (*m == NULL) {
		char *copy = cli_strdup(name);

		*m = new_module(ms, MODULE_KERNEL, copy, copy);
		(*m)->kallsyms = kernel->kallsyms;
		(*m)->stored = kernel->stored;
		(*m)->function = function;
	}
	vec_fit(ms->part, ms->cappart, ms->npart + 1);
	memmove(&ms->part[at + 1], &ms->part[at], (ms->npart - at) * sizeof *ms->part);
	ms->part[at] = (struct kernel_part){start, end, *m};
	ms->npart++;
}

void
module_kernel_map(struct modules *ms, uint64_t start, uint64_t end, const char *name)
{
	part_add(ms, start, end, name, false);
}

void
module_kernel_symbol(struct modules *ms, uint64_t start, uint64_t end, const char *name)
{
	part_add(ms, start, end, name, true);
}

void
module_kernel_unmap(struct modules *ms, uint64_t start, uint64_t end)
{
	if (start < end)
		part_remove(ms, start, end);
}

struct module *
module_kernel_at(struct modules *ms, uint64_t address)
{
	const struct kernel_part *p;

	if (ms->npart == 0)
		return module_kernel(ms);
	p = &ms->part[ms->last];
	if (ms->last >= ms->npart || address < p->start || address >= p->end) {
		size_t i = part_search(ms, address);

		p = &ms->part[i];
		if (i == ms->npart || address < p->start)
			return module_kernel(ms);
		ms->last = i;
	}
	return p->module;
}

struct module *
module_script(
    struct modules *ms, const char *runtime, bool compiled, const struct script_names *names)
{
	struct module *m;

	for (size_t i = 0; i < ms->n; i++)
		if (ms->all[i]->scripts == names && strcmp(ms->all[i]->name, runtime) == 0)
			return ms->all[i];
	m = new_module(ms, MODULE_SCRIPT, runtime, runtime);
	m->scripts = names;
	m->compiled = compiled;
	return m;
}

struct module *
module_note(struct modules *ms, const char *name)
{
	struct module *m;

	for (size_t i = 0; i < ms->n; i++)
		if (ms->all[i]->kind == MODULE_NOTE && strcmp(ms->all[i]->name, name) == 0)
			return ms->all[i];
	m = new_module(ms, MODULE_NOTE, name, name);
	m->function = true;
	return m;
}

struct module *
module_guest(struct modules *ms)
{
	if (ms->guest == NULL)
		ms->guest = new_module(ms, MODULE_KERNEL, "[guest]", "[guest]");
	return ms->guest;
}

struct module *
module_vdso(struct modules *ms, const struct module_id *id)
{
	if (ms->vdso == NULL) {
		ms->vdso = new_module(ms, MODULE_VDSO, "[vdso]", "[vdso]");
		ms->vdso->file = cli_alloc(1, sizeof *ms->vdso->file);
		ms->vdso->file->modules = ms;
		ms->vdso->file->fd = symsource_open_vdso(ms->origin, id);
		ms->vdso->file->opened = cli_strdup("[vdso]");
		ms->vdso->file->debug = cli_strdup("");
	}
	return ms->vdso;
}

struct module *
module_jit(struct modules *ms, int pid)
{
	struct module **m = (struct module **)intmap_at(&ms->processes, (uint64_t)(unsigned)pid);

	if (*m == NULL) {
		*m = new_module(ms, MODULE_JIT, "[jit]", "[jit]");
		(*m)->pid = pid;
		(*m)->jit = jitmap_new(ms->origin, pid);
	}
	return *m;
}

uint64_t
module_vaddr(struct module *m, uint64_t file_offset)
{
	return elffile_vaddr(load(m), file_offset);
}

uint64_t
module_bias(struct module *m, uint64_t start, uint64_t file_offset)
{
	const struct storedsym_file *stored;

	if (m->kind == MODULE_KERNEL || m->kind == MODULE_JIT)
		return 0;
	stored = module_stored(m);
	if (stored == NULL)
		return module_vaddr(m, file_offset) - start;
	return stored->absolute	    ? 0
	       : stored->by_mapping ? stored->bias - start
				    : stored->bias + file_offset - start;
}

bool
module_is_stored_jit(const struct module *m)
{
	return m->kind == MODULE_FILE && m->stored != NULL && m->stored->absolute;
}

const struct storedsym_file *
module_stored(struct module *m)
{
	load(m);
	return m->stored;
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

const struct module_places *
module_places(struct module *m)
{
	return &load(m)->places;
}

size_t
module_build_id(struct module *m, const unsigned char **id)
{
	const void *bytes = m->file != NULL ? m->file->id.build_id : NULL;
	ssize_t n = m->file != NULL ? m->file->id.build_id_size : 0;
	Elf *elf = n == 0 ? module_elf(m) : NULL;

	if (elf != NULL)
		n = dwelf_elf_gnu_build_id(elf, &bytes);
	*id = bytes;
	return n > 0 ? (size_t)n : 0;
}

static void
free_module(struct module *m)
{
	struct module_file *f = m->file;

	if (m->cfi != NULL)
		m->cfi_free(m->cfi);
	if (m->jit != NULL)
		jitmap_free(m->jit);
	if (f != NULL) { /* not the vdso, which stays */
		free((char *)(uintptr_t)m->path);
		if (f->loaded)
			elffile_close(&f->elf);
		if (f->fd >= 0)
			close(f->fd);
		free(f->opened);
		free(f->debug);
		nsdir_release(f->reach.root);
		free(f);
	}
	free(m);
}

/* Removes modules that will be freed from a list of descriptors. */
static void
clear_places(struct module **place)
{
	for (size_t i = 0; i < DESCRIPTORS; i++)
		if (place[i] != NULL && !place[i]->kept)
			place[i] = NULL;
}

bool
modules_forget(struct modules *ms)
{
	size_t kept = 0, had = ms->n;

	for (size_t i = 0; i < ms->n; i++) {
		struct module *m = ms->all[i];

		m->kept |= m->symbols != NULL || m->kind == MODULE_KERNEL ||
			   m->kind == MODULE_VDSO || m->kind == MODULE_SCRIPT;
	}
	clear_places(ms->waiting);
	clear_places(ms->loaded);
	free(ms->files.slot);
	free(ms->processes.slot);
	ms->files = ms->processes = (struct intmap){0};
	for (size_t i = 0; i < had; i++) {
		struct module *m = ms->all[i], **first;

		if (!m->kept) {
			free_module(m);
			continue;
		}
		m->kept = false;
		ms->all[kept++] = m;
		if (m->file != NULL && m->kind != MODULE_VDSO) {
			first = same_name(ms, m->name, strlen(m->name));
			m->file->next = *first;
			*first = m;
		} else if (m->jit != NULL) {
			*intmap_at(&ms->processes, (uint64_t)(unsigned)m->pid) = m;
		}
	}
	ms->n = kept;
	return kept < had;
}
