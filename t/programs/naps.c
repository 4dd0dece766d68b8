/* naps TIMES: naps of 10 ms; prints how many us they took, without the waits for a CPU. */
#include <stdlib.h>

#include "clocks.h"

int
main(int argc, char **argv)
{
	struct timespec t = {0, 10000000};
	struct reading begin = read_clocks(), end;

	for (int i = 0; i < atoi(argv[argc - 1]); i++)
		nanosleep(&t, 0);
	end = read_clocks();
	printf("%.0f\n", end.time - begin.time - (end.queued - begin.queued));
	return 0;
}
