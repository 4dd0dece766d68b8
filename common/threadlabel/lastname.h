/*
 * lastname: the last name of each thread, for time and samples of threads that cannot be read.
 */
#ifndef LASTNAME_H
#define LASTNAME_H

#include "base/intmap.h"
#include "base/text.h"

struct lastnames {
	struct intmap by_tid;
};

/* The name of a thread from now on, while its comm is this one. */
void lastname_set(struct lastnames *l, int pid, int tid, const char *comm, struct str name);

/* The last name of a thread, or else the comm. Valid until the next call. */
struct str lastname_get(const struct lastnames *l, int pid, int tid, const char *comm);

void lastnames_free(struct lastnames *l);

#endif
