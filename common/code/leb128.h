/*
 * leb128: the numbers of variable length in DWARF (DWARF 5, section 7.6).
 */
#ifndef LEB128_H
#define LEB128_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads an unsigned number of at most nine bytes and moves *at behind it; false if it is longer or
 * does not end before `end`. The bytes of a signed number are skipped alike.
 */
static inline bool
leb128_read(const unsigned char **at, const unsigned char *end, uint64_t *v)
{
	*v = 0;
	for (unsigned shift = 0; *at < end && shift < 63; shift += 7) {
		const unsigned char byte = *(*at)++;

		*v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

#endif
