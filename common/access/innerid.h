/*
 * innerid: numbers of threads and processes in their own PID namespace.
 */
#ifndef INNERID_H
#define INNERID_H

#include <stdbool.h>

/*
 * The number of a thread or process in its own PID namespace; 0 if it has ended, or the kernel
 * does not tell. Sets *nested, unless NULL or the number is 0: it has another number outside.
 */
int inner_id(int id, bool *nested);

/* Reads that number from one line of the status file; 0 if another line. */
int inner_id_of(const char *line, bool *nested);

#endif
