/*
 * unusable: inputs that do not allow an answer.
 */
#ifndef UNUSABLE_H
#define UNUSABLE_H

#include "fg-diff/answer.h"
#include "fg-diff/compare.h"

/* Appends the reason to the answer; false if the inputs allow one. */
bool unusable_describe(struct answer *a, const struct comparison *c);

/*
 * True if shares are compared, too little is unchanged for a scale, and a function changed beyond
 * noise. If all changes are noise, the unchanged part is small by chance.
 */
bool unusable_shares(const struct comparison *c);

#endif
