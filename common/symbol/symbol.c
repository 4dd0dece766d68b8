/*
 * symbol: selects the source of names for a module, and caches each result.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "dwarf/demangle.h"
#include "dwarf/dwarfinfo.h"
#include "elf/elfsym.h"
#include "base/intmap.h"
#include "elf/jitmap.h"
#include "elf/kallsyms.h"
#include "base/rangemap.h"
#include "runtime/runtime.h"
#include "elf/storedsym.h"
#include "symbol/symbol.h"

/* Bytes of linker names: in a hostile file they overlap. */
#define NAMES_LEAST (1 << 20)
#define NAMES_PER_BYTE 16

/* The result for an address; JIT code can have several, one after the other. */
struct answer {
	struct answer *other;
	const char *code; /* MODULE_JIT: name in the piece of code */
	size_t n;
	struct symbol_frame frame[];
};

struct symbol_table {
	struct rangemap functions; /* MODULE_FILE, MODULE_VDSO: linkers' names */
	struct intmap demangled; /* by address of a linker name: the readable name */
	uint64_t names_left; /* bytes of further linker names */
	struct dwarfinfo *dwarf; /* NULL: none, or not needed yet */
	bool tried_dwarf, said_missing;
	struct intmap answers; /* by ELF address: struct answer */
};

/* Uses the functions that the recording stores; false if it stores none of m's. */
static bool
use_stored(struct module *m)
{
	const struct storedsym_file *stored = module_stored(m);

	if (stored == NULL || stored->functions.n == 0)
		return false;
	m->symbols->functions = stored->functions;
	m->symbols->tried_dwarf = true; /* the debug information may be of another build */
	m->info = MODULE_SYMBOLS;
	return true;
}

/* The table of m, created at the first use. */
static struct symbol_table *
table(struct module *m)
{
	struct symbol_table *t = m->symbols;
	size_t size;

	if (t != NULL)
		return t;
	t = m->symbols = cli_alloc(1, sizeof *t);
	t->names_left = m->kind == MODULE_KERNEL ? UINT64_MAX : NAMES_LEAST;
	switch (m->kind) {
	case MODULE_FILE:
		if (use_stored(m)) {
			t->names_left = UINT64_MAX;
			break;
		}
		if (module_elf(m) != NULL && elf_rawfile(module_elf(m), &size) != NULL)
			t->names_left += (uint64_t)size * NAMES_PER_BYTE;
		/* fallthrough */
	case MODULE_VDSO: m->info = elfsym_load(m, &t->functions); break;
	case MODULE_KERNEL:
		m->info = m->stored != NULL && m->stored->functions.n > 0 ? MODULE_SYMBOLS
			  : m->kallsyms != NULL ? kallsyms_info(m->kallsyms)
						: MODULE_MISSING;
		break;
	case MODULE_JIT:
	case MODULE_SCRIPT: break;
	case MODULE_NOTE: m->info = MODULE_SYMBOLS; break;
	}
	return t;
}

/* Opens debug information, perhaps compressed: only for inlined calls or lines. */
static struct dwarfinfo *
debug_information(struct module *m)
{
	struct symbol_table *t = m->symbols;
	Dwarf *dwarf;

	if (!t->tried_dwarf) {
		t->tried_dwarf = true;
		if (m->kind == MODULE_FILE && (dwarf = module_dwarf(m)) != NULL) {
			t->dwarf = dwarfinfo_new(dwarf, module_places(m));
			if (t->dwarf != NULL)
				m->info = MODULE_DEBUG;
			else
				cli_warn("%s: inlined calls and lines are unknown, because "
					 "reading its debug information could take any time",
				    m->name);
		}
	}
	return t->dwarf;
}

/* The name as a user reads it; NULL if all names together are too long. */
static const char *
readable(struct symbol_table *t, const char *name)
{
	char *known = intmap_get(&t->demangled, (uintptr_t)name);
	size_t length;

	if (known != NULL)
		return known;
	length = strnlen(name, t->names_left);
	if (length == t->names_left) {
		t->names_left = 0;
		return NULL;
	}
	t->names_left -= length;
	known = demangle(name, length, false);
	if (known == NULL) {
		known = cli_strdup(name);
		known[text_without_version(name, length)] = '\0';
	}
	*intmap_at(&t->demangled, (uintptr_t)name) = known;
	return known;
}

static struct answer *
keep(const struct symbol_frame *frames, size_t n)
{
	struct answer *a = cli_alloc(1, sizeof *a + n * sizeof *frames);

	a->n = n;
	if (n > 0)
		memcpy(a->frame, frames, n * sizeof *frames);
	return a;
}

/* Removes inlined calls without a name (a debug section or dwz file is missing). */
static size_t
drop_nameless(struct symbol_frame *frames, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (frames[i].function != NULL)
			frames[kept++] = frames[i];
	return kept;
}

/* Reports, once, a split file that the last lookup did not find. */
static void
report_missing(struct module *m)
{
	const char *missing = dwarfinfo_missing(m->symbols->dwarf);

	if (missing == NULL || m->symbols->said_missing)
		return;
	m->symbols->said_missing = true;
	cli_warn("%s: inlined calls are unknown, because split debug information is missing: "
		 "not in %s",
	    m->name, missing);
}

static struct answer *
resolve_elf(struct module *m, uint64_t vaddr, unsigned flags)
{
	struct symbol_table *t = m->symbols;
	struct symbol_frame frames[SYMBOL_FRAMES] = {0};
	const struct range *function = rangemap_find(&t->functions, vaddr);
	size_t n = 0;

	if (flags != 0 && debug_information(m) != NULL) {
		n = dwarfinfo_find(t->dwarf, vaddr, flags, function != NULL, frames, SYMBOL_FRAMES);
		report_missing(m);
	}
	/*
	 * The symbol names the function itself, so that its name is the same without debug
	 * information.
	 */
	if (function != NULL && ((const char *)function->what)[0] != '\0') {
		if (n == 0)
			n = 1;
		frames[n - 1].function = readable(t, function->what);
	}
	return keep(frames, drop_nameless(frames, n));
}

static struct answer *
resolve_kernel(struct module *m, uint64_t address)
{
	struct symbol_frame frame = {0};
	const struct range *stored =
	    m->stored != NULL ? rangemap_find(&m->stored->functions, address) : NULL;
	const char *name = NULL;

	if (m->function)
		name = m->name;
	else if (stored != NULL)
		name = stored->what;
	else if (m->kallsyms != NULL)
		name = kallsyms_find(m->kallsyms, address, &frame.module);
	if (name == NULL)
		return keep(NULL, 0);
	frame.function = readable(m->symbols, name);
	return keep(&frame, 1);
}

/* A script's line and first line were both read with the sample. */
static struct answer *
resolve_script(struct module *m, uint64_t number)
{
	const struct script_name *name = script_name_get(m->scripts, number);
	struct symbol_frame frame = {.function = name->called ? name->called : name->function,
	    .file = name->file,
	    .line = name->line,
	    .decl_file = name->file,
	    .decl_line = name->first_line};

	return keep(&frame, number != 0);
}

/* The last line that starts at or before address. */
static const struct jitcode_line *
jit_line(const struct jitcode_piece *code, uint64_t address)
{
	uint32_t low = 0, high = code->nlines;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (code->lines[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &code->lines[low - 1] : NULL;
}

static struct answer *
resolve_jit(
    struct module *m, uint64_t address, uint64_t time, unsigned flags, struct answer *newest)
{
	const struct jitcode_piece *code = jitmap_find(m->jit, address, time);
	struct symbol_frame frame = {0};
	const struct jitcode_line *line;
	struct answer *a, **link;

	m->info = jitmap_count(m->jit) > 0 ? MODULE_SYMBOLS : MODULE_NAMELESS;
	if (code == NULL)
		return NULL;
	for (link = &newest; (a = *link) != NULL; link = &a->other)
		if (a->code == code->name) {
			/* Moves the result to the front. */
			*link = a->other;
			a->other = newest;
			return a;
		}
	frame.function = code->name;
	if ((flags & SYMBOL_LINES) != 0 && (line = jit_line(code, address)) != NULL &&
	    line->file != NULL) {
		frame.file = line->file;
		frame.line = line->line;
	}
	a = keep(&frame, 1);
	a->code = code->name;
	a->other = newest;
	return a;
}

size_t
symbol_resolve(struct module *m, uint64_t vaddr, uint64_t time, unsigned flags,
    const struct symbol_frame **frames)
{
	struct symbol_table *t = table(m);
	struct answer *a = intmap_get(&t->answers, vaddr);

	if (m->kind == MODULE_JIT)
		a = resolve_jit(m, vaddr, time, flags, a);
	else if (a == NULL)
		a = m->kind == MODULE_KERNEL || m->kind == MODULE_NOTE ? resolve_kernel(m, vaddr)
		    : m->kind == MODULE_SCRIPT			       ? resolve_script(m, vaddr)
					       : resolve_elf(m, vaddr, flags);
	*frames = NULL;
	if (a == NULL)
		return 0;
	*intmap_at(&t->answers, vaddr) = a;
	*frames = a->frame;
	return a->n;
}

void
symbol_kernel_start(struct modules *ms)
{
	kallsyms_start(module_kernel(ms)->kallsyms);
}

void
symbol_kernel_start_used(struct modules *ms)
{
	if (module_has_kernel(ms))
		symbol_kernel_start(ms);
}

void
symbol_kernel_wait(struct modules *ms)
{
	if (module_has_kernel(ms))
		kallsyms_wait(module_kernel(ms)->kallsyms);
}

void
symbol_jitdump(struct module *jit, const char *path)
{
	jitmap_dump(jit->jit, path);
}
