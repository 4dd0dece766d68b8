/*
 * details: the heaviest stacks, and the hottest source lines of the hottest functions, for the
 * outputs that list them.
 */
#include "fg-render/text/details.h"

#include <stdlib.h>

#include "base/cli.h"
#include "fg-render/picture.h"
#include "fg-render/text/facts.h"
#include "fg-render/text/sentences.h"
#include "names/label.h"
#include "profile/labels.h"

#define STACKS 5
#define FUNCTIONS 3 /* functions with source lines in the summary */

/* Returns the self value of each name, as the summary charges it. The caller frees it. */
value *
details_by_name(const struct facts *a)
{
	const struct value_array *self = &a->tree.self[a->p->drawn.column[0]];
	value *by = cli_alloc(a->tree.nname, sizeof *by);

	for (uint32_t i = 1; i < a->tree.nnode; i++)
		if (value_array_has(self, i)) {
			value *sum = &by[a->tree.node[i].name];

			*sum = value_sum(*sum, value_array_get(self, i));
		}
	return by;
}

static bool
is_before(const struct picture *p, const value *by, uint32_t x, uint32_t y)
{
	return by[x] != by[y] ? by[x] > by[y] : p->names.rank[x] < p->names.rank[y];
}

unsigned
details_lines(
    const struct facts *a, const value *by, uint32_t number, uint32_t *line, unsigned most)
{
	const struct picture *p = a->p;
	unsigned n = 0;

	for (uint32_t i = 1; i < a->tree.nname; i++) {
		unsigned at;

		if (p->names.function[i] != number || p->names.name[i].line == 0 || by[i] == 0)
			continue;
		if (n < most)
			n++;
		else if (!is_before(p, by, i, line[n - 1]))
			continue;
		for (at = n - 1; at > 0 && is_before(p, by, i, line[at - 1]); at--)
			line[at] = line[at - 1];
		line[at] = i;
	}
	return n;
}

/*
 * True if the lines of scripts are those that ran: some function has several. Else they are the
 * functions' first lines, which need no list; so is the line of an anonymous function.
 */
static bool
has_script_lines(const struct picture *p)
{
	for (uint32_t i = 1; i < p->tree->nname; i++) {
		const struct frame_name *n = &p->names.name[i],
					*first = &p->names.name[p->names.function[i]];

		if (n->kind == FRAME_SCRIPT && n->line != first->line && !name_is_anonymous(n))
			return true;
	}
	return false;
}

static void
add_lines(const struct facts *a, struct summary *s)
{
	value *by = details_by_name(a);
	bool scripts = has_script_lines(a->p);

	for (uint32_t i = 0; i < a->nranked && i < FUNCTIONS; i++) {
		const struct function *f = &a->function[a->ranked[i]];
		uint32_t line[3], n = details_lines(a, by, facts_number(f, a->p), line, 3);

		if (n == 1 && (name_is_anonymous(&a->p->names.name[line[0]]) ||
				  (!scripts && a->p->names.name[line[0]].kind == FRAME_SCRIPT)))
			continue;

		for (uint32_t k = 0; k < n; k++) {
			const struct frame_name *name = &a->p->names.name[line[k]];
			struct str file = label_last_segment(name->file);

			if (k == 0) {
				summary_add(s, "Lines of ");
				summary_add_name(s, facts_number(f, a->p), f->node);
			}
			summary_add(s, "%s%.*s:%u %.1f %%", k == 0 ? ": " : ", ", (int)file.len,
			    file.s, name->line, facts_share(a, value_double(by[line[k]])));
		}
		if (n > 0)
			summary_end_sentence(s);
	}
	free(by);
}

static void
add_stacks(const struct facts *a, struct summary *s)
{
	struct heavy best[STACKS];
	unsigned n = facts_stacks(a, best, STACKS);

	/* A share below 0.1 % is none, as in the list of functions. */
	for (unsigned i = 0; i < n && facts_share(a, best[i].v) >= 0.1; i++) {
		summary_add(s, i == 0 ? "Heaviest stacks: %.1f %% " : "%.1f %% ",
		    facts_share(a, best[i].v));
		summary_add_stack(s, best[i].node);
		summary_end_sentence(s);
	}
}

/* Appends a label's value: recorded from a command line, it may hold any byte but NUL. */
static void
add_value(struct summary *s, const char *given)
{
	struct text shown = {0}, b = {0};

	text_show(&shown, str_of(given));
	label_add(&b, &(struct frame_name){.text = shown.s, .len = (uint32_t)shown.len}, 100, true);
	summary_add(s, "%s", b.len > 0 ? b.s : "");
	text_free(&shown);
	text_free(&b);
}

/*
 * "Recorded: command make, host web1 and web2." A label with more than three values is given
 * as their count.
 */
static void
add_labels(const struct picture *p, struct summary *s)
{
	const struct labels *l = p->columns.labels;
	unsigned n = 0;

	for (size_t i = 0; l != NULL && i < l->n; i++) {
		const struct label *label = &l->label[i];

		if (strcmp(label->key, NAME_BUILD_ID) == 0) /* shown with its module */
			continue;
		summary_add(s, "%s%.40s ", n++ == 0 ? "Recorded: " : ", ", label->key);
		if (label->n == 0 || label->n > 3)
			summary_add(s, label->n == 0 ? "of many values" : "of %u values", label->n);
		for (unsigned k = 0; k < label->n && label->n <= 3; k++) {
			summary_add(s, k > 0 ? " and " : "");
			add_value(s, label->value[k]);
		}
	}
	if (n > 0)
		summary_end_sentence(s);
}

void
summarize_details(const struct picture *p, struct summary *s)
{
	struct facts a;

	add_labels(p, s);
	if (p->mode == MODE_DIFFERENTIAL || p->options->flamechart)
		return;
	facts_open(p, &a);
	add_lines(&a, s);
	if (!p->options->reverse)
		add_stacks(&a, s);
	facts_close(&a);
}
