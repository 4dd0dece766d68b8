/*
 * kallsyms: lines of "address type name" and perhaps "[module]" (kernel/kallsyms.c).
 * The text is kept, and cut into strings in place.
 */
#include <gelf.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "code/elfsym.h"
#include "code/kallsyms.h"
#include "base/rangemap.h"
#include "base/text.h"
#include "base/vec.h"

/*
 * Sizes are not told. A function ends where the next begins, but the last one of a
 * module is not followed by anything near; no function of the kernel is this long.
 */
#define LONGEST (64 * 1024)

struct kallsyms {
	const struct symsource *origin;
	char *text; /* what map points into */
	struct rangemap map;
	Elf *vmlinux; /* the same */
	uint64_t reference; /* where the origin's kernel_symbol is here, or 0 */
	enum module_info info;
	pthread_t thread;
	bool started; /* the thread, which alone touches map and info till it is joined */
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
	/* A call without arguments is one function under the names of both kinds of programs. */
	if (strncmp(name, "__ia32_", 7) == 0)
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
	bool addresses = false;

	for (char *p = text, *end = text + length, *next; p < end; p = next) {
		uint64_t address;
		char *newline = memchr(p, '\n', (size_t)(end - p)), *name, *tab;
		char type;

		if (newline == NULL)
			newline = end;
		next = newline + 1;
		*newline = '\0';
		p += text_hex(p, (size_t)(newline - p), &address);
		if (newline - p < 4 || *p != ' ')
			continue;
		addresses |= address != 0;
		type = p[1];
		name = p + 3;
		if (type != 't' && type != 'T' && type != 'w' && type != 'W')
			continue;
		tab = memchr(name, '\t', (size_t)(newline - name));
		if (tab != NULL)
			*tab = '\0';
		if (wanted != NULL && strcmp(name, wanted) == 0)
			k->reference = address;
		rangemap_add(&k->map, address, address + LONGEST, true, name, rank(type, name));
	}
	return addresses ? MODULE_SYMBOLS : MODULE_HIDDEN;
}

/* The functions of a kernel's file. */
static enum module_info
read_vmlinux(struct kallsyms *k, int fd)
{
	const char *wanted = k->origin->kernel_symbol, *name;
	Elf_Scn *section = NULL;
	Elf_Data *data;
	GElf_Shdr h;
	GElf_Sym s;

	elf_version(EV_CURRENT);
	k->vmlinux = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while ((section = elf_nextscn(k->vmlinux, section)) != NULL) {
		if (gelf_getshdr(section, &h) == NULL || h.sh_type != SHT_SYMTAB ||
		    (data = elf_getdata(section, NULL)) == NULL)
			continue;
		for (int i = 0; gelf_getsym(data, i, &s) != NULL; i++) {
			unsigned bind = GELF_ST_BIND(s.st_info);

			name = elf_strptr(k->vmlinux, h.sh_link, s.st_name);
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
	}
	return k->map.n > 0 ? MODULE_SYMBOLS : MODULE_MISSING;
}

/*
 * The kernel lies elsewhere after each boot: move its functions to where they were. Its
 * modules then were anywhere.
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
	/* The module's name was cut off behind the function's; a new line begins with a digit. */
	after = (const char *)r->what + strlen(r->what) + 1;
	if (k->text != NULL && *after == '[')
		*module = after;
	return r->what;
}
