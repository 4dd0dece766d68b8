/*
 * innerid: numbers of threads and processes in their own PID namespace.
 */
#ifndef INNERID_H
#define INNERID_H

#include <stdbool.h>

/*
 * The number of a thread or process in its own PID namespace; 0 if it has ended, or the kernel
 * does not tell. *nested, unless NULL: it has another one outside.
 */
int inner_id(int id, bool *nested);

#endif
