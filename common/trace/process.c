/*
 * process: keeps sorted executable mappings for each process and a comm for each thread. A process
 * is freed with its last thread; the modules that it mapped remain.
 */
#include "trace/process.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/cli.h"
#include "kernel/syscalls.h"
#include "access/opener.h"
#include "elf/storedsym.h"
#include "symbol/symbol.h"

#define AROUND_MAX (UINT64_C(1) << 24) /* insertions, which take a second or two */
#define REREAD_FIRST UINT64_C(4000000) /* ns */
#define REREAD_LAST UINT64_C(1000000000)

static int
process_compare(const struct process *a, const struct process *b)
{
	return (a->pid > b->pid) - (a->pid < b->pid);
}

static int
thread_compare(const struct process_thread *a, const struct process_thread *b)
{
	return (a->tid > b->tid) - (a->tid < b->tid);
}

/* RB_GENERATE also defines functions that are not called. */
#define UNUSED_TOO static __attribute__((unused))
RB_GENERATE_INTERNAL(process_tree, process, entry, process_compare, UNUSED_TOO)
RB_GENERATE_INTERNAL(process_thread_tree, process_thread, entry, thread_compare, UNUSED_TOO)

struct processes *
processes_new(struct modules *ms)
{
	struct processes *ps = cli_alloc(1, sizeof *ps);

	ps->modules = ms;
	ps->live = modules_origin(ms)->live;
	ps->span = 1;
	RB_INIT(&ps->process);
	RB_INIT(&ps->thread);
	return ps;
}

struct process *
processes_find(struct processes *ps, int pid)
{
	struct process key = {.pid = pid};

	return RB_FIND(process_tree, &ps->process, &key);
}

struct process *
processes_next(struct processes *ps, struct process *p)
{
	return p == NULL ? RB_MIN(process_tree, &ps->process)
			 : RB_NEXT(process_tree, &ps->process, p);
}

static struct process *
process_get(struct processes *ps, int pid)
{
	struct process *p = processes_find(ps, pid);

	if (p == NULL) {
		p = cli_alloc(1, sizeof *p);
		p->pid = pid;
		p->modules = ps->modules;
		p->all = ps;
		RB_INSERT(process_tree, &ps->process, p);
	}
	return p;
}

static void
process_free(struct processes *ps, struct process *p)
{
	RB_REMOVE(process_tree, &ps->process, p);
	maps_clear(&p->maps);
	maps_clear(&p->before);
	free(p);
}

struct process_thread *
processes_find_thread(struct processes *ps, int tid)
{
	struct process_thread key = {.tid = tid};

	return RB_FIND(process_thread_tree, &ps->thread, &key);
}

static void
thread_free(struct processes *ps, struct process_thread *t)
{
	if (ps->last == t)
		ps->last = NULL;
	RB_REMOVE(process_thread_tree, &ps->thread, t);
	t->process->nexited -= t->exited;
	if (--t->process->nthread == 0)
		process_free(ps, t->process);
	free(t);
}

void
processes_free(struct processes *ps)
{
	struct process_thread *t;
	struct process *p;

	while ((t = RB_MIN(process_thread_tree, &ps->thread)) != NULL)
		thread_free(ps, t);
	while ((p = RB_MIN(process_tree, &ps->process)) != NULL)
		process_free(ps, p);
	free(ps);
}

static void
thread_read_comm(struct process_thread *t)
{
	char path[64], comm[PROCESS_COMM + 1];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/task/%d/comm", t->process->pid, t->tid);
	f = fopen(path, "re");
	if (f == NULL)
		return;
	if (fgets(comm, sizeof comm, f) != NULL) {
		comm[strcspn(comm, "\n")] = '\0';
		strlcpy(t->comm, comm, sizeof t->comm);
	}
	fclose(f);
}

static void
count_active(struct processes *ps, struct process_thread *t)
{
	ps->active += t->span != ps->span;
	t->span = ps->span;
}

uint64_t
processes_end_span(struct processes *ps)
{
	const uint64_t n = ps->active;

	ps->active = 0;
	ps->span++;
	return n;
}

/* Find or add a thread; a new one has no comm yet. */
static struct process_thread *
thread_get(struct processes *ps, int pid, int tid)
{
	struct process_thread *t = processes_find_thread(ps, tid);

	if (t != NULL && t->process->pid != pid) { /* its tid was reused */
		thread_free(ps, t);
		t = NULL;
	}
	if (t == NULL) {
		t = cli_alloc(1, sizeof *t);
		t->tid = tid;
		t->process = process_get(ps, pid);
		t->process->nthread++;
		t->only_wakes = t->process->only_wakes;
		RB_INSERT(process_thread_tree, &ps->thread, t);
		ps->seen += !t->only_wakes;
	}
	if (!t->only_wakes)
		count_active(ps, t);
	return t;
}

/* True in a PID namespace, other than the first one. */
static bool
is_in_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 && st.st_ino != FIRST_PID_NAMESPACE;
}

struct process_thread *
processes_thread(struct processes *ps, int pid, int tid)
{
	struct process_thread *t = ps->last;

	if (t != NULL && t->tid == tid && t->process->pid == pid && !t->only_wakes) {
		count_active(ps, t);
		return t;
	}
	t = thread_get(ps, pid, tid);
	if (t->only_wakes) {
		t->only_wakes = false;
		ps->seen++;
		count_active(ps, t);
	}
	if (t->comm[0] == '\0') {
		if (tid == 0)
			strlcpy(t->comm, ps->live && is_in_namespace() ? "[outside]" : "swapper",
			    sizeof t->comm);
		else
			snprintf(t->comm, sizeof t->comm, ":%d", tid);
		if (ps->live)
			thread_read_comm(t);
	}
	return ps->last = t;
}

struct process_thread *
processes_waker(struct processes *ps, int pid, int tid)
{
	struct process_thread *t = processes_find_thread(ps, tid);

	if (t != NULL && t->process->pid == pid)
		return t;
	if (processes_find(ps, pid) == NULL)
		process_get(ps, pid)->only_wakes = true;
	t = processes_thread(ps, pid, tid);
	t->only_wakes = true;
	t->span = 0;
	ps->seen--;
	ps->active--;
	return t;
}

static void
map_new(struct process *p, const struct process_map *new)
{
	maps_add(&p->maps, new);
	p->last = NULL;
	p->stamp = maps_stamp(&p->maps) + 3 * maps_stamp(&p->before);
}

/* Keep the old mappings until the new program runs: see process.h. */
static void
process_exec(struct process *p)
{
	if (p->maps.root != NULL) {
		maps_clear(&p->before);
		p->before = p->maps;
		p->maps = (struct maps){0};
	}
	opener_forget(p->pid);
	p->last = NULL;
	p->stamp = 3 * maps_stamp(&p->before);
	p->maps_known = true; /* all its maps follow as records */
}

void
process_runs(struct process *p)
{
	if (p->before.root == NULL)
		return;
	maps_clear(&p->before);
	p->last = NULL;
	p->stamp = maps_stamp(&p->maps);
}

/*
 * True for a file written by perf inject --jit, which has one function; runtimes do not map such
 * files.
 */
static bool
is_jitted(const struct process_map *m)
{
	return m->module->kind == MODULE_FILE && strncmp(m->module->name, "jitted-", 7) == 0;
}

/*
 * Add a runtime's memory pool around the functions in it, which may have been reported before it.
 * The work is limited: a recording with more such mappings than any runtime makes is malformed.
 */
static void
map_around(struct process *p, const struct process_map *new)
{
	struct process_map piece = *new;

	while (piece.start < new->end) {
		const struct process_map *m = maps_from(&p->maps, piece.start);
		uint64_t next = new->end;

		while (m != NULL && m->start < new->end && !is_jitted(m) &&
		       ++p->all->around < AROUND_MAX)
			m = maps_from(&p->maps, m->end);
		if (++p->all->around >= AROUND_MAX)
			m = NULL;
		piece.end = new->end;
		if (m != NULL && m->start < new->end) {
			piece.end = m->start;
			next = m->end;
		}
		if (piece.end > piece.start)
			map_new(p, &piece);
		piece.start = next;
	}
}

static bool
is_jitdump(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t len = strlen(path);

	return base != NULL && strncmp(base, "/jit-", 5) == 0 && len > 5 &&
	       strcmp(path + len - 5, ".dump") == 0;
}

/* True for executable memory, and for Java bytecode, whose functions the recording stores. */
static bool
has_code(const struct processes *ps, const struct perfevent_mmap *m)
{
	return (m->prot & PROT_EXEC) != 0 ||
	       storedsyms_find(modules_origin(ps->modules)->stored, str_of(m->path)) != NULL;
}

static void
process_map_add(struct processes *ps, struct process *p, const struct perfevent_mmap *m)
{
	struct process_map map = {
	    .start = m->start, .end = m->start + m->size, .offset = m->offset};
	struct module_reach reach = {.pid = p->pid, .start = map.start, .end = map.end};
	struct module_id id = {.major = m->major, .minor = m->minor, .inode = m->inode};

	if (is_jitdump(m->path)) {
		symbol_jitdump(module_jit(ps->modules, p->pid), m->path);
		return;
	}
	if (!has_code(ps, m) || map.end <= map.start)
		return;
	if (m->nbuild_id > 0 && m->nbuild_id <= sizeof id.build_id) {
		memcpy(id.build_id, m->build_id, m->nbuild_id);
		id.build_id_size = (uint8_t)m->nbuild_id;
	}
	map.module = module_open(ps->modules, m->path, &id, &reach);
	if (map.module->kind == MODULE_JIT)
		map_around(p, &map);
	else
		map_new(p, &map);
}

/* A child has its parent's memory; a thread its process's. */
static void
processes_fork(struct processes *ps, const struct perfevent *e)
{
	struct process_thread *parent = processes_thread(ps, (int)e->ppid, (int)e->ptid);
	struct process_thread *old = processes_find_thread(ps, (int)e->tid);
	struct process_thread *t;
	struct process *p, *from;

	if (parent == old) /* nothing is its own child */
		return;
	/* An earlier process with this pid has ended, even if its exit record was lost. */
	if (old != NULL && (old->exited || e->pid != e->ppid || old->process->pid != (int)e->pid))
		thread_free(ps, old);
	t = thread_get(ps, (int)e->pid, (int)e->tid);
	memcpy(t->comm, parent->comm, sizeof t->comm);
	p = t->process;
	from = parent->process;
	if (p == from)
		return;
	maps_copy(&p->maps, &from->maps);
	p->last = NULL;
	p->stamp = maps_stamp(&p->maps);
	p->maps_known = from->maps_known;
	p->wanted = from->wanted;
}

static void
processes_exit(struct processes *ps, const struct perfevent *e)
{
	struct process_thread *t = processes_find_thread(ps, (int)e->tid);
	int *oldest = &ps->exited[ps->nexited % PROCESSES_EXITED];

	opener_forget((int)e->tid);
	if (t == NULL || t->exited)
		return;
	if (ps->nexited++ >= PROCESSES_EXITED) {
		struct process_thread *old = processes_find_thread(ps, *oldest);

		if (old != NULL && old->exited)
			thread_free(ps, old);
	}
	*oldest = t->tid;
	t->exited = true;
	t->process->nexited++;
	/* Later samples are in the kernel only: a thread gives up its memory before this record. */
	if (ps->live && t->process->nexited == t->process->nthread) {
		maps_clear(&t->process->maps);
		maps_clear(&t->process->before);
		t->process->last = NULL;
		t->process->maps_known = true;
	}
}

/*
 * True for mappings of user processes: not the kernel's, and not a guest's, whose pid is not ours.
 */
static bool
is_user_map(const struct perfevent *e)
{
	const unsigned mode = e->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode != PERF_RECORD_MISC_KERNEL && mode != PERF_RECORD_MISC_GUEST_KERNEL &&
	       mode != PERF_RECORD_MISC_GUEST_USER;
}

void
processes_record(struct processes *ps, const struct perfevent *e)
{
	struct process_thread *t;

	/*
	 * All processes outside of the recorder's PID namespace have the number 0, as the idle
	 * thread: together, their names and mappings would be those of none of them.
	 */
	if (e->pid == 0 || (e->type == PERF_RECORD_FORK && e->ppid == 0))
		return;
	switch (e->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (is_user_map(e))
			process_map_add(ps, process_get(ps, (int)e->pid), &e->mmap);
		break;
	case PERF_RECORD_COMM:
		t = thread_get(ps, (int)e->pid, (int)e->tid);
		strlcpy(t->comm, e->comm, sizeof t->comm);
		if (e->misc & PERF_RECORD_MISC_COMM_EXEC)
			process_exec(t->process);
		break;
	case PERF_RECORD_FORK: processes_fork(ps, e); break;
	case PERF_RECORD_EXIT: processes_exit(ps, e); break;
	}
}

/* Parses one line of /proc/PID/maps. */
static void
read_map(struct processes *ps, struct process *p, const char *line)
{
	struct perfevent_mmap m = {.prot = 0};
	char perms[5];
	uint64_t end;
	int path = 0;

	if (sscanf(line,
		"%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %" SCNx32 ":%" SCNx32 " %" SCNu64 " %n",
		&m.start, &end, perms, &m.offset, &m.major, &m.minor, &m.inode, &path) < 7)
		return;
	m.size = end - m.start;
	m.prot = perms[2] == 'x' ? PROT_EXEC : PROT_READ;
	m.path = line + path;
	process_map_add(ps, p, &m);
}

static bool
read_maps(struct processes *ps, struct process *p)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	FILE *f;

	f = opener_stream(p->pid, OPENER_MAPS);
	if (f == NULL)
		return false;
	while ((len = getline(&line, &size, f)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		read_map(ps, p, line);
	}
	free(line);
	fclose(f);
	return true;
}

bool
processes_read(struct processes *ps, int pid)
{
	struct process *p = process_get(ps, pid);
	char path[32];
	struct dirent *e;
	DIR *d;

	p->maps_known = true;
	if (!ps->live)
		return false;
	snprintf(path, sizeof path, "/proc/%d/task", pid);
	d = opendir(path);
	if (d != NULL) {
		while ((e = readdir(d)) != NULL)
			if (e->d_name[0] != '.')
				thread_read_comm(thread_get(ps, pid, atoi(e->d_name)));
		closedir(d);
	}
	return read_maps(ps, p);
}

/* True if a process is missing twice in a row: at the first check its records may still arrive. */
static bool
is_lost(struct process *p)
{
	char path[32];
	bool gone_before = p->gone;

	snprintf(path, sizeof path, "/proc/%d", p->pid);
	p->gone = access(path, F_OK) != 0;
	return p->gone && gone_before;
}

void
processes_keep(struct processes *ps)
{
	struct process_thread *t, *next_thread;
	struct process *p, *next;
	const struct process_map *m;

	RB_FOREACH(p, process_tree, &ps->process)
	{
		p->lost = is_lost(p);
		process_runs(p);
		for (m = maps_from(&p->maps, 0); m != NULL && !p->lost;
		     m = maps_from(&p->maps, m->end))
			m->module->kept = true;
	}
	for (t = RB_MIN(process_thread_tree, &ps->thread); t != NULL; t = next_thread) {
		next_thread = RB_NEXT(process_thread_tree, &ps->thread, t);
		if (t->process->lost)
			thread_free(ps, t);
	}
	for (p = RB_MIN(process_tree, &ps->process); p != NULL; p = next) {
		next = RB_NEXT(process_tree, &ps->process, p);
		if (p->lost)
			process_free(ps, p);
	}
}

bool
processes_reread(struct processes *ps, struct process *p, uint64_t time)
{
	if (!ps->live || time < p->reread)
		return false;
	p->patience = p->patience == 0		  ? REREAD_FIRST
		      : p->patience < REREAD_LAST ? 2 * p->patience
						  : REREAD_LAST;
	p->reread = time + p->patience;
	return read_maps(ps, p);
}

void
process_reread_helped(struct process *p)
{
	p->reread = p->patience = 0;
}

const struct process_map *
process_find(struct process *p, uint64_t pc)
{
	struct process_map *m = p->last;

	if (m == NULL || pc < m->start || pc >= m->end) {
		m = maps_from(&p->maps, pc);
		if ((m == NULL || pc < m->start) && p->before.root != NULL)
			m = maps_from(&p->before, pc);
		if (m == NULL || pc < m->start)
			return NULL;
		p->last = m;
	}
	if (!m->placed) {
		m->placed = true;
		m->bias = module_bias(m->module, m->start, m->offset);
	}
	return m;
}

const struct process_map *
process_find_code(struct process *p, uint64_t *pc)
{
	/* CONFIG_ARM64_VA_BITS: an address that is too wide has bits of the code and is not mapped.
	 */
	static const uint8_t widths[] = {52, 48, 47, 42, 39, 36};
	const struct process_map *m = process_find(p, *pc);

	/* The authentication code is in the bits above the address. */
	for (size_t i = 0; m == NULL && i < sizeof widths && p->all->signs; i++) {
		const uint64_t plain = *pc & ((UINT64_C(1) << widths[i]) - 1);

		if (plain != *pc && (m = process_find(p, plain)) != NULL)
			*pc = plain;
	}
	return m;
}
