/*
 * groups: files are sorted by their root frame KEY=VALUE; equal neighbours are one value.
 */
#include "fg-diff/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "profile/labelroot.h"

#define NAMED_MAX 10 /* warnings about values of one side; then only their number */

/* A file and its value. */
struct member {
	char *root;
	int side; /* 0 base, 1 head, 2 history */
	size_t place; /* among the files of its side */
	char *path;
};

static int
compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->root, y->root);

	if (order == 0)
		order = x->side - y->side;
	return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

/* Adds the pair of one value; files[k] has its own array of paths for each side. */
static void
add_pair(struct groups *g, const struct options *o, char *root, struct files files[3])
{
	struct pair *p = &g->pair[g->n++];

	if (files[2].n > o->baseline_size) {
		files[2].path += files[2].n - o->baseline_size;
		files[2].n = o->baseline_size;
	}
	pair_open(p, o, root, files);
	p->base.folded.allow_empty = p->head.folded.allow_empty = true;
}

static void
add_alone(struct groups *g, char *root, bool in_head)
{
	if (g->nalone < NAMED_MAX)
		cli_warn("%s is only in %s and is not compared", root, in_head ? "head" : "base");
	g->alone[g->nalone++] = (struct ungrouped){root, in_head};
}

void
groups_find(struct groups *g, const struct options *o)
{
	const struct files *side[] = {&o->base, &o->head, &o->history};
	size_t all = (size_t)o->base.n + o->head.n + o->history.n, n = 0;
	struct member *member = cli_alloc(all, sizeof *member);
	struct labelroot_keys keys;
	char **path;

	*g = (struct groups){.key = o->group_by,
	    .path = cli_alloc(all, sizeof *path),
	    .pair = cli_alloc(all, sizeof *g->pair),
	    .alone = cli_alloc(all, sizeof *g->alone)};
	path = g->path;
	labelroot_keys(&keys, o->group_by);
	for (int k = 0; k < 3; k++)
		for (unsigned i = 0; i < side[k]->n; i++) {
			struct text root = {0};

			labelroot_frames(&root, &keys, side[k]->path[i]);
			member[n++] = (struct member){root.s, k, i, side[k]->path[i]};
		}
	labelroot_finish(&keys);
	sort_items(member, n, sizeof *member, compare_members);
	for (size_t i = 0, end; i < n; i = end) {
		struct files files[3] = {{0}};

		for (end = i; end < n && strcmp(member[i].root, member[end].root) == 0; end++) {
			struct files *of = &files[member[end].side];

			path[end] = member[end].path;
			if (of->n++ == 0)
				of->path = &path[end];
			if (end > i)
				free(member[end].root);
		}
		if (files[0].n > 0 && files[1].n > 0)
			add_pair(g, o, member[i].root, files);
		else if (files[0].n > 0 || files[1].n > 0)
			add_alone(g, member[i].root, files[1].n > 0);
		else
			free(member[i].root);
	}
	free(member);
	if (g->nalone > NAMED_MAX)
		cli_warn("%zu more %s of %s %s on one side only, and not compared",
		    g->nalone - NAMED_MAX, text_form(g->nalone - NAMED_MAX, "value", "values"),
		    g->key, text_form(g->nalone - NAMED_MAX, "is", "are"));
	if (g->n == 0)
		cli_die("--group-by %s: base and head have no value in common", g->key);
}

/* Merges the answers: one failure fails all, and what cannot be decided is not passed. */
static void
answer_all(struct groups *g, const struct options *o)
{
	const char *first = NULL;
	size_t n = 0, of[ANSWER_NO_CHANGE + 1] = {0};

	for (size_t i = 0; i < g->n; i++)
		of[g->pair[i].answer.kind]++;
	g->kind = of[ANSWER_FAIL] > 0	   ? ANSWER_FAIL
		  : of[ANSWER_CHANGED] > 0 ? ANSWER_CHANGED
		  : of[ANSWER_CANNOT_TELL] > 0 || (options_needs_power(o) && g->nalone > 0)
		      ? ANSWER_CANNOT_TELL
		  : o->gated ? ANSWER_PASS
			     : ANSWER_NO_CHANGE;
	n = of[g->kind];
	for (size_t i = 0; i < g->n && first == NULL; i++)
		if (g->pair[i].answer.kind == g->kind)
			first = g->pair[i].root;
	text_printf(&g->reason, "%zu of %zu values of %s", n, g->n, g->key);
	if (n > 0 && n < g->n) {
		text_puts(&g->reason, n == 1 ? ": " : ", first ");
		text_show(&g->reason, str_of(first));
	}
	if (g->nalone > 0)
		text_printf(&g->reason, "; %zu more on one side only", g->nalone);
}

void
groups_judge(struct groups *g, const struct options *o, bool keep)
{
	double confidence = 1 - (1 - o->noise.confidence) / (double)g->n;
	uint64_t lines = 0;
	bool unable = false, failed = false;

	g->kept = keep;
	for (size_t i = 0; i < g->n; i++) {
		struct pair *p = &g->pair[i];
		int status;

		pair_read(p, o);
		pair_judge(p, o, confidence);
		status = pair_status(&p->answer, o);
		failed |= status == CLI_NO;
		unable |= status == CLI_ERROR;
		lines += p->base.folded.lines + p->head.folded.lines;
		if (!keep)
			pair_free_sides(p);
	}
	if (lines == 0)
		cli_die("no stacks in the inputs");
	answer_all(g, o);
	if (g->nalone > 0 && options_needs_power(o)) {
		unable = true;
		if (!failed)
			cli_warn("CANNOT TELL: %s", g->reason.s);
	}
	g->status = failed ? CLI_NO : unable ? CLI_ERROR : CLI_DONE;
}

void
groups_free(struct groups *g)
{
	for (size_t i = 0; i < g->n; i++) {
		if (g->kept)
			pair_free_sides(&g->pair[i]);
		answer_free(&g->pair[i].answer);
		text_free(&g->pair[i].report);
		text_free(&g->pair[i].profile_total);
		free((char *)g->pair[i].root);
	}
	for (size_t i = 0; i < g->nalone; i++)
		free(g->alone[i].root);
	free(g->pair);
	free(g->alone);
	free(g->path);
	text_free(&g->reason);
}
