/*
 * symbol: prints results of symbol and demangle, for t/symbol.t. One line per frame, innermost
 * first: "function", with -i "_[i]" after inline frames, with -l " (file:line)" of the line that
 * ran, with -s " [file:line]" of the definition; base names only.
 *
 *   symbol demangle NAME...        with and without parameters
 *   symbol [-ils] file PATH ADDRESS...     "-" as address: read them from stdin, no output
 *   symbol [-ils] offset PATH OFFSET...    offsets in the file
 *   symbol mapped PID NAME         the executable mapping of a process that ends in NAME
 *   symbol vdso | kernel ADDRESS...
 *   symbol [-l] jit PID DUMP|- ADDRESS[@TIME]...
 *
 * An address that begins with ! is a shell command to run between the others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "dwarf/demangle.h"
#include "symbol/symbol.h"

static unsigned flags;
static struct modules *modules;

static void
place(const char *file, unsigned line, const char *open, const char *close)
{
	const char *slash;

	if (file == NULL)
		return;
	slash = strrchr(file, '/');
	printf(" %s%s:%u%s", open, slash != NULL ? slash + 1 : file, line, close);
}

static void
print(struct module *m, uint64_t address, uint64_t time)
{
	const struct symbol_frame *frames;
	size_t n = symbol_resolve(m, address, time, flags, &frames);

	for (size_t i = 0; i < n; i++) {
		printf("%s%s", frames[i].function, frames[i].inlined ? "_[i]" : "");
		place(frames[i].file, frames[i].line, "(", ")");
		place(frames[i].decl_file, frames[i].decl_line, "[", "]");
		printf("%s%s\n", frames[i].module != NULL ? " " : "",
		    frames[i].module != NULL ? frames[i].module : "");
	}
	if (n == 0)
		printf("[%s]\n", m->name);
}

static void
from_stdin(struct module *m)
{
	const struct symbol_frame *frames;
	char line[64];
	size_t n = 0, named = 0, all = 0;

	while (fgets(line, sizeof line, stdin) != NULL) {
		const size_t got = symbol_resolve(m, strtoull(line, NULL, 16), 0, flags, &frames);

		n++;
		named += got > 0;
		all += got;
	}
	printf("%zu addresses, %zu named, %zu frames\n", n, named, all);
}

static int
mapped(int pid, const char *name)
{
	char path[64], line[4096];
	FILE *maps;

	snprintf(path, sizeof path, "/proc/%d/maps", pid);
	maps = fopen(path, "r");
	while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
		struct module_id id = {0};
		struct module_reach reach = {.pid = pid};
		uint64_t offset;
		char rights[8], file[4096];
		struct module *m;
		size_t length;

		if (sscanf(line, "%jx-%jx %7s %jx %x:%x %ju %4095[^\n]", &reach.start, &reach.end,
			rights, &offset, &id.major, &id.minor, &id.inode, file) != 8)
			continue;
		length = strcspn(file, " ");
		if (rights[2] != 'x' || length < strlen(name) ||
		    strncmp(file + length - strlen(name), name, strlen(name)) != 0)
			continue;
		m = module_open(modules, file, &id, &reach);
		printf("%s %s\n", m->name, module_elf(m) != NULL ? "found" : "missing");
		fclose(maps);
		return 0;
	}
	return 1;
}

int
main(int argc, char **argv)
{
	const struct cli cli = {
	    .synopsis = "", .purpose = "", .options = (struct cli_option[]){{0}}};
	const struct module_id id = {0};
	const struct module_reach reach = {0};
	struct module *m;
	const char *what;
	int i = 1;

	cli_start(&cli, argv);
	modules = modules_new(&symsource_live);
	for (; i < argc && argv[i][0] == '-'; i++)
		for (const char *p = argv[i] + 1; *p != '\0'; p++)
			flags |= *p == 'i'   ? SYMBOL_INLINE
				 : *p == 'l' ? SYMBOL_LINES
					     : SYMBOL_SOURCE;
	if (i >= argc)
		return 2;
	what = argv[i++];
	if (strcmp(what, "demangle") == 0) {
		for (; i < argc; i++) {
			char *plain = demangle(argv[i], strlen(argv[i]), false);
			char *full = demangle(argv[i], strlen(argv[i]), true);

			printf("%s | %s\n", plain != NULL ? plain : "-", full != NULL ? full : "-");
			free(plain);
			free(full);
		}
		return 0;
	}
	if (strcmp(what, "mapped") == 0 && i + 2 == argc)
		return mapped(atoi(argv[i]), argv[i + 1]);
	if (strcmp(what, "kernel") == 0) {
		symbol_kernel_start(modules);
		m = module_kernel(modules);
	} else if (strcmp(what, "vdso") == 0)
		m = module_vdso(modules, &id);
	else if (strcmp(what, "jit") == 0 && i + 2 < argc) {
		m = module_jit(modules, atoi(argv[i++]));
		if (strcmp(argv[i], "-") != 0)
			symbol_jitdump(m, argv[i]);
		i++;
	} else if (i < argc)
		m = module_open(modules, argv[i++], &id, &reach);
	else
		return 2;
	for (; i < argc; i++) {
		char *at;
		uint64_t address = strtoull(argv[i], &at, 16);

		if (argv[i][0] == '!') {
			if (system(argv[i] + 1) != 0)
				return 2;
		} else if (strcmp(argv[i], "-") == 0)
			from_stdin(m);
		else
			print(m, strcmp(what, "offset") == 0 ? module_vaddr(m, address) : address,
			    *at == '@' ? strtoull(at + 1, NULL, 10) : 0);
	}
	if (m->info == MODULE_HIDDEN)
		puts("hidden");
	return m->info == MODULE_MISSING;
}
