/*
 * cxxname: compares the names of C++ functions from DWARF with their linkage names, for
 * t/cxxname.t.
 *
 *   cxxname [-v] PATH
 *
 * prints how many names of functions, each once, are equal to the demangled linkage name or, where
 * that is missing, to the symbol at the function's address, and how many differ. With -v, it prints
 * those that differ first: the linker's name, then that from DWARF.
 */
#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>

#include "base/intmap.h"
#include "dwarf/cxxname.h"
#include "dwarf/demangle.h"

static struct {
	unsigned same, differ;
} count[2]; /* with a linkage name, with a symbol only */
static bool verbose;
static struct dwarfscope scopes = {.left = UINT64_MAX};
static struct intmap symbols; /* names by address */

static void
read_symbols(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Sym sym;

	while ((section = elf_nextscn(elf, section)) != NULL) {
		if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB)
			continue;
		for (int i = 0; gelf_getsym(elf_getdata(section, NULL), i, &sym) != NULL; i++)
			if (GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_value != 0)
				*(const char **)intmap_at(&symbols, sym.st_value) =
				    elf_strptr(elf, header.sh_link, sym.st_name);
	}
}

static void
compare(Dwarf_Die *die)
{
	Dwarf_Attribute at;
	Dwarf_Addr address;
	const char *linkage = NULL;
	char *want, *got;
	bool by_symbol;

	if (dwarf_attr(die, DW_AT_declaration, &at) != NULL)
		return;
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &at) != NULL)
		linkage = dwarf_formstring(&at);
	by_symbol = linkage == NULL;
	if (by_symbol && dwarf_attr(die, DW_AT_low_pc, &at) != NULL &&
	    dwarf_formaddr(&at, &address) == 0)
		linkage = *(const char **)intmap_at(&symbols, address);
	if (linkage == NULL || strncmp(linkage, "_Z", 2) != 0)
		return;
	want = demangle(linkage, strcspn(linkage, "."), false);
	got = cxxname(&scopes, die);
	if (want == NULL)
		return;
	if (got != NULL && strcmp(want, got) == 0) {
		count[by_symbol].same++;
	} else {
		count[by_symbol].differ++;
		if (verbose)
			printf("%s\n%s\n\n", want, got != NULL ? got : "(none)");
	}
	free(want);
	free(got);
}

static void
walk(Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (dwarf_child(parent, &die) != 0)
		return;
	do {
		if (dwarf_tag(&die) == DW_TAG_subprogram)
			compare(&die);
		walk(&die);
	} while (dwarf_siblingof(&die, &die) == 0);
}

int
main(int argc, char **argv)
{
	Dwarf_Die unit_die;
	Dwarf_CU *unit = NULL;
	Dwarf *dwarf;
	int fd;

	if (argc == 3 && strcmp(argv[1], "-v") == 0) {
		verbose = true;
		argv++;
		argc--;
	}
	elf_version(EV_CURRENT);
	if (argc != 2 || (fd = open(argv[1], O_RDONLY | O_CLOEXEC)) < 0 ||
	    (dwarf = dwarf_begin(fd, DWARF_C_READ)) == NULL) {
		fprintf(stderr, "usage: cxxname [-v] PATH\n");
		return 2;
	}
	read_symbols(dwarf_getelf(dwarf));
	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &unit_die, NULL) == 0)
		walk(&unit_die);
	printf("linkage name: %u equal, %u differ\nsymbol only: %u equal, %u differ\n",
	    count[0].same, count[0].differ, count[1].same, count[1].differ);
	dwarf_end(dwarf);
	close(fd);
	return 0;
}
