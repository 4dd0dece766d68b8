/*
 * limits: the resource limits that fg-record itself needs, see getrlimit(2).
 */
#ifndef LIMITS_H
#define LIMITS_H

/* Exits 125, with a message, if the stack is limited to less than 64 KiB and cannot be raised. */
void limits_check(void);

/*
 * Raises the soft limits of open files and of the stack, also of threads that are created later.
 * Call it after the command has been forked, which keeps its own limits.
 */
void limits_raise(void);

#endif
