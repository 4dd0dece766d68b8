/*
 * luacode: names of Lua functions, from the bytecode of their callers and from the tables of
 * loaded modules, as debug.traceback gives them.
 *
 * Source of layouts and of the rules: lopcodes.h, lobject.h and ldebug.c of Lua 5.4.3 to 5.4.8,
 * which have the same instructions.
 */
#include "runtime/luacode.h"

#include <stdio.h>
#include <string.h>

#define CODE_MAX 16384 /* instructions before a call */
#define VARIABLES_MAX 1024 /* local variables of a function */
#define MOVES_MAX 8 /* copies of a value between registers */
#define NODES_MAX (1 << 14) /* entries of a table */

/* Offsets of Lua 5.4 with 64-bit pointers. */
enum {
	VALUE_TAG = 8, /* TValue */
	VALUE_BYTES = 16,
	PROTO_PARAMETERS = 10, /* Proto */
	PROTO_UPVALUES_SIZE = 16,
	PROTO_CONSTANTS_SIZE = 20,
	PROTO_CODE_SIZE = 24,
	PROTO_VARIABLES_SIZE = 36,
	PROTO_CONSTANTS = 56,
	PROTO_CODE = 64,
	PROTO_UPVALUES = 80,
	PROTO_VARIABLES = 104,
	PROTO_BYTES = 112,
	UPVALUE_BYTES = 16, /* Upvaldesc: the name is first */
	STRING_TEXT = 24, /* TString */
	TABLE_LOG_NODES = 11, /* Table */
	TABLE_NODES = 24,
	TABLE_BYTES = 32,
};

enum { TAG_SHORT = 0x44, TAG_LONG = 0x54, TAG_TABLE = 0x45, TAG_CLOSURE = 0x46 };

/* Instructions of which more than the number is used. */
enum {
	OP_MOVE = 0,
	OP_LOADK = 3,
	OP_LOADNIL = 8,
	OP_GETUPVAL = 9,
	OP_GETTABUP = 11,
	OP_GETTABLE = 12,
	OP_GETFIELD = 14,
	OP_SELF = 20,
	OP_MMBIN = 46,
	OP_MMBINK = 48,
	OP_JMP = 56,
	OP_CALL = 68,
	OP_TAILCALL = 69,
	OP_TFORCALL = 76,
	OPS = 83,
};

/* 's': sets register A. */
static const char sets[OPS + 1] = "ssssssssss"
				  ".ssss....s"
				  "ssssssssss"
				  "ssssssssss"
				  "ssssss...s"
				  "ssss......"
				  ".......s.."
				  "...ss..s.s"
				  "ss.";

/* Metamethods that instructions call. */
static const char *const metamethods[OPS] = {
    [11] = "__index",
    "__index",
    "__index",
    "__index", /* GETTABUP to GETFIELD */
    "__newindex",
    "__newindex",
    "__newindex",
    "__newindex", /* SETTABUP to SETFIELD */
    [20] = "__index", /* SELF */
    [49] = "__unm",
    "__bnot",
    [52] = "__len",
    "__concat",
    "__close",
    [57] = "__eq",
    "__lt",
    "__le",
    [62] = "__lt",
    "__le",
    "__lt",
    "__le",
    [70] = "__close", /* RETURN */
};

/* Metamethods of operators, by their number from 6 on (TMS), which is C of MMBIN and the like. */
static const char *const operators[] = {"__add", "__sub", "__mul", "__mod", "__pow", "__div",
    "__idiv", "__band", "__bor", "__bxor", "__shl", "__shr"};

#define FIRST_OPERATOR 6

/* The parts of an instruction. */
#define OP(i) ((i)&0x7f)
#define A(i) ((i) >> 7 & 0xff)
#define B(i) ((i) >> 16 & 0xff)
#define C(i) ((i) >> 24)
#define K(i) (((i) >> 15 & 1) != 0)
#define BX(i) ((i) >> 15)
#define SJ(i) ((int32_t)((i) >> 7) - 0xffffff)

struct caller {
	struct memory_reader *m;
	uint64_t constants, upvalues, variables;
	uint32_t nconstant, nupvalue, nvariable;
	unsigned parameters;
	char *name;
};

static bool
string_at(struct memory_reader *m, uint64_t string, char *name)
{
	return string != 0 && memory_string(m, string + STRING_TEXT, name, LUA_NAME_MAX) &&
	       name[0] != '\0' && strlen(name) < LUA_NAME_MAX - 1;
}

static bool
is_string(unsigned tag)
{
	return tag == TAG_SHORT || tag == TAG_LONG;
}

static bool
constant(struct caller *c, uint32_t number)
{
	uint64_t at = c->constants + VALUE_BYTES * (uint64_t)number;

	return number < c->nconstant && is_string(memory_u8(c->m, at + VALUE_TAG)) &&
	       string_at(c->m, memory_u64(c->m, at), c->name);
}

static bool
upvalue(struct caller *c, uint32_t number)
{
	return number < c->nupvalue &&
	       string_at(
		   c->m, memory_u64(c->m, c->upvalues + UPVALUE_BYTES * (uint64_t)number), c->name);
}

/* The address of the name of the local variable in a register at an instruction; 0: it has none. */
static uint64_t
variable(struct caller *c, unsigned reg, uint32_t at)
{
	struct {
		uint64_t name;
		int32_t start, end;
	} v;

	for (uint32_t i = 0; i < c->nvariable; i++) {
		if (!memory_read(c->m, c->variables + sizeof v * (uint64_t)i, &v, sizeof v) ||
		    v.start > (int32_t)at)
			return 0;
		if ((int32_t)at < v.end && reg-- == 0)
			return v.name;
	}
	return 0;
}

static bool
sets_register(uint32_t i, unsigned reg)
{
	switch (OP(i)) {
	case OP_LOADNIL: return reg >= A(i) && reg - A(i) <= B(i);
	case OP_TFORCALL: return reg >= A(i) + 2;
	case OP_CALL:
	case OP_TAILCALL: return reg >= A(i);
	default: return OP(i) < OPS && sets[OP(i)] == 's' && reg == A(i);
	}
}

/*
 * The last instruction before number `end` that sets a register; end: there is none, or a jump may
 * have passed it.
 */
static uint32_t
setter(const uint32_t *code, uint32_t end, unsigned reg)
{
	uint32_t at = end;

	while (at > 0 && !sets_register(code[at - 1], reg))
		at--;
	if (at == 0)
		return end;
	at--;
	for (uint32_t i = 0; i < at; i++) {
		int64_t to = (int64_t)i + 1 + SJ(code[i]);

		if (OP(code[i]) == OP_JMP && to > at && to <= end)
			return end;
	}
	return at;
}

/* The name of the value in a register at instruction number at. */
static bool
register_name(struct caller *c, const uint32_t *code, uint32_t at, unsigned reg)
{
	for (int moves = 0; moves < MOVES_MAX; moves++) {
		uint64_t local = variable(c, reg, at);
		uint32_t set, i;

		if (local != 0)
			return reg >= c->parameters && string_at(c->m, local, c->name);
		set = setter(code, at, reg);
		if (set == at)
			return false;
		i = code[set];
		switch (OP(i)) {
		case OP_MOVE:
			if (B(i) >= A(i))
				return false;
			reg = B(i);
			at = set;
			continue;
		case OP_GETTABUP:
		case OP_GETFIELD: return constant(c, C(i));
		case OP_GETUPVAL: return upvalue(c, B(i));
		case OP_LOADK: return constant(c, BX(i));
		case OP_SELF:
			if (K(i))
				return constant(c, C(i));
			/* FALLTHROUGH */
		case OP_GETTABLE: /* only a constant key is a name */
			at = set;
			set = setter(code, at, C(i));
			return set < at && variable(c, C(i), at) == 0 &&
			       OP(code[set]) == OP_LOADK && constant(c, BX(code[set]));
		default: return false;
		}
	}
	return false;
}

bool
lua_call_name(struct memory_reader *m, uint64_t proto, uint64_t pc, char *name)
{
	static uint32_t code[CODE_MAX];
	unsigned char b[PROTO_BYTES];
	struct caller c = {.m = m, .name = name};
	const char *called = NULL;
	uint32_t size, at, i;
	uint64_t start;

	if (!memory_read(m, proto, b, sizeof b))
		return false;
	memcpy(&start, b + PROTO_CODE, sizeof start);
	memcpy(&size, b + PROTO_CODE_SIZE, sizeof size);
	memcpy(&c.constants, b + PROTO_CONSTANTS, sizeof c.constants);
	memcpy(&c.upvalues, b + PROTO_UPVALUES, sizeof c.upvalues);
	memcpy(&c.variables, b + PROTO_VARIABLES, sizeof c.variables);
	memcpy(&c.nconstant, b + PROTO_CONSTANTS_SIZE, sizeof c.nconstant);
	memcpy(&c.nupvalue, b + PROTO_UPVALUES_SIZE, sizeof c.nupvalue);
	memcpy(&c.nvariable, b + PROTO_VARIABLES_SIZE, sizeof c.nvariable);
	c.parameters = b[PROTO_PARAMETERS];
	if (c.nvariable > VARIABLES_MAX)
		return false;
	if (pc < start + 4 || pc % 4 != 0 || (pc - start) / 4 > CODE_MAX ||
	    (pc - start) / 4 > size || !memory_read(m, start, code, (size_t)(pc - start)))
		return false;
	at = (uint32_t)((pc - start) / 4) - 1;
	i = code[at];
	if (OP(i) == OP_CALL || OP(i) == OP_TAILCALL)
		return register_name(&c, code, at, A(i));
	if (OP(i) >= OP_MMBIN && OP(i) <= OP_MMBINK) {
		if (C(i) - FIRST_OPERATOR < sizeof operators / sizeof *operators)
			called = operators[C(i) - FIRST_OPERATOR];
	} else if (OP(i) < OPS) {
		called = metamethods[OP(i)];
	}
	if (called != NULL)
		snprintf(name, LUA_NAME_MAX, "%s", called);
	return called != NULL;
}

/* An entry of a table: Node. */
struct node {
	uint64_t value;
	uint8_t tag, key_tag;
	int32_t next;
	uint64_t key;
};

struct search {
	struct memory_reader *m;
	const char *module; /* whose fields are read; NULL: those of package.loaded */
	uint64_t loaded;
	void (*found)(void *arg, const char *module, const char *field, uint64_t closure);
	void *arg;
};

/* Calls each for the entries of a table whose keys are strings and whose values have that tag. */
static void
each_field(struct search *s, uint64_t table, unsigned tag,
    void (*each)(struct search *s, const char *name, uint64_t value))
{
	unsigned char b[TABLE_BYTES];
	char name[LUA_NAME_MAX];
	uint64_t nodes;

	if (!memory_read(s->m, table, b, sizeof b) || b[TABLE_LOG_NODES] > 30)
		return;
	memcpy(&nodes, b + TABLE_NODES, sizeof nodes);
	for (uint32_t i = 0, n = UINT32_C(1) << b[TABLE_LOG_NODES]; i < n && i < NODES_MAX; i++) {
		struct node node;

		if (!memory_read(s->m, nodes + sizeof node * (uint64_t)i, &node, sizeof node))
			return;
		if (node.tag == tag && is_string(node.key_tag) && string_at(s->m, node.key, name))
			each(s, name, node.value);
	}
}

static void
take_closure(struct search *s, const char *name, uint64_t closure)
{
	s->found(s->arg, s->module, name, closure);
}

static void
take_module(struct search *s, const char *name, uint64_t table)
{
	s->module = name;
	each_field(s, table, TAG_CLOSURE, take_closure);
}

static void
take_registry(struct search *s, const char *name, uint64_t table)
{
	if (strcmp(name, "_LOADED") == 0)
		s->loaded = table;
}

void
lua_loaded(struct memory_reader *m, uint64_t registry,
    void (*found)(void *arg, const char *module, const char *field, uint64_t closure), void *arg)
{
	struct search s = {.m = m, .found = found, .arg = arg};

	each_field(&s, registry, TAG_TABLE, take_registry);
	if (s.loaded == 0)
		return;
	each_field(&s, s.loaded, TAG_CLOSURE, take_closure);
	each_field(&s, s.loaded, TAG_TABLE, take_module);
}
