/* threadlabels: all readers of labels. */
#ifndef THREADLABELS_H
#define THREADLABELS_H

#include "threadlabel/threadlabel.h"

extern const struct threadlabel *const threadlabels[]; /* ends with NULL */

#endif
