/*
 * canonical: one name for one function in the profiles of all profilers. Compilers and runtimes
 * decorate the names of their symbols; each profiler removes other parts of the decoration.
 */
#ifndef CANONICAL_H
#define CANONICAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/*
 * Adds the canonical form of a function's name to t: without a symbol version (@@GLIBC_2.34), Go's
 * .abi0, Rust's hash (::h0123456789abcdef), and with [...] in place of Go's instantiation
 * ([go.shape.int_0]), as in profiles of Go itself, and without the quotes of Erlang's atoms. A name
 * that would become empty is unchanged.
 */
void canonical_add(struct text *t, struct str name);

/*
 * Adds the name of generated code, as a runtime writes it to a perf map or jitdump, in the form
 * of that language's own profilers; false if it is of no known runtime, and nothing is added:
 *
 *	JS:*fib /srv/app.js:6:13			fib
 *	JS:~ /srv/app.js:8:141				(anonymous) (/srv/app.js:8)
 *	RegExp:[a-z]+					RegExp: [a-z]+
 *	py::View.get:/srv/app.py			View.get (/srv/app.py)
 *	void app.Shop.sell(int)				app.Shop.sell
 *	void [app] Shop.Cart::Add(int32)[Tier0]		Shop.Cart.Add
 *	$lists:map/2					lists:map/2
 *	$shop:'-total/1-fun-0-'/2			shop:-total/1-fun-0-/2
 *
 * source: with file and line, as far as the name has them.
 */
bool canonical_generated(struct text *t, struct str name, bool source);

/*
 * Adds a name of PHP's Xdebug in the form of other profilers: Node->insert as Node::insert,
 * php::max as max; false if it has neither, and nothing is added.
 */
bool canonical_xdebug(struct text *t, struct str name);

/*
 * Anonymous functions of Perl, PHP and Lua have their place in the name: `__ANON__[/a/x.pl:3]`,
 * `{closure:/a/x.php:3}`, `function </a/x.lua:3>`, `/a/x.lua:3`. Replaces t by the name without it,
 * for Lua `function <x.lua>`, and sets an empty file and its line to it, as a part of s; false for
 * other names.
 */
bool canonical_place(struct text *t, const char *s, size_t len, struct str *file, unsigned *line);

/* True if canonical_add would change the name. */
bool canonical_changes(const char *s, size_t len);

/*
 * Removes the addresses of Java's hidden classes from s, which differ in every run of a program:
 * A$$Lambda$14/0x7f10.run becomes A$$Lambda$14.run; with number, A$$Lambda.run. Returns the new
 * length. The separator before an address is `/`, `.` or `+`; before a decimal number it is `/`.
 */
size_t canonical_hidden(char *s, size_t len, bool number);

/* Length of a name without Rust's hash at its end: `a::h0123456789abcdef`. */
size_t canonical_without_hash(const char *s, size_t len);

/*
 * True for MODULE:FUNCTION/ARITY; erl +JPperf writes it with $ in front in a perf map, without in
 * a jitdump.
 */
bool canonical_is_erlang(struct str function);

#endif
