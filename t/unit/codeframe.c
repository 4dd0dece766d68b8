/*
 * codeframe: compares call frame information with decoded instructions, for t/unwind.t: for each
 * instruction of an ELF file's functions, the CFA and the caller's frame pointer from both.
 *
 *   codeframe [-v] PATH
 *
 * prints how many are equal, differ, cannot be compared (CFA from another register) or are
 * unknown from the code, and how many functions cannot be decoded up to their end. With -d, it
 * prints each decoded instruction instead, for comparison with a disassembler: ADDRESS FLOW EFFECT,
 * as "4f20 next push rbx" or "4f2a branch 4f88 none". With -s, it prints the start of the function
 * at each address of code, by call frame information, where it differs from the previous one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "unwind/codeframe.h"
#include "unwind/x86insn.h"

static struct {
	unsigned same, differ, other, none, broken;
} count;
static bool verbose, decoded;
static struct modules *modules; /* never freed */

/*
 * Offset of the caller's saved frame pointer from the CFA; 0 if it is not saved. A saved one
 * that was popped again lies below the stack pointer, but compilers keep its rule.
 */
static int32_t
saved_fp(const struct cfi_rule *r)
{
	for (unsigned i = 0; i < r->nsaved; i++) {
		int32_t at = r->saved[i].offset;

		if (r->saved[i].reg != X86_FP || !r->saved[i].deref)
			continue;
		if (r->saved[i].base != CFI_CFA)
			at -= r->cfa.offset;
		return r->cfa.base == X86_SP && r->cfa.offset + at < 0 ? 0 : at;
	}
	return 0;
}

static void
compare(const struct cfi_rule *told, const struct codeframe *code, uint64_t vaddr, bool exact)
{
	struct cfi_rule r = {0};

	if (told->kind != CFI_RULE || told->signal)
		return;
	if (!codeframe_rule(code, vaddr, exact, &r)) {
		count.none++;
	} else if (told->cfa.base != r.cfa.base) {
		count.other++;
	} else if (told->cfa.offset == r.cfa.offset && saved_fp(told) == saved_fp(&r)) {
		count.same++;
	} else {
		count.differ++;
		if (verbose)
			printf("%" PRIx64 "%s: CFA %u%+d, by code %u%+d; frame pointer at %d, %d\n",
			    vaddr, exact ? "" : " call", told->cfa.base, told->cfa.offset,
			    r.cfa.base, r.cfa.offset, saved_fp(told), saved_fp(&r));
	}
}

static const char *
reg(unsigned number)
{
	static const char *const name[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
	    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "other"};

	return name[number];
}

static void
print_decoded(uint64_t at, const struct x86_insn *i)
{
	static const char *const flow[] = {"next", "call", "jump", "branch", "return", "stop"};

	printf("%" PRIx64 " %s", at, flow[i->flow]);
	if (i->flow == X86_JUMP || i->flow == X86_BRANCH)
		printf(" %" PRIx64, at + i->length + (uint64_t)(int64_t)i->target);
	switch (i->effect) {
	case X86_NONE: puts(" none"); break;
	case X86_PUSH: printf(" push %s\n", reg(i->reg)); break;
	case X86_POP: printf(" pop %s\n", reg(i->reg)); break;
	case X86_MOVE: printf(" move %s %s%+d\n", reg(i->reg), reg(i->base), i->value); break;
	case X86_STORE: printf(" store %s %s%+d\n", reg(i->reg), reg(i->base), i->value); break;
	case X86_LOAD: printf(" load %s %s%+d\n", reg(i->reg), reg(i->base), i->value); break;
	case X86_LEAVE: puts(" leave"); break;
	case X86_LOSE: puts(" lose"); break;
	}
}

static void
function(struct cfi *cfi, struct module *m, const struct codeframe *code, const struct range *f)
{
	bool runs = true; /* false for padding after a jump */

	for (uint64_t at = f->start; at < f->end;) {
		struct x86_insn i;

		if (at - code->start >= code->n ||
		    !x86_decode(
			code->bytes + (at - code->start), code->n - (at - code->start), &i) ||
		    at + i.length > f->end) {
			count.broken++;
			if (verbose)
				printf("%" PRIx64 ": no instruction\n", at);
			return;
		}
		if (decoded) {
			print_decoded(at, &i);
		} else if (runs |= !i.padding) {
			compare(cfi_find(cfi, m, at, true), code, at, true);
			if (i.flow == X86_CALL)
				compare(cfi_find(cfi, m, at + i.length - 1, false), code,
				    at + i.length - 1, false);
		}
		runs = runs && i.flow != X86_JUMP && i.flow != X86_RETURN && i.flow != X86_STOP;
		at += i.length;
	}
}

static void
print_starts(struct module *m, const struct codeframe *code)
{
	uint64_t start = 0, found;

	for (uint64_t at = code->start; at - code->start < code->n; at++, start = found)
		if ((found = cfi_function(m, at)) != start)
			printf("%" PRIx64 " %" PRIx64 "\n", at, found);
}

int
main(int argc, char **argv)
{
	struct cfi *cfi = cfi_new(&cfi_x86_64);
	struct codeframe *code;
	struct module *m;
	const bool starts = argc > 2 && strcmp(argv[1], "-s") == 0;

	verbose = argc > 2 && strcmp(argv[1], "-v") == 0;
	decoded = argc > 2 && strcmp(argv[1], "-d") == 0;
	modules = modules_new(&symsource_live);
	m = module_open(modules, argv[argc - 1], &(struct module_id){0}, &(struct module_reach){0});
	code = module_elf(m) == NULL ? NULL : codeframe_open(module_elf(m));
	if (code == NULL)
		cli_die("%s: no code of x86-64", argv[argc - 1]);
	if (starts)
		print_starts(m, code);
	for (size_t i = 0; i < code->functions.n && !starts; i++)
		if (!code->functions.range[i].open) /* found not only by its calls */
			function(cfi, m, code, &code->functions.range[i]);
	if (!decoded && !starts)
		printf("same %u differ %u other %u none %u broken %u\n", count.same, count.differ,
		    count.other, count.none, count.broken);
	codeframe_close(code);
	cfi_free(cfi);
	return 0;
}
