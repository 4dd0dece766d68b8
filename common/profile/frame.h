/*
 * frame: one stack frame, before it is text and after. frame_write is the one
 * place where a frame becomes the text that folded(5) describes,
 *
 *	module`function (file:line)_[l]
 *
 * and frame_read the one where that is taken apart again; recordings of fg-record
 * 0.1 have the annotation before the source, and are read too.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Where a frame's code belongs. */
enum frame_kind {
	FRAME_USER, /* a program, or nothing is known */
	FRAME_LIBRARY,
	FRAME_KERNEL,
	FRAME_JIT,
	FRAME_WAKER, /* of the thread that woke this one */
	FRAME_SCRIPT, /* a function that an interpreter runs */
};

/* The letters of annotations, in the order of ANNOTATE_*. */
#define FRAME_ANNOTATIONS "kjilwp"

struct frame {
	struct str function; /* len 0: unknown, and the module or [unknown] stands for it */
	struct str module; /* as its path, or [name]; len 0 when unknown */
	struct str file; /* of its source; len 0 when unknown */
	unsigned line; /* 0 when unknown: then the file stands alone */
	uint64_t address; /* for frame_style.addrs */
	bool has_address;
	enum frame_kind kind;
	bool inlined; /* into its caller */
};

/* Which annotations are written, see folded(5). */
enum {
	ANNOTATE_KERNEL = 1, /* _[k] */
	ANNOTATE_JIT = 2, /* _[j] */
	ANNOTATE_INLINE = 4, /* _[i] */
	ANNOTATE_LIBRARY = 8, /* _[l] */
	ANNOTATE_WAKER = 16, /* _[w] */
	ANNOTATE_SCRIPT = 32, /* _[p] */
	ANNOTATE_ALL = 63,
};

/* What of a frame is written. */
struct frame_style {
	unsigned annotate; /* mask of ANNOTATE_* */
	bool module; /* module`function, where both are known */
	bool addrs; /* [module <address>] where the function is unknown */
	bool source; /* (file:line), where it is known */
};

/* Add a frame to t as clean text (see frame_clean). */
void frame_write(struct text *t, const struct frame *f, const struct frame_style *style);

/*
 * Take a frame's text apart; what comes out is borrowed from it. A name in
 * brackets is a module whose function is unknown.
 */
void frame_read(struct frame *f, struct str text);

/*
 * What a module's name tells: the kernel and its modules (vmlinux, x.ko.zst,
 * [nf_tables], bpf_prog_*), JIT (perf-N.map, jitted-N-M.so, [JIT]), libraries
 * (x.so, x.so.6, x.dylib); all else is a program.
 */
enum frame_kind frame_kind_of(struct str module);

/* A module without its folders and the " (deleted)" that the kernel puts behind a file that is
 * gone. */
struct str frame_module_name(struct str module);

/* Make bytes a frame's name in place: `:` for `;`, a space for control characters. Returns len. */
size_t frame_clean(char *s, size_t len);

/* The length of a frame without annotations and source at its end, in whichever order they are. */
size_t frame_body(const char *s, size_t len);

/* Whether it has the annotation `_[which]`. */
bool frame_annotated(const char *s, size_t len, char which);

/* Take its annotations out, in place; returns its new length. */
size_t frame_drop_annotations(char *s, size_t len);

/*
 * Its module and, in *n, that one's length: what stands before the `, or the
 * name of the frame within [ ], where no more than the module is known; else NULL.
 */
const char *frame_module(const char *s, size_t len, size_t *n);

/*
 * The length of a function's name without its trailing argument list, the
 * qualifiers of a member function and ` [clone ...]`. Kept are operator(), Go's
 * pkg.(*T), an anonymous namespace, and a name that would be nothing.
 */
size_t frame_without_arguments(const char *s, size_t len);

/* The length of a name without the hash that Rust puts at its end: `a::h0123456789abcdef`. */
size_t frame_without_hash(const char *s, size_t len);

/*
 * The length of a name without what compilers put at the end of copies that they
 * make of one function: `.part.0`, `.constprop.1.isra.0`, `.cold`, `.llvm.123`,
 * ` [clone .cold]`, hashes. A name that would be nothing is kept.
 */
size_t frame_without_clones(const char *s, size_t len);

#endif
