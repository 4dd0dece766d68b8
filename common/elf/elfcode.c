#include "elf/elfcode.h"

#include <gelf.h>
#include <string.h>

/*
 * Maximum size of code searched for functions, bytes: in larger code, too many other bytes look
 * like a call.
 */
#define SEARCHED (4 << 20)

const char elfcode_called[] = "";

/* True for lea of an address relative to the pc. */
static bool
is_address(const unsigned char *b)
{
	return (b[0] & 0xfb) == 0x48 && b[1] == 0x8d && (b[2] & 0xc7) == 0x05;
}

/* The offset of the instruction that code at offset i calls, or whose address it takes; or n. */
static size_t
target_at(const struct elfcode *c, size_t i)
{
	const unsigned char *b = c->bytes + i;
	const size_t at = *b == 0xe8 ? 1 : is_address(b) ? 3 : 0;
	uint32_t insn;
	int32_t offset;
	uint64_t target = c->n;

	if (c->arm64) {
		memcpy(&insn, b, sizeof insn);
		if (insn >> 26 == 0x25) /* bl */
			target = i + (uint64_t)((int64_t)((int32_t)(insn << 6) >> 6) * 4);
	} else if (at != 0) {
		memcpy(&offset, b + at, sizeof offset);
		target = i + at + sizeof offset + (uint64_t)(int64_t)offset;
	}
	return target < c->n ? (size_t)target : c->n;
}

/*
 * The bytes are searched without decoding. Other bytes rarely match: a random offset points into
 * the code with a probability of its size / 4 GiB.
 */
void
elfcode_add_called(const struct elfcode *c, struct rangemap *functions)
{
	for (size_t i = 0; c->n <= SEARCHED && i + 7 <= c->n; i += c->arm64 ? 4 : 1) {
		const size_t target = target_at(c, i);

		if (target < c->n)
			rangemap_add(
			    functions, c->start + target, c->start + c->n, true, elfcode_called, 0);
	}
}

bool
elfcode_find(Elf *elf, struct elfcode *c)
{
	GElf_Ehdr header;
	GElf_Phdr p;
	size_t n, size;
	const char *image = elf_rawfile(elf, &size);

	*c = (struct elfcode){0};
	if (image == NULL || gelf_getehdr(elf, &header) == NULL ||
	    (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64) ||
	    elf_getphdrnum(elf, &n) != 0)
		return false;
	c->arm64 = header.e_machine == EM_AARCH64;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &p) != NULL && p.p_type == PT_LOAD &&
		    (p.p_flags & PF_X) != 0 && p.p_offset < size && p.p_filesz > c->n) {
			c->bytes = (const unsigned char *)image + p.p_offset;
			c->n = p.p_filesz < size - p.p_offset ? p.p_filesz : size - p.p_offset;
			c->start = p.p_vaddr;
		}
	return true;
}
