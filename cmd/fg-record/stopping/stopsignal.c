/*
 * stopsignal: reads the signal masks of a thread in /proc.
 */
#include "fg-record/stopping/stopsignal.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define MASK 32 /* bytes of a mask's hex digits */

static bool
has_signal(const char *mask, int signal)
{
	return (strtoull(mask, NULL, 16) >> (signal - 1) & 1) != 0;
}

/* Reads the masks of blocked and caught signals; "0" on error. */
static void
read_masks(int tid, char blocked[MASK], char caught[MASK])
{
	char path[32], line[128];
	FILE *f;

	snprintf(blocked, MASK, "0");
	snprintf(caught, MASK, "0");
	snprintf(path, sizeof path, "/proc/%d/status", tid);
	f = fopen(path, "re");
	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "SigBlk: %31s", blocked) != 1)
			sscanf(line, "SigCgt: %31s", caught);
	if (f != NULL)
		fclose(f);
}

int
stopsignal_choose(int tid)
{
	static const int candidates[] = {SIGURG, SIGWINCH};
	char blocked[MASK], caught[MASK];

	read_masks(tid, blocked, caught);
	for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
		if (!has_signal(blocked, candidates[i]) && !has_signal(caught, candidates[i]))
			return candidates[i];
	return 0;
}

bool
stopsignal_blocked(int tid, int signal)
{
	char blocked[MASK], caught[MASK];

	read_masks(tid, blocked, caught);
	return has_signal(blocked, signal);
}
