/*
 * syms: the file of symbols that samply writes beside a profile (--unstable-presymbolicate):
 * for p.json or p.json.gz it is p.syms.json or p.json.syms.json,
 *
 *	{"string_table": ["UNKNOWN", "main", "f", "a.c"],
 *	 "data": [{"debug_name": "app", "debug_id": "F1D957D3-0B41-3D55-A539-BBA06F90DD8F",
 *	  "symbol_table": [{"rva": 4096, "size": 64, "symbol": 1,
 *	    "frames": [{"function": 2, "file": 3, "line": 7}, {"function": 1}]}],
 *	  "known_addresses": [[4100, 0]]}]}
 */
#ifndef SYMS_H
#define SYMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/sandbox.h"
#include "fg-collapse/shape/jsonarray.h"

struct syms {
	struct json_strings strings;
	struct syms_symbol {
		uint32_t name; /* of strings */
		uint32_t first, frames; /* in frame */
	} * symbol;
	size_t nsymbol, capsymbol;
	struct syms_frame {
		uint32_t function, file; /* of strings, or JSON_NO_INDEX */
		uint32_t line; /* 0: unknown */
	} * frame; /* the innermost first */
	size_t nframe, capframe;
	struct syms_module {
		struct text name, id;
		struct intmap address; /* to a symbol, from 1 on */
	} * module;
	size_t nmodule, capmodule;
};

/*
 * Beside each operand argv[from] to argv[argc - 1] files of symbols may be read. Returns
 * their names, which the caller frees with the list when the sandbox was entered.
 */
char **syms_sandbox(struct sandbox *s, int argc, char **argv, int from);

/* Read the file of symbols beside r's input; false when there is none. */
bool syms_read(struct syms *s, struct reader *r);
void syms_free(struct syms *s);

/* The module of that name and id (as a Firefox profile writes these), or NULL. */
const struct syms_module *syms_module(const struct syms *s, struct str name, struct str id);

/* The symbol at an address of a module, which may be NULL, or NULL. */
const struct syms_symbol *syms_find(
    const struct syms *s, const struct syms_module *m, uint64_t address);

#endif
