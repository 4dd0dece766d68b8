#include "fg-record/telling/losses.h"

#include <unistd.h>

#include "base/cli.h"

double
losses_share(uint64_t part, uint64_t whole)
{
	return whole == 0 ? 0 : (double)part / (double)whole;
}

uint64_t
losses_lost(const struct recording_count *c)
{
	return c->lost + c->lost_samples;
}

bool
losses_are_wanted(void)
{
	return cli_verbose || isatty(STDERR_FILENO);
}
