/*
 * v8heap: objects of V8, shared by the parts of its reader: v8.c names functions, v8code.c
 * finds inlined ones and positions in compiled code, v8bytecode.c positions in bytecode. Offsets
 * in objects are relative to the tagged address.
 */
#ifndef V8HEAP_H
#define V8HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "runtime/runtime.h"

/* Values of v8dbg_* symbols. */
struct v8_constants {
	int32_t map_type; /* offset of the instance type in a map */
	int32_t shared, name, script; /* offsets in JSFunction, SharedFunctionInfo */
	int32_t script_name, line_ends, source; /* in Script */
	int32_t first_vars, locals; /* slots of ScopeInfo */
	int32_t type_function, type_shared, type_scope, type_script, type_array;
};

/* Offsets in Code, by version; some versions export the first ones. */
struct v8_code {
	int32_t code; /* in JSFunction */
	int32_t positions, start, flags, size, deoptimization;
	int32_t baseline; /* CodeKind of baseline code; the interpreter's and stubs are below */
	bool flagged_offsets; /* tables of positions have two flags below each offset */
	int32_t literals, shared, inlining; /* slots of DeoptimizationData */
	bool apart; /* instructions are a separate object; start points to it */
	int32_t type_code, type_stream, type_bytes, type_bytecode;
	int32_t bytecode; /* in BytecodeArray: the first bytecode */
	int32_t bytecode_positions; /* in BytecodeArray */
	/* Sizes of bytecodes in bytes, for operands of 1, 2 and 4 bytes; NULL: unknown. */
	const unsigned char *size_of;
	size_t nbytecode; /* kinds of bytecodes */
};

struct v8 {
	struct runtime_process *process;
	struct v8_constants c;
	struct v8_code code;
	uint64_t stream_map; /* map of objects with instructions; 0: unknown yet */
	struct module *module; /* the module with V8's own code */
	struct intmap line; /* by hash of script name, script size and position: line */
};

/* A constant of the file by prefix and name, 0 if in .bss; false when missing. */
bool v8_constant(const struct runtime_module *m, const char *prefix, const char *name, int32_t *v);

/* The instance type of an object; -1 when the word is not one. */
int v8_type(struct v8 *v, uint64_t object);

uint64_t v8_field(struct v8 *v, uint64_t object, int32_t offset);

/* The value of a small integer. */
int32_t v8_smi(uint64_t word);

/*
 * The name of a function by its SharedFunctionInfo; 0 if the object has another type. position:
 * the index of a character of the script, from which the line follows; -1: unknown.
 */
uint32_t v8_name(struct v8 *v, uint64_t shared, int32_t position);

/* Set v->code for a version of V8. */
void v8_set_code(struct v8 *v, const struct runtime_module *m, int major, int minor);

/* Set the parts of v->code for bytecode. */
void v8_set_bytecode(struct v8 *v, const struct runtime_module *m);

/*
 * Adds the functions inlined at the pc of frame i, of compiled code, innermost first. Returns the
 * position in the frame's own function, which it does not add; -1: unknown.
 */
int32_t v8_add_inlined(struct v8 *v, uint64_t function, const struct runtime_sample *at, size_t i,
    struct script_stack *s);

/*
 * The SharedFunctionInfo of the compiled code with pc, where no frame has its function: that of
 * optimized code, or of `candidate`, a function that may be it, if its code is this one. 0:
 * unknown.
 */
uint64_t v8_shared_of_code(struct v8 *v, uint64_t candidate, uint64_t pc);

/* Reads a number of the tables of positions, 7 bits a byte. */
uint64_t v8_variable_length(const unsigned char **at, const unsigned char *end);

/*
 * The entry of a table of source positions (source-position-table.cc) at an offset in code or
 * bytecode; 0: none. Bits 1 to 30: position plus 1; 31 to 46: inlining index.
 */
uint64_t v8_position_entry(struct v8 *v, uint64_t table, int64_t offset);

/* The position of an entry; -1: unknown. */
int32_t v8_position(uint64_t entry);

/* The position in the function of frame i, which the interpreter runs; -1: unknown. */
int32_t v8_interpreted_position(struct v8 *v, const struct runtime_sample *at, size_t i);

/*
 * The position in the function of frame f, at an offset in baseline code, whose instructions
 * `table` assigns to bytecodes (baseline/bytecode-offset-iterator.h); -1: unknown.
 */
int32_t v8_baseline_position(
    struct v8 *v, const struct native_frame *f, uint64_t table, int64_t offset);

#endif
