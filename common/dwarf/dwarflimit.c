/*
 * dwarflimit: the tables are measured before libdw reads a unit, since it parses up to the code of
 * the unit's own DIE as soon as it has read the header. Its own functions measure them, without
 * keeping anything.
 */
#include "dwarf/dwarflimit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "base/intmap.h"
#include "elf/elftable.h"

/*
 * Bytes of tables per byte of units. A table that many units share costs each of them all its
 * bytes: 14.1 per byte in GHC's dwz file, 12.8 in one of our own programs, at most 3 in other
 * files. (dwz shares tables of at most 127 entries, 2 KB.)
 */
#define BYTES_PER_BYTE 32
#define BYTES_LEAST 65536
#define ENTRY_COST 16 /* bytes: the least cost of an entry */

/*
 * Bytes of one entry. Each reads all its attributes for each DIE, which can have one byte.
 * Compilers write at most about 25 attributes, in 80 bytes.
 */
#define ENTRY_MAX 256

/*
 * Base addresses of a list of ranges between two ranges: libdw reads them in one call, for each DIE
 * of those that share the list. Compilers write one.
 */
#define BASES_MAX 16

struct tables {
	Dwarf *dwarf;
	struct intmap cost; /* by offset: that of the table there, plus 1 */
	uint64_t left; /* most cost of the remaining units */
};

/* The cost of the table at offset; more than t->left, without measuring all of it, if it is that.
 */
static uint64_t
cost_of_table(struct tables *t, uint64_t offset)
{
	void **known = intmap_at(&t->cost, offset);
	uint64_t cost = 0;
	uint64_t entry[32]; /* a Dwarf_Abbrev, whose size is libdw's own: 32 bytes */
	size_t length;

	if (*known != NULL)
		return (uintptr_t)*known - 1;
	while (cost <= t->left &&
	       dwarf_offabbrev(t->dwarf, offset, &length, (Dwarf_Abbrev *)entry) == 0) {
		cost += length > ENTRY_MAX    ? t->left + 1
			: length > ENTRY_COST ? length
					      : ENTRY_COST;
		offset += length;
	}
	*known = (void *)(uintptr_t)(cost + 1);
	return cost;
}

/* Moves to the next unit of .debug_info, or of .debug_types; false after the last. */
static bool
next_unit(Dwarf *d, bool types, Dwarf_Off *offset, Dwarf_Off *table)
{
	uint64_t signature;
	size_t header;
	Dwarf_Off next;

	if (dwarf_next_unit(d, *offset, &next, &header, NULL, table, NULL, NULL,
		types ? &signature : NULL, NULL) != 0)
		return false;
	*offset = next;
	return true;
}

/* Length of the base address at `at`; 0 if something else begins there. */
static size_t
base_length(const unsigned char *at, const unsigned char *end, size_t word, bool is_v5)
{
	static const unsigned char ones[8] = {255, 255, 255, 255, 255, 255, 255, 255};

	if (!is_v5)
		return (size_t)(end - at) >= 2 * word && memcmp(at, ones, word) == 0 ? 2 * word : 0;
	if (*at == DW_RLE_base_address)
		return 1 + word;
	if (*at != DW_RLE_base_addressx)
		return 0;
	for (size_t i = 1; i <= 10 && i < (size_t)(end - at); i++) /* a LEB128 number */
		if (at[i] < 0x80)
			return i + 1;
	return 0;
}

/* True if a section of lists has no long run of base addresses, at any offset. */
static bool
bases_fit(const Elf_Data *data, size_t word, bool is_v5)
{
	const unsigned char *b, *end;

	if (data == NULL || data->d_buf == NULL)
		return true;
	end = (const unsigned char *)data->d_buf + data->d_size;
	for (b = data->d_buf; b < end; b++) {
		const unsigned char *at = b;
		size_t length, n = 0;

		if (!is_v5 && (b = memchr(b, 0xff, (size_t)(end - b))) == NULL)
			break;
		for (at = b; at < end && (length = base_length(at, end, word, is_v5)) > 0;) {
			if (++n > BASES_MAX)
				return false;
			if (length >= (size_t)(end - at))
				break;
			at += length;
		}
	}
	return true;
}

bool
dwarflimit_fits(Dwarf *d)
{
	struct tables t = {.dwarf = d};
	Elf *elf = dwarf_getelf(d);
	const size_t word = gelf_getclass(elf) == ELFCLASS32 ? 4 : 8;
	bool fits = bases_fit(elftable_debug(elf, ".debug_ranges"), word, false) &&
		    bases_fit(elftable_debug(elf, ".debug_rnglists"), word, true);
	Dwarf_CU *first;
	Dwarf_Off table;

	/* libdw 0.188 crashes on a damaged table if it has never allocated memory for this file. */
	dwarf_get_units(d, NULL, &first, NULL, NULL, NULL, NULL);
	t.left = BYTES_LEAST;
	for (int types = 0; types < 2; types++) {
		Dwarf_Off end = 0;

		while (next_unit(d, types, &end, &table))
			continue;
		t.left += BYTES_PER_BYTE * end;
	}
	for (int types = 0; types < 2; types++) {
		Dwarf_Off at = 0;

		while (fits && next_unit(d, types, &at, &table)) {
			const uint64_t cost = cost_of_table(&t, table);

			fits = cost <= t.left;
			t.left -= fits ? cost : 0;
		}
	}
	free(t.cost.slot);
	return fits;
}
