/* gomemory: one thread is traced, by PTRACE_O_TRACEEXIT; its other stops are passed on. */
#include "fg-record/watching/gomemory.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "base/cli.h"
#include "elf/elftable.h"
#include "elf/gopclntab.h"
#include "trace/heap.h"
#include "trace/heapprobe.h"

#define MS UINT64_C(1000000) /* ns */
#define INTERVAL (100 * MS) /* ns between reads, in case that the process ends */
#define SHARE 64 /* these reads take at most this fraction of a CPU */
#define DEPTH_LEAST 32 /* frames of a stack, at most, before Go 1.23 */
#define RETURN 1 /* bytes of a call before its return address that suffice to find it */

/* Finds the program among the mappings; false if it does not run yet. */
static bool
find_program(struct gomemory *g)
{
	struct processes *ps = g->record->recording.processes;
	struct runtime_module m;
	struct process *p;
	uint64_t size = 0;
	Elf *elf;

	if (g->heap != NULL)
		return true;
	if (!processes_read(ps, g->pid) || (p = processes_find(ps, g->pid)) == NULL ||
	    !heapprobe_go(&m, p))
		return false;
	g->heap = goheap_open(&m, g->pid);
	if (g->heap == NULL)
		return false;
	elf = module_elf(m.module);
	if (elftable_section(elf, NULL, ".debug_info") == NULL &&
	    elftable_section(elf, NULL, ".zdebug_info") == NULL)
		g->inlined = gopclntab_open(elf);
	g->first[0] = runtime_symbol(&m, "runtime.goexit.abi0", &size);
	if (g->first[0] == 0)
		g->first[0] = runtime_symbol(&m, "runtime.goexit", &size);
	g->first[1] = g->first[0] + size;
	return true;
}

static void
read_memory(struct gomemory *g)
{
	const uint64_t begin = record_now();
	const char *reason;
	uint64_t cost;

	if (g->exited || !find_program(g))
		return;
	if (goheap_read(g->heap, &reason)) {
		g->last = record_now();
		if (!g->began)
			goheap_rebase(g->heap);
		g->began = g->began || begin >= g->record->recording.begin;
	} else if (g->last == 0 && g->command == NULL) {
		cli_die("process %d: %s", g->pid, reason);
	}
	cost = record_now() - begin;
	g->due = record_now() + (cost * SHARE > INTERVAL ? cost * SHARE : INTERVAL);
}

/* ---- The exit of a command ---- */

static void
continue_after(struct gomemory *g, int status)
{
	const int event = status >> 16, sig = WSTOPSIG(status);

	if (event == PTRACE_EVENT_EXIT) {
		read_memory(g);
		g->exited = true;
		g->traced = false;
		ptrace(PTRACE_DETACH, g->pid, NULL, NULL);
	} else if (event == PTRACE_EVENT_STOP && sig != SIGTRAP) { /* stopped by job control */
		ptrace(PTRACE_LISTEN, g->pid, NULL, NULL);
	} else {
		ptrace(PTRACE_CONT, g->pid, NULL, (void *)(intptr_t)(event == 0 ? sig : 0));
	}
}

/* Handles the stops and the end of the command. */
static void
look(struct gomemory *g)
{
	struct command *c = g->command;
	int status;

	while (!c->ended && waitpid(c->pid, &status, WNOHANG) == c->pid) {
		if (WIFSTOPPED(status)) {
			continue_after(g, status);
			continue;
		}
		c->status = status;
		c->ended = true;
		g->traced = false;
	}
}

void
gomemory_open(struct gomemory *g, struct record *r, struct command *c)
{
	*g = (struct gomemory){.record = r, .command = c};
	if (c == NULL) {
		g->pid = r->options->pids.id[0];
		read_memory(g);
		return;
	}
	g->pid = c->pid;
	g->began = true; /* it has not allocated yet */
	g->traced = ptrace(PTRACE_SEIZE, c->pid, NULL, (void *)PTRACE_O_TRACEEXIT) == 0;
}

void
gomemory_step(struct gomemory *g, uint64_t now)
{
	if (g->command != NULL)
		look(g);
	if (!g->traced && now >= g->due)
		read_memory(g);
	if (!g->began && g->record->recording.begin <= now)
		read_memory(g);
}

/* ---- Values ---- */

/* The node of a bucket's stack. */
static uint32_t
stack_of(struct gomemory *g, const struct goheap_bucket *b, struct process *p)
{
	struct recording *r = &g->record->recording;
	struct chain *c = &r->chain;
	const uint64_t last = b->pc[b->npc - 1];
	const bool complete = b->npc < DEPTH_LEAST || (last > g->first[0] && last <= g->first[1]);

	chain_clear(c);
	for (size_t i = 0; i < b->npc; i++) {
		const uint64_t pc = b->pc[i] - RETURN;
		const struct process_map *m = process_find(p, pc);
		const struct unwind_frame frame = {
		    m != NULL ? m->module : NULL, m != NULL ? pc + m->bias : pc};

		if (g->inlined == NULL || m == NULL ||
		    !gopclntab_is_inlined(g->inlined, frame.vaddr))
			c->frame[c->n++] = frame;
	}
	r->count.stack[complete ? CHAIN_COMPLETE : CHAIN_DEEPER] += b->allocated - b->base;
	return rawtree_chain(
	    r->rawtree, recording_task(r, processes_thread(r->processes, g->pid, g->pid), 0), c, 0);
}

void
gomemory_add(struct gomemory *g)
{
	struct recording *r = &g->record->recording;
	const struct goheap_bucket *b;
	struct process *p;
	size_t n = 0;

	read_memory(g);
	p = processes_find(r->processes, g->pid);
	heap_recount(r->heap);
	if (g->heap == NULL || !g->began || p == NULL)
		return;
	b = goheap_buckets(g->heap, &n);
	for (size_t i = 0; i < n; i++, b++) {
		const uint64_t samples = b->allocated > b->base ? b->allocated - b->base : 0;
		const double rate = (double)goheap_rate(g->heap), size = (double)b->size;
		/* The estimate of heap.h. */
		const double blocks = b->size > 0 && rate > 1 ? -1 / expm1(-size / rate) : 1;

		if ((samples == 0 && b->live == 0) || b->npc == 0)
			continue;
		r->count.samples += samples;
		heap_counted(r->heap, stack_of(g, b, p),
		    &(struct heap_sums){(double)samples * blocks,
			(uint64_t)((double)samples * blocks * size + 0.5),
			(uint64_t)((double)b->live * blocks * size + 0.5), goheap_rate(g->heap)});
	}
	goheap_rebase(g->heap);
}

void
gomemory_close(struct gomemory *g)
{
	const uint64_t end = g->record->ended;
	int status;

	while (g->traced && ptrace(PTRACE_INTERRUPT, g->pid, NULL, NULL) == 0 &&
	       (waitpid(g->pid, &status, 0) == g->pid || errno == EINTR)) {
		const int event = WIFSTOPPED(status) ? status >> 16 : 0;

		if (!WIFSTOPPED(status)) {
			g->command->status = status;
			g->command->ended = true;
			break;
		}
		/* A stop for a signal: it is delivered. */
		g->traced = ptrace(PTRACE_DETACH, g->pid, NULL,
				(void *)(intptr_t)(event == 0 ? WSTOPSIG(status) : 0)) != 0;
	}
	if (!g->exited && g->last != 0 && g->last + INTERVAL / 10 < end)
		cli_warn("process %d has ended: its memory is that of %" PRIu64 " ms before",
		    g->pid, (end - g->last) / MS);
	if (g->heap == NULL)
		cli_warn("process %d: the memory profile of Go's runtime was not found", g->pid);
	goheap_free(g->heap);
	gopclntab_close(g->inlined);
}
