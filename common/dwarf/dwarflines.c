/*
 * dwarflines: the tables of a file have at most the bytes of their section: more are tables that
 * overlap. Each is checked once; equal ones are read once by libdw, too.
 */
#include "dwarf/dwarflines.h"

#include <dwarf.h>
#include <stdint.h>
#include <string.h>

#include "base/cli.h"
#include "elf/elftable.h"
#include "dwarf/leb128.h"

#define PATH_MAX_BYTES 4096 /* of a directory or file */

/*
 * Bytes of paths per byte of a table. A file with a directory has 5 bytes or more, and its path is
 * less than 100 bytes long.
 */
#define PATHS_PER_BYTE 64
#define PATHS_LEAST 65536

struct dwarflines_section {
	Elf_Data *line, *line_str, *str;
	uint64_t left; /* bytes of the remaining tables, at most */
	struct intmap known; /* by offset: 1 for a table within the limits, 2 for another one */
};

/* The header of a table; bad: it is damaged or beyond a limit. */
struct header {
	const struct dwarflines_section *section;
	const unsigned char *at, *end;
	size_t wide; /* bytes of an offset */
	uint64_t paths; /* bytes of paths left */
	bool bad;
};

static uint64_t
number(struct header *h, size_t bytes)
{
	uint64_t v = 0;

	h->bad |= bytes > (size_t)(h->end - h->at);
	if (h->bad)
		return 0;
	memcpy(
	    &v, h->at, bytes < sizeof v ? bytes : sizeof v); /* little endian, like libdw's use */
	h->at += bytes;
	return v;
}

static uint64_t
uleb(struct header *h)
{
	return leb128_read(&h->at, h->end, &h->bad);
}

/* Length of a string that ends before `end`. */
static size_t
length_of(struct header *h, const void *s, const void *end)
{
	const size_t most = (size_t)((const char *)end - (const char *)s);
	const size_t n = strnlen(s, most < PATH_MAX_BYTES ? most : PATH_MAX_BYTES);

	h->bad |= n == most || n == PATH_MAX_BYTES;
	return n;
}

/* Length of the string here, which it skips. */
static size_t
string(struct header *h)
{
	const size_t n = length_of(h, h->at, h->end);

	h->at += h->bad ? 0 : n + 1;
	return n;
}

/* Length of a string of another section, whose offset is here. */
static size_t
string_in(struct header *h, const Elf_Data *data)
{
	const uint64_t offset = number(h, h->wide);

	if (data == NULL || data->d_buf == NULL || offset >= data->d_size) {
		h->bad = true;
		return 0;
	}
	return length_of(
	    h, (const char *)data->d_buf + offset, (const char *)data->d_buf + data->d_size);
}

static void
use_path(struct header *h, size_t n)
{
	h->bad |= n > h->paths;
	h->paths -= h->bad ? 0 : n;
}

/* Directories and files before DWARF 5; base: length of the unit's directory. */
static void
old_names(struct header *h, size_t base)
{
	size_t longest = base;

	while (!h->bad && h->at < h->end && *h->at != '\0') {
		const size_t n = string(h);

		longest = n > longest ? n : longest;
	}
	number(h, 1);
	while (!h->bad && h->at < h->end && *h->at != '\0') {
		use_path(h, string(h) + longest);
		for (int i = 0; i < 3; i++) /* directory, time, size */
			uleb(h);
	}
}

/* The length of a name, or 0 for another value, by its form. */
static size_t
value(struct header *h, uint64_t form)
{
	switch (form) {
	case DW_FORM_string: return string(h);
	case DW_FORM_line_strp: return string_in(h, h->section->line_str);
	case DW_FORM_strp: return string_in(h, h->section->str);
	case DW_FORM_udata: uleb(h); return 0;
	case DW_FORM_data1: number(h, 1); return 0;
	case DW_FORM_data2: number(h, 2); return 0;
	case DW_FORM_data4: number(h, 4); return 0;
	case DW_FORM_data8: number(h, 8); return 0;
	case DW_FORM_data16: number(h, 16); return 0;
	case DW_FORM_block: number(h, uleb(h)); return 0;
	default: h->bad = true; return 0;
	}
}

/* A list of directories or files of DWARF 5; returns the length of the longest. */
static size_t
names(struct header *h, size_t directory)
{
	uint64_t form[8] = {0}, n, count;
	size_t longest = 0;

	n = number(h, 1);
	h->bad |= n > sizeof form / sizeof form[0];
	for (uint64_t i = 0; i < n && !h->bad; i++) {
		uleb(h);
		form[i] = uleb(h);
	}
	count = uleb(h);
	h->bad |= n == 0 && count > 0;
	for (uint64_t k = 0; k < count && !h->bad; k++)
		for (uint64_t i = 0; i < n && !h->bad; i++) {
			const size_t length = value(h, form[i]);

			use_path(h, length > 0 ? length + directory : 0);
			longest = length > longest ? length : longest;
		}
	return longest;
}

/* True if the names of a table are within the limits; base: length of the unit's directory. */
static bool
names_fit(const struct dwarflines_section *s, const unsigned char *at, const unsigned char *end,
    bool is_wide, size_t base)
{
	struct header h = {s, at, end, is_wide ? 8 : 4,
	    PATHS_LEAST + PATHS_PER_BYTE * (uint64_t)(end - at), base >= PATH_MAX_BYTES};
	const uint64_t version = number(&h, 2);
	uint64_t opcodes;

	number(&h, version >= 5 ? 2 : 0); /* sizes of an address and a segment */
	number(&h, h.wide); /* the header's size */
	number(&h, version >= 4 ? 5 : 4);
	opcodes = number(&h, 1);
	number(&h, opcodes > 0 ? opcodes - 1 : 0);
	if (version < 5)
		old_names(&h, base);
	else
		names(&h, names(&h, base));
	return !h.bad;
}

static bool
check(struct dwarflines_section *s, uint64_t offset, size_t base)
{
	const Elf_Data *data = s->line;
	uint32_t half;
	uint64_t length;
	size_t header = sizeof half;
	const unsigned char *at;

	if (data == NULL || data->d_buf == NULL || offset > data->d_size ||
	    data->d_size - offset < 16)
		return false;
	at = (const unsigned char *)data->d_buf + offset;
	memcpy(&half, at, sizeof half);
	length = half;
	if (half == UINT32_MAX) {
		memcpy(&length, at + sizeof half, sizeof length);
		header += sizeof length;
	}
	if (length > data->d_size - offset - header || length > s->left)
		return false;
	s->left -= length;
	return names_fit(s, at + header, at + header + length, header > sizeof half, base);
}

static struct dwarflines_section *
section_of(struct dwarflines *l, Dwarf *dwarf)
{
	struct dwarflines_section **s =
	    (struct dwarflines_section **)intmap_at(&l->sections, (uintptr_t)dwarf);
	Elf *elf = dwarf_getelf(dwarf);

	if (*s != NULL)
		return *s;
	*s = cli_alloc(1, sizeof **s);
	(*s)->line = elftable_debug(elf, ".debug_line");
	(*s)->line_str = elftable_debug(elf, ".debug_line_str");
	(*s)->str = elftable_debug(elf, ".debug_str");
	(*s)->left = (*s)->line != NULL ? (*s)->line->d_size : 0;
	return *s;
}

bool
dwarflines_fit(struct dwarflines *l, Dwarf_Die *unit)
{
	struct dwarflines_section *s;
	Dwarf_Attribute attribute;
	Dwarf_Word offset = 0; /* of a split unit's table */
	const char *directory = NULL;
	void **known;
	uint8_t type;

	/* libdw would open the split file of a skeleton without a directory. */
	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) != 0 ||
	    (type == DW_UT_skeleton && !dwarf_hasattr(unit, DW_AT_comp_dir)))
		return false;
	s = section_of(l, dwarf_cu_getdwarf(unit->cu));
	if (dwarf_attr(unit, DW_AT_stmt_list, &attribute) != NULL)
		dwarf_formudata(&attribute, &offset);
	known = intmap_at(&s->known, offset);
	if (*known == NULL) {
		if (dwarf_attr(unit, DW_AT_comp_dir, &attribute) != NULL)
			directory = dwarf_formstring(&attribute);
		*known =
		    check(s, offset, directory == NULL ? 0 : strnlen(directory, PATH_MAX_BYTES))
			? (void *)1
			: (void *)2;
	}
	return *known == (void *)1;
}

void
dwarflines_link(struct dwarflines *l, const Dwarf_Die *split, Dwarf_Die *skeleton)
{
	*intmap_at(&l->skeletons, (uintptr_t)split->cu) = skeleton;
}

bool
dwarflines_files(struct dwarflines *l, Dwarf_Die *unit, Dwarf_Files **files, size_t *n)
{
	Dwarf_Die *skeleton = intmap_get(&l->skeletons, (uintptr_t)unit->cu);

	if (skeleton != NULL)
		unit = skeleton;
	return dwarflines_fit(l, unit) && dwarf_getsrcfiles(unit, files, n) == 0;
}
