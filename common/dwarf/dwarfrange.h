/*
 * dwarfrange: address ranges of the DIEs of a split unit, whose addresses are in the file of its
 * skeleton unit. (libdw reads them only of a file that it has opened by itself.)
 */
#ifndef DWARFRANGE_H
#define DWARFRANGE_H

#include <stdbool.h>
#include <stdint.h>

#include <elfutils/libdw.h>

/* Bytes of a section; all zero: none. */
struct dwarfrange_bytes {
	const unsigned char *at, *end;
};

/* Tables of a unit. */
struct dwarfrange_unit {
	struct dwarfrange_bytes info; /* section with the DIEs */
	struct dwarfrange_bytes addresses; /* of the unit */
	struct dwarfrange_bytes lists; /* DWARF 5: the section; 4: lists of the unit */
	uint64_t base; /* address of the unit's code, if that is in one piece; else 0 */
	uint8_t word; /* bytes of an address */
	bool is_v5;
};

/* Finds the tables of a split unit, given its CU DIE and that of its skeleton unit. */
void dwarfrange_open(struct dwarfrange_unit *u, Dwarf_Die *skeleton, Dwarf_Die *split);

/* The ranges of a DIE, one after the other. */
struct dwarfrange {
	const struct dwarfrange_unit *unit;
	uint64_t start, end; /* the only range, without a list */
	struct dwarfrange_bytes list; /* the rest of the list */
	uint64_t base;
};

struct dwarfrange dwarfrange_begin(const struct dwarfrange_unit *u, Dwarf_Die *die);

/* Moves to the next entry, without a range (start is end) for a base address; false at the end. */
bool dwarfrange_next(struct dwarfrange *r, uint64_t *start, uint64_t *end);

#endif
