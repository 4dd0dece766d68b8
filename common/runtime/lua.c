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
#define START_BYTES 128 /* of luaV_execute, where it stores its argument */
#define END_OF_GROUP 1 /* no address of a call: see add_calls */

/* Offsets that all versions share; the others are in struct lua_layout. */
enum {
	SLOT_TAG = 8, /* TValue */
	STATE_TYPE = 8, /* lua_State */
	CALL_PREVIOUS = 16, /* CallInfo, in a list */
	CALL_BYTES = 72, /* at least, in a list */
	STRING_TEXT = 24, /* TString */
	/* 5.1: */
	STATE_BASE = 24, /* lua_State */
	CALL_BASE = 0, /* CallInfo */
	CLOSURE_C = 10, /* Closure */
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

/* luaV_execute: the largest function, but of a program with other libraries inside. */
static uint64_t
loop_of(const struct runtime_module *m)
{
	const uint64_t named = runtime_symbol(m, "luaV_execute", NULL),
		       largest = cfi_largest_function(m->module);

	return named != 0 || largest == 0 ? named : largest - m->bias;
}

static void *
open_lua(struct runtime_process *p)
{
	static const char ident[] = "$LuaVersion: Lua "; /* 5.1: another */
	char version[8];

	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		struct lua *lua;
		uint64_t address, loop;
		const char *text;

		if ((address = runtime_symbol(m, "lua_ident", NULL)) == 0 ||
		    (text = runtime_file_bytes(m, address, sizeof ident + sizeof version)) == NULL)
			continue;
		text += memcmp(text, ident, sizeof ident - 1) == 0 ? sizeof ident - 1
								   : strlen("$Lua: Lua ");
		snprintf(version, sizeof version, "%.5s", text);
		snprintf(p->version, sizeof p->version, "%s", version);
		loop = loop_of(m);
		if (lua_layout_of(version) != NULL && loop != 0) {
			lua = cli_alloc(1, sizeof *lua);
			lua->process = p;
			lua->layout = lua_layout_of(version);
			lua->loop = loop;
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
	const struct lua_layout *l = lua->layout;
	unsigned char b[48]; /* of 5.1, the others have less */
	uint64_t global, call, main;

	if (address < MEMORY_PAGE || (address & 7) != 0 ||
	    !memory_read(m, address, b, l->state.call + 8) || (b[STATE_TYPE] & 15) != TYPE_THREAD)
		return false;
	memcpy(&global, b + l->state.global, sizeof global);
	memcpy(&call, b + l->state.call, sizeof call);
	if (global == 0 || (global & 7) != 0 || call == 0 || (call & 7) != 0)
		return false;
	main = memory_u64(m, global + l->global.main);
	return main != 0 && (main & 7) == 0 && memory_u64(m, main + l->state.global) == global &&
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

/* The line of an instruction; 0 if the function lacks it: its memory may have been freed. */
static unsigned
checked_line(struct lua *lua, uint64_t proto, uint64_t pc)
{
	uint32_t range[2]; /* first and last line; 0: of a file */
	const unsigned line = line_of(lua, proto, pc);

	return memory_read(
		   lua->process->memory, proto + lua->layout->proto.line, range, sizeof range) &&
		       (range[0] == 0 || (line >= range[0] && line <= range[1]))
		   ? line
		   : 0;
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
	    lua->process->lines ? checked_line(lua, proto, pc) : 0,
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

	if (memory_u8(m, function + SLOT_TAG) != lua_tag_closure(lua->layout))
		return 0;
	proto = memory_u64(m, memory_u64(m, function) + lua->layout->closure_proto);
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

/* The address before the outermost call. */
static uint64_t
base_of(struct lua *lua, uint64_t state)
{
	const uint64_t at = state + lua->layout->state.base_call;

	return lua->layout->call.bytes == 0 ? at : memory_u64(lua->process->memory, at);
}

struct call {
	uint64_t at, previous, function, base, pc;
	uint16_t status;
	bool c; /* of a C function */
};

/* Reads the call at an address; false: it cannot be read. */
static bool
read_call(struct lua *lua, uint64_t state, uint64_t at, struct call *c)
{
	struct memory_reader *m = lua->process->memory;
	const struct lua_layout *l = lua->layout;
	const bool list = l->call.bytes == 0;
	unsigned char b[CALL_BYTES];

	if (!memory_read(m, at, b, list ? CALL_BYTES : l->call.bytes))
		return false;
	c->at = at;
	memcpy(&c->function, b + l->call.function, sizeof c->function);
	memcpy(&c->base, b + CALL_BASE, sizeof c->base);
	memcpy(&c->previous, b + CALL_PREVIOUS, sizeof c->previous);
	memcpy(&c->pc, b + l->call.pc, sizeof c->pc);
	memcpy(&c->status, b + l->call.status, sizeof c->status);
	if (list) {
		c->c = is_c(lua, c->status);
		return true;
	}
	c->previous = at - l->call.bytes;
	if (at == memory_u64(m, state + l->state.call) &&
	    c->base == memory_u64(m, state + STATE_BASE)) /* else it is not current yet */
		c->pc = memory_u64(m, state + l->state.pc);
	c->c = memory_u8(m, c->function + SLOT_TAG) != lua_tag_closure(l) ||
	       memory_u8(m, memory_u64(m, c->function) + CLOSURE_C) != 0;
	return true;
}

/*
 * True if a new luaV_execute called it. In 5.1 the call before it shows that: one of C, or one that
 * does not call this function by an instruction.
 */
static bool
is_fresh(struct lua *lua, uint64_t state, const struct call *c)
{
	const struct lua_layout *l = lua->layout;
	struct memory_reader *m = lua->process->memory;
	struct call before;
	bool same;

	if (l->call.bytes == 0)
		return (c->status & l->call.fresh) != 0 ||
		       (l->call.same != 0 && (c->status & l->call.same) == 0);
	if (c->previous == base_of(lua, state) || !read_call(lua, state, c->previous, &before) ||
	    before.c)
		return true;
	memory_read_later(m);
	same = lua_calls_slot(m, before.pc, before.base, c->function);
	memory_is_proved(m, 0);
	return !same;
}

/*
 * Adds the calls from *call to the last one of a group (end: END_OF_GROUP), to the one before the
 * call `end`, or all that remain (0).
 */
static void
add_calls(struct lua *lua, uint64_t state, uint64_t *call, uint64_t end, struct script_stack *s)
{
	struct memory_reader *m = lua->process->memory;
	const uint64_t current = memory_u64(m, state + lua->layout->state.call),
		       base = base_of(lua, state);

	for (int n = 0; *call != 0 && *call != end && *call != base; n++) {
		struct call c;
		uint64_t proto;
		uint32_t name;

		if (n == SCRIPT_FRAMES || !read_call(lua, state, *call, &c)) {
			s->truncated = true;
			s->limited |= n == SCRIPT_FRAMES;
			*call = 0;
			return;
		}
		*call = c.previous;
		if (c.c) {
			lua->called = 0;
			continue; /* its native frame has the name */
		}
		proto = proto_of(lua, c.function, c.pc);
		if (proto == 0 && c.at == current)
			continue;
		memory_read_later(m); /* the lines, and the instruction of the call */
		name = proto != 0 ? name_of(lua, proto, c.pc, true) : 0;
		lua_names_seen(&lua->names, name);
		if (name != 0 && lua->called != 0 && (c.status & lua->layout->call.other) == 0)
			count_call(lua, proto, c.pc, name);
		memory_is_proved(m, 0);
		lua->called = (c.status & lua->layout->call.tail) == 0 ? name : 0;
		if (!script_frame(s, name, SCRIPT_NATIVE_NONE))
			return;
		if (end == END_OF_GROUP && is_fresh(lua, state, &c))
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

	for (int n = 0; at != 0 && at != base_of(lua, state) && n < SCRIPT_FRAMES; n++) {
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
 * 5.1 keeps no call in a register: by the number of the state's groups of calls, from `call`
 * outwards, and that of its frames of luaV_execute, from number k on.
 */
static enum phase
phase_by_number(struct lua *lua, const struct runtime_sample *at, const struct loops *l, size_t k,
    uint64_t call)
{
	const uint64_t state = l->of[k], base = base_of(lua, state);
	size_t groups = 0, frames = 0;
	struct call c;

	while (k + frames < l->n && l->of[k + frames] == state)
		frames++;
	for (int n = 0; at->complete && call != base && n < SCRIPT_FRAMES; n++) {
		if (!read_call(lua, state, call, &c))
			return LOOP_RUNS;
		groups += !c.c && is_fresh(lua, state, &c);
		call = c.previous;
	}
	return groups == frames + 1 ? LOOP_STARTS : groups + 1 == frames ? LOOP_ENDED : LOOP_RUNS;
}

/*
 * The innermost frame of a state's luaV_execute, number k, is being entered or left if it does not
 * have the innermost call. Then the next frame has that call, which is the first case; or it has
 * the call after the next one of C, where the innermost group has no frame yet.
 */
static enum phase
phase_of(struct lua *lua, const struct runtime_sample *at, const struct loops *l, size_t k,
    uint64_t call)
{
	uint64_t state = l->of[k], inner;
	size_t next = k + 1;

	if (lua->layout->call.bytes != 0)
		return phase_by_number(lua, at, l, k, call);
	inner = lua_call(lua, state, &call);
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
	uint64_t proto = memory_u64(lua->process->memory, closure + lua->layout->closure_proto);
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
	const uint64_t global = memory_u64(m, state + lua->layout->state.global);
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
		    memory_u64(lua->process->memory, global + lua->layout->global.registry),
		    found_field, lua);
	}
	lua->process->memory = m;
	if (running && first != lua_names_hash(&lua->names)) {
		lua_names_drop(&lua->names, true);
		return;
	}
	lua_names_end(&lua->names);
}

/*
 * The innermost call of a state; in 5.1, without one that luaD_precall still sets up, whose fields
 * are those of an earlier call. The state's base is then that of the call before.
 */
static uint64_t
first_call(struct lua *lua, uint64_t state)
{
	struct memory_reader *m = lua->process->memory;
	const uint64_t at = memory_u64(m, state + lua->layout->state.call);
	struct call c, before;

	if (lua->layout->call.bytes == 0 || at == base_of(lua, state) ||
	    !read_call(lua, state, at, &c) || !read_call(lua, state, c.previous, &before))
		return at;
	return c.base > memory_u64(m, state + STATE_BASE) || c.base <= before.base ||
		       (!c.c && proto_of(lua, c.function, c.pc) == 0)
		   ? c.previous
		   : at;
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
			call = first_call(lua, current);
			phase = phase_of(lua, at, &l, k, call);
			if (phase == LOOP_ENDED) {
				current = 0;
				continue;
			}
			if (phase == LOOP_STARTS && script_group(s, SCRIPT_NATIVE_NONE)) {
				uint64_t end = call;

				lua_call(lua, current, &end);
				if (lua->layout->call.bytes != 0)
					end = END_OF_GROUP;
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
enum { WORD = WALK_FREE, AT, LEFT, STATE, GLOBAL, MAIN, CALL, FUNCTION, PROTO, SOURCE, BASE };
enum { SCAN = 2, FOUND = 12, CALLS = 16, OTHERS = 23, SHORT = 25, ENTRY = 27 };

#define DONE (WALK_STEPS - 1)

#define WORDS 1024 /* of the stack, from the stack pointer on, that may be a state */
#define STATE_BYTES 40
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
	const struct lua_layout *l = lua->layout;
	const struct walk_step steps[] = {
	    SET(AT, WALK_STACK_POINTER, 0, 1),
	    SET(LEFT, WALK_ZERO, WORDS, SCAN),
	    [SCAN] = READ(WORD, AT, 0, DONE),
	    SET(AT, AT, 8, 4),
	    SET(LEFT, LEFT, -UINT64_C(1), 6),
	    END,
	    IF_EQUAL(WORD, STATE, SCAN),
	    READ(GLOBAL, WORD, l->state.global, SCAN),
	    READ(MAIN, GLOBAL, l->global.main, SCAN),
	    READ(SOURCE, MAIN, l->state.global, SCAN),
	    IF_EQUAL(SOURCE, GLOBAL, FOUND),
	    GO(SCAN),
	    [FOUND] = SET(STATE, WORD, 0, 13),
	    COPY(STATE, 0, STATE_BYTES, SCAN, {CALL, l->state.call}),
	    COPY(GLOBAL, l->global.main, 8, SCAN),
	    COPY(MAIN, 0, STATE_BYTES, SCAN),
	    [CALLS] = IF_ZERO(CALL, OTHERS),
	    COPY(CALL, 0, CALL_BYTES, OTHERS, {FUNCTION, l->call.function}, {CALL, CALL_PREVIOUS}),
	    COPY(FUNCTION, 0, 16, CALLS, {PROTO, 0}),
	    COPY(PROTO, 0, l->closure_proto + 8, CALLS, {PROTO, l->closure_proto}),
	    COPY(PROTO, 0, PROTO_BYTES, CALLS, {SOURCE, l->proto.source}),
	    COPY(SOURCE, 0, SOURCE_BYTES, SHORT),
	    GO(CALLS),
	    [OTHERS] = IF_EQUAL(STATE, MAIN, DONE),
	    GO(SCAN),
	    [SHORT] = COPY(SOURCE, 0, SHORT_BYTES, CALLS),
	    GO(CALLS),
	};
	/* The calls of 5.1, an array, from the innermost to the one after base_ci. */
	const struct walk_step copy_state = COPY(STATE, 0, l->state.base_call + 8, SCAN,
	    {CALL, l->state.call}, {BASE, l->state.base_call});
	const struct walk_step entries[] = {
	    [CALLS] = IF_EQUAL(CALL, BASE, OTHERS),
	    SET(CALL, CALL, -(uint64_t)l->call.bytes, ENTRY),
	    [ENTRY] =
		COPY(CALL, l->call.bytes, l->call.bytes, OTHERS, {FUNCTION, l->call.function}),
	    GO(CALLS + 2),
	};

	_Static_assert(sizeof steps / sizeof *steps <= DONE, "fewer steps");
	memcpy(step, steps, sizeof steps);
	if (l->call.bytes != 0) {
		step[FOUND + 1] = copy_state;
		memcpy(step + CALLS, entries + CALLS, 2 * sizeof *step);
		memcpy(step + ENTRY, entries + ENTRY, 2 * sizeof *step);
	}
	return true;
}

const struct runtime runtime_lua = {
    .name = "lua",
    .versions = LUA_VERSIONS,
    .offsets = "tables of sources",
    .needs_stop = true,
    .is_module = is_module,
    .symbol = "lua_ident",
    .open = open_lua,
    .read = read_lua,
    .close = close_lua,
    .recipe = recipe,
};
