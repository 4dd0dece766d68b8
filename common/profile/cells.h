/*
 * cells: the width of characters in a terminal or a monospace font. All of clean text.
 */
#ifndef CELLS_H
#define CELLS_H

#include <stdbool.h>
#include <stddef.h>

unsigned label_width(const char *s, size_t len); /* in character cells */
unsigned label_cells(const char *s, size_t *bytes); /* of the character at s: 0, 1 or 2 */

/* Whether a character turns or hides text, and how it is shown instead: "\\u202e". */
#define LABEL_ESCAPE 12
bool label_hides(const char *s, size_t bytes, char shown[LABEL_ESCAPE]);

#endif
