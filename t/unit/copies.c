/*
 * copies: records of the BPF program of own bytes, for t/copies.t. Prints one line for each check:
 * "ok" or "not ok", and its name.
 */
#include "access/copies.h"

#include <stdio.h>
#include <string.h>

#include "access/recipes.h"
#include "kernel/recipe.h"
#include "runtime/memory.h"

static void
check(const char *name, bool ok)
{
	printf("%s %s\n", ok ? "ok" : "not ok", name);
}

/* A record of up to 256 bytes. */
struct bytes {
	unsigned char b[256];
	size_t n;
};

static void
put(struct bytes *to, uint64_t address, const char *text, uint64_t n)
{
	const struct walk_copy c = {address, n};

	memcpy(to->b + to->n, &c, sizeof c);
	memcpy(to->b + to->n + sizeof c, text, strlen(text));
	to->n += sizeof c + ((strlen(text) + 7) & ~(size_t)7);
}

static bool
reads(struct memory_reader *m, uint64_t address, const char *expected)
{
	char got[32] = "";

	return memory_read(m, address, got, strlen(expected)) && strcmp(got, expected) == 0;
}

static void
check_records(void)
{
	static const struct walk_head head = {WALK_COPIES, 0, 7},
				      limited = {WALK_COPIES, WALK_LIMITED, 7};
	struct bytes first = {.n = 0}, second = {.n = 0}, bad = {.n = 0};
	struct copies_parts p = {.nbytes = 0};
	const struct copies *c;
	const struct copies_range *r;

	put(&first, 0x5000, "", 0);
	put(&first, 0x2000, "high", 4);
	put(&second, 0x1000, "low", 3);
	check("without a record there are no copies", copies_end(&p, 1) == NULL);
	copies_add(&p, 1, &head, first.b, first.n + 4);
	copies_add(&p, 1, &limited, second.b, second.n + 4);
	c = copies_end(&p, 1);
	check("the padding of records is no copy", c != NULL && c->n == 2);
	if (c == NULL)
		return;
	check("copies of several records are sorted by address",
	    c->range[0].at == 0x1000 && c->range[1].at == 0x2000 &&
		memcmp(c->range[1].bytes, "high", 4) == 0);
	check("the first copy without bytes is the start", c->start[0] == 0x5000);
	check("copies have the number of their recipe", c->number == 7);
	check("copies are limited if one record says so", c->limited);
	r = copies_find(c, 0x2001, 3);
	check("bytes within a copy are found", r != NULL && r->at == 0x2000);
	check("bytes beyond a copy are not found", copies_find(c, 0x2001, 4) == NULL);
	check("bytes below all copies are not found", copies_find(c, 0xfff, 1) == NULL);
	check("the copies of a sample are not those of the next one", copies_end(&p, 1) == NULL);
	copies_add(&p, 1, &head, first.b, first.n);
	check("the copies of one thread are not those of another", copies_end(&p, 2) == NULL);
	copies_add(&p, 2, &head, second.b, second.n);
	c = copies_end(&p, 2);
	check("records of another thread begin new copies", c != NULL && c->n == 1 && !c->limited);
	put(&bad, 0x1000, "long", 400);
	copies_add(&p, 1, &head, bad.b, bad.n);
	check("a copy that is longer than its record is refused", copies_end(&p, 1) == NULL);
	bad.n = 0;
	put(&bad, 0x1000, "", UINT64_MAX - 3);
	copies_add(&p, 1, &head, bad.b, bad.n);
	check("a copy of 2^64 bytes is refused", copies_end(&p, 1) == NULL);
	copies_add(&p, 1, &head, first.b, 8);
	check("a copy without an end of its head is refused", copies_end(&p, 1) == NULL);
	copies_free(&p);
}

/* Recipes of several readers in one. */
static void
check_recipes(void)
{
	const struct walk_step one[WALK_STEPS] = {READ(WALK_FREE, WALK_THREAD_POINTER, 8, 5),
	    IF_ZERO(WALK_FREE, 3), END, COPY(WALK_FREE, 0, 0, 5), GO(0)},
			       two[WALK_STEPS] = {SET(WALK_FREE, WALK_FREE, 7, 63), END};
	struct walk_step keeps[WALK_STEPS] = {KEEP(WALK_FREE)}, full[WALK_STEPS];
	static const struct walk_head head = {WALK_COPIES, 0, 7};
	struct copies_parts p = {.nbytes = 0};
	struct bytes record = {.n = 0};
	const struct copies *c;
	struct recipes r = {0}, before;

	check("the only part of a recipe is not changed",
	    recipes_add(&r, one) && memcmp(r.step, one, sizeof one) == 0);
	check("two parts are joined", recipes_add(&r, two) && r.parts == 2 && r.n == 8);
	check("the end of a part leads to the next one",
	    r.step[0].target == 5 && r.step[2].op == WALK_EQUAL && r.step[2].target == 5);
	check("steps within the first part lead to the same ones",
	    r.step[1].target == 3 && r.step[4].target == 0);
	check("a register that the first part has set is 0 again",
	    r.step[5].op == WALK_SET && r.step[5].to == WALK_FREE && r.step[5].base == WALK_ZERO &&
		r.step[5].target == 6);
	check("a copy of no bytes has the number of the part",
	    r.step[6].op == WALK_COPY && r.step[6].offset == 1 && r.step[6].n == 0);
	check("steps of the second part are moved",
	    r.step[7].op == WALK_SET && r.step[7].target == 8 && r.step[8].op == WALK_END);
	check("a part that keeps a word is added", recipes_add(&r, keeps));
	check("a second one that keeps a word is added", recipes_add(&r, keeps));
	check("each part keeps a word of its own",
	    r.step[r.n - 1].op == WALK_KEEP && r.step[r.n - 1].n == 3 &&
		r.step[r.n - 3].op == WALK_KEEP && r.step[r.n - 3].n == 2);
	before = r;
	for (size_t i = 0; i < WALK_STEPS; i++)
		full[i] = one[0];
	check("a part with too many steps is refused", !recipes_add(&r, full));
	check("what is refused changes nothing", memcmp(&r, &before, sizeof r) == 0);

	put(&record, 0x5000, "", 0);
	put(&record, 1, "", 0);
	put(&record, 2, "", 0);
	put(&record, 0x7000, "", 0);
	put(&record, 0x8000, "", 0);
	copies_add(&p, 1, &head, record.b, record.n);
	c = copies_end(&p, 1);
	check("each part has its start, or none",
	    c != NULL && c->start[0] == 0x5000 && c->start[1] == 0 && c->start[2] == 0x7000);
	check("the last part that was begun is known", c != NULL && c->part == 2);
	copies_free(&p);
}

static void
check_memory(void)
{
	static const unsigned char changed[] = "12345678object of the process....",
				   copied[] = "abcdefghobject of the pro";
	const struct copies_range range[] = {{0x1000, (const unsigned char *)"abcdefgh", 8},
	    {0x1004, (const unsigned char *)"efghijklmnop", 12}, {0x2000, copied, 24}};
	const struct copies_range other[] = {
	    {0x2000, (const unsigned char *)"abcdefghOBJECT of the pro", 24}};
	const struct copies all = {.range = range, .n = 3}, differ = {.range = other, .n = 1},
			    limited = {.range = range, .n = 3, .limited = true};
	struct memory_reader *m = memory_of_image(0x2000, changed, sizeof changed);
	char rest[8] = "";

	memory_begin(m);
	memory_restrict(m, &all);
	check("a copy is read", reads(m, 0x1000, "abcdefgh"));
	check("the longer one of copies that overlap is read", reads(m, 0x1006, "ghijkl"));
	check("a read over two copies fails", !reads(m, 0x1002, "cdefghijkl"));
	check(
	    "what was not copied is not read from the process", !reads(m, 0x2012, "the process."));
	check("nor does it spend the budget", !memory_cost(m).spent);
	check("the rest of an object is read from the process",
	    memory_rest(m, 0x2000, 0x2018, rest, 6) && memcmp(rest, "ocess.", 6) == 0);
	check("the rest of an object without a copy is not read",
	    !memory_rest(m, 0x2100, 0x2118, rest, 6));
	memory_read_later(m);
	check("a name is read from the process, later", reads(m, 0x2012, "the process."));
	check("a name is proved by the copy of the object that leads to it",
	    memory_is_proved(m, 0x2000));
	check("nothing is read from the process after that", !reads(m, 0x2018, "ocess."));
	memory_read_later(m);
	check("copies are read first", reads(m, 0x2000, "abcdefgh") && memory_is_proved(m, 0x2100));
	memory_read_later(m);
	check("a name that no copy leads to is not proved",
	    reads(m, 0x2018, "ocess.") && !memory_is_proved(m, 0x2100));
	memory_restrict(m, &differ);
	memory_read_later(m);
	check("a name that another object had led to is not proved",
	    reads(m, 0x2018, "ocess.") && !memory_is_proved(m, 0x2000));
	check("the rest of another object at that address is not read",
	    !memory_rest(m, 0x2000, 0x2018, rest, 6));
	memory_restrict(m, &limited);
	check("what a recipe did not reach is beyond the budget",
	    !reads(m, 0x3000, "x") && memory_cost(m).spent);
	memory_begin(m);
	check("the next sample is not restricted", reads(m, 0x2000, "12345678"));
	memory_free(m);
}

int
main(void)
{
	check_records();
	check_recipes();
	check_memory();
	return 0;
}
