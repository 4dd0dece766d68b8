/*
 * unwindwalk: steps by a rule, by a frame pointer, or by the size of a frame.
 */
#include "trace/unwindwalk.h"

#include <string.h>

/* Address of a word in the stack above the copy; NULL if it is not there. */
static const unsigned char *
read_above(const struct unwind_input *in, uint64_t address, size_t word)
{
	for (size_t i = 0; i < in->nabove; i++) {
		const struct stack_part *part = &in->above[i];
		const uint64_t at = address - part->at;

		if (address >= part->at && part->n >= word && at <= part->n - word)
			return part->bytes + at;
	}
	return NULL;
}

bool
walk_read(void *arg, uint64_t address, uint64_t *v)
{
	struct walk *w = arg;
	uint64_t at = address - w->base;
	size_t word = w->machine->word;
	const unsigned char *from;
	uint32_t half;

	if (w->nstack >= word && at <= w->nstack - word) {
		from = w->stack + at;
	} else {
		from = read_above(w->in, address, word);
		if (from == NULL && (address >= w->base || w->below)) {
			w->switched = w->below || at > w->nstack + UNWIND_FAR;
			w->truncated = !w->switched;
			w->missing = address;
		}
	}
	if (from == NULL)
		return false;
	if (word == sizeof *v) {
		memcpy(v, from, sizeof *v);
	} else {
		memcpy(&half, from, sizeof half);
		*v = half;
	}
	return true;
}

static bool
term_value(struct walk *w, const struct cfi_term *t, uint64_t *v)
{
	uint64_t at = w->reg[t->base] + (uint64_t)(int64_t)t->offset;

	if (w->machine->word == 4)
		at = (uint32_t)at;

	if (t->deref)
		return walk_read(w, at, v);
	*v = at;
	return true;
}

/*
 * True if a saved register is below the stack pointer: the end of the function has restored it,
 * which call frame information leaves out.
 */
static bool
is_popped(const struct walk *w, const struct cfi_term *t)
{
	return t->deref && w->reg[t->base] + (uint64_t)(int64_t)t->offset < w->base;
}

/* Step from a frame to its caller by a rule; false if the return address cannot be read. */
bool
walk_rule(struct walk *w, const struct cfi_rule *r)
{
	uint64_t value[CFI_REGS];

	if (!term_value(w, &r->cfa, &w->reg[CFI_CFA]))
		return false;
	for (unsigned i = 0; i < r->nsaved; i++)
		if (!term_value(w, &r->saved[i], &value[i])) {
			if (r->saved[i].reg == r->ra)
				return false;
			value[i] = is_popped(w, &r->saved[i]) ? w->reg[r->saved[i].reg] : 0;
		}
	w->reg[w->machine->sp] = w->reg[CFI_CFA];
	for (unsigned i = 0; i < r->nsaved; i++) {
		w->reg[r->saved[i].reg] = value[i];
		w->fp_unknown &= r->saved[i].reg != w->machine->fp;
	}
	w->reg[w->machine->pc] = w->reg[r->ra];
	return true;
}

/*
 * The frame pointer points to the caller's saved one; the return address follows it on each
 * processor.
 */
bool
walk_frame_pointer(struct walk *w)
{
	const struct cfi_machine *m = w->machine;
	uint64_t fp = w->reg[m->fp], caller, pc;

	if (w->fp_unknown)
		return false;
	if (fp == 0) { /* the ABI's value in a thread's first function */
		w->reg[m->pc] = 0;
		return true;
	}
	if (fp < w->reg[m->sp] || fp % m->word != 0 || !walk_read(w, fp, &caller) ||
	    !walk_read(w, fp + m->word, &pc))
		return false;
	w->reg[m->sp] = fp + 2 * (uint64_t)m->word;
	w->reg[m->fp] = caller;
	w->reg[m->pc] = pc;
	return true;
}

/*
 * Step over a frame whose last two words are the caller's frame pointer and the return address, or
 * one of only the return address. Where the frame's code aligned the stack pointer by a word
 * (generate_deopt_blob of sharedRuntime), its frame pointer shows it.
 */
bool
walk_frame_size(struct walk *w, uint64_t size)
{
	const struct cfi_machine *m = w->machine;
	const bool saved = size > m->word && (size & FRAME_KEEPS_FP) == 0;
	uint64_t top = w->reg[m->sp] + (size & ~FRAME_KEEPS_FP), caller = w->reg[m->fp], pc;

	if ((size & FRAME_LINKED) != 0) {
		w->reg[m->sp] += size & ~FRAME_LINKED;
		w->reg[m->pc] = w->reg[m->link];
		return true;
	}
	if (saved && caller == top - m->word)
		top += m->word;
	if ((saved && !walk_read(w, top - 2 * (uint64_t)m->word, &caller)) ||
	    !walk_read(w, top - m->word, &pc))
		return false;
	/* With a link register the stack pointer is always aligned to two words. */
	w->reg[m->sp] = m->link == 0 ? top : (top + m->word) & ~(2 * (uint64_t)m->word - 1);
	w->reg[m->fp] = caller;
	w->reg[m->pc] = pc;
	return true;
}
