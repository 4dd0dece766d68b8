/* preload: finds the library by the path of our own program. */
#include "fg-record/asking/preload.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gelf.h>

#include "access/opener.h"
#include "base/cli.h"
#include "base/text.h"
#include "fg-record/asking/breakpoints.h"
#include "fg-record/asking/command.h"
#include "fg-record/watching/goheap.h"
#include "fg-record/watching/heapshared.h"
#include "trace/heapabi.h"

/* The library below `directory`; NULL if it is not there. */
static char *
find(const char *directory, const char *below)
{
	char *path = NULL;

	if (asprintf(&path, "%s/%s/" HEAPABI_LIBRARY, directory, below) < 0)
		cli_die("out of memory");
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static char *
library(void)
{
	char program[PATH_MAX], *end, *path;
	const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);

	program[n > 0 ? n : 0] = '\0';
	end = strrchr(program, '/');
	if (end == NULL)
		cli_die("cannot find our own program: is /proc mounted?");
	*end = '\0';
	if ((path = find(program, "../lib/fg")) == NULL && (path = find(program, "lib/fg")) == NULL)
		cli_die("--heap needs " HEAPABI_LIBRARY ", which is not in %s/../lib/fg; install "
			"fg-record with 'make install'",
		    program);
	return path;
}

/* True if the page that is sampled is in the process. */
static bool
is_loaded(struct process *p)
{
	const struct process_map *m = maps_from(&p->maps, HEAPABI_PAGE);

	return m != NULL && m->start == HEAPABI_PAGE;
}

#define FAULTS "recording the stacks that touch new memory instead (-e page-faults -c 1)"

static void
record_faults(struct options *o)
{
	o->heap = 0;
	o->event = "page-faults";
	o->period = 1;
	o->rate_given = true;
}

static const char *
why_no_breakpoints(int error)
{
	return error == ENODEV ? "this machine has none that fire" : strerror(error);
}

/* False if breakpoints do not fire: other events are recorded then. */
static bool
use_breakpoints(struct options *o)
{
	if (breakpoints_available() || errno != ENODEV)
		return true;
	cli_note("no hardware breakpoints (%s); " FAULTS, why_no_breakpoints(errno));
	record_faults(o);
	return false;
}

static void
use_probes(struct options *o, const struct heapprobes *probes)
{
	if (!use_breakpoints(o))
		return;
	for (size_t i = 0; i < HEAPPROBES; i++)
		o->heap_probe[i] = probes->probe[i].address;
}

/* Selects the way to record a Go program: a process, or a file with fixed addresses or without. */
static void
use_go(struct options *o, struct heapprobes *probes, const struct runtime_module *m, int pid,
    bool fixed)
{
	switch (goheap_state(m, pid)) {
	case GOHEAP_SAMPLES: o->heap_outside = true; return;
	case GOHEAP_OFF: break;
	case GOHEAP_UNKNOWN:
		cli_note(
		    "%s: the memory profile of Go's runtime was not found (an unknown version, or "
		    "stripped symbols); " FAULTS,
		    m->module->name);
		record_faults(o);
		return;
	}
	if (fixed && heapprobe_find_go(probes, m)) {
		cli_note("%s does not use runtime.MemProfile, so its runtime keeps no memory "
			 "profile; recording who takes new memory: import runtime/pprof for live "
			 "and exact values",
		    m->module->name);
		use_probes(o, probes);
		return;
	}
	cli_note("%s does not use runtime.MemProfile, so its runtime keeps no memory profile%s; "
		 "import runtime/pprof; " FAULTS,
	    m->module->name,
	    fixed ? "" : ", and its addresses are not known before its start (PIE)");
	record_faults(o);
}

static void
check_single(const struct options *o, int pid, const char *runs)
{
	if (o->pids.n > 1)
		cli_usage("--heap -p: %d runs %s, whose allocations can be recorded of one process "
			  "at a time",
		    pid, runs);
}

/* Uses the functions of a process's runtime, or its sums; false if it has none. */
static bool
probe(struct options *o, struct heapprobes *probes, struct process *p)
{
	struct runtime_module m;

	if (heapprobe_go(&m, p)) {
		check_single(o, p->pid, "a Go program");
		use_go(o, probes, &m, p->pid, true);
		return true;
	}
	if (!heapprobe_find(probes, p))
		return false;
	check_single(o, p->pid, "a Java virtual machine");
	use_probes(o, probes);
	return true;
}

void
preload_command(struct options *o, struct heapprobes *probes)
{
	char *found = command_path(o->command[0]), *path;
	const struct module_id unknown = {0};
	const struct module_reach nobody = {0};
	struct runtime_module m = {0};
	const struct heapruntime *r;
	GElf_Ehdr header;

	path = found != NULL ? realpath(found, NULL) : NULL;
	free(found);
	if (path == NULL)
		return;
	m.module = module_open(modules_new(&symsource_live), path, &unknown, &nobody);
	r = heapruntime_of(m.module);
	if (r != NULL && r->file == NULL && gelf_getehdr(module_elf(m.module), &header) != NULL)
		use_go(o, probes, &m, 0, header.e_type == ET_EXEC);
	free(path);
}

void
preload_or_faults(struct options *o, struct heapprobes *probes, struct processes *ps)
{
	bool loaded = false;
	char *path;

	for (size_t i = 0; i < o->pids.n; i++) {
		struct process *p;

		if (!processes_read(ps, o->pids.id[i]) ||
		    (p = processes_find(ps, o->pids.id[i])) == NULL)
			continue;
		if (probe(o, probes, p))
			return;
		loaded |= is_loaded(p);
	}
	if (loaded) {
		use_breakpoints(o);
		return;
	}
	path = library();
	cli_note("%s not started with LD_PRELOAD=%s, so malloc cannot be sampled; " FAULTS,
	    o->pids.n == 1 ? "the process was" : "the processes were", path);
	free(path);
	record_faults(o);
}

void
preload_heap(struct options *o)
{
	const char *others = getenv("LD_PRELOAD");
	const char *python = getenv("PYTHONMALLOC");
	char *path = library(), mean[32];
	struct text list = {0};

	if (strpbrk(path, " :") != NULL) /* they delimit the paths of LD_PRELOAD */
		cli_die("--heap: the path %s has a space or a colon, which LD_PRELOAD cannot "
			"express; move it",
		    path);
	text_puts(&list, path);
	if (others != NULL && others[0] != '\0')
		text_printf(&list, ":%s", others);
	snprintf(mean, sizeof mean, "%" PRIu64, o->heap);
	if (setenv("LD_PRELOAD", list.s, 1) != 0 || setenv(HEAPABI_MEAN, mean, 1) != 0)
		cli_die("out of memory");
	if (!o->mappings)
		unsetenv(HEAPABI_MAPPINGS);
	else if (setenv(HEAPABI_MAPPINGS, "1", 1) != 0)
		cli_die("out of memory");
	text_free(&list);
	free(path);
	if (!breakpoints_available() && errno != EACCES && errno != EPERM && errno != ENOSYS) {
		cli_note("no hardware breakpoints (%s): " HEAPABI_LIBRARY
			 " copies the stacks itself, without functions of scripts",
		    why_no_breakpoints(errno));
		o->heap_shared = heapshared_new();
		o->no_script = true;
	}
	setenv("USE_ZEND_ALLOC", "0", 0); /* PHP: blocks of malloc, instead of parts of chunks */
	if (python == NULL)
		return;
	if (strcmp(python, "pymalloc") == 0) /* as without it, but it would replace the library's */
		unsetenv("PYTHONMALLOC");
	else if (strcmp(python, "malloc") != 0)
		cli_note("PYTHONMALLOC=%s hides small objects of Python; unset it, or set it to "
			 "malloc",
		    python);
}
