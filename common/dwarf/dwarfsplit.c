/*
 * dwarfsplit: libdw reads the unit DIEs of a split file until it finds its own, so that the tables
 * of abbreviations are measured before.
 */
#include "dwarf/dwarfsplit.h"

#include <dwarf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dwarf/dwarfdie.h"
#include "dwarf/dwarflimit.h"
#include "access/opener.h"

/* Checks a file, if it exists. */
static bool
file_fits(const char *directory, const char *name)
{
	char path[PATH_MAX];
	bool fits = true;
	struct stat st;
	Dwarf *dwarf;
	int n, fd;

	n = snprintf(path, sizeof path, "%s%s%s", directory, name[0] == '/' ? "" : "/", name);
	if (n < 0 || (size_t)n >= sizeof path)
		return false;
	if (stat(path, &st) != 0)
		return true;
	if (!S_ISREG(st.st_mode) || (fd = opener_file(AT_FDCWD, path, true)) < 0)
		return false;
	dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (dwarf != NULL)
		fits = dwarflimit_fits(dwarf);
	dwarf_end(dwarf);
	close(fd);
	return fits;
}

bool
dwarfsplit_fits(Dwarf_Die *unit, const char *file)
{
	const char *name = dwarfdie_string(unit, DW_AT_dwo_name);
	const char *directory = dwarfdie_string(unit, DW_AT_comp_dir), *slash;
	char real[PATH_MAX];

	if (name == NULL)
		name = dwarfdie_string(unit, DW_AT_GNU_dwo_name);
	if (name == NULL)
		return false;
	if (name[0] == '/')
		return file_fits("", name);
	/* libdw takes the path from the kernel: without symbolic links. */
	if (file != NULL && realpath(file, real) != NULL && (slash = strrchr(real, '/')) != NULL) {
		real[slash - real] = '\0';
		if (!file_fits(real, name))
			return false;
	}
	return directory == NULL || file_fits(directory, name);
}
