/*
 * screen: the interactive terminal, root at the top. Keys come from /dev/tty, so that a
 * profile can come from a pipe.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>

#include "base/output.h"
#include "base/sandbox.h"
#include "fg-render/picture.h"

struct screen;

/* What the terminal needs, for the sandbox. */
void screen_files(struct sandbox *files);

/* The terminal, or NULL where there is none or ncurses was not built in; *why tells which. */
struct screen *screen_open(const char **why);
void screen_close(struct screen *s); /* the terminal is as it was; NULL does nothing */
int screen_fd(const struct screen *s); /* of keys */

/* Draw this picture from now on, at the place where the last one was. It must stay. */
void screen_show(struct screen *s, const struct picture *p);

/* A word after the title, such as "paused"; "" for none. Not copied. */
void screen_note(struct screen *s, const char *note);

/*
 * Wait up to `ms` (-1: for ever) for a key, do what it asks for, and draw. Returns the key
 * where the screen does not know it, 0 where it did or none came, and -1 to quit.
 */
int screen_key(struct screen *s, int ms);

void report_interactive(const struct picture *p, struct output *o); /* an output */

#endif
