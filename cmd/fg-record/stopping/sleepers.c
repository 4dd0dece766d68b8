/*
 * sleepers: unwinds blocked threads through /proc and their memory.
 */
#include "fg-record/stopping/sleepers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/cfi.h"
#include "access/opener.h"
#include "fg-record/asking/proc.h"
#include "fg-record/stopping/stopped.h"
#include "fg-record/watching/tracepointframe.h"

#define READING UINT64_C(2000000) /* ns at a time, while the rings fill */

/* A stack that was counted as truncated is complete. */
static void
recount(void *arg, enum chain_reach reach)
{
	struct record *r = arg;

	r->recording.count.stack[reach]--;
	r->recording.count.stack[CHAIN_COMPLETE]++;
}

const struct timeline_live sleepers_live = {
    .state = proc_state, .delay = proc_delay, .stopped = stopped_until, .completed = recount};

/*
 * A blocked thread's stack pointer and pc from /proc, which shows no other registers, and the
 * number of its system call; -1: none, as at a page fault.
 */
static bool
sleeping_registers(int tid, uint64_t reg[UNWIND_REGS], long *call)
{
	char line[256];
	size_t n;
	FILE *f;

	f = opener_stream(tid, OPENER_SYSCALL);
	if (f == NULL)
		return false;
	n = fread(line, 1, sizeof line - 1, f);
	fclose(f);
	line[n] = '\0';
	memset(reg, 0, UNWIND_REGS * sizeof *reg);
	*call = strtol(line, NULL, 10);
	for (char *last = line + n; last > line; last--)
		if (*last == ' ' && memrchr(line, ' ', (size_t)(last - line)) != NULL) {
			char *sp = memrchr(line, ' ', (size_t)(last - line));

			reg[CFI_SP] = strtoull(sp, NULL, 16);
			reg[CFI_PC] = strtoull(last, NULL, 16);
			return reg[CFI_PC] != 0;
		}
	return false; /* it is running */
}

/*
 * Unwinds a blocked thread from its registers and its current stack. The caller must know that
 * it was blocked since the registers were read. False if its memory cannot be read.
 */
static bool
unwind_sleeping(struct record *r, struct process_thread *t, struct unwind_input in, struct chain *c)
{
	struct script_process *script;

	in.process = t->process;
	chain_clear(c);
	script = record_script(r, t);
	if (!livestack_read(&r->live, r->recording.unwind, NULL, t->tid, &in, in.reg[CFI_SP], c))
		return false;
	record_add_scripts(r, t, script);
	return true;
}

void
sleepers_find(struct record *r, int pid, int tid)
{
	struct recording *engine = &r->recording;
	struct unwind_input in = {.few = true};
	uint64_t again[UNWIND_REGS];
	struct process_thread *t = processes_thread(engine->processes, pid, tid);
	uint32_t task = recording_off_cpu_task(engine, t);
	struct chain *chain = &engine->chain;
	uint64_t seen, at;
	uint32_t node;
	long call, later;

	timeline_known(&engine->timeline, tid, task, engine->begin);
	if (proc_state(tid) == 'R')
		return;
	if (!sleeping_registers(tid, in.reg, &call) || !unwind_sleeping(r, t, in, chain)) {
		r->unread += proc_state(tid) != 'R';
		return;
	}
	seen = record_now(); /* before the check: the thread may end after it */
	if (proc_state(tid) != 'R' && sleeping_registers(tid, again, &later) && call == later &&
	    memcmp(in.reg, again, sizeof again) == 0) {
		recording_count_chain(engine, chain, UINT64_MAX);
		engine->count.samples++;
		node = rawtree_chain(engine->rawtree,
		    recording_stack_task(engine, t, recording_off_cpu(engine)), chain,
		    engine->begin);
		/* In place of the kernel's frames; 32-bit programs have other numbers. */
		if (call >= 0 && in.reg[CFI_SP] > UINT32_MAX) {
			at = tracepointframe_call(engine->modules, (uint64_t)call);
			node = rawtree_leaf(engine->rawtree, node,
			    module_kernel_at(engine->modules, at), at, engine->begin);
		}
		timeline_found(&engine->timeline, tid, node, seen);
	}
}

/* Replaces a truncated stack by reading the blocked thread's memory. */
static void
complete(struct record *r, struct timeline_thread *it)
{
	struct recording *engine = &r->recording;
	struct process_thread *t = processes_find_thread(engine->processes, it->tid);
	struct unwind_input in = {.is_32bit = it->cut->is_32bit};

	if (t == NULL)
		return;
	memcpy(in.reg, it->cut->reg, sizeof in.reg);
	if (unwind_sleeping(r, t, in, &engine->chain) && engine->chain.end == UNWIND_COMPLETE) {
		it->complete = rawtree_with_top(engine->rawtree,
		    rawtree_chain(engine->rawtree,
			recording_stack_task(engine, t, recording_off_cpu(engine)), &engine->chain,
			it->since),
		    it->node, it->cut->nkernel);
		it->read = record_now();
	}
}

void
sleepers_charge(struct record *r)
{
	struct timeline *tl = &r->recording.timeline;
	const uint64_t begin = record_now();
	size_t i;

	for (i = 0; i < tl->ncut && record_now() - begin < READING; i++) {
		struct timeline_thread *it = timeline_find(tl, tl->cut[i]);

		if (it != NULL && it->state == TIMELINE_SLEEPS && it->cut != NULL &&
		    it->complete == 0)
			complete(r, it);
	}
	tl->ncut -= i;
	if (i > 0)
		memmove(tl->cut, tl->cut + i, tl->ncut * sizeof *tl->cut);
	timeline_subtract_delay(tl);
}
