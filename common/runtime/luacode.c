/*
 * luacode: names of Lua functions, from the bytecode of their callers and from the tables of
 * loaded modules, as debug.traceback gives them.
 *
 * Source of layouts and of the rules: lopcodes.h, lobject.h, lstate.h and ldebug.c of each version.
 */
#include "runtime/luacode.h"

#include <stdio.h>
#include <string.h>

#define CODE_MAX 16384 /* instructions before a call */
#define VARIABLES_MAX 1024 /* local variables of a function */
#define MOVES_MAX 8 /* copies of a value between registers */
#define NODES_MAX (1 << 14) /* entries of a table */

/* Offsets that all versions share. */
enum {
	VALUE_TAG = 8, /* TValue */
	VALUE_BYTES = 16,
	PROTO_BYTES = 128, /* Proto, at least */
	STRING_TEXT = 24, /* TString */
	TABLE_LOG_NODES = 11, /* Table */
	NODE_BYTES = 40, /* Node, at most; the value is first */
};

enum { TAG_SHORT = 0x44, TAG_LONG = 0x54, TAG_TABLE = 0x45, TAG_CLOSURE = 0x46 };
enum { OLD_STRING = 4, OLD_TABLE = 5, OLD_FUNCTION = 6, OLD_CALL = 28 }; /* 5.1 */

/* Instructions of which more than the number is used. */
enum op {
	OP_OTHER,
	OP_MOVE,
	OP_LOADK,
	OP_LOADNIL,
	OP_GETUPVAL,
	OP_GETGLOBAL,
	OP_GETFIELD, /* and GETTABUP: the key is a constant, or in 5.3 also a register */
	OP_GETTABLE, /* the key is a register */
	OP_SELF,
	OP_OPERATOR, /* MMBIN: C has the operator */
	OP_JMP,
	OP_CALL, /* and TAILCALL */
	OP_TFORCALL,
};

#define OPS 83

struct lua_set {
	/* By instruction, 's': it sets register A. */
	const char *sets;
	uint8_t op[OPS]; /* enum op */
	const char *metamethod[OPS]; /* that it calls */
	uint8_t bits; /* of the instruction's number */
	uint8_t wide; /* bits of B and C */
	uint8_t a, b, c, bx; /* their first bits */
	uint8_t upvalue_bytes; /* Upvaldesc, or a string: the name is first */
	bool nil_until; /* LOADNIL has the last register, not their number */
};

static const struct lua_set set_5_1 = {
    .sets = "sssssss...ss"
	    "ssssss"
	    "ssss....."
	    ".s...ss.s.ss",
    .op = {OP_MOVE, OP_LOADK, [3] = OP_LOADNIL, OP_GETUPVAL, OP_GETGLOBAL,
	OP_GETFIELD, [11] = OP_SELF, [22] = OP_JMP, [28] = OP_CALL, OP_CALL, [33] = OP_TFORCALL},
    .metamethod = {[5] = "__index",
	"__index",
	"__newindex",
	[9] = "__newindex",
	[11] = "__index",
	"__add",
	"__sub",
	"__mul",
	"__div",
	"__mod",
	"__pow",
	"__unm",
	[20] = "__len",
	"__concat",
	[23] = "__eq",
	"__lt",
	"__le"},
    .bits = 6,
    .wide = 9,
    .a = 6,
    .b = 23,
    .c = 14,
    .bx = 14,
    .upvalue_bytes = 8,
    .nil_until = true,
};

static const struct lua_set set_5_2 = {
    .sets = "ssssssss...ss"
	    "ssssss"
	    "ssss....."
	    "s...ss.s.ss.",
    .op = {OP_MOVE, OP_LOADK, [4] = OP_LOADNIL, OP_GETUPVAL, OP_GETFIELD,
	OP_GETFIELD, [12] = OP_SELF, [23] = OP_JMP, [29] = OP_CALL, OP_CALL, [34] = OP_TFORCALL},
    .metamethod = {[6] = "__index",
	"__index",
	"__newindex",
	[10] = "__newindex",
	[12] = "__index",
	"__add",
	"__sub",
	"__mul",
	"__div",
	"__mod",
	"__pow",
	"__unm",
	[21] = "__len",
	"__concat",
	[24] = "__eq",
	"__lt",
	"__le"},
    .bits = 6,
    .wide = 9,
    .a = 6,
    .b = 23,
    .c = 14,
    .bx = 14,
    .upvalue_bytes = 16,
};

static const struct lua_set set_5_3 = {
    .sets = "ssssssss...ss"
	    "ssssssssssss"
	    "sssss....."
	    "s...ss.s.ss.",
    .op = {OP_MOVE, OP_LOADK, [4] = OP_LOADNIL, OP_GETUPVAL, OP_GETFIELD,
	OP_GETFIELD, [12] = OP_SELF, [30] = OP_JMP, [36] = OP_CALL, OP_CALL, [41] = OP_TFORCALL},
    .metamethod = {[6] = "__index",
	"__index",
	"__newindex",
	[10] = "__newindex",
	[12] = "__index",
	"__add",
	"__sub",
	"__mul",
	"__mod",
	"__pow",
	"__div",
	"__idiv",
	"__band",
	"__bor",
	"__bxor",
	"__shl",
	"__shr",
	"__unm",
	"__bnot",
	[28] = "__len",
	"__concat",
	[31] = "__eq",
	"__lt",
	"__le"},
    .bits = 6,
    .wide = 9,
    .a = 6,
    .b = 23,
    .c = 14,
    .bx = 14,
    .upvalue_bytes = 16,
};

static const struct lua_set set_5_4 = {
    .sets = "ssssssssss"
	    ".ssss....s"
	    "ssssssssss"
	    "ssssssssss"
	    "ssssss...s"
	    "ssss......"
	    ".......s.."
	    "...ss..s.s"
	    "ss.",
    .op = {OP_MOVE, [3] = OP_LOADK, [8] = OP_LOADNIL, OP_GETUPVAL, [11] = OP_GETFIELD,
	OP_GETTABLE, [14] = OP_GETFIELD, [20] = OP_SELF, [46] = OP_OPERATOR, OP_OPERATOR,
	OP_OPERATOR, [56] = OP_JMP, [68] = OP_CALL, OP_CALL, [76] = OP_TFORCALL},
    .metamethod = {[11] = "__index",
	"__index",
	"__index",
	"__index",
	"__newindex",
	"__newindex",
	"__newindex",
	"__newindex",
	[20] = "__index",
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
	[70] = "__close"},
    .bits = 7,
    .wide = 8,
    .a = 7,
    .b = 16,
    .c = 24,
    .bx = 15,
    .upvalue_bytes = 16,
};

/* share/offsets/lua.c prints these rows. */
static const struct lua_layout layouts[] = {
    {"5.1.", '5', '5', {32, 40, 80, 48}, {160, 176}, {8, 40, 24, 36, 0, 0, 0, 0, 65535, 0}, 32,
	{113, 72, 72, 76, 80, 84, 92, 96, 16, 24, 40, 48, 56, 64, 0, 0}, {32, 40, 16, 24},
	&set_5_1},
    {"5.2.", '4', '4', {24, 32, 128, 0}, {64, 264}, {0, 0, 56, 34, 0, 1, 0, 4, 64, 2}, 24,
	{120, 80, 80, 84, 88, 92, 100, 104, 16, 24, 40, 48, 56, 72, 0, 0}, {24, 40, 16, 24},
	&set_5_2},
    {"5.3.", '2', '6', {24, 32, 96, 0}, {64, 200}, {0, 0, 40, 66, 0, 2, 8, 0, 32, 4 | 256}, 24,
	{10, 16, 16, 20, 24, 28, 36, 40, 48, 56, 72, 80, 88, 104, 0, 0}, {24, 32, 16, 24},
	&set_5_3},
    {"5.4.", '2', '2', {24, 32, 88, 0}, {64, 264}, {0, 0, 32, 62, 2, 0, 4, 0, 32, 8 | 128}, 24,
	{10, 16, 16, 20, 24, 28, 36, 44, 56, 64, 88, 104, 80, 112, 40, 96}, {24, 24, 16, 9},
	&set_5_4},
    {"5.4.", '3', '9', {24, 32, 96, 0}, {64, 264}, {0, 0, 32, 62, 2, 0, 4, 0, 32, 8 | 128}, 24,
	{10, 16, 16, 20, 24, 28, 36, 44, 56, 64, 88, 104, 80, 112, 40, 96}, {24, 24, 16, 9},
	&set_5_4},
};

const struct lua_layout *
lua_layout_of(const char *version)
{
	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
		size_t n = strlen(layouts[i].version);

		if (strncmp(version, layouts[i].version, n) == 0 &&
		    version[n] >= layouts[i].first && version[n] <= layouts[i].last)
			return &layouts[i];
	}
	return NULL;
}

unsigned
lua_tag_closure(const struct lua_layout *l)
{
	return l->call.bytes != 0 ? OLD_FUNCTION : TAG_CLOSURE;
}

static unsigned
tag_table(const struct lua_layout *l)
{
	return l->call.bytes != 0 ? OLD_TABLE : TAG_TABLE;
}

/* Metamethods of operators, by their number from 6 on (TMS), which is C of MMBIN and the like. */
static const char *const operators[] = {"__add", "__sub", "__mul", "__mod", "__pow", "__div",
    "__idiv", "__band", "__bor", "__bxor", "__shl", "__shr"};

#define FIRST_OPERATOR 6

/* The parts of an instruction. */
static uint32_t
number_of(const struct lua_set *s, uint32_t i)
{
	uint32_t number = i & ((UINT32_C(1) << s->bits) - 1);

	return number < OPS ? number : OPS - 1;
}

static uint32_t
a_of(const struct lua_set *s, uint32_t i)
{
	return i >> s->a & 0xff;
}

static uint32_t
b_of(const struct lua_set *s, uint32_t i)
{
	return i >> s->b & ((UINT32_C(1) << s->wide) - 1);
}

static uint32_t
c_of(const struct lua_set *s, uint32_t i)
{
	return i >> s->c & ((UINT32_C(1) << s->wide) - 1);
}

/* The distance of a jump: sJ in 5.4, sBx before that. */
static int32_t
jump_of(const struct lua_set *s, uint32_t i)
{
	unsigned first = s->bits == 7 ? s->a : s->bx;

	return (int32_t)(i >> first) - (int32_t)((UINT32_C(1) << (32 - first)) / 2 - 1);
}

bool
lua_calls_slot(struct memory_reader *m, uint64_t pc, uint64_t base, uint64_t slot)
{
	const uint32_t i = memory_u32(m, pc - 4);

	return number_of(&set_5_1, i) == OLD_CALL &&
	       slot == base + VALUE_BYTES * (uint64_t)a_of(&set_5_1, i);
}

struct caller {
	struct memory_reader *m;
	const struct lua_set *set;
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
	return tag == TAG_SHORT || tag == TAG_LONG || tag == OLD_STRING;
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
	       string_at(c->m,
		   memory_u64(c->m, c->upvalues + c->set->upvalue_bytes * (uint64_t)number),
		   c->name);
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
sets_register(const struct lua_set *s, uint32_t i, unsigned reg)
{
	uint32_t number = number_of(s, i), a = a_of(s, i);

	switch (s->op[number]) {
	case OP_LOADNIL: return reg >= a && reg - (s->nil_until ? 0 : a) <= b_of(s, i);
	case OP_TFORCALL: return reg >= a + 2;
	case OP_CALL: return reg >= a;
	default: return number < strlen(s->sets) && s->sets[number] == 's' && reg == a;
	}
}

/*
 * The last instruction before number `end` that sets a register; end: there is none, or a jump may
 * have passed it.
 */
static uint32_t
setter(const struct lua_set *s, const uint32_t *code, uint32_t end, unsigned reg)
{
	uint32_t at = end;

	while (at > 0 && !sets_register(s, code[at - 1], reg))
		at--;
	if (at == 0)
		return end;
	at--;
	for (uint32_t i = 0; i < at; i++) {
		int64_t to = (int64_t)i + 1 + jump_of(s, code[i]);

		if (s->op[number_of(s, code[i])] == OP_JMP && to > at && to <= end)
			return end;
	}
	return at;
}

/* The name of a key in a register: a constant. */
static bool
register_key(struct caller *c, const uint32_t *code, uint32_t at, unsigned reg)
{
	uint32_t set = setter(c->set, code, at, reg);

	return set < at && variable(c, reg, at) == 0 &&
	       c->set->op[number_of(c->set, code[set])] == OP_LOADK &&
	       constant(c, code[set] >> c->set->bx);
}

/* The name of the key C of instruction number at: a constant, or in a register. */
static bool
key(struct caller *c, const uint32_t *code, uint32_t at, bool is_constant)
{
	const uint32_t k = c_of(c->set, code[at]), flag = UINT32_C(1) << 8;

	if (c->set->wide == 9) /* BITRK */
		return (k & flag) != 0 ? constant(c, k - flag) : register_key(c, code, at, k);
	return is_constant ? constant(c, k) : register_key(c, code, at, k);
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
		set = setter(c->set, code, at, reg);
		if (set == at)
			return false;
		i = code[set];
		switch (c->set->op[number_of(c->set, i)]) {
		case OP_MOVE:
			if (b_of(c->set, i) >= a_of(c->set, i))
				return false;
			reg = b_of(c->set, i);
			at = set;
			continue;
		case OP_GETFIELD: return key(c, code, set, true);
		case OP_GETTABLE: return key(c, code, set, false);
		case OP_SELF: return key(c, code, set, (i >> 15 & 1) != 0);
		case OP_GETUPVAL: return upvalue(c, b_of(c->set, i));
		case OP_GETGLOBAL:
		case OP_LOADK: return constant(c, i >> c->set->bx);
		default: return false;
		}
	}
	return false;
}

bool
lua_call_name(
    struct memory_reader *m, const struct lua_layout *l, uint64_t proto, uint64_t pc, char *name)
{
	static uint32_t code[CODE_MAX];
	unsigned char b[PROTO_BYTES];
	struct caller c = {.m = m, .set = l->set, .name = name};
	const char *called = NULL;
	uint32_t size, at, i, number;
	uint64_t start;

	if (!memory_read(m, proto, b, sizeof b))
		return false;
	memcpy(&start, b + l->proto.code, sizeof start);
	memcpy(&size, b + l->proto.code_size, sizeof size);
	memcpy(&c.constants, b + l->proto.constants, sizeof c.constants);
	memcpy(&c.upvalues, b + l->proto.upvalues, sizeof c.upvalues);
	memcpy(&c.variables, b + l->proto.variables, sizeof c.variables);
	memcpy(&c.nconstant, b + l->proto.constants_size, sizeof c.nconstant);
	memcpy(&c.nupvalue, b + l->proto.upvalues_size, sizeof c.nupvalue);
	memcpy(&c.nvariable, b + l->proto.variables_size, sizeof c.nvariable);
	c.parameters = b[l->proto.parameters];
	if (c.nvariable > VARIABLES_MAX)
		return false;
	if (pc < start + 4 || pc % 4 != 0 || (pc - start) / 4 > CODE_MAX ||
	    (pc - start) / 4 > size || !memory_read(m, start, code, (size_t)(pc - start)))
		return false;
	at = (uint32_t)((pc - start) / 4) - 1;
	i = code[at];
	number = number_of(l->set, i);
	if (l->set->op[number] == OP_CALL)
		return register_name(&c, code, at, a_of(l->set, i));
	if (l->set->op[number] != OP_OPERATOR)
		called = l->set->metamethod[number];
	else if (c_of(l->set, i) - FIRST_OPERATOR < sizeof operators / sizeof *operators)
		called = operators[c_of(l->set, i) - FIRST_OPERATOR];
	if (called != NULL)
		snprintf(name, LUA_NAME_MAX, "%s", called);
	return called != NULL;
}

struct search {
	struct memory_reader *m;
	const struct lua_layout *l;
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
	unsigned char node[NODE_BYTES];
	uint64_t nodes = memory_u64(s->m, table + s->l->table.nodes), value, name_at;
	unsigned bits = memory_u8(s->m, table + TABLE_LOG_NODES);
	char name[LUA_NAME_MAX];

	for (uint32_t i = 0; bits < 31 && i < UINT32_C(1) << bits && i < NODES_MAX; i++) {
		if (!memory_read(s->m, nodes + (uint64_t)s->l->table.node_size * i, node,
			s->l->table.node_size))
			return;
		memcpy(&value, node, sizeof value);
		memcpy(&name_at, node + s->l->table.key, sizeof name_at);
		if (node[VALUE_TAG] == tag && is_string(node[s->l->table.key_tag]) &&
		    string_at(s->m, name_at, name))
			each(s, name, value);
	}
}

static void
found_closure(struct search *s, const char *name, uint64_t closure)
{
	s->found(s->arg, s->module, name, closure);
}

static void
found_module(struct search *s, const char *name, uint64_t table)
{
	s->module = name;
	each_field(s, table, lua_tag_closure(s->l), found_closure);
}

static void
found_registry(struct search *s, const char *name, uint64_t table)
{
	if (strcmp(name, "_LOADED") == 0)
		s->loaded = table;
}

void
lua_loaded(struct memory_reader *m, const struct lua_layout *l, uint64_t registry,
    void (*found)(void *arg, const char *module, const char *field, uint64_t closure), void *arg)
{
	struct search s = {.m = m, .l = l, .found = found, .arg = arg};

	each_field(&s, registry, tag_table(l), found_registry);
	if (s.loaded == 0)
		return;
	each_field(&s, s.loaded, lua_tag_closure(l), found_closure);
	each_field(&s, s.loaded, tag_table(l), found_module);
}
