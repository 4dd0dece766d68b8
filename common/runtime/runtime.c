/*
 * runtime: names by content, and symbols of mapped files.
 */
#include "runtime/runtime.h"

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/vec.h"
#include "elf/elftable.h"

struct script_names {
	struct script_name *name; /* number 0 is none */
	uint32_t n, cap;
	struct hash_index index;
	struct text key; /* of the current lookup */
};

struct script_names *
script_names_new(void)
{
	struct script_names *n = cli_alloc(1, sizeof *n);

	vec_fit(n->name, n->cap, 1u);
	n->name[0] = (struct script_name){.function = "?"};
	n->n = 1;
	return n;
}

void
script_names_free(struct script_names *n)
{
	for (uint32_t i = 1; i < n->n; i++) {
		free((char *)n->name[i].function);
		free((char *)n->name[i].file);
	}
	free(n->name);
	hash_index_free(&n->index);
	text_free(&n->key);
	free(n);
}

static char *
copy_of(struct str s)
{
	char *copy = cli_alloc(s.len + 1, 1);

	if (s.len > 0) /* s.s may be NULL */
		memcpy(copy, s.s, s.len);
	return copy;
}

static bool
is_same(const char *have, struct str s)
{
	return have == NULL ? s.len == 0 : strlen(have) == s.len && memcmp(have, s.s, s.len) == 0;
}

uint32_t
script_name_add(struct script_names *n, struct str function, struct str file, unsigned first_line,
    unsigned line)
{
	const unsigned lines[2] = {first_line, line};
	uint64_t hash = hash_bytes(function.s, function.len) * 3 +
			hash_bytes(file.s, file.len) * 5 + hash_bytes(lines, sizeof lines);
	uint32_t at = (uint32_t)hash, number;

	while ((number = hash_index_next(&n->index, (uint32_t)hash, &at)) != 0) {
		const struct script_name *have = &n->name[number];

		if (have->first_line == first_line && have->line == line &&
		    is_same(have->function, function) && is_same(have->file, file))
			return number;
	}
	vec_fit(n->name, n->cap, (size_t)n->n + 1);
	n->name[n->n] = (struct script_name){
	    copy_of(function), file.len > 0 ? copy_of(file) : NULL, first_line, line};
	hash_index_add(&n->index, (uint32_t)hash, n->n);
	return n->n++;
}

const struct script_name *
script_name_get(const struct script_names *n, uint64_t number)
{
	return &n->name[number < n->n ? number : 0];
}

bool
script_group(struct script_stack *s, int32_t native)
{
	if (s->ngroup == SCRIPT_GROUPS) {
		s->truncated = true;
		return false;
	}
	s->group[s->ngroup++] = (struct script_group){(uint32_t)s->nframe, 0, native, 1};
	return true;
}

bool
script_frame(struct script_stack *s, uint32_t name, int32_t native)
{
	if (s->nframe == SCRIPT_FRAMES) {
		s->truncated = true;
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
	return p->next < p->nmodule ? &p->module[p->next++] : NULL;
}

void
runtime_unknown(
    struct runtime_process *p, const char *runtime, const char *versions, const char *derive)
{
	snprintf(p->reason, sizeof p->reason,
	    "%s %.16s is unknown (%s are known); 'share/offsets/offsets %s' of the sources prints "
	    "its offsets",
	    runtime, p->version, versions, derive);
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

/* Finds a symbol in one table. Strings of a damaged file may lack a terminator. */
static bool
find_in_table(const struct elftable *t, const char *name, GElf_Sym *sym)
{
	size_t n = t->header.sh_entsize == 0 ? 0 : t->header.sh_size / t->header.sh_entsize;

	for (size_t i = 0; i < n; i++) {
		const char *s;

		if (gelf_getsym(t->data, (int)i, sym) == NULL)
			return false;
		if (sym->st_shndx == SHN_UNDEF || sym->st_value == 0)
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
		if (!find_in_table(&t, name, &sym))
			continue;
		if (size != NULL)
			*size = sym.st_size;
		return GELF_ST_TYPE(sym.st_info) == STT_TLS ? sym.st_value : sym.st_value - m->bias;
	}
	return 0;
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
