/*
 * python: walks the frames of a CPython thread, from its PyThreadState.
 *
 * Each invocation of the evaluation loop has an object on the C stack: a _PyCFrame up to 3.12,
 * a frame with the owner FRAME_OWNED_BY_CSTACK from 3.13. Its address identifies the native
 * frame of a group of Python frames.
 */
#include "runtime/python.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/intmap.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "kernel/recipe.h"

#define INTERPRETERS 64
#define THREADS 4096 /* maximum per search */
#define STATES 16 /* of one thread, which are of different interpreters */
#define MARKS 512 /* invocations of the evaluation loop */
#define RED_ZONE 128 /* bytes below the stack pointer that a leaf function may use */
#define TEXT_MAX 512 /* characters of a name or a path */
#define LINES_MAX ((size_t)64 << 10) /* bytes of a line table */
#define FRAME_BYTES 80 /* of a _PyInterpreterFrame, up to the fields that are read */
#define THREAD_BYTES 4096 /* more than a PyThreadState has */
#define OFFSET_MAX (UINT64_C(1) << 20)
#define OWNED_BY_CSTACK 3 /* of enum _frameowner; FRAME_OWNED_BY_INTERPRETER from 3.14 on */
#define REFERENCE_TAG UINT64_C(7) /* bits of a _PyStackRef that are not of the address */

/*
 * Offsets by version. 3.11 and 3.12: offsetof with the internal headers (Debian 3.11.2,
 * CPython 3.12.1), compared by share/offsets/python.c. From 3.13 on the process has them, in
 * _Py_DebugOffsets at the start of _PyRuntime (pycore_runtime.h).
 */
struct layout {
	uint32_t interpreters, next_interpreter, threads; /* of runtime, interpreter */
	uint32_t next_thread, native_id, cframe; /* of the thread state */
	uint32_t current, previous_cframe; /* of _PyCFrame; or current of the thread state */
	uint32_t code, previous, instruction, owner, entry; /* of a frame; entry 0: none */
	uint32_t first_line, filename, qualname, line_table, bytecode; /* of a code object */
};

static const struct layout layout_3_11 = {.interpreters = 40,
    .next_interpreter = 0,
    .threads = 16,
    .next_thread = 8,
    .native_id = 160,
    .cframe = 56,
    .current = 8,
    .previous_cframe = 16,
    .code = 32,
    .previous = 48,
    .instruction = 56,
    .owner = 69,
    .entry = 68,
    .first_line = 72,
    .filename = 112,
    .qualname = 128,
    .line_table = 136,
    .bytecode = 184};

static const struct layout layout_3_12 = {.interpreters = 40,
    .next_interpreter = 0,
    .threads = 72,
    .next_thread = 8,
    .native_id = 144,
    .cframe = 56,
    .current = 0,
    .previous_cframe = 8,
    .code = 0,
    .previous = 8,
    .instruction = 56,
    .owner = 70,
    .first_line = 68,
    .filename = 112,
    .qualname = 128,
    .line_table = 136,
    .bytecode = 192};

struct python {
	struct runtime_process *process;
	struct layout at;
	uint64_t runtime; /* address of _PyRuntime */
	uint64_t code_type; /* address of PyCode_Type */
	uint64_t loop; /* address of _PyEval_EvalFrameDefault */
	struct python_str str;
	struct intmap thread; /* by thread: address of its state, when last seen */
	struct text function, file; /* buffers */
	unsigned char lines[LINES_MAX];
};

static bool
is_module(const char *name)
{
	return strstr(name, "python") != NULL;
}

unsigned
python_minor(struct memory_reader *memory, const struct runtime_module *m)
{
	const char *at = strstr(m->module->name, "python3.");
	const uint64_t version = runtime_symbol(m, "Py_Version", NULL);

	if (version != 0)
		return memory_u32(memory, version) >> 16 & 0xff;
	return at == NULL ? 0 : (unsigned)strtoul(at + strlen("python3."), NULL, 10);
}

/* Indices of 64-bit fields in _Py_DebugOffsets, by version: share/offsets/python.c prints them. */
enum { DEBUG_NEXT_INTERPRETER = 8, DEBUG_THREADS = 9, DEBUG_FIELDS = 96 };

static const struct debug {
	unsigned minor;
	uint8_t next_thread, current, native_id; /* of the thread state */
	uint8_t previous, code, instruction, owner; /* of a frame */
	uint8_t filename, qualname, line_table, first_line, bytecode; /* of a code object */
	uint8_t ascii;
} debugs[] = {
    {13, 21, 23, 25, 29, 30, 31, 33, 35, 37, 38, 39, 43, 70},
    {14, 24, 26, 28, 32, 33, 34, 36, 40, 42, 43, 44, 48, 80},
    {15, 24, 26, 31, 40, 41, 42, 44, 48, 50, 51, 52, 56, 92},
};

/* Reads _Py_DebugOffsets; false when it is missing or implausible. */
static bool
read_debug_offsets(struct python *py, const struct debug *d)
{
	uint64_t o[DEBUG_FIELDS];
	uint32_t v[DEBUG_FIELDS];

	if (!memory_read(py->process->memory, py->runtime, o, sizeof o) ||
	    memcmp(o, "xdebugpy", 8) != 0)
		return false;
	for (size_t i = 0; i < DEBUG_FIELDS; i++)
		v[i] = o[i] < OFFSET_MAX ? (uint32_t)o[i] : UINT32_MAX;
	py->at = (struct layout){.interpreters = v[PYTHON_DEBUG_INTERPRETERS],
	    .next_interpreter = v[DEBUG_NEXT_INTERPRETER],
	    .threads = v[DEBUG_THREADS],
	    .next_thread = v[d->next_thread],
	    .current = v[d->current],
	    .native_id = v[d->native_id],
	    .previous = v[d->previous],
	    .code = v[d->code],
	    .instruction = v[d->instruction],
	    .owner = v[d->owner],
	    .filename = v[d->filename],
	    .qualname = v[d->qualname],
	    .line_table = v[d->line_table],
	    .first_line = v[d->first_line],
	    .bytecode = v[d->bytecode]};
	py->str.ascii = v[d->ascii];
	py->str.compact = py->str.ascii + 16;
	return py->at.previous <= FRAME_BYTES - 8 && py->at.code <= FRAME_BYTES - 8 &&
	       py->at.instruction <= FRAME_BYTES - 8 && py->at.owner < FRAME_BYTES;
}

static bool
set_layout(struct python *py, uint32_t version)
{
	struct runtime_process *p = py->process;
	unsigned minor = version >> 16 & 0xff;

	snprintf(
	    p->version, sizeof p->version, "%u.%u.%u", version >> 24, minor, version >> 8 & 0xff);

	if (version >> 24 == 3 && minor == 11) {
		py->at = layout_3_11;
		return true;
	}
	if (version >> 24 == 3 && minor == 12) {
		py->at = layout_3_12;
		return true;
	}
	for (size_t i = 0; version >> 24 == 3 && i < sizeof debugs / sizeof *debugs; i++) {
		uint64_t free_threaded = memory_u64(p->memory, py->runtime + 16);

		if (debugs[i].minor != minor)
			continue;
		if (free_threaded == 0 && read_debug_offsets(py, &debugs[i]))
			return true;
		snprintf(p->reason, sizeof p->reason, "Python %s %s", p->version,
		    free_threaded != 0 ? "without the GIL is not supported"
				       : "has no table of offsets yet");
		return false;
	}
	runtime_unknown(
	    p, "Python", PYTHON_VERSIONS, RUNTIME_OFFSETS("python -I.../include/python3.N"));
	return false;
}

static void *
open_python(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		uint64_t runtime, version;
		struct python *py;

		if ((runtime = runtime_symbol(m, "_PyRuntime", NULL)) == 0)
			continue;
		version = runtime_symbol(m, "Py_Version", NULL);
		if (version == 0)
			continue; /* up to 3.10: oldpython.c */
		py = cli_alloc(1, sizeof *py);
		py->process = p;
		py->runtime = runtime;
		py->loop = runtime_symbol(m, "_PyEval_EvalFrameDefault", NULL);
		py->code_type = runtime_symbol(m, "PyCode_Type", NULL);
		py->str = python_str_layout(m, python_minor(p->memory, m));
		if (py->code_type != 0 && py->str.type != 0 &&
		    set_layout(py, memory_u32(p->memory, version)))
			return py;
		free(py);
		return NULL;
	}
	return NULL;
}

static void
close_python(void *state)
{
	struct python *py = state;

	free(py->thread.slot);
	text_free(&py->function);
	text_free(&py->file);
	free(py);
}

/* Address of the innermost evaluation loop's mark, or 0. */
static uint64_t
innermost_mark(struct python *py, uint64_t thread)
{
	struct memory_reader *m = py->process->memory;

	if (py->at.cframe != 0)
		return memory_u64(m, thread + py->at.cframe);
	for (uint64_t frame = memory_u64(m, thread + py->at.current), n = 0;
	     frame != 0 && n < SCRIPT_FRAMES; n++) {
		if (memory_u8(m, frame + py->at.owner) >= OWNED_BY_CSTACK)
			return frame;
		frame = memory_u64(m, frame + py->at.previous);
	}
	return 0;
}

/*
 * True if this is the sample's thread. After fork(2) the thread IDs are stale; by_mark then
 * checks that the marks are on the sample's stack.
 */
static bool
is_thread(struct python *py, uint64_t thread, const struct runtime_sample *at, bool by_mark)
{
	uint64_t mark;

	if (!by_mark)
		return (int)memory_u64(py->process->memory, thread + py->at.native_id) == at->tid;
	mark = innermost_mark(py, thread);
	return mark >= at->native[0].sp - RED_ZONE && mark < at->native[at->nnative - 1].sp;
}

/* Finds the first `most` states of the sample's thread; returns their number. */
static size_t
search(
    struct python *py, const struct runtime_sample *at, bool by_mark, uint64_t *state, size_t most)
{
	struct memory_reader *m = py->process->memory;
	uint64_t interpreter = memory_u64(m, py->runtime + py->at.interpreters);
	unsigned threads = 0;
	size_t n = 0;

	for (unsigned i = 0; interpreter != 0 && i < INTERPRETERS; i++) {
		uint64_t thread = memory_u64(m, interpreter + py->at.threads);

		for (; thread != 0 && threads < THREADS; threads++) {
			if (is_thread(py, thread, at, by_mark)) {
				state[n++] = thread;
				if (n == most)
					return n;
			}
			thread = memory_u64(m, thread + py->at.next_thread);
		}
		interpreter = memory_u64(m, interpreter + py->at.next_interpreter);
	}
	return n;
}

/* The address of the thread's PyThreadState; 0: it has none, as threads of C libraries. */
static uint64_t
find_thread(struct python *py, const struct runtime_sample *at)
{
	void **known = intmap_at(&py->thread, (uint64_t)at->tid);
	uint64_t thread = (uintptr_t)*known;

	if (thread > 1 && is_thread(py, thread, at, false))
		return thread;
	if (search(py, at, false, &thread, 1) == 0 && search(py, at, true, &thread, 1) == 0)
		thread = 0;
	*known = (void *)(uintptr_t)(thread == 0 ? 1 : thread);
	return thread;
}

/*
 * Finds the states whose frames are on the thread's stack; returns their number. With
 * subinterpreters, each interpreter that the thread has entered has one; copies by the recipe have
 * none, and *several is set.
 */
static size_t
find_states(
    struct python *py, const struct runtime_sample *at, uint64_t state[STATES], bool *several)
{
	struct memory_reader *m = py->process->memory;
	uint64_t interpreter = memory_u64(m, py->runtime + py->at.interpreters), next = 1;

	if (at->walked) { /* of the first interpreter */
		state[0] = at->start;
		memory_read(m, interpreter + py->at.next_interpreter, &next, sizeof next);
		*several = next > 1;
		return next == 0 && at->start != 0;
	}
	if (memory_u64(m, interpreter + py->at.next_interpreter) != 0)
		return search(py, at, true, state, STATES);
	state[0] = find_thread(py, at);
	return state[0] != 0;
}

/* Sizes: sizeof with the headers of 3.8.18 to 3.13.0; share/offsets/python.c compares them. */
struct python_str
python_str_layout(const struct runtime_module *m, unsigned minor)
{
	return (struct python_str){
	    runtime_symbol(m, "PyUnicode_Type", NULL), minor < 12 ? 48 : 40, minor < 12 ? 72 : 56};
}

/* An object has a header with the length and the width of a character, then the characters. */
bool
python_read_str(
    struct memory_reader *m, const struct python_str *s, uint64_t object, struct text *to)
{
	unsigned char head[40], text[TEXT_MAX * 4];
	uint64_t type, length;
	uint32_t state;
	unsigned kind;

	text_cut(to, 0);
	if (!memory_read(m, object, head, sizeof head))
		return false;
	memcpy(&type, head + 8, sizeof type);
	memcpy(&length, head + 16, sizeof length);
	memcpy(&state, head + 32, sizeof state);
	kind = state >> 2 & 7;
	if (type != s->type || (state & 1u << 5) == 0 || (kind != 1 && kind != 2 && kind != 4))
		return false; /* not compact: by pre-3.3 code */
	if (length > TEXT_MAX)
		length = TEXT_MAX;
	if (!memory_rest(m, object, object + ((state & 1u << 6) != 0 ? s->ascii : s->compact), text,
		length * kind))
		return false;
	for (size_t i = 0; i < length; i++) {
		uint32_t c = 0;

		memcpy(&c, text + i * kind, kind);
		utf8_add(to, c);
	}
	return true;
}

static bool
read_str(struct python *py, uint64_t object, struct text *to)
{
	return python_read_str(py->process->memory, &py->str, object, to);
}

static int
read_varint(const unsigned char *b, size_t n, size_t *i, unsigned *v)
{
	*v = 0;
	for (unsigned shift = 0; *i < n && shift < 30; shift += 6) {
		unsigned char c = b[(*i)++];

		*v |= (unsigned)(c & 63) << shift;
		if ((c & 64) == 0)
			return 0;
	}
	return -1;
}

/* The line of a code unit by the location table: Objects/locations.md of CPython. */
static unsigned
line_in_table(const unsigned char *b, size_t n, unsigned line, uint64_t unit)
{
	uint64_t at = 0;

	for (size_t i = 0; i < n;) {
		unsigned code = b[i] >> 3 & 15, length = (b[i] & 7) + 1u, v;
		bool none = code == 15;

		i++;
		if (code == 13 || code == 14) {
			if (read_varint(b, n, &i, &v) != 0)
				return 0;
			line = (v & 1) != 0 ? line - (v >> 1) : line + (v >> 1);
			for (int k = 0; code == 14 && k < 3; k++)
				if (read_varint(b, n, &i, &v) != 0)
					return 0;
		} else if (code >= 10 && code <= 12) {
			line += code - 10;
			i += 2;
		} else if (code < 10) {
			i += 1;
		}
		at += length;
		if (unit < at)
			return none ? 0 : line;
	}
	return 0;
}

static unsigned
line_of(struct python *py, uint64_t code, uint64_t instruction, unsigned first_line)
{
	struct memory_reader *m = py->process->memory;
	const uint64_t pointer = code + py->at.line_table, begin = code + py->at.bytecode;
	uint64_t table = memory_u64(m, pointer), n;

	if (instruction < begin)
		return first_line; /* not started yet */
	if (!memory_behind(m, pointer, table, table + 16, &n, sizeof n) || n > sizeof py->lines ||
	    !memory_behind(m, pointer, table, table + 32, py->lines, n))
		return 0;
	return line_in_table(py->lines, n, first_line, (instruction - begin) / 2);
}

/* The name of a frame; 0 when its code object is not one. */
static uint32_t
name_of(struct python *py, uint64_t code, uint64_t instruction)
{
	struct memory_reader *m = py->process->memory;
	unsigned first_line;

	if (memory_u64(m, code + 8) != py->code_type ||
	    !read_str(py, memory_u64(m, code + py->at.qualname), &py->function))
		return 0;
	read_str(py, memory_u64(m, code + py->at.filename), &py->file);
	first_line = memory_u32(m, code + py->at.first_line);
	return script_name_add(py->process->names, text_as_str(&py->function),
	    text_as_str(&py->file), first_line,
	    py->process->lines ? line_of(py, code, instruction, first_line) : 0);
}

/*
 * True for _Py_InitCleanup of specialize.c, the code of a frame between a caller and the __init__
 * of the object that it makes (CALL_ALLOC_AND_ENTER_INIT): it has no line, and "__init__" for a
 * file. Tracebacks do not have this frame.
 */
static bool
is_cleanup(struct python *py, uint64_t code)
{
	struct memory_reader *m = py->process->memory;

	return memory_u32(m, code + py->at.first_line) == 0 &&
	       memory_u64(m, code + py->at.filename) == memory_u64(m, code + py->at.qualname);
}

/* The frames of one stack before they have names. */
struct walk {
	uint64_t code[SCRIPT_FRAMES], instruction[SCRIPT_FRAMES];
	size_t n;
	struct mark {
		uint64_t address; /* on the C stack */
		size_t first, end; /* its frames */
	} mark[MARKS];
	size_t nmark;
	bool truncated;
	bool inconsistent; /* a link leads to no memory */
};

/*
 * Walks the frames of one invocation, innermost first; returns the frame that called the
 * invocation.
 */
static uint64_t
walk_frames(struct python *py, struct walk *w, uint64_t frame, uint64_t *shim)
{
	const struct layout *at = &py->at;
	unsigned char b[FRAME_BYTES];

	*shim = 0;
	while (frame != 0) {
		uint64_t previous;

		if (w->n == SCRIPT_FRAMES ||
		    !memory_read(py->process->memory, frame, b, sizeof b)) {
			w->truncated = true;
			w->inconsistent =
			    w->n < SCRIPT_FRAMES && !memory_cost(py->process->memory).spent;
			return 0;
		}
		memcpy(&previous, b + at->previous, sizeof previous);
		if (at->entry == 0 && b[at->owner] >= OWNED_BY_CSTACK) {
			*shim = frame;
			return previous;
		}
		memcpy(&w->code[w->n], b + at->code, sizeof w->code[0]);
		w->code[w->n] &= ~REFERENCE_TAG; /* from 3.14 on */
		memcpy(&w->instruction[w->n], b + at->instruction, sizeof w->instruction[0]);
		w->n++;
		frame = previous;
		if (at->entry != 0 && b[at->entry] != 0)
			return frame;
	}
	return 0;
}

/*
 * Walks the stack of Python up to 3.12; false if its links are inconsistent.
 * _PyEval_EvalFrameDefault of ceval.c makes a _PyCFrame current before it fills it in, and, as
 * compiled, a frame current before it stores its caller. The links are complete if they lead to
 * the first _PyCFrame, in the thread state, and those of the innermost invocation lead to the
 * frame that called it.
 */
static bool
walk_cframes(struct python *py, struct walk *w, uint64_t thread, uint64_t below)
{
	struct memory_reader *m = py->process->memory;
	uint64_t cframe = memory_u64(m, thread + py->at.cframe), expected = 0, shim;
	const size_t n = w->n, nmark = w->nmark;

	while (w->nmark < MARKS && !w->truncated) {
		uint64_t current = memory_u64(m, cframe + py->at.current);

		if (w->nmark == nmark + 1 && expected != current) {
			w->n = n; /* leave the innermost invocation out */
			w->nmark = nmark;
		}
		if (cframe - thread < THREAD_BYTES)
			return true;
		if (cframe < below)
			return false;
		w->mark[w->nmark].address = cframe;
		w->mark[w->nmark].first = w->n;
		expected = walk_frames(py, w, current, &shim);
		w->mark[w->nmark++].end = w->n;
		below = cframe + 1;
		cframe = memory_u64(m, cframe + py->at.previous_cframe);
	}
	return !w->inconsistent;
}

/* Walks the stack of Python from 3.13 on; false if its links are inconsistent. */
static bool
walk_shims(struct python *py, struct walk *w, uint64_t thread, uint64_t below)
{
	uint64_t frame = memory_u64(py->process->memory, thread + py->at.current), shim;

	while (frame != 0 && w->nmark < MARKS && !w->truncated) {
		w->mark[w->nmark].first = w->n;
		frame = walk_frames(py, w, frame, &shim);
		/* From 3.14 on, the outermost one is part of the thread state. */
		if (frame == 0 && w->n == w->mark[w->nmark].first)
			break;
		if (shim < below && !w->truncated)
			return false;
		w->mark[w->nmark].end = w->n;
		w->mark[w->nmark++].address = shim;
		below = shim + 1;
	}
	return !w->inconsistent;
}

/* Reads the pages of all code objects, then those of their names. */
static void
prefetch(struct python *py, const struct walk *w)
{
	struct memory_reader *m = py->process->memory;
	static uint64_t string[SCRIPT_FRAMES * 2];
	size_t n = w->n < 128 ? w->n : 128, nstring = 0;

	memory_prefetch(m, w->code, n);
	for (size_t i = 0; i < n; i++) {
		string[nstring++] = memory_u64(m, w->code[i] + py->at.qualname);
		string[nstring++] = memory_u64(m, w->code[i] + py->at.filename);
	}
	memory_prefetch(m, string, nstring);
}

static void
add_group(struct python *py, const struct runtime_sample *at, const struct walk *w,
    const struct mark *mark, int32_t *from, struct script_stack *s)
{
	int32_t native = native_holding(at, *from, mark->address);

	if (!script_group(s, native))
		return;
	if (native >= 0) {
		*from = native + 1;
		/* With -X perf a function's trampoline, which has the same name, calls the loop. */
		if ((size_t)native + 1 < at->nnative && at->native[native + 1].module != NULL &&
		    at->native[native + 1].module->kind == MODULE_JIT)
			s->group[s->ngroup - 1].nnative = 2;
	}
	for (size_t k = mark->first; k < mark->end; k++) {
		uint32_t name = name_of(py, w->code[k], w->instruction[k]);

		/*
		 * _PyFrame_Clear of frame.c releases the code of a frame that returns; Python 3.11
		 * makes its caller current after that.
		 */
		if (name != 0 ? is_cleanup(py, w->code[k]) : s->nframe == 0)
			continue;
		if (!script_frame(s, name, SCRIPT_NATIVE_NONE))
			return;
	}
}

static int
innermost_first(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* Walks the states of a thread; false if their links are inconsistent. */
static bool
walk_states(struct python *py, const struct runtime_sample *at, const uint64_t *state, size_t n,
    struct walk *w)
{
	const uint64_t below = at->native[0].sp - RED_ZONE;

	w->n = w->nmark = 0;
	w->truncated = w->inconsistent = false;
	for (size_t i = 0; i < n; i++)
		if (!(py->at.cframe != 0 ? walk_cframes(py, w, state[i], below)
					 : walk_shims(py, w, state[i], below)))
			return false;
	return true;
}

/* True if a frame has a code object with a name and a path, and an instruction of that code. */
static bool
is_frame(struct python *py, uint64_t code, uint64_t instruction)
{
	struct memory_reader *m = py->process->memory;
	const uint64_t units = memory_u64(m, code + 16); /* ob_size */
	const uint64_t begin = code + py->at.bytecode;

	return memory_u64(m, code + 8) == py->code_type && units < OFFSET_MAX &&
	       instruction - (begin - 2) <= 2 * (units + 1) && /* -2: not started yet */
	       read_str(py, memory_u64(m, code + py->at.qualname), &py->function) &&
	       read_str(py, memory_u64(m, code + py->at.filename), &py->file);
}

/* True if the interpreter runs on a thread's stack. */
static bool
runs_loop(const struct python *py, const struct runtime_sample *at)
{
	for (size_t i = 0; i < at->nnative; i++)
		if (at->native[i].start == py->loop)
			return true;
	return false;
}

/* All frames of one stack; the innermost one may be returning. */
static enum runtime_proof
prove(void *state, const struct runtime_sample *at)
{
	struct python *py = state;
	static struct walk w;
	uint64_t thread[STATES];
	bool several = false;
	size_t n = at->nnative == 0 ? 0 : find_states(py, at, thread, &several);

	if (several)
		return PROOF_UNWALKED;
	if (n == 0 || !walk_states(py, at, thread, n, &w) || w.n == 0)
		return at->walked || !runs_loop(py, at) ? PROOF_OPEN : PROOF_FAILS;
	for (size_t i = 0; i < w.n; i++)
		if (!is_frame(py, w.code[i], w.instruction[i]))
			return PROOF_FAILS;
	return PROOF_HOLDS;
}

static bool
read_python(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct python *py = state;
	static struct walk w;
	uint64_t thread[STATES];
	size_t nthread;
	int32_t from = 0;

	if (at->nnative == 0 || (nthread = find_states(py, at, thread, &s->unwalked)) == 0)
		return false;
	if (!walk_states(py, at, thread, nthread, &w))
		return false;
	if (nthread > 1)
		sort_items(w.mark, w.nmark, sizeof w.mark[0], innermost_first);
	prefetch(py, &w);
	for (size_t i = 0; i < w.nmark; i++)
		add_group(py, at, &w, &w.mark[i], &from, s);
	w.truncated |= w.nmark == MARKS;
	s->truncated |= w.truncated;
	s->limited |= w.truncated && (w.n == SCRIPT_FRAMES || w.nmark == MARKS);
	return s->nframe > 0;
}

/* Registers of the recipe, beside those of python.h. */
enum {
	FRAME = PYTHON_CODE - 1, /* to be copied, with PYTHON_CODE */
	CALLER = PYTHON_REGISTERS, /* of FRAME */
	OUTER, /* a _PyCFrame */
	STOP, /* the frame at which the walk starts again */
	AGAIN, /* 1: it has */
	REGISTERS
};

_Static_assert(REGISTERS <= WALK_REGISTERS, "fewer registers");

/* Steps that others go to. */
enum {
	OUTERS = 26,
	FRAMES = 28,
	CODES = 32,
	CALLERS = CODES + 3,
	ONCE_MORE,
	STOPPED = 38,
	SHORT = 42,
	DONE = PYTHON_DONE
};

#define CODE_BYTES 208 /* of a code object, up to the fields that are read */

/*
 * Copies the state of the thread, which is found by its thread pointer, its frames, their code
 * objects and the names of these. A state that is known is the thread's if it is linked. Of 3.11
 * and 3.12, the frames from the current one of the innermost _PyCFrame are walked to that of the
 * next one, and from there again: see walk_cframes.
 */
static bool
recipe(void *state, struct walk_step step[WALK_STEPS])
{
	const struct python *py = state;
	const struct layout *at = &py->at;
	const uint32_t cframe = at->previous_cframe + 8; /* bytes */
	const struct walk_step steps[SHORT] = {
	    COPY(WALK_ZERO, py->runtime + at->interpreters, 8, DONE, {PYTHON_INTERPRETER, 0}),
	    COPY(PYTHON_INTERPRETER, at->next_interpreter, 8, DONE),
	    [PYTHON_FOUND] = COPY(PYTHON_THREAD, 0, 0, DONE),
	    COPY(PYTHON_THREAD, at->cframe != 0 ? at->cframe : at->current, 8, DONE,
		{at->cframe != 0 ? OUTER : FRAME, 0}),
	    IF_ZERO(OUTER, FRAMES),
	    COPY(OUTER, 0, cframe, DONE, {FRAME, (uint16_t)at->current},
		{OUTER, (uint16_t)at->previous_cframe}),
	    IF_ZERO(OUTER, FRAMES),
	    READ(STOP, OUTER, at->current, DONE),
	    [OUTERS] = COPY(OUTER, 0, cframe, DONE, {OUTER, (uint16_t)at->previous_cframe}),
	    SET(OUTER, OUTER, 0, OUTERS),
	    [FRAMES] = IF_EQUAL(FRAME, STOP, ONCE_MORE),
	    IF_ZERO(FRAME, ONCE_MORE),
	    COPY(FRAME, 0, FRAME_BYTES, ONCE_MORE, {PYTHON_CODE, (uint16_t)at->code},
		{CALLER, (uint16_t)at->previous}),
	    CLEAR(PYTHON_CODE, REFERENCE_TAG, CODES),
	    [CALLERS] = SET(FRAME, CALLER, 0, FRAMES),
	    [ONCE_MORE] = IF_ZERO(AGAIN, STOPPED),
	    END,
	    [STOPPED] = SET(AGAIN, WALK_ZERO, 1, STOPPED + 1),
	    SET(FRAME, STOP, 0, STOPPED + 2),
	    SET(STOP, WALK_ZERO, 0, DONE),
	    GO(FRAMES),
	};

	memcpy(step, steps, sizeof steps);
	python_find_state(
	    &(struct python_threads){at->threads, at->next_thread, at->native_id - 8}, step);
	python_copy_code(
	    &(struct python_code){CODE_BYTES, (uint16_t)at->qualname, (uint16_t)at->filename},
	    CODES, SHORT, step);
	return true;
}

const struct runtime runtime_python = {
    .name = "python",
    .versions = "3.11 to 3.15",
    .offsets = "its own tables; of headers up to 3.12",
    .needs_stop = true,
    .is_module = is_module,
    .symbol = "Py_Version",
    .open = open_python,
    .prove = prove,
    .read = read_python,
    .close = close_python,
    .recipe = recipe,
};
