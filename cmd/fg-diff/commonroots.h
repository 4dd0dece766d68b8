/*
 * commonroots: how much of two profiles is below roots that both have. Below other roots no
 * stack of one profile equals one of the other.
 */
#ifndef COMMONROOTS_H
#define COMMONROOTS_H

#include "fg-diff/side.h"

/*
 * Warns if base and head have less than a tenth of their weight in common roots, and names the
 * options that align them. Roots are compared as functions (names/identity.h). After side_finish.
 */
void commonroots_check(const struct side *base, const struct side *head);

#endif
