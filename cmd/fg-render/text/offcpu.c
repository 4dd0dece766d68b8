/*
 * offcpu: charges off-CPU time to the program's function that blocks, not to the scheduler
 * frame, and finds the reason. Profiles of fg-record --wall have columns of off-CPU time.
 * Other profiles are off-CPU profiles if they have the label event=off-cpu, or if nearly all
 * stacks end in the kernel's scheduler.
 */
#include "fg-render/text/offcpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/sort.h"
#include "base/value.h"
#include "fg-render/layout/measure.h"
#include "fg-render/picture.h"
#include "names/origin.h"
#include "names/waitreason.h"

#define NEARLY_ALL 0.9 /* share of the profile total in stacks that end in the scheduler */

static const struct frame_name *
name_at(const struct picture *p, uint32_t node)
{
	return &p->names.name[p->tree->node[node].name];
}

/* Returns the last frame of a stack, without the frames of its waker. */
static uint32_t
last_own(const struct picture *p, uint32_t node)
{
	while (node != CALLTREE_ROOT && name_at(p, node)->kind == FRAME_WAKER)
		node = p->tree->node[node].parent;
	return node;
}

bool
waits_is_process(const struct picture *p, uint32_t node)
{
	const struct frame_name *n = name_at(p, node);

	return p->names.annotated && !p->options->reverse && p->options->nbase == 0 &&
	       p->tree->node[node].parent == CALLTREE_ROOT && n->kind == FRAME_USER &&
	       !n->inlined && n->module == 0 && n->file.len == 0 && !name_is_missing(n) &&
	       !name_is_entry(n) && !text_is(n->text, n->len, "main");
}

/*
 * True for a function by which threads enter the kernel. In profiles without annotations
 * kernel frames start there.
 */
static bool
is_kernel_entry(const struct frame_name *n)
{
	static const char *const begin[] = {"entry_SYSCALL", "do_syscall_64", "do_syscall_32",
	    "entry_SYSENTER", "el0_svc", "el0t_64_sync", "asm_exc_page_fault", "asm_sysvec_",
	    "ret_from_fork", "finish_task_switch", "system_call_fast", "syscall_return_slow"};

	for (size_t i = 0; i < sizeof begin / sizeof begin[0]; i++)
		if (text_starts(n->text, n->len, begin[i]))
			return true;
	return false;
}

/*
 * Returns by node whether it is a kernel frame, by its origin or by a kernel entry among its
 * callers. The caller frees it.
 */
static bool *
find_kernel(const struct picture *p)
{
	enum { USER, KERNEL, LIKE_CALLER };
	const struct calltree *t = p->tree;
	bool *kernel = cli_alloc(t->nnode, sizeof *kernel);
	uint8_t *side = cli_alloc(t->nname, sizeof *side); /* by name */

	for (uint32_t i = 1; i < t->nname; i++) {
		const struct frame_name *n = &p->names.name[i];

		if (n->origin == ORIGIN_SYSTEM)
			side[i] = KERNEL;
		else if (n->origin == ORIGIN_UNKNOWN && !p->names.annotated)
			side[i] = is_kernel_entry(n) ? KERNEL : LIKE_CALLER;
	}
	for (uint32_t i = 1; i < t->nnode; i++) {
		uint8_t here = side[t->node[i].name];

		kernel[i] = here == LIKE_CALLER ? kernel[t->node[i].parent] : here == KERNEL;
	}
	free(side);
	return kernel;
}

/* Sums the stacks that end in the scheduler, in a kernel frame; with NULL, in any frame. */
static double
ends_in_scheduler(const struct picture *p, const bool *kernel)
{
	bool *scheduler = cli_alloc(p->tree->nname, sizeof *scheduler); /* by name */
	double sum = 0;

	for (uint32_t i = 1; i < p->tree->nname; i++)
		scheduler[i] =
		    wait_reason_is_scheduler(p->names.name[i].text, p->names.name[i].len);
	for (uint32_t s = 0; s < p->stacks.n; s++) {
		uint32_t last = last_own(p, p->stacks.node[s]);

		if ((kernel == NULL || kernel[last]) && scheduler[p->tree->node[last].name])
			sum += layout_self(p, p->stacks.node[s], 0);
	}
	free(scheduler);
	return sum;
}

void
waits_find(struct picture *p)
{
	double enough = NEARLY_ALL * value_double(p->drawn.sum[0]), ends;
	const struct label *event = labels_find(p->columns.labels, "event");
	bool *off = p->drawn.off, *kernel;

	for (unsigned k = 0; k < p->drawn.n; k++) {
		const char *name = p->columns.name[p->drawn.column[k]];

		off[k] =
		    name != NULL && (strcmp(name, "waiting") == 0 || strcmp(name, "blocked") == 0);
	}
	if (p->drawn.n == 1 && event != NULL && event->n == 1)
		off[0] |= strcmp(event->value[0], "off-cpu") == 0;
	if (p->drawn.n > 1 || off[0] || p->options->reverse || ends_in_scheduler(p, NULL) < enough)
		return;
	kernel = find_kernel(p);
	ends = ends_in_scheduler(p, kernel);
	off[0] = ends > 0 && ends >= enough;
	free(kernel);
}

/*
 * Returns the deepest frame of the program itself, else of a library, else of code without symbols,
 * else the first frame; if that names the process, the deepest kernel frame that is not the
 * scheduler's. Entry functions do not count: under an interpreter in a shared library, only _start
 * belongs to the program.
 */
static uint32_t
waiter(const struct picture *p, const bool *kernel, uint32_t node)
{
	const struct calltree *t = p->tree;
	uint32_t library = 0, missing = 0, inside = 0, leaf;

	leaf = node = last_own(p, node);
	for (; t->node[node].parent != CALLTREE_ROOT; node = t->node[node].parent) {
		const struct frame_name *n = name_at(p, node);

		if (kernel[node] && inside == 0 && !wait_reason_is_scheduler(n->text, n->len))
			inside = node;
		if (kernel[node] || name_is_entry(n))
			continue;
		if (name_is_missing(n)) {
			missing = missing != 0 ? missing : node;
			continue;
		}
		if (n->origin == ORIGIN_USER || n->origin == ORIGIN_UNKNOWN)
			return node;
		if (n->origin == ORIGIN_LIBRARY && library == 0)
			library = node;
	}
	if (library != 0 || missing != 0)
		return library != 0 ? library : missing;
	if (!waits_is_process(p, node))
		return node;
	return inside != 0 ? inside : kernel[leaf] ? leaf : node;
}

/* Returns the reason why the stack that ends at a node is off-CPU. */
static enum wait_reason
reason_of(const struct picture *p, const bool *kernel, uint32_t node, bool runnable)
{
	enum wait_reason best = WAIT_UNKNOWN;

	if (runnable)
		return WAIT_CPU;
	for (node = last_own(p, node); node != CALLTREE_ROOT; node = p->tree->node[node].parent) {
		const struct frame_name *n = name_at(p, node);
		enum wait_reason why;
		bool vague;

		/* user frames decide only if no kernel frame gave a reason */
		if (!kernel[node] && best != WAIT_UNKNOWN)
			break;
		why = wait_reason_of(n->text, n->len, kernel[node], &vague);
		if (why != WAIT_UNKNOWN && !vague)
			return why;
		if (best == WAIT_UNKNOWN)
			best = why;
	}
	return best;
}

/* Sums by reason and function. */
struct tally {
	double *by[WAIT_REASONS]; /* by number of the function that blocks; NULL: none */
	uint32_t *at[WAIT_REASONS]; /* a frame of that function */
	double *woken[WAIT_REASONS]; /* by number of the last waker's name */
	uint32_t *waker[WAIT_REASONS];
	value sum[WAIT_REASONS];
};

static void
count(const struct picture *p, struct tally *t, enum wait_reason why, uint32_t node, uint32_t who,
    value v)
{
	uint32_t names = p->tree->nname;
	uint32_t number = p->names.function[p->tree->node[who].name];

	if (t->by[why] == NULL) {
		t->by[why] = cli_alloc(names, sizeof *t->by[why]);
		t->at[why] = cli_alloc(names, sizeof *t->at[why]);
		t->woken[why] = cli_alloc(names, sizeof *t->woken[why]);
		t->waker[why] = cli_alloc(names, sizeof *t->waker[why]);
	}
	t->sum[why] = value_sum(t->sum[why], v);
	t->by[why][number] += value_double(v);
	if (t->at[why][number] == 0)
		t->at[why][number] = who;
	if (name_at(p, node)->kind == FRAME_WAKER) {
		number = p->names.function[p->tree->node[node].name];
		t->woken[why][number] += value_double(v);
		t->waker[why][number] = node;
	}
}

static int
by_value(const void *a, const void *b)
{
	const struct wait *x = a, *y = b;

	if (x->v != y->v)
		return x->v < y->v ? 1 : -1;
	return (x->why > y->why) - (x->why < y->why);
}

/* Returns the name with the largest value, of equal ones the first by rank; 0 for none. */
static uint32_t
heaviest(const struct picture *p, const double *by)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < p->tree->nname; i++)
		if (by[i] > 0 && (best == 0 || by[i] > by[best] ||
				     (by[i] == by[best] && p->names.rank[i] < p->names.rank[best])))
			best = i;
	return best;
}

/* Lists the reasons, largest sum first. */
static void
list(const struct picture *p, struct tally *t, struct waits *w)
{
	for (unsigned why = 0; why < WAIT_REASONS; why++) {
		uint32_t who, waker;

		if (t->by[why] == NULL)
			continue;
		who = heaviest(p, t->by[why]);
		waker = heaviest(p, t->woken[why]);
		if (t->sum[why] > 0)
			w->wait[w->nwait++] = (struct wait){.why = why,
			    .v = t->sum[why],
			    .node = who != 0 ? t->at[why][who] : 0,
			    .others =
				who != 0 && t->by[why][who] < 0.995 * value_double(t->sum[why]),
			    .waker = waker != 0 ? t->waker[why][waker] : 0};
		free(t->by[why]);
		free(t->at[why]);
		free(t->woken[why]);
		free(t->waker[why]);
	}
	sort_items(w->wait, w->nwait, sizeof w->wait[0], by_value);
}

/* Returns the first frame of a node's stack: with --reverse, the function that ran. */
static uint32_t
first_frame(const struct picture *p, uint32_t node)
{
	while (p->tree->node[node].parent != CALLTREE_ROOT)
		node = p->tree->node[node].parent;
	return node;
}

struct waits
waits_sum(const struct picture *p)
{
	unsigned columns = p->widths == WIDTHS_SUM ? p->drawn.n : 1;
	struct waits w = {0};
	struct tally t = {0};
	bool *kernel;

	if (p->widths == WIDTHS_FIRST && !p->drawn.off[0] && !p->options->reverse) {
		w.self = p->tree->self[p->drawn.column[0]];
		w.profile_total = p->drawn.sum[0];
		return w;
	}
	w.charged = true;
	kernel = find_kernel(p);
	value_array_resize(&w.self, p->tree->nnode);
	for (unsigned k = 0; k < columns && columns > 1; k++)
		value_array_resize(&w.each[k], p->tree->nnode);
	for (uint32_t i = 0; i < p->tree->nnode; i++)
		for (unsigned k = 0; k < columns; k++) {
			const struct value_array *own = &p->tree->self[p->drawn.column[k]];
			const char *name = p->columns.name[p->drawn.column[k]];
			uint32_t node = i;
			value v;

			if (!value_array_has(own, i))
				continue;
			v = value_array_get(own, i);
			if (p->options->reverse && i != CALLTREE_ROOT) {
				node = first_frame(p, i);
			} else if (p->drawn.off[k] && i != CALLTREE_ROOT) {
				bool runnable = name != NULL && strcmp(name, "waiting") == 0;

				node = waiter(p, kernel, i);
				count(p, &t, reason_of(p, kernel, i, runnable), i, node, v);
			}
			value_array_add(&w.self, node, v);
			if (columns > 1)
				value_array_add(&w.each[k], node, v);
			w.profile_total = value_sum(w.profile_total, v);
			if (p->drawn.off[k])
				w.waited = value_sum(w.waited, v);
		}
	list(p, &t, &w);
	free(kernel);
	return w;
}

void
waits_free(struct waits *w)
{
	if (!w->charged)
		return;
	value_array_free(&w->self);
	for (unsigned k = 0; k < CALLTREE_COLUMNS; k++)
		value_array_free(&w->each[k]);
}
