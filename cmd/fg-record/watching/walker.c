/*
 * walker: loads the BPF program (share/bpf/walk.c) for this kernel and runs it at samples; finds
 * its output among the records of the rings.
 *
 * The program is a table of instructions. The kernel's offsets come from its BTF by our own reader
 * (btf), which is smaller than a library would be that is not everywhere.
 */
#include "fg-record/watching/walker.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "access/opener.h"
#include "fg-record/asking/request.h"
#include "fg-record/watching/btf.h"
#include "kernel/cpu.h"
#include "kernel/syscalls.h"

/* A place of an instruction that gets a map or a number when the program is loaded. */
struct place {
	uint32_t at;
	const char *symbol;
};

#include "fg-record/watching/walkcode.h"

#define CODE 1024 /* instructions, at most */
#define SHORTER 32768 /* bytes of copies that the kernel does not shorten to fit a record */
#define OVERLAP 8192 /* bytes copied twice: the kernel's copy may be shorter than requested */
#define DENIED 4096 /* processes in the map of denied ones */
#define RECIPES 256 /* processes with a recipe; each has 4 KiB, as all have all the time */
#define RECIPES_OF_CPU 128 /* that the kernel keeps back for each CPU */
#define THREADS 16384 /* whose state is known */
#define TYPE_SAMPLE 4
#define TYPE_CALLED 6

/* Numbers of the running kernel, for the program. */
struct numbers {
	int32_t mm, start_stack, thread_pointer, real_parent, tgid;
	uint64_t device, inode; /* of the namespace of PIDs; 0: the first one */
	uint32_t copied;
};

static int
bpf(enum bpf_cmd command, union bpf_attr *a)
{
	return (int)syscall(SYS_bpf, command, a, sizeof *a);
}

static int
new_map(enum bpf_map_type type, size_t key, size_t value, uint32_t entries)
{
	union bpf_attr a;

	memset(&a, 0, sizeof a);
	a.map_type = type;
	a.key_size = (uint32_t)key;
	a.value_size = (uint32_t)value;
	a.max_entries = entries;
	return bpf(BPF_MAP_CREATE, &a);
}

/* Sets the value of a key; NULL: removes it. */
static bool
update(int map, uint32_t key, const void *value)
{
	union bpf_attr a;

	memset(&a, 0, sizeof a);
	a.map_fd = (uint32_t)map;
	a.key = (uintptr_t)&key;
	a.value = (uintptr_t)value;
	return bpf(value != NULL ? BPF_MAP_UPDATE_ELEM : BPF_MAP_DELETE_ELEM, &a) == 0;
}

static bool
read_numbers(struct numbers *p)
{
	struct btf *b = CPU_THREAD_POINTER != NULL ? btf_open() : NULL;
	bool found = b != NULL && btf_offset(b, "task_struct", "mm", &p->mm) &&
		     btf_offset(b, "mm_struct", "start_stack", &p->start_stack) &&
		     btf_offset(b, "task_struct", CPU_THREAD_POINTER, &p->thread_pointer);
	struct stat st;

	/* A forked child has no copies before its own recipe without these. */
	if (!found || !btf_offset(b, "task_struct", "real_parent", &p->real_parent) ||
	    !btf_offset(b, "task_struct", "tgid", &p->tgid))
		p->real_parent = p->tgid = 0;
	if (b != NULL)
		btf_close(b);
	p->device = p->inode = 0;
	if (stat("/proc/self/ns/pid", &st) == 0 && st.st_ino != FIRST_PID_NAMESPACE) {
		p->device = st.st_dev;
		p->inode = st.st_ino;
	}
	return found;
}

/* Reads the kernel's types, of several megabytes, at the first call. */
static bool
find_numbers(struct numbers *numbers)
{
	static struct numbers of_kernel;
	static bool tried, found;
	const uint32_t copied = numbers->copied;

	if (!tried)
		found = read_numbers(&of_kernel);
	tried = true;
	*numbers = of_kernel;
	numbers->copied = copied;
	if (!found)
		errno = ENOSYS;
	return found;
}

/* The value of a symbol of the program; *map: it is a map's descriptor. */
static uint64_t
value_of(const struct walker *w, const struct numbers *p, const char *symbol, bool *map)
{
	const struct {
		const char *name;
		uint64_t value;
	} values[] = {
	    {"map_scratch", (uint64_t)w->scratch},
	    {"map_outputs", (uint64_t)w->outputs},
	    {"map_denied", (uint64_t)w->denied},
	    {"map_recipes", (uint64_t)w->recipes},
	    {"map_kept", (uint64_t)w->kept},
	    {"offset_mm", (uint64_t)p->mm},
	    {"offset_start_stack", (uint64_t)p->start_stack},
	    {"offset_thread_pointer", (uint64_t)p->thread_pointer},
	    {"offset_sp", CPU_STACK_POINTER},
	    {"offset_real_parent", (uint64_t)p->real_parent},
	    {"offset_tgid", (uint64_t)p->tgid},
	    {"copied", p->copied},
	    {"overlap", p->copied <= SHORTER ? 0 : OVERLAP},
	    {"namespace_device", p->device},
	    {"namespace_inode", p->inode},
	};

	*map = strncmp(symbol, "map_", 4) == 0;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (strcmp(values[i].name, symbol) == 0)
			return values[i].value;
	return 0;
}

/* Types of the program's functions: the kernel wants them of what bpf_loop calls. */
static int
load_types(void)
{
	static const struct {
		struct btf_header head;
		uint32_t type[25];
		char names[32];
	} types = {{
		       /* Fields that newer headers add are 0, as the kernel wants them. */
		       .magic = BTF_MAGIC,
		       .version = BTF_VERSION,
		       .hdr_len = sizeof(struct btf_header),
		       .type_len = sizeof types.type,
		       .str_off = sizeof types.type,
		       .str_len = sizeof types.names,
		   },
	    {
		1, BTF_KIND_INT << 24, 4, BTF_INT_SIGNED << 24 | 32, /* 1: int */
		0, BTF_KIND_PTR << 24, 0, /* 2: void * */
		0, BTF_KIND_FUNC_PROTO << 24 | 1, 1, 5, 2, /* 3: int (void *context) */
		13, BTF_KIND_FUNC << 24 | BTF_FUNC_GLOBAL, 3, /* TYPE_SAMPLE */
		0, BTF_KIND_FUNC_PROTO << 24 | 2, 1, 20, 1, 5, 2, /* 5: int (int turn, void *) */
		25, BTF_KIND_FUNC << 24 | BTF_FUNC_STATIC, 5, /* TYPE_CALLED */
	    },
	    "\0int\0context\0sample\0turn\0called"};
	union bpf_attr a;

	memset(&a, 0, sizeof a);
	a.btf = (uintptr_t)&types;
	a.btf_size = sizeof types;
	return bpf(BPF_BTF_LOAD, &a);
}

/* One of the two builds of the program. */
struct build {
	const uint64_t *code;
	size_t ncode;
	const struct place *place;
	size_t nplace;
	const uint32_t *function; /* their addresses: that of the program, then those it calls */
	size_t nfunction;
};
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BUILD(name)                                                                   \
	{                                                                             \
		name##_code, COUNT(name##_code), name##_places, COUNT(name##_places), \
		    name##_functions, COUNT(name##_functions)                         \
	}
static const struct build whole = BUILD(walk), without_loops = BUILD(plain);

static int
load(const struct walker *w, const struct numbers *p, const struct build *b)
{
	struct bpf_insn code[CODE];
	struct bpf_func_info function[4];
	union bpf_attr a;
	int types, program, error;
	bool map;

	memcpy(code, b->code, b->ncode * sizeof *code);
	for (size_t i = 0; i < b->nplace; i++) {
		struct bpf_insn *in = &code[b->place[i].at];
		const uint64_t v = value_of(w, p, b->place[i].symbol, &map);

		in[0].src_reg = map ? BPF_PSEUDO_MAP_FD : 0;
		in[0].imm = (int32_t)v;
		in[1].imm = (int32_t)(v >> 32);
	}
	memset(&a, 0, sizeof a);
	a.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	a.insns = (uintptr_t)code;
	a.insn_cnt = (uint32_t)b->ncode;
	a.license = (uintptr_t) "Dual BSD/GPL"; /* some helpers require a GPL-compatible licence */
	if (b->nfunction == 1)
		return bpf(BPF_PROG_LOAD, &a);
	if ((types = load_types()) < 0)
		return -1;
	for (size_t i = 0; i < b->nfunction; i++)
		function[i] =
		    (struct bpf_func_info){b->function[i], i == 0 ? TYPE_SAMPLE : TYPE_CALLED};
	a.prog_btf_fd = (uint32_t)types;
	a.func_info = (uintptr_t)function;
	a.func_info_rec_size = sizeof *function;
	a.func_info_cnt = (uint32_t)b->nfunction;
	program = bpf(BPF_PROG_LOAD, &a);
	error = errno;
	close(types);
	errno = error;
	return program;
}

_Static_assert(COUNT(walk_code) <= CODE && COUNT(walk_functions) <= 4, "larger arrays in load");

static bool
open_maps(struct walker *w)
{
	const uint32_t n = (uint32_t)w->cpus;

	/* Try first what fails first without permission. */
	w->scratch = new_map(BPF_MAP_TYPE_ARRAY, 4, sizeof(struct walk_scratch), n);
	if (w->scratch >= 0)
		w->outputs = new_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, sizeof(uint32_t), n);
	if (w->outputs >= 0)
		w->denied = new_map(BPF_MAP_TYPE_LRU_HASH, 4, sizeof(uint32_t), DENIED);
	if (w->denied >= 0)
		w->recipes = new_map(BPF_MAP_TYPE_LRU_HASH, 4, sizeof(struct walk_recipe),
		    RECIPES + n * RECIPES_OF_CPU);
	if (w->recipes >= 0)
		w->kept = new_map(
		    BPF_MAP_TYPE_LRU_HASH, sizeof(struct walk_kept), sizeof(uint64_t), THREADS);
	return w->kept >= 0;
}

bool
walker_open(struct walker *w, long cpus, uint32_t copied)
{
	struct numbers numbers = {.copied = copied};
	int program = -1, error;

	if (w->n == WALKER_SIZES) {
		errno = EBUSY;
		return false;
	}
	w->cpus = cpus;
	if (opener_is_linked()) {
		if (!opener_ask(
			&(struct openlink_message){
			    .kind = RIGHTS_WALK_OPEN, .id = (int32_t)cpus, .flag = (int32_t)copied},
			-1, &program))
			return false;
	} else if ((w->scratch >= 0 || open_maps(w)) && find_numbers(&numbers)) {
		if (!w->plain)
			program = load(w, &numbers, &whole);
		if (program < 0 && (w->plain || (w->n == 0 && errno != EPERM)))
			w->plain = (program = load(w, &numbers, &without_loops)) >= 0;
	}
	if (program < 0) {
		error = errno;
		if (w->n == 0)
			walker_close(w);
		errno = error;
		return false;
	}
	w->program[w->n] = program;
	w->copied[w->n++] = copied;
	return true;
}

const char *
walker_unsupported(void)
{
	struct utsname system;
	unsigned version, part;

	if (CPU_THREAD_POINTER == NULL)
		return "only on x86-64 and AArch64";
	if (uname(&system) != 0 || sscanf(system.release, "%u.%u", &version, &part) != 2)
		return NULL;
	/* The helper TASK_PT_REGS is of 5.15; the kernel of RHEL 9 has it too. */
	return version > 5 || (version == 5 && part >= 14) ? NULL : "only with Linux 5.15 or newer";
}

struct perf_event_attr
walker_output(const struct perf_event_attr *a)
{
	struct perf_event_attr o = *a;

	o.type = PERF_TYPE_SOFTWARE;
	o.config = PERF_COUNT_SW_BPF_OUTPUT;
	o.freq = 0;
	o.sample_period = 1;
	o.inherit = o.enable_on_exec = o.exclude_idle = o.disabled = 0;
	o.exclude_kernel = o.exclude_user = 0;
	o.exclude_callchain_kernel = o.exclude_callchain_user = 1;
	o.sample_stack_user = 0;
	o.mmap = o.mmap2 = o.comm = o.comm_exec = o.task = o.context_switch = 0;
	return o;
}

bool
walker_add_output(struct walker *w, int cpu, int fd)
{
	if (opener_is_linked())
		return opener_ask(
		    &(struct openlink_message){.kind = RIGHTS_WALK_OUTPUT, .id = cpu}, fd, NULL);
	return update(w->outputs, (uint32_t)cpu, &fd);
}

bool
walker_follow(struct walker *w, int fd, uint32_t copied)
{
	size_t i = 0;

	while (i < w->n && w->copied[i] != copied)
		i++;
	return (i < w->n || walker_open(w, w->cpus, copied)) &&
	       ioctl(fd, PERF_EVENT_IOC_SET_BPF, w->program[i]) == 0;
}

void
walker_deny(const struct walker *w, uint32_t pid, bool deny)
{
	if (opener_is_linked())
		opener_ask(
		    &(struct openlink_message){
			.kind = RIGHTS_WALK_DENY, .id = (int32_t)pid, .flag = deny},
		    -1, NULL);
	else
		update(w->denied, pid, deny ? &pid : NULL);
}

bool
walker_recipe(const struct walker *w, uint32_t pid, const struct walk_recipe *r)
{
	struct openlink_message m = {.kind = RIGHTS_WALK_RECIPE, .id = (int32_t)pid};

	if (opener_is_linked()) {
		if (r != NULL)
			openlink_put(&m, r, sizeof *r);
		return opener_ask(&m, -1, NULL);
	}
	if (w->plain || w->recipes < 0) {
		errno = ENOSYS;
		return false;
	}
	return update(w->recipes, pid, r);
}

/* The bytes of a record of the program with that mark; NULL: it is another record. */
static const unsigned char *
bytes_of(const struct perfevent *e, uint64_t mark, size_t least, size_t *n)
{
	const struct perfevent_sample *s = &e->sample;
	uint64_t its;

	if (e->type != PERF_RECORD_SAMPLE || s->nraw < least)
		return NULL;
	memcpy(&its, s->raw, sizeof its);
	*n = s->nraw - sizeof its;
	return its == mark ? s->raw + sizeof its : NULL;
}

bool
walker_part(const struct perfevent *e, uint64_t *address, const unsigned char **bytes, size_t *n)
{
	const unsigned char *b = bytes_of(e, WALK_STACK, 16 + WALK_PAGE, n);

	if (b == NULL)
		return false;
	memcpy(address, b, sizeof *address);
	*bytes = b + sizeof *address;
	*n = (*n - sizeof *address) / WALK_PAGE * WALK_PAGE; /* the rest pads the record */
	return true;
}

bool
walker_copies(
    const struct perfevent *e, struct walk_head *head, const unsigned char **bytes, size_t *n)
{
	const unsigned char *b = bytes_of(e, WALK_COPIES, sizeof *head, n);

	if (b == NULL)
		return false;
	memcpy(head, b - sizeof head->mark, sizeof *head);
	*bytes = b + sizeof *head - sizeof head->mark;
	*n -= sizeof *head - sizeof head->mark;
	return true;
}

bool
walker_time(const struct perfevent *e, uint64_t *ns)
{
	size_t n;
	const unsigned char *b = bytes_of(e, WALK_TIME, sizeof(struct walk_time), &n);

	if (b != NULL)
		memcpy(ns, b, sizeof *ns);
	return b != NULL;
}

void
walker_close(struct walker *w)
{
	const int fds[] = {w->scratch, w->outputs, w->denied, w->recipes, w->kept};

	for (size_t i = 0; i < w->n; i++)
		close(w->program[i]);
	for (size_t i = 0; i < COUNT(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	*w = WALKER_CLOSED;
}
