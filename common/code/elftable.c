/*
 * elftable: one budget for all tables of a file.
 */
#include "code/elftable.h"

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
