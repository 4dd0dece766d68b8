/*
 * gopclntab: reader of the section .gopclntab.
 *
 * Three layouts are supported (runtime/symtab.go, debug/gosym/pclntab.go). Go 1.2: one table of
 * pairs (function address, offset of its record). Go 1.16: separate tables for names and
 * records. Go 1.18: the pairs are 32-bit, relative to the start of the text. A record has the
 * address again, then the offset of the name and of the frame sizes: pairs of differences, of
 * the size and of the end address of its range.
 */
#include "elf/gopclntab.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

#define MAGIC_1_2 0xfffffffb
#define MAGIC_1_16 0xfffffffa
#define MAGIC_1_18 0xfffffff0
#define MAGIC_1_20 0xfffffff1

/*
 * Pairs of frame sizes read for one address (the Go compiler's largest function has 1,083), and for
 * all addresses, per byte of the table.
 */
#define PAIRS_MAX 16384
#define PAIRS_LEAST (1 << 20)
#define PAIRS_PER_BYTE 32

#define FUNCNAME_MAX 4096 /* bytes; the table is untrusted input */
#define TOP_FRAME 1 /* abi.FuncFlagTopFrame, since 1.17 */
#define WRITES_SP 2 /* abi.FuncFlagSPWrite */
#define INLINED_CALLS 2 /* abi.PCDATA_InlTreeIndex: the table of the numbers of inlined calls */

struct gopclntab {
	const unsigned char *bytes;
	size_t n;
	size_t word; /* bytes of an address */
	uint64_t text; /* address of the first code */
	size_t quantum; /* unit of code addresses, bytes */
	size_t names, sizes, records, functions; /* offsets of these tables in bytes */
	size_t nfunctions;
	size_t field; /* bytes of each number in a pair */
	size_t flag; /* offset of the function's flag in a record; 0: none */
	bool relative; /* addresses count from text */
	uint64_t left; /* pairs that further searches may read */
};

/* Reads a number of that size in our byte order; 0 beyond the end of the table. */
static uint64_t
number(const struct gopclntab *t, uint64_t at, size_t bytes)
{
	uint32_t half;
	uint64_t all;

	if (at > t->n || bytes > t->n - at)
		return 0;
	if (bytes == sizeof half) {
		memcpy(&half, t->bytes + at, sizeof half);
		return half;
	}
	memcpy(&all, t->bytes + at, sizeof all);
	return all;
}

/* The nth word of the header. */
static uint64_t
header(const struct gopclntab *t, unsigned n)
{
	return number(t, 8 + n * t->word, t->word);
}

static bool
read_header(struct gopclntab *t)
{
	uint32_t magic;

	if (t->n < 16)
		return false;
	memcpy(&magic, t->bytes, sizeof magic);
	t->quantum = t->bytes[6];
	t->word = t->bytes[7];
	if ((t->word != 4 && t->word != 8) || t->bytes[4] != 0 || t->bytes[5] != 0)
		return false;
	t->nfunctions = header(t, 0);
	t->field = t->word;
	switch (magic) {
	case MAGIC_1_2: t->functions = 8 + t->word; break;
	case MAGIC_1_16:
		t->names = header(t, 2);
		t->sizes = header(t, 5);
		t->functions = t->records = header(t, 6);
		break;
	case MAGIC_1_18:
	case MAGIC_1_20:
		if (header(t, 2) != 0) /* 0: needs relocation, or newer Go */
			t->text = header(t, 2);
		t->names = header(t, 3);
		t->sizes = header(t, 6);
		t->functions = t->records = header(t, 7);
		t->field = 4;
		/* The flag follows the address, eight or nine numbers, and a byte. */
		t->flag = magic == MAGIC_1_18 ? 4 + 8 * 4 + 1 : 4 + 9 * 4 + 1;
		t->relative = true;
		break;
	default: return false;
	}
	return t->names < t->n && t->functions < t->n &&
	       t->nfunctions < (t->n - t->functions) / (2 * t->field);
}

static const char *
name_of(const struct gopclntab *t, uint64_t record)
{
	uint64_t at = t->records + record, name;

	if (record > t->n)
		return NULL;
	name = t->names + number(t, at + (t->relative ? 4 : t->word), 4);
	if (name >= t->n || t->bytes[name] == '\0' ||
	    memchr(t->bytes + name, '\0',
		t->n - name < FUNCNAME_MAX ? t->n - name : FUNCNAME_MAX) == NULL)
		return NULL;
	return (const char *)t->bytes + name;
}

/* The i-th function: its start, the start of the next one, and its record. */
static void
function_at(const struct gopclntab *t, size_t i, uint64_t *start, uint64_t *end, uint64_t *record)
{
	const uint64_t base = t->relative ? t->text : 0;
	const uint64_t at = t->functions + 2 * i * t->field;

	*start = base + number(t, at, t->field);
	*record = number(t, at + t->field, t->field);
	*end = base + number(t, at + 2 * t->field, t->field);
}

size_t
gopclntab_add(const struct gopclntab *t, struct rangemap *map, unsigned rank)
{
	size_t n = 0;

	for (size_t i = 0; i < t->nfunctions; i++) {
		uint64_t start, end, record;
		const char *name;

		function_at(t, i, &start, &end, &record);
		name = name_of(t, record);
		if (name == NULL || end <= start)
			continue;
		rangemap_add(map, start, end, false, name, rank);
		n++;
	}
	return n;
}

bool
gopclntab_function(const struct gopclntab *t, const char *name, uint64_t *start, uint64_t *end)
{
	for (size_t i = 0; i < t->nfunctions; i++) {
		uint64_t record;
		const char *is;

		function_at(t, i, start, end, &record);
		is = name_of(t, record);
		if (is != NULL && strcmp(is, name) == 0 && *end > *start)
			return true;
	}
	return false;
}

/* Reads a varint (7 bits per byte) and advances *at. */
static bool
varint(const struct gopclntab *t, uint64_t *at, uint32_t *v)
{
	*v = 0;
	for (unsigned shift = 0; shift < 32; shift += 7) {
		unsigned char byte;

		if (*at >= t->n)
			return false;
		byte = t->bytes[(*at)++];
		*v |= (uint32_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

/* The value for an address, from the pairs at `at` of the function at start. */
static bool
value_at(struct gopclntab *t, uint64_t at, uint64_t start, uint64_t vaddr, int32_t *value)
{
	uint32_t sum = UINT32_MAX, up, by; /* the initial value is -1 */

	for (uint64_t pc = start, n = 0; n < PAIRS_MAX && t->left > 0; n++, t->left--) {
		if (!varint(t, &at, &up) || (up == 0 && pc != start) || !varint(t, &at, &by))
			return false;
		sum += up & 1 ? ~(up >> 1) : up >> 1;
		pc += (uint64_t)by * t->quantum;
		if (vaddr < pc) {
			*value = (int32_t)sum;
			return true;
		}
	}
	return false;
}

/* True for functions that switch to the thread's system stack: the unwind ends in them. */
static bool
begins_stack(const struct gopclntab *t, uint64_t record)
{
	static const char *const functions[] = {
	    "runtime.systemstack", "runtime.mcall", "runtime.morestack"};
	const char *name = name_of(t, record);

	for (size_t i = 0; name != NULL && i < sizeof functions / sizeof *functions; i++) {
		const size_t n = strlen(functions[i]);

		/* May end in the calling convention: .abi0 */
		if (strncmp(name, functions[i], n) == 0 && (name[n] == '\0' || name[n] == '.'))
			return true;
	}
	return false;
}

/* Finds the function at an address: its start, and the offset of its record. */
static bool
find(const struct gopclntab *t, uint64_t vaddr, uint64_t *start, uint64_t *record)
{
	uint64_t end;
	size_t low = 0, high = t->nfunctions;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		function_at(t, middle, start, &end, record);
		if (vaddr >= end)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == t->nfunctions)
		return false;
	function_at(t, low, start, &end, record);
	return vaddr >= *start && vaddr < end && *record <= t->n;
}

bool
gopclntab_frame(struct gopclntab *t, uint64_t vaddr, int32_t *below, bool *first)
{
	uint64_t start, record, at, sizes;
	unsigned flags;

	if (!find(t, vaddr, &start, &record))
		return false;
	at = t->records + record;
	flags = t->flag == 0 ? 0 : (unsigned)(number(t, at + t->flag - 1, 4) >> 8 & 0xff);
	*first = (flags & TOP_FRAME) != 0 || ((flags & WRITES_SP) != 0 && begins_stack(t, record));
	/* Follows name, argument size and deferred return. */
	sizes = number(t, at + (t->relative ? 4 : t->word) + 12, 4);
	return sizes != 0 && value_at(t, t->sizes + sizes, start, vaddr, below) && *below >= 0;
}

bool
gopclntab_is_inlined(struct gopclntab *t, uint64_t vaddr)
{
	uint64_t start, record, at, calls;
	int32_t call;

	if (t->flag == 0 || !find(t, vaddr, &start, &record))
		return false;
	at = t->records + record;
	/* The number of tables follows frame sizes, files and lines; the tables follow the flag. */
	if (number(t, at + 28, 4) <= INLINED_CALLS)
		return false;
	calls = number(t, at + t->flag + 3 + 4 * INLINED_CALLS, 4);
	return calls != 0 && value_at(t, t->sizes + calls, start, vaddr, &call) && call >= 0;
}

struct gopclntab *
gopclntab_open(Elf *elf)
{
	Elf_Scn *section = NULL;
	struct gopclntab t = {0}, *new;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const char *name;
		Elf_Data *data;
		GElf_Shdr h;

		if (gelf_getshdr(section, &h) == NULL || h.sh_type != SHT_PROGBITS ||
		    (name = elf_strptr(elf, names, h.sh_name)) == NULL)
			continue;
		if (strcmp(name, ".text") == 0)
			t.text = h.sh_addr;
		/* Position-independent programs have it in the relocated data. */
		if ((strcmp(name, ".gopclntab") != 0 &&
			strcmp(name, ".data.rel.ro.gopclntab") != 0) ||
		    (data = elf_rawdata(section, NULL)) == NULL || data->d_buf == NULL)
			continue;
		t.bytes = data->d_buf;
		t.n = data->d_size;
	}
	if (t.bytes == NULL || !read_header(&t))
		return NULL;
	new = cli_alloc(1, sizeof *new);
	*new = t;
	new->left = PAIRS_LEAST + PAIRS_PER_BYTE *(uint64_t)t.n;
	return new;
}

void
gopclntab_close(struct gopclntab *t)
{
	free(t);
}
