/*
 * dwarfdie: functions but dwarfdie_own_string follow references to the declaration and the
 * abstract origin.
 */
#include "dwarf/dwarfdie.h"

const char *
dwarfdie_string(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute at;

	return dwarf_attr_integrate(die, attribute, &at) == NULL ? NULL : dwarf_formstring(&at);
}

bool
dwarfdie_reference(Dwarf_Die *die, unsigned attribute, Dwarf_Die *to)
{
	Dwarf_Attribute at;

	return dwarf_attr_integrate(die, attribute, &at) != NULL &&
	       dwarf_formref_die(&at, to) != NULL;
}

uint64_t
dwarfdie_number(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute at;
	Dwarf_Word v;

	return dwarf_formudata(dwarf_attr_integrate(die, attribute, &at), &v) == 0 ? v : 0;
}

bool
dwarfdie_has(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute at;

	return dwarf_attr_integrate(die, attribute, &at) != NULL;
}

const char *
dwarfdie_own_string(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute at;

	return dwarf_attr(die, attribute, &at) == NULL ? NULL : dwarf_formstring(&at);
}
