/*
 * screen: the interactive terminal view, root at the top. Reads keys from /dev/tty, so that
 * the profile may come from a pipe.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>

#include "base/output.h"
#include "base/sandbox.h"
#include "fg-render/picture.h"

struct screen;

/* Adds the files that the terminal needs to the sandbox. */
void screen_files(struct sandbox *files);

/* Opens the terminal. NULL if there is none or ncurses was not built in; *why is the reason. */
struct screen *screen_open(const char **why);
void screen_close(struct screen *s); /* restores the terminal; s may be NULL */
int screen_fd(const struct screen *s); /* descriptor to poll for keys */

/* Shows this picture from now on, at the same place as the last one. p must stay valid. */
void screen_show(struct screen *s, const struct picture *p);

/* Sets a word after the title, such as "paused"; "" for none. Not copied. */
void screen_note(struct screen *s, const char *note);

/*
 * Waits up to `ms` (-1: no limit) for a key, handles it, and draws. Returns an unknown key to
 * the caller, 0 if the key was handled or none came, and -1 to quit.
 */
int screen_key(struct screen *s, int ms);

void report_interactive(const struct picture *p, struct output *o); /* -T interactive */

#endif
