/*
 * runtimes: the table of the readers of interpreters and virtual machines, and the search in the
 * symbol tables of a program for one that is linked into it.
 */
#include "runtime/runtimes.h"

#include <stddef.h>
#include <string.h>

#include "elf/elftable.h"
#include "runtime/beam.h"
#include "runtime/haskell.h"
#include "runtime/hotspot.h"
#include "runtime/lua.h"
#include "runtime/luajit.h"
#include "runtime/oldpython.h"
#include "runtime/perl.h"
#include "runtime/php.h"
#include "runtime/python.h"
#include "runtime/ruby.h"
#include "runtime/v8.h"

#define KNOWN (UINT64_C(1) << 63) /* makes each value of the table differ from NULL */

const struct runtime *const runtimes[] = {&runtime_python, &runtime_oldpython, &runtime_ruby,
    &runtime_php, &runtime_hotspot, &runtime_v8, &runtime_perl, &runtime_beam, &runtime_lua,
    &runtime_luajit, &runtime_haskell, NULL};

uint64_t
runtimes_bit(const struct runtime *r)
{
	size_t i = 0;

	while (runtimes[i] != r)
		i++;
	return UINT64_C(1) << i;
}

bool
runtimes_is_named(const struct module *m, size_t kind)
{
	const struct runtime *r = runtimes[kind];

	return r->is_module == NULL || r->is_module(m->name);
}

static bool
is_program(const struct module *m)
{
	return m->kind == MODULE_FILE && strstr(m->name, ".so") == NULL;
}

/* True if a string ends in another one. Linkers share the ends of names. */
static bool
ends_in(const char *s, size_t n, const char *end)
{
	const size_t nend = strlen(end);

	return n >= nend && s[n - 1] == end[nend - 1] && memcmp(s + n - nend, end, nend) == 0;
}

/* The runtimes whose symbol is among the names of a table; *named is set if it has any name. */
static uint64_t
kinds_in(const char *names, size_t n, bool *named)
{
	uint64_t kinds = 0;

	while (n > 0) {
		const char *end = memchr(names, '\0', n);
		const size_t length = end == NULL ? n : (size_t)(end - names);

		*named |= length > 0;
		for (size_t i = 0; length > 0 && runtimes[i] != NULL; i++)
			if (runtimes[i]->symbol != NULL &&
			    ends_in(names, length, runtimes[i]->symbol))
				kinds |= UINT64_C(1) << i;
		n -= length < n ? length + 1 : length;
		names += length + 1;
	}
	return kinds;
}

/* Looks at the names in all symbol tables of a program. */
static uint64_t
kinds_by_symbol(struct module *m, bool *named)
{
	struct elftable t = elftable_begin(module_elf(m), ELFTABLE_DYNSYM | ELFTABLE_SYMTAB);
	uint64_t kinds = 0;

	while (elftable_next(&t)) {
		Elf_Data *names = elf_getdata(elf_getscn(t.elf, t.header.sh_link), NULL);

		if (names != NULL && names->d_buf != NULL && names->d_size <= t.left)
			kinds |= kinds_in(names->d_buf, names->d_size, named);
	}
	return kinds;
}

uint64_t
runtimes_kinds(struct intmap *known, struct module *m)
{
	void **at = intmap_at(known, m->number);
	uint64_t kinds = (uintptr_t)*at;
	bool named = false;

	if (kinds != 0)
		return kinds & ~KNOWN;
	kinds = KNOWN | (is_program(m) ? kinds_by_symbol(m, &named) : 0);
	for (size_t i = 0; runtimes[i] != NULL; i++)
		if (runtimes_is_named(m, i))
			kinds |= UINT64_C(1) << i;
	*at = (void *)(uintptr_t)kinds;
	return kinds & ~KNOWN;
}

bool
runtimes_is_nameless(struct module *m)
{
	bool named = false;

	kinds_by_symbol(m, &named);
	return is_program(m) && module_elf(m) != NULL && !named;
}
