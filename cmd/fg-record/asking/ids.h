/*
 * ids: lists of processes, threads, users or descriptors.
 */
#ifndef IDS_H
#define IDS_H

#include <stdbool.h>
#include <stddef.h>

struct ids {
	int *id;
	size_t n, cap;
};

void ids_add(struct ids *ids, int id);
void ids_add_new(struct ids *ids, int id); /* unless ids contains it */
bool ids_have(const struct ids *ids, int id);

#endif
