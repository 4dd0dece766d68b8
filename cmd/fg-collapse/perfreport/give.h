/*
 * give: passes the entries of a report to the sampler.
 */
#ifndef PERFREPORT_GIVE_H
#define PERFREPORT_GIVE_H

#include "fg-collapse/perfreport/entries.h"

/* Passes all entries, once the input is read. */
void give_report(struct entries *p);

#endif
