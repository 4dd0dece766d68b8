/*
 * collide: 8-byte names whose unkeyed XXH3 is equal in the 32 bits that a hash table stores, as
 * an attacker would prepare them to make it slow.
 *
 *	collide N	prints N of them as folded stacks
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define PRIME UINT64_C(0x9fb21c651e98df25) /* XXH3 for 4 to 8 bytes, rrmxmx */

static uint64_t
turned(uint64_t h)
{
	return h ^ (h << 49 | h >> 15) ^ (h << 24 | h >> 40);
}

/* The value with this hash, up to a constant: every step of the hash is inverted. */
static uint64_t
undone(uint64_t h)
{
	uint64_t inverse = PRIME;

	for (int i = 0; i < 5; i++) /* Newton: doubles the number of correct bits */
		inverse *= 2 - PRIME * inverse;
	h ^= h >> 28 ^ h >> 56;
	h *= inverse;
	h ^= (h >> 35) + 8;
	h *= inverse;
	for (int i = 0; i < 63; i++) /* applied 64 times, the rotation-xor is the identity */
		h = turned(h);
	return h;
}

int
main(int argc, char **argv)
{
	long want = argc > 1 ? atol(argv[1]) : 0, have = 0;
	uint64_t flip = undone(XXH3_64bits("\0\0\0\0\0\0\0\0", 8));

	for (uint64_t i = 1; have < want; i++) {
		uint64_t n = undone(i << 32 | 7) ^ flip;
		unsigned char name[8];
		int good = 1;

		/* The first four bytes of the name are the upper half. */
		for (int k = 0; k < 8; k++) {
			name[k] = (unsigned char)(n >> (k < 4 ? 32 + 8 * k : 8 * (k - 4)));
			good &= name[k] > ' ' && name[k] != ';';
		}
		if (!good)
			continue;
		if ((uint32_t)XXH3_64bits(name, 8) != 7)
			return 1; /* this library has another XXH3 */
		fwrite(name, 1, 8, stdout);
		puts(" 1");
		have++;
	}
	return 0;
}
