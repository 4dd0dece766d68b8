/*
 * oldpython: finds the frame object of each native frame of _PyEval_EvalFrameDefault, which runs
 * one function, in its registers or its part of the stack.
 *
 * An object counts only if its caller, f_back, is the object of the next native frame outwards;
 * where several do, the frame has none.
 */
#include "runtime/oldpython.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "kernel/recipe.h"
#include "runtime/python.h"

#define EVALS 1024 /* native frames of the evaluation loop */
#define SEARCHES 64 /* for its part for rare cases, in stacks that lack a frame */
#define FRAME_WORDS 128 /* of such a frame */
#define CANDIDATES 16 /* frame objects in one native frame */
#define LINES_MAX 16384 /* bytes of a line table */
#define FIRST_MINOR 6
#define LAST_MINOR 10

/* Offsets: offsetof with the headers of 3.6.15, 3.7.16, 3.8.18, 3.9.18 and 3.10.13. */
enum {
	INTERPRETER_THREADS = 8,
	THREAD_NEXT = 8,
	THREAD_INTERPRETER = 16,
	THREAD_FRAME = 24,
	OBJECT_TYPE = 8,
	OBJECT_SIZE = 16,
	FRAME_BACK = 24,
	FRAME_CODE = 32,
	BYTES_TEXT = 32,
	STRING_ASCII = 48,
	STRING_COMPACT = 72,
};

enum { STATE_EXECUTING = 0, STATE_UNWINDING = 2 }; /* enum _framestate of 3.10 */

static const struct layout {
	uint32_t last, executing; /* f_lasti; f_executing, or from 3.10 on f_state */
	uint32_t first_line, filename, name, lines; /* in code objects */
	uint32_t thread_id; /* in thread states */
	uint32_t interpreter; /* in _PyRuntime: the main one; 0: there is none */
} layouts[] = {{120, 132, 36, 96, 104, 112, 152, 0}, {104, 116, 36, 96, 104, 112, 176, 32},
    {104, 116, 40, 104, 112, 120, 176, 40}, {104, 116, 40, 104, 112, 120, 176, 40},
    {96, 108, 40, 104, 112, 120, 176, 40}};

struct oldpython {
	struct runtime_process *process;
	struct layout at;
	bool has_state; /* a frame has a state; lines are ranges of instructions: from 3.10 on */
	uint64_t loop; /* _PyEval_EvalFrameDefault */
	uint64_t rare; /* its part for rare cases; 0: not yet found */
	unsigned searches; /* for that part */
	uint64_t frame_type, code_type;
	/* of _PyRuntime; of 3.6 _PyThreadState_Current, the state of the thread with the GIL */
	uint64_t runtime;
	struct python_str str;
	struct text function, file; /* buffers */
};

static bool
is_module(const char *name)
{
	return strstr(name, "python") != NULL;
}

static void *
open_oldpython(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		unsigned minor;
		struct oldpython *py;
		uint64_t loop;

		if ((loop = runtime_symbol(m, "_PyEval_EvalFrameDefault", NULL)) == 0 ||
		    runtime_symbol(m, "Py_Version", NULL) != 0)
			continue;
		minor = python_minor(p->memory, m);
		snprintf(p->version, sizeof p->version, "3.%u", minor);
		if (minor < FIRST_MINOR || minor > LAST_MINOR) {
			if (minor == 0)
				snprintf(p->reason, sizeof p->reason,
				    "the version of a Python before 3.11 is unknown, since no file "
				    "has its name");
			else
				snprintf(p->reason, sizeof p->reason,
				    "Python 3.%u is unknown (" PYTHON_VERSIONS " are known)",
				    minor);
			return NULL;
		}
		py = cli_alloc(1, sizeof *py);
		py->process = p;
		py->at = layouts[minor - FIRST_MINOR];
		py->has_state = minor == LAST_MINOR;
		py->loop = loop;
		py->frame_type = runtime_symbol(m, "PyFrame_Type", NULL);
		py->code_type = runtime_symbol(m, "PyCode_Type", NULL);
		py->runtime = runtime_symbol(
		    m, py->at.interpreter != 0 ? "_PyRuntime" : "_PyThreadState_Current", NULL);
		py->str = (struct python_str){
		    runtime_symbol(m, "PyUnicode_Type", NULL), STRING_ASCII, STRING_COMPACT};
		if (py->frame_type != 0 && py->code_type != 0 && py->runtime != 0 &&
		    py->str.type != 0)
			return py;
		snprintf(p->reason, sizeof p->reason, "Python 3.%u lacks symbols", minor);
		free(py);
		return NULL;
	}
	return NULL;
}

static void
close_oldpython(void *state)
{
	struct oldpython *py = state;

	text_free(&py->function);
	text_free(&py->file);
	free(py);
}

/* A native frame of the evaluation loop. */
struct eval {
	int32_t native;
	uint64_t frame; /* 0: unknown */
	size_t n;
	uint64_t candidate[CANDIDATES];
	bool executes[CANDIDATES];
};

/* True while a function runs: an object outlives its call, as that of a generator, or a freed one.
 */
static bool
is_executing(struct oldpython *py, uint64_t frame)
{
	uint8_t state = memory_u8(py->process->memory, frame + py->at.executing);

	return py->has_state ? state == STATE_EXECUTING || state == STATE_UNWINDING : state == 1;
}

static void
add_candidate(struct oldpython *py, struct eval *e, uint64_t object)
{
	if (object < MEMORY_PAGE || (object & 7) != 0 || e->n == CANDIDATES ||
	    memory_u64(py->process->memory, object + OBJECT_TYPE) != py->frame_type)
		return;
	for (size_t i = 0; i < e->n; i++)
		if (e->candidate[i] == object)
			return;
	e->candidate[e->n] = object;
	e->executes[e->n++] = is_executing(py, object);
}

static void
find_candidates(struct oldpython *py, const struct runtime_sample *at, struct eval *e)
{
	const struct runtime_cpu *cpu = py->process->cpu;
	const struct native_frame *f = &at->native[e->native];
	uint64_t word[FRAME_WORDS];
	size_t n = (size_t)e->native + 1 == at->nnative ? 0 : (size_t)(f[1].sp - f->sp) / 8;

	for (size_t i = 0; i < cpu->nkept; i++)
		add_candidate(py, e, f->reg[cpu->kept[i]]);
	if (n > FRAME_WORDS || !memory_read(py->process->memory, f->sp, word, 8 * n))
		return;
	for (size_t i = 0; i < n; i++)
		add_candidate(py, e, word[i]);
}

/* The only candidate with that caller that executes, or does not; 0: none, or several. */
static uint64_t
called_by(struct oldpython *py, const struct eval *e, uint64_t caller, bool executes)
{
	uint64_t found = 0;

	for (size_t i = 0; i < e->n; i++) {
		if (e->executes[i] != executes)
			continue;
		if (memory_u64(py->process->memory, e->candidate[i] + FRAME_BACK) != caller)
			continue;
		if (found != 0)
			return 0;
		found = e->candidate[i];
	}
	return found;
}

/* The line of an instruction: Objects/lnotab_notes.txt; ranges: PEP 626. */
static unsigned
line_of(struct oldpython *py, uint64_t code, int32_t last, unsigned line)
{
	struct memory_reader *m = py->process->memory;
	static unsigned char b[LINES_MAX];
	const uint64_t pointer = code + py->at.lines, table = memory_u64(m, pointer);
	uint64_t n;
	int32_t at = 0, known = (int32_t)line, here = known;

	if (last < 0)
		return line;
	if (!memory_behind(m, pointer, table, table + OBJECT_SIZE, &n, sizeof n) || n > sizeof b ||
	    !memory_behind(m, pointer, table, table + BYTES_TEXT, b, n))
		return 0;
	for (size_t i = 0; i + 1 < n; i += 2) {
		int8_t delta = (int8_t)b[i + 1];

		if (py->has_state) {
			at += b[i];
			known = delta == -128 ? 0 : (here += delta);
			if (at > 2 * last)
				break;
		} else {
			at += b[i];
			if (at > last)
				break;
			known += delta;
		}
	}
	return known > 0 ? (unsigned)known : 0;
}

static uint32_t
name_of(struct oldpython *py, uint64_t frame)
{
	struct memory_reader *m = py->process->memory;
	uint64_t code = memory_u64(m, frame + FRAME_CODE);
	unsigned first;

	if (memory_u64(m, code + OBJECT_TYPE) != py->code_type ||
	    !python_read_str(m, &py->str, memory_u64(m, code + py->at.name), &py->function))
		return 0;
	python_read_str(m, &py->str, memory_u64(m, code + py->at.filename), &py->file);
	first = memory_u32(m, code + py->at.first_line);
	return script_name_add(py->process->names, text_as_str(&py->function),
	    text_as_str(&py->file), first,
	    py->process->lines
		? line_of(py, code, (int32_t)memory_u32(m, frame + py->at.last), first)
		: 0);
}

/*
 * Finds the native frames of the evaluation loop, whose part for rare cases starts at `rare`; 0:
 * that is unknown. Returns their number.
 */
static size_t
find_evals(
    struct oldpython *py, const struct runtime_sample *at, uint64_t rare, struct eval e[EVALS])
{
	size_t n = 0;

	for (size_t i = 0; i < at->nnative && n < EVALS; i++)
		if (at->native[i].start == py->loop || (rare != 0 && at->native[i].start == rare)) {
			e[n].native = (int32_t)i;
			e[n].n = 0;
			find_candidates(py, at, &e[n++]);
		}
	return n;
}

/* Finds the object of each frame, each called by the one before; false if one has none. */
static bool
match(struct oldpython *py, struct eval e[EVALS], size_t n)
{
	uint64_t caller = 0;

	if (n == EVALS)
		return false;
	for (size_t k = n; k-- > 0;) {
		e[k].frame = called_by(py, &e[k], caller, true);
		/* Python 3.10 traces a frame before it executes, and after that. */
		if (e[k].frame == 0 && e[k].native > 0 && caller != 0)
			e[k].frame = called_by(py, &e[k], caller, false);
		if (e[k].frame == 0 && k > 0)
			return false;
		caller = e[k].frame;
	}
	return true;
}

/* Bytes of a native frame; 0: unknown. */
static uint64_t
size_of(const struct runtime_sample *at, size_t i)
{
	return i + 1 < at->nnative ? at->native[i + 1].sp - at->native[i].sp : 0;
}

/*
 * Searches the loop's part for rare cases, which has call frame information of its own and the same
 * frame: with it, each frame of the stack has its object. False: no part has that effect.
 */
static bool
find_rare(struct oldpython *py, const struct runtime_sample *at, struct eval e[EVALS], size_t *n)
{
	size_t loop = at->nnative;

	while (loop-- > 0 && at->native[loop].start != py->loop)
		continue;
	if (loop >= at->nnative || py->searches++ >= SEARCHES)
		return false;
	for (size_t i = 0; i < at->nnative; i++) {
		const struct native_frame *f = &at->native[i];

		if (f->start == py->loop || f->start == 0 || f->module != at->native[loop].module ||
		    size_of(at, i) != size_of(at, loop))
			continue;
		*n = find_evals(py, at, f->start, e);
		if (match(py, e, *n) && e[0].frame != 0) {
			py->rare = f->start;
			return true;
		}
	}
	return false;
}

static bool
read_oldpython(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct oldpython *py = state;
	static struct eval e[EVALS];
	size_t n;

	if (!at->complete) /* the outermost frame is unknown */
		return false;
	if (at->walked &&
	    (at->start == 0 || memory_u64(py->process->memory, at->start + THREAD_FRAME) == 0))
		return false; /* the thread runs no function */
	n = find_evals(py, at, py->rare, e);
	if (!match(py, e, n) && (py->rare != 0 || !find_rare(py, at, e, &n)))
		return false;
	for (size_t k = 0; k < n; k++)
		if (e[k].frame != 0 &&
		    (!script_group(s, e[k].native) ||
			!script_frame(s, name_of(py, e[k].frame), SCRIPT_NATIVE_NONE)))
			break;
	return s->nframe > 0;
}

/* Registers and steps of the recipe, beside those of python.h. */
enum { FRAME = PYTHON_CODE - 1, CALLER = PYTHON_REGISTERS };
enum { FRAMES = PYTHON_FOUND + 2, CODES = FRAMES + 2, CALLERS = CODES + 3, SHORT = CALLERS + 2 };

/*
 * Copies the state of the thread, which is found by its thread pointer, and the objects of its
 * frames, from that of the innermost one on: all that are current, among which the reader finds
 * those of the native frames.
 */
static bool
recipe(void *state, struct walk_step step[WALK_STEPS])
{
	const struct oldpython *py = state;
	const struct layout *at = &py->at;
	struct memory_reader *m = py->process->memory;
	const struct walk_step steps[SHORT] = {
	    READ(PYTHON_INTERPRETER, WALK_ZERO, py->runtime + at->interpreter, PYTHON_DONE),
	    IF_ZERO(PYTHON_INTERPRETER, PYTHON_DONE),
	    [PYTHON_FOUND] = COPY(PYTHON_THREAD, 0, 0, PYTHON_DONE),
	    COPY(PYTHON_THREAD, THREAD_FRAME, 8, PYTHON_DONE, {FRAME, 0}),
	    [FRAMES] = IF_ZERO(FRAME, PYTHON_DONE),
	    COPY(FRAME, 0, (at->executing & ~7u) + 8, PYTHON_DONE, {PYTHON_CODE, FRAME_CODE},
		{CALLER, FRAME_BACK}),
	    [CALLERS] = SET(FRAME, CALLER, 0, FRAMES),
	    END,
	};

	memcpy(step, steps, sizeof steps);
	if (at->interpreter == 0) { /* it is the same until the process ends */
		const uint64_t of = memory_u64(m, memory_u64(m, py->runtime) + THREAD_INTERPRETER);

		if (of == 0)
			return false;
		step[0] = (struct walk_step)SET(PYTHON_INTERPRETER, WALK_ZERO, of, 1);
	}
	python_find_state(
	    &(struct python_threads){INTERPRETER_THREADS, THREAD_NEXT, at->thread_id}, step);
	python_copy_code(
	    &(struct python_code){at->lines + 8, (uint16_t)at->name, (uint16_t)at->filename}, CODES,
	    SHORT, step);
	return true;
}

const struct runtime runtime_oldpython = {
    .name = "python",
    .versions = "3.6 to 3.10",
    .offsets = "tables of headers",
    .needs_stop = true,
    .is_module = is_module,
    .symbol = "_PyEval_EvalFrameDefault",
    .open = open_oldpython,
    .read = read_oldpython,
    .close = close_oldpython,
    .recipe = recipe,
};
