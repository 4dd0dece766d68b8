/*
 * demangle: a linker's name goes in, the name that a programmer wrote comes out:
 * C++ (_Z), Rust (_R, and the older _ZN...17h<hash>E, without its hash) and
 * D (_D), through libiberty, and OCaml (camlModule__name_123). Without that library no name
 * of the others is taken for mangled.
 */
#ifndef FG_DEMANGLE_H /* libiberty has the shorter one */
#define FG_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The readable form of name[0..len), for the caller to free, or NULL when it is
 * not a mangled name, or one that would take too long or grow too large. With
 * params the function's parameters are written too; without, only those that
 * templates, lambdas and enclosing functions need. A symbol version (@@GLIBC_2.34)
 * is dropped, @plt is kept.
 */
char *demangle(const char *name, size_t len, bool params);

#endif
