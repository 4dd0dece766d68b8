#include "elf/elfcode.h"

#include <gelf.h>

/*
 * Maximum size of code searched for functions, bytes: in larger code, too many other bytes look
 * like a call.
 */
#define SEARCHED (4 << 20)

const char elfcode_called[] = "";

void
elfcode_add_called(const struct elfcode *c, struct rangemap *functions)
{
	size_t at = 0, target;

	while (c->n <= SEARCHED && (target = c->machine->next_target(c->bytes, c->n, &at)) < c->n)
		rangemap_add(
		    functions, c->start + target, c->start + c->n, true, elfcode_called, 0);
}

bool
elfcode_find(Elf *elf, struct elfcode *c)
{
	GElf_Ehdr header;
	GElf_Phdr p;
	size_t n, size;
	const char *image = elf_rawfile(elf, &size);

	*c = (struct elfcode){0};
	if (image == NULL || gelf_getehdr(elf, &header) == NULL || elf_getphdrnum(elf, &n) != 0)
		return false;
	c->machine = elfmachine(header.e_machine);
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, &p) != NULL && p.p_type == PT_LOAD &&
		    (p.p_flags & PF_X) != 0 && p.p_offset < size && p.p_filesz > c->n) {
			c->bytes = (const unsigned char *)image + p.p_offset;
			c->n = p.p_filesz < size - p.p_offset ? p.p_filesz : size - p.p_offset;
			c->start = p.p_vaddr;
		}
	return c->machine != NULL;
}
