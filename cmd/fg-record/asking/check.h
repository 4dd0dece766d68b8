/*
 * check: --check, the rights of this user on this kernel or in this container: a line for each,
 * with the cost of its lack and the command that grants it; then the runtimes of all processes.
 */
#ifndef CHECK_H
#define CHECK_H

/* The end of each error that comes from a missing right. */
#define CHECK_HINT "fg-record --check lists all rights"

/* Prints the table. It gives up the rights of this process, as a recording of all processes does.
 */
void check_print(void);

#endif
