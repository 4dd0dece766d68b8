/*
 * ruby: walks the control frames of a CRuby thread, from its execution context.
 *
 * A control frame with the flag FINISH ends the frames of one invocation of rb_vm_exec. Each
 * invocation has one tag on the C stack, which identifies its native frame. Methods in C also
 * have control frames: their names take the place of the native frames of their functions.
 */
#include "runtime/ruby.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "kernel/recipe.h"
#include "runtime/memory.h"
#include "runtime/rubyname.h"
#include "runtime/tls.h"
#include "unwind/cfi.h"

#define TAGS 1024
#define EVALS 512 /* native frames of rb_vm_exec */
#define ACCESSOR 64 /* bytes of the function that has the slot of the context */
#define JIT_WORDS 16 /* of a frame of compiled code, at most */

#define FRAME_FINISH 0x20 /* VM_FRAME_FLAG_FINISH */

/*
 * Offsets by version. 2.7 and 3.1: share/offsets/ruby.c prints them. 3.3 and 3.4 differ in these,
 * which were found in processes; 3.0 and 3.2 were never run.
 */
static const struct ruby_layout layouts[] = {
    {"2.7.", 56, 120, 136, 144, 8, true, 16, false, 1 << 12},
    {"3.0.", 56, 120, 136, 144, 8, true, 16, false, 1 << 12},
    {"3.1.", 64, 120, 136, 144, 12, true, 16, false, 1 << 12},
    {"3.2.", 64, 112, 128, 136, 12, false, 24, true, 1 << 12},
    {"3.3.", 56, 112, 128, 136, 12, false, 24, true, 1 << 12},
    {"3.4.", 56, 112, 128, 136, 12, false, 24, true, 1 << 13},
};

#define VERSIONS "2.7 to 3.4"

enum {
	CONTEXT_TAG = 24, /* rb_execution_context_t: vm_stack 0, vm_stack_size 8, cfp 16 */
	CONTEXT_BYTES = 32,
	CONTROL_MAX = 64, /* bytes of a rb_control_frame_t: pc 0, iseq 16, ep 32 */
	CONTROL_BYTES = 40, /* of these, with all fields that are read */
};

/* struct rb_vm_tag.prev, after a jump buffer of __builtin_setjmp or of setjmp(3). */
static const uint16_t previous[] = {56, 216};

struct ruby {
	struct runtime_process *process;
	uint64_t previous; /* that of this build; 0: not yet known */
	const struct ruby_layout *at;
	struct tls tls;
	struct tls_block block;
	uint64_t context; /* offset of ruby_current_ec in the thread-local block */
	uint64_t current; /* up to 2.7 address of the pointer to the context that runs; else 0 */
	uint64_t loop; /* address of rb_vm_exec, or of the function that it has the loop in */
	uint64_t bias;
	struct module *module;
	uint64_t start, end; /* of the code with it */
	struct ruby_names names;
};

static bool
is_module(const char *name)
{
	return strncmp(name, "libruby", 7) == 0 || strncmp(name, "ruby", 4) == 0;
}

static const struct ruby_layout *
layout_of(const char *version)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (strncmp(version, layouts[i].version, strlen(layouts[i].version)) == 0)
			return &layouts[i];
	return NULL;
}

/*
 * Finds ruby_current_ec, which is not exported from 3.3 on: rb_profile_frames begins with its
 * address, by a slot; the word after the slot is its offset.
 */
static bool
find_context(struct ruby *rb, const struct runtime_module *m)
{
	const struct ruby_cpu *cpu = rb->process->cpu->ruby;
	uint64_t size, at = runtime_symbol(m, "rb_profile_frames", &size);
	const unsigned char *code = at == 0 ? NULL : runtime_file_bytes(m, at, (size_t)size);

	rb->current = runtime_symbol(m, "ruby_current_execution_context_ptr", NULL);
	if (rb->current != 0)
		return true;
	if ((rb->context = runtime_symbol(m, "ruby_current_ec", NULL)) != 0)
		return tls_block(&rb->block, m);
	if (code != NULL && cpu->called != NULL) {
		at = cpu->called(code, (size_t)size, at);
		code = runtime_file_bytes(m, at, size = ACCESSOR);
	}
	return code != NULL &&
	       tls_slot(&rb->block, &rb->tls, cpu->slot(code, (size_t)size, at), &rb->context);
}

static void *
open_ruby(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		struct ruby *rb;
		uint64_t version;

		if ((version = runtime_symbol(m, "ruby_version", NULL)) == 0)
			continue;
		if (!memory_string(p->memory, version, p->version, sizeof p->version))
			return NULL;
		if (layout_of(p->version) == NULL) {
			runtime_unknown(p, "Ruby", VERSIONS, RUNTIME_OFFSETS("ruby -I..."));
			return NULL;
		}
		if (!runtime_knows_cpu(p, p->cpu->ruby, "Ruby"))
			return NULL;
		rb = cli_alloc(1, sizeof *rb);
		rb->process = p;
		rb->at = layout_of(p->version);
		rb->loop = runtime_symbol(m, "rb_vm_exec", NULL);
		rb->module = m->module;
		rb->bias = m->bias;
		rb->start = m->start;
		rb->end = m->end;
		ruby_names_open(&rb->names, p, rb->at, m);
		if (tls_open(&rb->tls, p) && find_context(rb, m))
			return rb;
		snprintf(p->reason, sizeof p->reason,
		    "Ruby %.8s lacks symbols, or its C library is not glibc", p->version);
		tls_close(&rb->tls);
		free(rb);
		return NULL;
	}
	return NULL;
}

static void
close_ruby(void *state)
{
	struct ruby *rb = state;

	tls_close(&rb->tls);
	ruby_names_close(&rb->names);
	free(rb);
}

/*
 * Adds a control frame to the group. A method in C takes the place of its native frame, which is
 * one of *from to end - 1.
 */
static bool
add_frame(struct ruby *rb, const struct runtime_sample *at, const uint64_t *control, int32_t *from,
    int32_t end, struct script_stack *s)
{
	uint64_t function = 0;
	uint32_t name;

	if (control[2] != 0 && control[0] != 0)
		return script_frame(s, ruby_name(&rb->names, control), SCRIPT_NATIVE_NONE);
	if (control[0] != 0 || (name = ruby_name_function(&rb->names, control, &function)) == 0)
		return true;
	for (int32_t i = *from; i < end; i++)
		if (at->native[i].start == function) {
			*from = i + 1;
			return script_frame(s, name, i);
		}
	return script_frame(s, name, SCRIPT_NATIVE_NONE);
}

/* Finds the field that links a thread's tags: with it the addresses rise, and end with 0. */
static void
find_previous(struct ruby *rb, uint64_t tag)
{
	for (size_t i = 0; i < sizeof previous / sizeof *previous && rb->previous == 0; i++) {
		uint64_t at = tag, next = 0;

		for (size_t n = 0; at != 0 && n < TAGS; n++, at = next) {
			next = memory_u64(rb->process->memory, at + previous[i]);
			if (next != 0 && (next <= at || next % 8 != 0))
				break;
		}
		if (at == 0 && tag != 0)
			rb->previous = previous[i];
	}
}

/*
 * The native frames of rb_vm_exec with a tag, which it sets first of all. From 3.3 on, the loop is
 * a function that it calls: *more is the number of frames of the caller, which it replaces too.
 */
static size_t
find_loops(struct ruby *rb, const struct runtime_sample *at, uint64_t tag, int32_t loop[EVALS],
    uint32_t *more)
{
	struct memory_reader *m = rb->process->memory;
	size_t n = 0, tags = 0;
	bool called = false; /* the frame before is that of the loop */

	*more = 0;
	for (size_t i = 0; i < at->nnative && n < EVALS; i++) {
		uint64_t end = i + 1 < at->nnative ? at->native[i + 1].sp : UINT64_MAX;
		bool tagged = false;

		while (tag != 0 && tag < end && tags++ < TAGS) {
			tagged |= tag >= at->native[i].sp;
			tag = memory_u64(m, tag + rb->previous);
		}
		if (tagged && called) {
			loop[n++] = (int32_t)i - 1;
			*more = 1;
		} else if (tagged && at->native[i].start == rb->loop) {
			loop[n++] = (int32_t)i;
		}
		called = at->native[i].start == rb->loop && !tagged;
	}
	return n;
}

/*
 * True if a control frame is the first of an invocation of rb_vm_exec. rb_vm_call_cfunc of vm.c
 * pushes one with FINISH for the Init function of an extension, which has no instructions.
 */
static bool
is_first(struct ruby *rb, const uint64_t *control)
{
	return control[0] != 0 && (memory_u64(rb->process->memory, control[4]) & FRAME_FINISH) != 0;
}

/* The function that has the instructions' code: threaded code begins with an address in it. */
static uint64_t
function_of(struct ruby *rb, const uint64_t *control)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t body, code, start;

	if (control[0] == 0 || control[2] == 0)
		return 0;
	body = memory_u64(m, control[2] + ISEQ_BODY);
	memory_read_later(m); /* another function's code is in the loop, too */
	code = memory_u64(m, memory_u64(m, body + BODY_ENCODED));
	memory_is_proved(m, 0);
	if (code < rb->start || code >= rb->end)
		return 0;
	start = cfi_function(rb->module, code + rb->bias);
	return start == 0 ? 0 : start - rb->bias;
}

/* The execution context of a thread; up to 2.7 the one that runs, which may be another thread's. */
static uint64_t
context_of(struct ruby *rb, int tid)
{
	uint64_t thread, at = rb->current;

	if (at == 0 && (thread = tls_thread(&rb->tls, tid)) != 0)
		at = tls_variable(&rb->tls, &rb->block, thread, rb->context);
	return at == 0 ? 0 : memory_u64(rb->process->memory, at);
}

/* True if the execution context with that last tag is the thread's: the tag is on its stack. */
static bool
is_own(const struct ruby *rb, const struct runtime_sample *at, uint64_t tag)
{
	return rb->current == 0 ||
	       (at->nnative > 0 && tag >= at->native[0].sp && tag < at->native[at->nnative - 1].sp);
}

uint64_t
ruby_context(void *state, int tid)
{
	struct ruby *rb = state;

	return rb->current != 0 ? 0 : context_of(rb, tid);
}

struct ruby_names *
ruby_names_of(void *state)
{
	return &((struct ruby *)state)->names;
}

/* Reads the fields of a thread's execution context and its control frames; their number, or 0. */
static size_t
read_context(struct ruby *rb, const struct runtime_sample *at, uint64_t w[CONTEXT_BYTES / 8],
    uint64_t frames[SCRIPT_FRAMES * CONTROL_MAX / 8], bool *truncated)
{
	struct memory_reader *m = rb->process->memory;
	const uint64_t context = at->walked ? at->start : context_of(rb, at->tid);
	size_t n;

	if (context == 0 || !memory_read(m, context, w, CONTEXT_BYTES) ||
	    w[1] > UINT64_C(1) << 28 || w[2] < w[0] || w[2] > w[0] + 8 * w[1] ||
	    !is_own(rb, at, w[CONTEXT_TAG / 8]))
		return 0;
	n = (size_t)((w[0] + 8 * w[1] - w[2]) / rb->at->control);
	if (n <= 1)
		return 0;
	n--; /* the outermost frame is a dummy */
	if (n > SCRIPT_FRAMES) {
		n = SCRIPT_FRAMES;
		*truncated = true;
	}
	if (!at->walked)
		return memory_read(m, w[2], frames, n * rb->at->control) ? n : 0;
	for (size_t i = 0, words = rb->at->control / 8; i < n; i++)
		if (!memory_read(
			m, w[2] + i * rb->at->control, frames + i * words, CONTROL_BYTES)) {
			*truncated = true;
			return i;
		}
	return n;
}

/* Each function in Ruby has a label and its code in the loop, and one of them has a path. */
static enum runtime_proof
prove(void *state, const struct runtime_sample *at)
{
	struct ruby *rb = state;
	struct memory_reader *m = rb->process->memory;
	static uint64_t frames[SCRIPT_FRAMES * CONTROL_MAX / 8];
	uint64_t w[CONTEXT_BYTES / 8];
	char text[RUBY_TEXT_MAX];
	bool truncated = false, path = false, named;
	size_t n = read_context(rb, at, w, frames, &truncated);

	for (size_t i = 0; i < n; i++) {
		const uint64_t *control = frames + i * rb->at->control / 8;
		uint64_t body;
		struct str s;

		if (control[0] == 0 || control[2] == 0)
			continue;
		body = memory_u64(m, control[2] + ISEQ_BODY);
		if (function_of(rb, control) == 0)
			return PROOF_FAILS;
		memory_read_later(m);
		named = ruby_read_string(&rb->names, memory_u64(m, body + BODY_LABEL), text, &s);
		ruby_read_path(&rb->names, body, text, &s);
		if (!memory_is_proved(m, body + BODY_PATH))
			return PROOF_OPEN;
		if (!named)
			return PROOF_FAILS;
		path |= s.len > 0;
	}
	return path ? PROOF_HOLDS : PROOF_OPEN;
}

static bool
read_ruby(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct ruby *rb = state;
	static uint64_t frames[SCRIPT_FRAMES * CONTROL_MAX / 8];
	const uint64_t *control = frames;
	const size_t words = rb->at->control / 8;
	uint64_t w[CONTEXT_BYTES / 8];
	int32_t loop[EVALS], from = 0, native = SCRIPT_NATIVE_NONE;
	size_t n = read_context(rb, at, w, frames, &s->truncated), nloop, ngroup = 0, next = 0,
	       early = 0;
	uint32_t more;
	bool open = false;

	if (n == 0)
		return false;
	for (size_t i = 0; rb->loop == 0 && i < n; i++)
		rb->loop = function_of(rb, control + i * words);
	if (rb->previous == 0)
		find_previous(rb, w[CONTEXT_TAG / 8]);
	s->limited |= s->truncated && n == SCRIPT_FRAMES;
	nloop = find_loops(rb, at, w[CONTEXT_TAG / 8], loop, &more);
	for (size_t i = 0; i < n; i++)
		ngroup += is_first(rb, control + i * words);
	/*
	 * C code pushes a frame before it calls rb_vm_exec, and rb_vm_exec pops it before it
	 * returns: the innermost frames may have no loop, and the innermost loop no frames.
	 */
	if (at->complete && !s->truncated) {
		early = ngroup > nloop ? ngroup - nloop : 0;
		next = nloop > ngroup ? nloop - ngroup : 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (!open) {
			bool none = next == nloop || early > 0;

			native = none ? SCRIPT_NATIVE_NONE : loop[next++];
			if (!script_group(s, native))
				break;
			s->group[s->ngroup - 1].nnative += native != SCRIPT_NATIVE_NONE ? more : 0;
			early -= early > 0;
			open = true;
		}
		if (!add_frame(rb, at, control + i * words, &from, native, s))
			break;
		if (!is_first(rb, control + i * words))
			continue;
		open = false;
		if (native != SCRIPT_NATIVE_NONE)
			from = native + 1 + (int32_t)more;
	}
	return s->nframe > 0;
}

/* True at the address after an indirect call, call *%reg or call *disp8(%reg). */
static bool
is_after_indirect(struct ruby *rb, uint64_t back)
{
	struct memory_reader *m = rb->process->memory;
	uint8_t b[3];
	bool read;

	memory_read_later(m);
	read = memory_read(m, back - sizeof b, b, sizeof b);
	memory_is_proved(m, 0); /* Ruby's own code does not change */
	return read &&
	       ((b[1] == 0xff && (b[2] & 0xf8) == 0xd0) || (b[0] == 0xff && (b[1] & 0xf8) == 0x50));
}

/*
 * Bytes of the frame of code that YJIT compiled, which has no call frame information: a few
 * registers, and the return address after an indirect call in Ruby's own code.
 */
static uint64_t
frame_size(void *state, uint64_t pc, uint64_t sp, bool leaf)
{
	struct ruby *rb = state;
	uint64_t word[JIT_WORDS];
	size_t n = JIT_WORDS;

	(void)pc;
	(void)leaf;
	while (n > 0 && !memory_read(rb->process->memory, sp, word, 8 * n))
		n /= 2; /* the end of a stack */
	for (size_t i = 0; i < n; i++)
		if (word[i] >= rb->start && word[i] < rb->end && is_after_indirect(rb, word[i]))
			return 8 * (i + 1) | FRAME_KEEPS_FP;
	return 0;
}

/* Registers of the recipe, and steps that others go to. */
enum {
	CONTROL = WALK_FREE,
	PC,
	ISEQ,
	ENVIRONMENT,
	ENTRY,
	PARENT,
	FLAGS,
	BODY,
	LABEL,
	BASE,
	PATH,
	TEXT,
	WORD,
	REGISTERS
};

_Static_assert(REGISTERS <= WALK_REGISTERS, "fewer registers");

enum {
	FOUND = 2,
	TAGGED = 5,
	CONTROLS = 8,
	BASES = 17,
	PATHS = 20,
	METHODS = 23,
	ENVIRONMENTS = 27,
	OUTER = 30,
	NEXT = 32,
	DONE,
	UNREAL,
	SPECIALS = 37
};

#define FRAME_DUMMY 0x79990001 /* the outermost frame */
#define ENTRY_BYTES 40 /* of a rb_callable_method_entry_t, or a struct vm_svar */
#define BODY_BYTES 88 /* of a rb_iseq_constant_body, from its path on */
#define STRING_BYTES 56 /* of a String, or of its text; the rest is read later */
#define PATH_BYTES 128
#define SPECIAL 0x201a /* flags of a struct vm_svar, in these bits */
#define SPECIAL_MASK 0xf01f

/* The link of tags, which a running thread's tags show unless they change while they are read. */
static void
find_previous_early(struct ruby *rb)
{
	const uint64_t context = ruby_context(rb, rb->process->inside);

	if (context != 0 && rb->previous == 0)
		find_previous(rb, memory_u64(rb->process->memory, context + CONTEXT_TAG));
}

/*
 * Copies the execution context, the tags, the control frames up to the dummy one, and of each its
 * instructions' names or its method, which the environments lead to. Names of classes and of
 * methods in C are read later.
 */
static bool
recipe(void *state, struct walk_step step[WALK_STEPS])
{
	struct ruby *rb = state;
	struct tls_place place = {0};
	const bool found = rb->current != 0 || tls_place(&rb->tls, &rb->block, &place);
	const struct walk_step steps[] = {
	    READ(WORD, WALK_THREAD_POINTER, place.vector, DONE),
	    READ(WORD, WORD, 16 * place.number, DONE),
	    [FOUND] = READ(WORD, WORD, place.offset + rb->context, DONE),
	    COPY(WORD, 0, 0, DONE),
	    COPY(WORD, 0, CONTEXT_BYTES, DONE, {CONTROL, 16}, {TEXT, CONTEXT_TAG}),
	    [TAGGED] = IF_ZERO(TEXT, CONTROLS),
	    COPY(TEXT, rb->previous, 8, CONTROLS, {TEXT, 0}),
	    GO(TAGGED),
	    [CONTROLS] =
		COPY(CONTROL, 0, CONTROL_BYTES, DONE, {PC, 0}, {ISEQ, 16}, {ENVIRONMENT, 32}),
	    COPY(ENVIRONMENT, -UINT64_C(16), 24, NEXT, {ENTRY, 0}, {PARENT, 8}, {FLAGS, 16}),
	    WITHOUT(WORD, FLAGS, ~(uint32_t)FRAME_MAGIC, 11),
	    IF_IS(WORD, FRAME_DUMMY, DONE),
	    IF_ZERO(PC, METHODS),
	    COPY(ISEQ, 0, ISEQ_BODY + 8, METHODS, {BODY, ISEQ_BODY}),
	    COPY(BODY, BODY_PATH, BODY_BYTES, METHODS, {PATH, 0},
		{BASE, BODY_BASE_LABEL - BODY_PATH}, {LABEL, BODY_LABEL - BODY_PATH}),
	    COPY(LABEL, 0, STRING_BYTES, BASES, {TEXT, 24}),
	    COPY(TEXT, 0, STRING_BYTES, BASES),
	    [BASES] = IF_EQUAL(BASE, LABEL, PATHS),
	    COPY(BASE, 0, STRING_BYTES, PATHS, {TEXT, 24}),
	    COPY(TEXT, 0, STRING_BYTES, PATHS),
	    /* A String, or an Array with the path and perhaps the real path. */
	    [PATHS] = COPY(PATH, 0, STRING_BYTES, METHODS, {WORD, 16}, {TEXT, 24}),
	    COPY(TEXT, 0, STRING_BYTES, UNREAL, {TEXT, 24}), /* the real path, or a text */
	    COPY(TEXT, 0, PATH_BYTES, METHODS),
	    [METHODS] = IF_ZERO(ENTRY, ENVIRONMENTS),
	    COPY(ENTRY, 0, ENTRY_BYTES, ENVIRONMENTS, {BASE, 0}, {WORD, 8}),
	    WITHOUT(BASE, BASE, ~(uint32_t)SPECIAL_MASK, ENVIRONMENTS - 1),
	    IF_IS(BASE, SPECIAL, SPECIALS),
	    [ENVIRONMENTS] = WITHOUT(WORD, FLAGS, ~(uint32_t)ENV_LOCAL, NEXT),
	    CLEAR(PARENT, 3, OUTER),
	    GO(NEXT),
	    [OUTER] = COPY(PARENT, -UINT64_C(16), 24, NEXT, {ENTRY, 0}, {PARENT, 8}, {FLAGS, 16}),
	    GO(METHODS),
	    [NEXT] = SET(CONTROL, CONTROL, rb->at->control, CONTROLS),
	    [DONE] = END,
	    [UNREAL] = COPY(WORD, 0, STRING_BYTES, METHODS, {TEXT, 24}),
	    COPY(TEXT, 0, STRING_BYTES, METHODS),
	    GO(METHODS),
	    [SPECIALS] = COPY(WORD, 0, ENTRY_BYTES, ENVIRONMENTS),
	    GO(ENVIRONMENTS),
	};

	_Static_assert(sizeof steps / sizeof *steps <= WALK_STEPS, "fewer steps");
	if (!found)
		return false;
	find_previous_early(rb);
	memcpy(step, steps, sizeof steps);
	if (rb->current != 0)
		step[0] = (struct walk_step)SET(WORD, WALK_ZERO, rb->current, FOUND);
	else if (place.number == 0)
		step[0] = (struct walk_step)SET(WORD, WALK_THREAD_POINTER, 0, FOUND);
	return rb->previous != 0;
}

const struct runtime runtime_ruby = {
    .name = "ruby",
    .versions = VERSIONS,
    .offsets = "tables of headers, and a search",
    .needs_stop = true,
    .is_module = is_module,
    .symbol = "ruby_version",
    .open = open_ruby,
    .prove = prove,
    .read = read_ruby,
    .close = close_ruby,
    .recipe = recipe,
    .frame_size = frame_size,
};
