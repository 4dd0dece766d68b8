/* symbolframe: the name, line and definition of a function at an address, from any source. */
#ifndef SYMBOLFRAME_H
#define SYMBOLFRAME_H

#include <stdbool.h>

struct symbol_frame {
	const char *function;
	const char *file; /* with SYMBOL_LINES: of the innermost frame the line at the */
	unsigned line; /* address, of its callers that of the call; NULL and 0: unknown */
	const char *decl_file; /* with SYMBOL_SOURCE: the function's definition; NULL: unknown */
	unsigned decl_line;
	const char *module; /* kernel module in brackets, "[nf_tables]"; else NULL */
	bool inlined; /* into the next frame */
};

/* Information besides names, as flags. */
enum {
	SYMBOL_INLINE = 1,
	SYMBOL_LINES = 2,
	SYMBOL_SOURCE = 4,
};

#define SYMBOL_FRAMES 128 /* maximum at one address */

#endif
