/*
 * dwarfpackage: libdw 0.188 reads no packages. For each unit it gets an ELF file in memory of
 * nothing but section headers, whose data are set to the unit's parts of the package.
 */
#include "dwarf/dwarfpackage.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "dwarf/dwarflimit.h"
#include "elf/elftable.h"

/* Parts of units may take this many times the package's bytes: units of one object share some. */
#define BYTES_PER_BYTE 4
#define BYTES_LEAST 65536

#define COLUMNS_MAX 8 /* sections that an index of either version has */

/* Sections of an object file, by their numbers in an index; 0: not in an index, taken as it is. */
static const struct part {
	const char *name; /* without .dwo */
	unsigned v2, v5;
} parts[] = {
    {".debug_info", 1, 1},
    {".debug_abbrev", 3, 3},
    {".debug_line", 4, 4},
    {".debug_str_offsets", 6, 6},
    {".debug_rnglists", 99, 8},
    {".debug_str", 0, 0},
};
#define PARTS (sizeof parts / sizeof parts[0])

/* A file with a null section, the parts, and the sections' names. */
struct image {
	Elf64_Ehdr header;
	Elf64_Shdr section[PARTS + 2];
	char names[256];
};

struct dwarfpackage {
	Elf *elf; /* of the sections */
	struct dwarfpackage_section {
		unsigned char *at;
		uint64_t size;
	} section[PARTS];
	const unsigned char *hashes, *rows, *offsets, *sizes; /* of the index */
	uint32_t ncolumn, nunit, nslot;
	int column[PARTS]; /* of the index; -1: none */
	uint64_t left; /* bytes of the remaining units, at most */
	struct image image; /* of every unit */
	Dwarf **unit; /* those that dwarfpackage_unit has returned */
	size_t nread, capread;
};

static uint32_t
half_at(const unsigned char *at)
{
	uint32_t v;

	memcpy(&v, at, sizeof v);
	return v;
}

static struct dwarfpackage_section
section(Elf *elf, const char *name)
{
	const Elf_Data *data = elftable_debug(elf, name);

	return data == NULL || data->d_buf == NULL
		   ? (struct dwarfpackage_section){0}
		   : (struct dwarfpackage_section){data->d_buf, data->d_size};
}

/* Reads the index's header and the numbers of its sections; false if it is damaged. */
static bool
read_index(struct dwarfpackage *p, const unsigned char *at, uint64_t size)
{
	const uint64_t header = 16;
	unsigned version;

	if (at == NULL || size < header)
		return false;
	version = half_at(at) & 0xffff;
	p->ncolumn = half_at(at + 4);
	p->nunit = half_at(at + 8);
	p->nslot = half_at(at + 12);
	if ((version != 2 && version != 5) || p->ncolumn == 0 || p->ncolumn > COLUMNS_MAX ||
	    p->nslot == 0 || (p->nslot & (p->nslot - 1)) != 0 ||
	    12 * (uint64_t)p->nslot + 4 * (uint64_t)p->ncolumn * (1 + 2 * (uint64_t)p->nunit) >
		size - header)
		return false;
	p->hashes = at + header;
	p->rows = p->hashes + 8 * (size_t)p->nslot;
	p->offsets = p->rows + 4 * (size_t)p->nslot + 4 * (size_t)p->ncolumn;
	p->sizes = p->offsets + 4 * (size_t)p->ncolumn * p->nunit;
	for (size_t i = 0; i < PARTS; i++) {
		const unsigned number = version == 2 ? parts[i].v2 : parts[i].v5;

		p->column[i] = -1;
		for (uint32_t c = 0; c < p->ncolumn && number != 0; c++)
			if (half_at(p->offsets - 4 * (size_t)(p->ncolumn - c)) == number)
				p->column[i] = (int)c;
	}
	return true;
}

static void
make_image(struct image *m, const unsigned char *ident)
{
	size_t used = 1; /* the empty name */

	*m = (struct image){
	    .header = {.e_type = ET_REL,
		.e_version = EV_CURRENT,
		.e_shoff = offsetof(struct image, section),
		.e_ehsize = sizeof m->header,
		.e_shentsize = sizeof m->section[0],
		.e_shnum = PARTS + 2,
		.e_shstrndx = PARTS + 1},
	};
	memcpy(m->header.e_ident, ident, EI_NIDENT);
	m->header.e_ident[EI_CLASS] = ELFCLASS64;
	for (size_t i = 0; i < PARTS; i++) {
		m->section[1 + i] = (Elf64_Shdr){.sh_name = (Elf64_Word)used,
		    .sh_type = SHT_PROGBITS,
		    .sh_offset = offsetof(struct image, names),
		    .sh_size = 1,
		    .sh_addralign = 1};
		used += (size_t)snprintf(
			    m->names + used, sizeof m->names - used, "%s.dwo", parts[i].name) +
			1;
	}
	m->section[1 + PARTS] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
	    .sh_offset = offsetof(struct image, names),
	    .sh_size = sizeof m->names,
	    .sh_addralign = 1};
}

struct dwarfpackage *
dwarfpackage_new(Elf *elf)
{
	const struct dwarfpackage_section index = section(elf, ".debug_cu_index");
	struct dwarfpackage *p = cli_alloc(1, sizeof *p);
	size_t size = 0;
	char *ident = elf_getident(elf, NULL);

	if (ident == NULL || elf_rawfile(elf, &size) == NULL ||
	    !read_index(p, index.at, index.size)) {
		free(p);
		return NULL;
	}
	for (size_t i = 0; i < PARTS; i++)
		p->section[i] = section(elf, parts[i].name);
	p->elf = elf;
	p->left = BYTES_LEAST + BYTES_PER_BYTE * (uint64_t)size;
	make_image(&p->image, (unsigned char *)ident);
	return p;
}

/* The row of a unit, from 1; 0 if there is none. */
static uint32_t
row_of(struct dwarfpackage *p, uint64_t id)
{
	const uint32_t mask = p->nslot - 1;
	uint32_t at = (uint32_t)id & mask;

	for (uint32_t i = 0; i < p->nslot && p->left > 0; i++, p->left--) {
		const uint32_t row = half_at(p->rows + 4 * (size_t)at);
		uint64_t found;

		memcpy(&found, p->hashes + 8 * (size_t)at, sizeof found);
		if (row == 0 || row > p->nunit)
			return 0;
		if (found == id)
			return row;
		at = (at + (((uint32_t)(id >> 32) & mask) | 1)) & mask;
	}
	return 0;
}

/* The unit's part of a section; false if it is not within the section. */
static bool
part_of(const struct dwarfpackage *p, uint32_t row, size_t i, struct dwarfpackage_section *part)
{
	const size_t at =
	    4 * ((size_t)(row - 1) * p->ncolumn + (p->column[i] < 0 ? 0 : (size_t)p->column[i]));
	const struct dwarfpackage_section *s = &p->section[i];
	uint64_t offset, size;

	*part = (struct dwarfpackage_section){0};
	if (p->column[i] < 0) {
		if (parts[i].v5 == 0)
			*part = *s;
		return true;
	}
	offset = half_at(p->offsets + at);
	size = half_at(p->sizes + at);
	if (size == 0)
		return true;
	if (s->at == NULL || offset > s->size || size > s->size - offset)
		return false;
	*part = (struct dwarfpackage_section){s->at + offset, size};
	return true;
}

Dwarf *
dwarfpackage_unit(struct dwarfpackage *p, uint64_t id)
{
	struct dwarfpackage_section part[PARTS];
	const uint32_t row = row_of(p, id);
	uint64_t bytes = 0;
	Dwarf *dwarf;
	Elf *elf;

	for (size_t i = 0; i < PARTS && row > 0; i++) {
		if (!part_of(p, row, i, &part[i]))
			return NULL;
		bytes += p->column[i] < 0 ? 0 : part[i].size;
	}
	if (row == 0 || bytes > p->left)
		return NULL;
	p->left -= bytes;
	elf = elf_memory((char *)&p->image, sizeof p->image);
	for (size_t i = 0; i < PARTS && elf != NULL; i++)
		if (!elftable_set_data(elf_getscn(elf, 1 + i), part[i].at, part[i].size)) {
			elf_end(elf);
			return NULL;
		}
	dwarf = elf == NULL ? NULL : dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (dwarf != NULL && dwarflimit_fits(dwarf)) {
		vec_fit(p->unit, p->capread, p->nread + 1);
		return p->unit[p->nread++] = dwarf;
	}
	dwarf_end(dwarf);
	elf_end(elf);
	return NULL;
}
