#include "elf/symbolrank.h"

#include <string.h>

#include "elf/elftable.h"

#define UNDERSCORES 64 /* that are counted */

static size_t
underscores(const char *s)
{
	size_t n = 0;

	while (n < UNDERSCORES && s[n] == '_')
		n++;
	return n;
}

int
symbolrank_prefer(const void *a, const void *b)
{
	size_t ua = underscores(a), ub = underscores(b), la, lb;

	/* Like perf: fewer leading underscores, then the longer name. */
	if (ua != ub)
		return ua < ub ? 1 : -1;
	la = strnlen(a, ELFTABLE_NAME);
	lb = strnlen(b, ELFTABLE_NAME);
	if (la != lb)
		return la > lb ? 1 : -1;
	return strncmp(b, a, ELFTABLE_NAME);
}
