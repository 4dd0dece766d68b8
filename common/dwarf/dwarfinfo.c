/*
 * dwarfinfo: address -> unit -> function -> inlined calls -> lines. Units are found by
 * .debug_aranges, or by their own ranges where those are missing (clang writes none). Functions
 * and inlined calls come from a walk over the DIEs of the requested unit and function only.
 */
#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "dwarf/dwarfinfo.h"
#include "dwarf/dwarflimit.h"
#include "dwarf/dwarfname.h"
#include "dwarf/dwarfsplit.h"
#include "base/intmap.h"
#include "base/rangemap.h"
#include "base/rangeset.h"
#include "base/vec.h"

/*
 * Limits for corrupted or hostile files: DIEs and ranges read per byte of the file, more than
 * compressed sections have; levels of nesting. Many DIEs of a hostile file share a list of ranges.
 */
#define BUDGET_LEAST 65536
#define BUDGET_PER_BYTE 4
/* Bytes of the names of functions: in a hostile file they overlap. */
#define NAMES_LEAST (1 << 20)
#define NAMES_PER_BYTE 16
#define NESTING 200
#define CALLS_MAX 4096 /* calls that contain an address, side by side or nested */

/* A call that was inlined into a function, or into another such call. */
struct call {
	Dwarf_Die die;
	int32_t outer; /* index in call; -1: the function itself */
};

struct function {
	Dwarf_Die die;
	bool walked;
	struct call *call; /* outer ones first */
	size_t ncall, size_call;
	struct rangeset calls; /* indices in call */
};

struct unit {
	Dwarf_Die die; /* in this file: has the lines */
	Dwarf_Die scope; /* has the functions: in another file for split DWARF */
	enum { UNIT_NEW, UNIT_SHALLOW, UNIT_DEEP } walked;
	struct rangemap functions;
};

struct dwarfinfo {
	Dwarf *dwarf;
	struct dwarfsplit *split;
	struct intmap by_offset; /* offset of the unit's DIE: struct unit */
	struct rangemap aranges; /* units by .debug_aranges */
	struct rangemap others; /* units without .debug_aranges, by their own ranges */
	bool have_others;
	struct intmap names; /* by address of the function's DIE: struct dwarfname */
	struct dwarfscope scopes;
	struct dwarflines lines;
	uint64_t budget, names_left;
};

static struct unit *
unit_at(struct dwarfinfo *d, const Dwarf_Die *die)
{
	struct unit **u;

	u = (struct unit **)intmap_at(&d->by_offset, dwarf_dieoffset((Dwarf_Die *)(uintptr_t)die));
	if (*u == NULL) {
		*u = cli_alloc(1, sizeof **u);
		(*u)->die = *die;
		(*u)->scope = *die;
	}
	return *u;
}

/* Takes one step from the budget; false if nothing is left. */
static bool
step(struct dwarfinfo *d)
{
	return d->budget > 0 && d->budget-- > 0;
}

static void
add_budget(struct dwarfinfo *d, uint64_t bytes)
{
	d->budget += bytes * BUDGET_PER_BYTE;
	d->scopes.left += bytes * BUDGET_PER_BYTE;
	d->names_left += bytes * NAMES_PER_BYTE;
}

struct dwarfinfo *
dwarfinfo_new(Dwarf *dwarf, const struct module_places *places)
{
	Dwarf *shared = dwarf_getalt(dwarf);
	Dwarf_Aranges *aranges;
	struct dwarfinfo *d;
	size_t n, size = 0;

	if (!dwarflimit_fits(dwarf) || (shared != NULL && !dwarflimit_fits(shared)))
		return NULL;
	d = cli_alloc(1, sizeof *d);
	d->dwarf = dwarf;
	d->split = dwarfsplit_new(places);
	d->budget = d->scopes.left = BUDGET_LEAST;
	d->names_left = NAMES_LEAST;
	if (elf_rawfile(dwarf_getelf(dwarf), &size) != NULL)
		add_budget(d, size);
	if (dwarf_getaranges(dwarf, &aranges, &n) != 0)
		return d;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Addr start;
		Dwarf_Word length;
		Dwarf_Off offset;
		Dwarf_Die die;

		/* 0 and 1: code that the linker discarded */
		if (dwarf_getarangeinfo(dwarf_onearange(aranges, i), &start, &length, &offset) ==
			0 &&
		    start > 1 && start + length > start &&
		    dwarf_offdie(dwarf, offset, &die) != NULL)
			rangemap_add(
			    &d->aranges, start, start + length, false, unit_at(d, &die), 0);
	}
	rangemap_finish(&d->aranges, NULL);
	return d;
}

/* Calls add for every range of a DIE. */
static void
each_range(struct dwarfinfo *d, Dwarf_Die *die, void (*add)(void *, uint64_t, uint64_t), void *arg)
{
	const struct dwarfsplit_unit *split = dwarfsplit_of(d->split, die);
	Dwarf_Addr base, start, end;
	ptrdiff_t next = 0;

	if (split != NULL) {
		struct dwarfrange r = dwarfrange_begin(&split->ranges, die);

		while (dwarfrange_next(&r, &start, &end) && step(d))
			if (start > 1 && start < end)
				add(arg, start, end);
		return;
	}
	while ((next = dwarf_ranges(die, next, &base, &start, &end)) > 0 && step(d))
		if (start > 1 && start < end)
			add(arg, start, end);
}

struct adding {
	struct rangemap *map;
	const void *what;
};

static void
add_range(void *arg, uint64_t start, uint64_t end)
{
	struct adding *a = arg;

	rangemap_add(a->map, start, end, false, a->what, 0);
}

/* Adds the units without .debug_aranges, by their own ranges. */
static void
find_others(struct dwarfinfo *d)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;

	d->have_others = true;
	while (step(d) && dwarf_get_units(d->dwarf, cu, &cu, NULL, &type, &die, NULL) == 0) {
		struct adding a = {&d->others, NULL};

		/* libdw would open the split file of a skeleton without ranges. */
		if ((type != DW_UT_compile &&
			(type != DW_UT_skeleton || (!dwarf_hasattr(&die, DW_AT_ranges) &&
						       !dwarf_hasattr(&die, DW_AT_high_pc)))) ||
		    intmap_get(&d->by_offset, dwarf_dieoffset(&die)) != NULL)
			continue;
		a.what = unit_at(d, &die);
		each_range(d, &die, add_range, &a);
	}
	rangemap_finish(&d->others, NULL);
}

/*
 * Moves to the next sibling DIE; false at the end, or if a corrupted sibling attribute points
 * back.
 */
static bool
next_sibling(struct dwarfinfo *d, Dwarf_Die *die)
{
	const void *before = die->addr;

	return step(d) && dwarf_siblingof(die, die) == 0 &&
	       (const char *)die->addr > (const char *)before;
}

/*
 * Adds functions under parent: those outside of types and of other functions, where compilers
 * put their code; with deep, only those inside, for the rare addresses that are not found so.
 */
static void
walk_unit(
    struct dwarfinfo *d, struct unit *u, Dwarf_Die *parent, bool deep, bool within, unsigned level)
{
	Dwarf_Die die;

	if (level > NESTING || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			if (within == deep && (dwarf_hasattr(&die, DW_AT_low_pc) ||
						  dwarf_hasattr(&die, DW_AT_ranges))) {
				struct function *f = cli_alloc(1, sizeof *f);
				struct adding a = {&u->functions, f};

				f->die = die;
				each_range(d, &die, add_range, &a);
			}
			if (deep)
				walk_unit(d, u, &die, deep, true, level + 1);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module: walk_unit(d, u, &die, deep, within, level + 1); break;
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
		case DW_TAG_enumeration_type:
		case DW_TAG_lexical_block:
			if (deep)
				walk_unit(d, u, &die, deep, true, level + 1);
			break;
		default: break;
		}
	} while (next_sibling(d, &die));
}

/* Finds the split unit with a skeleton unit's functions. */
static void
find_split_scope(struct dwarfinfo *d, struct unit *u)
{
	const struct dwarfsplit_unit *split;
	uint8_t type;

	if (dwarf_cu_info(u->die.cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) != 0 ||
	    type != DW_UT_skeleton || (split = dwarfsplit_find(d->split, &u->die)) == NULL)
		return;
	u->scope = split->die;
	add_budget(d, split->bytes);
	dwarflines_link(&d->lines, &u->scope, &u->die);
}

static struct function *
function_at(struct dwarfinfo *d, struct unit *u, uint64_t address)
{
	const struct range *r;

	if (u->walked == UNIT_NEW) {
		u->walked = UNIT_SHALLOW;
		find_split_scope(d, u);
		walk_unit(d, u, &u->scope, false, false, 0);
		rangemap_finish(&u->functions, NULL);
	}
	r = rangemap_find(&u->functions, address);
	if (r == NULL && u->walked == UNIT_SHALLOW) {
		u->walked = UNIT_DEEP;
		walk_unit(d, u, &u->scope, true, false, 0);
		rangemap_finish(&u->functions, NULL);
		r = rangemap_find(&u->functions, address);
	}
	return r != NULL ? (struct function *)(uintptr_t)r->what : NULL;
}

struct adding_call {
	struct function *f;
	int32_t call;
};

static void
add_call_range(void *arg, uint64_t start, uint64_t end)
{
	struct adding_call *a = arg;

	rangeset_add(&a->f->calls, start, end, (uint32_t)a->call);
}

static int32_t
add_call(struct dwarfinfo *d, struct function *f, Dwarf_Die *die, int32_t outer)
{
	struct adding_call a = {f, (int32_t)f->ncall};

	if (f->ncall == INT32_MAX)
		return outer;
	vec_fit(f->call, f->size_call, f->ncall + 1);
	f->call[f->ncall++] = (struct call){*die, outer};
	each_range(d, die, add_call_range, &a);
	return a.call;
}

/* Adds all inlined calls under parent, each before the calls nested in it. */
static void
walk_function(
    struct dwarfinfo *d, struct function *f, Dwarf_Die *parent, int32_t outer, unsigned level)
{
	Dwarf_Die die;

	if (level > NESTING || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			walk_function(d, f, &die, add_call(d, f, &die, outer), level + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
		case DW_TAG_with_stmt: walk_function(d, f, &die, outer, level + 1); break;
		default: break;
		}
	} while (next_sibling(d, &die));
}

/* Stores the inlined calls that contain address, outermost first; returns their number. */
static size_t
calls_at(struct dwarfinfo *d, struct function *f, uint64_t address, int32_t *call, size_t max)
{
	uint32_t found[CALLS_MAX];
	int32_t current = -1;
	size_t n = 0, all;

	if (!f->walked) {
		f->walked = true;
		walk_function(d, f, &f->die, -1, 0);
		rangeset_finish(&f->calls);
	}
	all = rangeset_find(&f->calls, address, found, CALLS_MAX);
	for (size_t i = 0; i < all && n < max; i++)
		if (f->call[found[i]].outer == current) {
			current = (int32_t)found[i];
			call[n++] = current;
		}
	return n;
}

/* Sets name and definition of the function that die describes or is an instance of. */
static void
name_frame(struct dwarfinfo *d, Dwarf_Die *die, unsigned flags, struct symbol_frame *frame)
{
	Dwarf_Die origin = *die;
	struct dwarfname **known;

	dwarfname_origin(&d->names, &origin);
	known = (struct dwarfname **)intmap_at(&d->names, (uintptr_t)origin.addr);
	if (*known == NULL)
		*known = dwarfname_new(&d->scopes, &origin, &d->names_left);
	frame->function = (*known)->name;
	if ((flags & SYMBOL_SOURCE) != 0) {
		dwarfname_definition(*known, &d->lines, die);
		frame->decl_file = (*known)->file;
		frame->decl_line = (*known)->line;
	}
}

static void
line_at(struct dwarfinfo *d, struct unit *u, uint64_t address, struct symbol_frame *frame)
{
	Dwarf_Line *line =
	    dwarflines_fit(&d->lines, &u->die) ? dwarf_getsrc_die(&u->die, address) : NULL;
	int number;

	if (line == NULL || dwarf_lineno(line, &number) != 0 || number <= 0)
		return;
	frame->file = dwarf_linesrc(line, NULL, NULL);
	frame->line = frame->file != NULL ? (unsigned)number : 0;
}

size_t
dwarfinfo_find(struct dwarfinfo *d, uint64_t address, unsigned flags, bool named,
    struct symbol_frame *frames, size_t max)
{
	const struct range *r = rangemap_find(&d->aranges, address);
	struct function *f;
	struct unit *u;
	int32_t call[SYMBOL_FRAMES];
	size_t n = 0;

	if (r == NULL) {
		if (!d->have_others)
			find_others(d);
		r = rangemap_find(&d->others, address);
	}
	if (r == NULL || max == 0)
		return 0;
	u = (struct unit *)(uintptr_t)r->what;
	f = function_at(d, u, address);
	if (f != NULL && (flags & SYMBOL_INLINE) != 0)
		n = calls_at(d, f, address, call, (max < SYMBOL_FRAMES ? max : SYMBOL_FRAMES) - 1);

	memset(frames, 0, (n + 1) * sizeof *frames);
	if ((flags & SYMBOL_LINES) != 0)
		line_at(d, u, address, &frames[0]);
	for (size_t i = 0; i < n; i++) {
		Dwarf_Die *die = &f->call[call[n - 1 - i]].die;

		name_frame(d, die, flags, &frames[i]);
		frames[i].inlined = true;
		if ((flags & SYMBOL_LINES) != 0)
			dwarfname_call_site(
			    &d->lines, die, &frames[i + 1].file, &frames[i + 1].line);
	}
	if (f != NULL && (!named || (flags & SYMBOL_SOURCE) != 0))
		name_frame(d, &f->die, flags, &frames[n]);
	return n + 1;
}

const char *
dwarfinfo_missing(const struct dwarfinfo *d)
{
	return dwarfsplit_missing(d->split);
}
