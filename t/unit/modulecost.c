/*
 * modulecost: reads lines "begin MEMORY FAILURES" and "MODULE NS BYTES"; prints for each of the
 * second kind whether the module is within its limits.
 */
#include <inttypes.h>
#include <stdio.h>

#include "fg-record/telling/modulecost.h"

int
main(void)
{
	struct modulecost c = {0};
	char line[256];
	uint64_t a, b, d;

	while (fgets(line, sizeof line, stdin) != NULL)
		if (sscanf(line, "begin %" SCNu64 " %" SCNu64, &a, &b) == 2)
			modulecost_begin(&c, a, (unsigned)b);
		else if (sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64, &a, &b, &d) == 3)
			puts(modulecost_add(&c, (uint32_t)a, b, d) ? "within" : "above");
	return 0;
}
