/*
 * dwarfname: names and source locations of functions. Linkage names give scopes and template
 * arguments best. In GCC's output local functions have none: their scopes come from the DIEs
 * around the declaration.
 */
#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "base/vec.h"
#include "code/demangle.h"
#include "code/dwarfname.h"

/* Maximum number of references from instance to instance; two are usual. */
#define CHAIN 16
#define SCOPES 32
#define SIBLINGS 1000000

/* Follows one reference attribute. */
static bool
follow(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute at;

	return dwarf_attr(die, attribute, &at) != NULL && dwarf_formref_die(&at, die) != NULL;
}

void
dwarfname_origin(Dwarf_Die *die)
{
	for (int i = 0; i < CHAIN && follow(die, DW_AT_abstract_origin); i++)
		continue;
}

static const char *
string(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute at;

	if (dwarf_attr_integrate(die, attribute, &at) == NULL)
		return NULL;
	return dwarf_formstring(&at);
}

/* True for languages with names that are unique only in their scope, and written a::b. */
static bool
has_scopes(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case 0x2b: /* C++17 and C++20, absent in older dwarf.h */
	case 0x2c:
	case DW_LANG_Rust:
	case DW_LANG_D: return true;
	default: return false;
	}
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
		name = string(&named, DW_AT_name);
		if (name != NULL)
			return name;
		return tag == DW_TAG_namespace ? "(anonymous namespace)" : NULL;
	default: return NULL;
	}
}

/* The children of a DIE, in file order. */
struct children {
	size_t n;
	void **address;
};

static const struct children *
children_of(struct dwarfname_scopes *s, Dwarf_Die *parent)
{
	struct children **known =
	    (struct children **)intmap_at(&s->children, (uintptr_t)parent->addr);
	struct children *c = *known;
	size_t size = 0;
	Dwarf_Die die;

	if (c != NULL)
		return c;
	c = *known = cli_alloc(1, sizeof *c);
	if (dwarf_child(parent, &die) != 0)
		return c;
	/* Stops if a corrupted sibling attribute points backwards. */
	do {
		if (c->n > 0 && (char *)die.addr <= (char *)c->address[c->n - 1])
			break;
		vec_fit(c->address, size, c->n + 1);
		c->address[c->n++] = die.addr;
	} while (c->n < SIBLINGS && dwarf_siblingof(&die, &die) == 0);
	return c;
}

/*
 * Returns target's scopes, outermost first, joined by "::" and followed by name. DIEs have no
 * reference to their parent, but they are in file order: on each level, target is under the
 * last DIE that does not come after it.
 */
static char *
with_scopes(struct dwarfname_scopes *s, Dwarf_Die *target, Dwarf_Die *unit, const char *name)
{
	const char *scope[SCOPES];
	size_t n = 0, length = strlen(name) + 1;
	Dwarf_Die die = *unit;
	char *full, *p;

	for (int level = 0; level < 4 * SCOPES; level++) {
		const struct children *c = children_of(s, &die);
		size_t low = 0, high = c->n;

		while (low < high) {
			const size_t middle = low + (high - low) / 2;

			if ((char *)c->address[middle] <= (char *)target->addr)
				low = middle + 1;
			else
				high = middle;
		}
		if (low == 0 || c->address[low - 1] == target->addr)
			break;
		die = (Dwarf_Die){.addr = c->address[low - 1], .cu = unit->cu};
		if (n < SCOPES && (scope[n] = scope_name(&die)) != NULL)
			length += strlen(scope[n++]) + 2;
	}
	full = p = cli_alloc(length, 1);
	for (size_t i = 0; i < n; i++)
		p += sprintf(p, "%s::", scope[i]);
	memcpy(p, name, strlen(name) + 1);
	return full;
}

struct dwarfname *
dwarfname_new(struct dwarfname_scopes *s, Dwarf_Die *die)
{
	struct dwarfname *n = cli_alloc(1, sizeof *n);
	const char *linkage = string(die, DW_AT_linkage_name);
	Dwarf_Die declared = *die, unit;

	if (linkage == NULL)
		linkage = string(die, DW_AT_MIPS_linkage_name);
	if (linkage != NULL) {
		n->name = demangle(linkage, strlen(linkage), false);
		if (n->name == NULL)
			n->name = linkage;
		return n;
	}
	n->name = string(die, DW_AT_name);
	for (int i = 0; i < CHAIN && follow(&declared, DW_AT_specification); i++)
		continue;
	if (n->name != NULL && strcmp(n->name, "main") != 0 &&
	    dwarf_diecu(&declared, &unit, NULL, NULL) != NULL && has_scopes(&unit))
		n->name = with_scopes(s, &declared, &unit, n->name);
	return n;
}

/*
 * Sets file and line from two attributes of die. dwarf_decl_file is not usable: it rejects file
 * 0, valid in DWARF 5, and aborts on a unit without a line table.
 */
static void
place(Dwarf_Die *die, unsigned file_attribute, unsigned line_attribute, const char **file,
    unsigned *line)
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
	    dwarf_getsrcfiles(&unit, &files, &n) != 0 || number >= n)
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
dwarfname_definition(struct dwarfname *n, Dwarf_Die *die)
{
	if (!n->have_definition)
		place(die, DW_AT_decl_file, DW_AT_decl_line, &n->file, &n->line);
	n->have_definition = true;
}

void
dwarfname_call_site(Dwarf_Die *die, const char **file, unsigned *line)
{
	place(die, DW_AT_call_file, DW_AT_call_line, file, line);
}

bool
dwarfname_split_is_file(Dwarf_Die *unit)
{
	const char *name = string(unit, DW_AT_dwo_name), *directory = string(unit, DW_AT_comp_dir);
	struct stat st;
	char *path;
	int status;

	if (name == NULL)
		name = string(unit, DW_AT_GNU_dwo_name);
	if (name == NULL)
		return false;
	if (name[0] == '/' || directory == NULL)
		status = stat(name, &st);
	else {
		if (asprintf(&path, "%s/%s", directory, name) < 0)
			return false;
		status = stat(path, &st);
		free(path);
	}
	/* If it does not exist, libdw searches beside the program. */
	return status != 0 || S_ISREG(st.st_mode);
}
