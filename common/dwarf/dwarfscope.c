/*
 * dwarfscope: DIEs are in file order: on each level, the target is under the last DIE that does
 * not come after it.
 */
#include "dwarf/dwarfscope.h"

#include "base/cli.h"
#include "base/vec.h"

#define SIBLINGS 1000000

/* The children of a DIE, in file order, as far as the limit allows. */
struct children {
	size_t n;
	void **address;
};

static const struct children *
children_of(struct dwarfscope *s, Dwarf_Die *parent)
{
	struct children **known =
	    (struct children **)intmap_at(&s->children, (uintptr_t)parent->addr);
	struct children *c = *known;
	size_t size = 0;
	Dwarf_Die die;

	if (c != NULL)
		return c;
	c = *known = cli_alloc(1, sizeof *c);
	if (dwarf_child(parent, &die) != 0)
		return c;
	/* Stops if a corrupted sibling attribute points backwards. */
	do {
		if (c->n > 0 && (char *)die.addr <= (char *)c->address[c->n - 1])
			break;
		vec_fit(c->address, size, c->n + 1);
		c->address[c->n++] = die.addr;
	} while (
	    c->n < SIBLINGS && s->left > 0 && s->left-- > 0 && dwarf_siblingof(&die, &die) == 0);
	return c;
}

size_t
dwarfscope_path(struct dwarfscope *s, Dwarf_Die *target, Dwarf_Die path[DWARFSCOPE_MAX])
{
	Dwarf_Die die;
	size_t n = 0;

	if (dwarf_diecu(target, &die, NULL, NULL) == NULL)
		return 0;
	while (n < DWARFSCOPE_MAX) {
		const struct children *c = children_of(s, &die);
		size_t low = 0, high = c->n;

		while (low < high) {
			const size_t middle = low + (high - low) / 2;

			if ((char *)c->address[middle] <= (char *)target->addr)
				low = middle + 1;
			else
				high = middle;
		}
		if (low == 0 || c->address[low - 1] == target->addr)
			break;
		die = (Dwarf_Die){.addr = c->address[low - 1], .cu = target->cu};
		path[n++] = die;
	}
	return n;
}
