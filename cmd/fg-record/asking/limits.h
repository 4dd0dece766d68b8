/*
 * limits: the resource limits that fg-record itself needs, see getrlimit(2).
 */
#ifndef LIMITS_H
#define LIMITS_H

/*
 * Raises the limit of the stack, also of threads. Exits 125, with a message, if it is less than 64
 * KiB and cannot be raised. Call it first.
 */
void limits_check(void);

/* Sets the limit of the stack as it was. Call it in the child that executes the command. */
void limits_give_back(void);

/*
 * Raises the soft limit of open files. Call it after the command has been forked, which keeps its
 * own limit.
 */
void limits_raise(void);

#endif
