/*
 * tournament: merges many streams of stacks, each in canonical order. A loser tree in which
 * every head stores how many bytes it shares with the last winner: most matches compare two
 * numbers, and no byte that two stacks share is compared again.
 */
#ifndef TOURNAMENT_H
#define TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first stack of a stream that has not been returned yet. */
struct tournament_head {
	const char *stack; /* NULL at the end; valid until the stream's next one */
	size_t len;
	size_t shared; /* bytes in common with the stream's previous stack, 0 for the first */
};

/* Stores the next stack of a stream in *head, or NULL at its end. */
typedef void tournament_next(void *streams, uint32_t stream, struct tournament_head *head);

struct tournament {
	uint32_t n, *loser; /* loser[0] is the winner */
	struct tournament_head *head;
	tournament_next *next;
	void *streams;
	bool started;
};

/* Starts a merge of n streams, at least 1, and reads the first stack of each. */
void tournament_start(struct tournament *t, uint32_t n, tournament_next *next, void *streams);

/*
 * Returns the stream with the smallest head, whose stack is t->head[stream], or -1 after the
 * last stack. *again: it equals the previous stack. Equal stacks of one stream are returned one
 * after the other.
 */
int64_t tournament_pull(struct tournament *t, bool *again);

void tournament_free(struct tournament *t);

#endif
