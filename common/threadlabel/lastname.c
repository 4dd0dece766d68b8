/*
 * lastname: a number may be that of another thread later, which has another process or comm.
 */
#include "threadlabel/lastname.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

struct lastname {
	int pid;
	char *comm, *name;
};

static bool
is_of(const struct lastname *n, int pid, const char *comm)
{
	return n != NULL && n->pid == pid && strcmp(n->comm, comm) == 0;
}

static void
free_one(struct lastname *n)
{
	if (n == NULL)
		return;
	free(n->comm);
	free(n->name);
	free(n);
}

void
lastname_set(struct lastnames *l, int pid, int tid, const char *comm, struct str name)
{
	void **slot = intmap_at(&l->by_tid, (uint64_t)tid);
	struct lastname *n = *slot;

	if (is_of(n, pid, comm) && str_equal(str_of(n->name), name))
		return;
	free_one(n);
	*slot = n = cli_alloc(1, sizeof *n);
	*n = (struct lastname){pid, cli_strdup(comm), str_copy(name)};
}

struct str
lastname_get(const struct lastnames *l, int pid, int tid, const char *comm)
{
	const struct lastname *n = intmap_get(&l->by_tid, (uint64_t)tid);

	return str_of(is_of(n, pid, comm) ? n->name : comm);
}

void
lastnames_free(struct lastnames *l)
{
	for (size_t i = 0; i < l->by_tid.size; i++)
		free_one(l->by_tid.slot[i].value);
	free(l->by_tid.slot);
}
