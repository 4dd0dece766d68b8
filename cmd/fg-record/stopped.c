/*
 * stopped: unwinds by the registers and memory of the stopped thread.
 */
#include "fg-record/stopped.h"

#include "fg-record/ptrace_regs.h"

struct script_process *
record_script(struct record *r, struct process_thread *t)
{
	struct script *script = r->recording.script;

	return script == NULL ? NULL : script_find(script, t->process);
}

void
record_add_scripts(struct record *r, struct process_thread *t, struct script_process *sp)
{
	if (sp == NULL)
		return;
	memory_overlay(script_memory(sp), r->live.part[0].at, r->live.bytes[0], r->live.part[0].n);
	script_merge(r->recording.script, sp, t, r->live.native, NULL, &r->recording.chain);
}

bool
stopped_sample(struct record *r, int pid, int tid, const struct perfevent_format *f,
    const struct recording_event *ev, const struct perfevent *e, uint64_t weight, bool *slept)
{
	struct recording *engine = &r->recording;
	struct chain *chain = &engine->chain;
	struct unwind_input in = {0};
	struct process_thread *t = processes_thread(engine->processes, pid, tid);
	struct script_process *script;
	uint64_t now = record_now(), sp;
	bool asleep;

	if (now < engine->begin || !ptrace_regs_stopped(tid, &in, &sp, &asleep))
		return false;
	if (slept != NULL && (*slept = asleep))
		return false;
	in.process = t->process;
	script = record_script(r, t);
	chain_clear(chain);
	if (e != NULL)
		chain_read(chain, engine->unwind, f, e, t->process);
	if (!livestack_read(&r->live, engine->unwind, script != NULL ? script_memory(script) : NULL,
		tid, &in, sp, chain))
		return false;
	if (chain->maps_suspect && processes_reread(engine->processes, t->process, now)) {
		script = record_script(r, t);
		livestack_read(&r->live, engine->unwind, NULL, tid, &in, sp, chain);
	}
	record_add_scripts(r, t, script);
	recording_stopped(engine, ev, t, e != NULL ? e->time : now, weight);
	return true;
}
