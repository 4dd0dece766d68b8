/*
 * demangle: linker names to source names, for C++ (_Z), Rust (_R, and legacy _ZN...17h<hash>E
 * without its hash) and D (_D), all through libiberty, and for OCaml (camlModule__name_123).
 * Without libiberty only OCaml names are demangled.
 */
#ifndef FG_DEMANGLE_H /* libiberty uses DEMANGLE_H */
#define FG_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the readable form of name[0..len), which the caller frees. NULL when it is not a
 * mangled name, or would take too long or grow too large. With params the function's parameters
 * are included; without, only those of templates, lambdas and enclosing functions. A symbol
 * version (@@GLIBC_2.34) is dropped, @plt is kept.
 */
char *demangle(const char *name, size_t len, bool params);

#endif
