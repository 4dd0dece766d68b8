/*
 * code: readers of common/elf, unwind and symbol as a program, for t/fuzz/readers.
 *
 *	code READER FILE	see the table at the end
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdw.h>

#include "base/cli.h"
#include "base/pattern.h"
#include "unwind/cfi.h"
#include "unwind/codeframe.h"
#include "elf/elfinflate.h"
#include "elf/gopclntab.h"
#include "elf/jitdump.h"
#include "elf/jitmap.h"
#include "elf/kallsyms.h"
#include "symbol/symbol.h"
#include "image.h"

#define ADDRESSES 200 /* looked up in each file */

static int
open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		cli_die("%s: cannot be opened", path);
	return fd;
}

static void
read_jitdump(const char *path)
{
	struct jitdump *d = jitdump_new(open_file(path));
	struct jitcode code = {0};

	jitdump_read(d, &code);
	jitcode_sort(&code);
	for (uint64_t at = 0; at < ADDRESSES; at++)
		jitcode_find(&code, 0x1000 + 8 * at, at);
	jitcode_clear(&code);
	jitdump_free(d);
}

/* A perf map needs its usual name, in a directory with the recording. */
static void
read_map(const char *path)
{
	char folder[] = "/tmp/fg-fuzz.XXXXXX", name[64];
	struct symsource source = {.maps = folder};
	struct jitmap *map;
	char bytes[4096];
	int from, to;
	ssize_t n;

	if (mkdtemp(folder) == NULL)
		cli_die("no directory");
	snprintf(name, sizeof name, "%s/perf-1.map", folder);
	from = open_file(path);
	to = open(name, O_WRONLY | O_CREAT, 0600);
	while ((n = read(from, bytes, sizeof bytes)) > 0 && write(to, bytes, (size_t)n) == n)
		continue;
	close(from);
	close(to);
	map = jitmap_new(&source, 1);
	for (uint64_t at = 0; at < ADDRESSES; at++)
		jitmap_find(map, 0x1000 + 8 * at, at);
	jitmap_free(map);
	unlink(name);
	rmdir(folder);
}

static void
read_kallsyms(const char *path)
{
	struct symsource source = {.kallsyms = path};
	struct kallsyms *k = kallsyms_new(&source);
	const char *module;

	kallsyms_info(k);
	for (uint64_t at = 0; at < ADDRESSES; at++) {
		kallsyms_find(k, UINT64_C(0xffffffff81000000) + 8 * at, &module);
		kallsyms_find(k, UINT64_C(0xffffffffc0000000) + 8 * at, &module);
	}
	kallsyms_find(k, UINT64_MAX, &module);
	kallsyms_free(k);
}

static void
look_up(struct module *m, struct cfi *cfi, const struct codeframe *code, uint64_t at)
{
	const struct symbol_frame *frames;
	struct cfi_rule rule = {0};

	symbol_resolve(m, at, 0, SYMBOL_INLINE | SYMBOL_LINES | SYMBOL_SOURCE, &frames);
	cfi_find(cfi, m, at, true);
	cfi_find(cfi, m, at, false);
	if (code != NULL) {
		codeframe_rule(code, at, true, &rule);
		codeframe_rule(code, at, false, &rule);
	}
}

/* Symbols, and unwind rules from CFI and from code. */
static void
read_elf(const char *path)
{
	struct modules *modules = modules_new(&symsource_live);
	struct module_id id = {0};
	struct module_reach reach = {0};
	struct module *m = module_open(modules, path, &id, &reach);
	struct cfi *cfi = cfi_new(&cfi_x86_64);
	Elf *elf = module_elf(m);
	struct codeframe *code = elf != NULL ? codeframe_open(elf) : NULL;

	for (uint64_t i = 0; i < ADDRESSES; i++) {
		look_up(m, cfi, code, module_vaddr(m, 8 * i));
		look_up(m, cfi, code, 0x1000 + 3 * i);
		look_up(m, cfi, code, 0x401000 + 3 * i);
	}
	if (code != NULL)
		codeframe_close(code);
	cfi_free(cfi);
}

static void
read_gopclntab(const char *path)
{
	int fd = open_file(path);
	struct rangemap map = {0};
	struct gopclntab *t;
	int32_t below;
	bool first;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	t = elf != NULL ? gopclntab_open(elf) : NULL;
	if (t != NULL) {
		gopclntab_add(t, &map, 0);
		for (uint64_t at = 0; at < ADDRESSES; at++)
			gopclntab_frame(t, 0x1000 + at, &below, &first);
		gopclntab_close(t);
	}
	rangemap_finish(&map, NULL);
	free(map.range);
	elf_end(elf);
	close(fd);
}

/* Inflates the debug sections; libelf and libdw read them. */
static void
read_inflated(const char *path)
{
	int fd = open_file(path);
	struct elfinflate inflated = {0};
	Dwarf_Off at = 0, next;
	Elf_Scn *section = NULL;
	size_t header;
	unsigned sum = 0;
	Dwarf *dwarf;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	elfinflate_debug(&inflated, elf, false);
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const Elf_Data *data = elf_getdata(section, NULL);

		for (size_t i = 0; data != NULL && data->d_buf != NULL && i < data->d_size; i++)
			sum += ((const unsigned char *)data->d_buf)[i];
	}
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	while (dwarf != NULL && dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0) {
		Dwarf_Die unit;
		Dwarf_Lines *lines;
		size_t n;

		if (dwarf_offdie(dwarf, at + header, &unit) != NULL)
			dwarf_getsrclines(&unit, &lines, &n);
		at = next;
	}
	dwarf_end(dwarf);
	elf_end(elf);
	elfinflate_free(&inflated);
	close(fd);
	if (sum == 1)
		puts("1"); /* the sum is used */
}

/* The first line is an expression, the rest a text. */
static void
match(const char *path)
{
	char text[4096];
	int fd = open_file(path);
	ssize_t n = read(fd, text, sizeof text - 1);
	regmatch_t group[4];
	struct pattern p = {0};
	char *end;

	close(fd);
	if (n < 0)
		return;
	text[n] = '\0';
	end = strchr(text, '\n');
	if (end == NULL || strlen(text) != (size_t)n)
		return;
	*end++ = '\0';
	p.text = text;
	pattern_compile(&p, "match");
	for (size_t at = 0, len = strlen(end);
	     at <= len && pattern_find(&p, end, at, len, group, 4);)
		at = (size_t)group[0].rm_eo + (group[0].rm_eo == group[0].rm_so);
	pattern_free(&p);
}

static const struct {
	const char *name;
	void (*read)(const char *path);
} readers[] = {{"jitdump", read_jitdump}, {"perfmap", read_map}, {"kallsyms", read_kallsyms},
    {"elf", read_elf}, {"elfinflate", read_inflated}, {"gopclntab", read_gopclntab},
    {"pattern", match}, {"luajit", read_luajit_memory}, {"haskell", read_haskell_memory},
    {"beam", read_beam_memory}, {"v8", read_v8_memory}, {"oldpython", read_oldpython_memory},
    {"ruby", read_ruby_memory}};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc == 3 && i < sizeof readers / sizeof readers[0]; i++)
		if (strcmp(readers[i].name, argv[1]) == 0) {
			readers[i].read(argv[2]);
			return 0;
		}
	return 3;
}
