/*
 * dwarfrange: indices into .debug_addr, lists of .debug_rnglists.dwo (DWARF 5, section 7.25) and,
 * for GNU's split DWARF 4, of the skeleton's .debug_ranges.
 */
#include "dwarf/dwarfrange.h"

#include <dwarf.h>
#include <string.h>

#include "dwarf/leb128.h"
#include "elf/elftable.h"

#define HALF 4 /* bytes of an offset: units of 64-bit DWARF are not read */
#define LISTS_HEADER 12

static struct dwarfrange_bytes
section(Dwarf_Die *die, const char *name)
{
	const Elf_Data *data = elftable_debug(dwarf_getelf(dwarf_cu_getdwarf(die->cu)), name);

	if (data == NULL || data->d_buf == NULL)
		return (struct dwarfrange_bytes){0};
	return (struct dwarfrange_bytes){
	    data->d_buf, (const unsigned char *)data->d_buf + data->d_size};
}

/* Skips n bytes; at the end if there are fewer. */
static struct dwarfrange_bytes
from(struct dwarfrange_bytes b, uint64_t n)
{
	b.at = n < (uint64_t)(b.end - b.at) ? b.at + n : b.end;
	return b;
}

/* Reads a little-endian number of n bytes and moves on; 0, at the end, if there are fewer. */
static uint64_t
number(struct dwarfrange_bytes *b, size_t n)
{
	uint64_t v = 0;

	if (n > (size_t)(b->end - b->at))
		b->at = b->end;
	else {
		memcpy(&v, b->at, n);
		b->at += n;
	}
	return v;
}

static uint64_t
uleb(struct dwarfrange_bytes *b)
{
	bool bad = false;
	uint64_t v = leb128_read(&b->at, b->end, &bad);

	if (bad)
		b->at = b->end;
	return v;
}

/* Address by its index; 0 if there is none. */
static uint64_t
address(const struct dwarfrange_unit *u, uint64_t i)
{
	struct dwarfrange_bytes b;

	if (i >= UINT64_MAX / sizeof i)
		return 0;
	b = from(u->addresses, i * u->word);
	return number(&b, u->word);
}

/* An offset that is an attribute of the skeleton unit, by its name in DWARF 5 or GNU's in 4. */
static uint64_t
offset_of(Dwarf_Die *skeleton, unsigned attribute, unsigned gnu)
{
	Dwarf_Attribute at;
	Dwarf_Word v;

	if (dwarf_attr(skeleton, attribute, &at) == NULL && dwarf_attr(skeleton, gnu, &at) == NULL)
		return 0;
	return dwarf_formudata(&at, &v) == 0 ? v : 0;
}

void
dwarfrange_open(struct dwarfrange_unit *u, Dwarf_Die *skeleton, Dwarf_Die *split)
{
	Dwarf_Half version = 0;
	uint8_t word = 0;

	dwarf_cu_die(split->cu, &(Dwarf_Die){0}, &version, NULL, &word, NULL, NULL, NULL);
	*u = (struct dwarfrange_unit){.word = word == 4 ? 4 : 8, .is_v5 = version >= 5};
	u->info = section(split, ".debug_info");
	u->addresses = from(section(skeleton, ".debug_addr"),
	    offset_of(skeleton, DW_AT_addr_base, DW_AT_GNU_addr_base));
	u->lists = u->is_v5
		       ? section(split, ".debug_rnglists")
		       : from(section(skeleton, ".debug_ranges"),
			     offset_of(skeleton, DW_AT_GNU_ranges_base, DW_AT_GNU_ranges_base));
	if (dwarf_lowpc(skeleton, &u->base) != 0)
		u->base = 0;
}

/* The value of an attribute as it is in the DIE: an index or an offset of that many bytes. */
static uint64_t
raw(const struct dwarfrange_unit *u, const Dwarf_Attribute *at, size_t n)
{
	struct dwarfrange_bytes b = {at->valp, u->info.end};

	if (at->valp < (unsigned char *)(uintptr_t)u->info.at || at->valp > u->info.end)
		return 0;
	return n == 0 ? uleb(&b) : number(&b, n);
}

/* An attribute that is an address; false if it is none. */
static bool
address_of(const struct dwarfrange_unit *u, const Dwarf_Attribute *at, uint64_t *v)
{
	switch (at->form) {
	case DW_FORM_addr: *v = raw(u, at, u->word); return true;
	case DW_FORM_addrx:
	case DW_FORM_GNU_addr_index: *v = address(u, raw(u, at, 0)); return true;
	case DW_FORM_addrx1: *v = address(u, raw(u, at, 1)); return true;
	case DW_FORM_addrx2: *v = address(u, raw(u, at, 2)); return true;
	case DW_FORM_addrx3: *v = address(u, raw(u, at, 3)); return true;
	case DW_FORM_addrx4: *v = address(u, raw(u, at, 4)); return true;
	default: return false;
	}
}

static struct dwarfrange_bytes
list_of(const struct dwarfrange_unit *u, const Dwarf_Attribute *at)
{
	struct dwarfrange_bytes entry;

	switch (at->form) {
	case DW_FORM_rnglistx:
		entry = from(u->lists, LISTS_HEADER + HALF * (raw(u, at, 0) & UINT32_MAX));
		return from(u->lists, LISTS_HEADER + number(&entry, HALF));
	case DW_FORM_sec_offset:
	case DW_FORM_data4: return from(u->lists, raw(u, at, HALF));
	default: return (struct dwarfrange_bytes){0};
	}
}

struct dwarfrange
dwarfrange_begin(const struct dwarfrange_unit *u, Dwarf_Die *die)
{
	struct dwarfrange r = {.unit = u, .base = u->base};
	Dwarf_Attribute low, high;
	Dwarf_Word size;

	if (dwarf_attr(die, DW_AT_ranges, &low) != NULL) {
		r.list = list_of(u, &low);
		return r;
	}
	if (dwarf_attr(die, DW_AT_low_pc, &low) == NULL ||
	    dwarf_attr(die, DW_AT_high_pc, &high) == NULL || !address_of(u, &low, &r.start))
		return r;
	if (!address_of(u, &high, &r.end) && dwarf_formudata(&high, &size) == 0)
		r.end = r.start + size;
	return r;
}

/* An entry of a list of DWARF 4. */
static bool
next_v4(struct dwarfrange *r, uint64_t *start, uint64_t *end)
{
	const uint64_t last = r->unit->word == 4 ? UINT32_MAX : UINT64_MAX;

	*start = number(&r->list, r->unit->word);
	*end = number(&r->list, r->unit->word);
	if (*start == 0 && *end == 0)
		return false;
	if (*start == last) {
		r->base = *end;
		*end = *start = 0;
	} else {
		*start += r->base;
		*end += r->base;
	}
	return true;
}

static bool
next_v5(struct dwarfrange *r, uint64_t *start, uint64_t *end)
{
	const struct dwarfrange_unit *u = r->unit;
	const uint64_t kind = number(&r->list, 1);

	*start = *end = 0;
	switch (kind) {
	case DW_RLE_base_addressx: r->base = address(u, uleb(&r->list)); return true;
	case DW_RLE_base_address: r->base = number(&r->list, u->word); return true;
	case DW_RLE_startx_endx:
		*start = address(u, uleb(&r->list));
		*end = address(u, uleb(&r->list));
		return true;
	case DW_RLE_startx_length:
		*start = address(u, uleb(&r->list));
		*end = *start + uleb(&r->list);
		return true;
	case DW_RLE_offset_pair:
		*start = r->base + uleb(&r->list);
		*end = r->base + uleb(&r->list);
		return true;
	case DW_RLE_start_end:
		*start = number(&r->list, u->word);
		*end = number(&r->list, u->word);
		return true;
	case DW_RLE_start_length:
		*start = number(&r->list, u->word);
		*end = *start + uleb(&r->list);
		return true;
	default: return false; /* the end, or damage */
	}
}

bool
dwarfrange_next(struct dwarfrange *r, uint64_t *start, uint64_t *end)
{
	if (r->end != 0) {
		*start = r->start;
		*end = r->end;
		r->end = 0;
		return true;
	}
	if (r->list.at == r->list.end)
		return false;
	return r->unit->is_v5 ? next_v5(r, start, end) : next_v4(r, start, end);
}
