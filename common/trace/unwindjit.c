/*
 * unwindjit: steps over the frames of JIT code, by what its runtime knows of them, or by decoding
 * its instructions.
 */
#include "trace/unwindjit.h"

#include "unwind/livecode.h"
#include "trace/scriptprocess.h"

/* Step over a frame of that size, or FRAME_POINTER, if the caller is in code. */
static bool
step_to_code(struct walk *w, uint64_t size)
{
	struct walk other = *w;

	if (!(size == FRAME_POINTER ? walk_frame_pointer(&other) : walk_frame_size(&other, size)))
		return false;
	if (process_find(w->in->process, other.reg[w->machine->pc]) == NULL) {
		w->unmapped = true;
		return false;
	}
	*w = other;
	return true;
}

/* Step over an adapter of HotSpot, see runtime.h. */
static bool
step_adapter(struct walk *w, bool below)
{
	const struct cfi_machine *m = w->machine;
	const struct hotspot_cpu *cpu = w->in->process->script->process.cpu->hotspot;
	const uint64_t sender = w->reg[cpu->sender], top = w->reg[m->sp], fp = w->reg[m->fp];
	const uint64_t returned = w->reg[cpu->returned];

	if (sender % m->word != 0 || sender < top || sender - top > FRAME_MAX)
		return false;
	if (below && sender == top && process_find(w->in->process, returned) != NULL)
		w->reg[m->pc] = returned;
	else if (!step_to_code(w, below ? sender - top : m->word))
		return false;
	w->reg[m->sp] = sender;
	w->reg[m->fp] = fp;
	return true;
}

/*
 * HotSpot's interpreter has its caller's stack pointer in the word below its frame pointer
 * (interpreter_frame_sender_sp_offset), or in a register before it stores that below the stack
 * pointer `top`. Sets it after a step by that frame pointer.
 */
static void
set_sender_sp(struct walk *w, uint64_t fp, uint64_t top)
{
	const struct cfi_machine *m = w->machine;
	uint64_t sp;

	if (fp == top)
		sp = w->reg[w->in->process->script->process.cpu->hotspot->sender];
	else if (!walk_read(w, fp - m->word, &sp))
		return;
	if (sp > w->reg[m->sp] && sp - fp < FRAME_MAX && sp % m->word == 0)
		w->reg[m->sp] = sp;
}

/* Step over an interpreted frame; top: see set_sender_sp, 0 in a caller. */
static bool
step_interpreted(struct walk *w, uint64_t top)
{
	const uint64_t fp = w->reg[w->machine->fp];

	if (!walk_frame_pointer(w))
		return false;
	set_sender_sp(w, fp, top);
	return true;
}

/* True if the address after a call in a function is pc. */
static bool
is_inside_function(struct walk *w, uint64_t pc)
{
	const struct process_map *map = process_find(w->in->process, pc);

	return map != NULL && map->module->kind == MODULE_FILE &&
	       cfi_function(map->module, pc + map->bias) != pc + map->bias;
}

/*
 * Step over JIT code with the frame of a function in a file, which jumped to it. Parts of that code
 * that others call have a return address, and may have aligned the stack pointer.
 */
static bool
step_shared(struct unwind *u, struct walk *w)
{
	const struct cfi_machine *m = w->machine;
	const uint64_t code = script_shared_frame(w->in->process->script, w->reg);
	const struct process_map *map = code == 0 ? NULL : process_find(w->in->process, code);
	const struct cfi_rule *r;

	if (map == NULL || map->module->kind != MODULE_FILE)
		return false;
	r = cfi_find(u->cfi[0], map->module, code + map->bias, true);
	for (uint64_t part = 0; r->kind == CFI_RULE && part <= 2; part++) {
		struct walk other = *w;

		other.reg[m->sp] += part * m->word;
		if (!walk_rule(&other, r) || !is_inside_function(w, other.reg[m->pc]))
			continue;
		*w = other;
		w->shared = cfi_function(map->module, code + map->bias) - map->bias;
		return true;
	}
	return false;
}

/*
 * Step from a leaf without a frame to the caller in the link register, whose stack pointer is in
 * another one.
 */
static bool
step_link(struct walk *w, uint8_t sender, uint64_t align)
{
	const struct cfi_machine *m = w->machine;
	const uint64_t top = w->reg[m->sp], sp = w->reg[sender] & ~(align - 1);

	if (sp % m->word != 0 || sp < top || sp - top > FRAME_MAX || !step_to_code(w, FRAME_LINKED))
		return false;
	w->reg[m->sp] = sp;
	return true;
}

/* Step over a frame of HotSpot, by its size or a value FRAME_*. */
static bool
step_hotspot(struct walk *w, uint64_t size)
{
	const struct cfi_machine *m = w->machine;
	const struct hotspot_cpu *cpu = w->in->process->script->process.cpu->hotspot;

	switch (size) {
	case FRAME_POINTER: return walk_frame_pointer(w);
	case FRAME_INTERPRETED: return step_interpreted(w, 0);
	case FRAME_INTERPRETED_START: return step_interpreted(w, w->reg[m->fp]);
	case FRAME_INTERPRETED_END: return step_link(w, cpu->restored, 2 * (uint64_t)m->word);
	case FRAME_ADAPTER: return step_link(w, cpu->sender, 1);
	default: return step_to_code(w, size);
	}
}

/* Step to the caller of code: a leaf may have no frame, and its caller in the link register. */
static bool
step_linked(struct unwind *u, struct walk *w, const struct process_map *map, bool exact)
{
	const struct cfi_machine *m = w->machine;
	struct walk other = *w;
	const uint64_t size =
	    script_frame_size(w->in->process->script, w->reg[m->pc], w->reg[m->sp], exact, true);
	const struct cfi_rule *r;
	uint64_t pc;

	if (size != 0 && !exact)
		return step_hotspot(w, size);
	if (size != 0 && step_hotspot(&other, size)) {
		*w = other;
		return true;
	}
	r = !exact ? NULL
		   : livecode_rule(
			 u->live, w->in->process->pid, map->start, map->end, w->reg[m->pc], true);
	other = *w;
	if (r == NULL || !walk_rule(&other, r))
		return walk_frame_pointer(w);
	pc = other.reg[m->pc];
	if (process_find_code(w->in->process, &pc) == NULL)
		return walk_frame_pointer(w);
	*w = other;
	return true;
}

/*
 * Step to the caller of JIT code. Its runtime may know the size of a frame. Otherwise its decoded
 * instructions are more reliable than the frame pointer, which compilers use for other values.
 */
bool
walk_generated(struct unwind *u, struct walk *w, const struct process_map *map, bool exact)
{
	const struct cfi_machine *m = w->machine;
	const uint64_t fp = w->reg[m->fp], sp = w->reg[m->sp];
	const struct cfi_rule *r;
	uint64_t size;

	if (!w->in->process->all->live || !m->decoded)
		return walk_frame_pointer(w);
	if (u->live == NULL)
		u->live = livecode_new();
	if (m->link != 0)
		return step_linked(u, w, map, exact);
	if (step_shared(u, w))
		return true;
	size =
	    script_frame_size(w->in->process->script, w->reg[m->pc], w->reg[m->sp], exact, false);
	if (size == FRAME_ADAPTER || size == FRAME_ADAPTER_BELOW)
		return step_adapter(w, size == FRAME_ADAPTER_BELOW);
	if (!exact && (size == FRAME_INTERPRETED || size == FRAME_INTERPRETER_CALL))
		return step_interpreted(w, 0);
	/* Generated code is not a thread's first function. */
	if (!exact && size != 0 && size != FRAME_POINTER)
		return walk_frame_size(w, size) && w->reg[m->pc] >= NO_CODE;
	if (size != 0 && size != FRAME_INTERPRETED && step_to_code(w, size))
		return true;
	r = livecode_rule(
	    u->live, w->in->process->pid, map->start, map->end, w->reg[m->pc] - !exact, exact);
	if (r == NULL)
		return step_interpreted(w, size == FRAME_INTERPRETED ? sp : 0);
	if (!walk_rule(w, r))
		return false;
	if (size != FRAME_INTERPRETED)
		return true;
	if (w->reg[m->sp] == fp + 2 * (uint64_t)m->word)
		set_sender_sp(w, fp, sp);
	else if (w->reg[m->fp] == fp && script_frame_size(w->in->process->script, w->reg[m->pc],
					    w->reg[m->sp], false, false) == FRAME_INTERPRETER_CALL)
		return step_interpreted(w, 0);
	return true;
}
