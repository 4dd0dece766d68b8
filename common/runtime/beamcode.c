/*
 * beamcode: searches the table of modules (beam_ranges.c), a module's functions, atoms and line
 * tables.
 */
#include "runtime/beamcode.h"

#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/utf8.h"

/*
 * Offsets of OTP 24 to 29 on 64-bit machines with the JIT. Source of each: the header below
 * erts/emulator/beam, and 13.1.5 and 15.2.7 as Debian compiles them (the named function's code, or
 * the contents of a process).
 */
enum {
	/* index.h and atom.h; code of atom_alloc */
	ATOM_SEGMENTS = 120, /* IndexTable.seg_table */
	ATOM_LENGTH = 24, /* Atom.len, 16 bits */
	ATOM_NAME = 32,
	SEGMENT_BITS = 10, /* INDEX_PAGE_SHIFT */
	/* beam_ranges.c: struct ranges; code of erts_lookup_function_info */
	RANGES_SIZE = 32,
	RANGES_COUNT = 8,
	/* beam_code.h: BeamCodeHeader; the same code */
	CODE_COMPILE = 32, /* compile_ptr, compile_size: options and source file */
	CODE_LINES = 72,
	/* code_ix.h: ErtsCodeInfo */
	INFO_MFA = 16,
	INFO_SIZE = 40,
	/* beam_code.h: BeamCodeLineTab */
	LINES_SIZE = 8, /* bytes of a location */
	LINES_TABLE = 16,
	LINES_FUNCTIONS = 24,
};

#define MODULES_MAX (1 << 16)
#define FUNCTIONS_MAX (1 << 16) /* of a module */
#define ARITY_MAX 255
#define LINE_CODES 4096 /* of a function */
#define TEXT_MAX 512 /* bytes of a file name */
#define CALLER (UINT64_C(1) << 63) /* in the cache, marks a return address */
#define INFO_MAX 8192 /* bytes of compile information */
#define SEARCHED 64 /* bytes of a function that are searched for an address */

/* Where BeamCodeHeader.functions is searched: 96 in OTP 25, 136 in 27. */
#define FUNCTIONS_FIRST 80
#define FUNCTIONS_LAST 256
#define FUNCTIONS_READ 3

struct code { /* a module's code */
	uint64_t start, end;
};

struct function {
	uint64_t header; /* BeamCodeHeader of its module */
	uint32_t index;
	uint64_t info; /* ErtsCodeInfo */
};

/*
 * The table `ranges`, a static variable, of which the function takes the address first that
 * erts_lookup_function_info calls first.
 */
static uint64_t
find_ranges(const struct runtime_module *m, const struct beam_cpu *cpu)
{
	uint64_t at = runtime_symbol(m, "erts_lookup_function_info", NULL);
	const unsigned char *b = at == 0 ? NULL : runtime_file_bytes(m, at, SEARCHED);

	at = b == NULL ? 0 : cpu->called(b, SEARCHED, at);
	b = at == 0 ? NULL : runtime_file_bytes(m, at, SEARCHED);
	return b == NULL ? 0 : cpu->taken(b, SEARCHED, at);
}

/* The active table of modules is sorted by address. */
bool
beam_code_begin(struct beam_code *c)
{
	struct memory_reader *m = c->memory;
	uint64_t table = c->ranges + RANGES_SIZE * (uint64_t)memory_u32(m, c->index), n;
	struct code first, last;

	memset(c->cache, 0, sizeof c->cache);
	c->modules = memory_u64(m, table);
	n = memory_u64(m, table + RANGES_COUNT);
	if (c->modules == 0 || n == 0 || n > MODULES_MAX ||
	    !memory_read(m, c->modules, &first, sizeof first) ||
	    !memory_read(m, c->modules + (n - 1) * sizeof last, &last, sizeof last))
		return false;
	c->nmodules = (uint32_t)n;
	c->low = first.start;
	c->high = last.end;
	return c->low < c->high;
}

uint64_t
beam_code_since(struct beam_code *c)
{
	unsigned char part[MEMORY_PAGE];
	uint64_t key[3] = {memory_u32(c->memory, c->index), c->modules, 0}, stamp;
	const size_t size = c->nmodules * sizeof(struct code);

	for (size_t done = 0; done < size; done += sizeof part) {
		const size_t n = size - done < sizeof part ? size - done : sizeof part;

		if (!memory_read(c->memory, c->modules + done, part, n))
			return UINT64_MAX;
		key[2] = hash_number(key[2]) ^ hash_bytes(part, n);
	}
	stamp = hash_bytes(key, sizeof key);
	if (c->since == 0 || stamp != c->stamp) {
		c->stamp = stamp;
		c->since = clock_ns(CLOCK_MONOTONIC);
	}
	return c->since;
}

bool
beam_code_is_still(const struct beam_code *c)
{
	struct memory_reader *m = c->memory;

	return memory_is_still(m, c->index, memory_u64(m, c->index));
}

/*
 * Finds pc in a table of n ranges, sorted by address: each is two addresses, `step` bytes after
 * those of the one before. False if there is none.
 */
static bool
find_range(struct beam_code *c, uint64_t table, uint64_t step, uint32_t n, uint64_t pc,
    uint64_t range[2], uint32_t *index)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		*index = low + (high - low) / 2;
		if (!memory_read(c->memory, table + step * *index, range, 16))
			return false;
		if (pc < range[0])
			high = *index;
		else if (pc >= range[1])
			low = *index + 1;
		else
			return true;
	}
	return false;
}

static bool
find_function(struct beam_code *c, uint64_t pc, struct function *f)
{
	uint64_t module[2], range[2], n;
	uint32_t index;

	if (pc < c->low || pc >= c->high ||
	    !find_range(c, c->modules, sizeof module, c->nmodules, pc, module, &index))
		return false;
	n = memory_u64(c->memory, module[0]);
	if (n > FUNCTIONS_MAX ||
	    !find_range(c, module[0] + c->functions, sizeof *range, (uint32_t)n, pc, range, &index))
		return false;
	*f = (struct function){module[0], index, range[0]};
	return true;
}

/* Appends an atom's name. The term's six lowest bits are its tag. */
static bool
add_atom(struct beam_code *c, uint64_t atom, struct text *t)
{
	struct memory_reader *m = c->memory;
	uint64_t index = atom >> 6, segments = memory_u64(m, c->atoms + ATOM_SEGMENTS), at;
	char name[4 * 255];
	uint16_t n = 0;

	if ((atom & 63) != 0x0b || atom >> 32 != 0)
		return false;
	at = memory_u64(m, segments + 8 * (index >> SEGMENT_BITS));
	at = memory_u64(m, at + 8 * (index & ((1 << SEGMENT_BITS) - 1)));
	if (at == 0 || !memory_read(m, at + ATOM_LENGTH, &n, sizeof n) || n == 0 ||
	    n > sizeof name || !memory_read(m, memory_u64(m, at + ATOM_NAME), name, n))
		return false;
	text_add(t, name, n);
	return true;
}

/* Appends a string: a list of characters. */
static void
add_string(struct beam_code *c, uint64_t list, struct text *t)
{
	uint64_t cell[2];

	for (int i = 0; i < TEXT_MAX && (list & 3) == 1; i++) {
		if (!memory_read(c->memory, list - 1, cell, sizeof cell) || (cell[0] & 15) != 15)
			return;
		utf8_add(t, (uint32_t)(cell[0] >> 4));
		list = cell[1];
	}
}

/*
 * The path of a module's source file: {source,"..."} of its compile information, in the external
 * term format, where 'k' is a string with a length of 16 bits. Empty if there is none.
 */
static struct str
source_of(struct beam_code *c, uint64_t header, unsigned char to[INFO_MAX])
{
	static const char key[] = "\6sourcek";
	struct memory_reader *m = c->memory;
	uint64_t size = memory_u64(m, header + CODE_COMPILE + 8);
	const unsigned char *at;
	size_t n, left;

	if (size > INFO_MAX || !memory_read(m, memory_u64(m, header + CODE_COMPILE), to, size) ||
	    (at = memmem(to, size, key, sizeof key - 1)) == NULL)
		return (struct str){0};
	at += sizeof key - 1;
	left = size - (size_t)(at - to);
	if (left < 2 || (n = (size_t)at[0] << 8 | at[1]) > left - 2 || n > TEXT_MAX)
		return (struct str){0};
	return (struct str){(const char *)at + 2, n};
}

/*
 * The path of file number `file` of a module: 0 is the module's name with .erl. File names are
 * as given to the compiler; the module's source has the full path.
 */
static void
add_path(struct beam_code *c, const struct function *f, uint64_t lines, uint32_t file,
    uint64_t module, struct text *t)
{
	static unsigned char info[INFO_MAX];
	struct memory_reader *m = c->memory;
	struct str source = source_of(c, f->header, info);

	if (file > 0) {
		uint64_t names = memory_u64(m, lines);

		add_string(c, memory_u64(m, names + 8 * (uint64_t)(file - 1)), t);
	} else if (add_atom(c, module, t)) {
		text_puts(t, ".erl");
	}
	if (t->len == 0 || t->s[0] == '/' || source.len == 0)
		return;
	if (str_equal(str_base(text_as_str(t)), str_base(source))) {
		t->len = 0;
		text_str(t, source);
	}
}

/* A location of a line table: file in the upper 8 bits, line in the others; 0: none. */
static uint32_t
location(struct beam_code *c, uint64_t lines, uint64_t index)
{
	struct memory_reader *m = c->memory;
	uint32_t size = memory_u32(m, lines + LINES_SIZE), v = 0;

	if ((size != 2 && size != 4) ||
	    !memory_read(m, memory_u64(m, lines + LINES_TABLE) + size * index, &v, size))
		return 0;
	return v;
}

/* The locations of a function's first line and of pc. */
static void
find_lines(struct beam_code *c, const struct function *f, uint64_t lines, uint64_t pc,
    uint32_t *first, uint32_t *ran)
{
	struct memory_reader *m = c->memory;
	uint64_t of[2], all = memory_u64(m, lines + LINES_FUNCTIONS), low, high;

	*first = *ran = 0;
	if (!memory_read(m, lines + LINES_FUNCTIONS + 8 * (uint64_t)f->index, of, sizeof of) ||
	    all == 0 || of[0] < all || of[1] <= of[0] || (of[1] - of[0]) / 8 > LINE_CODES)
		return;
	*first = location(c, lines, (of[0] - all) / 8);
	low = of[0];
	high = of[1];
	while (low < high) { /* the last one that starts at or before pc */
		uint64_t middle = low + (high - low) / 16 * 8;

		if (memory_u64(m, middle) <= pc)
			low = middle + 8;
		else
			high = middle;
	}
	if (low > of[0])
		*ran = location(c, lines, (low - 8 - all) / 8);
}

/* The name of the function at pc, a byte of its code; 0: none. */
static uint32_t
name_of(struct beam_code *c, uint64_t pc)
{
	static struct text name, path;
	struct memory_reader *m = c->memory;
	uint64_t mfa[3], lines;
	uint32_t first = 0, ran = 0;
	struct function f;

	name.len = path.len = 0;
	if (!find_function(c, pc, &f) || !memory_read(m, f.info + INFO_MFA, mfa, sizeof mfa) ||
	    mfa[2] > ARITY_MAX || !add_atom(c, mfa[0], &name))
		return 0;
	text_char(&name, ':');
	if (!add_atom(c, mfa[1], &name))
		return 0;
	text_printf(&name, "/%u", (unsigned)mfa[2]);
	lines = memory_u64(m, f.header + CODE_LINES);
	if (lines != 0)
		find_lines(c, &f, lines, pc, &first, &ran);
	add_path(c, &f, lines, first >> 24, mfa[0], &path);
	return script_name_add(c->process->names, text_as_str(&name), text_as_str(&path),
	    first & 0xffffff, c->process->lines && ran >> 24 == first >> 24 ? ran & 0xffffff : 0);
}

static size_t
slot_of(uint64_t address)
{
	return (size_t)(address ^ address >> 8) % BEAM_CACHE;
}

uint32_t
beam_code_name(struct beam_code *c, uint64_t pc)
{
	size_t slot = slot_of(pc);

	if (c->cache[slot].address != pc) {
		c->cache[slot].address = pc;
		c->cache[slot].name = name_of(c, pc);
	}
	return c->cache[slot].name;
}

uint32_t
beam_code_caller(struct beam_code *c, uint64_t address, bool *header)
{
	const uint64_t key = address | CALLER;
	size_t slot = slot_of(address);
	struct function f;

	if (c->cache[slot].address != key) {
		c->cache[slot].address = key;
		/* The start of a header can also be the end of the function before it. */
		c->cache[slot].header = find_function(c, address, &f) && address > f.info &&
					address < f.info + INFO_SIZE;
		c->cache[slot].name = c->cache[slot].header ? 0 : name_of(c, address - 1);
	}
	*header = c->cache[slot].header;
	return c->cache[slot].name;
}

/* True if the first functions of the first module have names, as an offset of them reads these. */
static bool
names_functions(struct beam_code *c, uint64_t offset)
{
	uint64_t module[2], at = c->low, next;

	c->functions = offset;
	if (!memory_read(c->memory, c->modules, module, sizeof module))
		return false;
	for (uint64_t i = 0; i < FUNCTIONS_READ; i++, at = next) {
		next = memory_u64(c->memory, c->low + offset + 8 * i);
		if (next <= at || next >= module[1] || next % 4 != 0 || name_of(c, next) == 0)
			return false;
	}
	return true;
}

bool
beam_code_check(struct beam_code *c)
{
	for (uint64_t at = FUNCTIONS_FIRST; at <= FUNCTIONS_LAST; at += 8)
		if (names_functions(c, at))
			return true;
	return false;
}

bool
beam_code_open(struct beam_code *c, struct runtime_process *p, const struct runtime_module *m)
{
	*c = (struct beam_code){.process = p,
	    .memory = p->memory,
	    .ranges = find_ranges(m, p->cpu->beam),
	    .index = runtime_symbol(m, "the_active_code_index", NULL),
	    .atoms = runtime_symbol(m, "erts_atom_table", NULL)};
	return c->ranges != 0 && c->index != 0 && c->atoms != 0;
}
