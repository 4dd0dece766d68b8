/*
 * elfsym: functions by address from symbol tables. Only symbols in executable sections count; a
 * symbol without a size, usual in assembly, extends to the next one or to its section's end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "base/cli.h"
#include "elf/elfsym.h"
#include "elf/elfcode.h"
#include "elf/elfmachine.h"
#include "elf/elftable.h"
#include "elf/gopclntab.h"
#include "elf/symbolrank.h"
#include "base/intmap.h"
#include "base/vec.h"

/* More executable sections than linkers create; each symbol is searched in all of them. */
#define AREAS 256

struct area {
	uint64_t start, end;
	Elf_Scn *section; /* NULL: a segment of a file without sections */
};

/* The executable areas of a file. */
struct code {
	struct area *area;
	size_t n, size;
};

static void
add_area(struct code *c, uint64_t start, uint64_t length, Elf_Scn *section)
{
	if (length == 0 || start + length < start || c->n == AREAS)
		return;
	vec_fit(c->area, c->size, c->n + 1);
	c->area[c->n++] = (struct area){start, start + length, section};
}

static struct code
find_code(Elf *elf)
{
	struct code c = {0};
	Elf_Scn *section = NULL;
	size_t n;

	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr h;

		if (gelf_getshdr(section, &h) != NULL && (h.sh_flags & SHF_ALLOC) != 0 &&
		    (h.sh_flags & SHF_EXECINSTR) != 0)
			add_area(&c, h.sh_addr, h.sh_size, section);
	}
	if (c.n > 0 || elf_getphdrnum(elf, &n) != 0)
		return c;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(elf, (int)i, &p) != NULL && p.p_type == PT_LOAD &&
		    (p.p_flags & PF_X) != 0)
			add_area(&c, p.p_vaddr, p.p_memsz, NULL);
	}
	return c;
}

/*
 * The area that contains an address. Neighbouring symbols share sections, so *last is tried
 * first.
 */
static const struct area *
area_at(const struct code *c, uint64_t address, size_t *last)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct area *a = &c->area[(*last + i) % c->n];

		if (address >= a->start && address < a->end) {
			*last = (size_t)(a - c->area);
			return a;
		}
	}
	return NULL;
}

/*
 * The bytes that a function without a size has at most; 0: up to the next symbol. frame_dummy, a
 * jump, is the last function of GCC's crtbegin.o (crtstuff.c): code without symbols may follow it.
 */
static uint64_t
size_limit(const char *name, unsigned binding)
{
	return binding == STB_LOCAL && strcmp(name, "frame_dummy") == 0 ? 16 : 0;
}

static enum module_info
add_symbols(Dwfl_Module *dwfl, const struct code *code, struct rangemap *map)
{
	const int n = dwfl_module_getsymtab(dwfl);
	enum module_info info = MODULE_NAMELESS;
	size_t last = 0;

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Addr address;
		GElf_Word section;
		const char *name;
		const struct area *area;
		unsigned type, binding, rank;
		uint64_t size;

		name = dwfl_module_getsym_info(dwfl, i, &sym, &address, &section, NULL, NULL);
		if (name == NULL)
			continue;
		type = GELF_ST_TYPE(sym.st_info);
		binding = GELF_ST_BIND(sym.st_info);
		/* Only a full table names source files and local functions. */
		if (type == STT_FILE || (type == STT_FUNC && binding == STB_LOCAL))
			info = MODULE_SYMBOLS;
		if (section == SHN_UNDEF || name[0] == '\0' ||
		    (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE))
			continue;
		/* Assembler labels: .Lfoo, and ARM's $x and $d. */
		if (type == STT_NOTYPE && (name[0] == '$' || strncmp(name, ".L", 2) == 0))
			continue;
		area = area_at(code, address, &last);
		if (area == NULL)
			continue;
		rank = binding == STB_WEAK    ? SYMBOLRANK_WEAK
		       : binding == STB_LOCAL ? SYMBOLRANK_LOCAL
					      : SYMBOLRANK_GLOBAL;
		if (type != STT_NOTYPE)
			rank += SYMBOLRANK_FUNCTION;
		size = sym.st_size > 0 ? sym.st_size : size_limit(name, binding);
		if (size > 0 && size < area->end - address)
			rangemap_add(map, address, address + size, false, name, rank);
		else
			rangemap_add(map, address, area->end, size == 0, name, rank);
		if (info == MODULE_NAMELESS)
			info = MODULE_DYNAMIC;
	}
	return info;
}

/* The dynamic linker's relocations: the symbol for each slot. */
struct relocations {
	struct intmap by_slot; /* address of the slot: name */
	const char **lazy; /* names in .rela.plt, by number */
	size_t nlazy;
};

static void
add_relocations(const struct elftable *t, bool lazy, struct relocations *r)
{
	const GElf_Shdr *h = &t->header;
	Elf_Data *symbols;
	Elf_Scn *table = elf_getscn(t->elf, h->sh_link);
	const size_t n = h->sh_entsize > 0 ? h->sh_size / h->sh_entsize : 0;
	GElf_Shdr th;

	if (table == NULL || gelf_getshdr(table, &th) == NULL || th.sh_type != SHT_DYNSYM ||
	    (symbols = elf_getdata(table, NULL)) == NULL || n > t->data->d_size)
		return;
	if (lazy) {
		free(r->lazy);
		r->lazy = cli_alloc(n + 1, sizeof *r->lazy);
		r->nlazy = n;
	}
	for (size_t i = 0; i < n; i++) {
		GElf_Rela rela;
		GElf_Sym sym;
		const char *name;

		if (gelf_getrela(t->data, (int)i, &rela) == NULL || GELF_R_SYM(rela.r_info) == 0 ||
		    gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym) == NULL)
			continue;
		name = elf_strptr(t->elf, th.sh_link, sym.st_name);
		if (name == NULL || name[0] == '\0')
			continue;
		*intmap_at(&r->by_slot, rela.r_offset) = (void *)(uintptr_t)name;
		if (lazy)
			r->lazy[i] = name;
	}
}

static struct relocations
find_relocations(Elf *elf)
{
	struct elftable t = elftable_begin(elf, ELFTABLE_RELA);
	struct relocations r = {0};
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0)
		return r;
	while (elftable_next(&t)) {
		const char *name;

		if ((t.header.sh_flags & SHF_ALLOC) == 0)
			continue;
		name = elf_strptr(elf, names, t.header.sh_name);
		add_relocations(&t, name != NULL && strcmp(name, ".rela.plt") == 0, &r);
	}
	return r;
}

/* Returns the name of the target of a stub at `address`, or NULL. */
static const char *
stub_target(const struct elfmachine *m, const unsigned char *code, size_t n, uint64_t address,
    const struct relocations *r)
{
	struct elfmachine_stub stub;

	if (!m->stub(code, n, address, &stub))
		return NULL;
	if (stub.slot != 0)
		return intmap_get(&r->by_slot, stub.slot);
	return stub.number >= 0 && (size_t)stub.number < r->nlazy ? r->lazy[stub.number] : NULL;
}

static void
add_stubs(Elf *elf, const struct code *code, struct rangemap *map)
{
	const struct elfmachine *m;
	struct relocations r;
	GElf_Ehdr header;
	size_t names, left; /* bytes: more than the file has are names that overlap */

	if (gelf_getehdr(elf, &header) == NULL || (m = elfmachine(header.e_machine)) == NULL ||
	    m->stub == NULL || elf_getshdrstrndx(elf, &names) != 0 ||
	    elf_rawfile(elf, &left) == NULL)
		return;
	r = find_relocations(elf);
	for (size_t i = 0; i < code->n; i++) {
		const struct area *area = &code->area[i];
		GElf_Shdr h;
		Elf_Data *data;
		const char *name;
		size_t stub;

		if (area->section == NULL || gelf_getshdr(area->section, &h) == NULL ||
		    (name = elf_strptr(elf, names, h.sh_name)) == NULL ||
		    strncmp(name, ".plt", 4) != 0 || h.sh_type != SHT_PROGBITS ||
		    (data = elf_rawdata(area->section, NULL)) == NULL || data->d_buf == NULL)
			continue;
		/* .plt.got of GNU ld without CET has 8-byte stubs, as its sh_entsize says. */
		stub = h.sh_entsize == 8 ? 8 : 16;
		for (size_t at = 0; at + stub <= data->d_size; at += stub) {
			const uint64_t address = area->start + at;
			const char *target = stub_target(
			    m, (const unsigned char *)data->d_buf + at, stub, address, &r);
			const size_t length = target != NULL ? strnlen(target, left) : 0;
			char *full;

			if (target != NULL && length == left)
				left = 0; /* no more names: each would be measured */
			if (target == NULL || length >= left)
				continue;
			left -= length;
			if (asprintf(&full, "%s@plt", target) < 0)
				cli_die("out of memory");
			rangemap_add(map, address, address + stub, false, full, SYMBOLRANK_STUB);
		}
	}
	free(r.by_slot.slot);
	free(r.lazy);
}

enum module_info
elfsym_load(struct module *m, struct rangemap *map)
{
	Elf *elf = module_elf(m);
	struct gopclntab *go;
	struct code code;
	struct elfcode bytes;
	enum module_info info;

	if (elf == NULL)
		return MODULE_MISSING;
	code = find_code(elf);
	info = add_symbols(module_dwfl(m), &code, map);
	go = gopclntab_open(elf);
	if (go != NULL) {
		if (info == MODULE_SYMBOLS ||
		    gopclntab_add(go, map, SYMBOLRANK_LOCAL + SYMBOLRANK_FUNCTION) > 0)
			info = MODULE_GO;
		gopclntab_close(go);
	}
	add_stubs(elf, &code, map);
	/* The name of an exported function without a size must not extend to the code after it. */
	if (info == MODULE_DYNAMIC && elfcode_find(elf, &bytes))
		elfcode_add_called(&bytes, map);
	free(code.area);
	rangemap_finish(map, symbolrank_prefer);
	return info;
}
