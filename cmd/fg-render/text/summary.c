/*
 * summary: a few sentences on where the time goes or, for a differential, on what changed
 * (changes.c). -T markdown writes them, and the viewer shows the same ones, with each name
 * linked to its frame (markdownout.c).
 */
#include "fg-render/text/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fg-render/layout/figures.h"
#include "fg-render/layout/measure.h"
#include "fg-render/picture.h"
#include "fg-render/text/facts.h"
#include "fg-render/text/changes_text.h"
#include "fg-render/text/sentences.h"
#include "fg-render/text/unitwords.h"
#include "fg-render/text/summary.h"
#include "names/language.h"
#include "names/origin.h"

static void
add_profile_total(const struct picture *p, struct summary *s)
{
	const struct calltree *t = p->tree;
	uint32_t functions = 0;
	struct text total = {0};

	for (uint32_t i = 1; i < t->nname; i++)
		functions += p->names.function[i] == i && !picture_is_gap(p, i);
	layout_heading(p, &total);
	summary_add(s, "%s", total.s);
	if (p->widths == WIDTHS_SUM) {
		for (unsigned k = 0; k < p->drawn.n; k++) {
			summary_add(
			    s, "%s%s ", k == 0 ? " (" : ", ", p->columns.name[p->drawn.column[k]]);
			summary_add_figure(p, s, k, p->drawn.sum[k]);
		}
		summary_add(s, ")");
	} else if (p->drawn.n > 1 && p->mode != MODE_DIFFERENTIAL) {
		summary_add(s, ", of which %s is shown", p->columns.name[p->drawn.column[0]]);
	}
	summary_add(s, ": ");
	summary_add_number(s, functions, "function", ", ");
	summary_add_number(s, t->nnode - 1, "frame", ", ");
	summary_add_number(s, p->stacks.deepest, "level", "");
	if (p->drawn.assumed != 0)
		summary_add(s,
		    "; the input states no unit; as all values are multiples of %" PRIu64 ", they "
		    "are read as ns at %.0f samples a second",
		    p->drawn.assumed, 1e9 / (double)p->drawn.assumed);
	summary_end_sentence(s);
	text_free(&total);
}

/* Returns the separator before the n-th item of a list, n from 0. */
static const char *
between(unsigned n)
{
	return n > 0 ? ", " : "";
}

static void
add_percent(struct summary *s, double share)
{
	summary_add(s, " %.1f %%", share);
}

/* True if a frame is a symbolized function. */
static bool
is_function(const struct facts *a, uint32_t node)
{
	return !picture_is_gap(a->p, a->tree.node[node].name) &&
	       !name_is_missing(&a->p->names.name[a->tree.node[node].name]) &&
	       !name_is_entry(&a->p->names.name[a->tree.node[node].name]) &&
	       !waits_is_process(a->p, node);
}

/* Adds a function to the sentence and to the ranked list, with a share of the profile. */
static void
add_ranked(const struct facts *a, struct summary *s, const struct function *f, value v)
{
	struct summary_row *r = &s->row[s->nrow];
	double error = facts_error(a, v);

	*r = (struct summary_row){
	    facts_number(f, a->p), f->node, facts_share(a, value_double(v)), {{0}}};
	text_printf(&r->cell[0], "%.1f %%", r->size);
	text_puts(&r->cell[1], "");
	if (error >= 0.05)
		text_printf(&r->cell[1], "\xc2\xb1 %.1f", error);
	summary_add(s, "%s", between(s->nrow++));
	summary_add_name(s, r->name, r->node);
	summary_add(s, " %s%s%s", r->cell[0].s, error >= 0.05 ? " " : "", r->cell[1].s);
}

#define EVERYWHERE 95 /* percent of the total: such a function is in nearly all stacks */

static int
by_total(const void *a, const void *b)
{
	const struct function *const *x = a, *const *y = b;

	if ((*x)->total != (*y)->total)
		return (*x)->total < (*y)->total ? 1 : -1;
	return ((*x)->name > (*y)->name) - ((*x)->name < (*y)->name);
}

/* Lists the program's own functions by total. own: by name, from own_match. */
static void
add_own(const struct facts *a, struct summary *s, const uint8_t *own)
{
	const struct function **found = cli_alloc(a->tree.nname, sizeof *found);
	uint32_t n = 0;

	for (uint32_t i = 1; i < a->tree.nname; i++) {
		const struct function *f = &a->function[i];
		double share = f->name != NULL ? facts_share(a, value_double(f->total)) : 0;

		if (share >= 1 && share < EVERYWHERE && own[facts_number(f, a->p)] &&
		    !name_is_missing(f->name) && !name_is_entry(f->name) &&
		    (f->node == 0 || !waits_is_process(a->p, f->node)))
			found[n++] = f;
	}
	if (n > 1)
		sort_items(found, n, sizeof *found, by_total);
	for (uint32_t i = 0; i < n && i < SUMMARY_NAMES; i++) {
		if (i == 0)
			summary_add(s, "Own code by total: ");
		add_ranked(a, s, found[i], found[i]->total);
	}
	if (n > 0)
		summary_end_sentence(s);
	free(found);
}

/* Adds a function to the sentence only. */
static void
add_share(const struct facts *a, struct summary *s, const struct function *f, uint32_t i)
{
	double error = facts_error(a, f->self);

	summary_add(s, "%s", between(i));
	summary_add_name(s, facts_number(f, a->p), f->node);
	summary_add(s, " %.1f %%", facts_share(a, value_double(f->self)));
	if (error >= 0.05)
		summary_add(s, " \xc2\xb1 %.1f", error);
}

/* Adds the nearest own caller of a function that is not own. */
static void
add_for(const struct facts *a, struct summary *s, const struct function *f, const uint8_t *own)
{
	uint32_t node = f->node;

	if (own[facts_number(f, a->p)])
		return;
	while (node != CALLTREE_ROOT && (!own[a->tree.node[node].name] || !is_function(a, node)))
		node = a->tree.node[node].parent;
	if (node == CALLTREE_ROOT)
		return;
	summary_add(s, " (for ");
	summary_add_name(s, a->tree.node[node].name, node);
	summary_add(s, ")");
}

#define LEAST 0.1 /* percent: below it, no function is the hottest */

/* Lists the functions with the largest self values. own: NULL without a list of own code. */
static void
add_hottest(const struct facts *a, struct summary *s, const uint8_t *own)
{
	struct unit_words words = summary_unit_words(a->p);

	if (a->nranked == 0)
		return;
	if (a->waits.waited == 0)
		summary_add(s, "Most self %s: ", words.own);
	else
		summary_add(s, a->waits.waited == a->waits.profile_total
				   ? "Longest waiting: "
				   : "Most self or waiting time: ");
	if (facts_share(a, value_double(a->function[a->ranked[0]].self)) < LEAST) {
		summary_add(s, "no function has %.1f %%", LEAST);
		summary_end_sentence(s);
		return;
	}
	for (uint32_t i = 0; i < a->nranked && i < SUMMARY_NAMES; i++) {
		const struct function *f = &a->function[a->ranked[i]];

		if (i > 0 && facts_share(a, value_double(f->self)) < 1)
			break;
		if (own == NULL) {
			add_ranked(a, s, f, f->self);
		} else {
			add_share(a, s, f, i);
			add_for(a, s, f, own);
		}
	}
	summary_end_sentence(s);
}

/* Lists the reasons of off-CPU time with their functions and wakers. */
static void
add_waits(const struct facts *a, struct summary *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < a->waits.nwait && n < 4; i++) {
		const struct wait *w = &a->waits.wait[i];
		double share = facts_share(a, value_double(w->v));

		if (share < 1 || (w->why == WAIT_UNKNOWN && a->waits.nwait == 1))
			continue;
		summary_add(s, n == 0 ? "Waits %.1f %% %s" : ", %.1f %% %s", share,
		    wait_reason_words(w->why));
		n++;
		if (w->node == 0 || waits_is_process(a->p, w->node) ||
		    name_is_missing(&a->p->names.name[a->tree.node[w->node].name]))
			continue;
		summary_add(s, w->others ? " (mostly in " : " (in ");
		summary_add_name(s, a->tree.node[w->node].name, w->node);
		if (w->waker != 0) {
			summary_add(s, ", woken by ");
			summary_add_name(s, a->tree.node[w->waker].name, w->waker);
		}
		summary_add(s, ")");
	}
	if (n > 0)
		summary_end_sentence(s);
}

/* How to get symbols for a module. */
struct remedy {
	const char *begin; /* of the module's name */
	const char *package; /* Debian's debug package; NULL: not that */
	const char *hint;
};

/*
 * Returns the remedy for a module without symbols; NULL: a debug package of unknown name. The
 * packages are those of Debian 12 that have one name for all versions of the module named here;
 * others end in -dbgsym too.
 */
static const struct remedy *
remedy_of(struct str module)
{
	static const struct remedy known[] = {
	    {"libc.so", "libc6-dbg", NULL},
	    {"libc-", "libc6-dbg", NULL},
	    {"libm.so", "libc6-dbg", NULL},
	    {"libpthread", "libc6-dbg", NULL},
	    {"ld-linux", "libc6-dbg", NULL},
	    {"libstdc++.so.6", "libstdc++6-dbgsym", NULL},
	    {"libgcc_s.so.1", "libgcc-s1-dbgsym", NULL},
	    {"libcrypto.so.3", "libssl3-dbgsym", NULL},
	    {"libssl.so.3", "libssl3-dbgsym", NULL},
	    {"libz.so.1", "zlib1g-dbgsym", NULL},
	    {"libzstd.so.1", "libzstd1-dbgsym", NULL},
	    {"liblzma.so.5", "liblzma5-dbgsym", NULL},
	    {"libsqlite3.so.0", "libsqlite3-0-dbgsym", NULL},
	    {"libglib-2.0.so.0", "libglib2.0-0-dbgsym", NULL},
	    {"libcurl.so.4", "libcurl4-dbgsym", NULL},
	    {"libxml2.so.2", "libxml2-dbgsym", NULL},
	    {"python3", "python3-dbg", NULL},
	    {"kernel", NULL, "record as root, or with kernel.kptr_restrict=0"},
	    {"vmlinux", NULL, "record as root, or with kernel.kptr_restrict=0"},
	    {"guest.kernel", NULL, "give perf the guest's symbols"},
	    {"JIT", NULL, "let its runtime write a perf map"},
	    {"jit", NULL, "let its runtime write a perf map"},
	    {"perf-", NULL, "let its runtime write a perf map"},
	    {"anon", NULL, "let its runtime write a perf map"},
	    {"//anon", NULL, "let its runtime write a perf map"},
	};

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (text_starts(module.s, module.len, known[i].begin))
			return &known[i];
	return NULL;
}

#define MISSING_MODULES 3 /* modules without symbols in the sentence */

/* The modules of the sentence, and how to get their symbols. */
struct remedies {
	unsigned modules, debug; /* debug: with a debug package */
	const char *package[MISSING_MODULES], *hint[MISSING_MODULES]; /* each once */
	unsigned npackage, nhint;
};

static void
add_once(const char **list, unsigned *n, const char *s)
{
	for (unsigned i = 0; i < *n; i++)
		if (strcmp(list[i], s) == 0)
			return;
	list[(*n)++] = s;
}

static void
add_remedies(const struct remedies *r, struct summary *s)
{
	summary_add(s, ", which ha%s no symbols: ", r->modules == 1 ? "s" : "ve");
	if (r->debug > 0)
		summary_add(s,
		    r->modules == 1 ? "install its debug package" : "install their debug packages");
	for (unsigned i = 0; i < r->npackage; i++)
		summary_add(s, "%s%s", i == 0 ? " (Debian: " : ", ", r->package[i]);
	if (r->npackage > 0)
		summary_add(s, ")");
	for (unsigned i = 0; i < r->nhint; i++)
		summary_add(s, "%s%s", i == 0 && r->debug == 0 ? "" : "; ", r->hint[i]);
}

/* Adds the build IDs of a module, by which its symbols can be found. */
static void
add_builds(const struct labels *l, struct str module, struct summary *s)
{
	const struct label *label = labels_find(l, NAME_BUILD_ID);
	unsigned n = 0;

	for (unsigned i = 0; label != NULL && i < label->n; i++) {
		const char *id = name_build(label->value[i], module);

		if (id != NULL && *id != '\0')
			summary_add(s, "%s%s", n++ == 0 ? " (build ID " : ", ", id);
	}
	if (n > 0)
		summary_add(s, ")");
}

/* Reports modules without symbols, in place of their functions in the ranking. */
static void
add_missing(const struct facts *a, struct summary *s)
{
	struct remedies r = {0};
	unsigned n = 0;

	for (uint32_t i = 0; i < a->nmissing && n < MISSING_MODULES; i++) {
		const struct missing *m = &a->missing[i];
		const struct remedy *known = remedy_of(m->module);
		double share = facts_share(a, value_double(m->v));

		if (share < 1)
			break;
		summary_add(s, n == 0 ? "%.1f %% is in " : ", %.1f %% in ", share);
		n++;
		if (m->module.len == 0) {
			summary_add(s, "code of an unknown module");
			continue;
		}
		if (name_start_module(&a->p->names.name[m->name]).len > 0)
			summary_add(s, "%.*s", (int)m->module.len, m->module.s);
		else
			summary_add_name(s, m->name, m->node);
		r.modules++;
		r.debug += known == NULL || known->package != NULL;
		if (known == NULL)
			add_builds(a->p->columns.labels, m->module, s);
		else if (known->package != NULL)
			add_once(r.package, &r.npackage, known->package);
		else
			add_once(r.hint, &r.nhint, known->hint);
	}
	if (n == 0)
		return;
	if (r.modules == 0)
		summary_add(s, ", without symbols");
	else
		add_remedies(&r, s);
	summary_end_sentence(s);
}

static void
add_heaviest(const struct facts *a, struct summary *s, const struct heavy *best, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		summary_add(s, "%s", i == 0 ? "" : i + 1 == n ? " and " : ", ");
		summary_add_name(s, a->tree.node[best[i].node].name, best[i].node);
		add_percent(s, facts_share(a, best[i].v));
	}
}

static uint32_t
heaviest_child(const struct facts *a, uint32_t node)
{
	uint32_t best = 0;

	for (uint32_t i = a->tree.node[node].child; i != 0; i = a->tree.node[i].next)
		if (!picture_is_gap(a->p, a->tree.node[i].name) &&
		    (best == 0 || a->total[i] > a->total[best]))
			best = i;
	return best;
}

/*
 * Reports the end of the widest path: its first frame without a callee of at least two thirds
 * of it.
 */
static void
add_path(const struct facts *a, struct summary *s)
{
	struct heavy best[2];
	uint32_t at = CALLTREE_ROOT, next, caller;
	unsigned n = 0;

	while ((next = heaviest_child(a, at)) != 0 && a->total[next] >= 2. / 3 * a->total[at])
		at = next;
	while (at != CALLTREE_ROOT && !is_function(a, at))
		at = a->tree.node[at].parent;
	if (at == CALLTREE_ROOT)
		return;
	summary_add(s, "The widest path leads to ");
	summary_add_name(s, a->tree.node[at].name, at);
	add_percent(s, facts_share(a, a->total[at]));
	caller = facts_caller(&a->charged, at);
	if (caller != CALLTREE_ROOT) {
		summary_add(s, ", called by ");
		summary_add_name(s, a->tree.node[caller].name, caller);
	}
	for (uint32_t i = a->tree.node[at].child; i != 0; i = a->tree.node[i].next)
		if (is_function(a, i) && facts_share(a, a->total[i]) >= 1)
			n = facts_keep(best, n, 2, i, a->total[i]);
	if (n > 0) {
		summary_add(s, "; below it are ");
		add_heaviest(a, s, best, n);
	}
	summary_end_sentence(s);
}

/* The callers of one function, with the part of its total that comes from each. */
struct callers {
	const struct function *of;
	uint32_t number, *at; /* by name: a frame of that caller */
	double *from; /* by name: value that comes from the caller */
};

/*
 * Sums the callers of n functions in one pass. A function's frames below another frame of it
 * do not count.
 */
static void
find_callers(const struct facts *a, struct callers *c, unsigned n)
{
	const struct calltree *t = &a->tree;
	const struct calltree_node *node = t->node;
	uint8_t *inside = layout_by_node(t, sizeof *inside); /* one bit per function */
	uint8_t *bit = cli_alloc(t->nname, sizeof *bit); /* by name: that of its function, or 0 */

	for (uint32_t i = 1; i < t->nname; i++)
		for (unsigned k = 0; k < n; k++)
			if (a->p->names.function[i] == c[k].number)
				bit[i] |= (uint8_t)(1u << k);
	for (uint32_t i = 1, nnode = t->nnode; i < nnode; i++) {
		uint8_t above = inside[node[i].parent], here = bit[node[i].name];

		inside[i] = above | here;
		if ((here & ~above) == 0)
			continue;
		for (unsigned k = 0; k < n; k++) {
			uint32_t at, caller;

			if (((here & ~above) >> k & 1) == 0)
				continue;
			at = facts_caller(&a->charged, i);
			if (at == CALLTREE_ROOT)
				continue;
			caller = functions_at(a->p, at);
			c[k].from[caller] += a->total[i];
			if (c[k].at[caller] == 0 || i == c[k].of->node)
				c[k].at[caller] = at;
		}
	}
	free(bit);
	free(inside);
}

/* Lists the callers of the first functions of the ranking. */
static void
add_callers(const struct facts *a, struct summary *s)
{
	struct callers c[2];
	uint32_t names = a->tree.nname;
	unsigned n = 0;

	for (uint32_t i = 0; i < a->nranked && n < 2; i++) {
		const struct function *f = &a->function[a->ranked[i]];

		c[n++] = (struct callers){f, facts_number(f, a->p),
		    cli_alloc(names, sizeof *c[0].at), cli_alloc(names, sizeof *c[0].from)};
	}
	find_callers(a, c, n);
	for (unsigned k = 0; k < n; k++) {
		struct heavy best[3];
		unsigned found = 0;

		for (uint32_t i = 1; i < names; i++)
			if (c[k].at[i] != CALLTREE_ROOT && facts_share(a, c[k].from[i]) >= 0.5)
				found = facts_keep(best, found, 3, c[k].at[i], c[k].from[i]);
		if (found > 0) {
			summary_add_name(s, c[k].number, c[k].of->node);
			summary_add(s, " is called by ");
			add_heaviest(a, s, best, found);
			summary_end_sentence(s);
		}
		free(c[k].from);
		free(c[k].at);
	}
}

static void
add_recursion(const struct facts *a, struct summary *s)
{
	const unsigned bit = LANGUAGE_BIT(LANGUAGE_JAVA);
	uint8_t *java = a->p->names.languages & bit ? language_match(bit, a->p->tree, NULL) : NULL;
	struct function *found = NULL;
	size_t n = 0, cap = 0;

	for (uint32_t i = 1; i < a->tree.nname; i++) {
		const struct function *f = &a->function[i];

		/* unsymbolized functions of a module share a name, which is not recursion */
		if (f->name == NULL || f->deepest < 2 || name_is_missing(f->name) ||
		    facts_share(a, value_double(f->total)) < 1)
			continue;
		/* Java's names have no arguments: two calls may be of two overloads. */
		if (f->deepest == 2 && java != NULL && java[facts_number(f, a->p)])
			continue;
		vec_fit(found, cap, n + 1);
		found[n++] = *f;
	}
	free(java);
	if (n == 0)
		return;
	sort_items(found, n, sizeof *found, functions_by_self);
	for (size_t i = 0; i < n && i < 3; i++) {
		summary_add(s, "%s", i == 0 ? "Recursive: " : ", ");
		summary_add_name(s, facts_number(&found[i], a->p), found[i].node);
		summary_add(s, " (%u deep, %.1f %%)", found[i].deepest,
		    facts_share(a, value_double(found[i].total)));
	}
	summary_end_sentence(s);
	free(found);
}

/* Reports the shares of programs, libraries and the kernel, as far as names show them. */
static void
add_origins(const struct facts *a, struct summary *s)
{
	static const char *const of[] = {
	    "in programs", "in libraries", "in the kernel", "in unknown code", "off the CPU"};
	value sum[] = {0, 0, 0, 0, a->waits.waited}, inlined;
	unsigned n = 0;

	facts_origins(a, sum, &inlined);
	if (sum[ORIGIN_USER] + sum[ORIGIN_LIBRARY] + sum[ORIGIN_SYSTEM] + a->waits.waited == 0) {
		summary_add(
		    s, "The profile does not distinguish programs, libraries and the kernel");
		summary_end_sentence(s);
		return;
	}
	summary_add(s, "Of the %s ", summary_unit_words(a->p).own);
	for (unsigned i = 0; i < 5; i++)
		if (sum[i] > 0) {
			summary_add(s, "%s%.1f %%%s %s", between(n),
			    facts_share(a, value_double(sum[i])), n == 0 ? " is" : "", of[i]);
			n++;
		}
	if (inlined > 0)
		summary_add(
		    s, "; %.1f %% in inlined functions", facts_share(a, value_double(inlined)));
	summary_end_sentence(s);
}

static void
summarize_plain(const struct picture *p, struct summary *s)
{
	struct facts a;
	value missing, waits;
	const uint8_t *own = p->names.own;

	facts_open(p, &a);
	missing = a.nmissing > 0 ? a.missing[0].v : 0;
	waits = a.waits.nwait > 0 ? a.waits.wait[0].v : 0;
	if (own != NULL)
		add_own(&a, s, own);
	add_hottest(&a, s, s->nrow > 0 ? own : NULL);
	/* the larger one first: most readers read only the first three lines */
	if (missing > waits)
		add_missing(&a, s);
	add_waits(&a, s);
	if (missing <= waits)
		add_missing(&a, s);
	/* the frames of a flame chart are fragments of calls, so it has no widest path */
	if (!p->options->flamechart)
		add_path(&a, s);
	add_callers(&a, s);
	add_recursion(&a, s);
	add_origins(&a, s);
	facts_close(&a);
}

void
summarize(const struct picture *p, struct summary *s)
{
	*s = (struct summary){0};
	add_profile_total(p, s);
	if (p->mode == MODE_DIFFERENTIAL)
		summarize_changes(p, s);
	else
		summarize_plain(p, s);
}
