/*
 * nosymbol: most names have a symbol, which a search for `+0x` shows.
 */
#include "names/nosymbol.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"

/*
 * The only build ID of a module on a side; NULL if it is unknown, or there are several.
 */
static const char *
build_of(const struct identity_side *side, struct str module)
{
	const struct label *label = labels_find(side->labels, NAME_BUILD_ID);
	const char *build = NULL;

	for (unsigned i = 0; label != NULL && i < label->n; i++) {
		const char *other = name_build(label->value[i], module);

		if (other == NULL)
			continue;
		if (*other == '\0' || (build != NULL && strcmp(build, other) != 0))
			return NULL;
		build = other;
	}
	return build;
}

enum build { BUILD_ONE = 1, BUILD_UNKNOWN, BUILD_OTHER };

/* Compares a side's build of a module with those of all sides that are not past. */
static enum build
compare_builds(const struct nosymbol *n, size_t side, struct str module)
{
	const char *first = build_of(&n->side[side], module);
	enum build result = first == NULL ? BUILD_UNKNOWN : BUILD_ONE;

	for (size_t s = 0; s < n->sides && result != BUILD_OTHER; s++) {
		const char *build = n->side[s].past ? first : build_of(&n->side[s], module);

		if (build == NULL)
			result = BUILD_UNKNOWN;
		else if (first != NULL && strcmp(build, first) != 0)
			result = BUILD_OTHER;
	}
	return result;
}

/* compare_builds, once for all sides that are not past. */
static enum build
find_build(struct nosymbol *n, size_t side, struct str module)
{
	uint32_t number, had = n->capbuild;

	if (n->side[side].past)
		return compare_builds(n, side, module);
	if (n->asked == NULL)
		n->asked = calltree_new(0);
	number = calltree_intern(n->asked, module.s, module.len);
	vec_fit(n->build, n->capbuild, (size_t)number + 1);
	memset(n->build + had, 0, n->capbuild - had);
	if (n->build[number] == 0)
		n->build[number] = (uint8_t)compare_builds(n, side, module);
	return n->build[number];
}

#define NO_SYMBOLS " (no symbols)"
#define REBUILT " (no symbols, rebuilt)"
#define ADDRESSES " (addresses)"

/* Returns the function that stands for all of a module's, and counts a frame of it. */
static uint32_t
module_function(struct nosymbol *n, struct str module, const char *why, bool rebuilt)
{
	struct text name = {0};
	uint32_t function;

	text_str(&name, module);
	text_puts(&name, why);
	function = calltree_intern(n->functions, name.s, name.len);
	text_free(&name);
	for (size_t i = 0; i < n->nmodules; i++)
		if (n->module[i].function == function) {
			n->module[i].n++;
			return function;
		}
	vec_fit(n->module, n->capmodule, n->nmodules + 1);
	n->module[n->nmodules++] = (struct nosymbol_module){function, rebuilt, 1};
	return function;
}

bool
nosymbol_is_module(struct str name)
{
	return text_ends(name.s, name.len, NO_SYMBOLS) || text_ends(name.s, name.len, REBUILT) ||
	       text_ends(name.s, name.len, ADDRESSES);
}

uint32_t
nosymbol_function(struct nosymbol *n, struct frame_name *frame, uint32_t side, uint32_t name)
{
	struct str module;
	enum build build;

	if (frame->len > 2 && frame->text[0] == '0' && frame->text[1] == 'x' &&
	    frame->module == 0 && text_hex(frame->text + 2, frame->len - 2, NULL) == frame->len - 2)
		return module_function(n, str_of("[unknown]"), ADDRESSES, false);
	if (frame->len < 5 || !text_has(frame->text, frame->len, "+0x")) /* nearly all */
		return 0;
	name_find_build(frame, n->side[side].labels);
	module = name_start_module(frame);
	if (module.len == 0)
		return 0;
	build = find_build(n, side, module);
	if (build != BUILD_ONE)
		return module_function(
		    n, module, build == BUILD_OTHER ? REBUILT : NO_SYMBOLS, build == BUILD_OTHER);
	vec_fit(n->address, n->capaddress, n->naddress + 1);
	n->address[n->naddress++] = (struct nosymbol_address){module, side, name};
	return 0;
}

static int
compare_addresses(const void *a, const void *b)
{
	const struct nosymbol_address *x = a, *y = b;
	size_t len = x->module.len < y->module.len ? x->module.len : y->module.len;
	int order = memcmp(x->module.s, y->module.s, len);

	if (order == 0)
		order = (x->module.len > y->module.len) - (x->module.len < y->module.len);
	return order != 0 ? order : (x->side > y->side) - (x->side < y->side);
}

#define LIKE_MIN 3 /* functions of a side, by which builds are compared */
#define LIKE 10 /* a tenth of them is in both sides, if it is one build */

void
nosymbol_end(struct nosymbol *n)
{
	uint32_t *seen = cli_alloc(n->functions->nname, sizeof *seen);

	if (n->naddress > 0)
		sort_items(n->address, n->naddress, sizeof *n->address, compare_addresses);
	for (size_t i = 0, end; i < n->naddress; i = end) {
		size_t of[2] = {0, 0}, common = 0, sides = 0;

		for (end = i;
		     end < n->naddress && str_equal(n->address[end].module, n->address[i].module);
		     end++) {
			const struct nosymbol_address *a = &n->address[end];

			if (n->side[a->side].past)
				continue;
			if (end == i || a->side != n->address[end - 1].side)
				sides++;
			of[sides > 1]++;
			common += sides > 1 && seen[n->side[a->side].function[a->name]] == i + 1;
			seen[n->side[a->side].function[a->name]] = (uint32_t)i + 1;
		}
		if (sides != 2 || of[0] < LIKE_MIN || of[1] < LIKE_MIN ||
		    common * LIKE >= (of[0] < of[1] ? of[0] : of[1]))
			continue;
		for (size_t k = i; k < end; k++)
			n->side[n->address[k].side].function[n->address[k].name] =
			    module_function(n, n->address[k].module, NO_SYMBOLS, false);
	}
	free(seen);
	free(n->address);
	free(n->build);
	calltree_free(n->asked);
}
