/*
 * cfi: libdw executes the call frame instructions and yields DWARF expressions. Simple ones
 * become terms of a rule; a hash table by ELF address and module stores the rules.
 */
#include "unwind/cfi.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>
#include <gelf.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/vec.h"
#include "unwind/byhand.h"
#include "unwind/cficheck.h"
#include "unwind/cfiexpr.h"
#include "unwind/codeframe.h"
#include "elf/elftable.h"
#include "elf/gopclntab.h"

/* The rule of one address; rule 0 marks a free slot. */
struct slot {
	uint64_t vaddr;
	uint32_t module;
	uint32_t rule;
};

struct cfi {
	const struct cfi_machine *machine;
	struct slot *slot;
	size_t nslot, used; /* nslot is a power of two */
	struct cfi_rule *rule;
	uint32_t nrule, caprule;
	struct hash_index same; /* rules by content: equal rules share a number */
};

/* CFI of one module: owned by the module, created at the first lookup in it. */
struct module_cfi {
	struct cficheck check;
	Dwarf_CFI *eh; /* .eh_frame, if it passed the check */
	Dwarf_CFI *debug; /* .debug_frame */
	struct gopclntab *go; /* the table of Go programs, which strip(1) keeps; or NULL */
	struct elfcode text;
	struct codeframe *code; /* opened at the first address without CFI */
	bool tried_code;
	const unsigned char *fdes; /* table of .eh_frame_hdr: nfde pairs of 32-bit offsets from */
	uint64_t fdes_base; /* this ELF address, sorted; NULL: none */
	uint64_t fdes_offset; /* file offset of fdes_base, if it is in the segment of .eh_frame */
	int32_t (*made)[2]; /* fdes, when made from .eh_frame in a file without that table */
	uint32_t nfde;
};

static void
module_cfi_free(struct module_cfi *mc)
{
	if (mc->eh != NULL)
		dwarf_cfi_end(mc->eh); /* the Dwarf owns .debug_frame's */
	if (mc->go != NULL)
		gopclntab_close(mc->go);
	if (mc->code != NULL)
		codeframe_close(mc->code);
	free(mc->made);
	cficheck_close(&mc->check);
	free(mc);
}

/* True for a CIE whose FDEs have 32-bit starts, relative to themselves: as compilers write them. */
static bool
is_narrow(const Dwarf_CIE *cie, bool class64)
{
	const uint8_t *data = cie->augmentation_data;
	size_t left = data == NULL ? 0 : cie->augmentation_data_size;
	const char *s = cie->augmentation;

	if (*s != 'z')
		return false;
	while (*++s != '\0' && left > 0) {
		size_t size = 1;

		if (*s == 'R')
			return *data == (DW_EH_PE_pcrel | DW_EH_PE_sdata4);
		if (*s == 'P') /* the personality routine: an encoding and an address */
			switch (*data & 0x07) {
			case DW_EH_PE_absptr: size += class64 ? 8 : 4; break;
			case DW_EH_PE_udata2: size += 2; break;
			case DW_EH_PE_udata4: size += 4; break;
			case DW_EH_PE_udata8: size += 8; break;
			default: return false;
			}
		else if (*s != 'L' && *s != 'S' && *s != 'B')
			return false;
		if (*s == 'S' || *s == 'B') /* without data */
			continue;
		if (size > left)
			return false;
		data += size;
		left -= size;
	}
	return false;
}

static int
compare_offsets(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int
compare_fdes(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;
	const int i = x[0] == y[0]; /* damaged: two FDEs for one address */

	return x[i] < y[i] ? -1 : x[i] > y[i];
}

/*
 * Make the table of .eh_frame_hdr from .eh_frame: musl-gcc links static programs without it. One
 * pass; the table has half the section's size at most.
 */
static void
make_fdes(struct module_cfi *mc)
{
	int64_t *cie = NULL, from; /* offsets of the CIEs of use, in order */
	size_t ncie = 0, capcie = 0, capfde = 0;
	Dwarf_CFI_Entry entry;
	Dwarf_Off next = 0;
	Elf_Data *data = mc->check.data;
	int result;

	if (data->d_size > INT32_MAX)
		return;
	mc->fdes_base = mc->check.address;
	mc->fdes_offset = mc->check.offset;
	do {
		const Dwarf_Off at = next;
		int64_t field;
		int32_t range[2]; /* relative start, size */

		result = dwarf_next_cfi(mc->check.file, data, true, at, &next, &entry);
		if (next <= at)
			break; /* damaged */
		if (result != 0)
			continue;
		if (dwarf_cfi_cie_p(&entry)) {
			if (is_narrow(&entry.cie, mc->check.file[EI_CLASS] == ELFCLASS64)) {
				vec_fit(cie, capcie, ncie + 1);
				cie[ncie++] = (int64_t)at;
			}
			continue;
		}
		from = (int64_t)entry.fde.CIE_pointer;
		if (ncie == 0 || entry.fde.end - entry.fde.start < (ptrdiff_t)sizeof range ||
		    bsearch(&from, cie, ncie, sizeof *cie, compare_offsets) == NULL)
			continue;
		memcpy(range, entry.fde.start, sizeof range);
		field = entry.fde.start - (const uint8_t *)data->d_buf;
		if (range[1] == 0 || field + range[0] > INT32_MAX || field + range[0] < INT32_MIN)
			continue;
		vec_fit(mc->made, capfde, (size_t)mc->nfde + 1);
		mc->made[mc->nfde][0] = (int32_t)(field + range[0]);
		mc->made[mc->nfde++][1] = (int32_t)field - 8; /* after length and CIE pointer */
	} while (result <= 0);
	free(cie);
	if (mc->nfde == 0)
		return;
	sort_items(mc->made, mc->nfde, sizeof *mc->made, compare_fdes);
	mc->fdes = (const unsigned char *)mc->made;
}

/* Opening debug information is slow: only done when the file has a .debug_frame section. */
static void
open_debug_frame(struct module_cfi *mc, struct module *m)
{
	Elf_Data *data;
	Dwarf *dwarf;
	Elf *elf;

	if (elftable_section(module_elf(m), NULL, ".debug_frame") == NULL &&
	    elftable_section(module_elf(m), NULL, ".zdebug_frame") == NULL)
		return;
	dwarf = module_dwarf(m);
	elf = dwarf == NULL ? NULL : dwarf_getelf(dwarf);
	if (elf == NULL)
		return;
	data = elftable_debug(elf, ".debug_frame");
	if (data != NULL && cficheck_section(elf, data))
		mc->debug = dwarf_getcfi(dwarf);
}

static struct module_cfi *
module_cfi(struct module *m)
{
	struct module_cfi *mc = m->cfi;
	Elf *elf;

	if (mc != NULL)
		return mc;
	m->cfi = mc = cli_alloc(1, sizeof *mc);
	m->cfi_free = module_cfi_free;
	elf = module_elf(m);
	if (elf == NULL)
		return mc;
	elfcode_find(elf, &mc->text);
	open_debug_frame(mc, m);
	mc->go = gopclntab_open(elf);
	if (!cficheck_open(&mc->check, elf))
		return mc;
	mc->eh = dwarf_getcfi_elf(elf);
	if (mc->check.table == NULL) {
		make_fdes(mc);
		return mc;
	}
	mc->fdes = mc->check.table;
	mc->nfde = mc->check.ntable;
	mc->fdes_base = mc->check.base;
	mc->fdes_offset = mc->check.offset + (mc->check.base - mc->check.address);
	return mc;
}

/*
 * Rule of a Go frame. The return address is at its top; with a link register at its bottom, above
 * the frame pointer, and in that register in a function without a frame.
 */
static void
make_go_rule(const struct cfi *c, struct gopclntab *go, uint64_t vaddr, struct cfi_rule *r)
{
	const int word = c->machine->word;
	const uint8_t link = c->machine->link;
	int32_t below;
	bool first;

	if ((!c->machine->decoded && link == 0) || !gopclntab_frame(go, vaddr, &below, &first) ||
	    below > INT32_MAX - word)
		return;
	r->ra = c->machine->pc;
	r->kind = first ? CFI_FIRST : CFI_RULE;
	if (link != 0) {
		r->ra = link;
		r->cfa = (struct cfi_term){.offset = below, .base = c->machine->sp};
		if (below == 0)
			return;
		r->saved[r->nsaved++] =
		    (struct cfi_term){.base = c->machine->sp, .deref = true, .reg = link};
		r->saved[r->nsaved++] = (struct cfi_term){
		    .offset = -word, .base = c->machine->sp, .deref = true, .reg = c->machine->fp};
		return;
	}
	r->cfa = (struct cfi_term){.offset = below + word, .base = c->machine->sp};
	r->saved[r->nsaved++] = (struct cfi_term){
	    .offset = -word, .base = CFI_CFA, .deref = true, .reg = c->machine->pc};
}

/* The machine code of a module; NULL: it has none that can be decoded. */
static const struct codeframe *
module_code(const struct cfi *c, struct module *m)
{
	struct module_cfi *mc = module_cfi(m);

	if (!c->machine->decoded)
		return NULL;
	if (!mc->tried_code) {
		mc->tried_code = true;
		mc->code = module_elf(m) == NULL ? NULL : codeframe_open(module_elf(m));
	}
	return mc->code;
}

/* Rule of code without unwind tables, by decoding its instructions. */
static void
make_code_rule(
    const struct cfi *c, struct module *m, uint64_t vaddr, bool exact, struct cfi_rule *r)
{
	const struct codeframe *code = module_code(c, m);

	if (code == NULL)
		return;
	m->haskell = code->haskell;
	codeframe_rule(code, vaddr, exact, r);
}

bool
cfi_decode(const struct cfi *c, struct module *m, uint64_t vaddr, struct cfi_rule *r)
{
	memset(r, 0, sizeof *r);
	make_code_rule(c, m, vaddr, true, r);
	return r->kind == CFI_RULE;
}

int32_t
cfi_depth(const struct cfi *c, struct module *m, uint64_t vaddr)
{
	const struct codeframe *code = module_code(c, m);
	const uint64_t function = cfi_function(m, vaddr);

	return c->machine->link != 0 || code == NULL || function == 0
		   ? 0
		   : codeframe_depth(code, function, vaddr);
}

/* Rule of an address without call frame information. */
static void
make_other_rule(
    const struct cfi *c, struct module *m, uint64_t vaddr, bool exact, struct cfi_rule *r)
{
	const struct module_cfi *mc = m->cfi;
	const uint64_t next = vaddr + 1;

	if (!exact && c->machine->link == 0 &&
	    byhand_return(&mc->text, next, cfi_function(m, next) == next))
		r->kind = CFI_FIRST_NEXT;
	else if (mc->go == NULL)
		make_code_rule(c, m, vaddr, exact, r);
}

static void
make_rule(const struct cfi *c, struct module *m, uint64_t vaddr, bool exact, struct cfi_rule *r)
{
	struct module_cfi *mc = module_cfi(m);
	Dwarf_Frame *frame = NULL;
	int ra;

	memset(r, 0, sizeof *r);
	if (mc->go != NULL)
		make_go_rule(c, mc->go, vaddr, r);
	if (r->kind != CFI_NONE)
		return;
	if ((mc->eh == NULL || !cficheck_address(&mc->check, vaddr) ||
		dwarf_cfi_addrframe(mc->eh, vaddr, &frame) != 0) &&
	    (mc->debug == NULL || dwarf_cfi_addrframe(mc->debug, vaddr, &frame) != 0)) {
		make_other_rule(c, m, vaddr, exact, r);
		return;
	}
	ra = dwarf_frame_info(frame, NULL, NULL, &r->signal);
	if (ra < 0 || ra >= CFI_REGS) {
		free(frame);
		return;
	}
	r->ra = (uint8_t)ra;
	if (cfiexpr_terms(c->machine, frame, vaddr, r)) {
		free(frame);
		if (exact && c->machine->link == 0)
			byhand_restored(c->machine, &mc->text, vaddr, r);
		return;
	}
	memset(r->saved, 0, sizeof r->saved);
	r->nsaved = 0;
	r->kind = CFI_EXPRESSION;
	r->frame = frame;
}

/* Returns the number of a rule equal to r; adds r if there is none. */
static uint32_t
rule_number(struct cfi *c, const struct cfi_rule *r)
{
	uint32_t hash = (uint32_t)hash_bytes(r, sizeof *r);

	for (uint32_t at = hash, n; (n = hash_index_next(&c->same, hash, &at)) != 0;)
		if (memcmp(&c->rule[n], r, sizeof *r) == 0)
			return n;
	vec_fit(c->rule, c->caprule, (size_t)c->nrule + 1);
	c->rule[c->nrule] = *r;
	hash_index_add(&c->same, hash, c->nrule);
	return c->nrule++;
}

struct cfi *
cfi_new(const struct cfi_machine *m)
{
	struct cfi *c = cli_alloc(1, sizeof *c);

	c->machine = m;
	c->nslot = 1 << 14;
	c->slot = cli_alloc(c->nslot, sizeof *c->slot);
	c->nrule = 1; /* number 0 means no rule */
	return c;
}

static void
free_rules(struct cfi *c)
{
	for (uint32_t i = 1; i < c->nrule; i++)
		free(c->rule[i].frame);
}

void
cfi_forget(struct cfi *c)
{
	free_rules(c);
	memset(c->slot, 0, c->nslot * sizeof *c->slot);
	hash_index_clear(&c->same);
	c->used = 0;
	c->nrule = 1;
}

void
cfi_free(struct cfi *c)
{
	free_rules(c);
	free(c->slot);
	hash_index_free(&c->same);
	free(c->rule);
	free(c);
}

static struct slot *
find_slot(const struct cfi *c, uint32_t module, uint64_t vaddr)
{
	size_t i = (size_t)(hash_pair(vaddr, module) >> 32) & (c->nslot - 1);

	while (c->slot[i].rule != 0 && (c->slot[i].vaddr != vaddr || c->slot[i].module != module))
		i = (i + 1) & (c->nslot - 1);
	return &c->slot[i];
}

static void
grow(struct cfi *c)
{
	struct slot *old = c->slot;
	size_t n = c->nslot;

	c->nslot *= 2;
	c->slot = cli_alloc(c->nslot, sizeof *c->slot);
	for (size_t i = 0; i < n; i++)
		if (old[i].rule != 0)
			*find_slot(c, old[i].module, old[i].vaddr) = old[i];
	free(old);
}

const struct cfi_rule *
cfi_find(struct cfi *c, struct module *m, uint64_t vaddr, bool exact)
{
	struct slot *s = find_slot(c, m->number, vaddr);

	if (s->rule == 0) {
		struct cfi_rule r;

		make_rule(c, m, vaddr, exact, &r);
		*s = (struct slot){vaddr, m->number, rule_number(c, &r)};
		if (++c->used * 2 > c->nslot) {
			grow(c);
			s = find_slot(c, m->number, vaddr);
		}
	}
	return &c->rule[s->rule];
}

/* The start and size of the i-th function by address; false if its FDE is damaged. */
static bool
function_at(const struct module_cfi *mc, uint32_t i, uint64_t *start, uint32_t *size)
{
	int32_t offset[2]; /* offsets of the function and of its FDE */
	uint64_t at;

	memcpy(offset, mc->fdes + (size_t)i * sizeof offset, sizeof offset);
	at = mc->fdes_offset + (uint64_t)(int64_t)offset[1];
	if (at >= mc->check.nfile || mc->check.nfile - at < 16)
		return false;
	memcpy(
	    size, mc->check.file + at + 12, sizeof *size); /* after length, CIE pointer and start */
	*start = mc->fdes_base + (uint64_t)(int64_t)offset[0];
	return true;
}

uint64_t
cfi_function(struct module *m, uint64_t vaddr)
{
	const struct module_cfi *mc = module_cfi(m);
	uint32_t low = 0, high = mc->nfde, size;
	uint64_t function;
	int32_t start;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		memcpy(&start, mc->fdes + (size_t)middle * 8, sizeof start);
		if (mc->fdes_base + (uint64_t)(int64_t)start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || !function_at(mc, low - 1, &function, &size))
		return 0;
	return vaddr - function < size ? function : 0;
}

/*
 * True if the function at `start` has a frame at its first instruction, of that many bytes or up to
 * the two words at the frame pointer.
 */
static bool
is_framed(struct cfi *c, struct module *m, uint64_t start, int32_t bytes)
{
	const struct cfi_rule *r = cfi_find(c, m, start, true);

	return r->kind == CFI_RULE &&
	       ((r->cfa.base == c->machine->sp && r->cfa.offset == bytes) ||
		   (r->cfa.base == c->machine->fp && r->cfa.offset == 2 * c->machine->word));
}

/* The start of the largest function; with c, of those that is_framed. */
static uint64_t
largest(struct cfi *c, struct module *m, int32_t bytes)
{
	const struct module_cfi *mc = module_cfi(m);
	uint64_t start, found = 0;
	uint32_t size, most = 0;

	for (uint32_t i = 0; i < mc->nfde; i++)
		if (function_at(mc, i, &start, &size) && size > most &&
		    (c == NULL || is_framed(c, m, start, bytes))) {
			most = size;
			found = start;
		}
	return found;
}

uint64_t
cfi_largest_framed(struct cfi *c, struct module *m, int32_t bytes)
{
	return largest(c, m, bytes);
}

uint64_t
cfi_largest_function(struct module *m)
{
	return largest(NULL, m, 0);
}

bool
cfi_evaluate(const struct cfi *c, const struct cfi_rule *r, uint64_t vaddr, uint64_t reg[CFI_BASES],
    cfi_read *read, void *arg)
{
	return cfiexpr_evaluate(c->machine, r, vaddr, reg, read, arg);
}
