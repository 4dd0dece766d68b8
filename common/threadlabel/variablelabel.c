/*
 * variablelabel: finds the variable among the symbols of the program and its libraries, and its
 * place in a thread by the thread pointer.
 */
#include "threadlabel/variablelabel.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "kernel/recipe.h"
#include "runtime/tls.h"

#define POINTER 8 /* bytes of a variable that is a pointer */
#define SHORT_BYTES 16 /* of a text at the end of a mapping */

struct variable {
	struct runtime_process *process;
	struct tls_block block;
	struct tls tls;
	bool listed; /* the threads of a stopped process can be found */
	uint64_t offset, size; /* of the variable in its block; its bytes */
};

/*
 * True for a program: its block has a fixed place. That of a library with the model initial-exec
 * has one among other blocks, which its file does not have.
 */
static bool
is_program(const struct runtime_module *m)
{
	Elf *elf = module_elf(m->module);
	GElf_Ehdr e;
	size_t n;

	if (elf == NULL || gelf_getehdr(elf, &e) == NULL || elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; e.e_type != ET_EXEC && i < n; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(elf, (int)i, &p) != NULL && p.p_type == PT_INTERP)
			return true;
	}
	return e.e_type == ET_EXEC;
}

static void *
open_variable(struct runtime_process *p, const struct threadlabel_key *key)
{
	const struct runtime_module *m;

	if (key->variable == NULL)
		return NULL;
	while ((m = runtime_next_module(p)) != NULL) {
		struct variable *v;
		uint64_t offset, size = 0;

		if (!runtime_tls_symbol(m, key->variable, &offset, &size) || size == 0)
			continue;
		v = cli_alloc(1, sizeof *v);
		v->process = p;
		v->offset = offset;
		v->size = size;
		if (tls_block(&v->block, m) && (v->block.slot != 0 || is_program(m))) {
			v->listed = tls_open(&v->tls, p);
			return v;
		}
		snprintf(p->reason, sizeof p->reason,
		    "%s has %s where only its linker knows; compile it with "
		    "-ftls-model=global-dynamic",
		    m->module->name, key->variable);
		free(v);
		return NULL;
	}
	return NULL;
}

static void
close_variable(void *state)
{
	struct variable *v = state;

	tls_close(&v->tls);
	free(v);
}

/* Registers of the recipe, and steps that others go to. */
enum { BLOCK = WALK_FREE, TEXT };
enum { FOUND = 2, DONE = WALK_STEPS - 1 };

/* Copies the variable, and the text that it points to. */
static bool
recipe(void *state, struct walk_step step[WALK_STEPS])
{
	const struct variable *v = state;
	struct tls_place place;
	const bool found = tls_place(&v->tls, &v->block, &place);
	const uint64_t offset = place.offset + v->offset;
	const uint32_t bytes =
	    v->size < THREADLABEL_MAX ? ((uint32_t)v->size + 7) & ~7u : THREADLABEL_MAX;
	const struct walk_step steps[] = {
	    READ(BLOCK, WALK_THREAD_POINTER, place.vector, DONE),
	    READ(BLOCK, BLOCK, 16 * place.number, DONE),
	    [FOUND] = COPY(BLOCK, offset, 0, DONE),
	    COPY(BLOCK, offset, v->size == POINTER ? POINTER : bytes, DONE, {TEXT, 0}),
	    COPY(TEXT, 0, THREADLABEL_MAX, FOUND + 4),
	    END,
	    COPY(TEXT, 0, SHORT_BYTES, DONE),
	};

	if (!found)
		return false;
	memcpy(step, steps, sizeof steps);
	if (place.number == 0)
		step[0] = (struct walk_step)SET(BLOCK, WALK_THREAD_POINTER, 0, FOUND);
	if (v->size != POINTER)
		step[FOUND + 2] = (struct walk_step)END;
	return true;
}

/* The address of the variable in a thread; 0: unknown, or the thread has not used it yet. */
static uint64_t
address_of(struct variable *v, const struct runtime_sample *at)
{
	uint64_t thread;

	if (at->walked)
		return at->start;
	thread = v->listed ? tls_thread(&v->tls, at->tid) : 0;
	return thread != 0 ? tls_variable(&v->tls, &v->block, thread, v->offset) : 0;
}

static bool
read_variable(void *state, const struct runtime_sample *at, struct text *to)
{
	struct variable *v = state;
	struct memory_reader *m = v->process->memory;
	const uint64_t address = address_of(v, at);
	const uint64_t text = v->size == POINTER ? memory_u64(m, address) : address;
	uint64_t most = v->size == POINTER ? THREADLABEL_MAX : v->size;
	const size_t before = to->len;

	if (address == 0 || text == 0)
		return false;
	if (!threadlabel_text(m, text, most, to) &&
	    !threadlabel_text(m, text, most = SHORT_BYTES, to)) {
		/* A page that the program never read has no memory, so that BPF cannot copy it. */
		memory_read_later(m);
		memory_u8(m, text);
		memory_is_proved(m, 0);
		return false;
	}
	text_cut(to, before + strnlen(to->s + before, to->len - before));
	return to->len > before &&
	       (to->len - before < most || most != SHORT_BYTES || v->size <= SHORT_BYTES);
}

const struct threadlabel threadlabel_variable = {
    .name = "variable",
    .open = open_variable,
    .recipe = recipe,
    .read = read_variable,
    .close = close_variable,
};
