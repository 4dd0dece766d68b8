/*
 * module: the source of mapped code: an executable file or library, the vdso, the kernel, or a
 * process's JIT code. A file is opened once for all processes that map it, and its module
 * outlives them; only modules_forget frees modules. This module finds the file for a path and
 * an identity; unwind and symbol attach their data to it.
 *
 * Addresses: module_vaddr converts a file offset to an "ELF address" (vaddr), as in the file's
 * program headers and symbols. In MODULE_KERNEL, MODULE_JIT and stored JIT code
 * (module_is_stored_jit) the ELF address is the pc itself.
 *
 * Not thread-safe, except symbol_kernel_start, and except that two `struct modules` are
 * independent. Files are untrusted: each function handles corrupted ones, and files that are
 * truncated while mapped.
 */
#ifndef MODULE_H
#define MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/symsource.h"
#include "elf/moduleinfo.h"

/* Of libelf and libdw, whose headers only those need that use them. */
typedef struct Elf Elf;
typedef struct Dwarf Dwarf;
typedef struct Dwfl_Module Dwfl_Module;

enum module_kind {
	MODULE_FILE,
	MODULE_VDSO,
	MODULE_KERNEL, /* the kernel and its modules */
	MODULE_JIT, /* anonymous executable memory of one process */
	MODULE_SCRIPT, /* script functions of one runtime; ELF addresses are name numbers */
	MODULE_NOTE, /* no code: a frame with the module's name */
};

struct module {
	enum module_kind kind;
	enum module_info info;
	uint32_t number; /* 0, 1, 2 in order of creation; never reused */
	bool kept; /* see modules_forget */
	bool unread; /* reading its symbols crashed, or did not end: it is not tried again */
	int pid; /* MODULE_JIT: the process */
	const char *path; /* as the kernel names it, without " (deleted)" */
	const char *name; /* base name; "[vdso]", "[kernel.kallsyms]", "[jit]" */

	bool unverified; /* the file was found by its path only */
	bool other_build; /* the file at its path is a different build */
	bool function; /* MODULE_KERNEL, MODULE_NOTE: one function, with the module's name */
	bool haskell; /* compiled by GHC; see codeframe.h */
	/*
	 * MODULE_FILE, MODULE_KERNEL: functions that the recording stores, in place of the file's.
	 * NULL if it stores none, or once the file itself was found by its build ID.
	 */
	const struct storedsym_file *stored;

	struct module_cfi *cfi; /* private to cfi.c; NULL until the first address is unwound */
	void (*cfi_free)(struct module_cfi *); /* frees cfi */
	struct symbol_table *symbols; /* private to symbol.c */
	struct jitmap *jit; /* MODULE_JIT: names of JIT code */
	const struct script_names *scripts; /* MODULE_SCRIPT; compiled: as JIT code */
	bool compiled;
	struct kallsyms *kallsyms; /* MODULE_KERNEL: the kernel's symbols */
	struct module_file *file; /* private to module.c */
};

/* All modules of one symbol source. */
struct modules;

struct modules *modules_new(const struct symsource *o);

const struct symsource *modules_origin(const struct modules *ms);

/*
 * The module of an executable mapping: module_vdso for [vdso], module_jit for anonymous memory,
 * else that of the mapped file (see symsource_open). Never NULL: if the mapped file is not
 * found, the module only has a name. Call it at the time of the mapping, while the process and
 * the file exist: the file is opened now, and read when a function below needs it.
 */
struct module *module_open(struct modules *ms, const char *path, const struct module_id *id,
    const struct module_reach *reach);

struct module *module_kernel(struct modules *ms);
/* True if that was called before, as for an address of the kernel. */
bool module_has_kernel(const struct modules *ms);

/*
 * Sets the range of the kernel or of a kernel module, from a recording. Code there without a
 * kernel symbol has the part's name, "[nf_tables]". module_kernel_at returns the part at an
 * address, or module_kernel where there is none.
 */
void module_kernel_map(struct modules *ms, uint64_t start, uint64_t end, const char *name);
struct module *module_kernel_at(struct modules *ms, uint64_t address);

/*
 * Adds, and removes, a range of kernel-generated code that is one function (KSYMBOL records).
 * Later code at the same address is another module.
 */
void module_kernel_symbol(struct modules *ms, uint64_t start, uint64_t end, const char *name);
void module_kernel_unmap(struct modules *ms, uint64_t start, uint64_t end);

/* A frame that stands for no code; name: a constant string. */
struct module *module_note(struct modules *ms, const char *name);

/* Code of a virtual machine's guest, which has no symbols here: "[guest]". */
struct module *module_guest(struct modules *ms);

/* The vdso, common to all processes of one word size; id as in a record, or zero. */
struct module *module_vdso(struct modules *ms, const struct module_id *id);

/*
 * JIT code of a process, one module per pid. Call it at the process's first anonymous
 * executable mapping.
 */
struct module *module_jit(struct modules *ms, int pid);

/* The script functions of a runtime; the module has the runtime's name. The caller owns names. */
struct script_names;
struct module *module_script(
    struct modules *ms, const char *runtime, bool compiled, const struct script_names *names);

/* Number of modules created so far: one above the highest module number. */
uint32_t modules_made(const struct modules *ms);

/* The module with a number; NULL if there is none, or if it was freed. */
struct module *modules_at(const struct modules *ms, uint32_t number);

/*
 * For recordings that last days: frees all modules that are not `kept` and were never
 * symbolized, and clears `kept` in the others. True when any was freed: call cfi_forget then.
 */
bool modules_forget(struct modules *ms);

/*
 * The ELF address of a file offset, by the executable segment that contains it, or else any
 * segment; lld and mold link files with offset != address. Returns the offset itself when no
 * segment contains it, or there is no file.
 */
uint64_t module_vaddr(struct module *m, uint64_t file_offset);

/*
 * ELF address - address in memory, in a mapping of the module that starts at `start` with that file
 * offset; 0 for the kernel and JIT code.
 */
uint64_t module_bias(struct module *m, uint64_t start, uint64_t file_offset);

/* True for JIT code whose functions the recording stores: a MODULE_FILE without a file. */
bool module_is_stored_jit(const struct module *m);

/* The functions of a MODULE_FILE that the recording stores; NULL: use those of the file. */
const struct storedsym_file *module_stored(struct module *m);

/*
 * The ELF handle of a file or the vdso, for its CFI; NULL when there is none. The module owns
 * it; elf_begin(-1, ELF_C_READ, elf) creates a handle that a Dwfl may own, for a find_elf
 * callback.
 */
Elf *module_elf(struct module *m);

/*
 * The debug information at the file's ELF addresses: its own or a separate file's (build ID,
 * debuglink, debuginfod when DEBUGINFOD_URLS is set). The first call can be slow: it
 * decompresses sections. NULL when there is none.
 */
Dwarf *module_dwarf(struct module *m);

/* Where split files of the debug information of module_dwarf may be. */
const struct module_places *module_places(struct module *m);

/* The build ID, of the recording or else of the file; returns its size, 0 when it is unknown. */
size_t module_build_id(struct module *m, const unsigned char **id);

/* A Dwfl module of this file only, at its ELF addresses; NULL when there is none. */
Dwfl_Module *module_dwfl(struct module *m);

#endif
