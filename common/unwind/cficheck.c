/*
 * cficheck: the table is searched like in libdw (fde.c), so that the FDE that libdw will execute
 * is known, and checked once.
 */
#include "unwind/cficheck.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include <elfutils/libdw.h>

#include "dwarf/leb128.h"

#ifndef SHT_X86_64_UNWIND /* musl's elf.h */
#define SHT_X86_64_UNWIND 0x70000001
#endif

/*
 * The longest entries are of functions that make tables: 20,064 bytes in GCC 12's cc1, 22,184 in
 * qemu-hexagon; 3,144 in libLLVM, libjvm, node and chromium. Compilers store a state before each
 * epilogue in a function's middle, and restore it after that: 817 times in qemu-hexagon, 653 in
 * node 22, 442 in cc1, 253 in libjvm, 73 in perl. Their expressions have at most about 20 bytes.
 */
#define ENTRY_MAX 65536
#define ENTRY_USUAL 16384 /* libdw may execute longer ones for LONG_ALL bytes of a file in all */
#define LONG_ALL (32 << 20)
#define EXPRESSION_MAX 512
#define STATES_MAX 2048 /* stored by an entry; libdw copies 1 KB at most for each */
#define NESTED_MAX 64 /* states stored at one time: each is restored later */
#define REGISTERS 128 /* x86-64 and AArch64 define fewer */

/* The length of a refused entry in cficheck.known. */
#define REFUSED ((void *)1)

/* A program that is scanned; bad: an operand is cut off or beyond a limit. */
struct program {
	const unsigned char *at, *end;
	bool bad;
};

static void
skip(struct program *p, uint64_t n)
{
	p->bad |= n > (uint64_t)(p->end - p->at);
	p->at += p->bad ? 0 : n;
}

/* The next number; 0 if it is bad. Signed ones are only skipped. */
static uint64_t
leb(struct program *p)
{
	return leb128_read(&p->at, p->end, &p->bad);
}

static void
skip_register(struct program *p)
{
	p->bad |= leb(p) >= REGISTERS;
}

static void
skip_expression(struct program *p)
{
	const uint64_t n = leb(p);

	p->bad |= n > EXPRESSION_MAX;
	skip(p, n);
}

/* Bytes of a number in that encoding; 0: not supported. */
static size_t
encoded_size(uint8_t encoding, const unsigned char *ident)
{
	if (encoding == DW_EH_PE_omit || (encoding & 0x70) == DW_EH_PE_aligned)
		return 0;
	switch (encoding & 0x07) {
	case DW_EH_PE_absptr: return ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
	case DW_EH_PE_udata2: return 2;
	case DW_EH_PE_udata4: return 4;
	case DW_EH_PE_udata8: return 8;
	default: return 0;
	}
}

/* True if a program is within the limits; address: bytes of an address. */
static bool
is_limited(const unsigned char *at, const unsigned char *end, size_t address)
{
	struct program p = {at, end, false};
	unsigned states = 0, nested = 0;

	while (p.at < p.end && !p.bad) {
		const unsigned char op = *p.at++;

		switch (op) {
		case DW_CFA_nop:
		case 0x2c: /* AArch64: the return address is signed */
		case DW_CFA_GNU_window_save: break;
		case DW_CFA_remember_state:
			p.bad = ++states > STATES_MAX || ++nested > NESTED_MAX;
			break;
		case DW_CFA_restore_state: nested -= nested > 0; break;
		case DW_CFA_set_loc: skip(&p, address); break;
		case DW_CFA_advance_loc1: skip(&p, 1); break;
		case DW_CFA_advance_loc2: skip(&p, 2); break;
		case DW_CFA_advance_loc4: skip(&p, 4); break;
		case DW_CFA_MIPS_advance_loc8: skip(&p, 8); break;
		case DW_CFA_undefined:
		case DW_CFA_same_value:
		case DW_CFA_restore_extended:
		case DW_CFA_def_cfa_register: skip_register(&p); break;
		case DW_CFA_def_cfa_offset:
		case DW_CFA_def_cfa_offset_sf:
		case DW_CFA_GNU_args_size: leb(&p); break;
		case DW_CFA_def_cfa:
		case DW_CFA_def_cfa_sf:
		case DW_CFA_offset_extended:
		case DW_CFA_offset_extended_sf:
		case DW_CFA_val_offset:
		case DW_CFA_val_offset_sf:
		case DW_CFA_GNU_negative_offset_extended:
		case DW_CFA_register:
			skip_register(&p);
			leb(&p);
			break;
		case DW_CFA_def_cfa_expression: skip_expression(&p); break;
		case DW_CFA_expression:
		case DW_CFA_val_expression:
			skip_register(&p);
			skip_expression(&p);
			break;
		default:
			if ((op & 0xc0) == DW_CFA_offset)
				leb(&p);
			else /* advance_loc and restore; libdw refuses all others, too */
				p.bad = (op & 0xc0) == 0;
			break;
		}
	}
	return !p.bad;
}

/* The encoding of the addresses in a CIE's FDEs; DW_EH_PE_omit when not understood. */
static uint8_t
fde_encoding(const Dwarf_CIE *cie, const unsigned char *ident)
{
	const uint8_t *data = cie->augmentation_data;
	size_t left = data == NULL ? 0 : cie->augmentation_data_size;
	const char *s = cie->augmentation;

	if (*s == '\0')
		return DW_EH_PE_absptr;
	if (*s != 'z')
		return DW_EH_PE_omit;
	while (*++s != '\0') {
		size_t size = 1;

		if (*s == 'S' || *s == 'B') /* without data */
			continue;
		if (left == 0)
			return DW_EH_PE_omit;
		if (*s == 'R')
			return *data;
		if (*s == 'P') /* the personality routine: an encoding and an address */
			size += encoded_size(*data, ident);
		else if (*s != 'L')
			return DW_EH_PE_omit;
		if (size > left || (*s == 'P' && size == 1))
			return DW_EH_PE_omit;
		data += size;
		left -= size;
	}
	return DW_EH_PE_absptr;
}

static size_t check_entry(struct cficheck *c, uint64_t offset);

static bool
check_fde(struct cficheck *c, const Dwarf_FDE *fde)
{
	struct program p = {fde->start, fde->end, false};
	Dwarf_CFI_Entry cie;
	Dwarf_Off next;
	size_t size;

	if (check_entry(c, fde->CIE_pointer) == 0 ||
	    dwarf_next_cfi(c->file, c->data, c->is_eh, fde->CIE_pointer, &next, &cie) != 0 ||
	    !dwarf_cfi_cie_p(&cie))
		return false;
	size = encoded_size(fde_encoding(&cie.cie, c->file), c->file);
	skip(&p, 2 * size);
	if (cie.cie.augmentation[0] == 'z')
		skip(&p, leb(&p));
	return size > 0 && !p.bad && is_limited(p.at, p.end, size);
}

/* Checks the CIE or FDE at an offset. Returns its length; 0 if it exceeds the limits. */
static size_t
check_entry(struct cficheck *c, uint64_t offset)
{
	void **known = intmap_at(&c->known, offset);
	Dwarf_CFI_Entry entry;
	Dwarf_Off next;
	bool good;

	if (*known != NULL)
		return *known == REFUSED ? 0 : (size_t)(uintptr_t)*known;
	*known = REFUSED; /* of an FDE that is its own CIE, too */
	if (dwarf_next_cfi(c->file, c->data, c->is_eh, offset, &next, &entry) != 0)
		return 0;
	if (next <= offset || next - offset > (c->table != NULL ? ENTRY_MAX : ENTRY_USUAL) ||
	    next - offset > c->left)
		return 0;
	c->left -= next - offset;
	good = dwarf_cfi_cie_p(&entry)
		   ? is_limited(entry.cie.initial_instructions, entry.cie.initial_instructions_end,
			 encoded_size(fde_encoding(&entry.cie, c->file), c->file))
		   : check_fde(c, &entry.fde);
	if (!good)
		return 0;
	*intmap_at(&c->known, offset) = (void *)(uintptr_t)(next - offset);
	return (size_t)(next - offset);
}

/* True if libdw may execute that entry for one more address. */
static bool
may_execute(struct cficheck *c, uint64_t offset)
{
	const size_t n = check_entry(c, offset);

	if (n <= ENTRY_USUAL)
		return n > 0;
	if (n > c->long_left)
		return false;
	c->long_left -= n;
	return true;
}

static bool
check_all(struct cficheck *c)
{
	Dwarf_CFI_Entry entry;
	Dwarf_Off next = 0;
	int result;

	do {
		const Dwarf_Off at = next;

		result = dwarf_next_cfi(c->file, c->data, c->is_eh, at, &next, &entry);
		if (next <= at)
			break; /* damaged: libdw stops here, too */
		if (result == 0 && check_entry(c, at) == 0)
			return false;
	} while (result <= 0);
	return true;
}

/*
 * Reads a .eh_frame_hdr at that address. False if its table has an encoding that linkers do not
 * write: it must be 32-bit offsets from its start.
 */
static bool
read_table(struct cficheck *c, const Elf_Data *data, uint64_t address, uint64_t *frames)
{
	const unsigned char *b;
	int32_t offset;

	if (data == NULL || data->d_buf == NULL || data->d_size < 8)
		return false;
	b = data->d_buf;
	if (b[0] != 1 || b[1] != (DW_EH_PE_pcrel | DW_EH_PE_sdata4))
		return false;
	memcpy(&offset, b + 4, sizeof offset);
	*frames = address + 4 + (uint64_t)(int64_t)offset;
	if (b[2] == DW_EH_PE_omit)
		return true;
	if (b[2] != DW_EH_PE_udata4 || b[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4) ||
	    data->d_size < 12)
		return false;
	memcpy(&c->ntable, b + 8, sizeof c->ntable);
	if (c->ntable > (data->d_size - 12) / 8)
		return false;
	c->table = c->ntable > 0 ? b + 12 : NULL;
	c->base = address;
	return true;
}

/* Finds .eh_frame by its section and, before it, that of the table, like libdw. */
static bool
find_section(struct cficheck *c, Elf *elf, bool *refused)
{
	Elf_Scn *section = NULL, *table = NULL;
	uint64_t table_address = 0, frames;
	size_t names;
	GElf_Shdr h;

	if (elf_getshdrstrndx(elf, &names) != 0 || names == 0)
		return false;
	while ((section = elf_nextscn(elf, section)) != NULL) {
		const char *s =
		    gelf_getshdr(section, &h) == NULL ? NULL : elf_strptr(elf, names, h.sh_name);

		if (s == NULL)
			continue;
		if (strcmp(s, ".eh_frame_hdr") == 0) {
			table = section;
			table_address = h.sh_addr;
		} else if (strcmp(s, ".eh_frame") == 0) {
			break;
		}
	}
	if (section == NULL)
		return false;
	*refused =
	    (h.sh_type != SHT_PROGBITS && h.sh_type != SHT_X86_64_UNWIND) ||
	    (table != NULL && !read_table(c, elf_rawdata(table, NULL), table_address, &frames)) ||
	    (c->data = elf_rawdata(section, NULL)) == NULL;
	c->address = h.sh_addr;
	c->offset = h.sh_offset;
	if (table != NULL && !*refused && frames != h.sh_addr) {
		c->table = NULL;
		c->ntable = 0;
	}
	return true;
}

/* Finds .eh_frame by the segment of its table. */
static bool
find_segment(struct cficheck *c, Elf *elf)
{
	GElf_Phdr p;
	size_t n;

	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (gelf_getphdr(elf, (int)i, &p) == NULL || p.p_type != PT_GNU_EH_FRAME)
			continue;
		if (!read_table(c,
			elf_getdata_rawchunk(elf, (int64_t)p.p_offset, p.p_filesz, ELF_T_BYTE),
			p.p_vaddr, &c->address))
			return false;
		c->offset = c->address - p.p_vaddr + p.p_offset;
		if (c->offset >= c->nfile)
			return false;
		c->data =
		    elf_getdata_rawchunk(elf, (int64_t)c->offset, c->nfile - c->offset, ELF_T_BYTE);
		return c->data != NULL;
	}
	return false;
}

/* Entries may have twice the bytes of their file: more are entries that overlap. */
static bool
begin(struct cficheck *c, Elf *elf)
{
	c->file = (const unsigned char *)elf_rawfile(elf, &c->nfile);
	c->left = 2 * (uint64_t)c->nfile;
	c->long_left = LONG_ALL;
	return c->file != NULL && c->nfile >= EI_NIDENT;
}

bool
cficheck_open(struct cficheck *c, Elf *elf)
{
	bool refused = false;

	*c = (struct cficheck){.is_eh = true};
	if (begin(c, elf) && (find_section(c, elf, &refused) || find_segment(c, elf)) && !refused &&
	    c->data->d_buf != NULL && (c->table != NULL || check_all(c)))
		return true;
	cficheck_close(c);
	return false;
}

static uint64_t
table_at(const struct cficheck *c, uint32_t i, unsigned which)
{
	int32_t offset;

	memcpy(&offset, c->table + (size_t)i * 8 + which * 4, sizeof offset);
	return c->base + (uint64_t)(int64_t)offset;
}

bool
cficheck_address(struct cficheck *c, uint64_t vaddr)
{
	uint32_t low = 0, high = c->ntable;

	if (c->table == NULL)
		return true; /* all of it was checked */
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (vaddr < table_at(c, middle, 0)) {
			high = middle;
		} else {
			low = middle + 1;
			if (low == c->ntable || vaddr < table_at(c, low, 0))
				return may_execute(c, table_at(c, middle, 1) - c->address);
		}
	}
	return false;
}

bool
cficheck_section(Elf *elf, Elf_Data *data)
{
	struct cficheck c = {.data = data};
	const bool fits = data->d_buf != NULL && begin(&c, elf) && check_all(&c);

	cficheck_close(&c);
	return fits;
}

void
cficheck_close(struct cficheck *c)
{
	free(c->known.slot);
	*c = (struct cficheck){0};
}
