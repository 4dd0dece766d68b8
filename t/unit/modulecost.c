/*
 * modulecost: reads lines "begin MEMORY FAILURES" and "MODULE NS BYTES"; prints for each of the
 * second kind whether the module is within its limits, or above which one it is.
 */
#include <inttypes.h>
#include <stdio.h>

#include "fg-record/telling/modulecost.h"

int
main(void)
{
	static const char *const answers[] = {[MODULECOST_WITHIN] = "within",
	    [MODULECOST_TIME] = "time",
	    [MODULECOST_MEMORY] = "memory",
	    [MODULECOST_INVALID] = "invalid"};
	struct modulecost c = {0};
	char line[256];
	uint64_t a, b, d;

	while (fgets(line, sizeof line, stdin) != NULL)
		if (sscanf(line, "begin %" SCNu64 " %" SCNu64, &a, &b) == 2)
			modulecost_begin(&c, a, (unsigned)b);
		else if (sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64, &a, &b, &d) == 3)
			puts(answers[modulecost_add(&c, (uint32_t)a, b, d)]);
	return 0;
}
