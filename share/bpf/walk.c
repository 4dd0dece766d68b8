/*
 * walk: the BPF program that runs at each sample, in the interrupt: the thread cannot run
 * then. It writes records into the ring of the sample, just before it:
 *
 * - The stack above the copy of perf_event: the pages from a little below the end of that copy, or
 *   from the first page that the copy could not read, to the end of the thread's stack, without
 *   those that have no memory: pages of large local arrays that were never touched. For the first
 *   thread of a process that end is mm->start_stack; for others it is the thread pointer, since
 *   glibc and musl put the thread control block at the top of the stack. The end of other stacks,
 *   such as those of goroutines, is not known: 64 KiB are copied, as perf_event does.
 * - The structures of an interpreter, by the recipe of the process (kernel/walkabi.h).
 * - How long all that took, if the next samples may be missing for it.
 *
 * `make bpf` compiles it into the table cmd/fg-record/watching/walkcode.h. Symbols whose name
 * starts with map_ are maps; other undefined symbols are numbers: fg-record/watching/walker sets
 * both when it loads the program. Loops are calls of bpf_loop(), which the verifier checks once;
 * with PLAIN, for kernels without it, there is a plain loop over the pages, and no recipes.
 */
#include <linux/bpf.h>

#include "kernel/walkabi.h"

#define INLINE static inline __attribute__((always_inline))
/* The compiler knows no more of x: the verifier gets the comparison before it as it is written. */
#define CHECKED(x) __asm__ volatile("" : "+r"(x))
#define MASK(n) ((n)-1)

extern const char map_scratch[], map_outputs[], map_denied[], map_recipes[], map_kept[];
extern const char offset_mm[], offset_start_stack[], offset_thread_pointer[], offset_sp[];
extern const char offset_real_parent[], offset_tgid[];
extern const char copied[]; /* bytes of the copy of perf_event */
extern const char overlap[]; /* bytes that are copied twice */
extern const char namespace_device[], namespace_inode[]; /* of PIDs; 0: the first one */

/* The value of a symbol. The compiler would take for granted that no address is 0. */
INLINE uint64_t
number_of(const char *symbol)
{
	uint64_t v = (uint64_t)symbol;

	CHECKED(v);
	return v;
}

#define HELPER(number, type, name, ...) static type (*const name)(__VA_ARGS__) = (void *)(number)
HELPER(1, void *, map_lookup, const void *, const void *);
HELPER(5, uint64_t, now, void);
HELPER(8, uint32_t, current_cpu, void);
HELPER(14, uint64_t, current_ids, void);
HELPER(25, long, write_record, void *, const void *, uint64_t, const void *, uint64_t);
HELPER(112, long, read_user, void *, uint32_t, uint64_t);
HELPER(113, long, read_kernel, void *, uint32_t, uint64_t);
HELPER(120, long, ids_in_namespace, uint64_t, uint64_t, void *, uint32_t);
HELPER(158, uint64_t, current_task, void);
HELPER(175, uint64_t, registers_of, uint64_t);
#ifndef PLAIN
HELPER(2, long, map_update, const void *, const void *, const void *, uint64_t);
HELPER(181, long, loop, uint32_t, void *, void *, uint64_t);
#endif

struct work {
	void *context;
	volatile struct walk_scratch *scratch;
	const struct walk_recipe *recipe;
	uint64_t page, end; /* of the stack */
	uint32_t tid;
};

INLINE uint64_t
kernel_word(uint64_t address)
{
	uint64_t v = 0;

	read_kernel(&v, sizeof v, address);
	return v;
}

/* ---- Stacks ---- */

INLINE void
write_stack(struct work *w)
{
	volatile struct walk_scratch *s = w->scratch;
	uint64_t n = s->npage;

	if (n == 0)
		return;
	s->npage = 0;
	n = n * WALK_PAGE + sizeof s->stack - sizeof s->stack.page;
	CHECKED(n);
	if (n > sizeof s->stack)
		return;
	CHECKED(n);
	write_record(w->context, map_outputs, BPF_F_CURRENT_CPU, (const void *)&s->stack, n);
}

/* Adds a page. Returns 1 at the end. */
INLINE long
take_page(struct work *w)
{
	volatile struct walk_scratch *s = w->scratch;
	const uint64_t n = s->npage, page = w->page;
	int missing;

	if (page >= w->end)
		return 1;
	if (n == 0)
		s->stack.address = page;
	missing = read_user((void *)&s->stack.page[n & MASK(WALK_PAGES)], WALK_PAGE, page) != 0;
	w->page = page + WALK_PAGE;
	if (!missing)
		s->npage = n + 1;
	if (missing || n + 1 >= WALK_PAGES)
		write_stack(w);
	return 0;
}

/* The first page of the copies, up to `start`, that cannot be read: perf_event's copy ended there.
 */
INLINE uint64_t
first_missing(uint64_t sp, uint64_t start, uint64_t end)
{
	uint64_t page = sp & -(uint64_t)WALK_PAGE;
	char byte;

	for (uint64_t done = 0; done <= number_of(copied); done += WALK_PAGE) {
		if (page >= start || page >= end)
			break;
		if (read_user(&byte, 1, page) != 0) /* it may copy less of the last page */
			return done == 0 ? page : page - WALK_PAGE;
		page += WALK_PAGE;
	}
	return start;
}

#ifndef PLAIN
static long
next_page(uint32_t i, struct work *w)
{
	(void)i;
	return take_page(w);
}
#endif

INLINE void
copy_stack(struct work *w, uint64_t sp, uint64_t end)
{
	const uint64_t start = (sp + number_of(copied) - number_of(overlap)) & -(uint64_t)WALK_PAGE;

	w->end = sp >= end || end - sp > WALK_SPAN ? sp + WALK_OTHER : end;
	w->page = first_missing(sp, start, w->end);
	w->scratch->stack.mark = WALK_STACK;
	w->scratch->npage = 0;
#ifdef PLAIN
	for (uint32_t i = 0; i < WALK_PAGES_ALL; i++)
		if (take_page(w) != 0)
			break;
#else
	loop(WALK_PAGES_ALL, next_page, w, 0);
#endif
	write_stack(w);
}

/* ---- Recipes ---- */

#ifndef PLAIN
INLINE void
write_copies(struct work *w, uint64_t flags)
{
	volatile struct walk_scratch *s = w->scratch;
	uint64_t n = s->used + sizeof s->copies.head;

	s->used = 0;
	s->copies.head.flags = flags;
	CHECKED(n);
	if (n < sizeof s->copies.head || n > sizeof s->copies)
		return;
	CHECKED(n);
	write_record(w->context, map_outputs, BPF_F_CURRENT_CPU, (const void *)&s->copies, n);
}

INLINE int
copy(struct work *w, const struct walk_step *t, uint64_t number, uint64_t address)
{
	volatile struct walk_scratch *s = w->scratch;
	const uint64_t used = s->used & MASK(WALK_BYTES), n = t->n & MASK(WALK_MOST);
	volatile struct walk_copy *c = (volatile void *)(s->copies.bytes + used);
	volatile unsigned char *bytes = (volatile unsigned char *)(c + 1);

	if (read_user((void *)bytes, n, address) != 0)
		return -1;
	for (int i = 0; i < WALK_GETS; i++)
		s->reg[t->get[i].to & MASK(WALK_REGISTERS)] =
		    *(volatile uint64_t *)(bytes + (t->get[i].offset & (MASK(WALK_MOST) & ~7)));
	s->reg[WALK_ZERO] = 0;
	if (s->last[number & MASK(WALK_STEPS)] == address && address != 0)
		return 0;
	s->last[number & MASK(WALK_STEPS)] = address;
	c->address = address;
	c->n = n;
	s->used = used + sizeof *c + ((n + 7) & ~(uint64_t)7);
	if (s->used > WALK_BYTES - WALK_SLACK)
		write_copies(w, 0);
	return 0;
}

static long
next_step(uint32_t i, struct work *w)
{
	volatile struct walk_scratch *s = w->scratch;
	const uint64_t number = s->step & MASK(WALK_STEPS);
	const struct walk_step *t = &w->recipe->step[number];
	volatile uint64_t *to = &s->reg[t->to & MASK(WALK_REGISTERS)];
	const uint64_t v = s->reg[t->base & MASK(WALK_REGISTERS)] + t->offset;
	const struct walk_kept key = {w->tid, w->recipe->number, t->n};
	uint64_t word = 0;
	int away = 0;

	(void)i;
	switch (t->op) {
	case WALK_COPY: away = copy(w, t, number, v) != 0; break;
	case WALK_READ:
		away = read_user(&word, sizeof word, v) != 0;
		*to = word;
		break;
	case WALK_SET:
		*to = v & ~(uint64_t)t->n;
		away = (v & ~(uint64_t)t->n) != 0;
		break;
	case WALK_EQUAL: away = v == *to; break;
	case WALK_USER: *to = kernel_word(s->regs + (t->offset & 0xf8)); break;
	case WALK_KNOWN: {
		const uint64_t *kept = map_lookup(map_kept, &key);

		*to = kept != 0 ? *kept : 0;
		break;
	}
	case WALK_KEEP:
		word = v;
		map_update(map_kept, &key, &word, BPF_ANY);
		break;
	default: return 1;
	}
	s->step = away ? t->target : number + 1;
	return 0;
}

INLINE void
follow(struct work *w, uint64_t sp, uint64_t thread_pointer)
{
	volatile struct walk_scratch *s = w->scratch;
	long turns;

	s->used = s->step = 0;
	for (int i = 0; i < WALK_REGISTERS; i++)
		s->reg[i] = 0;
	for (int i = 0; i < WALK_STEPS; i++)
		s->last[i] = 0;
	s->reg[WALK_THREAD_POINTER] = thread_pointer;
	s->reg[WALK_STACK_POINTER] = sp;
	s->copies.head.mark = WALK_COPIES;
	s->copies.head.number = w->recipe->number;
	turns = loop(WALK_TURNS, next_step, w, 0);
	write_copies(w, turns == WALK_TURNS ? WALK_LIMITED : 0);
}
#endif

/* ---- The sample ---- */

INLINE void
write_time(void *context, uint64_t began)
{
	const struct walk_time t = {WALK_TIME, now() - began};

	if (t.ns >= WALK_LONG)
		write_record(context, map_outputs, BPF_F_CURRENT_CPU, &t, sizeof t);
}

/* The process and thread as fg-record numbers them, in one word; 0: they are of another namespace.
 */
INLINE uint64_t
ids(void)
{
	struct bpf_pidns_info inside = {0};

	if (number_of(namespace_inode) == 0)
		return current_ids();
	if (ids_in_namespace(number_of(namespace_device), number_of(namespace_inode), &inside,
		sizeof inside) != 0)
		return 0;
	return (uint64_t)inside.tgid << 32 | inside.pid;
}

#ifndef PLAIN
/*
 * The recipe of a process; or, until it has one, that of its parent: after a fork both have the
 * same structures. fg-record reads the copies only if the process gets the same recipe.
 */
INLINE const struct walk_recipe *
recipe_of(uint64_t task, uint32_t pid)
{
	const struct walk_recipe *r = map_lookup(map_recipes, &pid);
	uint64_t parent;

	if (r != 0 || number_of(namespace_inode) != 0 || number_of(offset_real_parent) == 0)
		return r;
	parent = kernel_word(task + number_of(offset_real_parent));
	pid = (uint32_t)kernel_word(parent + number_of(offset_tgid));
	return map_lookup(map_recipes, &pid);
}
#endif

__attribute__((section("program"))) int
sample(void *context)
{
	const uint64_t began = now();
	const uint64_t task = current_task(), all = current_ids(), mine = ids();
	const uint64_t mm = kernel_word(task + number_of(offset_mm)), regs = registers_of(task);
	const uint64_t sp = kernel_word(regs + number_of(offset_sp));
	const uint64_t pointer = kernel_word(task + number_of(offset_thread_pointer));
	const uint32_t cpu = current_cpu(), pid = (uint32_t)(mine >> 32);
	struct work w = {.context = context, .tid = (uint32_t)mine};

	w.scratch = map_lookup(map_scratch, &cpu);
	if (w.scratch == 0 || mm == 0)
		return 1;
	w.scratch->regs = regs;
	if (map_lookup(map_denied, &pid) == 0)
		copy_stack(&w, sp,
		    all >> 32 == (uint32_t)all ? kernel_word(mm + number_of(offset_start_stack))
					       : pointer);
#ifndef PLAIN
	w.recipe = recipe_of(task, pid);
	if (w.recipe != 0)
		follow(&w, sp, pointer);
#endif
	write_time(context, began);
	return 1; /* keeps the sample itself */
}
