/*
 * early: samples of forked processes before their first execve, which get the name of the program
 * that runs then. They are held, as stacks of their tree, until the name is known.
 */
#ifndef EARLY_H
#define EARLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "trace/perfevent.h"
#include "trace/rawtree.h"

struct early {
	uint32_t most; /* samples that are held of one process; 0: none of any */
	struct intmap process; /* by its number: struct early_process */
};

/* Holds a sample of a process; false: its name will not change, or it has too many. */
bool early_hold(
    struct early *s, struct rawtree *p, int pid, uint32_t node, uint64_t time, uint64_t weight);

/* Sees a record. Adds the samples of a process whose name is known now. */
void early_see(struct early *s, struct rawtree *p, const struct perfevent *e);

/* Adds all samples that are held, by the names of now, and frees the table. */
void early_end(struct early *s, struct rawtree *p);

#endif
