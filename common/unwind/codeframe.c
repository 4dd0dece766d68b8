/*
 * codeframe: abstract interpretation of x86-64 code. A walk tracks the stack pointer, the frame
 * pointer and the locations of saved registers; it follows the fall-through path first, then
 * branch targets. If two paths reach an instruction with different stack pointers, the walk
 * fails.
 *
 * Locations of a forward walk are relative to the registers at its start; those of a walk from
 * a function's start are relative to that function's CFA.
 */
#include "unwind/codeframe.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "elf/elfcode.h"
#include "elf/elftable.h"
#include "unwind/arm64frame.h"
#include "unwind/x86insn.h"

#define STEPS 2048 /* instructions of one walk, at most */
#define BRANCHES 128 /* branches still to follow */
#define SEEN 4096 /* a power of two, above STEPS */
#define WORD 8
#define ALIGNMENT 16 /* of functions; loops are aligned like that, too */

/*
 * Suffix of cold parts that the compiler split off a function: they start with that function's
 * frame.
 */
static const char middle[] = ".cold";

/* base + offset. */
struct place {
	bool known;
	uint8_t base; /* X86_SP, X86_FP, CFI_CFA */
	int32_t offset;
};

struct state {
	uint64_t pc;
	struct place sp, fp;
	struct place saved[X86_REGS]; /* where the caller's registers are */
	struct place put[X86_REGS]; /* forward: where the walk saved registers */
};

struct walk {
	const struct codeframe *code;
	bool ahead; /* walk to a return; else from a function's start to goal */
	bool called; /* the walk starts after a call */
	uint64_t goal;
	struct state now;
	struct state branch[BRANCHES]; /* targets still to follow */
	size_t nbranch, steps;
	struct {
		uint64_t pc;
		struct place sp;
		bool used;
	} seen[SEEN];
};

static bool
is_same(const struct place *a, const struct place *b)
{
	return a->known == b->known &&
	       (!a->known || (a->base == b->base && a->offset == b->offset));
}

/*
 * True at the first visit of an instruction; *agrees: the stack pointer equals that of earlier
 * visits.
 */
static bool
is_new(struct walk *w, bool *agrees)
{
	size_t i = (size_t)(hash_number(w->now.pc) >> 32) & (SEEN - 1);

	while (w->seen[i].used && w->seen[i].pc != w->now.pc)
		i = (i + 1) & (SEEN - 1);
	*agrees = !w->seen[i].used || is_same(&w->seen[i].sp, &w->now.sp);
	if (w->seen[i].used)
		return false;
	w->seen[i].used = true;
	w->seen[i].pc = w->now.pc;
	w->seen[i].sp = w->now.sp;
	return true;
}

static bool
add(struct place *p, int32_t n)
{
	p->known = p->known && !__builtin_add_overflow(p->offset, n, &p->offset);
	return p->known;
}

/* Callee-saved registers (System V ABI, 3.2.1). */
static bool
is_preserved(unsigned reg)
{
	return reg == 3 || reg == X86_FP || (reg >= 12 && reg < X86_REGS);
}

/* Records a register's store to the stack. The first store counts: it has the caller's value. */
static void
save(struct walk *w, unsigned reg, struct place at)
{
	struct place *to;

	if (!is_preserved(reg))
		return;
	to = w->ahead ? &w->now.put[reg] : &w->now.saved[reg];
	if (!to->known)
		*to = at;
}

/*
 * Records a register's load from the stack. In a forward walk the last load counts, unless the
 * walk itself had saved the register there.
 */
static void
give_back(struct walk *w, unsigned reg, struct place at)
{
	struct place *put;

	if (!is_preserved(reg))
		return;
	if (reg == X86_FP)
		w->now.fp.known = false;
	put = &w->now.put[reg];
	if (!w->ahead)
		w->now.saved[reg].known = false;
	else if (is_same(&at, put))
		put->known = false;
	else if (at.base != X86_SP || at.offset >= 0)
		w->now.saved[reg] = at;
}

static void
apply(struct walk *w, const struct x86_insn *i)
{
	struct place *sp = &w->now.sp, *fp = &w->now.fp;
	struct place at = i->base == X86_SP ? *sp : *fp;

	switch (i->effect) {
	case X86_PUSH:
		add(sp, -WORD);
		save(w, i->reg, *sp);
		break;
	case X86_POP:
		give_back(w, i->reg, *sp);
		add(sp, WORD);
		break;
	case X86_LEAVE:
		*sp = *fp;
		give_back(w, X86_FP, *sp);
		add(sp, WORD);
		break;
	case X86_MOVE:
		add(&at, i->value);
		*(i->reg == X86_SP ? sp : fp) = at;
		break;
	case X86_STORE:
		add(&at, i->value);
		save(w, i->reg, at);
		break;
	case X86_LOAD:
		add(&at, i->value);
		give_back(w, i->reg, at);
		break;
	case X86_LOSE: sp->known = false; break;
	default: break;
	}
}

/* Continues at a pending branch target; false when there is none. */
static bool
turn_back(struct walk *w)
{
	if (w->nbranch == 0)
		return false;
	w->now = w->branch[--w->nbranch];
	return true;
}

/*
 * True if vaddr, reached by falling through a call, is the start of another function: that call
 * does not return. In stripped files only padding and alignment show where functions start.
 */
static bool
begins_function(const struct codeframe *c, uint64_t vaddr, bool padded)
{
	const struct range *r = rangemap_find(&c->functions, vaddr);

	if (r != NULL && (r->start == vaddr || r->what != elfcode_called))
		return r->start == vaddr;
	return c->stripped && padded && vaddr % ALIGNMENT == 0;
}

/*
 * True once the frame pointer was restored through itself (leave, or pop rbp): the return
 * address is next. What the function does after that, such as dropping its arguments, does not
 * matter.
 */
static bool
is_frame_left(const struct state *s)
{
	const struct place *fp = &s->saved[X86_FP], *sp = &s->sp;

	return fp->known && fp->base == X86_FP && fp->offset == 0 && sp->known &&
	       sp->base == X86_FP && sp->offset == WORD;
}

/* Walks until the goal or a return; false when no path leads there. */
static bool
walk(struct walk *w)
{
	const struct codeframe *c = w->code;
	bool fell = w->called; /* only padding since a call */
	bool padded = false;

	for (; w->steps < STEPS; w->steps++) {
		struct x86_insn i;
		uint64_t at = w->now.pc - c->start;
		bool agrees;

		if (at >= c->n || !x86_decode(c->bytes + at, c->n - at, &i) ||
		    (fell && (i.entry || begins_function(c, w->now.pc, padded)))) {
			fell = false;
			if (!turn_back(w))
				return false;
			continue;
		}
		if (!w->ahead && w->goal >= w->now.pc && w->goal < w->now.pc + i.length)
			return true;
		if (!is_new(w, &agrees)) {
			fell = false;
			if (!agrees || !turn_back(w))
				return false;
			continue;
		}
		if (i.flow == X86_RETURN && w->ahead) /* one return is enough */
			return w->now.sp.known;
		apply(w, &i);
		if (w->ahead && is_frame_left(&w->now))
			return true;
		w->now.pc += i.length;
		padded = fell && i.padding;
		fell = i.flow == X86_CALL || padded;
		if (i.flow == X86_BRANCH && w->nbranch < BRANCHES) {
			w->branch[w->nbranch] = w->now;
			w->branch[w->nbranch++].pc += (uint64_t)(int64_t)i.target;
		} else if (i.flow == X86_JUMP) {
			w->now.pc += (uint64_t)(int64_t)i.target;
		} else if ((i.flow == X86_RETURN || i.flow == X86_STOP) && !turn_back(w)) {
			return false;
		}
	}
	return false;
}

static struct cfi_term
term(struct place p, unsigned reg, bool deref)
{
	return (struct cfi_term){
	    .offset = p.offset, .base = p.base, .deref = deref, .reg = (uint8_t)reg};
}

/* Fills r with the CFA and the saved registers. */
static void
fill(const struct walk *w, struct place cfa, struct cfi_rule *r)
{
	static const struct place ra = {true, CFI_CFA, -WORD};

	r->kind = CFI_RULE;
	r->ra = cfi_x86_64.pc;
	r->cfa = term(cfa, 0, false);
	r->saved[r->nsaved++] = term(ra, r->ra, true);
	for (unsigned reg = 0; reg < X86_REGS; reg++)
		if (w->now.saved[reg].known)
			r->saved[r->nsaved++] = term(w->now.saved[reg], reg, true);
}

static bool
walk_ahead(struct walk *w, uint64_t from, struct cfi_rule *r)
{
	struct place cfa;

	w->ahead = true;
	w->now.pc = from;
	w->now.sp = (struct place){true, X86_SP, 0};
	w->now.fp = (struct place){true, X86_FP, 0};
	if (!walk(w))
		return false;
	cfa = w->now.sp;
	if (!add(&cfa, WORD) || cfa.offset < WORD)
		return false;
	fill(w, cfa, r);
	return true;
}

/*
 * True for the usual frame pointer set-up. It is preferred to the stack pointer, which pushes
 * in loops that the walk skipped may have changed.
 */
static bool
has_frame_pointer(const struct state *s)
{
	static const struct place usual = {true, CFI_CFA, -2 * WORD};

	return is_same(&s->fp, &usual) && is_same(&s->saved[X86_FP], &usual);
}

/*
 * V8's BaselineOutOfLinePrologue makes the frame of the function that calls it. It has popped its
 * return address, so its frame and CFA are the caller's from here on.
 */
static void
adopt_callers_frame(struct state *s)
{
	static const struct place usual = {true, CFI_CFA, -WORD};

	/* Without the frame pointer there it may be musl's clone, which takes its argument. */
	if (!is_same(&s->saved[X86_FP], &usual))
		return;
	if (s->sp.base == CFI_CFA)
		add(&s->sp, -WORD);
	if (s->fp.base == CFI_CFA)
		add(&s->fp, -WORD);
	for (unsigned reg = 0; reg < X86_REGS; reg++)
		if (s->saved[reg].base == CFI_CFA)
			add(&s->saved[reg], -WORD);
}

static bool
walk_from(struct walk *w, uint64_t begin, uint64_t goal, struct cfi_rule *r)
{
	const struct place *by;
	struct place cfa;

	w->goal = goal;
	w->now.pc = begin;
	w->now.sp = (struct place){true, CFI_CFA, -WORD};
	if (!walk(w))
		return false;
	adopt_callers_frame(&w->now);
	by = w->now.sp.known && !has_frame_pointer(&w->now) ? &w->now.sp : &w->now.fp;
	if (!by->known || by->offset > -WORD)
		return false;
	cfa = (struct place){true, by == &w->now.sp ? X86_SP : X86_FP, 0};
	if (!add(&cfa, -by->offset))
		return false;
	fill(w, cfa, r);
	return true;
}

int32_t
codeframe_depth(const struct codeframe *c, uint64_t function, uint64_t vaddr)
{
	struct walk *w = cli_alloc(1, sizeof *w);
	const struct place *sp = &w->now.sp;
	int32_t depth = 0;

	w->code = c;
	w->goal = vaddr;
	w->now.pc = function;
	w->now.sp = (struct place){true, CFI_CFA, -WORD};
	if (walk(w) && sp->known && sp->base == CFI_CFA && sp->offset < 0)
		depth = -sp->offset;
	free(w);
	return depth;
}

bool
codeframe_rule(const struct codeframe *c, uint64_t vaddr, bool exact, struct cfi_rule *r)
{
	const struct range *f = rangemap_find(&c->functions, vaddr);
	struct walk *w;
	bool found;

	if (c->haskell)
		return false;
	if (c->machine == &elf_aarch64)
		return arm64frame_rule(&(struct arm64frame_code){c->bytes, c->n, c->start},
		    f == NULL ? 0 : f->start, vaddr, exact, r);
	w = cli_alloc(1, sizeof *w);
	w->code = c;
	w->called = !exact;
	found = walk_ahead(w, vaddr + !exact, r);
	if (!found && f != NULL && f->what != middle) {
		memset(w, 0, sizeof *w);
		w->code = c;
		found = walk_from(w, f->start, vaddr, r);
	}
	free(w);
	return found;
}

static bool
is_middle(const char *name)
{
	return memmem(name, strnlen(name, ELFTABLE_NAME), middle, sizeof middle - 1) != NULL;
}

static void
add_functions(const struct elftable *t, struct codeframe *c)
{
	GElf_Sym s;

	for (int i = 0; gelf_getsym(t->data, i, &s) != NULL; i++) {
		const char *name = elf_strptr(t->elf, t->header.sh_link, s.st_name);

		if (name == NULL)
			continue;
		c->haskell |= strcmp(name, "stg_upd_frame_info") == 0;
		if (GELF_ST_TYPE(s.st_info) == STT_FUNC && s.st_shndx != SHN_UNDEF)
			rangemap_add(&c->functions, s.st_value, s.st_value + s.st_size, false,
			    is_middle(name) ? middle : NULL, 0);
	}
}

static void
find_functions(Elf *elf, const struct elfcode *code, struct codeframe *c)
{
	struct elftable t = elftable_begin(elf, ELFTABLE_SYMTAB | ELFTABLE_DYNSYM);

	c->stripped = true;
	while (elftable_next(&t)) {
		c->stripped &= t.header.sh_type != SHT_SYMTAB;
		add_functions(&t, c);
	}
	if (c->stripped)
		elfcode_add_called(code, &c->functions);
	rangemap_finish(&c->functions, NULL);
}

struct codeframe *
codeframe_open(Elf *elf)
{
	struct codeframe *c;
	struct elfcode code;

	if (!elfcode_find(elf, &code))
		return NULL;
	c = cli_alloc(1, sizeof *c);
	c->bytes = code.bytes;
	c->n = code.n;
	c->start = code.start;
	c->machine = code.machine;
	find_functions(elf, &code, c);
	return c;
}

void
codeframe_close(struct codeframe *c)
{
	free(c->functions.range);
	free(c);
}
