/*
 * ncurses: the functions in use here.
 */
#include "lazy/sonames.h"

#ifdef SONAME_ncursesw

#define NCURSES_NOMACROS
#include <ncurses.h>

#include "lazy/sharedlib.h"
#include "lazy/ncurses.h"

static struct sharedlib lazy_library = {.soname = SONAME_ncursesw};

LAZY(int, cbreak, (void), ())
LAZY(int, clearok, (WINDOW * a, NCURSES_BOOL b), (a, b))
LAZY(int, curs_set, (int a), (a))
LAZY(void, delscreen, (SCREEN * a), (a))
LAZY(int, endwin, (void), ())
LAZY(int, getmouse, (MEVENT * a), (a))
LAZY(NCURSES_BOOL, has_colors, (void), ())
LAZY(int, init_extended_pair, (int a, int b, int c), (a, b, c))
LAZY(int, keypad, (WINDOW * a, NCURSES_BOOL b), (a, b))
LAZY(int, mouseinterval, (int a), (a))
LAZY(mmask_t, mousemask, (mmask_t a, mmask_t *b), (a, b))
LAZY(SCREEN *, newterm, (const char *a, FILE *b, FILE *c), (a, b, c))
LAZY(int, noecho, (void), ())
LAZY(int, nonl, (void), ())
LAZY(int, set_escdelay, (int a), (a))
LAZY(int, start_color, (void), ())
LAZY(char *, tigetstr, (const char *a), (a))
LAZY(int, use_default_colors, (void), ())
LAZY(int, waddnstr, (WINDOW * a, const char *b, int c), (a, b, c))
LAZY(int, wclrtoeol, (WINDOW * a), (a))
LAZY(int, werase, (WINDOW * a), (a))
LAZY(int, wgetch, (WINDOW * a), (a))
LAZY(int, wmove, (WINDOW * a, int b, int c), (a, b, c))
LAZY(int, wrefresh, (WINDOW * a), (a))
LAZY(void, wtimeout, (WINDOW * a, int b), (a, b))
LAZY(int, wattr_set, (WINDOW * a, attr_t b, short c, void *d), (a, b, c, d))

WINDOW **
lazy_stdscr(void)
{
	return sharedlib_find(&lazy_library, "stdscr");
}

int *
lazy_int(const char *name)
{
	return sharedlib_find(&lazy_library, name);
}

#endif
