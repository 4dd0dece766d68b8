/*
 * dwarfsplit: looks for a unit, by its id, in the program's package, then in its object file. Each
 * file is opened once.
 */
#include "dwarf/dwarfsplit.h"

#include <dwarf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/opener.h"
#include "base/cli.h"
#include "base/hash.h"
#include "base/intmap.h"
#include "base/text.h"
#include "dwarf/dwarfdie.h"
#include "dwarf/dwarflimit.h"
#include "dwarf/dwarfpackage.h"
#include "elf/elfinflate.h"
#include "elf/elftable.h"

#define SYSTEM "/usr/lib/debug" /* after a root directory in module_places */

/* An object file that was tried; dwarf is NULL if there is none, or one beyond our limits. */
struct object {
	Dwarf *dwarf;
	struct elfinflate inflated;
};

struct dwarfsplit {
	const struct module_places *places;
	struct dwarfpackage *package; /* NULL: none, or not tried yet */
	struct elfinflate inflated; /* sections of the package */
	bool tried_package;
	char *missing;
	uint64_t bytes; /* of files that were opened since the last unit */
	struct intmap objects; /* by hash of the path: struct object */
	struct intmap ids; /* Dwarf_Die of the split units of all files, by their ids */
	struct intmap units; /* by split unit (Dwarf_CU): struct dwarfsplit_unit */
};

struct dwarfsplit *
dwarfsplit_new(const struct module_places *places)
{
	struct dwarfsplit *s = cli_alloc(1, sizeof *s);

	s->places = places;
	return s;
}

/*
 * Joins the sections of one name: GCC writes each type unit of DWARF 5 into its own section of
 * units, in front of the compile unit's, and libdw reads the first one only.
 */
static void
join_sections(Elf *elf, const char *name, size_t left, struct elfinflate *memory)
{
	Elf_Scn *first = elftable_section(elf, NULL, name), *section = first;
	struct text units = {0};

	if (first == NULL || elftable_section(elf, first, name) == NULL)
		return;
	for (; section != NULL; section = elftable_section(elf, section, name)) {
		const Elf_Data *data;
		GElf_Shdr h;

		/* Sections that overlap have more bytes than the file. */
		if (gelf_getshdr(section, &h) == NULL || h.sh_size > left)
			continue;
		left -= h.sh_size;
		if (((h.sh_flags & SHF_COMPRESSED) == 0 || elf_compress(section, 0, 0) >= 0) &&
		    (data = elf_getdata(section, NULL)) != NULL && data->d_buf != NULL)
			text_add(&units, data->d_buf, data->d_size);
	}
	if (elftable_set_data(first, units.s, units.len))
		elfinflate_keep(memory, units.s);
	else
		text_free(&units);
}

/* Opens an ELF file; NULL if there is none. */
static Elf *
open_elf(struct dwarfsplit *s, const char *path, struct elfinflate *inflated)
{
	const int fd = opener_file(AT_FDCWD, path, true);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	size_t size;

	if (elf != NULL && (elf_kind(elf) != ELF_K_ELF || elf_rawfile(elf, &size) == NULL ||
			       elf_cntl(elf, ELF_C_FDREAD) != 0)) {
		elf_end(elf);
		elf = NULL;
	}
	if (fd >= 0)
		close(fd); /* the mapping remains */
	if (elf == NULL)
		return NULL;
	s->bytes += size;
	join_sections(elf, ".debug_info.dwo", size, inflated);
	join_sections(elf, ".debug_types.dwo", size, inflated);
	elfinflate_debug(inflated, elf, false);
	return elf;
}

static bool
open_package(struct dwarfsplit *s, const char *program)
{
	char path[PATH_MAX];
	Elf *elf;

	if (program == NULL ||
	    (size_t)snprintf(path, sizeof path, "%s.dwp", program) >= sizeof path ||
	    (elf = open_elf(s, path, &s->inflated)) == NULL)
		return false;
	s->package = dwarfpackage_new(elf);
	if (s->package == NULL) {
		elf_end(elf);
		elfinflate_free(&s->inflated);
	}
	return s->package != NULL;
}

/* Adds the split units of a file to those with known ids. */
static void
add_units(struct dwarfsplit *s, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;

	while (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, NULL) == 0) {
		Dwarf_Die **known;
		uint64_t id;

		if (type != DW_UT_split_compile ||
		    dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) != 0)
			continue;
		known = (Dwarf_Die **)intmap_at(&s->ids, id);
		if (*known == NULL) {
			*known = cli_alloc(1, sizeof **known);
			**known = die;
		}
	}
}

static void
read_package(struct dwarfsplit *s, uint64_t id)
{
	Dwarf *dwarf;

	if (!s->tried_package) {
		s->tried_package = true;
		if (!open_package(s, s->places->program))
			open_package(s, s->places->debug);
	}
	if (s->package != NULL && (dwarf = dwarfpackage_unit(s->package, id)) != NULL)
		add_units(s, dwarf);
}

/* Reads the object file at a path; true if it has the unit. */
static bool __attribute__((format(printf, 3, 4)))
read_object(struct dwarfsplit *s, uint64_t id, const char *fmt, ...)
{
	char path[PATH_MAX];
	struct object **known, *o;
	va_list args;
	Elf *elf;
	int n;

	va_start(args, fmt);
	n = vsnprintf(path, sizeof path, fmt, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof path)
		return false;
	known = (struct object **)intmap_at(&s->objects, hash_bytes(path, (size_t)n));
	if (*known == NULL) {
		o = *known = cli_alloc(1, sizeof *o);
		elf = open_elf(s, path, &o->inflated);
		if (elf != NULL)
			o->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
		if (o->dwarf == NULL)
			elf_end(elf);
		if (o->dwarf != NULL && dwarflimit_fits(o->dwarf))
			add_units(s, o->dwarf);
	}
	return intmap_get(&s->ids, id) != NULL;
}

/* Looks beside the debug file and the program, then in the unit's directory below each root. */
static void
read_objects(struct dwarfsplit *s, uint64_t id, const char *name, const char *directory)
{
	const char *file[] = {s->places->debug, s->places->program}, *next = s->places->directories;
	const bool absolute = name[0] == '/';

	for (size_t i = 0; i < 2 && !absolute; i++) {
		const char *slash = file[i] == NULL ? NULL : strrchr(file[i], '/');

		if (slash != NULL &&
		    read_object(s, id, "%.*s/%s", (int)(slash - file[i]), file[i], name))
			return;
	}
	while (next != NULL && (absolute || directory != NULL)) {
		const size_t n = strcspn(next, ":"), system = sizeof SYSTEM - 1;
		const int root = (int)(n - system);

		if (n >= system && strncmp(next + root, SYSTEM, system) == 0 &&
		    (absolute ? read_object(s, id, "%.*s%s", root, next, name)
			      : read_object(s, id, "%.*s%s/%s", root, next, directory, name)))
			return;
		next = next[n] == '\0' ? NULL : next + n + 1;
	}
}

static void
report_missing(struct dwarfsplit *s, const char *name, const char *directory)
{
	const char *program = s->places->program != NULL ? s->places->program : s->places->debug;
	struct text t = {0};

	if (s->missing != NULL)
		return;
	if (program != NULL)
		text_printf(&t, "%s.dwp or ", program);
	if (name[0] != '/' && directory != NULL)
		text_printf(&t, "%s/", directory);
	text_puts(&t, name);
	s->missing = t.s;
}

const struct dwarfsplit_unit *
dwarfsplit_find(struct dwarfsplit *s, Dwarf_Die *skeleton)
{
	const char *name = dwarfdie_own_string(skeleton, DW_AT_dwo_name);
	const char *directory = dwarfdie_own_string(skeleton, DW_AT_comp_dir);
	struct dwarfsplit_unit **known, *u;
	const Dwarf_Die *die;
	uint64_t id;

	if (name == NULL)
		name = dwarfdie_own_string(skeleton, DW_AT_GNU_dwo_name);
	if (name == NULL ||
	    dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) != 0)
		return NULL;
	if (intmap_get(&s->ids, id) == NULL)
		read_package(s, id);
	if (intmap_get(&s->ids, id) == NULL)
		read_objects(s, id, name, directory);
	die = intmap_get(&s->ids, id);
	if (die == NULL) {
		report_missing(s, name, directory);
		return NULL;
	}
	known = (struct dwarfsplit_unit **)intmap_at(&s->units, (uintptr_t)die->cu);
	if (*known != NULL)
		return *known; /* of another skeleton unit with the same id */
	u = *known = cli_alloc(1, sizeof *u);
	u->die = *die;
	u->skeleton = *skeleton;
	u->bytes = s->bytes;
	s->bytes = 0;
	dwarfrange_open(&u->ranges, &u->skeleton, &u->die);
	return u;
}

const struct dwarfsplit_unit *
dwarfsplit_of(const struct dwarfsplit *s, const Dwarf_Die *die)
{
	return intmap_get(&s->units, (uintptr_t)die->cu);
}

const char *
dwarfsplit_missing(const struct dwarfsplit *s)
{
	return s->missing;
}
