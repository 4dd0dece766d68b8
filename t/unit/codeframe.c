/*
 * codeframe: compares call frame information with decoded instructions, for t/unwind.t: for each
 * instruction of an ELF file's functions, the CFA and the caller's frame pointer from both.
 *
 *   codeframe [-v | -f] PATH
 *
 * prints how many are equal, differ, cannot be compared (CFA from another register) or are
 * unknown from the code, and how many functions cannot be decoded up to their end. With -f, it
 * compares the bytes from the stack pointer to the CFA only. With -d, it
 * prints each decoded instruction instead, for comparison with a disassembler: ADDRESS FLOW EFFECT,
 * as "4f20 next push rbx" or "4f2a branch 4f88 none". With -s, it prints the start of the function
 * at each address of code, by call frame information, where it differs from the previous one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "unwind/cfi.h"
#include "unwind/codeframe.h"
#include "unwind/x86insn.h"

static struct {
	unsigned same, differ, other, none, broken;
} count;
static bool verbose, decoded, sizes;
static struct modules *modules; /* never freed */
static const struct cfi_machine *machine;

/*
 * Offset of the caller's saved register from the CFA; 0 if it is not saved. A saved one
 * that was popped again lies below the stack pointer, but compilers keep its rule.
 */
static int32_t
saved(const struct cfi_rule *r, unsigned reg)
{
	for (unsigned i = 0; i < r->nsaved; i++) {
		int32_t at = r->saved[i].offset;

		if (r->saved[i].reg != reg || !r->saved[i].deref)
			continue;
		if (r->saved[i].base != CFI_CFA)
			at -= r->cfa.offset;
		return r->cfa.base == machine->sp && r->cfa.offset + at < 0 ? 0 : at;
	}
	return 0;
}

static void
compare_size(
    const struct cfi_rule *told, const struct codeframe *code, uint64_t function, uint64_t vaddr)
{
	const int32_t depth = codeframe_depth(code, function, vaddr);

	if (depth == 0)
		count.none++;
	else if (told->cfa.base != machine->sp)
		count.other++;
	else if (told->cfa.offset == depth)
		count.same++;
	else
		count.differ++;
	if (verbose && depth != 0 && told->cfa.base == machine->sp && told->cfa.offset != depth)
		printf("%" PRIx64 ": CFA %+d, by code %+d\n", vaddr, told->cfa.offset, depth);
}

static void
compare(const struct cfi_rule *told, const struct codeframe *code, uint64_t function,
    uint64_t vaddr, bool exact)
{
	struct cfi_rule r = {0};

	if (told->kind != CFI_RULE || told->signal)
		return;
	if (sizes)
		compare_size(told, code, function, vaddr);
	else if (!codeframe_rule(code, vaddr, exact, &r)) {
		count.none++;
	} else if (told->cfa.base != r.cfa.base) {
		count.other++;
	} else if (told->cfa.offset == r.cfa.offset &&
		   saved(told, machine->fp) == saved(&r, machine->fp) &&
		   saved(told, told->ra) == saved(&r, r.ra)) {
		count.same++;
	} else {
		count.differ++;
		if (verbose)
			printf("%" PRIx64 "%s: CFA %u%+d, by code %u%+d; frame pointer at %d, %d\n",
			    vaddr, exact ? "" : " call", told->cfa.base, told->cfa.offset,
			    r.cfa.base, r.cfa.offset, saved(told, machine->fp),
			    saved(&r, machine->fp));
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

/* Each instruction but no-operations and traps that follow a jump; calls: twice. */
static void
function_arm64(
    struct cfi *cfi, struct module *m, const struct codeframe *code, const struct range *f)
{
	bool runs = true;

	for (uint64_t at = f->start; at + 4 <= f->end; at += 4) {
		uint32_t insn;

		memcpy(&insn, code->bytes + (at - code->start), sizeof insn);
		runs |= insn != 0xd503201f;
		if (!runs || insn >> 16 == 0)
			continue;
		compare(cfi_find(cfi, m, at, true), code, f->start, at, true);
		if (insn >> 26 == 0x25)
			compare(cfi_find(cfi, m, at + 3, false), code, f->start, at + 3, false);
		runs = insn >> 26 != 5 && insn != 0xd65f03c0;
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
		} else if ((runs |= !i.padding)) {
			compare(cfi_find(cfi, m, at, true), code, f->start, at, true);
			if (i.flow == X86_CALL)
				compare(cfi_find(cfi, m, at + i.length - 1, false), code, f->start,
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
	struct cfi *cfi;
	struct codeframe *code;
	struct module *m;
	const bool starts = argc > 2 && strcmp(argv[1], "-s") == 0;

	sizes = argc > 2 && strncmp(argv[1], "-f", 2) == 0;
	verbose = argc > 2 && (strcmp(argv[1], "-v") == 0 || strcmp(argv[1], "-fv") == 0);
	decoded = argc > 2 && strcmp(argv[1], "-d") == 0;
	modules = modules_new(&symsource_live);
	m = module_open(modules, argv[argc - 1], &(struct module_id){0}, &(struct module_reach){0});
	code = module_elf(m) == NULL ? NULL : codeframe_open(module_elf(m));
	if (code == NULL)
		cli_die("%s: no code of x86-64 or AArch64", argv[argc - 1]);
	machine = code->machine == &elf_aarch64 ? &cfi_aarch64 : &cfi_x86_64;
	cfi = cfi_new(machine);
	if (starts)
		print_starts(m, code);
	for (size_t i = 0; i < code->functions.n && !starts; i++)
		if (!code->functions.range[i].open) /* found not only by its calls */
			(code->machine == &elf_aarch64 ? function_arm64 : function)(
			    cfi, m, code, &code->functions.range[i]);
	if (!decoded && !starts)
		printf("same %u differ %u other %u none %u broken %u\n", count.same, count.differ,
		    count.other, count.none, count.broken);
	codeframe_close(code);
	cfi_free(cfi);
	return 0;
}
