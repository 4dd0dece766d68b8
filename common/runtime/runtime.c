/*
 * runtime: script stacks, and symbols of mapped files.
 */
#include "runtime/runtime.h"

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elftable.h"

bool
script_group(struct script_stack *s, int32_t native)
{
	if (s->ngroup == SCRIPT_GROUPS) {
		s->truncated = s->limited = true;
		return false;
	}
	s->group[s->ngroup++] = (struct script_group){(uint32_t)s->nframe, 0, native, 1};
	return true;
}

bool
script_frame(struct script_stack *s, uint32_t name, int32_t native)
{
	if (s->nframe == SCRIPT_FRAMES) {
		s->truncated = s->limited = true;
		return false;
	}
	s->frame[s->nframe++] = (struct script_frame){.name = name, .native = native};
	s->group[s->ngroup - 1].n++;
	return true;
}

bool
script_native(struct script_stack *s, struct module *module, uint64_t vaddr)
{
	if (!script_frame(s, 0, SCRIPT_NATIVE_NONE))
		return false;
	s->frame[s->nframe - 1].module = module;
	s->frame[s->nframe - 1].vaddr = vaddr;
	return true;
}

const struct runtime_module *
runtime_next_module(struct runtime_process *p)
{
	while (p->next < p->nmodule) {
		const struct runtime_module *m = &p->module[p->next++];

		if (p->kinds == 0 || (m->kinds & p->kinds) != 0)
			return m;
	}
	return NULL;
}

void
runtime_unknown(
    struct runtime_process *p, const char *runtime, const char *versions, const char *derive)
{
	snprintf(p->reason, sizeof p->reason, "%s %.16s is unknown (%s are known); %s", runtime,
	    p->version, versions, derive);
}

bool
runtime_knows_cpu(struct runtime_process *p, const void *row, const char *runtime)
{
	if (row == NULL)
		snprintf(
		    p->reason, sizeof p->reason, "%s is not read on %s", runtime, p->cpu->name);
	return row != NULL;
}

static bool
maps_file(const struct runtime_process *p, const char *prefix)
{
	for (size_t i = 0; i < p->nmodule; i++)
		if (strncmp(p->module[i].module->name, prefix, strlen(prefix)) == 0)
			return true;
	return false;
}

const char *
runtime_unready(const struct runtime_process *p, const struct runtime_module *m)
{
	char byte;
	int error;

	if (memory_read(p->memory, m->start, &byte, 1))
		return maps_file(p, "ld-linux") && !maps_file(p, "libc.so")
			   ? "the program was still being loaded"
			   : NULL;
	error = memory_error(p->memory);
	return error == EPERM || error == EACCES
		   ? "no permission to read the memory of the process"
		   : "the process had ended before its memory was read";
}

/*
 * Finds a symbol in one table: a thread-local one, or one with a value. Strings of a damaged file
 * may lack a terminator.
 */
static bool
find_in_table(const struct elftable *t, const char *name, bool tls, GElf_Sym *sym)
{
	size_t n = t->header.sh_entsize == 0 ? 0 : t->header.sh_size / t->header.sh_entsize;

	for (size_t i = 0; i < n; i++) {
		const char *s;

		if (gelf_getsym(t->data, (int)i, sym) == NULL)
			return false;
		if (sym->st_shndx == SHN_UNDEF ||
		    (tls ? GELF_ST_TYPE(sym->st_info) != STT_TLS : sym->st_value == 0))
			continue;
		s = elf_strptr(t->elf, t->header.sh_link, sym->st_name);
		if (s != NULL && strcmp(s, name) == 0)
			return true;
	}
	return false;
}

uint64_t
runtime_symbol(const struct runtime_module *m, const char *name, uint64_t *size)
{
	struct elftable t =
	    elftable_begin(module_elf(m->module), ELFTABLE_DYNSYM | ELFTABLE_SYMTAB);
	GElf_Sym sym;

	while (elftable_next(&t)) {
		if (!find_in_table(&t, name, false, &sym))
			continue;
		if (size != NULL)
			*size = sym.st_size;
		return GELF_ST_TYPE(sym.st_info) == STT_TLS ? sym.st_value : sym.st_value - m->bias;
	}
	return 0;
}

bool
runtime_tls_symbol(
    const struct runtime_module *m, const char *name, uint64_t *offset, uint64_t *size)
{
	struct elftable t =
	    elftable_begin(module_elf(m->module), ELFTABLE_DYNSYM | ELFTABLE_SYMTAB);
	GElf_Sym sym;

	while (elftable_next(&t)) {
		if (!find_in_table(&t, name, true, &sym))
			continue;
		*offset = sym.st_value;
		*size = sym.st_size;
		return true;
	}
	return false;
}

const void *
runtime_file_bytes(const struct runtime_module *m, uint64_t address, size_t n)
{
	Elf *elf = module_elf(m->module);
	uint64_t vaddr = address + m->bias;
	size_t segments, nfile;
	char *file;

	if (elf == NULL || elf_getphdrnum(elf, &segments) != 0 ||
	    (file = elf_rawfile(elf, &nfile)) == NULL)
		return NULL;
	for (size_t i = 0; i < segments; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(elf, (int)i, &p) == NULL || p.p_type != PT_LOAD ||
		    vaddr < p.p_vaddr || vaddr - p.p_vaddr >= p.p_filesz ||
		    n > p.p_filesz - (vaddr - p.p_vaddr))
			continue;
		if (p.p_offset > nfile || vaddr - p.p_vaddr + n > nfile - p.p_offset)
			return NULL;
		return file + p.p_offset + (vaddr - p.p_vaddr);
	}
	return NULL;
}

int32_t
native_holding(const struct runtime_sample *at, int32_t from, uint64_t address)
{
	for (size_t i = (size_t)from; i < at->nnative; i++) {
		if (address < at->native[i].sp)
			return -1;
		if (i + 1 == at->nnative ? at->complete : address < at->native[i + 1].sp)
			return (int32_t)i;
	}
	return -1;
}
