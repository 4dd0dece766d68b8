/*
 * elftable: one budget for all tables of a file.
 */
#include "elf/elftable.h"

#include <stdio.h>
#include <string.h>

static unsigned
type_bit(GElf_Word type)
{
	switch (type) {
	case SHT_SYMTAB: return ELFTABLE_SYMTAB;
	case SHT_DYNSYM: return ELFTABLE_DYNSYM;
	case SHT_RELA: return ELFTABLE_RELA;
	default: return 0;
	}
}

struct elftable
elftable_begin(Elf *elf, unsigned types)
{
	struct elftable t = {.elf = elf, .types = types};

	if (elf == NULL || elf_rawfile(elf, &t.left) == NULL)
		t.elf = NULL;
	return t;
}

bool
elftable_next(struct elftable *t)
{
	while (t->elf != NULL && (t->section = elf_nextscn(t->elf, t->section)) != NULL) {
		if (gelf_getshdr(t->section, &t->header) == NULL ||
		    (type_bit(t->header.sh_type) & t->types) == 0 || t->header.sh_size > t->left ||
		    (t->data = elf_getdata(t->section, NULL)) == NULL)
			continue;
		t->left -= t->header.sh_size;
		return true;
	}
	return false;
}

Elf_Scn *
elftable_section(Elf *elf, Elf_Scn *section, const char *name)
{
	GElf_Shdr h;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return NULL;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const char *s =
		    gelf_getshdr(section, &h) == NULL ? NULL : elf_strptr(elf, names, h.sh_name);

		/* Groups of an object file are type units: libdw reads none either. */
		if (s != NULL && (h.sh_flags & SHF_GROUP) == 0 && strcmp(s, name) == 0)
			break;
	}
	return section;
}

Elf_Data *
elftable_debug(Elf *elf, const char *name)
{
	char other[32];
	Elf_Scn *section = elftable_section(elf, NULL, name);

	snprintf(other, sizeof other, ".z%s", name + 1);
	if (section == NULL)
		section = elftable_section(elf, NULL, other);
	snprintf(other, sizeof other, "%s.dwo", name);
	if (section == NULL)
		section = elftable_section(elf, NULL, other);
	return section == NULL ? NULL : elf_getdata(section, NULL);
}

bool
elftable_set_data(Elf_Scn *section, void *bytes, size_t n)
{
	Elf_Data *data[2] = {elf_rawdata(section, NULL), elf_getdata(section, NULL)};

	for (size_t i = 0; i < 2; i++) {
		if (data[i] == NULL)
			return false;
		data[i]->d_buf = n > 0 ? bytes : NULL;
		data[i]->d_size = n;
	}
	return true;
}
