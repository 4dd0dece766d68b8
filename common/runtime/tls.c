/*
 * tls: follows glibc's lists of threads and its dynamic thread vectors (Drepper, "ELF
 * Handling For Thread-Local Storage", 3.2).
 */
#include "runtime/tls.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "elf/elfmachine.h"
#include "elf/elftable.h"

#define THREADS 10000
#define HEAD 16 /* bytes of tcbhead_t, if thread-local data follow it */
#define FIXED (1 << 24) /* offsets from the thread pointer are below: addresses are not */
#define KEY_SIZE 16 /* struct pthread_key_data: sequence number, value */
#define KEYS_FIRST 32 /* PTHREAD_KEY_2NDLEVEL_SIZE: these are in struct pthread itself */

static const struct runtime_module *
find_module(const struct runtime_process *p, const char *name)
{
	for (size_t i = 0; i < p->nmodule; i++)
		if (strncmp(p->module[i].module->name, name, strlen(name)) == 0)
			return &p->module[i];
	return NULL;
}

/* Reads a field's descriptor: {bits, elements, offset}, 32 bits each. */
static bool
describe(const struct runtime_process *p, const struct runtime_module *libc, const char *name,
    uint32_t *offset)
{
	uint64_t address = runtime_symbol(libc, name, NULL);
	uint32_t d[3];

	if (address == 0 || !memory_read(p->memory, address, d, sizeof d))
		return false;
	*offset = d[2];
	return true;
}

/* The heads of glibc's lists of threads: up to 2.33 variables of libpthread, then of the linker. */
static bool
find_lists(struct tls *t, const struct runtime_process *p, const struct runtime_module *library)
{
	const struct runtime_module *linker = find_module(p, "ld-linux");
	uint32_t used, user;
	uint64_t global;

	t->lists[0] = runtime_symbol(library, "__stack_user", NULL);
	t->lists[1] = runtime_symbol(library, "stack_used", NULL);
	if (t->lists[0] != 0 && t->lists[1] != 0)
		return true;
	if (linker == NULL || (global = runtime_symbol(linker, "_rtld_global", NULL)) == 0 ||
	    !describe(p, library, "_thread_db_rtld_global__dl_stack_user", &user) ||
	    !describe(p, library, "_thread_db_rtld_global__dl_stack_used", &used))
		return false;
	t->lists[0] = global + user;
	t->lists[1] = global + used;
	return true;
}

/* The library with the descriptions; NULL: there is none. */
static const struct runtime_module *
find_library(const struct runtime_process *p)
{
	const struct runtime_module *library = find_module(p, "libpthread-");

	return library != NULL ? library : find_module(p, "libc.so.6");
}

/* Sets the bytes of struct pthread that are below the register; false if they are unknown. */
static bool
read_below(const struct runtime_process *p, const struct runtime_module *library, uint32_t *below)
{
	*below = 0;
	if (!p->cpu->tls_above)
		return true;
	if (library != NULL)
		*below = memory_u32(
		    p->memory, runtime_symbol(library, "_thread_db_sizeof_pthread", NULL));
	return *below > 0;
}

bool
tls_recipe(const struct runtime_process *p, struct walk_step step[WALK_STEPS])
{
	uint32_t below;

	if (!read_below(p, find_library(p), &below))
		return false;
	for (size_t i = 0; i < WALK_STEPS; i++) {
		if (step[i].base == WALK_THREAD_POINTER)
			step[i].offset -= below;
		if (step[i].op == WALK_EQUAL && step[i].to == WALK_THREAD_POINTER)
			step[i].offset += below;
	}
	return true;
}

bool
tls_open(struct tls *t, const struct runtime_process *p)
{
	const struct runtime_module *library = find_library(p);

	*t = (struct tls){.process = p};
	if (!read_below(p, library, &t->below))
		return false;
	return library != NULL && describe(p, library, "_thread_db_pthread_tid", &t->tid) &&
	       describe(p, library, "_thread_db_pthread_list", &t->link) &&
	       describe(p, library, "_thread_db_pthread_specific", &t->specific) &&
	       find_lists(t, p, library);
}

void
tls_close(struct tls *t)
{
	free(t->thread.slot);
}

static bool
is_thread(const struct tls *t, uint64_t thread, int tid)
{
	return (int)memory_u32(t->process->memory, thread + t->tid) == tid;
}

uint64_t
tls_thread(struct tls *t, int tid)
{
	struct memory_reader *m = t->process->memory;
	void **known = intmap_at(&t->thread, (uint64_t)tid);
	uint64_t thread = (uintptr_t)*known;

	if (thread > 1 && is_thread(t, thread, tid))
		return thread;
	*known = (void *)(uintptr_t)1;
	for (int i = 0; i < 2; i++) {
		uint64_t at = memory_u64(m, t->lists[i]);

		for (int n = 0; n < THREADS && at != 0 && at != t->lists[i]; n++) {
			thread = at - t->link;
			if (is_thread(t, thread, tid)) {
				*known = (void *)(uintptr_t)thread;
				return thread;
			}
			at = memory_u64(m, at);
		}
	}
	return 0;
}

static bool
find_slot(struct tls_block *b, const struct runtime_module *m, Elf *elf, uint32_t type)
{
	struct elftable t = elftable_begin(elf, ELFTABLE_RELA);
	GElf_Rela r;

	while (elftable_next(&t)) {
		const GElf_Shdr *h = &t.header;

		for (size_t i = 0; h->sh_entsize > 0 && i < h->sh_size / h->sh_entsize; i++) {
			Elf_Data *symbols;
			GElf_Sym variable = {0};

			if (gelf_getrela(t.data, (int)i, &r) == NULL ||
			    GELF_R_TYPE(r.r_info) != type)
				continue;
			symbols = elf_getdata(elf_getscn(elf, h->sh_link), NULL);
			gelf_getsym(symbols, (int)GELF_R_SYM(r.r_info), &variable);
			b->slot = r.r_offset - m->bias;
			b->variable = variable.st_value + (uint64_t)r.r_addend;
			return true;
		}
	}
	return false;
}

bool
tls_block(struct tls_block *b, const struct runtime_module *m)
{
	Elf *elf = module_elf(m->module);
	const struct elfmachine *machine;
	GElf_Ehdr e;
	size_t n;

	*b = (struct tls_block){0};
	if (elf == NULL || gelf_getehdr(elf, &e) == NULL)
		return false;
	if ((machine = elfmachine(e.e_machine)) != NULL) {
		if (find_slot(b, m, elf, machine->tls_module))
			return true;
		b->described =
		    machine->tls_descriptor != 0 && find_slot(b, m, elf, machine->tls_descriptor);
		if (b->described)
			return true;
	}
	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(elf, (int)i, &p) != NULL && p.p_type == PT_TLS && p.p_align > 0) {
			b->align = p.p_align;
			b->size = (p.p_memsz + p.p_align - 1) / p.p_align * p.p_align;
			return true;
		}
	}
	return false;
}

bool
tls_slot(struct tls_block *b, const struct tls *t, uint64_t slot, uint64_t *offset)
{
	/* processors with data above the thread pointer use descriptors */
	*b = (struct tls_block){.slot = slot, .described = t->process->cpu->tls_above};
	*offset = b->described ? 0 : memory_u64(t->process->memory, slot + 8);
	return slot != 0;
}

/*
 * The second word of a descriptor is the variable's offset from the thread pointer, or the address
 * of its module's number and its offset in the block (_dl_tlsdesc_return and _dl_tlsdesc_dynamic
 * of glibc).
 */
bool
tls_place(const struct tls *t, const struct tls_block *b, struct tls_place *place)
{
	const bool above = t->process->cpu->tls_above;
	struct memory_reader *m = t->process->memory;
	uint64_t word;

	*place = (struct tls_place){.vector = above ? t->below : 8};
	if (b->slot == 0) {
		place->offset = !above ? -b->size : t->below + (b->align > HEAD ? b->align : HEAD);
		return true;
	}
	if (!b->described) {
		place->number = memory_u64(m, b->slot);
	} else {
		word = memory_u64(m, b->slot + 8);
		if (word > 0 && word < FIXED) {
			place->offset = t->below + word - b->variable;
			return true;
		}
		place->number = memory_u64(m, word);
		place->offset = memory_u64(m, word + 8) - b->variable;
	}
	return place->number > 0 && place->number <= THREADS;
}

uint64_t
tls_variable(struct tls *t, const struct tls_block *b, uint64_t thread, uint64_t offset)
{
	struct memory_reader *m = t->process->memory;
	struct tls_place place;
	uint64_t block;

	if (!tls_place(t, b, &place))
		return 0;
	if (place.number == 0)
		return thread + place.offset + offset;
	block = memory_u64(m, memory_u64(m, thread + place.vector) + 16 * place.number);
	return block == 0 || block == UINT64_MAX ? 0 : block + place.offset + offset;
}

uint64_t
tls_key(uint64_t key)
{
	return key < KEYS_FIRST ? KEY_SIZE * key + 8 : 0;
}

uint64_t
tls_specific(struct tls *t, int tid, uint64_t key)
{
	struct memory_reader *m = t->process->memory;
	const uint64_t thread = tls_thread(t, tid);
	const uint64_t at = thread == 0 ? 0 : tls_key(memory_u32(m, key));
	/* struct pthread.specific[0] points to the first block, inside struct pthread. */
	const uint64_t first = at == 0 ? 0 : memory_u64(m, thread + t->specific);

	return at == 0 || first < thread || first > thread + 4096 ? 0 : memory_u64(m, first + at);
}
