/*
 * formats: the register of formats as a table.
 */
#include "fg-collapse/format.h"

#define FORMAT(id, ...) extern const struct format id##_format;
#include "fg-collapse/formats.def"

#define FORMAT(id, name, description, origin) {name, description, origin, &id##_format},
const struct format_row formats[] = {
#include "fg-collapse/formats.def"
    {0}};

const char *
format_name(const struct format *format)
{
	const struct format_row *row = formats;

	while (row->format != format)
		row++;
	return row->name;
}
