/*
 * dwarflimit: limits on what libdw reads in one call. For each unit it parses the table of
 * abbreviations that it names; in a hostile file they overlap, and the work is units times bytes.
 * Abbreviations without bytes and base addresses of lists of ranges are read for each DIE.
 */
#ifndef DWARFLIMIT_H
#define DWARFLIMIT_H

#include <stdbool.h>

#include <elfutils/libdw.h>

/* True if reading all units and DIEs takes at most a constant times the sections' bytes. */
bool dwarflimit_fits(Dwarf *d);

#endif
