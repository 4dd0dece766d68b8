/*
 * lua: walks the call infos of the Lua states with a luaV_execute frame on the C stack.
 *
 * No exported symbol leads to a state. luaV_execute is the module's largest function; its state
 * is in a callee-saved register or in its frame, and is recognized by its structure. A coroutine
 * has no link to its resumer; the order on the C stack gives it.
 */
#include "runtime/lua.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "kernel/recipe.h"
#include "runtime/luacode.h"
#include "runtime/luaname.h"
#include "unwind/cfi.h"

#define EVALS 512 /* native frames of luaV_execute */
#define FRAME_MAX 1024 /* bytes of such a frame */
#define LINES_MAX 65536 /* bytes of a line table */
#define MARKS_MAX 10000 /* absolute entries of a line table */
#define TEXT_MAX 256 /* bytes of a path */

#define TYPE_THREAD 8 /* LUA_TTHREAD */
#define TAG_CLOSURE 0x46 /* ctb(LUA_VLCL): a Lua function in a stack slot */
#define START_BYTES 128 /* of luaV_execute, where it stores its argument */
#define END_OF_GROUP 1 /* no address of a call: see add_calls */

/* Offsets that all versions share; the others are in struct lua_layout. */
enum {
	SLOT_TAG = 8, /* TValue */
	STATE_TYPE = 8, /* lua_State */
	STATE_GLOBAL = 24,
	STATE_CALL = 32,
	GLOBAL_REGISTRY = 64, /* global_State */
	CALL_PREVIOUS = 16, /* CallInfo: func 0 */
	CALL_BYTES = 72, /* at least */
	CLOSURE_PROTO = 24, /* LClosure */
	STRING_TEXT = 24, /* TString */
};

struct lua {
	struct runtime_process *process;
	const struct lua_layout *layout;
	uint64_t loop; /* luaV_execute */
	struct lua_kept kept; /* where it has its state */
	struct lua_names names;
	struct memory_reader *running; /* reads past copies; NULL: not needed yet */
	uint32_t called; /* function whose caller comes next; 0: none, or its call has no name */
};

static bool
is_module(const char *name)
{
	return strncmp(name, "lua", 3) == 0 || strncmp(name, "liblua", 6) == 0;
}

/* Finds out where luaV_execute has its state. */
static void
find_kept(struct lua *lua, const struct runtime_module *m)
{
	const struct lua_cpu *cpu = lua->process->cpu->lua;
	const unsigned char *code = runtime_file_bytes(m, lua->loop, START_BYTES);

	if (cpu != NULL && code != NULL)
		lua->kept = cpu->kept(code, START_BYTES);
}

static void *
open_lua(struct runtime_process *p)
{
	static const char ident[] = "$LuaVersion: Lua "; /* 5.1: another */
	char version[8];

	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		struct lua *lua;
		uint64_t address, start;
		const char *text;

		if (!is_module(m->module->name) ||
		    (address = runtime_symbol(m, "lua_ident", NULL)) == 0 ||
		    (text = runtime_file_bytes(m, address, sizeof ident + sizeof version)) == NULL)
			continue;
		text += memcmp(text, ident, sizeof ident - 1) == 0 ? sizeof ident - 1
								   : strlen("$Lua: Lua ");
		snprintf(version, sizeof version, "%.5s", text);
		snprintf(p->version, sizeof p->version, "%s", version);
		start = cfi_largest_function(m->module);
		if (lua_layout_of(version) != NULL && start != 0) {
			lua = cli_alloc(1, sizeof *lua);
			lua->process = p;
			lua->layout = lua_layout_of(version);
			lua->loop = start - m->bias;
			lua->names.names = p->names;
			find_kept(lua, m);
			return lua;
		}
		if (lua_layout_of(version) == NULL)
			runtime_unknown(
			    p, "Lua", LUA_VERSIONS, RUNTIME_OFFSETS("lua -I... (lstate.h)"));
		else
			snprintf(p->reason, sizeof p->reason, "Lua %s lacks call frame information",
			    version);
		return NULL;
	}
	return NULL;
}

static void
close_lua(void *state)
{
	struct lua *lua = state;

	lua_names_free(&lua->names);
	if (lua->running != NULL)
		memory_free(lua->running);
	free(lua);
}

/*
 * True if address has a state: it points to a global state, whose main thread points to the
 * same one.
 */
static bool
is_state(struct lua *lua, uint64_t address)
{
	struct memory_reader *m = lua->process->memory;
	unsigned char b[40];
	uint64_t global, call, main;

	if (address < MEMORY_PAGE || (address & 7) != 0 || !memory_read(m, address, b, sizeof b) ||
	    (b[STATE_TYPE] & 15) != TYPE_THREAD)
		return false;
	memcpy(&global, b + STATE_GLOBAL, sizeof global);
	memcpy(&call, b + STATE_CALL, sizeof call);
	if (global == 0 || (global & 7) != 0 || call == 0 || (call & 7) != 0)
		return false;
	main = memory_u64(m, global + lua->layout->main);
	return main != 0 && (main & 7) == 0 && memory_u64(m, main + STATE_GLOBAL) == global &&
	       (memory_u8(m, main + STATE_TYPE) & 15) == TYPE_THREAD;
}

/*
 * The state of a frame of luaV_execute: where its start stores it; else in another register, or in
 * its frame while it uses the register for something else (OP_CLOSURE). A frame can also have a
 * state of an earlier call: with several different ones, the result is 0.
 */
static uint64_t
state_of(struct lua *lua, const struct native_frame *f, const struct native_frame *caller)
{
	const struct runtime_cpu *cpu = lua->process->cpu;
	const struct lua_kept *kept = &lua->kept;
	const bool is_stored = f->pc >= lua->loop + kept->end;
	uint64_t word[FRAME_MAX / 8], found = 0;
	size_t size = caller == NULL || caller->sp <= f->sp ? 0 : (size_t)(caller->sp - f->sp);

	if (is_stored && kept->where == KEPT_ON_STACK) {
		found = memory_u64(lua->process->memory, f->sp + kept->at);
		return is_state(lua, found) ? found : 0;
	}
	if (is_stored && kept->where == KEPT_IN_REGISTER && is_state(lua, f->reg[kept->at]))
		return f->reg[kept->at];
	for (size_t i = 0; i < cpu->nkept; i++)
		if (is_state(lua, f->reg[cpu->kept[i]]))
			return f->reg[cpu->kept[i]];
	if (size > sizeof word || !memory_read(lua->process->memory, f->sp, word, size))
		return 0;
	for (size_t i = 0; i < size / 8; i++) {
		if (word[i] == found || !is_state(lua, word[i]))
			continue;
		if (found != 0)
			return 0;
		found = word[i];
	}
	return found;
}

/* The line of an instruction: luaG_getfuncline of ldebug.c. */
static unsigned
line_of(struct lua *lua, uint64_t proto, uint64_t pc)
{
	struct memory_reader *m = lua->process->memory;
	const struct lua_layout *l = lua->layout;
	static signed char delta[LINES_MAX];
	uint64_t code = memory_u64(m, proto + l->proto.code),
		 lines = memory_u64(m, proto + l->proto.lines),
		 marks = memory_u64(m, proto + l->proto.marks);
	uint32_t nlines = memory_u32(m, proto + l->proto.lines_size);
	uint32_t nmarks = memory_u32(m, proto + l->proto.marks_size);
	int32_t at, base = -1, line = (int32_t)memory_u32(m, proto + l->proto.line);

	if (pc < code + 4 || (pc - code) / 4 > nlines)
		return 0;
	if (l->proto.marks == 0)
		return memory_u32(m, lines + ((pc - code) / 4 - 1) * 4);
	if (nmarks > MARKS_MAX)
		return 0;
	at = (int32_t)((pc - code) / 4) - 1;
	for (uint32_t i = 0; i < nmarks; i++) {
		int32_t mark[2];

		if (!memory_read(m, marks + 8 * (uint64_t)i, mark, sizeof mark) || mark[0] > at)
			break;
		base = mark[0];
		line = mark[1];
	}
	if (at - base > LINES_MAX || (at > base && !memory_read(m, lines + (uint64_t)(base + 1),
						       delta, (size_t)(at - base))))
		return 0;
	for (int32_t i = 0; i < at - base; i++)
		line += delta[i];
	return line > 0 ? (unsigned)line : 0;
}

/*
 * The name of a function: its file and first line, since Lua functions are nameless, until the
 * calls of it give it one.
 */
static uint32_t
name_of(struct lua *lua, uint64_t proto, uint64_t pc, bool seen)
{
	struct memory_reader *m = lua->process->memory;
	uint64_t source = memory_u64(m, proto + lua->layout->proto.source);
	unsigned first = memory_u32(m, proto + lua->layout->proto.line);
	uint64_t sizes[4]; /* of code, lines, constants and others; none changes */
	char path[TEXT_MAX], name[TEXT_MAX + 16];
	struct str file = {NULL, 0}, base;

	if (source == 0 || !memory_string(m, source + STRING_TEXT, path, sizeof path) ||
	    !memory_read(m, proto + lua->layout->proto.sizes, sizes, sizeof sizes))
		return 0;
	if (path[0] == '@')
		file = str_of(path + 1);
	else if (path[0] == '=')
		file = str_of(path + 1); /* stdin, C */
	else
		file = str_of("[string]");
	base = str_base(file);
	if (first == 0)
		snprintf(name, sizeof name, "main chunk");
	else
		snprintf(name, sizeof name, "%.*s:%u", (int)base.len, base.s, first);
	return script_name_nameless(lua->process->names, str_of(name), file, first > 0 ? first : 1,
	    lua->process->lines ? line_of(lua, proto, pc) : 0,
	    (uint32_t)hash_bytes(sizes, sizeof sizes), seen);
}

/*
 * The prototype of a call's function, 0 if the call is not set up yet or has returned:
 * prepCallInfo of ldo.c makes a CallInfo current before it stores function and instruction, and
 * luaD_poscall stores the results over the function before it makes the caller current.
 */
static uint64_t
proto_of(struct lua *lua, uint64_t function, uint64_t pc)
{
	struct memory_reader *m = lua->process->memory;
	uint64_t proto, code;

	if (memory_u8(m, function + SLOT_TAG) != TAG_CLOSURE)
		return 0;
	proto = memory_u64(m, memory_u64(m, function) + CLOSURE_PROTO);
	code = memory_u64(m, proto + lua->layout->proto.code);
	if (pc < code || (pc - code) / 4 > memory_u32(m, proto + lua->layout->proto.code_size))
		return 0;
	return proto;
}

/* Counts the name that an instruction of a caller gives to the function that it calls. */
static void
count_call(struct lua *lua, uint64_t proto, uint64_t pc, uint32_t caller)
{
	char name[LUA_NAME_MAX];

	if (!lua_names_call(&lua->names, pc, caller, lua->called))
		lua_names_add(&lua->names, pc, caller, lua->called,
		    lua_call_name(lua->process->memory, lua->layout, proto, pc, name) ? name
										      : NULL);
}

/* True if a call with that status is one of a C function. */
static bool
is_c(const struct lua *lua, uint16_t status)
{
	const struct lua_layout *l = lua->layout;

	return (status & l->call.c) != 0 || (l->call.lua != 0 && (status & l->call.lua) == 0);
}

/* True if a new luaV_execute called it. */
static bool
is_fresh(const struct lua *lua, uint16_t status)
{
	const struct lua_layout *l = lua->layout;

	return (status & l->call.fresh) != 0 || (l->call.same != 0 && (status & l->call.same) == 0);
}

/*
 * Adds the calls from *call to the last one of a group (end: END_OF_GROUP), to the one before the
 * call `end`, or all that remain (0).
 */
static void
add_calls(struct lua *lua, uint64_t state, uint64_t *call, uint64_t end, struct script_stack *s)
{
	struct memory_reader *m = lua->process->memory;
	uint64_t current = memory_u64(m, state + STATE_CALL);

	for (int n = 0; *call != 0 && *call != end && *call != state + lua->layout->base_call &&
			n < SCRIPT_FRAMES;
	     n++) {
		unsigned char b[CALL_BYTES];
		uint64_t function, pc, proto;
		uint32_t name;
		uint16_t status;
		bool innermost = *call == current;

		if (!memory_read(m, *call, b, sizeof b)) {
			s->truncated = true;
			*call = 0;
			return;
		}
		memcpy(&function, b, sizeof function);
		memcpy(call, b + CALL_PREVIOUS, sizeof *call);
		memcpy(&pc, b + lua->layout->call.pc, sizeof pc);
		memcpy(&status, b + lua->layout->call.status, sizeof status);
		if (is_c(lua, status)) {
			lua->called = 0;
			continue; /* its native frame has the name */
		}
		proto = proto_of(lua, function, pc);
		if (proto == 0 && innermost)
			continue;
		memory_read_later(m); /* the lines, and the instruction of the call */
		name = proto != 0 ? name_of(lua, proto, pc, true) : 0;
		lua_names_seen(&lua->names, name);
		if (name != 0 && lua->called != 0 && (status & lua->layout->call.other) == 0)
			count_call(lua, proto, pc, name);
		memory_is_proved(m, 0);
		lua->called = (status & lua->layout->call.tail) == 0 ? name : 0;
		if (!script_frame(s, name, SCRIPT_NATIVE_NONE))
			return;
		if (is_fresh(lua, status) && end == END_OF_GROUP)
			return;
	}
}

/* True if luaV_execute runs a call in this frame: it keeps the call in a register. */
static bool
has_call(const struct runtime_cpu *cpu, const struct native_frame *f, uint64_t call)
{
	for (size_t i = 0; i < cpu->nkept; i++)
		if (f->reg[cpu->kept[i]] == call)
			return true;
	return false;
}

/* The first call of a Lua function from *call outwards; 0: none. *call is a call of C after it. */
static uint64_t
lua_call(struct lua *lua, uint64_t state, uint64_t *call)
{
	struct memory_reader *m = lua->process->memory;
	uint64_t found = 0, at = *call;

	for (int n = 0; at != 0 && at != state + lua->layout->base_call && n < SCRIPT_FRAMES; n++) {
		const bool c = is_c(lua, (uint16_t)memory_u32(m, at + lua->layout->call.status));

		if (!c && found == 0)
			found = at;
		*call = at;
		if (c && found != 0)
			break;
		at = memory_u64(m, at + CALL_PREVIOUS);
	}
	return found;
}

/* Frames of luaV_execute, with their states. */
struct loops {
	uint64_t of[EVALS];
	int32_t native[EVALS];
	size_t n;
};

enum phase { LOOP_RUNS, LOOP_ENDED, LOOP_STARTS };

/*
 * The innermost frame of a state's luaV_execute, number k, is being entered or left if it does not
 * have the innermost call. Then the next frame has that call, which is the first case; or it has
 * the call after the next one of C, where the innermost group has no frame yet.
 */
static enum phase
phase_of(struct lua *lua, const struct runtime_sample *at, const struct loops *l, size_t k,
    uint64_t call)
{
	uint64_t state = l->of[k], inner = lua_call(lua, state, &call);
	size_t next = k + 1;

	if (inner == 0 || has_call(lua->process->cpu, &at->native[l->native[k]], inner))
		return LOOP_RUNS;
	while (next < l->n && l->of[next] != state)
		next++;
	if (next < l->n && has_call(lua->process->cpu, &at->native[l->native[next]], inner))
		return LOOP_ENDED;
	inner = lua_call(lua, state, &call);
	return inner != 0 && has_call(lua->process->cpu, &at->native[l->native[k]], inner)
		   ? LOOP_STARTS
		   : LOOP_RUNS;
}

static void
find_loops(struct lua *lua, const struct runtime_sample *at, struct loops *l)
{
	l->n = 0;
	for (size_t i = 0; i < at->nnative && l->n < EVALS; i++) {
		if (at->native[i].start != lua->loop)
			continue;
		l->of[l->n] =
		    state_of(lua, &at->native[i], i + 1 < at->nnative ? &at->native[i + 1] : NULL);
		l->native[l->n] = (int32_t)i;
		l->n += l->of[l->n] != 0; /* 0: its frame is not complete yet */
	}
}

static void
found_field(void *arg, const char *module, const char *field, uint64_t closure)
{
	struct lua *lua = arg;
	uint64_t proto = memory_u64(lua->process->memory, closure + CLOSURE_PROTO);
	uint32_t function = name_of(lua, proto, 0, false);

	if (function != 0)
		lua_names_field(&lua->names, module, field, function, closure);
}

/*
 * Reads the names of functions from the loaded modules, when there are new ones; not each time. Of
 * a running process they are read twice, and count if both are equal.
 */
static void
read_loaded(struct lua *lua, uint64_t state, bool running)
{
	struct memory_reader *const m = lua->process->memory;
	const uint64_t global = memory_u64(m, state + STATE_GLOBAL);
	uint64_t first = 0;

	if (!lua_names_due(&lua->names))
		return;
	if (running && lua->running == NULL)
		lua->running = memory_of_process(lua->process->pid);
	for (int i = 0; i < (running ? 2 : 1); i++) {
		if (running) {
			lua->process->memory = lua->running;
			memory_begin(lua->running);
		}
		first = lua_names_hash(&lua->names);
		lua_names_drop(&lua->names, false);
		lua_loaded(lua->process->memory, lua->layout,
		    memory_u64(lua->process->memory, global + GLOBAL_REGISTRY), found_field, lua);
	}
	lua->process->memory = m;
	if (running && first != lua_names_hash(&lua->names)) {
		lua_names_drop(&lua->names, true);
		return;
	}
	lua_names_end(&lua->names);
}

static bool
read_lua(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct lua *lua = state;
	uint64_t current = 0, call = 0;
	struct loops l;

	lua->called = 0;
	find_loops(lua, at, &l);
	for (size_t k = 0; k < l.n; k++) {
		if (l.of[k] != current) {
			enum phase phase;

			current = l.of[k];
			lua->called = 0;
			call = memory_u64(lua->process->memory, current + STATE_CALL);
			phase = phase_of(lua, at, &l, k, call);
			if (phase == LOOP_ENDED) {
				current = 0;
				continue;
			}
			if (phase == LOOP_STARTS && script_group(s, SCRIPT_NATIVE_NONE)) {
				uint64_t end = call;

				lua_call(lua, current, &end);
				add_calls(lua, current, &call, end, s);
			}
		}
		if (!script_group(s, l.native[k]))
			break;
		/*
		 * After a yield across pcall, the C stack has fewer frames of luaV_execute than
		 * before the yield.
		 */
		add_calls(lua, current, &call,
		    k + 1 == l.n || l.of[k + 1] != current ? 0 : END_OF_GROUP, s);
	}
	if (l.n > 0)
		read_loaded(lua, l.of[0], at->walked);
	return s->nframe > 0;
}

/* Registers of the recipe, and steps that others go to. */
enum { WORD = WALK_FREE, AT, LEFT, STATE, GLOBAL, MAIN, CALL, FUNCTION, PROTO, SOURCE };
enum { SCAN = 2, FOUND = 12, CALLS = 16, OTHERS = 23, SHORT = 25, DONE = WALK_STEPS - 1 };

#define WORDS 1024 /* of the stack, from the stack pointer on, that may be a state */
#define STATE_BYTES 40
#define CLOSURE_BYTES 32
#define PROTO_BYTES 128
#define SOURCE_BYTES 280 /* of a path; the rest is not read */
#define SHORT_BYTES 48 /* of one at the end of a mapping */

/*
 * Copies the states whose addresses are on the stack, up to that of the main thread, with their
 * calls, and the prototypes and paths of these: luaV_execute and its callers have the state in
 * registers that functions save.
 */
static bool
recipe(void *state, struct walk_step step[WALK_STEPS])
{
	const struct lua *lua = state;
	const struct walk_step steps[] = {
	    SET(AT, WALK_STACK_POINTER, 0, 1),
	    SET(LEFT, WALK_ZERO, WORDS, SCAN),
	    [SCAN] = READ(WORD, AT, 0, DONE),
	    SET(AT, AT, 8, 4),
	    SET(LEFT, LEFT, -UINT64_C(1), 6),
	    END,
	    IF_EQUAL(WORD, STATE, SCAN),
	    READ(GLOBAL, WORD, STATE_GLOBAL, SCAN),
	    READ(MAIN, GLOBAL, lua->layout->main, SCAN),
	    READ(SOURCE, MAIN, STATE_GLOBAL, SCAN),
	    IF_EQUAL(SOURCE, GLOBAL, FOUND),
	    GO(SCAN),
	    [FOUND] = SET(STATE, WORD, 0, 13),
	    COPY(STATE, 0, STATE_BYTES, SCAN, {CALL, STATE_CALL}),
	    COPY(GLOBAL, lua->layout->main, 8, SCAN),
	    COPY(MAIN, 0, STATE_BYTES, SCAN),
	    [CALLS] = IF_ZERO(CALL, OTHERS),
	    COPY(CALL, 0, CALL_BYTES, OTHERS, {FUNCTION, 0}, {CALL, CALL_PREVIOUS}),
	    COPY(FUNCTION, 0, 16, CALLS, {PROTO, 0}),
	    COPY(PROTO, 0, CLOSURE_BYTES, CALLS, {PROTO, CLOSURE_PROTO}),
	    COPY(PROTO, 0, PROTO_BYTES, CALLS, {SOURCE, lua->layout->proto.source}),
	    COPY(SOURCE, 0, SOURCE_BYTES, SHORT),
	    GO(CALLS),
	    [OTHERS] = IF_EQUAL(STATE, MAIN, DONE),
	    GO(SCAN),
	    [SHORT] = COPY(SOURCE, 0, SHORT_BYTES, CALLS),
	    GO(CALLS),
	};

	_Static_assert(sizeof steps / sizeof *steps <= DONE, "fewer steps");
	memcpy(step, steps, sizeof steps);
	return true;
}

const struct runtime runtime_lua = {
    .name = "lua",
    .versions = LUA_VERSIONS,
    .offsets = "tables of sources",
    .needs_stop = true,
    .is_module = is_module,
    .open = open_lua,
    .read = read_lua,
    .close = close_lua,
    .recipe = recipe,
};
