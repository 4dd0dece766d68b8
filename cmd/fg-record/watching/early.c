#include "fg-record/watching/early.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"

struct early_process {
	bool waits; /* for an execve */
	struct rawtree_sample *held;
	size_t n, cap;
};

/* Adds the samples that are held of a process, with the name comm; NULL: with their own. */
static void
add(struct early_process *of, struct rawtree *p, const char *comm)
{
	for (size_t i = 0; i < of->n; i++) {
		const struct rawtree_sample *h = &of->held[i];

		rawtree_add(p, comm == NULL ? h->node : rawtree_with_comm(p, h->node, comm),
		    h->time, h->weight);
	}
	free(of->held);
	*of = (struct early_process){0};
}

bool
early_hold(
    struct early *s, struct rawtree *p, int pid, uint32_t node, uint64_t time, uint64_t weight)
{
	struct early_process *of = intmap_get(&s->process, (uint64_t)pid);

	if (of == NULL || !of->waits)
		return false;
	if (of->n == s->most) {
		add(of, p, NULL);
		return false;
	}
	vec_fit(of->held, of->cap, of->n + 1);
	of->held[of->n++] = (struct rawtree_sample){time, weight, node};
	return true;
}

static void
begin(struct early *s, uint32_t pid)
{
	void **slot = intmap_at(&s->process, pid);

	if (*slot == NULL)
		*slot = cli_alloc(1, sizeof(struct early_process));
	((struct early_process *)*slot)->waits = true;
}

void
early_see(struct early *s, struct rawtree *p, const struct perfevent *e)
{
	const bool forked = e->type == PERF_RECORD_FORK && e->pid != e->ppid,
		   replaced = e->type == PERF_RECORD_COMM && e->misc & PERF_RECORD_MISC_COMM_EXEC,
		   ended = e->type == PERF_RECORD_EXIT && e->pid == e->tid;
	struct early_process *of;

	if (s->most == 0 || (!forked && !replaced && !ended))
		return;
	of = intmap_get(&s->process, e->pid);
	if (of != NULL && of->waits)
		add(of, p, replaced ? e->comm : NULL);
	if (forked)
		begin(s, e->pid);
}

void
early_end(struct early *s, struct rawtree *p)
{
	for (size_t i = 0; i < s->process.size; i++) {
		struct early_process *of = s->process.slot[i].value;

		if (of != NULL)
			add(of, p, NULL);
	}
	intmap_free_values(&s->process);
}
