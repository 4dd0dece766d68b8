/*
 * dwarflimit: a limit on tables of abbreviations. For each unit libdw parses the table that it
 * names; in a hostile file they overlap, and the work is units times bytes.
 */
#ifndef DWARFLIMIT_H
#define DWARFLIMIT_H

#include <stdbool.h>

#include <elfutils/libdw.h>

/* True if the tables of all units together are at most a constant times the sections' bytes. */
bool dwarflimit_fits(Dwarf *d);

#endif
