/*
 * tty: settings of the terminal, restored after fatal signals.
 */
#ifndef TTY_H
#define TTY_H

#include <stdbool.h>

bool tty_save(int fd); /* stores the settings; false if fd is not a terminal */

/* A fatal signal restores the stored settings of fd from now on, and writes `undo` to it. */
void tty_guard(int fd, const char *undo);
bool tty_guarded(void);
void tty_release(void); /* ends tty_guard; the caller has restored the settings */

/*
 * Opens /dev/tty for single keys without echo, with the guard of tty_guard; -1 if there is none.
 * The settings are restored by tty_close and at exit.
 */
int tty_open(void);
void tty_close(int fd); /* fd may be -1 */

#endif
