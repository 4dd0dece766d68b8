/*
 * luajitcode: names of LuaJIT's functions, from the bytecode of their callers and from the tables
 * of loaded modules.
 *
 * Source of layouts and of the rules: lj_bc.h, lj_obj.h and lj_debug.c of LuaJIT 2.1 with 64-bit
 * pointers, as of 2022.
 */
#include "runtime/luajitcode.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define CODE_MAX 16384 /* instructions before a call */
#define VARIABLES_MAX 16384 /* bytes of the names of local variables */
#define DEPTH_MAX 8 /* variables and metatables from a name to its value */
#define NODES_MAX 4096 /* entries of a table */
#define WORDS_MAX 64

/* Types of values, in their 17 upper bits; pointers are the others. */
#define TAG_STRING UINT64_C(0x1fffb)
#define TAG_FUNCTION UINT64_C(0x1fff7)
#define TAG_TABLE UINT64_C(0x1fff4)
#define TAG_USERDATA UINT64_C(0x1fff3)
#define TAG_SHIFT 47
#define POINTER ((UINT64_C(1) << TAG_SHIFT) - 1)

enum {
	FUNCTION_KIND = 10, /* GCfunc: ffid, 0 in Lua functions */
	FUNCTION_ENVIRONMENT = 16,
	FUNCTION_PC = 32,
	FUNCTION_UPVALUES = 40,
	UPVALUE_VALUE = 32, /* GCupval */
	PROTO_PARAMETERS = 10, /* GCproto */
	PROTO_CODE_SIZE = 12,
	PROTO_CONSTANTS = 32,
	PROTO_CONSTANTS_SIZE = 48,
	PROTO_SIZE = 56,
	PROTO_UPVALUES_SIZE = 60,
	PROTO_UPVALUES = 88, /* their names */
	PROTO_VARIABLES = 96,
	PROTO_BYTES = 104, /* its bytecode follows */
	STRING_TEXT = 24, /* GCstr */
	TABLE_METATABLE = 32, /* GCtab, GCudata */
	TABLE_NODES = 40,
	TABLE_MASK = 52,
	VARIABLE_NAMED = 7, /* first byte of a variable that has a name */
};

enum {
	BC_MOV = 18,
	BC_UNM = 20,
	BC_KNIL = 44,
	BC_UGET = 45,
	BC_GGET = 54,
	BC_TGETS = 57,
	BC_CALLM = 65,
	BC_CALL = 66,
	BC_JMP = 88,
};

/* For each instruction, 's': it sets register A; 'b': A and the ones above. */
static const char sets[] = "............ss...."
			   "ssssssssssssssssssssssssss"
			   "bs.....ssss.ssss...b."
			   "bbbbbbbbb...bbbbbbbb....";

/* Metamethods that instructions call. */
static const char *const metamethods[BC_CALLM] = {"__lt", "__lt", "__le", "__le", "__eq", "__eq",
    "__eq", "__eq", "__eq", "__eq", "__eq", "__eq", [BC_UNM] = "__unm", "__len", "__add", "__sub",
    "__mul", "__div", "__mod", "__add", "__sub", "__mul", "__div", "__mod", "__add", "__sub",
    "__mul", "__div", "__mod", "__pow", "__concat", [BC_GGET] = "__index", "__newindex", "__index",
    "__index", "__index", "__index", "__newindex", "__newindex", "__newindex", "__newindex",
    "__newindex"};

/* The parts of an instruction. */
#define OP(i) ((i)&0xff)
#define A(i) ((i) >> 8 & 0xff)
#define B(i) ((i) >> 24)
#define C(i) ((i) >> 16 & 0xff)
#define D(i) ((i) >> 16)
#define JUMP(i) ((int32_t)D(i) - 0x8000)

struct caller {
	struct memory_reader *m;
	const struct luajit_call *call;
	uint64_t proto;
	uint32_t code[CODE_MAX];
	char variables[VARIABLES_MAX];
	size_t nvariables; /* bytes */
	unsigned parameters;
};

static bool
is_a(uint64_t value, uint64_t tag)
{
	return value >> TAG_SHIFT == tag;
}

static bool
string_at(struct memory_reader *m, uint64_t string, char *name)
{
	return string != 0 && memory_string(m, string + STRING_TEXT, name, LUA_NAME_MAX) &&
	       name[0] != '\0' && strlen(name) < LUA_NAME_MAX - 1;
}

/* The value that a table has for a string: by its address, or by its text where that is not NULL.
 */
static uint64_t
entry(struct memory_reader *m, uint64_t table, uint64_t key, const char *text)
{
	uint64_t nodes = memory_u64(m, table + TABLE_NODES), node[3];
	uint32_t mask = memory_u32(m, table + TABLE_MASK);
	char name[LUA_NAME_MAX];

	for (uint32_t i = 0; i <= mask && i < NODES_MAX; i++) {
		if (!memory_read(m, nodes + sizeof node * (uint64_t)i, node, sizeof node))
			break;
		if (!is_a(node[1], TAG_STRING))
			continue;
		if (text == NULL ? (node[1] & POINTER) == key
				 : string_at(m, node[1] & POINTER, name) && strcmp(name, text) == 0)
			return node[0];
	}
	return UINT64_MAX; /* nil */
}

/* The value of a metatable's field; nil where the value has none. */
static uint64_t
meta(struct memory_reader *m, uint64_t value, const char *field)
{
	uint64_t metatable = is_a(value, TAG_TABLE) || is_a(value, TAG_USERDATA)
				 ? memory_u64(m, (value & POINTER) + TABLE_METATABLE)
				 : 0;

	return metatable == 0 ? UINT64_MAX : entry(m, metatable, 0, field);
}

/* The value of a field, also by tables of __index. */
static uint64_t
field(struct memory_reader *m, uint64_t value, uint64_t key)
{
	for (int i = 0; i < DEPTH_MAX; i++) {
		uint64_t found =
		    is_a(value, TAG_TABLE) ? entry(m, value & POINTER, key, NULL) : UINT64_MAX;

		if (found != UINT64_MAX)
			return found;
		value = meta(m, value, "__index");
		if (!is_a(value, TAG_TABLE))
			break;
	}
	return UINT64_MAX;
}

/* The prototype of a value that is a Lua function; else 0. */
static uint64_t
proto_of(struct memory_reader *m, uint64_t value)
{
	uint64_t function = value & POINTER;

	return is_a(value, TAG_FUNCTION) && memory_u8(m, function + FUNCTION_KIND) == 0
		   ? memory_u64(m, function + FUNCTION_PC) - PROTO_BYTES
		   : 0;
}

static bool
number(const char **at, const char *end, uint32_t *n)
{
	unsigned shift = 0;

	for (*n = 0; *at < end && shift < 32; shift += 7) {
		unsigned char b = (unsigned char)*(*at)++;

		*n |= (uint32_t)(b & 0x7f) << shift;
		if (b < 0x80)
			return true;
	}
	return false;
}

/* The name of the local variable in a register at an instruction; NULL: it is none. */
static const char *
variable(const struct caller *c, uint32_t at, unsigned reg)
{
	const char *p = c->variables, *end = p + c->nvariables, *name;
	uint32_t start = 0, skipped, length;

	while (p < end && *p != '\0') {
		name = p;
		if ((unsigned char)*p >= VARIABLE_NAMED &&
		    (p = memchr(p, '\0', (size_t)(end - p))) == NULL)
			return NULL;
		p++;
		if (!number(&p, end, &skipped) || !number(&p, end, &length))
			return NULL;
		start += skipped;
		if (start > at)
			return NULL;
		if (at - start < length && reg-- == 0)
			return name;
	}
	return NULL;
}

/* Like setter of luacode.c. */
static uint32_t
setter(const struct caller *c, uint32_t end, unsigned reg)
{
	uint32_t at = end;

	for (;; at--) {
		uint32_t i = at > 1 ? c->code[at - 1] : 0, op = OP(i);
		char kind = op < sizeof sets - 1 ? sets[op] : '.';

		if (at <= 1) /* the first is the function's header */
			return end;
		if (kind == 'b' && reg >= A(i) && (op != BC_KNIL || reg <= D(i)))
			return end;
		if (kind == 's' && reg == A(i))
			break;
	}
	at--;
	for (uint32_t i = 1; i < at; i++) {
		int64_t to = (int64_t)i + 1 + JUMP(c->code[i]);

		if (OP(c->code[i]) == BC_JMP && to > at && to <= end)
			return end;
	}
	return at;
}

/* The address of constant number i, which is collectable; 0: none. */
static uint64_t
constant(const struct caller *c, uint32_t i)
{
	if (i >= memory_u32(c->m, c->proto + PROTO_CONSTANTS_SIZE))
		return 0;
	return memory_u64(
		   c->m, memory_u64(c->m, c->proto + PROTO_CONSTANTS) - 8 * ((uint64_t)i + 1)) &
	       POINTER;
}

static uint64_t
upvalue(const struct caller *c, uint32_t i)
{
	uint64_t at = memory_u64(c->m, c->call->function + FUNCTION_UPVALUES + 8 * (uint64_t)i);

	return i >= memory_u8(c->m, c->proto + PROTO_UPVALUES_SIZE)
		   ? UINT64_MAX
		   : memory_u64(c->m, memory_u64(c->m, at + UPVALUE_VALUE));
}

static bool
upvalue_name(const struct caller *c, uint32_t i, char *name)
{
	uint64_t at = memory_u64(c->m, c->proto + PROTO_UPVALUES);

	if (at == 0 || i >= memory_u8(c->m, c->proto + PROTO_UPVALUES_SIZE))
		return false;
	for (;; i--) {
		if (!memory_string(c->m, at, name, LUA_NAME_MAX) || i == 0)
			break;
		at += strlen(name) + 1;
	}
	return i == 0 && name[0] != '\0' && strlen(name) < LUA_NAME_MAX - 1;
}

static uint64_t
environment(const struct caller *c)
{
	return TAG_TABLE << TAG_SHIFT |
	       (memory_u64(c->m, c->call->function + FUNCTION_ENVIRONMENT) & POINTER);
}

/*
 * The value in a register at an instruction, and its name unless name is NULL. Nil: it is unknown,
 * or it lacks the name that is wanted.
 */
static uint64_t
value_of(const struct caller *c, uint32_t at, unsigned reg, char *name)
{
	uint64_t value = UINT64_MAX, key = 0;

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		const char *local = variable(c, at, reg);
		uint32_t i;

		if (local != NULL) {
			if (name != NULL &&
			    (reg < c->parameters || (unsigned char)*local < VARIABLE_NAMED ||
				snprintf(name, LUA_NAME_MAX, "%s", local) >= LUA_NAME_MAX))
				return UINT64_MAX;
			return memory_u64(c->m, c->call->base + 8 * (uint64_t)reg);
		}
		i = setter(c, at, reg);
		if (i == at)
			return UINT64_MAX;
		at = i;
		i = c->code[at];
		if (OP(i) == BC_MOV) {
			reg = D(i);
			continue;
		}
		if (OP(i) == BC_UGET) {
			value = upvalue(c, D(i));
			return name == NULL || upvalue_name(c, D(i), name) ? value : UINT64_MAX;
		}
		if (OP(i) != BC_GGET && OP(i) != BC_TGETS)
			return UINT64_MAX;
		key = constant(c, OP(i) == BC_GGET ? D(i) : C(i));
		if (key == 0 || (name != NULL && !string_at(c->m, key, name)))
			return UINT64_MAX;
		return field(
		    c->m, OP(i) == BC_GGET ? environment(c) : value_of(c, at, B(i), NULL), key);
	}
	return UINT64_MAX;
}

/* True if a value's metamethod is the function that was called, also by tables of __index. */
static bool
has_metamethod(const struct caller *c, uint64_t value, const char *name)
{
	for (int i = 0; i < DEPTH_MAX; i++) {
		value = meta(c->m, value, name);
		if (!is_a(value, TAG_TABLE))
			return proto_of(c->m, value) == c->call->called;
	}
	return false;
}

/* True if one of the first two arguments has the metamethod that was called: its operands. */
static bool
is_metamethod(const struct caller *c, const char *name)
{
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++)
			if (has_metamethod(
				c, memory_u64(c->m, c->call->arguments[k] + 8 * (uint64_t)i), name))
				return true;
	return false;
}

bool
luajit_call_name(struct memory_reader *m, const struct luajit_call *call, char *name)
{
	static struct caller c;
	unsigned char b[PROTO_BYTES];
	uint64_t start, variables;
	uint32_t size, ncode, at, op;

	c.m = m;
	c.call = call;
	c.proto = memory_u64(m, call->function + FUNCTION_PC) - PROTO_BYTES;
	if (!memory_read(m, c.proto, b, sizeof b))
		return false;
	start = c.proto + PROTO_BYTES;
	memcpy(&ncode, b + PROTO_CODE_SIZE, sizeof ncode);
	memcpy(&size, b + PROTO_SIZE, sizeof size);
	memcpy(&variables, b + PROTO_VARIABLES, sizeof variables);
	c.parameters = b[PROTO_PARAMETERS];
	if (call->pc < start + 4 || call->pc % 4 != 0 || (call->pc - start) / 4 > ncode ||
	    (call->pc - start) / 4 > CODE_MAX ||
	    !memory_read(m, start, c.code, (size_t)(call->pc - start)))
		return false;
	c.nvariables = variables > c.proto && variables - c.proto < size
			   ? (size_t)(size - (variables - c.proto))
			   : 0;
	if (c.nvariables > sizeof c.variables ||
	    !memory_read(m, variables, c.variables, c.nvariables))
		c.nvariables = 0;
	at = (uint32_t)((call->pc - start) / 4) - 1;
	op = OP(c.code[at]);
	if (op == BC_CALLM || op == BC_CALL)
		return proto_of(m, value_of(&c, at, A(c.code[at]), name)) == call->called;
	if (op >= BC_CALLM || metamethods[op] == NULL || !is_metamethod(&c, metamethods[op]))
		return false;
	snprintf(name, LUA_NAME_MAX, "%s", metamethods[op]);
	return true;
}

struct search {
	struct memory_reader *m;
	const char *module; /* whose fields are read; NULL: those of package.loaded */
	void (*found)(void *arg, const char *module, const char *field, uint64_t closure);
	void *arg;
};

/* Calls each for the entries of a table whose keys are strings and whose values have that tag. */
static void
each_field(struct search *s, uint64_t table, uint64_t tag,
    void (*each)(struct search *s, const char *name, uint64_t value))
{
	uint64_t nodes = memory_u64(s->m, table + TABLE_NODES), node[3];
	uint32_t mask = memory_u32(s->m, table + TABLE_MASK);
	char name[LUA_NAME_MAX];

	for (uint32_t i = 0; i <= mask && i < NODES_MAX; i++) {
		if (!memory_read(s->m, nodes + sizeof node * (uint64_t)i, node, sizeof node))
			return;
		if (is_a(node[0], tag) && is_a(node[1], TAG_STRING) &&
		    string_at(s->m, node[1] & POINTER, name))
			each(s, name, node[0]);
	}
}

static void
found_closure(struct search *s, const char *name, uint64_t value)
{
	if (proto_of(s->m, value) != 0)
		s->found(s->arg, s->module, name, value & POINTER);
}

static void
found_module(struct search *s, const char *name, uint64_t value)
{
	s->module = name;
	each_field(s, value & POINTER, TAG_FUNCTION, found_closure);
}

void
luajit_loaded(struct memory_reader *m, uint64_t globals, unsigned n,
    void (*found)(void *arg, const char *module, const char *field, uint64_t closure), void *arg)
{
	struct search s = {.m = m, .found = found, .arg = arg};
	uint64_t word[WORDS_MAX], loaded = UINT64_MAX;

	if (n > WORDS_MAX || !memory_read(m, globals, word, n * sizeof *word))
		return;
	for (unsigned i = 0; i < n && !is_a(loaded, TAG_TABLE); i++)
		if (is_a(word[i], TAG_TABLE))
			loaded = entry(m, word[i] & POINTER, 0, "_LOADED");
	if (!is_a(loaded, TAG_TABLE))
		return;
	each_field(&s, loaded & POINTER, TAG_FUNCTION, found_closure);
	each_field(&s, loaded & POINTER, TAG_TABLE, found_module);
}
