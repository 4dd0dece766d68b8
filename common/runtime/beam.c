/*
 * beam: reads the stacks of Erlang processes, and names the functions on them.
 *
 * An Erlang process has a stack of its own, at the upper end of its heap, from Process.stop to
 * Process.hend. Generated code runs on it, with the stack pointer; for calls to C, that changes to
 * the scheduler thread's stack. The stack has terms and return addresses. The two lowest bits of a
 * term are 00 only in a header, and headers are not on stacks; so an aligned word in a module's
 * code is a return address. The outermost one is beam_normal_exit. A traced call has a frame that
 * returns to code of no module; its first word is the address of the function's header.
 *
 * While a thread is in C, only Process has the address of its Erlang stack: the thread must be
 * stopped, or a recipe copies both, or only the function that called C is known. While it is in
 * generated code, a stack copy has the Erlang stack.
 */
#include "runtime/beam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "kernel/recipe.h"
#include "runtime/beamcode.h"
#include "runtime/tls.h"

/*
 * Offsets in struct process (erl_process.h) on 64-bit machines, as in the processes of 13.1.5 and
 * 15.2.7 as Debian compiles them; code after calls to C has the offset of stop, too.
 */
enum {
	PROCESS_HTOP = 80,
	PROCESS_STOP = 88,
	PROCESS_END = 8, /* hend, from heap on */
	PROCESS_SIZE = 24, /* heap_sz, in words, from heap on */
};

/* Where the field heap is searched in struct process: 128 in OTP 25, 192 in 27. */
#define HEAP_FIRST 96
#define HEAP_LAST 320

/* Releases with the JIT compiler that are read. */
#define FIRST 24
#define LAST 29

#define WORDS_MAX (1 << 16) /* of a stack */
#define STRANGE_MAX 256 /* words of a stack in the range of code, but in no function */
#define PART 64 /* words of a stack that are copied, and read, at once */
/* Bytes of a scheduler's stack from its table of Erlang registers on. */
#define REGISTERS (1 << 16)
#define LATE_COST 20 /* samples of the code that is read, for one of code before it: 5 % */
#define LATE_MAX 200 /* the latter, that are accepted */
#define START_BYTES 12 /* BEAM_ASM_FUNC_PROLOGUE_SIZE where a register has a return address */
#define CALL_CODE 128 /* bytes after a call to C that restore the stack pointer */

struct beam {
	struct runtime_process *process;
	const struct runtime_module *module;
	struct memory_reader *running; /* reads code past copies; NULL: not needed yet */
	unsigned behind; /* samples of earlier code, weighted, less the others */
	bool walked; /* the current sample has copies of a recipe */
	uint64_t heap; /* offset of heap in struct process; 0: not yet found */
	struct beam_code code;
	uint64_t exit; /* address of the variable beam_normal_exit */
	uint64_t time; /* address of that with the code that ends a timed call; 0: unknown */
	uint64_t normal_exit; /* the outermost return address; 0: not yet known */
	bool wrong; /* the offsets do not lead to names */
	uint64_t schedule, dirty_main; /* functions */
};

static bool
is_module(const char *name)
{
	return strncmp(name, "beam", 4) == 0 && (name[4] == '\0' || strcmp(name + 4, ".smp") == 0);
}

/* A struct process, as far as it is read here. */
struct erlang {
	uint64_t stop, heap, end;
	bool moved; /* stop is in another heap: garbage collection has copied the stack to a new one
		     */
};

/*
 * True in generated code on the Erlang stack. Generated code changes the stack pointer to the C
 * stack next to the table of Erlang registers.
 */
static bool
on_erlang_stack(const struct beam *b, const struct native_frame *f)
{
	return f->sp - (f->reg[b->process->cpu->beam->registers] - REGISTERS) >
	       2 * (uint64_t)REGISTERS;
}

/* Reads a struct process whose heap is at an offset; false if there is none at that address. */
static bool
read_at(struct beam *b, uint64_t at, uint64_t heap, struct erlang *p)
{
	struct memory_reader *m = b->process->memory;
	uint64_t htop = memory_u64(m, at + PROCESS_HTOP);

	if (at == 0 || at % 8 != 0)
		return false;
	p->stop = memory_u64(m, at + PROCESS_STOP);
	p->heap = memory_u64(m, at + heap);
	p->end = memory_u64(m, at + heap + PROCESS_END);
	p->moved = p->stop < p->heap || p->stop > p->end;
	return p->heap != 0 && p->stop != 0 && (p->heap | p->end | p->stop | htop) % 8 == 0 &&
	       p->heap <= htop && htop <= p->end &&
	       (p->end - p->heap) / 8 == memory_u64(m, at + heap + PROCESS_SIZE);
}

/* Reads a struct process; finds its heap at the only offset where size and top fit. */
static bool
read_process(struct beam *b, uint64_t at, struct erlang *p)
{
	uint64_t found = 0;

	if (b->heap != 0)
		return read_at(b, at, b->heap, p);
	for (uint64_t heap = HEAP_FIRST; heap <= HEAP_LAST; heap += 8) {
		if (!read_at(b, at, heap, p) || p->heap == p->end || p->moved)
			continue;
		if (found != 0)
			return false;
		found = heap;
	}
	b->heap = found;
	return found != 0 && read_at(b, at, found, p);
}

static bool
is_stack(const struct erlang *p, uint64_t address)
{
	return address % 8 == 0 && address >= p->heap && address < p->end;
}

/*
 * The address of the Erlang stack at a call from generated code to C, with the frame's registers;
 * 0: unknown. The code after the call restores the stack pointer.
 */
static uint64_t
stack_at_call(struct beam *b, const struct native_frame *f, const struct erlang *p)
{
	unsigned char code[CALL_CODE];
	int from;

	if (!memory_read(b->code.memory, f->pc, code, sizeof code))
		return 0;
	from = b->process->cpu->beam->restores(code, sizeof code, PROCESS_STOP);
	if (from == BEAM_PROCESS)
		return p->stop;
	return from != BEAM_UNKNOWN && is_stack(p, f->reg[from]) ? f->reg[from] : 0;
}

/* Reads up to *n words of a stack, which copies may have in two parts; false: none is readable. */
static bool
read_words(struct beam *b, uint64_t at, uint64_t word[PART], size_t *n)
{
	if (*n > 0 && memory_read(b->process->memory, at, word, 8 * *n))
		return true;
	*n = 1;
	return b->walked && memory_read(b->process->memory, at, word, 8);
}

/*
 * Adds the functions on an Erlang stack; false if it is not readable. A stack in a heap that its
 * process does not have yet ends only at beam_normal_exit.
 */
static bool
add_stack(struct beam *b, uint64_t at, const struct erlang *p, struct script_stack *s)
{
	uint64_t word[PART], end = p->moved ? UINT64_MAX : p->end, before = 0;
	uint64_t traced = b->time != 0 ? memory_u64(b->code.memory, b->time) : 0;
	size_t left = WORDS_MAX, strange = 0;

	while (at < end && left > 0) {
		size_t n = PART - at / 8 % PART;

		n = n < (end - at) / 8 ? n : (size_t)(end - at) / 8;
		if (!read_words(b, at, word, &n)) {
			s->truncated = s->limited = b->walked && s->nframe > 0;
			return s->truncated && !p->moved;
		}
		for (size_t i = 0; i < n; i++) {
			const bool is_info = before == traced && traced != 0;
			uint32_t name;
			bool header;

			before = word[i];
			if (word[i] == b->normal_exit) {
				s->outermost = true;
				return true;
			}
			if (is_info || (word[i] & 3) != 0 || word[i] < b->code.low ||
			    word[i] >= b->code.high)
				continue;
			name = beam_code_caller(&b->code, word[i], &header);
			if (name == 0 && !header && ++strange > STRANGE_MAX)
				return false;
			if (name != 0 && !script_frame(s, name, SCRIPT_NATIVE_NONE))
				return true;
		}
		at += 8 * n;
		left -= n < left ? n : left;
	}
	s->truncated = true;
	return !p->moved;
}

/*
 * Reads a dirty scheduler, a C function that calls the C functions of Erlang processes. The
 * process is in one of its registers.
 */
static bool
read_dirty(struct beam *b, const struct native_frame *f, int32_t i, struct script_stack *s)
{
	const struct runtime_cpu *cpu = b->process->cpu;
	uint64_t found = 0;
	struct erlang p, other;

	for (size_t k = 0; k < cpu->nkept; k++) {
		uint64_t at = f->reg[cpu->kept[k]];

		if (at == found || !read_process(b, at, &other) || other.moved)
			continue;
		if (found != 0)
			return false;
		found = at;
		p = other;
	}
	return found != 0 && script_group(s, i) && add_stack(b, p.stop, &p, s) && s->nframe > 0;
}

/*
 * Reads a normal scheduler that is not stopped; native frame i is the innermost one of generated
 * code.
 */
static bool
read_copy(struct beam *b, const struct runtime_sample *at, size_t i, struct script_stack *s)
{
	const struct native_frame *f = &at->native[i];
	const bool has_stack = i == 0 && on_erlang_stack(b, f) && f->sp % 8 == 0;
	const struct erlang copy = {.end = at->copied & ~UINT64_C(7)};
	uint32_t name = beam_code_name(&b->code, f->pc - (i > 0));

	if (!has_stack && name == 0)
		return false;
	if (!script_group(s, name == 0 ? SCRIPT_NATIVE_NONE : (int32_t)i) ||
	    (name != 0 && !script_frame(s, name, SCRIPT_NATIVE_NONE)))
		return false;
	s->group[0].nnative = (uint32_t)(at->nnative - i);
	if (has_stack)
		return add_stack(b, f->sp, &copy, s) && s->nframe > 0;
	s->truncated = true;
	return true;
}

/* The name of the function to which an address would return; 0: none. */
static uint32_t
caller_name(struct beam *b, uint64_t address)
{
	bool header;

	return address % 4 == 0 && address >= b->code.low && address < b->code.high
		   ? beam_code_caller(&b->code, address, &header)
		   : 0;
}

/*
 * The name of the function that runs in a frame. Code that modules share has none; where it returns
 * by a register, which it stores on top of the thread's stack, this shows the function that called
 * it, unless that has stored its own return address on the Erlang stack. The start of a function
 * in C calls it too, and has no frame of its own.
 */
static uint32_t
running_name(struct beam *b, const struct native_frame *f, bool leaf, uint64_t stack)
{
	struct memory_reader *m = b->process->memory;
	const struct runtime_cpu *cpu = b->process->cpu;
	uint32_t name = beam_code_name(&b->code, f->pc - !leaf);
	uint64_t address;

	if (name != 0 || cpu->beam->in_register == NULL)
		return name;
	/* Other code of modules has the frame pointer where the stack pointer is, too. */
	if (f->reg[cpu->fp] == f->sp && memory_u64(m, f->sp) == f->sp + 16) {
		address = memory_u64(m, f->sp + 8);
		name = caller_name(b, address);
		if (name != 0)
			return cpu->beam->in_register(b->code.memory, address - START_BYTES) ? 0
											     : name;
	}
	address = f->reg[cpu->beam->returned];
	return leaf && address != memory_u64(m, stack) ? caller_name(b, address) : 0;
}

/* Adds the caller of a leaf whose return address is not yet, or no more, on the Erlang stack. */
static bool
add_returned(struct beam *b, const struct native_frame *leaf, struct script_stack *s)
{
	const struct beam_cpu *cpu = b->process->cpu->beam;
	uint32_t name;

	if (cpu->in_register == NULL || beam_code_name(&b->code, leaf->pc) == 0 ||
	    !cpu->in_register(b->code.memory, leaf->pc))
		return true;
	name = caller_name(b, leaf->reg[cpu->returned]);
	return name == 0 || script_frame(s, name, SCRIPT_NATIVE_NONE);
}

/* Reads a normal scheduler; native frame i is the innermost one of generated code. */
static bool
read_scheduler(struct beam *b, const struct runtime_sample *at, size_t i, struct script_stack *s)
{
	const struct native_frame *f = &at->native[i];
	uint64_t stack = f->reg[b->process->cpu->beam->stack];
	struct erlang p = {0};
	uint32_t name;

	if (i > 0 && at->native[i - 1].start == b->schedule) { /* it runs no process */
		name = script_name_add(
		    b->process->names, str_of("process_main"), (struct str){0}, 0, 0);
		s->outermost = true;
	} else if (!at->stopped) {
		return read_copy(b, at, i, s) && beam_code_is_still(&b->code);
	} else if (!read_process(b, f->reg[b->process->cpu->beam->process], &p)) {
		return false;
	} else {
		if ((i > 0 || !is_stack(&p, stack)) && (stack = stack_at_call(b, f, &p)) == 0)
			return false;
		name = running_name(b, f, i == 0, stack);
	}
	/* A leaf in code that modules share has no name; it stays as it is. */
	if (!script_group(s, name == 0 && i == 0 ? SCRIPT_NATIVE_NONE : (int32_t)i) ||
	    (name != 0 && !script_frame(s, name, SCRIPT_NATIVE_NONE)))
		return false;
	s->group[0].nnative = (uint32_t)(at->nnative - i);
	if (i == 0 && !s->outermost && !add_returned(b, f, s))
		return true;
	return s->outermost || (add_stack(b, stack, &p, s) && s->nframe > 0);
}

/* True if code cannot have been loaded since the sample. */
static bool
is_exact(const struct runtime_sample *at)
{
	return at->stopped && !at->walked;
}

/*
 * True if the code is that of the sample. In a process that loads code all the time, only stopped
 * threads have names.
 */
static bool
is_code_of(struct beam *b, const struct runtime_sample *at, struct script_stack *s)
{
	s->late = beam_code_since(&b->code) > at->time;
	if (s->late)
		b->behind += LATE_COST;
	else if (b->behind > 0)
		b->behind--;
	s->unwalked = at->walked && b->behind > LATE_MAX * LATE_COST;
	return !s->late;
}

/*
 * Reads the tables of code; false while they are empty, as at the start of Erlang, or when they are
 * not those of the sample.
 */
static bool
begin(struct beam *b, const struct runtime_sample *at, struct script_stack *s)
{
	b->walked = at->walked;
	b->code.memory = b->process->memory;
	if (b->walked) {
		if (b->running == NULL)
			b->running = memory_of_process(b->process->pid);
		b->code.memory = b->running;
		memory_begin(b->running);
	}
	if (b->wrong || !beam_code_begin(&b->code))
		return false;
	if (b->normal_exit == 0) {
		b->normal_exit = memory_u64(b->code.memory, b->exit);
		b->wrong = b->normal_exit != 0 && !beam_code_check(&b->code);
	}
	return b->normal_exit != 0 && !b->wrong && (is_exact(at) || is_code_of(b, at, s));
}

static bool
read_beam(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct beam *b = state;
	bool read;

	for (size_t i = 0; i < at->nnative; i++) {
		const struct native_frame *f = &at->native[i];

		if (f->module != NULL && f->module->kind == MODULE_JIT)
			read = begin(b, at, s) && read_scheduler(b, at, i, s);
		else if (f->start == b->dirty_main && f->start != 0)
			read = at->stopped && (i == 0 || at->native[i - 1].start != b->schedule) &&
			       begin(b, at, s) && read_dirty(b, f, (int32_t)i, s);
		else
			continue;
		s->late |= read && b->walked && !beam_code_is_still(&b->code);
		return read && !s->late;
	}
	return false;
}

static void *
open_beam(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		uint64_t release = runtime_symbol(m, "etp_otp_release", NULL),
			 jit = runtime_symbol(m, "etp_beamasm", NULL);
		unsigned long number;
		char version[8];
		struct beam *b;

		if (release == 0) {
			snprintf(p->reason, sizeof p->reason,
			    "this Erlang has no symbol etp_otp_release of its version");
			return NULL;
		}
		if (!memory_string(p->memory, release, version, sizeof version))
			return NULL;
		snprintf(p->version, sizeof p->version, "%s", version);
		number = strtoul(version, NULL, 10);
		if (number < FIRST || number > LAST) {
			runtime_unknown(p, "Erlang/OTP", runtime_beam.versions,
			    RUNTIME_TRIED("beam.c", "script-beam.t"));
			return NULL;
		}
		if (!runtime_knows_cpu(p, p->cpu->beam, "Erlang"))
			return NULL;
		b = cli_alloc(1, sizeof *b);
		b->process = p;
		b->module = m;
		b->exit = runtime_symbol(m, "beam_normal_exit", NULL);
		b->time = runtime_symbol(m, "beam_return_time_trace", NULL);
		if (b->time == 0) /* from 27 on */
			b->time = runtime_symbol(m, "beam_call_trace_return", NULL);
		b->schedule = runtime_symbol(m, "erts_schedule", NULL);
		b->dirty_main = runtime_symbol(m, "erts_dirty_process_main", NULL);
		if (beam_code_open(&b->code, p, m) && jit != 0 && memory_u32(p->memory, jit) == 1 &&
		    b->exit != 0 && b->schedule != 0)
			return b;
		snprintf(p->reason, sizeof p->reason,
		    "this Erlang has no JIT compiler, or no symbols of its tables");
		free(b);
		return NULL;
	}
	return NULL;
}

static void
close_beam(void *state)
{
	struct beam *b = state;

	if (b->running != NULL)
		memory_free(b->running);
	free(b);
}

/* ---- Recipe ---- */

enum { NORMAL, DIRTY_CPU, DIRTY_IO, KINDS }; /* ErtsSchedType */

#define SCHEDULER_BYTES 1024 /* of ErtsSchedulerData, that are searched */
#define FIRST_KEYS 32 /* of pthread_getspecific(3), in the first block */

/*
 * The offset of current_process in ErtsSchedulerData (erl_process.h): before the kind, the number
 * as a normal scheduler, and the number as a dirty one. 0: not the first scheduler of each kind has
 * its own there, or there are several such offsets.
 */
static uint64_t
find_current(struct memory_reader *m, const uint64_t scheduler[KINDS])
{
	uint64_t found = 0;

	for (uint64_t at = 8; at < SCHEDULER_BYTES; at += 8) {
		uint32_t k = 0;

		while (k < KINDS && memory_u32(m, scheduler[k] + at + 8) == k &&
		       memory_u64(m, scheduler[k] + at + 16) == (k == NORMAL) &&
		       memory_u64(m, scheduler[k] + at + 24) == (k != NORMAL))
			k++;
		if (k < KINDS)
			continue;
		if (found != 0)
			return 0;
		found = at;
	}
	return found;
}

/*
 * The offset, in a thread's first block of keys, of the scheduler that it is: the scheduler has the
 * address of its thread. 0: unknown.
 */
static uint64_t
find_key(struct memory_reader *m, uint64_t specific, uint64_t scheduler)
{
	for (uint64_t at = 0; at < SCHEDULER_BYTES; at += 8) {
		const uint64_t thread = memory_u64(m, scheduler + at),
			       first = thread % 64 == 0 ? memory_u64(m, thread + specific) : 0;

		for (uint64_t key = 0; first != 0 && key < FIRST_KEYS; key++)
			if (memory_u64(m, first + tls_key(key)) == scheduler)
				return tls_key(key);
	}
	return 0;
}

/* Registers of the recipe, and steps that others go to. */
enum { WORD = WALK_FREE, PROCESS, STOP, AT, END_AT, LEFT };
enum { UP = 11, BELOW = 16, DOWN = 19, DONE = 22 };

#define PART_BYTES (8 * PART)
#define PARTS_UP 64
#define PARTS_DOWN 4

/*
 * Copies the process that the thread's scheduler runs, its stack from Process.stop to its end, and
 * some bytes below: generated code stores the top of the stack there before some calls of C only.
 */
static bool
recipe(void *state, struct walk_step step[WALK_STEPS])
{
	static const char *const names[KINDS] = {"erts_aligned_scheduler_data",
	    "erts_aligned_dirty_cpu_scheduler_data", "erts_aligned_dirty_io_scheduler_data"};
	struct beam *b = state;
	struct memory_reader *m = b->process->memory;
	uint64_t scheduler[KINDS], current, key;
	struct erlang p;
	struct tls tls;

	for (size_t i = 0; i < KINDS; i++)
		scheduler[i] = memory_u64(m, runtime_symbol(b->module, names[i], NULL));
	if (!tls_open(&tls, b->process) || (current = find_current(m, scheduler)) == 0 ||
	    (key = find_key(m, tls.specific, scheduler[NORMAL])) == 0 ||
	    !read_process(
		b, memory_u64(m, runtime_symbol(b->module, "erts_code_purger", NULL)), &p))
		return false;

	const struct walk_step steps[] = {
	    READ(WORD, WALK_THREAD_POINTER, tls.specific, DONE),
	    READ(WORD, WORD, key, DONE),
	    IF_ZERO(WORD, DONE),
	    READ(PROCESS, WORD, current, DONE),
	    IF_ZERO(PROCESS, DONE),
	    COPY(PROCESS, 0, (uint32_t)b->heap + PROCESS_SIZE + 8, DONE, {STOP, PROCESS_STOP},
		{END_AT, (uint16_t)b->heap + PROCESS_END}),
	    SET(END_AT, END_AT, PART_BYTES - 1, 7),
	    CLEAR(END_AT, PART_BYTES - 1, 8),
	    CLEAR(STOP, PART_BYTES - 1, 9),
	    SET(AT, STOP, 0, 10),
	    SET(LEFT, WALK_ZERO, PARTS_UP, UP),
	    [UP] = IF_EQUAL(AT, END_AT, BELOW),
	    COPY(AT, 0, PART_BYTES, BELOW),
	    SET(AT, AT, PART_BYTES, 14),
	    SET(LEFT, LEFT, -UINT64_C(1), UP),
	    GO(BELOW),
	    [BELOW] = SET(AT, STOP, 0, 17),
	    SET(LEFT, WALK_ZERO, PARTS_DOWN, 18),
	    GO(DOWN),
	    [DOWN] = SET(AT, AT, -(uint64_t)PART_BYTES, 20),
	    COPY(AT, 0, PART_BYTES, DONE),
	    SET(LEFT, LEFT, -UINT64_C(1), DOWN),
	    [DONE] = END,
	};

	_Static_assert(sizeof steps / sizeof *steps <= WALK_STEPS, "fewer steps");
	memcpy(step, steps, sizeof steps);
	return true;
}

const struct runtime runtime_beam = {
    .name = "erlang",
    .versions = "24 to 29",
    .offsets = "tables of sources, and a search",
    .compiles = true,
    .needs_stop = true,
    .reads_copy = true,
    .own_stack = true,
    .is_module = is_module,
    .open = open_beam,
    .read = read_beam,
    .close = close_beam,
    .recipe = recipe,
};
