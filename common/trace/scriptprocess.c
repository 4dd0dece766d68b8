#include "trace/scriptprocess.h"

#include "runtime/runtimes.h"

/* True if a supported runtime of the process has a property. */
static bool
any_part(const struct script_process *sp, size_t offset)
{
	for (size_t i = 0; i < sp->npart; i++)
		if (sp->part[i].state != NULL &&
		    *(const bool *)((const char *)runtimes[sp->part[i].kind] + offset))
			return true;
	return false;
}

bool
script_needs_stop(const struct script_process *sp)
{
	return any_part(sp, offsetof(struct runtime, needs_stop));
}

bool
script_has_own_stack(const struct script_process *sp)
{
	return any_part(sp, offsetof(struct runtime, own_stack));
}

bool
script_reads_copy(const struct script_process *sp)
{
	for (size_t i = 0; i < sp->npart; i++)
		if (sp->part[i].state != NULL && runtime_reads_copy(runtimes[sp->part[i].kind]))
			return true;
	return false;
}

uint64_t
script_frame_size(
    const struct script_process *sp, uint64_t pc, uint64_t stack, bool leaf, bool linked)
{
	uint64_t size = 0;

	for (size_t i = 0; sp != NULL && i < sp->npart && size == 0; i++) {
		const struct script_part *part = &sp->part[i];
		const struct runtime *r = runtimes[part->kind];

		if (part->state != NULL && r->frame_size != NULL && (r->frame_linked || !linked))
			size = r->frame_size(part->state, pc, stack, leaf);
	}
	return size;
}

uint64_t
script_shared_frame(const struct script_process *sp, const uint64_t reg[CFI_REGS])
{
	uint64_t code = 0;

	for (size_t i = 0; sp != NULL && i < sp->npart && code == 0; i++) {
		const struct script_part *part = &sp->part[i];

		if (part->state != NULL && runtimes[part->kind]->shared_frame != NULL)
			code = runtimes[part->kind]->shared_frame(part->state, reg);
	}
	return code;
}

struct memory_reader *
script_memory(struct script_process *sp)
{
	return sp->process.memory;
}
