/*
 * static: a static program loads no library. libdw's archive asks for libdebuginfod when the
 * program starts, and that of another C library would be loaded with its own beside ours.
 */
#include "lazy/sonames.h"

#include <stddef.h>
#include <string.h>

#ifdef SONAME_ncursesw

#include <ncurses.h>

WINDOW **lazy_stdscr(void);
int *lazy_int(const char *name);

/* The library's variables, for screen.o, which is the same one in a shared program. */
WINDOW **
lazy_stdscr(void)
{
	return &stdscr;
}

int *
lazy_int(const char *name)
{
	return strcmp(name, "COLORS") == 0	  ? &COLORS
	       : strcmp(name, "COLOR_PAIRS") == 0 ? &COLOR_PAIRS
	       : strcmp(name, "COLS") == 0	  ? &COLS
						  : &LINES;
}

#endif

void *__wrap_dlopen(const char *name, int flags);

/* In place of dlopen(3), by --wrap=dlopen in the Makefile with STATIC=1. */
void *
__wrap_dlopen(const char *name, int flags)
{
	(void)name;
	(void)flags;
	return NULL;
}
