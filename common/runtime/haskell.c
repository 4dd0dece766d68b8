/*
 * haskell: reads the stack of the Haskell thread that a processor runs, in programs of GHC.
 *
 * Haskell code has a stack of its own, in the heap, and its pointer in a register. A frame begins
 * with the address of the code that runs when it returns, and the info table before that code has
 * the frame's size. The functions are native code: their frames follow the native ones, which end
 * at the innermost Haskell function. Source: rts/include/rts/storage/InfoTables.h, ClosureTypes.h
 * and stack_frame_sizeW in ClosureMacros.h of GHC 9.0; a build has its tables next to the code.
 *
 * The thread must be stopped: the stack is not in a copy of the C stack.
 */
#include "runtime/haskell.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/rangemap.h"
#include "elf/elftable.h"

/* Types of stack frames, equal in GHC 8.2 to 9.12. */
enum {
	RET_SMALL = 30,
	RET_BIG,
	RET_FUN,
	UPDATE_FRAME,
	CATCH_FRAME,
	UNDERFLOW_FRAME,
	STOP_FRAME,
	ATOMICALLY_FRAME = 55,
	CATCH_RETRY_FRAME,
	CATCH_STM_FRAME
};

#define SIZE_MASK 63 /* of a small bitmap: words after the return address */
#define RET_FUN_WORDS 3
#define STACK_POINTER 16 /* offset in a StgStack */
#define FRAMES_MAX (1 << 14) /* also of those that are not functions */

struct haskell {
	struct runtime_process *process;
	const struct runtime_module *module;
	struct rangemap functions;
};

static bool
is_module(const char *name)
{
	return strstr(name, ".so") == NULL;
}

/* The last part of the info table at the address of its code. */
struct info {
	uint64_t layout;
	uint32_t type;
};

static bool
read_info(struct haskell *h, uint64_t code, struct info *info)
{
	unsigned char table[16];

	if (!memory_read(h->process->memory, code - sizeof table, table, sizeof table))
		return false;
	memcpy(&info->layout, table, sizeof info->layout);
	memcpy(&info->type, table + 8, sizeof info->type);
	return true;
}

/* Words of the frame at sp; 0: it is none. */
static uint64_t
frame_words(struct haskell *h, uint64_t sp, uint64_t code, const struct info *info)
{
	struct memory_reader *m = h->process->memory;
	uint64_t n;

	switch (info->type) {
	case RET_SMALL:
	case UPDATE_FRAME:
	case CATCH_FRAME:
	case ATOMICALLY_FRAME:
	case CATCH_RETRY_FRAME:
	case CATCH_STM_FRAME: return 1 + (info->layout & SIZE_MASK);
	case RET_BIG:
		n = memory_u64(m, code + (uint64_t)(int64_t)(int32_t)info->layout);
		return n > SIZE_MASK && n < 1 << 20 ? 1 + n : 0;
	case RET_FUN: n = memory_u64(m, sp + 8); return n < 1 << 20 ? RET_FUN_WORDS + n : 0;
	default: return 0;
	}
}

/* Start of the function at an ELF address; 0: none. */
static uint64_t
function_at(const struct haskell *h, uint64_t vaddr)
{
	const struct range *r = rangemap_find(&h->functions, vaddr);

	return r != NULL ? r->start : 0;
}

/*
 * Adds the functions to which the frames from sp outwards return. A function that runs after a
 * call has returned to it still has its frame, which is not added again.
 */
static bool
add_stack(struct haskell *h, uint64_t sp, uint64_t running, struct script_stack *s)
{
	const struct runtime_module *m = h->module;

	for (size_t n = 0; n < FRAMES_MAX && sp != 0 && sp % 8 == 0; n++) {
		uint64_t code = memory_u64(h->process->memory, sp), words;
		struct info info;

		if (code < m->start || code >= m->end || !read_info(h, code, &info))
			return false;
		if (info.type == STOP_FRAME) {
			s->outermost = true;
			return true;
		}
		if (info.type == UNDERFLOW_FRAME) {
			uint64_t below = memory_u64(h->process->memory, sp + 8);

			sp = memory_u64(h->process->memory, below + STACK_POINTER);
			continue;
		}
		words = frame_words(h, sp, code, &info);
		if (words == 0)
			return false;
		if ((info.type == RET_SMALL || info.type == RET_BIG) &&
		    !(n == 0 && running != 0 && function_at(h, code + m->bias) == running) &&
		    !script_native(s, m->module, code + m->bias))
			return true;
		sp += 8 * words;
	}
	s->truncated = true;
	return true;
}

static bool
read_haskell(void *state, const struct runtime_sample *at, struct script_stack *s)
{
	struct haskell *h = state;
	const struct native_frame *f;

	if (at->complete)
		return true; /* the runtime system's own threads, and garbage collection */
	if (!at->stopped || at->nnative == 0)
		return false;
	f = &at->native[at->nnative - 1];
	if (f->module != h->module->module)
		return false;
	return script_group(s, SCRIPT_NATIVE_NONE) &&
	       add_stack(h, f->reg[h->process->cpu->haskell->stack],
		   function_at(h, f->pc - (at->nnative > 1) + h->module->bias), s);
}

/* True if GHC linked the file; it adds a section with the arguments of its link. */
static bool
is_linked_by_ghc(const struct runtime_module *m)
{
	Elf *elf = module_elf(m->module);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0)
		return false;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const char *name = gelf_getshdr(section, &header) == NULL
				       ? NULL
				       : elf_strptr(elf, names, header.sh_name);

		if (name != NULL && strcmp(name, ".debug-ghc-link-info") == 0)
			return true;
	}
	return false;
}

/* Stores the ranges of the functions in the symbol tables. */
static void
load_functions(struct haskell *h)
{
	struct elftable t = elftable_begin(module_elf(h->module->module), ELFTABLE_SYMTAB);
	GElf_Sym sym;

	while (elftable_next(&t))
		for (int i = 0; gelf_getsym(t.data, i, &sym) != NULL; i++)
			if (GELF_ST_TYPE(sym.st_info) == STT_FUNC && sym.st_shndx != SHN_UNDEF)
				rangemap_add(&h->functions, sym.st_value,
				    sym.st_value + sym.st_size, false, "", 0);
	rangemap_finish(&h->functions, NULL);
}

/* True if the code at a symbol has an info table of that type and size. */
static bool
has_info(struct haskell *h, const char *symbol, uint32_t type, uint64_t words)
{
	uint64_t code = runtime_symbol(h->module, symbol, NULL);
	struct info info;

	return code != 0 && read_info(h, code, &info) && info.type == type &&
	       (info.layout & SIZE_MASK) == words;
}

static void
close_haskell(void *state)
{
	struct haskell *h = state;

	free(h->functions.range);
	free(h);
}

static void *
open_haskell(struct runtime_process *p)
{
	const struct runtime_module *m;

	while ((m = runtime_next_module(p)) != NULL) {
		struct haskell *h;

		if (!is_linked_by_ghc(m) || runtime_symbol(m, "stg_upd_frame_info", NULL) == 0)
			continue;
		if (!runtime_knows_cpu(p, p->cpu->haskell, "Haskell"))
			return NULL;
		h = cli_alloc(1, sizeof *h);
		h->process = p;
		h->module = m;
		/* With profiling, each frame has a cost centre; other versions may differ, too. */
		if (has_info(h, "stg_upd_frame_info", UPDATE_FRAME, 1) &&
		    has_info(h, "stg_stop_thread_info", STOP_FRAME, 0)) {
			load_functions(h);
			return h;
		}
		snprintf(p->reason, sizeof p->reason,
		    "stacks of this GHC, or of programs with -prof, are not supported");
		close_haskell(h);
		return NULL;
	}
	return NULL;
}

const struct runtime runtime_haskell = {
    .name = "haskell",
    .versions = "GHC 9.0",
    .offsets = "its info tables",
    .needs_stop = true,
    .is_module = is_module,
    .open = open_haskell,
    .read = read_haskell,
    .close = close_haskell,
};
