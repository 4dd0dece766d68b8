/*
 * ncurses: the variables of the library, for a program that is not linked with it. To include
 * after ncurses.h.
 */
#ifndef LAZY_NCURSES_H
#define LAZY_NCURSES_H

#include "lazy/sonames.h"

#ifdef SONAME_ncursesw

WINDOW **lazy_stdscr(void);
int *lazy_int(const char *name);

#undef stdscr
#undef COLORS
#undef COLOR_PAIRS
#undef COLS
#undef LINES
#define stdscr (*lazy_stdscr())
#define COLORS (*lazy_int("COLORS"))
#define COLOR_PAIRS (*lazy_int("COLOR_PAIRS"))
#define COLS (*lazy_int("COLS"))
#define LINES (*lazy_int("LINES"))

#endif

#endif
