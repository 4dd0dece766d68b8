/*
 * code: readers of common/code as a program, for t/fuzz/readers.
 *
 *	code jitdump|perfmap|elf|elfinflate|gopclntab|luajit|pattern FILE
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdw.h>

#include "base/cli.h"
#include "base/pattern.h"
#include "code/cfi.h"
#include "code/codeframe.h"
#include "code/elfinflate.h"
#include "code/gopclntab.h"
#include "code/jitdump.h"
#include "code/jitmap.h"
#include "code/symbol.h"

/* The reader's state is its own: without a module of LuaJIT, only its file can make one. */
#include "../../common/code/luajit.c"

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
	elfinflate_debug(&inflated, elf);
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

#define IMAGE 0x10000 /* address of the file in the process */
#define LOOP 0x1000 /* of the interpreter's function */
#define NATIVE 4

/* 16 registers; then stack pointer and kind of each native frame: 1 interpreter, 2 trace. */
struct stop {
	uint64_t reg[16];
	struct {
		uint64_t sp, kind;
	} native[NATIVE];
};

/* The file is a process's memory and begins with a stop. */
static void
read_luajit_memory(const char *path)
{
	static unsigned char bytes[1 << 16];
	static struct script_stack s;
	struct module compiled = {.kind = MODULE_JIT}, library = {.kind = MODULE_FILE};
	struct native_frame native[NATIVE] = {0};
	const struct runtime_sample at = {
	    .native = native, .nnative = NATIVE, .complete = true, .stopped = true};
	int fd = open_file(path);
	ssize_t n = read(fd, bytes, sizeof bytes);
	struct runtime_process process = {.names = script_names_new(), .lines = true};
	struct luajit state = {.process = &process, .loop = LOOP};
	struct stop stop;

	close(fd);
	if (n < (ssize_t)sizeof stop)
		return;
	memcpy(&stop, bytes, sizeof stop);
	for (size_t i = 0; i < NATIVE; i++) {
		native[i].module = stop.native[i].kind == 2 ? &compiled : &library;
		native[i].start = stop.native[i].kind == 1 ? LOOP : 0;
		native[i].sp = stop.native[i].sp;
		native[i].pc = stop.reg[0];
		memcpy(native[i].reg, stop.reg, sizeof stop.reg);
	}
	process.memory = memory_of_image(IMAGE, bytes, (size_t)n);
	for (int again = 0; again < 2; again++) {
		memory_begin(process.memory);
		s.nframe = s.ngroup = 0;
		runtime_luajit.read(&state, &at, &s);
		for (size_t i = 0; i < s.nframe; i++)
			script_name_get(process.names, s.frame[i].name);
		runtime_luajit.frame_size(&state, native[0].pc, native[0].sp, true);
	}
	memory_free(process.memory);
	script_names_free(process.names);
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
} readers[] = {{"jitdump", read_jitdump}, {"perfmap", read_map}, {"elf", read_elf},
    {"elfinflate", read_inflated}, {"gopclntab", read_gopclntab}, {"luajit", read_luajit_memory},
    {"pattern", match}};

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
