/*
 * frame: conversion of one stack frame to text and back. Only frame_write writes the text form
 * of folded(5),
 *
 *	module`function (file:line)_[l]
 *
 * and only frame_read parses it. It also accepts recordings of fg-record 0.1, which have the
 * annotation before the source.
 */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Kind of a frame's code. */
enum frame_kind {
	FRAME_USER, /* a program, or unknown */
#define ANNOTATION(id, letter, kind, ...) FRAME_##id = kind,
#include "names/annotations.def"
};

/* The annotations, see annotations.def; the last row is zero. */
struct frame_annotation {
	char letter;
	unsigned mask; /* ANNOTATE_* */
	const char *word, *suffix;
};
extern const struct frame_annotation frame_annotations[];

struct frame {
	struct str function; /* len 0: unknown; written as module or [unknown] */
	struct str module; /* path, or [name]; len 0: unknown */
	struct str file; /* source file; len 0: unknown */
	unsigned line; /* 0: unknown, only the file is written */
	uint64_t address; /* for frame_style.addrs */
	bool has_address;
	enum frame_kind kind;
	bool inlined; /* inlined into its caller */
};

/* Annotations to write, see folded(5). */
enum {
#define ANNOTATION(id, ...) ANNOTATE_##id = 1 << FRAME_##id,
#include "names/annotations.def"
	ANNOTATE_ALL = 0
#define ANNOTATION(id, ...) | ANNOTATE_##id
#include "names/annotations.def"
};

/* Parts of a frame to write. */
struct frame_style {
	unsigned annotate; /* mask of ANNOTATE_* */
	bool module; /* module`function, if both are known */
	bool addrs; /* [module <address>] for unknown functions */
	bool source; /* (file:line), if known */
};

/* Appends a frame to t as clean text (see frame_clean). */
void frame_write(struct text *t, const struct frame *f, const struct frame_style *style);

/*
 * Parses a frame's text; the results point into it. A name in brackets is the module of an
 * unknown function.
 */
void frame_read(struct frame *f, struct str text);

/*
 * Kind of a module by its name: kernel and kernel modules (vmlinux, x.ko.zst, [nf_tables],
 * bpf_prog_*), JIT code (perf-N.map, jitted-N-M.so, [JIT]), libraries (x.so, x.so.6, x.dylib);
 * all others are programs.
 */
enum frame_kind frame_kind_of(struct str module);

/* The module's base name, without the kernel's " (deleted)" for removed files. */
struct str frame_module_name(struct str module);

/*
 * Replaces bytes that a frame's name cannot have, in place: `;` by `:`, control characters by
 * spaces. Returns len.
 */
size_t frame_clean(char *s, size_t len);

/* Length of a frame without annotations and source at its end, in either order. */
size_t frame_body(const char *s, size_t len);

/* True for the letter of an annotation. */
bool frame_is_letter(char c);

/* Append to a line of --help: "k kernel, j JIT, ..." and " _[k] _[j] ...". */
void frame_list_letters(struct text *help);
void frame_list_suffixes(struct text *help);

/* True if the frame has the annotation `_[which]`. */
bool frame_annotated(const char *s, size_t len, char which);

/* True if a frame is in the kernel, by its annotation or its module. */
bool frame_in_kernel(const char *s, size_t len);

/* Removes the frame's annotations in place; returns the new length. */
size_t frame_drop_annotations(char *s, size_t len);

/*
 * The frame's module, of length *n: the text before the `, or the name inside [ ] of a frame
 * with an unknown function; else NULL.
 */
const char *frame_module(const char *s, size_t len, size_t *n);

/*
 * Length of a function's name without its trailing argument list, a member function's
 * qualifiers and ` [clone ...]`. Unchanged: operator(), Go's pkg.(*T), an anonymous namespace,
 * and a name that would become empty.
 */
size_t frame_without_arguments(const char *s, size_t len);

/*
 * Length of a name without the suffixes of a compiler's copies of a function: `.part.0`,
 * `.constprop.1.isra.0`, `.cold`, `.llvm.123`, ` [clone .cold]`, hashes. A name that would
 * become empty is unchanged.
 */
size_t frame_without_clones(const char *s, size_t len);

#endif
