/*
 * deepstack: assembles a BPF program for this kernel, loads it and runs it at samples; finds its
 * output among the records of the rings.
 *
 * The program copies the pages from a little below the end of the stack copy, or from the first
 * page that the copy could not read, to the end of the thread's stack, and skips those without
 * memory: pages of large local arrays that were never touched. For the first thread of a process
 * that end is mm->start_stack; for others it is the thread pointer, since glibc and musl put the
 * thread control block at the top of the stack. The end of other stacks, such as those of
 * goroutines, is not known: 64 KiB are copied, as perf_event does. Each part is a record of a
 * PERF_COUNT_SW_BPF_OUTPUT event just before that of the sample.
 */
#include "fg-record/watching/deepstack.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "access/opener.h"
#include "fg-record/watching/btf.h"
#include "fg-record/asking/request.h"

#define MARK UINT64_C(0x64656570206f6620) /* first word of each part */
#define HEAD 16 /* bytes of a part: the mark and the address */
#define PAGE 4096
#define PAGES 8 /* per part: a record is smaller than 64 KiB */
#define PAGES_ALL 256 /* per sample: 1 MiB */
#define OVERLAP 8192 /* bytes copied twice: the kernel's copy may be shorter than requested */
#define SHORTER 32768 /* bytes of copies that the kernel does not shorten to fit a record */
#define OTHER 65536 /* bytes of a stack whose end is not known */
#define SPAN (64 << 20) /* maximum bytes from the copy to the end of the stack */
#define DENIED 4096 /* processes in the map of denied ones */
#define CODE 512 /* instructions at most */
/* Offsets in the scratch memory: the number of pages in the current part, and the part. */
#define COUNT 0
#define PART 8

/* IDs of BPF helpers (enum bpf_func_id), some of which old headers lack. */
enum {
	MAP_LOOKUP_ELEM = 1,
	GET_SMP_PROCESSOR_ID = 8,
	GET_CURRENT_PID_TGID = 14,
	PERF_EVENT_OUTPUT = 25,
	PROBE_READ_USER = 112,
	PROBE_READ_KERNEL = 113,
	GET_CURRENT_TASK_BTF = 158,
	TASK_PT_REGS = 175,
};

#if defined(__x86_64__)
#define STACK_POINTER ((int16_t)offsetof(struct user_regs_struct, rsp))
#define THREAD_POINTER "thread.fsbase"
#else /* other processors: not supported */
#define STACK_POINTER ((int16_t)0)
#define THREAD_POINTER NULL
#endif

enum { R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, FP };

struct code {
	struct bpf_insn insn[CODE];
	size_t n;
};

static void
emit(struct code *c, unsigned op, unsigned dst, unsigned src, int off, int32_t imm)
{
	if (c->n < CODE)
		c->insn[c->n++] = (struct bpf_insn){.code = (uint8_t)op,
		    .dst_reg = dst & 15,
		    .src_reg = src & 15,
		    .off = (int16_t)off,
		    .imm = imm};
}

static void
move(struct code *c, unsigned dst, unsigned src)
{
	emit(c, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static void
set(struct code *c, unsigned dst, int32_t value)
{
	emit(c, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value);
}

static void
add(struct code *c, unsigned dst, int32_t value)
{
	emit(c, BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, value);
}

static void
call(struct code *c, int32_t helper)
{
	emit(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

/* dst = a 64-bit constant, or the map with that descriptor. */
static void
load(struct code *c, unsigned dst, uint64_t value, bool map)
{
	emit(c, BPF_LD | BPF_DW | BPF_IMM, dst, map ? BPF_PSEUDO_MAP_FD : 0, 0, (int32_t)value);
	emit(c, 0, 0, 0, 0, (int32_t)(value >> 32));
}

/* A jump whose target is set by land(). */
static size_t
jump(struct code *c, unsigned condition, unsigned dst, int32_t value)
{
	emit(c, BPF_JMP | condition | BPF_K, dst, 0, 0, value);
	return c->n - 1;
}

static void
land(struct code *c, size_t jump)
{
	c->insn[jump].off = (int16_t)(c->n - jump - 1);
}

/* Jumps to the same target, not known yet. */
struct jumps {
	size_t at[64], n;
};

static void
wait_in(struct jumps *j, size_t at)
{
	if (j->n < sizeof j->at / sizeof *j->at)
		j->at[j->n++] = at;
}

static void
land_all(struct code *c, const struct jumps *j)
{
	for (size_t i = 0; i < j->n; i++)
		land(c, j->at[i]);
}

/* R0 = pointer to map's value for the key at FP + key, or NULL. */
static void
look_up(struct code *c, int map, int key)
{
	load(c, R1, (uint64_t)map, true);
	move(c, R2, FP);
	add(c, R2, key);
	call(c, MAP_LOOKUP_ELEM);
}

/*
 * Reads a kernel word into FP - 8: from R7 + offset if first, else from the address in FP - 8,
 * plus offset.
 */
static void
read_kernel(struct code *c, bool first, int32_t offset)
{
	if (first)
		move(c, R3, R7);
	else
		emit(c, BPF_LDX | BPF_MEM | BPF_DW, R3, FP, -8, 0);
	add(c, R3, offset);
	move(c, R1, FP);
	add(c, R1, -8);
	set(c, R2, 8);
	call(c, PROBE_READ_KERNEL);
}

/* Offsets of kernel struct members. */
struct kernel_offsets {
	int32_t mm, start_stack, thread_pointer;
};

/* Writes the current part, unless it is empty, and begins the next one. */
static void
output(struct code *c, const struct deepstack *d, struct jumps *end)
{
	size_t empty;

	emit(c, BPF_LDX | BPF_MEM | BPF_DW, R5, R8, COUNT, 0);
	empty = jump(c, BPF_JEQ, R5, 0);
	wait_in(end, jump(c, BPF_JGT, R5, PAGES)); /* the verifier needs a limit */
	emit(c, BPF_ALU64 | BPF_MUL | BPF_K, R5, 0, 0, PAGE);
	add(c, R5, HEAD);
	move(c, R1, R6);
	load(c, R2, (uint64_t)d->outputs, true);
	load(c, R3, BPF_F_CURRENT_CPU, false);
	move(c, R4, R8);
	add(c, R4, PART);
	call(c, PERF_EVENT_OUTPUT);
	wait_in(end, jump(c, BPF_JNE, R0, 0)); /* the ring is full */
	emit(c, BPF_ST | BPF_MEM | BPF_DW, R8, 0, COUNT, 0);
	land(c, empty);
}

/*
 * R7 = the first page from that of R8, the stack pointer, on that cannot be read, if it is below
 * R7: the kernel's copy ended there.
 */
static void
find_missing(struct code *c, uint32_t copied)
{
	struct jumps done = {.n = 0};

	emit(c, BPF_ALU64 | BPF_AND | BPF_K, R8, 0, 0, -PAGE);
	for (uint32_t at = 0; at <= copied; at += PAGE) {
		size_t present;

		emit(c, BPF_JMP | BPF_JGE | BPF_X, R8, R7, 0, 0);
		wait_in(&done, c->n - 1);
		emit(c, BPF_JMP | BPF_JGE | BPF_X, R8, R9, 0, 0);
		wait_in(&done, c->n - 1);
		move(c, R1, FP);
		add(c, R1, -8);
		set(c, R2, 1);
		move(c, R3, R8);
		call(c, PROBE_READ_USER);
		present = jump(c, BPF_JEQ, R0, 0);
		move(c, R7, R8);
		add(c, R7, at == 0 ? 0 : -PAGE); /* the kernel may copy less of the last page */
		wait_in(&done, jump(c, BPF_JA, 0, 0));
		land(c, present);
		add(c, R8, PAGE);
	}
	land_all(c, &done);
}

/* R7 = start of the first part, R9 = end of the stack, R8 = scratch memory of this CPU. */
static void
find_stack(struct code *c, const struct deepstack *d, const struct kernel_offsets *p,
    uint32_t copied, struct jumps *end)
{
	const uint32_t overlap = copied > SHORTER ? OVERLAP : 0;
	size_t other, found, beyond, far;

	move(c, R6, R1);
	call(c, GET_CURRENT_TASK_BTF);
	move(c, R7, R0);
	move(c, R1, R7);
	call(c, TASK_PT_REGS);
	emit(c, BPF_LDX | BPF_MEM | BPF_DW, R8, R0, STACK_POINTER, 0);
	call(c, GET_CURRENT_PID_TGID);
	move(c, R9, R0);
	emit(c, BPF_ALU64 | BPF_RSH | BPF_K, R9, 0, 0, 32);
	emit(c, BPF_STX | BPF_MEM | BPF_W, FP, R9, -16, 0); /* high half: the process ID */
	emit(c, BPF_ALU | BPF_MOV | BPF_X, R0, R0, 0, 0); /* low half: the thread ID */
	emit(c, BPF_JMP | BPF_JNE | BPF_X, R0, R9, 0, 0);
	other = c->n - 1;
	read_kernel(c, true, p->mm);
	read_kernel(c, false, p->start_stack);
	found = jump(c, BPF_JA, 0, 0);
	land(c, other);
	read_kernel(c, true, p->thread_pointer);
	land(c, found);
	emit(c, BPF_LDX | BPF_MEM | BPF_DW, R9, FP, -8, 0);
	move(c, R7, R8);
	add(c, R7, copied > overlap ? (int32_t)(copied - overlap) : 0);
	emit(c, BPF_ALU64 | BPF_AND | BPF_K, R7, 0, 0, -PAGE);
	emit(c, BPF_JMP | BPF_JGE | BPF_X, R8, R9, 0, 0);
	beyond = c->n - 1;
	move(c, R1, R9);
	emit(c, BPF_ALU64 | BPF_SUB | BPF_X, R1, R8, 0, 0);
	far = jump(c, BPF_JLE, R1, SPAN);
	land(c, beyond);
	move(c, R9, R8);
	add(c, R9, OTHER);
	land(c, far);
	find_missing(c, copied);
	emit(c, BPF_JMP | BPF_JGE | BPF_X, R7, R9, 0, 0);
	wait_in(end, c->n - 1);
	look_up(c, d->denied, -16);
	wait_in(end, jump(c, BPF_JNE, R0, 0));
	call(c, GET_SMP_PROCESSOR_ID);
	emit(c, BPF_STX | BPF_MEM | BPF_W, FP, R0, -16, 0);
	look_up(c, d->scratch, -16);
	wait_in(end, jump(c, BPF_JEQ, R0, 0));
	move(c, R8, R0);
	load(c, R1, MARK, false);
	emit(c, BPF_STX | BPF_MEM | BPF_DW, R8, R1, PART, 0);
}

static void
assemble(struct code *c, const struct deepstack *d, const struct kernel_offsets *p, uint32_t copied)
{
	struct jumps end = {.n = 0};
	size_t loop, begun, missing, full, last;

	find_stack(c, d, p, copied, &end);
	emit(c, BPF_ST | BPF_MEM | BPF_DW, R8, 0, COUNT, 0);
	emit(c, BPF_ST | BPF_MEM | BPF_DW, FP, 0, -24, 0);
	/* The pages of a part are counted in memory: the verifier does not follow each number. */
	loop = c->n;
	emit(c, BPF_LDX | BPF_MEM | BPF_DW, R1, R8, COUNT, 0);
	begun = jump(c, BPF_JNE, R1, 0);
	emit(c, BPF_STX | BPF_MEM | BPF_DW, R8, R7, PART + 8, 0);
	land(c, begun);
	emit(c, BPF_ALU64 | BPF_AND | BPF_K, R1, 0, 0, PAGES - 1);
	emit(c, BPF_ALU64 | BPF_MUL | BPF_K, R1, 0, 0, PAGE);
	emit(c, BPF_ALU64 | BPF_ADD | BPF_X, R1, R8, 0, 0);
	add(c, R1, PART + HEAD);
	set(c, R2, PAGE);
	move(c, R3, R7);
	call(c, PROBE_READ_USER);
	add(c, R7, PAGE);
	missing = jump(c, BPF_JNE, R0, 0);
	emit(c, BPF_LDX | BPF_MEM | BPF_DW, R1, R8, COUNT, 0);
	add(c, R1, 1);
	emit(c, BPF_STX | BPF_MEM | BPF_DW, R8, R1, COUNT, 0);
	full = jump(c, BPF_JLT, R1, PAGES);
	land(c, missing);
	output(c, d, &end);
	land(c, full);
	emit(c, BPF_JMP | BPF_JGE | BPF_X, R7, R9, 0, 0);
	last = c->n - 1;
	emit(c, BPF_LDX | BPF_MEM | BPF_DW, R1, FP, -24, 0);
	add(c, R1, 1);
	emit(c, BPF_STX | BPF_MEM | BPF_DW, FP, R1, -24, 0);
	emit(c, BPF_JMP | BPF_JLT | BPF_K, R1, 0, (int)loop - (int)c->n - 1, PAGES_ALL);
	land(c, last);
	output(c, d, &end);
	land_all(c, &end);
	set(c, R0, 1); /* keep the sample itself */
	emit(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static int
bpf(enum bpf_cmd command, union bpf_attr *a)
{
	return (int)syscall(SYS_bpf, command, a, sizeof *a);
}

static int
new_map(enum bpf_map_type type, uint32_t value, uint32_t entries)
{
	union bpf_attr a;

	memset(&a, 0, sizeof a);
	a.map_type = type;
	a.key_size = sizeof(uint32_t);
	a.value_size = value;
	a.max_entries = entries;
	return bpf(BPF_MAP_CREATE, &a);
}

static bool
update(int map, uint32_t key, uint32_t value)
{
	union bpf_attr a;

	memset(&a, 0, sizeof a);
	a.map_fd = (uint32_t)map;
	a.key = (uintptr_t)&key;
	a.value = (uintptr_t)&value;
	return bpf(BPF_MAP_UPDATE_ELEM, &a) == 0;
}

static bool
find_offsets(struct kernel_offsets *p)
{
	struct btf *b = THREAD_POINTER != NULL ? btf_open() : NULL;
	bool found = b != NULL && btf_offset(b, "task_struct", "mm", &p->mm) &&
		     btf_offset(b, "mm_struct", "start_stack", &p->start_stack) &&
		     btf_offset(b, "task_struct", THREAD_POINTER, &p->thread_pointer);

	if (b != NULL)
		btf_close(b);
	if (!found)
		errno = ENOSYS;
	return found;
}

static int
load_program(const struct deepstack *d, const struct kernel_offsets *p, uint32_t copied)
{
	static struct code c;
	union bpf_attr a;

	c.n = 0;
	assemble(&c, d, p, copied);
	memset(&a, 0, sizeof a);
	a.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	a.insns = (uintptr_t)c.insn;
	a.insn_cnt = (uint32_t)c.n;
	a.license = (uintptr_t) "Dual BSD/GPL"; /* some helpers require a GPL-compatible licence */
	return bpf(BPF_PROG_LOAD, &a);
}

bool
deepstack_open(struct deepstack *d, long cpus, uint32_t copied)
{
	const uint32_t n = (uint32_t)cpus;
	struct kernel_offsets offsets;
	int error;

	*d = (struct deepstack){-1, -1, -1, -1, cpus};
	if (opener_is_linked())
		return opener_ask(
		    &(struct openlink_message){
			.kind = RIGHTS_DEEP_OPEN, .id = (int32_t)cpus, .flag = (int32_t)copied},
		    -1, &d->program);
	/* Try first what fails first without permission. */
	if ((d->scratch = new_map(BPF_MAP_TYPE_ARRAY, PART + HEAD + PAGES * PAGE, n)) >= 0 &&
	    (d->outputs = new_map(BPF_MAP_TYPE_PERF_EVENT_ARRAY, sizeof(uint32_t), n)) >= 0 &&
	    (d->denied = new_map(BPF_MAP_TYPE_LRU_HASH, sizeof(uint32_t), DENIED)) >= 0 &&
	    find_offsets(&offsets) && (d->program = load_program(d, &offsets, copied)) >= 0)
		return true;
	error = errno;
	deepstack_close(d);
	errno = error;
	return false;
}

const char *
deepstack_unsupported(void)
{
	struct utsname system;
	unsigned version, part;

	if (THREAD_POINTER == NULL)
		return "only on x86-64";
	if (uname(&system) != 0 || sscanf(system.release, "%u.%u", &version, &part) != 2)
		return NULL;
	/* The helper TASK_PT_REGS is of 5.15; the kernel of RHEL 9 has it too. */
	return version > 5 || (version == 5 && part >= 14) ? NULL : "only with Linux 5.15 or newer";
}

struct perf_event_attr
deepstack_output(const struct perf_event_attr *a)
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
deepstack_add_output(struct deepstack *d, int cpu, int fd)
{
	if (opener_is_linked())
		return opener_ask(
		    &(struct openlink_message){.kind = RIGHTS_DEEP_OUTPUT, .id = cpu}, fd, NULL);
	return update(d->outputs, (uint32_t)cpu, (uint32_t)fd);
}

bool
deepstack_follow(const struct deepstack *d, int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, d->program) == 0;
}

void
deepstack_deny(const struct deepstack *d, uint32_t pid, bool deny)
{
	union bpf_attr a;

	if (opener_is_linked()) {
		opener_ask(
		    &(struct openlink_message){
			.kind = RIGHTS_DEEP_DENY, .id = (int32_t)pid, .flag = deny},
		    -1, NULL);
		return;
	}
	if (deny) {
		update(d->denied, pid, 1);
		return;
	}
	memset(&a, 0, sizeof a);
	a.map_fd = (uint32_t)d->denied;
	a.key = (uintptr_t)&pid;
	bpf(BPF_MAP_DELETE_ELEM, &a);
}

bool
deepstack_part(const struct perfevent *e, uint64_t *address, const unsigned char **bytes, size_t *n)
{
	const struct perfevent_sample *s = &e->sample;
	uint64_t mark;

	if (e->type != PERF_RECORD_SAMPLE || s->nraw < HEAD + PAGE)
		return false;
	memcpy(&mark, s->raw, sizeof mark);
	if (mark != MARK)
		return false;
	memcpy(address, s->raw + sizeof mark, sizeof *address);
	*bytes = s->raw + HEAD;
	*n = (s->nraw - HEAD) / PAGE * PAGE; /* the rest pads the record */
	return true;
}

void
deepstack_close(struct deepstack *d)
{
	const int fds[] = {d->program, d->scratch, d->outputs, d->denied};

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	*d = (struct deepstack){-1, -1, -1, -1, 0};
}
