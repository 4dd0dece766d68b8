/*
 * vec: growth of arrays.
 */
#include "base/vec.h"

#define FEWEST 16

size_t
vec_capacity(size_t have, size_t want, size_t most)
{
	size_t cap = have < FEWEST ? FEWEST : have > most / 2 ? most : 2 * have;

	if (want > most)
		cli_die("more than %zu elements", most);
	return cap < want ? want : cap > most ? most : cap;
}
