/*
 * rubyname: reads the names of CRuby's functions. Input: a control frame. Output: its label with
 * the class, the file and the line.
 */
#ifndef RUBYNAME_H
#define RUBYNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/text.h"
#include "runtime/runtime.h"

#define RUBY_TEXT_MAX 256 /* bytes of a label or a path */

/* Offsets of a version. */
struct ruby_layout {
	const char *version;
	uint16_t control; /* size of rb_control_frame_t */
	uint16_t lines, lines_size, succinct; /* rb_iseq_constant_body.insns_info */
	uint16_t line; /* size of struct iseq_insn_info_entry, whose line is first */
	bool fixnum; /* first_lineno is a VALUE */
	uint16_t text; /* of a String: embedded text; the length is before it from 3.2 on */
	bool path; /* a class has its name in its extension, not among its variables */
	uint16_t singleton; /* FL_SINGLETON */
};

/* Offsets of all these versions. */
enum {
	ISEQ_BODY = 16, /* rb_iseq_t */
	BODY_ENCODED = 8, /* rb_iseq_constant_body */
	BODY_PATH = 64,
	BODY_BASE_LABEL = 72,
	BODY_LABEL = 80,
	METHOD_DEFINITION = 16, /* rb_callable_method_entry_t */
};

#define FRAME_MAGIC 0x7fff0001 /* bits of ep[0], and */
#define ENV_LOCAL 2 /* VM_ENV_FLAG_LOCAL */

/* The names of one process. */
struct ruby_names {
	struct runtime_process *process;
	const struct ruby_layout *at;
	unsigned name, attached; /* words of a class: its name, and the object of a singleton */
	uint64_t object; /* address of rb_cObject */
	uint64_t symbols; /* address of the Array of names by ID; 0: unknown */
	uint64_t
	    class_path; /* the ID of __classpath__, by which a class has its name; 0: unknown */
	struct intmap owner; /* by method entry: its class, as last read */
};

void ruby_names_open(struct ruby_names *rb, struct runtime_process *p, const struct ruby_layout *at,
    const struct runtime_module *m);
void ruby_names_close(struct ruby_names *rb);

/* A frame's label with its class: "block in go" becomes "block in Object#go", as in stackprof. */
uint32_t ruby_name(struct ruby_names *rb, const uint64_t *control);

/* The name of a method in C, as Array#each. Sets *function, its address; 0: another frame. */
uint32_t ruby_name_function(struct ruby_names *rb, const uint64_t *control, uint64_t *function);

/* Reads a String; truncates it to the buffer. */
bool ruby_read_string(struct ruby_names *rb, uint64_t value, char to[RUBY_TEXT_MAX], struct str *s);

/* Reads the path of a body: a String, or an Array of path and real path. */
void ruby_read_path(struct ruby_names *rb, uint64_t body, char to[RUBY_TEXT_MAX], struct str *s);

#endif
