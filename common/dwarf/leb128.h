/*
 * leb128: the numbers of variable length in DWARF (DWARF 5, section 7.6).
 */
#ifndef LEB128_H
#define LEB128_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads an unsigned number of at most nine bytes and moves *at to its end. A number that is longer,
 * or does not end before `end`, is 0 and sets *bad. The bytes of a signed number are skipped alike.
 */
static inline uint64_t
leb128_read(const unsigned char **at, const unsigned char *end, bool *bad)
{
	uint64_t v = 0;

	for (unsigned shift = 0; *at < end && shift < 63; shift += 7) {
		const unsigned char byte = *(*at)++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
	*bad = true;
	return 0;
}

#endif
