/*
 * cells: width of characters in a terminal or monospace font. All strings are clean text.
 */
#ifndef CELLS_H
#define CELLS_H

#include <stdbool.h>
#include <stddef.h>

unsigned label_width(const char *s, size_t len); /* in character cells */
unsigned label_cells(const char *s, size_t *bytes); /* width of the character at s: 0, 1 or 2 */

/* True if a character reverses or hides text; shown is then its escape: "\\u202e". */
#define LABEL_ESCAPE 12
bool label_hides(const char *s, size_t bytes, char shown[LABEL_ESCAPE]);

#endif
