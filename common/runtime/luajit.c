/*
 * luajit: walks the frames of the Lua states whose interpreter frames are on the C stack, and of
 * running traces.
 *
 * The interpreter, lj_vm_asm, is one function of hand-written assembly. Its C frame has the state,
 * which points back to that frame. Machine code of traces runs on that frame, too, but with a lower
 * stack pointer. LuaJIT has no version number of its layout, and each pointer is checked: a stack
 * in which a caller's instruction is not in its function is inconsistent, or has another layout.
 */
#include "runtime/luajit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "runtime/luajitcode.h"
#include "runtime/luaname.h"
#include "unwind/cfi.h"

#define LOOPS 512 /* native frames of the interpreter and of traces */
#define FRAMES 4096 /* steps along one Lua stack */
#define SPILL_MAX 1536 /* bytes of a trace's own part of the C frame: 256 slots of 4, registers */
#define LOOP_CODE 32768 /* bytes of the interpreter, at most */
#define NEWEST 4 /* C frames of the interpreter above that of a trace */
#define TRACES_AT 8192 /* bytes of global_State and jit_State that hold the list of traces */
#define BUILTIN UINT32_MAX /* first line of a library's function that is written in Lua */
#define TEXT_MAX 256 /* bytes of a path */
#define CODE_MAX (1 << 22) /* instructions of a function */

#define TYPE_THREAD 6 /* ~LJ_TTHREAD, in GCHeader */
#define TYPE_PROTO 7
#define TYPE_TRACE 9
#define TAG_FUNCTION UINT64_C(0x1fff7) /* LJ_TFUNC in the 17 upper bits of a slot */
#define TAG_THREAD UINT64_C(0x1fff9)
#define POINTER ((UINT64_C(1) << 47) - 1)

/* Kinds of frames, lj_frame.h: the lower bits of a frame's link. */
enum { FRAME_LUA = 0, FRAME_C = 1, FRAME_CONT = 2, FRAME_VARG = 3, FRAME_KIND = 3, FRAME_TYPE = 7 };

/* Offsets of LuaJIT 2.1 with 64-bit pointers (LJ_GC64), lj_obj.h and lj_jit.h of 2022. */
enum {
	OBJECT_TYPE = 9, /* GCHeader */
	STATE_GLOBAL = 16, /* lua_State */
	STATE_BASE = 32,
	STATE_STACK = 56,
	STATE_FRAME = 80, /* cframe */
	GLOBAL_TRACE = 184, /* global_State: vmstate */
	GLOBAL_MAIN = 192,
	GLOBAL_CURRENT = 368, /* cur_L; 8 more from 2026 on */
	GLOBAL_JIT_BASE = 8, /* from cur_L on */
	FUNCTION_KIND = 10, /* GCfunc: ffid, 0 in Lua functions */
	FUNCTION_PC = 32,
	PROTO_BYTES = 104, /* GCproto; its bytecode follows */
	PROTO_CODE_SIZE = 12,
	PROTO_SIZES = 48, /* of constants twice, and of all */
	PROTO_NAME = 64,
	PROTO_LINE = 72,
	PROTO_LINES = 76,
	PROTO_LINE_TABLE = 80,
	STRING_TEXT = 24, /* GCstr */
	TRACE_PROTO = 64, /* GCtrace */
	TRACE_PC = 72,
	TRACE_CODE_SIZE = 84,
	TRACE_CODE = 88,
	TRACE_BYTES = 96,
};

struct luajit {
	struct runtime_process *process;
	const struct luajit_cpu *cpu;
	uint64_t loop; /* lj_vm_asm */
	uint64_t traces; /* offset of the list of traces from the global state; 0: unknown */
	struct lua_names names;
};

/* The interpreter, the largest function of those that never change the size of their frame. */
static uint64_t
find_loop(const struct runtime_process *p, const struct runtime_module *m)
{
	struct cfi *c = cfi_new(cfi_machine(p->cpu->name));
	const uint64_t start = cfi_largest_framed(c, m->module, p->cpu->luajit->bytes);

	cfi_free(c);
	return start;
}

static bool
is_module(const char *name)
{
	return strncmp(name, "luajit", 6) == 0 || strncmp(name, "libluajit", 9) == 0;
}

static void *
open_luajit(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		struct luajit *j;
		uint64_t start;

		if (runtime_symbol(m, "luaJIT_setmode", NULL) == 0)
			continue;
		if (!runtime_knows_cpu(p, p->cpu->luajit, "LuaJIT"))
			return NULL;
		start = find_loop(p, m);
		if (start == 0) {
			snprintf(p->reason, sizeof p->reason,
			    "this LuaJIT has no call frame information of its interpreter");
			return NULL;
		}
		j = cli_alloc(1, sizeof *j);
		j->process = p;
		j->cpu = p->cpu->luajit;
		j->loop = start - m->bias;
		j->names.names = p->names;
		return j;
	}
	return NULL;
}

static void
close_luajit(void *state)
{
	struct luajit *j = state;

	lua_names_free(&j->names);
	free(j);
}

/*
 * True if address has a state: it points to a global state, whose main thread points to the same
 * one.
 */
static bool
is_state(struct luajit *j, uint64_t address)
{
	struct memory_reader *m = j->process->memory;
	unsigned char b[STATE_FRAME + 8];
	uint64_t global, main;

	if (address < MEMORY_PAGE || (address & 7) != 0 || address > POINTER ||
	    !memory_read(m, address, b, sizeof b) || b[OBJECT_TYPE] != TYPE_THREAD)
		return false;
	memcpy(&global, b + STATE_GLOBAL, sizeof global);
	if (global == 0 || (global & 7) != 0)
		return false;
	main = memory_u64(m, global + GLOBAL_MAIN);
	return main != 0 && (main & 7) == 0 && memory_u64(m, main + STATE_GLOBAL) == global &&
	       memory_u8(m, main + OBJECT_TYPE) == TYPE_THREAD;
}

/* The offset of cur_L in the global state. */
static uint64_t
current_at(struct luajit *j, uint64_t global)
{
	return GLOBAL_CURRENT +
	       (is_state(j, memory_u64(j->process->memory, global + GLOBAL_CURRENT)) ? 0 : 8);
}

/* True if the state's list of C frames, the newest one first, has that one among the newest. */
static bool
has_c_frame(struct luajit *j, uint64_t state, uint64_t frame)
{
	struct memory_reader *m = j->process->memory;
	uint64_t at = memory_u64(m, state + STATE_FRAME) & ~UINT64_C(3);

	for (int i = 0; i < NEWEST && at != 0 && at < frame; i++)
		at = memory_u64(m, at + j->cpu->previous) & ~UINT64_C(3);
	return at == frame;
}

/*
 * The interpreter's C frame on which a trace runs whose stack pointer is sp; 0: none. The compiler
 * of traces has newer ones.
 */
static uint64_t
loop_of_trace(struct luajit *j, uint64_t sp)
{
	struct memory_reader *m = j->process->memory;

	for (uint64_t at = sp; at < sp + SPILL_MAX; at += 8) {
		uint64_t state = memory_u64(m, at + j->cpu->state);

		if (is_state(j, state) && has_c_frame(j, state, at))
			return at;
	}
	return 0;
}

/* True if pc is in generated code, or in the interpreter, which leaves and links traces. */
static bool
may_be_trace(const struct luajit *j, uint64_t pc)
{
	const struct runtime_process *p = j->process;

	if (pc - j->loop < LOOP_CODE)
		return true;
	for (size_t i = 0; i < p->nmodule; i++)
		if (pc >= p->module[i].start && pc < p->module[i].end)
			return false;
	return true;
}

static uint64_t
frame_size(void *state, uint64_t pc, uint64_t sp, bool leaf)
{
	const struct luajit *j = state;
	uint64_t loop = may_be_trace(state, pc) ? loop_of_trace(state, sp) : 0;

	(void)leaf;
	return loop == 0 ? 0 : loop + j->cpu->bytes - sp;
}

/* True if pc is the address after an instruction of the prototype. */
static bool
is_after(struct memory_reader *m, uint64_t proto, uint64_t pc)
{
	uint64_t code = proto + PROTO_BYTES;
	uint32_t n = memory_u32(m, proto + PROTO_CODE_SIZE);

	return n <= CODE_MAX && pc > code && (pc & 3) == 0 && (pc - code) / 4 <= n;
}

/* The line of the instruction before pc: lj_debug_line of lj_debug.c. */
static unsigned
line_of(struct memory_reader *m, uint64_t proto, uint64_t pc)
{
	uint64_t lines = memory_u64(m, proto + PROTO_LINE_TABLE);
	uint32_t first = memory_u32(m, proto + PROTO_LINE);
	uint32_t n = memory_u32(m, proto + PROTO_LINES);
	uint64_t at = (pc - proto - PROTO_BYTES) / 4 - 1;

	if (lines == 0)
		return 0;
	if (at == 0)
		return first;
	at--;
	if (n < 256)
		return first + memory_u8(m, lines + at);
	return first +
	       (n < 65536 ? memory_u32(m, lines + 2 * at) & 0xffff : memory_u32(m, lines + 4 * at));
}

/*
 * The name of a function as in lua.c, or that of a trace which starts there; pc 0: unknown. seen:
 * it is in a frame.
 */
static uint32_t
name_of(struct luajit *j, uint64_t proto, uint64_t pc, int32_t trace, bool seen)
{
	struct memory_reader *m = j->process->memory;
	uint32_t sizes[4]; /* of constants, upvalues and code; none changes */
	uint64_t source = memory_u64(m, proto + PROTO_NAME) & POINTER;
	unsigned first = memory_u32(m, proto + PROTO_LINE);
	char path[TEXT_MAX], name[TEXT_MAX + 32];
	struct str file, base;

	if (!memory_string(m, source + STRING_TEXT, path, sizeof path) ||
	    !memory_read(m, proto + PROTO_SIZES, sizes, sizeof sizes))
		return 0;
	sizes[3] = memory_u32(m, proto + PROTO_CODE_SIZE);
	file = path[0] == '@' || path[0] == '=' ? str_of(path + 1) : str_of("[string]");
	base = str_base(file);
	if (first == BUILTIN) { /* as in debug.getinfo: its "file" is the function */
		snprintf(name, sizeof name, "%s[builtin:%s]", trace > 0 ? "[trace] " : "", path);
		return script_name_add(
		    j->process->names, str_of(name), (struct str){NULL, 0}, 0, 0);
	}
	if (trace > 0)
		snprintf(name, sizeof name, "[trace] %.*s:%u", (int)base.len, base.s,
		    pc == 0 ? first : line_of(m, proto, pc));
	else if (first == 0)
		snprintf(name, sizeof name, "main chunk");
	else
		snprintf(name, sizeof name, "%.*s:%u", (int)base.len, base.s, first);
	return script_name_nameless(j->process->names, str_of(name), file, first > 0 ? first : 1,
	    j->process->lines && pc != 0 ? line_of(m, proto, pc) : 0,
	    (uint32_t)hash_bytes(sizes, sizeof sizes), seen);
}

/* True if the object at address is a trace whose machine code has pc; fills its header. */
static bool
is_trace_at(struct memory_reader *m, uint64_t address, uint64_t pc, unsigned char b[TRACE_BYTES])
{
	uint64_t code;
	uint32_t size;

	if (address < MEMORY_PAGE || (address & 7) != 0 || address > POINTER ||
	    !memory_read(m, address, b, TRACE_BYTES) || b[OBJECT_TYPE] != TYPE_TRACE)
		return false;
	memcpy(&code, b + TRACE_CODE, sizeof code);
	memcpy(&size, b + TRACE_CODE_SIZE, sizeof size);
	return pc >= code && pc - code <= size;
}

/* The trace that has pc, which is number n in the list of jit_State; false: not found. */
static bool
find_trace(struct luajit *j, uint64_t global, int32_t n, uint64_t pc, unsigned char b[TRACE_BYTES])
{
	struct memory_reader *m = j->process->memory;
	uint64_t from = j->traces != 0 ? j->traces : GLOBAL_CURRENT + GLOBAL_JIT_BASE;
	uint64_t to = j->traces != 0 ? j->traces + 8 : TRACES_AT;

	for (uint64_t at = from; n > 0 && at < to; at += 8) {
		uint64_t list = memory_u64(m, global + at);

		if (list < MEMORY_PAGE || (list & 7) != 0 || list > POINTER ||
		    !is_trace_at(m, memory_u64(m, list + 8 * (uint64_t)n), pc, b))
			continue;
		j->traces = at;
		return true;
	}
	return false;
}

/* Adds the frame of the trace that runs. Machine code between traces (exits) has none. */
static void
add_trace(struct luajit *j, uint64_t global, uint64_t pc, struct script_stack *s)
{
	unsigned char b[TRACE_BYTES];
	struct memory_reader *m = j->process->memory;
	int32_t n = (int32_t)memory_u32(m, global + GLOBAL_TRACE);
	uint64_t proto, start;

	if (!find_trace(j, global, n, pc, b))
		return;
	memcpy(&proto, b + TRACE_PROTO, sizeof proto);
	memcpy(&start, b + TRACE_PC, sizeof start);
	proto &= POINTER;
	if (memory_u8(m, proto + OBJECT_TYPE) == TYPE_PROTO)
		script_frame(s,
		    name_of(j, proto, is_after(m, proto, start + 4) ? start + 4 : 0, n, true),
		    SCRIPT_NATIVE_NONE);
}

/* A walk along the frames of a Lua state. */
struct walk {
	uint64_t state;
	uint64_t frame; /* slot of the frame's link */
	uint64_t bottom;
	uint64_t pc; /* address after the instruction that runs or calls; 0: unknown */
	uint64_t varied; /* slot of the link above it, if the function has variable arguments */
	uint64_t called; /* prototype of the function whose caller comes next; 0: none */
	uint32_t name; /* of that function */
	uint64_t arguments[2]; /* as in struct luajit_call */
};

/* Slot 0 of the function at the walk's frame. */
static uint64_t
base_of(const struct walk *w)
{
	return 8 + (w->varied != 0 ? w->varied : w->frame);
}

/* Counts the name that a caller's instruction gives to the function that it calls. */
static void
count_call(struct luajit *j, const struct walk *w, uint64_t function, uint32_t caller)
{
	struct luajit_call call = {
	    function, base_of(w), w->pc, w->called, {w->arguments[0], w->arguments[1]}};
	char name[LUA_NAME_MAX];

	if (!lua_names_call(&j->names, w->pc, caller, w->name))
		lua_names_add(&j->names, w->pc, caller, w->name,
		    luajit_call_name(j->process->memory, &call, name) ? name : NULL);
}

/* Adds the frame of a Lua function; false if its instruction is not in it. */
static bool
add_function(
    struct luajit *j, struct walk *w, uint64_t function, uint64_t proto, struct script_stack *s)
{
	struct memory_reader *m = j->process->memory;
	uint32_t name;

	if (memory_u8(m, proto + OBJECT_TYPE) != TYPE_PROTO ||
	    (w->pc != 0 && !is_after(m, proto, w->pc)))
		return false;
	name = name_of(j, proto, w->pc, 0, true);
	lua_names_seen(&j->names, name);
	if (w->called != 0 && w->pc != 0 && name != 0)
		count_call(j, w, function, name);
	w->called = name != 0 ? proto : 0;
	w->name = name;
	w->arguments[0] = w->frame + 8;
	w->arguments[1] = base_of(w);
	return script_frame(s, name, SCRIPT_NATIVE_NONE);
}

/*
 * Adds the frames up to the last one of a group; last: all that remain. False if a caller's
 * instruction is not in its function.
 */
static bool
add_frames(struct luajit *j, struct walk *w, bool last, struct script_stack *s)
{
	struct memory_reader *m = j->process->memory;

	for (int n = 0; w->frame > w->bottom && n < FRAMES; n++) {
		uint64_t slot[2], function, code;
		unsigned kind, size;

		if (!memory_read(m, w->frame - 8, slot, sizeof slot))
			return false;
		function = slot[0] & POINTER;
		kind = slot[1] & FRAME_KIND;
		if (slot[0] >> 47 != TAG_FUNCTION)
			return false;
		if ((slot[1] & FRAME_TYPE) != FRAME_VARG) {
			code = memory_u64(m, function + FUNCTION_PC);
			if (memory_u8(m, function + FUNCTION_KIND) == 0) {
				uint64_t proto = code - PROTO_BYTES;
				/* The call has just been made: pc is its first instruction. */
				if (n == 0 && w->pc == code)
					w->pc += 4;
				/* While a call starts or ends, pc is the caller's. */
				bool absent = n == 0 && kind == FRAME_LUA && slot[1] == w->pc &&
					      !is_after(m, proto, w->pc);

				if (!absent && !add_function(j, w, function, proto, s))
					return false;
			} else {
				w->called = 0;
			}
			w->varied = 0;
			w->pc = kind == FRAME_LUA    ? slot[1]
				: kind == FRAME_CONT ? memory_u64(m, w->frame - 16)
						     : 0;
		}
		if ((slot[1] & FRAME_TYPE) == FRAME_VARG)
			w->varied = w->frame;
		if (kind != FRAME_LUA && kind != FRAME_CONT && kind != FRAME_VARG)
			w->called = 0; /* C called it */
		if (kind == FRAME_LUA) {
			size = 8 * (2 + (memory_u32(m, slot[1] - 4) >> 8 & 0xff));
			w->frame -= size;
		} else if (slot[1] >= 8 && slot[1] < w->frame) {
			w->frame -= slot[1] & ~UINT64_C(7);
		} else {
			return false;
		}
		if (kind == FRAME_C && !last)
			return true;
	}
	return true;
}

/*
 * The base of the caller of a function that returns; pc is the caller's. The results may have
 * replaced the slots of the frame that ends. 0: no function has pc there.
 */
static uint64_t
base_of_caller(struct luajit *j, uint64_t base, uint64_t pc)
{
	struct memory_reader *m = j->process->memory;
	uint64_t caller = base - 8 * (2 + (memory_u32(m, pc - 4) >> 8 & 0xff));
	uint64_t slot = memory_u64(m, caller - 16), function = slot & POINTER, proto;

	if (slot >> 47 != TAG_FUNCTION || memory_u8(m, function + FUNCTION_KIND) != 0)
		return 0;
	proto = memory_u64(m, function + FUNCTION_PC) - PROTO_BYTES;
	return memory_u8(m, proto + OBJECT_TYPE) == TYPE_PROTO && is_after(m, proto, pc) ? caller
											 : 0;
}

/*
 * Starts a walk at the frame where native frame f runs. trace: it is a trace, or the interpreter's
 * code that leaves one. The interpreter itself has base and pc in registers. Its C functions have
 * the pc there, too, and the base in the state or, if they do not need it, in a third register.
 */
static bool
start_walk(struct luajit *j, struct walk *w, const struct native_frame *f, bool leaf, bool trace)
{
	struct memory_reader *m = j->process->memory;
	uint64_t global = memory_u64(m, w->state + STATE_GLOBAL), current;
	uint64_t base = memory_u64(m, w->state + STATE_BASE), slot[2] = {0};
	const uint64_t spare = f->reg[j->cpu->spare];

	w->bottom = memory_u64(m, w->state + STATE_STACK) + 8;
	w->pc = w->called = w->varied = 0;
	current = trace ? global + current_at(j, global) : 0;
	if (trace && memory_u64(m, current) == w->state &&
	    memory_u64(m, current + GLOBAL_JIT_BASE) != 0)
		base = memory_u64(m, current + GLOBAL_JIT_BASE);
	else if (!trace && leaf)
		base = f->reg[j->cpu->base];
	else if (!trace && spare != w->state && spare > w->bottom &&
		 spare < w->bottom + (UINT64_C(1) << 24) &&
		 memory_u64(m, spare - 16) >> 47 == TAG_FUNCTION)
		base = spare;
	if (!trace && leaf && (base & 7) == 0 && base >= w->bottom &&
	    memory_u64(m, base - 16) >> 47 != TAG_FUNCTION) {
		uint64_t caller = base_of_caller(j, base, f->reg[j->cpu->pc]);

		base = caller > w->bottom ? caller : base;
	}
	w->frame = base - 8;
	if ((base & 7) != 0 || base < w->bottom || !memory_read(m, base - 16, slot, sizeof slot) ||
	    slot[0] >> 47 != TAG_FUNCTION)
		return w->frame == w->bottom && slot[0] >> 47 == TAG_THREAD;
	if (trace) /* the bytecode instruction is not known */
		return true;
	if (memory_u8(m, (slot[0] & POINTER) + FUNCTION_KIND) == 0)
		w->pc = f->reg[j->cpu->pc];
	return true;
}

/*
 * The pc of the Lua function at the walk's frame, if a hook, a finalizer or an error handler
 * interrupted it: it is in the interpreter's C frame, since no other Lua frame has it. 0: the
 * function is one of C.
 */
static uint64_t
interrupted_pc(struct luajit *j, const struct walk *w, uint64_t loop)
{
	struct memory_reader *m = j->process->memory;
	uint64_t function = memory_u64(m, w->frame - 8) & POINTER,
		 pc = memory_u64(m, loop + j->cpu->at);

	if (w->frame <= w->bottom || memory_u8(m, function + FUNCTION_KIND) != 0)
		return 0;
	return is_after(m, memory_u64(m, function + FUNCTION_PC) - PROTO_BYTES, pc) ? pc : 0;
}

/*
 * True if a C frame of the interpreter has no Lua frame yet: lj_vm_cpcall, as for the compiler of
 * traces. The number of results is negative there, with the distance of the stack's top.
 */
static bool
is_without_frame(struct luajit *j, const struct walk *w, uint64_t state, uint64_t loop)
{
	struct memory_reader *m = j->process->memory;
	int32_t results = (int32_t)memory_u32(m, loop + j->cpu->results);
	uint64_t frame = state == w->state ? w->frame : memory_u64(m, state + STATE_BASE) - 8;

	return results < 0 &&
	       frame < memory_u64(m, state + STATE_STACK) + (uint64_t) - (int64_t)results;
}

static void
found_field(void *arg, const char *module, const char *field, uint64_t closure)
{
	struct luajit *j = arg;
	uint64_t proto = memory_u64(j->process->memory, closure + FUNCTION_PC) - PROTO_BYTES;
	uint32_t function = name_of(j, proto, 0, 0, false);

	if (function != 0)
		lua_names_field(&j->names, module, field, function, closure);
}

/* Reads the names of functions from the loaded modules, when there are new ones; not each time. */
static void
read_loaded(struct luajit *j, uint64_t state)
{
	struct memory_reader *m = j->process->memory;
	uint64_t global = memory_u64(m, state + STATE_GLOBAL);

	if (!lua_names_due(&j->names))
		return;
	luajit_loaded(m, global + GLOBAL_MAIN, (GLOBAL_CURRENT - GLOBAL_MAIN) / 8, found_field, j);
	lua_names_end(&j->names);
}

static bool
read_luajit(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct luajit *j = state;
	struct memory_reader *m = j->process->memory;
	struct walk w = {0};
	uint64_t of[LOOPS];
	int32_t native[LOOPS];
	bool traces[LOOPS]; /* a trace runs, or ends, on the frame */
	size_t n = 0;

	for (size_t i = 0; i < at->nnative && n < LOOPS; i++) {
		const struct native_frame *f = &at->native[i];
		bool trace = f->module != NULL && f->module->kind == MODULE_JIT;
		uint64_t loop = trace ? loop_of_trace(j, f->sp) : f->start == j->loop ? f->sp : 0;

		if (loop == 0)
			continue;
		traces[n] = trace;
		of[n] = memory_u64(m, loop + j->cpu->state);
		if (!trace && !is_state(j, of[n]) && (loop = loop_of_trace(j, f->sp)) != 0) {
			traces[n] = true;
			of[n] = memory_u64(m, loop + j->cpu->state);
		}
		if (is_state(j, of[n]))
			native[n++] = (int32_t)i;
	}
	for (size_t k = 0; k < n; k++) {
		const struct native_frame *f = &at->native[native[k]];
		bool trace = f->module->kind == MODULE_JIT;

		if (!script_group(s, native[k]))
			break;
		if (!traces[k] && is_without_frame(j, &w, of[k], f->sp))
			continue;
		if (of[k] != w.state) {
			w.state = of[k];
			if (!start_walk(j, &w, f, native[k] == 0, traces[k]))
				return false;
			if (trace)
				add_trace(j, memory_u64(m, w.state + STATE_GLOBAL), f->pc, s);
		} else if (!traces[k]) {
			w.pc = interrupted_pc(j, &w, f->sp);
		}
		if (!add_frames(j, &w, k + 1 == n || of[k + 1] != w.state, s))
			return false;
	}
	if (n > 0)
		read_loaded(j, of[0]);
	return s->nframe > 0;
}

const struct runtime runtime_luajit = {
    .name = "luajit",
    .versions = "2.1 with 64-bit pointers, from 2022 on",
    .offsets = "tables of sources, and a search",
    .needs_stop = true,
    .is_module = is_module,
    .symbol = "luaJIT_setmode",
    .open = open_luajit,
    .read = read_luajit,
    .close = close_luajit,
    .frame_size = frame_size,
};
