/*
 * moduleinfo: the quality of symbols, and where debug information is.
 */
#ifndef MODULEINFO_H
#define MODULEINFO_H

/* Quality of a module's symbols; set by symbol at its first lookup. */
enum module_info {
	MODULE_UNTRIED,
	MODULE_MISSING, /* mapped file not opened, or not ELF */
	MODULE_HIDDEN, /* kernel addresses read as zero (kptr_restrict, not root) */
	MODULE_NAMELESS, /* no symbols at all */
	MODULE_DYNAMIC, /* stripped: only exported names */
	MODULE_SYMBOLS, /* symbol table without debug information: no inline frames, no lines */
	MODULE_GO, /* like MODULE_SYMBOLS, of a Go program */
	MODULE_DEBUG,
};

/* Places near which the split files (.dwp, .dwo) of a module's debug information may be. */
struct module_places {
	const char *debug, *program; /* files: with the debug information, and the code; or NULL */
	const char *directories; /* as in Dwfl_Callbacks.debuginfo_path */
};

#endif
