/*
 * kallsyms: parser of lines of "address type name" and perhaps "[module]" (kernel/kallsyms.c).
 * The text stays in memory, split into strings in place.
 */
#include <gelf.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "code/elfsym.h"
#include "code/elftable.h"
#include "code/kallsyms.h"
#include "base/rangemap.h"
#include "base/text.h"
#include "base/vec.h"

/*
 * kallsyms has no sizes: a function ends where the next one starts. This limit is for the last
 * function of a module; no kernel function is longer.
 */
#define LONGEST (64 * 1024)

struct kallsyms {
	const struct symsource *origin;
	char *text; /* map's names point into it */
	struct rangemap map;
	Elf *vmlinux; /* map's names point into it, too */
	uint64_t reference; /* address of the source's kernel_symbol in this table, or 0 */
	enum module_info info;
	pthread_t thread;
	bool started; /* only the thread uses map and info until it is joined */
	bool ready;
};

struct kallsyms *
kallsyms_new(const struct symsource *o)
{
	struct kallsyms *k = cli_alloc(1, sizeof *k);

	k->origin = o;
	return k;
}

void
kallsyms_free(struct kallsyms *k)
{
	kallsyms_wait(k);
	free(k->map.range);
	free(k->text);
	elf_end(k->vmlinux);
	free(k);
}

static char *
read_all(int fd, size_t *n)
{
	size_t size = 0;
	char *text = NULL;
	ssize_t got;

	*n = 0;
	if (fd < 0)
		return NULL;
	vec_fit(text, size, 8 * 1024 * 1024);
	while ((got = read(fd, text + *n, size - *n - 1)) > 0) {
		*n += (size_t)got;
		vec_fit(text, size, *n + 64 * 1024);
	}
	close(fd);
	text[*n] = '\0';
	return text;
}

static unsigned
rank(char type, const char *name)
{
	/* A system call without arguments has one function, with a 32-bit and a 64-bit name. */
	if (name[0] == '_' && name[1] == '_' && name[2] == 'i' &&
	    strncmp(name, "__ia32_", 7) == 0) /* few names are compared */
		return ELFSYM_WEAK;
	if (type == 'T')
		return ELFSYM_GLOBAL;
	return type == 't' ? ELFSYM_LOCAL : ELFSYM_WEAK;
}

static enum module_info
parse(struct kallsyms *k, size_t length)
{
	const char *wanted = k->origin->kernel_symbol;
	char *text = k->text;
	uint64_t high = 0; /* upper half of the last address: nearly always the next one's, too */
	char high_text[8] = ""; /* its digits */
	bool addresses = false;

	for (char *p = text, *end = text + length, *next; p < end; p = next) {
		uint64_t address, low;
		char *newline = memchr(p, '\n', (size_t)(end - p)), *name, *tab;
		char type;

		if (newline == NULL)
			newline = end;
		next = newline + 1;
		*newline = '\0';
		if (newline - p > 16 && p[16] == ' ' &&
		    memcmp(p, high_text, sizeof high_text) == 0 && text_hex8(p + 8, &low)) {
			address = high | low;
			p += 16;
		} else {
			char *digits = p;

			p += text_hex(p, (size_t)(newline - p), &address);
			if (p - digits == 16) {
				memcpy(high_text, digits, sizeof high_text);
				high = address & ~(uint64_t)UINT32_MAX;
			}
		}
		if (newline - p < 4 || *p != ' ')
			continue;
		addresses |= address != 0;
		type = p[1];
		name = p + 3;
		if (type != 't' && type != 'T' && type != 'w' && type != 'W')
			continue;
		tab = newline[-1] == ']' ? memchr(name, '\t', (size_t)(newline - name)) : NULL;
		if (tab != NULL)
			*tab = '\0';
		if (wanted != NULL && strcmp(name, wanted) == 0)
			k->reference = address;
		rangemap_add(&k->map, address, address + LONGEST, true, name, rank(type, name));
	}
	return addresses ? MODULE_SYMBOLS : MODULE_HIDDEN;
}

/* Adds the functions of a vmlinux file. */
static enum module_info
read_vmlinux(struct kallsyms *k, int fd)
{
	const char *wanted = k->origin->kernel_symbol, *name;
	struct elftable t;
	GElf_Sym s;

	elf_version(EV_CURRENT);
	k->vmlinux = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	t = elftable_begin(k->vmlinux, ELFTABLE_SYMTAB);
	while (elftable_next(&t))
		for (int i = 0; gelf_getsym(t.data, i, &s) != NULL; i++) {
			unsigned bind = GELF_ST_BIND(s.st_info);

			name = elf_strptr(k->vmlinux, t.header.sh_link, s.st_name);
			if (name == NULL || name[0] == '\0')
				continue;
			if (wanted != NULL && strcmp(name, wanted) == 0)
				k->reference = s.st_value;
			if (GELF_ST_TYPE(s.st_info) == STT_FUNC)
				rangemap_add(&k->map, s.st_value, s.st_value + s.st_size, false,
				    name,
				    bind == STB_GLOBAL	? ELFSYM_GLOBAL
				    : bind == STB_LOCAL ? ELFSYM_LOCAL
							: ELFSYM_WEAK);
		}
	return k->map.n > 0 ? MODULE_SYMBOLS : MODULE_MISSING;
}

/*
 * KASLR moves the kernel at each boot: converts addresses to those of the recording. Kernel
 * modules move independently: their functions are removed.
 */
static void
relocate(struct kallsyms *k)
{
	const uint64_t by = k->origin->kernel_address - k->reference;
	struct rangemap *m = &k->map;
	size_t n = 0;

	if (k->reference == 0 || k->origin->kernel_address == 0 || by == 0)
		return;
	for (size_t i = 0; i < m->n; i++) {
		const char *name = m->range[i].what, *after = name + strlen(name) + 1;

		if (k->text != NULL && *after == '[')
			continue;
		m->range[n] = m->range[i];
		m->range[n].start += by;
		m->range[n++].end += by;
	}
	m->n = n;
}

static void *
load(void *arg)
{
	struct kallsyms *k = arg;
	int fd = symsource_open_vmlinux(k->origin);
	size_t length;

	if (fd >= 0) {
		k->info = read_vmlinux(k, fd);
	} else {
		k->text = read_all(symsource_open_kallsyms(k->origin), &length);
		k->info = length > 0 ? parse(k, length) : MODULE_MISSING;
	}
	if (k->info != MODULE_SYMBOLS)
		k->map.n = 0;
	relocate(k);
	rangemap_finish(&k->map, elfsym_prefer);
	return NULL;
}

struct kallsyms *
kallsyms_of(char *text, size_t n)
{
	static const struct symsource none;
	struct kallsyms *k = kallsyms_new(&none);

	k->text = text;
	k->info = n > 0 ? parse(k, n) : MODULE_MISSING;
	rangemap_finish(&k->map, elfsym_prefer);
	k->ready = true;
	return k;
}

void
kallsyms_start(struct kallsyms *k)
{
	if (!k->started && !k->ready)
		k->started = pthread_create(&k->thread, NULL, load, k) == 0;
}

void
kallsyms_wait(struct kallsyms *k)
{
	if (k->started && !k->ready) {
		pthread_join(k->thread, NULL);
		k->ready = true;
	}
}

enum module_info
kallsyms_info(struct kallsyms *k)
{
	kallsyms_wait(k);
	if (!k->ready)
		load(k);
	k->ready = true;
	return k->info;
}

const char *
kallsyms_find(struct kallsyms *k, uint64_t address, const char **module)
{
	const struct range *r;
	const char *after;

	*module = NULL;
	if (kallsyms_info(k) != MODULE_SYMBOLS || (r = rangemap_find(&k->map, address)) == NULL)
		return NULL;
	/* The module's name follows the function's; a new line would start with a digit. */
	after = (const char *)r->what + strlen(r->what) + 1;
	if (k->text != NULL && *after == '[')
		*module = after;
	return r->what;
}
