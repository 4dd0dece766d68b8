#include "fg-record/telling/progress.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cli.h"
#include "symbol/symbol.h"
#include "fg-record/telling/report.h"
#include "fg-record/asking/rights.h"
#include "fg-record/telling/recordsummary.h"

#define FIRST_LOOK UINT64_C(1000000000) /* ns */

struct job {
	struct progress *progress;
	const struct record *record;
};

static void
find_hottest(void *arg)
{
	const struct job *j = arg;

	setpriority(PRIO_PROCESS, 0, PRIO_MAX);
	report_heaviest(j->record, &j->progress->look.shared->report);
}

/* True if samples may be symbolized now. Intervals and streams keep no samples for long. */
static bool
may_look(const struct progress *p, const struct record *r, uint64_t passed)
{
	return p->look.pid == 0 && r->options->interval == 0 && !r->options->off_cpu &&
	       passed >= (p->next_look != 0 ? p->next_look : FIRST_LOOK) &&
	       r->recording.count.samples > 0;
}

void
progress_show(struct progress *p, struct record *r)
{
	struct symbolizer *look = &p->look;
	uint64_t passed = record_now() - r->started;

	if (cli_quiet || !isatty(STDERR_FILENO))
		return;
	if (look->pid > 0 && !symbolizer_is_working(look) &&
	    symbolizer_wait(look) == SYMBOLIZER_DONE && look->shared->report.nfunction > 0)
		memcpy(p->hottest, look->shared->report.function[0].name, sizeof p->hottest);
	if (may_look(p, r, passed)) {
		struct job j = {p, r};

		if (look->shared == NULL)
			symbolizer_open(look);
		symbol_kernel_start_used(r->recording.modules);
		symbol_kernel_wait(r->recording.modules);
		symbolizer_start(look, false, find_hottest, &j);
		p->next_look = 3 * passed;
	}
	recordsummary_progress(r, p->hottest[0] != '\0' ? p->hottest : NULL);
}

void
progress_end(struct progress *p)
{
	if (p->look.pid <= 0)
		return;
	rights_kill(p->look.pid, SIGKILL);
	symbolizer_wait(&p->look);
}
