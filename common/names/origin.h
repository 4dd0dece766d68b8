/*
 * origin: properties of a frame by its name: module, source, annotations, and origin of its
 * code.
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "names/frame.h"
#include "profile/labels.h"

/* Origin of a frame's code, as far as its name and profile show it. */
enum origin { ORIGIN_USER, ORIGIN_LIBRARY, ORIGIN_SYSTEM, ORIGIN_UNKNOWN };

/* A frame name split into text and properties. Points into the name. */
struct frame_name {
	const char *text; /* without annotations, module and source */
	uint32_t len;
	uint32_t all; /* length of the whole name */
	uint32_t bare; /* length of module and text: the name without annotations and source */
	const char *start; /* start of module and text */
	uint32_t module; /* length of the module before the backtick, 0 for none */
	struct str file; /* source file */
	unsigned line;
	enum frame_kind kind; /* by its annotation; FRAME_USER: none */
	bool inlined; /* _[i] */
	enum origin origin;
	bool in_language; /* not native: by language_match */
	bool stripped; /* module+0xADDRESS of a module with a label build-id: by name_find_build */
};

struct frame_name name_parse(const char *s, uint32_t len); /* sets all fields before origin */

/* Origin by the name only; a frame with name_inherits has that of its caller. */
enum origin name_origin(const struct frame_name *n, bool annotated_profile);

/* True for an inlined frame that names no module or library: its caller's origin applies. */
bool name_inherits(const struct frame_name *n);

/*
 * Returns the module of "module+0xSTART", the name of an unsymbolized function, also after the same
 * module and a backtick, or an empty string. An offset in a function has the same form; unless
 * `stripped`, or with the module in front, it counts from a page on.
 */
struct str name_start_module(const struct frame_name *n);

/*
 * The label build-id has NAME:HEX, or NAME:none if the ID is unknown, of the files that had much
 * code without symbols. name_find_build sets `stripped`. name_build returns the ID in a value of
 * the label if it is that module's, an empty string for `none`, NULL otherwise.
 */
#define NAME_BUILD_ID "build-id"
void name_find_build(struct frame_name *n, const struct labels *l);
const char *name_build(const char *of, struct str module);

/* True for functions without a symbol: [module], module+0xSTART, an address, [unknown]. */
bool name_is_missing(const struct frame_name *n);

/*
 * True for a function of a script without a name of its own, as the profilers of its language write
 * it: (anonymous), <lambda>, {closure}, main::__ANON__, block in View#get. Its place names it.
 */
bool name_is_anonymous(const struct frame_name *n);

/*
 * True for two names of one function: equal module, text and file, whatever line and annotations.
 * Anonymous functions of one file differ by their lines. The hashes of a function's names are
 * equal.
 */
bool name_same_function(const struct frame_name *a, const struct frame_name *b);
uint64_t name_hash_function(const struct frame_name *n);

/* True for entry points of programs and threads: _start, clone3, start_thread. */
bool name_is_entry(const struct frame_name *n);

/*
 * True for code between a program and the kernel, and the kernel: by annotation and module the
 * kernel, vdso, C library and loader; and entry functions.
 */
bool name_is_system(const struct frame_name *n);

uint32_t name_hash(const struct frame_name *n); /* the same in all pictures and the viewer */

#endif
