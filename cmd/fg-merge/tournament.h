/*
 * tournament: out of many streams of stacks, each in canonical order, the next
 * one of all. A loser tree in which every head knows how many bytes it shares
 * with the stack that came out last: most matches compare two numbers, and no
 * byte that two stacks share is looked at again.
 */
#ifndef TOURNAMENT_H
#define TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first stack of a stream that has not come out yet. */
struct tournament_head {
	const char *stack; /* NULL at the end; alive until the stream's next one */
	size_t len;
	size_t shared; /* bytes in common with the stream's last one, 0 for the first */
};

/* Put the next stack of a stream into *head, or NULL at its end. */
typedef void tournament_next(void *streams, uint32_t stream, struct tournament_head *head);

struct tournament {
	uint32_t n, *loser; /* loser[0] is the winner */
	struct tournament_head *head;
	tournament_next *next;
	void *streams;
	bool started;
};

/* n is at least 1. Takes the first stack of each stream. */
void tournament_start(struct tournament *t, uint32_t n, tournament_next *next, void *streams);

/*
 * The stream with the smallest head, or -1 after the last; its stack is
 * t->head[stream]. *again tells that it equals the stack before it. Of equal
 * ones all of a stream come one after the other.
 */
int64_t tournament_pull(struct tournament *t, bool *again);

void tournament_free(struct tournament *t);

#endif
