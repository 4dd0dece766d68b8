/*
 * dwarfname: names and source locations of functions. Linkage names give scopes and template
 * arguments best. In GCC's output local functions have none: their scopes come from the DIEs
 * around the declaration.
 */
#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "dwarf/cxxname.h"
#include "dwarf/demangle.h"
#include "dwarf/dwarfdie.h"
#include "dwarf/dwarfname.h"

/* Maximum number of references from instance to instance; two are usual. */
#define CHAIN 16

/* Follows one reference attribute. */
static bool
follow(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute at;

	return dwarf_attr(die, attribute, &at) != NULL && dwarf_formref_die(&at, die) != NULL;
}

void
dwarfname_origin(const struct intmap *names, Dwarf_Die *die)
{
	for (int i = 0; i < CHAIN && intmap_get(names, (uintptr_t)die->addr) == NULL &&
			follow(die, DW_AT_abstract_origin);
	     i++)
		continue;
}

static bool
is_cxx(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case 0x2b: /* C++17 and C++20, absent in older dwarf.h */
	case 0x2c: return true;
	default: return false;
	}
}

/* True for other languages with names that are unique only in their scope, and written a::b. */
static bool
has_scopes(Dwarf_Die *unit)
{
	const int language = dwarf_srclang(unit);

	return language == DW_LANG_Rust || language == DW_LANG_D;
}

static const char *
scope_name(Dwarf_Die *die)
{
	const int tag = dwarf_tag(die);
	Dwarf_Die named = *die;
	const char *name;

	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
	case DW_TAG_module:
	case DW_TAG_subprogram:
		name = dwarfdie_string(&named, DW_AT_name);
		if (name != NULL)
			return name;
		return tag == DW_TAG_namespace ? "(anonymous namespace)" : NULL;
	default: return NULL;
	}
}

/* Returns name if it has fewer than *left bytes, which it reduces; else NULL, and no more names. */
static const char *
within(const char *name, uint64_t *left)
{
	size_t n;

	if (name == NULL)
		return NULL;
	n = strnlen(name, *left);
	if (n == *left) {
		*left = 0;
		return NULL;
	}
	*left -= n;
	return name;
}

/*
 * Returns target's scopes, outermost first, joined by "::" and followed by name; NULL if that is
 * too long.
 */
static char *
with_scopes(struct dwarfscope *s, Dwarf_Die *target, const char *name, uint64_t *left)
{
	Dwarf_Die path[DWARFSCOPE_MAX];
	const size_t n = dwarfscope_path(s, target, path);
	struct text full = {0};

	for (size_t i = 0; i < n; i++) {
		const char *scope = scope_name(&path[i]);

		if (scope != NULL && within(scope, left) == NULL) {
			text_free(&full);
			return NULL;
		}
		if (scope != NULL) {
			text_puts(&full, scope);
			text_puts(&full, "::");
		}
	}
	text_puts(&full, name);
	return full.s;
}

struct dwarfname *
dwarfname_new(struct dwarfscope *s, Dwarf_Die *die, uint64_t *left)
{
	struct dwarfname *n = cli_alloc(1, sizeof *n);
	const char *linkage = dwarfdie_string(die, DW_AT_linkage_name);
	Dwarf_Die declared = *die, unit;
	const char *name;

	if (linkage == NULL)
		linkage = dwarfdie_string(die, DW_AT_MIPS_linkage_name);
	if (linkage != NULL) {
		if (within(linkage, left) == NULL)
			return n;
		n->name = demangle(linkage, strlen(linkage), false);
		if (n->name == NULL)
			n->name = linkage;
		return n;
	}
	n->name = within(dwarfdie_string(die, DW_AT_name), left);
	for (int i = 0; i < CHAIN && follow(&declared, DW_AT_specification); i++)
		continue;
	if (n->name == NULL || strcmp(n->name, "main") == 0 ||
	    dwarf_diecu(&declared, &unit, NULL, NULL) == NULL)
		return n;
	if (is_cxx(&unit) && (name = cxxname(s, die)) != NULL)
		n->name = name;
	else if (is_cxx(&unit) || has_scopes(&unit))
		n->name = with_scopes(s, &declared, n->name, left);
	return n;
}

/*
 * Sets file and line from two attributes of die. dwarf_decl_file is not usable: it rejects file
 * 0, valid in DWARF 5, and aborts on a unit without a line table.
 */
static void
place(struct dwarflines *lines, Dwarf_Die *die, unsigned file_attribute, unsigned line_attribute,
    const char **file, unsigned *line)
{
	Dwarf_Attribute at;
	Dwarf_Word number;
	Dwarf_Die unit;
	Dwarf_Files *files;
	const char *name;
	size_t n;

	*file = NULL;
	*line = 0;
	/* File numbers belong to the unit with the attribute, after all references. */
	if (dwarf_formudata(dwarf_attr_integrate(die, file_attribute, &at), &number) != 0 ||
	    dwarf_cu_die(at.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) == NULL ||
	    !dwarflines_files(lines, &unit, &files, &n) || number >= n)
		return;
	name = dwarf_filesrc(files, number, NULL, NULL);
	/* Line 0: code that the compiler added. */
	if (name == NULL ||
	    dwarf_formudata(dwarf_attr_integrate(die, line_attribute, &at), &number) != 0 ||
	    number == 0 || number > UINT_MAX)
		return;
	*file = name;
	*line = (unsigned)number;
}

void
dwarfname_definition(struct dwarfname *n, struct dwarflines *lines, Dwarf_Die *die)
{
	if (!n->have_definition)
		place(lines, die, DW_AT_decl_file, DW_AT_decl_line, &n->file, &n->line);
	n->have_definition = true;
}

void
dwarfname_call_site(struct dwarflines *lines, Dwarf_Die *die, const char **file, unsigned *line)
{
	place(lines, die, DW_AT_call_file, DW_AT_call_line, file, line);
}
