/* runtimes: all readers of interpreters and virtual machines, in the order in which they are tried.
 */
#ifndef RUNTIMES_H
#define RUNTIMES_H

#include "runtime/runtime.h"

extern const struct runtime *const runtimes[]; /* ends with NULL */

#endif
