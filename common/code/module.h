/*
 * module: what code was mapped from: an executable file or library, the vdso, the
 * kernel, or a process's own generated code. A file is opened once, whichever
 * process maps it, and its module outlives all of them; modules are freed by modules_forget alone.
 * What a name and its identity stand for is found here; unwind and symbol keep
 * what they know of a module under it.
 *
 * Addresses: a pc of a process becomes an "ELF address" (vaddr), as it stands in
 * the file's program headers and symbols, through module_vaddr. In MODULE_KERNEL
 * and MODULE_JIT the ELF address is the pc itself.
 *
 * Not thread-safe, but for symbol_kernel_start and between two of them. Files come from strangers:
 * each function takes corrupted ones, and one that is cut short while it is mapped.
 */
#ifndef MODULE_H
#define MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <libelf.h>

#include "code/symsource.h"

enum module_kind {
	MODULE_FILE,
	MODULE_VDSO,
	MODULE_KERNEL, /* the kernel and its modules, one module for all */
	MODULE_JIT, /* anonymous executable memory of one process */
	MODULE_SCRIPT, /* functions of scripts, of one runtime; ELF addresses are script_names' */
};

/* How well a module's code can be named; symbol finds it when it first resolves in it. */
enum module_info {
	MODULE_UNTRIED,
	MODULE_MISSING, /* the mapped file could not be opened, or it is not ELF */
	MODULE_HIDDEN, /* kernel addresses read as zero (kptr_restrict, not root) */
	MODULE_NAMELESS, /* no symbols at all */
	MODULE_DYNAMIC, /* only exported names: it was stripped */
	MODULE_SYMBOLS, /* a symbol table, but no debug information: no inlines, no lines */
	MODULE_DEBUG,
};

struct module {
	enum module_kind kind;
	enum module_info info;
	uint32_t number; /* 0, 1, 2 in the order of making, never given again */
	bool kept; /* see modules_forget */
	int pid; /* MODULE_JIT: the process */
	const char *path; /* as the kernel names it, without " (deleted)" */
	const char *name; /* its base name; "[vdso]", "[kernel.kallsyms]", "[jit]" */

	bool unverified; /* its file was taken by its path alone */
	bool other; /* a file of another build is at its path */
	bool function; /* MODULE_KERNEL: its name is that of all of its code */
	bool haskell; /* its code was found to be GHC's; see codeframe.h */

	struct module_cfi *cfi; /* private to cfi.c; NULL until the first address is unwound */
	void (*cfi_free)(struct module_cfi *); /* set with it */
	struct symbol_table *symbols; /* for symbol.c alone */
	struct jitmap *jit; /* MODULE_JIT: where generated code is named */
	const struct script_names *scripts; /* MODULE_SCRIPT; and whether its runtime compiles */
	bool compiled;
	struct kallsyms *kallsyms; /* MODULE_KERNEL: where the kernel's code is named */
	struct module_file *file; /* for module.c alone */
};

/* All that come from one origin. */
struct modules;

struct modules *modules_new(const struct symsource *o);

const struct symsource *modules_origin(const struct modules *ms);

/*
 * The module of an executable mapping: module_vdso for [vdso], module_jit for
 * memory without a file, and else that of the mapped file (see symsource_open). Always
 * returns one: when no file is found that is the mapped one, only its name is known.
 * Call it when the mapping is made, while the process lives and the file is there; it
 * is only opened then, and looked into when one of the functions below is called.
 */
struct module *module_open(struct modules *ms, const char *path, const struct module_id *id,
    const struct module_reach *reach);

struct module *module_kernel(struct modules *ms);

/*
 * A recording says where the kernel and its modules are: code there that has no name in
 * the kernel's symbols has that of its part, "[nf_tables]". module_kernel_at is the part
 * at an address, module_kernel where nothing is known of it.
 */
void module_kernel_map(struct modules *ms, uint64_t start, uint64_t end, const char *name);
struct module *module_kernel_at(struct modules *ms, uint64_t address);

/*
 * The same of code that the kernel made, which is one function (KSYMBOL records), until
 * it has gone again. What comes later at the same place is another module.
 */
void module_kernel_symbol(struct modules *ms, uint64_t start, uint64_t end, const char *name);
void module_kernel_unmap(struct modules *ms, uint64_t start, uint64_t end);

/* What a virtual machine on this one ran, of which nothing is known here: "[guest]". */
struct module *module_guest(struct modules *ms);

/* The vdso, which is that of all processes of the same word size; id as in a record, or zero. */
struct module *module_vdso(struct modules *ms, const struct module_id *id);

/*
 * Generated code of a process, one module for each pid: call it when the first
 * anonymous executable mapping is seen.
 */
struct module *module_jit(struct modules *ms, int pid);

/* The functions of scripts of a runtime, whose name the module has; names stay the caller's. */
struct script_names;
struct module *module_script(
    struct modules *ms, const char *runtime, bool compiled, const struct script_names *names);

/* How many were made so far: one above the highest number. */
uint32_t modules_made(const struct modules *ms);

/*
 * For recordings that go on for days: free all modules that are not `kept` and were
 * not named (symbol.h), and clear that of the others. True when any was freed: what
 * cfi knows has to go too.
 */
bool modules_forget(struct modules *ms);

/*
 * The ELF address of a file offset through the executable segment that holds it,
 * or another that does; files linked by lld and mold have offset != address. The
 * offset itself when there is no such segment or no file.
 */
uint64_t module_vaddr(struct module *m, uint64_t file_offset);

/*
 * The file (of a library, or the vdso), for its CFI; NULL when there is none. It
 * belongs to the module; elf_begin(-1, ELF_C_READ, elf) makes a handle that a Dwfl
 * may own, for a find_elf callback.
 */
Elf *module_elf(struct module *m);

/*
 * Its debug information, the file's own or a separate one (build-id, debuglink,
 * debuginfod when DEBUGINFOD_URLS is set), at the ELF addresses of the file. The
 * first call may take a while: sections are decompressed. NULL when there is none.
 */
Dwarf *module_dwarf(struct module *m);

/* The file alone in a Dwfl, at its ELF addresses; NULL when there is none. */
Dwfl_Module *module_dwfl(struct module *m);

#endif
