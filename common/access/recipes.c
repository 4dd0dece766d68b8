/*
 * recipes: a part follows the one before: the registers that it finds there are set to 0 again, and
 * a copy of no bytes, whose address is the part's number, precedes its copies.
 */
#include "access/recipes.h"

#include <string.h>

#include "access/copies.h"
#include "kernel/recipe.h"

/* The steps of a part without those at its end that end it. */
static size_t
length(const struct walk_step *step)
{
	size_t n = WALK_STEPS;

	while (n > 0 && step[n - 1].op == WALK_END)
		n--;
	return n;
}

/* The registers that n steps set. */
static unsigned
set_by(const struct walk_step *step, size_t n)
{
	unsigned set = 0;

	for (size_t i = 0; i < n; i++) {
		if (step[i].op == WALK_COPY)
			for (size_t k = 0; k < WALK_GETS; k++)
				set |= 1u << step[i].get[k].to;
		else if (step[i].op != WALK_EQUAL && step[i].op != WALK_KEEP)
			set |= 1u << step[i].to;
	}
	return set >> WALK_FREE << WALK_FREE;
}

/* Adds a step that leads to the next one. */
static bool
add(struct recipes *r, struct walk_step step)
{
	if (r->n == WALK_STEPS)
		return false;
	step.target = (uint8_t)(r->n + 1);
	r->step[r->n++] = step;
	return true;
}

/*
 * Moves the steps of a part, of which each keeps words of its own, by `by`; the end of the part is
 * the step after its last.
 */
static void
move(struct walk_step *step, size_t n, size_t by, uint32_t part)
{
	for (size_t i = 0; i < n; i++) {
		const bool ends = step[i].op == WALK_END || step[i].target > n;
		const size_t to = ends ? n : step[i].target;

		if (step[i].op == WALK_END)
			step[i] = (struct walk_step)GO(0);
		if (step[i].op == WALK_KNOWN || step[i].op == WALK_KEEP)
			step[i].n = part;
		step[i].target = (uint8_t)(to + by);
	}
}

bool
recipes_add(struct recipes *r, const struct walk_step part[WALK_STEPS])
{
	const struct recipes before = *r;
	const size_t n = length(part);
	const unsigned used = set_by(part, n) & set_by(r->step, r->n);

	if (r->parts == 0) {
		*r = (struct recipes){.n = n, .parts = 1};
		memcpy(r->step, part, sizeof r->step);
		return true;
	}
	if (r->parts == 1) /* its ends lead to the next part */
		move(r->step, r->n, 0, 0);
	for (uint8_t i = WALK_FREE; i < WALK_REGISTERS; i++)
		if ((used >> i & 1) != 0 && !add(r, (struct walk_step)SET(i, WALK_ZERO, 0, 0)))
			goto full;
	if (r->parts == COPIES_PARTS ||
	    !add(r, (struct walk_step)COPY(WALK_ZERO, r->parts, 0, 0)) ||
	    n >= WALK_STEPS - r->n) /* one is left for the end */
		goto full;
	memcpy(r->step + r->n, part, n * sizeof *part);
	move(r->step + r->n, n, r->n, (uint32_t)r->parts);
	r->n += n;
	r->parts++;
	return true;
full:
	*r = before;
	return false;
}
