/*
 * syms: the symbol file that samply writes next to a profile (--unstable-presymbolicate):
 * for p.json or p.json.gz it is p.syms.json or p.json.syms.json:
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
		uint32_t name; /* index in strings */
		uint32_t first, frames; /* range in frame */
	} * symbol;
	size_t nsymbol, capsymbol;
	struct syms_frame {
		uint32_t function, file; /* index in strings, or JSON_NO_INDEX */
		uint32_t line; /* 0: unknown */
	} * frame; /* innermost first */
	size_t nframe, capframe;
	struct syms_module {
		struct text name, id;
		struct intmap address; /* by address: index in symbol, plus 1 */
	} * module;
	size_t nmodule, capmodule;
};

/* Lets the sandbox read the symbol files next to an input. */
void syms_sandbox(struct sandbox *s, const char *input);

/* Reads the symbol file of r's input; false if there is none. */
bool syms_read(struct syms *s, struct reader *r);
void syms_free(struct syms *s);

/* Module with that name and id, as a Firefox profile writes them, or NULL. */
const struct syms_module *syms_module(const struct syms *s, struct str name, struct str id);

/* Symbol at an address of a module, or NULL; m may be NULL. */
const struct syms_symbol *syms_find(
    const struct syms *s, const struct syms_module *m, uint64_t address);

#endif
