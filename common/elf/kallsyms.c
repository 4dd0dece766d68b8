/*
 * kallsyms: parser of lines of "address type name" and perhaps "[module]" (kernel/kallsyms.c).
 * The text stays in memory, with an index of its lines by address. A recording has few of the
 * hundred thousand functions: a name is terminated in place when it is first used.
 */
#include <gelf.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"
#include "elf/symbolrank.h"
#include "elf/elftable.h"
#include "elf/kallsyms.h"
#include "base/sort.h"
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
	char *text; /* a NUL after each line */
	size_t length;
	struct radix *line; /* by address; the value points at the name in text */
	size_t nline, capline;
	struct rangemap map; /* of vmlinux */
	Elf *vmlinux; /* map's names point into it */
	uint64_t reference; /* address of the source's kernel_symbol in this table, or 0 */
	enum module_info info;
	pthread_t thread;
	bool started; /* only the thread uses the symbols and info until it is joined */
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
	free(k->line);
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

/* Terminates the name that value points at; *module is "[module]" after it, or NULL. */
static const char *
name_at(const struct kallsyms *k, uint64_t value, const char **module)
{
	char *s = (char *)(uintptr_t)value, *end = s + strlen(s), *tab;

	*module = NULL;
	if (end > s && end[-1] == ']' && (tab = memchr(s, '\t', (size_t)(end - s))) != NULL) {
		*tab = '\0';
		end = tab;
	}
	/* A new line would start with a digit. */
	if (end < k->text + k->length && end[1] == '[')
		*module = end + 1;
	return s;
}

static unsigned
rank(const char *name)
{
	const char type = name[-2];

	/* A system call without arguments has one function, with a 32-bit and a 64-bit name. */
	if (strncmp(name, "__ia32_", 7) == 0)
		return SYMBOLRANK_WEAK;
	if (type == 'T')
		return SYMBOLRANK_GLOBAL;
	return type == 't' ? SYMBOLRANK_LOCAL : SYMBOLRANK_WEAK;
}

/* True if a is a better name than b for the same address. */
static bool
better(const struct kallsyms *k, uint64_t a, uint64_t b)
{
	const char *module, *x = name_at(k, a, &module), *y = name_at(k, b, &module);
	const unsigned rx = rank(x), ry = rank(y);

	return rx != ry ? rx > ry : symbolrank_prefer(x, y) >= 0;
}

/* Sorts the lines, and keeps the best one of each address. */
static void
finish_lines(struct kallsyms *k)
{
	struct radix *l = k->line;
	size_t n = 0;

	radix_sort(l, k->nline);
	for (size_t i = 0; i < k->nline; i++)
		if (n == 0 || l[n - 1].key != l[i].key)
			l[n++] = l[i];
		else if (better(k, l[i].value, l[n - 1].value))
			l[n - 1] = l[i];
	k->nline = n;
}

static bool
is_named(const char *name, const char *wanted)
{
	const size_t n = strlen(wanted);

	return strncmp(name, wanted, n) == 0 && (name[n] == '\0' || name[n] == '\t');
}

/* Reads a text of `length` bytes with one more byte after it; takes ownership. */
static enum module_info
parse(struct kallsyms *k, char *text, size_t length)
{
	const char *wanted = k->origin->kernel_symbol;
	uint64_t high = 0; /* upper half of the last address: nearly always the next one's, too */
	char high_text[8] = ""; /* its digits */
	bool addresses = false;

	k->text = text;
	k->length = length;
	if (length == 0)
		return MODULE_MISSING;
	for (char *p = text, *end = text + length, *next; p < end; p = next) {
		uint64_t address, low;
		char *newline = memchr(p, '\n', (size_t)(end - p)), *name;
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
		if (wanted != NULL && name[0] == wanted[0] && is_named(name, wanted))
			k->reference = address;
		if (address + LONGEST < address)
			continue;
		vec_fit(k->line, k->capline, k->nline + 1);
		k->line[k->nline++] = (struct radix){address, (uintptr_t)name};
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
				    bind == STB_GLOBAL	? SYMBOLRANK_GLOBAL
				    : bind == STB_LOCAL ? SYMBOLRANK_LOCAL
							: SYMBOLRANK_WEAK);
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
	const char *module;
	size_t n = 0;

	if (k->reference == 0 || k->origin->kernel_address == 0 || by == 0)
		return;
	for (size_t i = 0; i < k->map.n; i++) {
		k->map.range[i].start += by;
		k->map.range[i].end += by;
	}
	for (size_t i = 0; i < k->nline; i++) {
		name_at(k, k->line[i].value, &module);
		if (module == NULL)
			k->line[n++] = (struct radix){k->line[i].key + by, k->line[i].value};
	}
	k->nline = n;
}

static void
finish(struct kallsyms *k)
{
	if (k->info != MODULE_SYMBOLS)
		k->map.n = k->nline = 0;
	relocate(k);
	rangemap_finish(&k->map, symbolrank_prefer);
	finish_lines(k);
}

static void *
load(void *arg)
{
	struct kallsyms *k = arg;
	int fd = symsource_open_vmlinux(k->origin);
	size_t length;
	char *text;

	if (fd >= 0) {
		k->info = read_vmlinux(k, fd);
	} else {
		text = read_all(symsource_open_kallsyms(k->origin), &length);
		k->info = parse(k, text, length);
	}
	finish(k);
	return NULL;
}

struct kallsyms *
kallsyms_of(char *text, size_t n)
{
	static const struct symsource none;
	struct kallsyms *k = kallsyms_new(&none);

	k->info = parse(k, text, n);
	finish(k);
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

/* The last line that starts at or before address, if its function may be that long; or NULL. */
static const struct radix *
line_at(const struct kallsyms *k, uint64_t address)
{
	const size_t n = radix_count(k->line, k->nline, address);
	uint64_t start;

	if (n == 0)
		return NULL;
	start = k->line[n - 1].key;
	return address < start + LONGEST ? &k->line[n - 1] : NULL;
}

const char *
kallsyms_find(struct kallsyms *k, uint64_t address, const char **module)
{
	const struct radix *line;
	const struct range *r;

	*module = NULL;
	if (kallsyms_info(k) != MODULE_SYMBOLS)
		return NULL;
	if ((line = line_at(k, address)) != NULL)
		return name_at(k, line->value, module);
	r = rangemap_find(&k->map, address);
	return r != NULL ? r->what : NULL;
}
