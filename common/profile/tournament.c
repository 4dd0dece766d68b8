/*
 * tournament: a loser tree (after Ng and Kakehi, "Merging string sequences by longest common
 * prefixes", 2008). Every loser's `shared` refers to the winner that it lost to. So while the
 * winner's next head moves up the tree, all `shared` refer to the stack returned last. The head
 * that shares more bytes with that stack comes first.
 */
#include "profile/tournament.h"

#include <stdlib.h>

#include "base/cli.h"
#include "profile/stackorder.h"

/*
 * A match that the numbers of shared bytes do not decide. Not inline: most matches are decided
 * before, without saved registers.
 */
__attribute__((noinline)) static uint32_t
compare(struct tournament_head *head, uint32_t a, uint32_t b)
{
	struct tournament_head *x = &head[a], *y = &head[b];
	size_t shared = x->shared;
	int order = stack_order(x->stack, x->len, y->stack, y->len, shared);

	if (order == 0) {
		shared = stack_shared(x->stack, x->len, y->stack, y->len, shared);
		order = stack_order(x->stack, x->len, y->stack, y->len, shared);
	}
	if (order == 0)
		order = a < b ? -1 : 1;
	*(order < 0 ? &y->shared : &x->shared) = shared;
	return order < 0 ? a : b;
}

/* Returns the stream whose head comes first; the other's `shared` then refers to that head. */
static inline uint32_t
play(struct tournament_head *head, uint32_t a, uint32_t b)
{
	const struct tournament_head *x = &head[a], *y = &head[b];

	if (x->stack == NULL || y->stack == NULL)
		return x->stack != NULL ? a : b;
	if (x->shared != y->shared)
		return x->shared > y->shared ? a : b;
	return compare(head, a, b);
}

void
tournament_start(struct tournament *t, uint32_t n, tournament_next *next, void *streams)
{
	uint32_t *winner = cli_alloc(2 * (size_t)n, sizeof *winner);

	*t = (struct tournament){.n = n, .next = next, .streams = streams};
	t->loser = cli_alloc(n, sizeof *t->loser);
	t->head = cli_alloc(n, sizeof *t->head);
	for (uint32_t i = 0; i < n; i++) {
		next(streams, i, &t->head[i]);
		winner[n + i] = i;
	}
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t a = winner[2 * i], b = winner[2 * i + 1];

		winner[i] = play(t->head, a, b);
		t->loser[i] = winner[i] == a ? b : a;
	}
	t->loser[0] = winner[1];
	free(winner);
}

int64_t
tournament_pull(struct tournament *t, bool *again)
{
	uint32_t w = t->loser[0];
	size_t len = t->head[w].len;

	if (t->started) {
		t->next(t->streams, w, &t->head[w]);
		for (uint32_t i = (t->n + w) / 2; i > 0; i /= 2)
			if (play(t->head, w, t->loser[i]) != w) {
				uint32_t loser = w;

				w = t->loser[i];
				t->loser[i] = loser;
			}
		t->loser[0] = w;
	}
	if (t->head[w].stack == NULL)
		return -1;
	*again = t->started && t->head[w].shared == len && t->head[w].len == len;
	t->started = true;
	return w;
}

void
tournament_free(struct tournament *t)
{
	free(t->loser);
	free(t->head);
}
